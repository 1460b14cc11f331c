//! A published table as a file of Stata, release 118.
//!
//! A column whose name Stata does not take gets one that it takes; its own name is its label then, which is what is compared. The label
//! of any other column is what the source says of it. Where the source has codes with labels, the published labels have codes, too: new
//! ones, in the order of the labels, since what is published may be none of the source's.

use std::{borrow::Cow, collections::HashSet, io::Cursor};

use dta::stata::{
    dta::{
        byte_order::ByteOrder, characteristic_reader::CharacteristicReader, dta_error::DtaError,
        dta_reader::DtaReader, dta_writer::DtaWriter, header::Header, long_string_table::LongStringTable,
        record::Record, release::Release, schema::Schema, value::Value, value_label_table::ValueLabelTable,
        value_label_writer::ValueLabelWriter, variable::Variable, variable_type::VariableType,
    },
    missing_value::MissingValue::System,
    stata_double::StataDouble,
    stata_long::StataLong,
};
use lookalike_model::described::Described;
use lookalike_table::{Column, Table};

use super::{
    WriteCheck, WriteFault, all,
    compare::{Found, Judged},
    description, spelled, typed, whole,
};
use crate::names;

/// Days from 1960-01-01 to 1970-01-01.
const DAYS: i32 = 3_653;

/// The largest and the least whole number that Stata keeps in 4 bytes.
const WHOLE: std::ops::RangeInclusive<i64> = -2_147_483_647..=2_147_483_620;

/// Beyond it a number is a missing one.
const LARGEST: f64 = 8.9e307;

/// Bytes of the longest text of fixed length; characters of a label.
const FIXED: usize = 2_045;
const LABEL: usize = 80;

/// Most labels of a column, and bytes of the longest one: what Stata takes is 65,536 and 32,000.
const LABELS: usize = 10_000;
const LONGEST_LABEL: usize = 4_096;

/// Bytes of the name of a set of labels, with what fills it up.
const SET_NAME: usize = 132;

/// What the different cells of a column are.
enum Cells {
    Whole(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
    Day(Vec<Option<i32>>),
    /// Codes from 1, by the order of the labels.
    Labels(Vec<Option<i32>>),
    /// Bytes of the longest.
    Text(usize),
}

impl Cells {
    fn of(column: &Column, codes: bool) -> Self {
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
        let longest = column.values.iter().map(str::len).max().unwrap_or_default();
        if codes && column.values.len() <= LABELS && longest <= LONGEST_LABEL {
            let sorted = labels(column);
            let code = |label: &str| i32::try_from(sorted.binary_search(&label).ok()? + 1).ok();
            return Self::Labels(column.values.iter().map(code).collect());
        }
        Self::Text(longest)
    }

    fn data_type(&self) -> VariableType {
        match self {
            Self::Whole(_) | Self::Day(_) | Self::Labels(_) => VariableType::Long,
            Self::Real(_) => VariableType::Double,
            Self::Text(longest) if *longest <= FIXED => VariableType::FixedString((*longest).max(1) as u16),
            Self::Text(_) => VariableType::LongString,
        }
    }

