//! A published table as a file of SAS for transport, version 5, by SAS's "TS-140".
//!
//! A column whose name SAS does not take gets one that it takes; its own name is its label then, which is what is compared. No public
//! library reads the form, so our own reader does, which shares no code with what stands here.

use std::{collections::HashSet, io::Cursor};

use arrow_array::{Array, RecordBatch, cast::AsArray as _, types};
use arrow_schema::DataType;
use lookalike_model::described::Described;
use lookalike_table::{Column, Table};

use super::{
    WriteCheck, WriteFault, all,
    compare::{Found, Judged},
    spelled, typed, whole,
};
use crate::{Columns as _, sas::XportFile};

/// Bytes of a record, of a name, of a label, of a text.
const RECORD: usize = 80;
const NAME: usize = 8;
const LABEL: usize = 40;
const TEXT: usize = 200;

/// Columns that four digits count.
const COLUMNS: usize = 9_999;

/// Days from 1960-01-01 to 1970-01-01.
const DAYS: i32 = 3_653;

/// Whole numbers up to here are numbers of floating point, too.
const EXACT: i64 = 1 << 53;

/// What the different cells of a column are.
enum Cells {
    Numbers(Vec<Option<f64>>),
    Days(Vec<Option<i32>>),
    /// Bytes of the longest.
    Texts(usize),
}

impl Cells {
    fn of(column: &Column) -> Self {
        let exact = |cell: &str| whole(cell).filter(|number| number.abs() <= EXACT);
        let number = |cell: &str| match exact(cell) {
            Some(number) => Some(number as f64),
            // There is no negative zero, and less room for large and small ones.
            None => spelled(cell).filter(|number| cell != "-0" && ibm(*number).is_some()),
        };
        if let Some(numbers) = all(column, number) {
            return Self::Numbers(numbers);
        }
        if let Some(days) = all(column, |cell| typed::day(cell)?.checked_add(DAYS)) {
            return Self::Days(days);
        }
        Self::Texts(column.values.iter().map(str::len).max().unwrap_or_default().max(1))
    }

    fn width(&self) -> usize {
        match self {
            Self::Numbers(_) | Self::Days(_) => 8,
            Self::Texts(longest) => *longest,
        }
    }
}

/// The file.
pub(super) fn file(table: &Table, about: &[Described]) -> Result<Vec<u8>, String> {
    let cells: Vec<Cells> = table.columns.iter().map(Cells::of).collect();
    check(table, &cells)?;
    let mut file = Vec::new();
    let stamp = "01JAN60:00:00:00";
    file.extend(header("LIBRARY", 0));
    file.extend(record(&format!("SAS     SAS     SASLIB  9.4     {:<32}{stamp}", "")));
    file.extend(record(stamp));
    // The bytes that describe a column, at the end.
    file.extend(record("HEADER RECORD*******MEMBER  HEADER RECORD!!!!!!!000000000000000001600000000140"));
    file.extend(header("DSCRPTR", 0));
    file.extend(record(&format!("SAS     TABLE   SASDATA 9.4     {:<32}{stamp}", "")));
    file.extend(record(stamp));
    file.extend(header("NAMESTR", cells.len()));
    let (mut taken, mut at) = (HashSet::new(), 0);
    for (number, (column, cells)) in table.columns.iter().zip(&cells).enumerate() {
        let (name, mut label) = named(&column.name, number, &mut taken)?;
        if label.is_empty() {
            label = description(about, &name);
        }
        file.extend(described(number, (&name, &label), cells, at));
        at += cells.width();
    }
    pad(&mut file);
    file.extend(header("OBS", 0));
    for row in 0..table.rows {
        for (column, cells) in table.columns.iter().zip(&cells) {
            let code = column.cells[row] as usize;
            match cells {
                Cells::Numbers(numbers) => file.extend(number(numbers[code])),
                Cells::Days(days) => file.extend(number(days[code].map(f64::from))),
                Cells::Texts(width) => {
                    let text = column.values[code].as_bytes();
                    file.extend_from_slice(text);
                    file.extend(std::iter::repeat_n(b' ', width - text.len()));
                }
            }
        }
    }
    pad(&mut file);
    Ok(file)
}

