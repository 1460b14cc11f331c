//! Files of Stata, releases 102 to 119.
//!
//! Labels of values stand in place of their codes, where a code has one. Extended missing values (`.a` to `.z`) are missing and are
//! named. Days, moments, months and quarters are numbers with a format, from 1960 on.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    io::{BufReader, Read, Seek},
    sync::Arc,
};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use dta::stata::{
    dta::{
        characteristic::CharacteristicTarget,
        characteristic_reader::CharacteristicReader,
        dta_error::{DtaError, FormatErrorKind},
        dta_reader::DtaReader,
        long_string_table::LongStringTable,
        record_reader::RecordReader,
        release::Release,
        schema_reader::SchemaReader,
        value::Value,
        value_label_table::ValueLabelTable,
        variable_type::VariableType,
    },
    missing_value::MissingValue,
    stata_byte::StataByte,
    stata_double::StataDouble,
    stata_float::StataFloat,
    stata_int::StataInt,
    stata_long::StataLong,
};
use encoding_rs::Encoding;
use lookalike_model::described::Described;
use lookalike_table::{Error, Note};
use lookalike_words::Name;

use crate::{
    FormFault, FormName, FormNote,
    columns::{Batches, Columns, chosen_encoding, damaged, guarded},
    form::rewound,
    labelled::{self, Cells, MOMENT, ROWS, Tally, month, quarter},
    stata_sizes::{Counted, Lengths},
};

/// Days from 1960-01-01 to 1970-01-01, and the same in milliseconds.
const DAYS: i64 = 3_653;
const MILLISECONDS: i64 = DAYS * 86_400_000;

/// The code of `.` in a set of labels; those of `.a` to `.z` follow it.
const MISSING: i32 = 2_147_483_621;

/// The characteristic of a data set that names its sampling weights.
const WEIGHT: &str = "_svy_wvar";

/// A file of Stata.
pub(crate) struct StataFile<R> {
    source: R,
    chosen: Option<&'static Encoding>,
    /// What its texts are in, where the release leaves that open.
    encoding: Option<&'static str>,
    variables: Vec<Variable>,
    /// The name of the column of sampling weights, if `svyset` has named one.
    weight: Option<String>,
    schema: SchemaRef,
    tallies: RefCell<Vec<Tally>>,
}

/// A column.
struct Variable {
    name: String,
    label: String,
    of: VariableType,
    time: Option<Time>,
    /// Labels by their codes, those of missing values included.
    labels: BTreeMap<i32, String>,
}

/// What a number counts since 1960.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Time {
    Day,
    Millisecond,
    Week,
    Month,
    Quarter,
    Half,
}

impl Time {
    /// By the format of the column: `%td`, `%-tcDD/NN/CCYY`, and `%d` of old files.
    fn of(format: &str) -> Option<Self> {
        let format = format.strip_prefix('%')?;
        let format = format.strip_prefix('-').unwrap_or(format);
        if format.starts_with('d') {
            return Some(Self::Day);
        }
        Some(match format.strip_prefix('t')?.chars().next()? {
            'd' => Self::Day,
            'c' | 'C' => Self::Millisecond,
            'w' => Self::Week,
            'm' => Self::Month,
            'q' => Self::Quarter,
            'h' => Self::Half,
            _ => return None,
        })
    }
}

impl Variable {
    /// The type of its cells here.
    fn data_type(&self) -> DataType {
        match (self.of, self.time) {
            _ if self.has_labels() => DataType::Utf8,
            (VariableType::FixedString(_) | VariableType::LongString, _) => DataType::Utf8,
            (_, Some(Time::Day)) => DataType::Date32,
            (_, Some(Time::Millisecond)) => MOMENT,
            (_, Some(_)) => DataType::Utf8,
            (VariableType::Float, None) => DataType::Float32,
            (VariableType::Double, None) => DataType::Float64,
            _ => DataType::Int64,
        }
    }

    /// Whether a value that is not missing has one.
    fn has_labels(&self) -> bool {
        self.labels.keys().any(|&code| code < MISSING)
    }

    fn is_number(&self) -> bool {
        !matches!(self.of, VariableType::FixedString(_) | VariableType::LongString)
    }
}

