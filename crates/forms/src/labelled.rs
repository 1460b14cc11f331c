//! Columns of numbers or texts whose codes have labels, and what there is to say of them.

use std::{collections::BTreeSet, sync::Arc};

use arrow_array::{
    ArrayRef, Date32Array, Float32Array, Float64Array, Int64Array, StringArray, TimestampSecondArray,
};
use arrow_schema::{DataType, TimeUnit};
use lookalike_model::described::Described;
use lookalike_table::{Note, trimmed};
use lookalike_words::{Cell, Message as _, Name};

use crate::FormNote;

/// Rows that are read in one go.
pub(crate) const ROWS: usize = 2048;

/// Descriptions that are said at most.
const DESCRIBED: usize = 30;

/// A piece of a column.
#[derive(Debug)]
pub(crate) enum Cells {
    Whole(Vec<Option<i64>>),
    Short(Vec<Option<f32>>),
    Real(Vec<Option<f64>>),
    /// Days since 1970-01-01.
    Day(Vec<Option<i32>>),
    /// Seconds since then.
    Moment(Vec<Option<i64>>),
    Text(Vec<Option<String>>),
}

impl Cells {
    pub(crate) fn of(of: &DataType) -> Self {
        match of {
            DataType::Int64 => Self::Whole(Vec::new()),
            DataType::Float32 => Self::Short(Vec::new()),
            DataType::Float64 => Self::Real(Vec::new()),
            DataType::Date32 => Self::Day(Vec::new()),
            DataType::Timestamp(..) => Self::Moment(Vec::new()),
            _ => Self::Text(Vec::new()),
        }
    }

    /// Takes what was gathered.
    pub(crate) fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Whole(cells) => Arc::new(cells.drain(..).collect::<Int64Array>()),
            Self::Short(cells) => Arc::new(cells.drain(..).collect::<Float32Array>()),
            Self::Real(cells) => Arc::new(cells.drain(..).collect::<Float64Array>()),
            Self::Day(cells) => Arc::new(cells.drain(..).collect::<Date32Array>()),
            Self::Moment(cells) => Arc::new(cells.drain(..).collect::<TimestampSecondArray>()),
            Self::Text(cells) => Arc::new(cells.drain(..).collect::<StringArray>()),
        }
    }

    pub(crate) fn missing(&mut self) {
        match self {
            Self::Whole(cells) | Self::Moment(cells) => cells.push(None),
            Self::Short(cells) => cells.push(None),
            Self::Real(cells) => cells.push(None),
            Self::Day(cells) => cells.push(None),
            Self::Text(cells) => cells.push(None),
        }
    }

    pub(crate) fn text(&mut self, text: String) {
        if let Self::Text(cells) = self {
            cells.push(Some(text));
        }
    }
}

/// The type of a column of seconds.
pub(crate) const MOMENT: DataType = DataType::Timestamp(TimeUnit::Second, None);

/// A year and a month since the year 0 as a text that is read as a date.
pub(crate) fn month(months: i64) -> String {
    format!("{:04}-{:02}", months.div_euclid(12), months.rem_euclid(12) + 1)
}

/// The same of a quarter.
pub(crate) fn quarter(quarters: i64) -> String {
    format!("{:04}Q{}", quarters.div_euclid(4), quarters.rem_euclid(4) + 1)
}

/// What is counted of a column while it is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Cells with a label in place of their code.
    pub(crate) labelled: usize,
    /// Codes that are declared missing and occur, with their labels.
    pub(crate) codes: BTreeSet<String>,
    /// Cells that hold one.
    pub(crate) missing: usize,
}

impl Tally {
    /// Counts a code that is declared missing.
    pub(crate) fn declared(&mut self, code: &str, label: Option<&str>) {
        self.missing += 1;
        self.codes.insert(label.map_or_else(|| code.to_owned(), |label| format!("{code} {label}")));
    }
}

/// What a file says of columns, each with its name, its description and whether its codes have labels; and which of them it weights
/// its rows by, if it does.
pub(crate) fn described<'a>(
    columns: impl Iterator<Item = (&'a str, &'a str, bool)>,
    weight: Option<&str>,
) -> Vec<Described> {
    let said = columns.map(|(name, label, codes)| Described {
        column: trimmed(name).to_owned(),
        label: label.trim().to_owned(),
        codes,
        weight: weight == Some(name),
    });
    said.filter(|said| said.codes || said.weight || !said.label.is_empty()).collect()
}

/// What there is to say of columns: each with its name, its description and what was counted.
pub(crate) fn notes<'a>(columns: impl Iterator<Item = (&'a str, &'a str, &'a Tally)> + Clone) -> Vec<Note> {
    let described = columns.clone().filter(|(_, label, _)| !label.trim().is_empty());
    let label = |(name, label, _): (&str, &str, _)| {
        FormNote::Label { column: Name::from(name), label: Cell::from(label.trim()) }.said()
    };
    let count = described.clone().count();
    let mut notes: Vec<FormNote> = Vec::new();
    if count > 0 {
        let columns = described.take(DESCRIBED).map(label).collect();
        notes.push(FormNote::Described { columns, more: count.saturating_sub(DESCRIBED) });
    }
    for (name, _, tally) in columns {
        if tally.labelled > 0 {
            notes.push(FormNote::Labelled { column: Name::from(name), cells: tally.labelled });
        }
        if tally.missing > 0 {
            let codes = tally.codes.iter().map(|code| Cell::from(code.as_str())).collect();
            notes.push(FormNote::DeclaredMissing { column: Name::from(name), codes, cells: tally.missing });
        }
    }
    notes.into_iter().map(Note::from).collect()
}