/// Refuses what has no place in such a file.
fn check(table: &Table, cells: &[Cells]) -> Result<(), String> {
    if cells.len() > COLUMNS {
        return Err(format!("it has more than {COLUMNS} columns"));
    }
    for (number, (column, cells)) in (1..).zip(table.columns.iter().zip(cells)) {
        if cells.width() > TEXT {
            return Err(format!(
                "column {number} has a text of more than {TEXT} bytes, which version 5 of the form does not keep"
            ));
        }
        let is_text = matches!(cells, Cells::Texts(_));
        if is_text && column.values.iter().any(|cell| cell.ends_with([' ', '\0'])) {
            return Err(format!(
                "column {number} has a text that ends with a blank, which the form does not keep"
            ));
        }
    }
    let texts = cells.iter().all(|cells| matches!(cells, Cells::Texts(_)));
    let last = table.rows.checked_sub(1);
    if texts && last.is_some_and(|row| table.columns.iter().all(|column| column.cell(row).is_empty())) {
        return Err(String::from("its last row is empty, which the form does not keep"));
    }
    Ok(())
}

/// A record that says what follows; `count` says of how many columns.
fn header(name: &str, count: usize) -> Vec<u8> {
    record(&format!("HEADER RECORD*******{name:<8}HEADER RECORD!!!!!!!{count:010}{:020}", 0))
}

/// A record of this text.
fn record(text: &str) -> Vec<u8> {
    format!("{text:<RECORD$}").into_bytes()
}

/// Fills the last record up.
fn pad(file: &mut Vec<u8>) {
    file.resize(file.len().next_multiple_of(RECORD), b' ');
}

/// The 140 bytes that describe a column.
fn described(number: usize, (name, label): (&str, &str), cells: &Cells, at: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(140);
    let is_text = matches!(cells, Cells::Texts(_));
    let u16 = |number: usize| (number as u16).to_be_bytes();
    for number in [if is_text { 2 } else { 1 }, 0, cells.width(), number + 1] {
        bytes.extend(u16(number));
    }
    bytes.extend(format!("{name:<NAME$}").into_bytes());
    // Bytes, not characters: a label may have longer ones.
    bytes.extend_from_slice(label.as_bytes());
    bytes.resize(16 + LABEL, b' ');
    let (format, width) = if matches!(cells, Cells::Days(_)) { ("YYMMDD", 10) } else { ("", 0) };
    bytes.extend(format!("{format:<8}").into_bytes());
    for number in [width, 0, 0, 0] {
        bytes.extend(u16(number));
    }
    bytes.extend([b' '; 8]);
    bytes.extend([0; 4]);
    bytes.extend((at as u32).to_be_bytes());
    bytes.resize(140, 0);
    bytes
}

/// The description of a column, as much of it as 40 bytes hold.
fn description(about: &[Described], name: &str) -> String {
    let mut label = super::description(about, name, LABEL);
    while label.len() > LABEL {
        label.pop();
    }
    label.trim_end().to_owned()
}

/// A name that SAS takes, and the column's own as its label, if that is another one.
fn named(name: &str, at: usize, taken: &mut HashSet<String>) -> Result<(String, String), String> {
    let usable: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let begins = usable.starts_with(|c: char| c.is_ascii_digit()) || usable.is_empty();
    let fits = usable == name && !begins && name.len() <= NAME;
    // Names are the same whatever their case.
    if fits && taken.insert(name.to_ascii_uppercase()) {
        return Ok((name.to_owned(), String::new()));
    }
    if name.len() > LABEL || name.trim_end() != name {
        return Err(format!(
            "the name of column {} has more than {NAME} bytes, or characters that are not letters, and does not fit into the {LABEL} bytes of a label",
            at + 1
        ));
    }
    let mut own: String = format!("V{}_{usable}", at + 1).chars().take(NAME).collect();
    if !taken.insert(own.to_ascii_uppercase()) {
        own = format!("V{}", at + 1);
        taken.insert(own.clone());
    }
    Ok((own, name.to_owned()))
}

fn number(number: Option<f64>) -> [u8; 8] {
    let missing = [b'.', 0, 0, 0, 0, 0, 0, 0];
    number.map_or(missing, |number| ibm(number).map_or(missing, u64::to_be_bytes))
}

/// A number of IBM's mainframes: sign, exponent of 16 counted from 64, fraction of 56 bits that is at least 1/16. `None` for one that
/// is too large or too small.
fn ibm(number: f64) -> Option<u64> {
    if number == 0.0 {
        return Some(0);
    }
    let bits = number.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    if exponent == 0 || exponent == 0x7ff {
        return None;
    }
    let whole = bits & ((1 << 52) - 1) | 1 << 52;
    // The number is 0.whole times a power of two, which is made one of 16.
    let power = exponent - 1_022;
    let of_16 = power.div_euclid(4) + i32::from(power.rem_euclid(4) != 0);
    let fraction = whole << 3 >> (4 * of_16 - power);
    let biased = u64::try_from(of_16 + 64).ok().filter(|biased| *biased < 128)?;
    Some(bits >> 63 << 63 | biased << 56 | fraction)
}