    fn format(&self) -> String {
        match self {
            Self::Whole(_) | Self::Labels(_) => String::from("%12.0g"),
            Self::Real(_) => String::from("%10.0g"),
            Self::Day(_) => String::from("%td"),
            Self::Text(longest) if *longest <= FIXED => format!("%{}s", (*longest).clamp(1, 244)),
            Self::Text(_) => String::from("%9s"),
        }
    }
}

/// The file.
pub(super) fn file(table: &Table, described: &[Described]) -> Result<Vec<u8>, String> {
    let says = |why: DtaError| why.to_string();
    let has_codes = |column: &Column| described.iter().any(|said| said.codes && said.column == column.name);
    let cells: Vec<Cells> = table.columns.iter().map(|column| Cells::of(column, has_codes(column))).collect();
    let mut schema = Schema::builder();
    let (mut taken, mut sets) = (HashSet::new(), Vec::new());
    for (at, (column, cells)) in table.columns.iter().zip(&cells).enumerate() {
        let own = names::stata(&column.name, at, &mut taken);
        let mut variable = Variable::builder(cells.data_type(), own.as_str()).format(cells.format());
        variable = if own == column.name {
            variable.label(description(described, &own, LABEL))
        } else {
            variable.label(label(&column.name, at)?)
        };
        if matches!(cells, Cells::Labels(_)) {
            variable = variable.value_label_name(own.as_str());
            sets.push((own, labels(column)));
        }
        schema = schema.add_variable(variable);
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
                Cells::Day(days) | Cells::Labels(days) => long(days[code]),
                Cells::Real(numbers) => {
                    Value::Double(numbers[code].map_or(StataDouble::Missing(System), StataDouble::Present))
                }
                Cells::Text(longest) if *longest <= FIXED => {
                    Value::String(Cow::Borrowed(&column.values[code]))
                }
                Cells::Text(_) => {
                    // Stata counts the zero byte at the end of a text, which the crate does not write by itself.
                    let ended = format!("{}\0", column.values[code]);
                    Value::LongStringRef(strings.get_or_insert(at, row as u64 + 1, &ended))
                }
            });
        }
        writer.write_record(&values).map_err(says)?;
    }
    let mut writer = writer.into_long_string_writer().map_err(says)?;
    writer.write_long_string_table(&strings).map_err(says)?;
    let file = writer.into_value_label_writer().and_then(ValueLabelWriter::finish).map_err(says)?;
    with_labels(file.into_inner(), &sets)
}

/// The different labels of a column, in their order.
fn labels(column: &Column) -> Vec<&str> {
    let mut labels: Vec<&str> = column.values.iter().filter(|label| !label.is_empty()).collect();
    labels.sort_unstable();
    labels
}

fn long(number: Option<i32>) -> Value<'static> {
    Value::Long(number.map_or(StataLong::Missing(System), StataLong::Present))
}

/// The name of a column as a label.
fn label(name: &str, at: usize) -> Result<&str, String> {
    if name.chars().count() > LABEL {
        return Err(format!("the name of column {} has more than {LABEL} characters", at + 1));
    }
    Ok(name)
}