impl<R: Read + Seek> StataFile<R> {
    pub(crate) fn open(mut source: R, encoding: Option<&str>) -> Result<Self, Error> {
        let chosen = chosen_encoding(encoding)?;
        check(&mut source, chosen)?;
        guarded(FormName::Stata, || {
            let reader = header(&mut source, chosen)?;
            // Later ones are always in UTF-8.
            let encoding = (reader.header().release() < Release::V118).then(|| reader.encoding().name());
            let mut reader = reader.read_schema().map_err(|why| told(&why))?;
            let about = reader.schema().clone();
            let weight = weight(&mut reader)?;
            let weight = weight.filter(|name| about.variables().iter().any(|of| of.name() == name));
            let mut sets = ValueLabelTable::new();
            reader
                .seek_value_labels()
                .and_then(|mut reader| reader.read_remaining_into(&mut sets))
                .map_err(|why| told(&why))?;
            let variables: Vec<Variable> = about
                .variables()
                .iter()
                .map(|variable| {
                    let set = sets.get(variable.value_label_name());
                    let entries = set.iter().flat_map(|set| set.entries());
                    Variable {
                        name: variable.name().to_owned(),
                        label: variable.label().to_owned(),
                        of: variable.variable_type(),
                        time: Time::of(variable.format()),
                        labels: entries.map(|entry| (entry.value(), entry.label().to_owned())).collect(),
                    }
                })
                .collect();
            let field = |variable: &Variable| Field::new(&variable.name, variable.data_type(), true);
            let schema = Arc::new(Schema::new(variables.iter().map(field).collect::<Vec<_>>()));
            let tallies = RefCell::new(vec![Tally::default(); variables.len()]);
            Ok(Self { source, chosen, encoding, variables, weight, schema, tallies })
        })
    }
}

/// What `svyset` weights by: Stata keeps it with the data set, as the characteristic `_dta[_svy_wvar]`.
fn weight<R: Read + Seek>(reader: &mut CharacteristicReader<R>) -> Result<Option<String>, Error> {
    let mut weight = None;
    while let Some(said) = reader.read_characteristic().map_err(|why| told(&why))? {
        if *said.target() == CharacteristicTarget::Dataset && said.name() == WEIGHT {
            weight = Some(said.value().trim().to_owned()).filter(|name| !name.is_empty());
        }
    }
    Ok(weight)
}

/// Checks the lengths of a file before it is read.
fn check<R: Read + Seek>(source: &mut R, chosen: Option<&'static Encoding>) -> Result<(), Error> {
    guarded(FormName::Stata, || {
        let about = header(source, chosen)?.header().clone();
        Lengths::new(source, &about)?;
        let at = Cell::new(0);
        let counted = Counted { source: BufReader::new(rewound(source)?), at: &at };
        let reader = DtaReader::new().from_reader(counted).read_header().map_err(|why| told(&why))?;
        let schema = reader.read_schema().map_err(|why| told(&why))?.schema().clone();
        Lengths::new(source, &about)?.check(&about, &schema, at.get())
    })
}

type Reader<'a, R> = BufReader<&'a mut R>;

fn header<'a, R: Read + Seek>(
    source: &'a mut R,
    chosen: Option<&'static Encoding>,
) -> Result<SchemaReader<Reader<'a, R>>, Error> {
    let reader = chosen.map_or_else(DtaReader::new, |encoding| DtaReader::new().encoding(encoding));
    reader.from_reader(BufReader::new(rewound(source)?)).read_header().map_err(|why| told(&why))
}

fn told(error: &DtaError) -> Error {
    if let DtaError::Format(why) = error
        && let FormatErrorKind::UnsupportedRelease { release } = why.kind()
    {
        return FormFault::Version { form: FormName::Stata, version: release.to_string() }.into();
    }
    damaged(FormName::Stata, error)
}