/// Compares what the reader reads.
pub(super) fn read_back(file: &[u8], judged: &Judged<'_>) -> Result<WriteCheck, WriteFault> {
    let unread = |why: lookalike_table::Error| judged.unread(&why);
    let mut reader = XportFile::open(Cursor::new(file), Some("utf-8"), None).map_err(unread)?;
    // A label is the column's own name, unless it is its description.
    let is_name = |name: &str, label: &str| label.is_empty() || label == description(judged.described, name);
    let name = |(name, label)| if is_name(name, label) { name } else { label };
    let names: Vec<String> = reader.names().map(|both| name(both).to_owned()).collect();
    let columns: Vec<usize> = (0..names.len()).collect();
    let batches = reader.batches(&columns).map_err(unread)?;
    let rows = batches.flat_map(|batch| -> Box<dyn Iterator<Item = Result<Vec<Found>, WriteFault>>> {
        match batch {
            Ok(batch) => Box::new((0..batch.num_rows()).map(move |row| Ok(found(&batch, row)))),
            Err(why) => Box::new(std::iter::once(Err(unread(why)))),
        }
    });
    match judged.compare(&names, rows)? {
        WriteCheck::Same { cells, rows } => Ok(WriteCheck::SameByOwn { cells, rows }),
        other => Ok(other),
    }
}

fn found(batch: &RecordBatch, row: usize) -> Vec<Found> {
    let cell = |column: &dyn Array| match column.data_type() {
        _ if column.is_null(row) => Found::Nothing,
        DataType::Float64 => Found::Real(column.as_primitive::<types::Float64Type>().value(row)),
        DataType::Date32 => Found::Day(column.as_primitive::<types::Date32Type>().value(row)),
        DataType::Utf8 => match column.as_string::<i32>().value(row) {
            "" => Found::Nothing,
            text => Found::Text(text.to_owned()),
        },
        _ => Found::Other,
    };
    batch.columns().iter().map(|column| cell(column)).collect()
}

#[cfg(test)]
mod tests {
    use lookalike_audit::Dialect;

    use super::*;
    use crate::{Target, write};

    #[test]
    fn numbers_of_ibm() {
        for (number, bits) in [
            (1.0, Some(0x4110_0000_0000_0000)),
            (-118.625, Some(0xc276_a000_0000_0000)),
            (0.1, Some(0x4019_9999_9999_999a)),
            (0.062_5, Some(0x4010_0000_0000_0000)),
            (16.0, Some(0x4210_0000_0000_0000)),
            (0.0, Some(0)),
            (1e-79, None),
            (1e76, None),
            (f64::MIN_POSITIVE / 2.0, None),
        ] {
            assert_eq!(ibm(number), bits, "{number}");
        }
    }

    #[test]
    fn names_that_sas_does_not_take_are_kept_all_the_same() {
        let csv = "\"city, state\",age_in_years,AGE,age,born\n\u{f6},1,a,b,2001-02-03\n,0.1,c,d,\n";
        let (file, check) = write(Target::Xport, csv.as_bytes(), Dialect::PLAIN, &[]).unwrap();
        assert_eq!(check, WriteCheck::SameByOwn { cells: 15, rows: 3 });
        assert_eq!(file.len() % RECORD, 0);
        let reader = XportFile::open(Cursor::new(&file), None, None).unwrap();
        let names: Vec<_> = reader.names().collect();
        assert_eq!(
            names,
            [
                ("V1_city_", "city, state"),
                ("V2_age_i", "age_in_years"),
                ("AGE", ""),
                ("V4_age", "age"),
                ("born", "")
            ]
        );
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_reason() {
        let long = "x".repeat(201);
        let name = "n".repeat(41);
        for (csv, told) in [
            (format!("a,b\n{long},1\n"), "column 1 has a text of more than 200 bytes"),
            (format!("{name}\nx\n"), "the name of column 1 has more than 8 bytes"),
            (String::from("a,b\nx,\"y \"\n"), "column 2 has a text that ends with a blank"),
            (String::from("a,b\nx,y\n,\n"), "its last row is empty"),
        ] {
            let refused = write(Target::Xport, csv.as_bytes(), Dialect::PLAIN, &[]).unwrap_err().to_string();
            assert!(refused.contains(told), "{refused}");
        }
    }
}
