//! A published table with a JSON object a line: numbers as numbers, all else as text, null where a cell is empty.

use lookalike_table::{Column, Table};
use serde_json::{Map, Value};

use super::{
    WriteCheck, WriteFault, all,
    compare::{Found, Judged},
    spelled,
};

/// The file.
pub(super) fn file(table: &Table) -> Result<Vec<u8>, serde_json::Error> {
    let mut columns = Vec::with_capacity(table.columns.len());
    for column in &table.columns {
        columns.push((serde_json::to_string(&column.name)?, values(column)?, column));
    }
    let mut out = Vec::new();
    for row in 0..table.rows {
        for (at, (name, values, column)) in columns.iter().enumerate() {
            out.push(if at == 0 { b'{' } else { b',' });
            out.extend_from_slice(name.as_bytes());
            out.push(b':');
            out.extend_from_slice(values[column.cells[row] as usize].as_bytes());
        }
        out.extend_from_slice(b"}\n");
    }
    Ok(out)
}

/// The different cells of a column in JSON.
fn values(column: &Column) -> Result<Vec<String>, serde_json::Error> {
    let numbers = all(column, spelled).is_some();
    let value = |cell: &str| match cell {
        "" => Ok(String::from("null")),
        number if numbers => Ok(number.to_owned()),
        text => serde_json::to_string(text),
    };
    column.values.iter().map(value).collect()
}

/// Compares what the decoder reads.
pub(super) fn read_back(file: &[u8], judged: &Judged<'_>) -> Result<WriteCheck, WriteFault> {
    let lines = || file.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let names = names(lines().next().unwrap_or_default()).map_err(|why| judged.unread(&why))?;
    let rows = lines().map(|line| {
        let object: Map<String, Value> = serde_json::from_slice(line).map_err(|why| judged.unread(&why))?;
        let mut row: Vec<Found> = names.iter().map(|name| found(object.get(name))).collect();
        // A key more than there are columns.
        row.extend((names.len()..object.len()).map(|_| Found::Other));
        Ok(row)
    });
    judged.compare(&names, rows)
}

fn found(value: Option<&Value>) -> Found {
    match value {
        Some(Value::Null) => Found::Nothing,
        Some(Value::String(text)) => Found::Text(text.clone()),
        Some(Value::Number(number)) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Found::Whole(number),
            (None, Some(number)) => Found::Real(number),
            _ => Found::Other,
        },
        _ => Found::Other,
    }
}

/// The keys of an object, in their order.
fn names(line: &[u8]) -> Result<Vec<String>, serde_json::Error> {
    struct Keys(Vec<String>);

    impl<'de> serde::Deserialize<'de> for Keys {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct OfObject;

            impl<'de> serde::de::Visitor<'de> for OfObject {
                type Value = Vec<String>;

                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("an object")
                }

                fn visit_map<A: serde::de::MapAccess<'de>>(
                    self,
                    mut map: A,
                ) -> Result<Vec<String>, A::Error> {
                    let mut keys = Vec::new();
                    while let Some((key, _)) = map.next_entry::<String, serde::de::IgnoredAny>()? {
                        keys.push(key);
                    }
                    Ok(keys)
                }
            }

            deserializer.deserialize_map(OfObject).map(Keys)
        }
    }

    serde_json::from_slice(line).map(|keys: Keys| keys.0)
}