impl<R: Read + Seek> Columns for StataFile<R> {
    fn form(&self) -> FormName {
        FormName::Stata
    }

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn batches(&mut self, columns: &[usize]) -> Result<Batches<'_>, Error> {
        self.tallies.borrow_mut().fill(Tally::default());
        let mut strings = LongStringTable::for_reading();
        let long = columns.iter().any(|&at| self.variables[at].of == VariableType::LongString);
        if long {
            let reader = header(&mut self.source, self.chosen)?.read_schema().map_err(|why| told(&why))?;
            reader
                .seek_long_strings()
                .and_then(|mut reader| reader.read_remaining_into(&mut strings))
                .map_err(|why| told(&why))?;
        }
        let reader = header(&mut self.source, self.chosen)?;
        let encoding = reader.encoding();
        let mut reader = reader.read_schema().map_err(|why| told(&why))?;
        reader.skip_to_end().map_err(|why| told(&why))?;
        let records = reader.into_record_reader().map_err(|why| told(&why))?;
        let schema = self.schema.project(columns).map_err(|why| damaged(FormName::Stata, &why))?;
        Ok(Box::new(Rows {
            records,
            columns: columns.to_vec(),
            variables: &self.variables,
            tallies: &self.tallies,
            cells: schema.fields().iter().map(|field| Cells::of(field.data_type())).collect(),
            schema: Arc::new(schema),
            strings,
            encoding,
            row: 0,
            ended: false,
        }))
    }

    fn is_text(&self, column: usize) -> bool {
        // Codes with labels are what their labels are.
        !self.variables[column].is_number()
    }

    fn takes_encoding(&self) -> bool {
        true
    }

    fn found(&self) -> Vec<FormNote> {
        let encoding = self.encoding.map(|encoding| FormNote::Encoding { encoding });
        let weighted = self.weight.as_deref().map(|name| FormNote::Weighted { column: Name::from(name) });
        encoding.into_iter().chain(weighted).collect()
    }

    fn notes(&self, columns: &[usize]) -> Vec<Note> {
        let tallies = self.tallies.borrow();
        let about = columns
            .iter()
            .map(|&at| (self.variables[at].name.as_str(), self.variables[at].label.as_str(), &tallies[at]));
        labelled::notes(about)
    }

    fn described(&self, columns: &[usize]) -> Vec<Described> {
        let variables = columns.iter().map(|&at| &self.variables[at]);
        let said = variables.map(|of| (of.name.as_str(), of.label.as_str(), of.has_labels()));
        labelled::described(said, self.weight.as_deref())
    }
}

/// The rows of a file.
struct Rows<'a, R> {
    records: RecordReader<Reader<'a, R>>,
    columns: Vec<usize>,
    variables: &'a [Variable],
    tallies: &'a RefCell<Vec<Tally>>,
    cells: Vec<Cells>,
    schema: SchemaRef,
    strings: LongStringTable,
    encoding: &'static Encoding,
    row: usize,
    ended: bool,
}

impl<R: Read + Seek> Rows<'_, R> {
    fn piece(&mut self) -> Result<Option<RecordBatch>, Error> {
        let first = self.row;
        let mut tallies = self.tallies.borrow_mut();
        while self.row < first + ROWS {
            let Some(record) = self.records.read_record().map_err(|why| told(&why))? else {
                self.ended = true;
                break;
            };
            self.row += 1;
            for (&at, cells) in self.columns.iter().zip(&mut self.cells) {
                let (variable, tally) = (&self.variables[at], &mut tallies[at]);
                let value = match record.values().get(at) {
                    Some(Value::String(text)) => {
                        cells.text(text.to_string());
                        continue;
                    }
                    Some(Value::LongStringRef(reference)) => {
                        let found = self.strings.get(reference);
                        let text = match &found {
                            None => Some(String::new()),
                            Some(string) if string.is_binary() => None,
                            Some(string) => string
                                .data_str(self.encoding)
                                .map(|text| text.trim_end_matches('\0').to_owned()),
                        };
                        let (form, row) = (FormName::Stata, self.row);
                        let column = || Name::from(variable.name.as_str());
                        cells.text(text.ok_or_else(|| FormFault::Value { form, column: column(), row })?);
                        continue;
                    }
                    Some(value) => Number::of(value),
                    None => Number::Missing(MissingValue::System),
                };
                variable.put(value, cells, tally);
            }
        }
        drop(tallies);
        let rows = self.row - first;
        if rows == 0 {
            return Ok(None);
        }
        let arrays = self.cells.iter_mut().map(Cells::finish).collect();
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options);
        batch.map(Some).map_err(|why| damaged(FormName::Stata, &why))
    }
}

impl<R: Read + Seek> Iterator for Rows<'_, R> {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let piece = self.piece();
        self.ended |= piece.is_err();
        piece.transpose()
    }
}

/// A cell that is no text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Whole(i64),
    Short(f32),
    Real(f64),
    Missing(MissingValue),
}

