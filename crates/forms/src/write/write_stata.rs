//! A published table as a file of Stata, release 118.
//!
//! A column whose name Stata does not take gets one that it takes; its own name is its label then, which is what is compared.

use std::{borrow::Cow, collections::HashSet, io::Cursor};

use dta::stata::{
    dta::{
        byte_order::ByteOrder,
        dta_error::DtaError,
        dta_reader::DtaReader,
        dta_writer::DtaWriter,
        header::Header,
        long_string_table::LongStringTable,
        record::Record,
        release::Release,
        schema::Schema,
        value::Value,
        value_label_writer::ValueLabelWriter,
        variable::{Variable, VariableBuilder},
        variable_type::VariableType,
    },
    missing_value::MissingValue::System,
    stata_double::StataDouble,
    stata_long::StataLong,
};
use lookalike_table::{Column, Table};

use super::{
    WriteCheck, WriteFault, all,
    compare::{Found, Judged},
    spelled, typed, whole,
};

/// Days from 1960-01-01 to 1970-01-01.
const DAYS: i32 = 3_653;

/// The largest and the least whole number that Stata keeps in 4 bytes.
const WHOLE: std::ops::RangeInclusive<i64> = -2_147_483_647..=2_147_483_620;

/// Beyond it a number is a missing one.
const LARGEST: f64 = 8.9e307;

/// Bytes of the longest text of fixed length; characters of a name and of a label.
const FIXED: usize = 2_045;
const NAME: usize = 32;
const LABEL: usize = 80;

/// Words that are no names.
const RESERVED: [&str; 22] = [
    "_all", "_b", "_coef", "_cons", "_n", "_N", "_pi", "_pred", "_rc", "_skip", "byte", "double", "float",
    "if", "in", "int", "long", "strL", "using", "with", "_se", "_weight",
];

/// What the different cells of a column are.
enum Cells {
    Whole(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
    Day(Vec<Option<i32>>),
    /// Bytes of the longest.
    Text(usize),
}

impl Cells {
    fn of(column: &Column) -> Self {
        let in_range = |cell: &str| whole(cell).filter(|number| WHOLE.contains(number));
        if let Some(numbers) = all(column, in_range) {
            return Self::Whole(numbers);
        }
        // Stata has no negative zero that stays one.
        let real = |cell: &str| spelled(cell).filter(|number| number.abs() < LARGEST && cell != "-0");
        if let Some(numbers) = all(column, real) {
            return Self::Real(numbers);
        }
        if let Some(days) = all(column, |cell| typed::day(cell)?.checked_add(DAYS)) {
            return Self::Day(days);
        }
        Self::Text(column.values.iter().map(str::len).max().unwrap_or_default())
    }

    fn data_type(&self) -> VariableType {
        match self {
            Self::Whole(_) | Self::Day(_) => VariableType::Long,
            Self::Real(_) => VariableType::Double,
            Self::Text(longest) if *longest <= FIXED => VariableType::FixedString((*longest).max(1) as u16),
            Self::Text(_) => VariableType::LongString,
        }
    }

    fn format(&self) -> String {
        match self {
            Self::Whole(_) => String::from("%12.0g"),
            Self::Real(_) => String::from("%10.0g"),
            Self::Day(_) => String::from("%td"),
            Self::Text(longest) if *longest <= FIXED => format!("%{}s", (*longest).clamp(1, 244)),
            Self::Text(_) => String::from("%9s"),
        }
    }
}

/// The file.
pub(super) fn file(table: &Table) -> Result<Vec<u8>, String> {
    let says = |why: DtaError| why.to_string();
    let cells: Vec<Cells> = table.columns.iter().map(Cells::of).collect();
    let mut schema = Schema::builder();
    let mut taken = HashSet::new();
    for (at, (column, cells)) in table.columns.iter().zip(&cells).enumerate() {
        schema = schema.add_variable(variable(&column.name, at, cells, &mut taken)?);
    }
    let header = Header::builder(Release::V118, ByteOrder::LittleEndian).build();
    let writer = DtaWriter::new().from_writer(Cursor::new(Vec::new())).write_header(header).map_err(says)?;
    let writer = writer.write_schema(schema.build().map_err(says)?).map_err(says)?;
    let mut writer = writer.into_record_writer().map_err(says)?;
    let mut strings = LongStringTable::for_writing();
    for row in 0..table.rows {
        let mut values = Vec::with_capacity(cells.len());
        for (at, (column, cells)) in (1..).zip(table.columns.iter().zip(&cells)) {
            let code = column.cells[row] as usize;
            values.push(match cells {
                Cells::Whole(numbers) => long(numbers[code].map(|number| number as i32)),
                Cells::Day(days) => long(days[code]),
                Cells::Real(numbers) => {
                    Value::Double(numbers[code].map_or(StataDouble::Missing(System), StataDouble::Present))
                }
                Cells::Text(longest) if *longest <= FIXED => {
                    Value::String(Cow::Borrowed(&column.values[code]))
                }
                Cells::Text(_) => {
                    Value::LongStringRef(strings.get_or_insert(at, row as u64 + 1, &column.values[code]))
                }
            });
        }
        writer.write_record(&values).map_err(says)?;
    }
    let mut writer = writer.into_long_string_writer().map_err(says)?;
    writer.write_long_string_table(&strings).map_err(says)?;
    let file = writer.into_value_label_writer().and_then(ValueLabelWriter::finish).map_err(says)?;
    Ok(file.into_inner())
}

fn long(number: Option<i32>) -> Value<'static> {
    Value::Long(number.map_or(StataLong::Missing(System), StataLong::Present))
}