/// Puts sets of labels into a file that ends without any, by "File formats .dta" of Stata's manual: the library that writes the rest
/// has no way to make them.
fn with_labels(mut file: Vec<u8>, sets: &[(String, Vec<&str>)]) -> Result<Vec<u8>, String> {
    const END: &[u8] = b"</value_labels></stata_dta>";
    const MAP: &[u8] = b"<map>";
    // Where the last tag begins, and where the file ends, are the last two of 14 places in its map.
    const LAST: usize = 12;
    if sets.is_empty() {
        return Ok(file);
    }
    let broken = || String::from("the file has no place for labels of values");
    let map = file.windows(MAP.len()).position(|bytes| bytes == MAP).ok_or_else(broken)? + MAP.len();
    let rest = file.strip_suffix(END).ok_or_else(broken)?.len();
    file.truncate(rest);
    for (name, labels) in sets {
        let entry = |text: &mut Vec<u8>, label: &&str| {
            let at = text.len() as u32;
            text.extend_from_slice(label.as_bytes());
            text.push(0);
            at.to_le_bytes()
        };
        let mut text = Vec::new();
        let offsets: Vec<u8> = labels.iter().flat_map(|label| entry(&mut text, label)).collect();
        let codes = (1..=labels.len() as u32).flat_map(u32::to_le_bytes);
        let mut table = Vec::new();
        table.extend((labels.len() as u32).to_le_bytes());
        table.extend((text.len() as u32).to_le_bytes());
        table.extend(offsets);
        table.extend(codes);
        table.extend(text);
        file.extend_from_slice(b"<lbl>");
        file.extend((table.len() as u32).to_le_bytes());
        let mut named = name.clone().into_bytes();
        named.resize(SET_NAME, 0);
        file.extend(named);
        file.extend(table);
        file.extend_from_slice(b"</lbl>");
    }
    file.extend_from_slice(END);
    let places = [file.len() - b"</stata_dta>".len(), file.len()];
    for (at, place) in (LAST..).zip(places) {
        let slot = file.get_mut(map + 8 * at..map + 8 * at + 8).ok_or_else(broken)?;
        slot.copy_from_slice(&(place as u64).to_le_bytes());
    }
    Ok(file)
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
    let mut sets = ValueLabelTable::new();
    header
        .read_schema()
        .and_then(CharacteristicReader::seek_value_labels)
        .and_then(|mut reader| reader.read_remaining_into(&mut sets))
        .map_err(unread)?;
    let header = DtaReader::new().from_reader(Cursor::new(file)).read_header().map_err(unread)?;
    let encoding = header.encoding();
    let mut reader = header.read_schema().map_err(unread)?;
    reader.skip_to_end().map_err(unread)?;
    let mut records = reader.into_record_reader().map_err(unread)?;
    let variables = records.schema().variables().to_vec();
    // A label is the column's own name, unless it is its description.
    let name = |variable: &Variable| match variable.label() {
        "" => variable.name().to_owned(),
        label if label == description(judged.described, variable.name(), LABEL) => variable.name().to_owned(),
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
                Value::Long(StataLong::Present(code)) if !variable.value_label_name().is_empty() => sets
                    .label_for(variable, *code)
                    .map_or(Found::Other, |label| Found::Text(label.to_owned())),
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
        let (file, check) = write(Target::Stata, csv.as_bytes(), Dialect::PLAIN, &[]).unwrap();
        assert_eq!(check, WriteCheck::Same { cells: 18, rows: 3 });
        let reader =
            DtaReader::new().from_reader(Cursor::new(&file)).read_header().unwrap().read_schema().unwrap();
        let names: Vec<_> = reader.schema().variables().iter().map(Variable::name).collect();
        assert_eq!(names, ["v1_city__state", "v2_2x", "v3_if", "v4_str5", "city__state", "note"]);
        let name = "n".repeat(81);
        let refused = write(Target::Stata, format!("{name}\n1\n").as_bytes(), Dialect::PLAIN, &[]);
        assert!(matches!(refused, Err(WriteFault::Unwritten { .. })), "{refused:?}");
    }

    #[test]
    fn what_the_source_said_of_columns_stays_with_them() {
        let said = |column: &str, label: &str, codes| Described {
            column: column.to_owned(),
            label: label.to_owned(),
            codes,
            weight: false,
        };
        let described = [
            said("sex", "Sex at birth", true),
            said("age", "Age in years", false),
            said("x y", "lost", true),
        ];
        let csv = "sex,age,x y\nmale,3,b\nfemale,[4-5],a\n,,\n{female, male},7,b\n";
        let csv = csv.replace("{female, male}", "\"{female, male}\"");
        let (file, check) = write(Target::Stata, csv.as_bytes(), Dialect::PLAIN, &described).unwrap();
        assert_eq!(check, WriteCheck::Same { cells: 15, rows: 5 });
        let schema = DtaReader::new().from_reader(Cursor::new(&file)).read_header().unwrap().read_schema();
        let schema = schema.unwrap();
        let told: Vec<_> = schema
            .schema()
            .variables()
            .iter()
            .map(|of| (of.name(), of.label(), of.value_label_name()))
            .collect();
        assert_eq!(
            told,
            [("sex", "Sex at birth", "sex"), ("age", "Age in years", ""), ("v3_x_y", "x y", "v3_x_y")]
        );
        let mut sets = ValueLabelTable::new();
        schema.seek_value_labels().unwrap().read_remaining_into(&mut sets).unwrap();
        let sexes: Vec<_> =
            sets.get("sex").unwrap().entries().iter().map(|of| (of.value(), of.label().to_owned())).collect();
        assert_eq!(sexes, [(1, "female".into()), (2, "male".into()), (3, "{female, male}".into())]);
        // The sets are compared, too: one other label is another file than what was judged.
        let other = csv.replacen("male,3", "mole,3", 1);
        let (other, _) = write(Target::Stata, other.as_bytes(), Dialect::PLAIN, &described).unwrap();
        let judged = Judged {
            published: csv.as_bytes(),
            dialect: Dialect::PLAIN,
            form: Target::Stata,
            described: &described,
        };
        assert_eq!(
            read_back(&other, &judged),
            Err(WriteFault::Differs { form: Target::Stata, row: 2, column: 1 })
        );
    }
}