impl Number {
    fn of(value: &Value<'_>) -> Self {
        match value {
            Value::Byte(StataByte::Present(number)) => Self::Whole((*number).into()),
            Value::Int(StataInt::Present(number)) => Self::Whole((*number).into()),
            Value::Long(StataLong::Present(number)) => Self::Whole((*number).into()),
            Value::Float(StataFloat::Present(number)) => Self::Short(*number),
            Value::Double(StataDouble::Present(number)) => Self::Real(*number),
            Value::Byte(StataByte::Missing(why))
            | Value::Int(StataInt::Missing(why))
            | Value::Long(StataLong::Missing(why))
            | Value::Float(StataFloat::Missing(why))
            | Value::Double(StataDouble::Missing(why)) => Self::Missing(*why),
            Value::String(_) | Value::LongStringRef(_) => Self::Missing(MissingValue::System),
        }
    }

    /// It as a whole number, rounded down as Stata does for dates.
    fn floor(self) -> i64 {
        match self {
            Self::Whole(number) => number,
            Self::Short(number) => f64::from(number).floor() as i64,
            Self::Real(number) => number.floor() as i64,
            Self::Missing(_) => 0,
        }
    }

    /// The code that a label may have.
    fn code(self) -> Option<i32> {
        let real = match self {
            Self::Whole(number) => return i32::try_from(number).ok(),
            Self::Short(number) => f64::from(number),
            Self::Real(number) => number,
            Self::Missing(_) => return None,
        };
        (real.fract() == 0.0 && real.abs() < f64::from(i32::MAX)).then_some(real as i32)
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Short(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
            Self::Missing(_) => Ok(()),
        }
    }
}

impl Variable {
    fn put(&self, number: Number, cells: &mut Cells, tally: &mut Tally) {
        if let Number::Missing(why) = number {
            if why != MissingValue::System {
                let label = self.labels.get(&(MISSING + i32::from(why.code()))).map(String::as_str);
                tally.declared(&why.to_string(), label);
            }
            cells.missing();
            return;
        }
        match cells {
            Cells::Whole(cells) => cells.push(Some(number.floor())),
            Cells::Day(cells) => cells.push(i32::try_from(number.floor().saturating_sub(DAYS)).ok()),
            Cells::Moment(cells) => {
                cells.push(Some(number.floor().saturating_sub(MILLISECONDS).div_euclid(1_000)));
            }
            Cells::Short(cells) => cells.push(match number {
                Number::Short(number) => Some(number),
                _ => None,
            }),
            Cells::Real(cells) => cells.push(match number {
                Number::Real(number) => Some(number),
                _ => None,
            }),
            Cells::Text(cells) => {
                let label = number.code().and_then(|code| self.labels.get(&code));
                tally.labelled += usize::from(label.is_some());
                let text = label.cloned().unwrap_or_else(|| match self.time {
                    Some(Time::Month) => month(number.floor().saturating_add(1960 * 12)),
                    Some(Time::Quarter) => quarter(number.floor().saturating_add(1960 * 4)),
                    Some(Time::Week) => counted(number.floor(), 52, 'w'),
                    Some(Time::Half) => counted(number.floor(), 2, 'h'),
                    Some(Time::Day | Time::Millisecond) | None => number.to_string(),
                });
                cells.push(Some(text));
            }
        }
    }
}

/// As Stata shows weeks and halves: `1960w1`.
fn counted(number: i64, a_year: i64, sign: char) -> String {
    format!("{}{sign}{}", 1960_i64.saturating_add(number.div_euclid(a_year)), number.rem_euclid(a_year) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_times() {
        for (format, time) in [
            ("%td", Some(Time::Day)),
            ("%-tdDD/NN/CCYY", Some(Time::Day)),
            ("%d", Some(Time::Day)),
            ("%tc", Some(Time::Millisecond)),
            ("%tm", Some(Time::Month)),
            ("%tq", Some(Time::Quarter)),
            ("%ty", None),
            ("%9.0g", None),
            ("%20s", None),
            ("", None),
        ] {
            assert_eq!(Time::of(format), time, "{format}");
        }
        assert_eq!((counted(-1, 52, 'w'), counted(3, 2, 'h')), ("1959w52".to_owned(), "1961h2".to_owned()));
        assert_eq!(
            (month(1960 * 12 - 1), quarter(1960 * 4 + 5)),
            ("1959-12".to_owned(), "1961Q2".to_owned())
        );
    }
}