/// A column with a name that Stata takes.
fn variable(
    name: &str,
    at: usize,
    cells: &Cells,
    taken: &mut HashSet<String>,
) -> Result<VariableBuilder, String> {
    let usable: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(NAME).collect();
    let begins = usable.starts_with(|c: char| c.is_ascii_digit()) || usable.is_empty();
    let fits = usable == name && !begins && !RESERVED.contains(&name) && !name.starts_with("str");
    let mut own = if fits { usable } else { format!("v{}_{usable}", at + 1).chars().take(NAME).collect() };
    if !taken.insert(own.clone()) {
        own = format!("v{}", at + 1);
        taken.insert(own.clone());
    }
    let builder = Variable::builder(cells.data_type(), own.as_str()).format(cells.format());
    if own == name {
        return Ok(builder);
    }
    if name.chars().count() > LABEL {
        return Err(format!("the name of column {} has more than {LABEL} characters", at + 1));
    }
    Ok(builder.label(name))
}

/// Compares what the decoder reads.
pub(super) fn read_back(file: &[u8], judged: &Judged<'_>) -> Result<WriteCheck, WriteFault> {
    let unread = |why: DtaError| judged.unread(&why);
    let mut strings = LongStringTable::for_reading();
    let header = DtaReader::new().from_reader(Cursor::new(file)).read_header().map_err(unread)?;
    let reader = header.read_schema().map_err(unread)?;
    reader
        .seek_long_strings()
        .and_then(|mut reader| reader.read_remaining_into(&mut strings))
        .map_err(unread)?;
    let header = DtaReader::new().from_reader(Cursor::new(file)).read_header().map_err(unread)?;
    let encoding = header.encoding();
    let mut reader = header.read_schema().map_err(unread)?;
    reader.skip_to_end().map_err(unread)?;
    let mut records = reader.into_record_reader().map_err(unread)?;
    let variables = records.schema().variables().to_vec();
    let name = |variable: &Variable| match variable.label() {
        "" => variable.name().to_owned(),
        label => label.to_owned(),
    };
    let names: Vec<String> = variables.iter().map(name).collect();
    let found = |record: &Record<'_>| {
        let values = record.values().iter().zip(&variables);
        values
            .map(|(value, variable)| match value {
                Value::Long(StataLong::Present(day)) if variable.format() == "%td" => {
                    day.checked_sub(DAYS).map_or(Found::Other, Found::Day)
                }
                Value::Long(StataLong::Present(number)) => Found::Whole((*number).into()),
                Value::Double(StataDouble::Present(number)) => Found::Real(*number),
                Value::Long(StataLong::Missing(System)) | Value::Double(StataDouble::Missing(System)) => {
                    Found::Nothing
                }
                Value::String(text) if text.is_empty() => Found::Nothing,
                Value::String(text) => Found::Text(text.to_string()),
                Value::LongStringRef(reference) => match strings.get(reference) {
                    None => Found::Nothing,
                    Some(text) if text.data().is_empty() => Found::Nothing,
                    Some(text) => {
                        text.data_str(encoding).map_or(Found::Other, |text| Found::Text(text.into_owned()))
                    }
                },
                _ => Found::Other,
            })
            .collect()
    };
    let rows = std::iter::from_fn(move || {
        let record = records.read_record().map_err(|why| judged.unread(&why)).transpose()?;
        Some(record.map(|record| found(&record)))
    });
    judged.compare(&names, rows)
}

#[cfg(test)]
mod tests {
    use lookalike_audit::Dialect;

    use super::*;
    use crate::{Target, write};

    #[test]
    fn names_and_texts_that_stata_does_not_take_are_kept_all_the_same() {
        let long = "\u{e4}".repeat(1_500);
        let csv = format!(
            "\"city, state\",2x,if,str5,city__state,note\n\u{f6},1,a,b,,{long}\n,3000000000,c,d,0.5,x\n"
        );
        let (file, check) = write(Target::Stata, csv.as_bytes(), Dialect::PLAIN).unwrap();
        assert_eq!(check, WriteCheck::Same { cells: 18, rows: 3 });
        let reader =
            DtaReader::new().from_reader(Cursor::new(&file)).read_header().unwrap().read_schema().unwrap();
        let names: Vec<_> = reader.schema().variables().iter().map(Variable::name).collect();
        assert_eq!(names, ["v1_city__state", "v2_2x", "v3_if", "v4_str5", "city__state", "note"]);
        let name = "n".repeat(81);
        let refused = write(Target::Stata, format!("{name}\n1\n").as_bytes(), Dialect::PLAIN);
        assert!(matches!(refused, Err(WriteFault::Unwritten { .. })), "{refused:?}");
    }
}
