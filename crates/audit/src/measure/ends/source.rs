//! The ends of published ranges against the records of their classes.

use std::collections::BTreeMap;

use lookalike_table::{Column, Reading as Compared, Table, is_missing};

use super::cells::{End, EndCells};

/// The records that were published, and the class of each.
#[derive(Clone, Copy)]
pub struct EndsSource<'a> {
    /// The original.
    pub original: &'a Table,
    /// The class of each of its rows that is published, a label of the column of classes.
    pub links: &'a [Option<String>],
    /// Whether ranges cover more than the records of their class: then these need only lie between the ends.
    pub wider: bool,
}

/// What the records of a class hold in one column.
#[derive(Clone, Copy, Default)]
pub(super) struct Held {
    /// Least and greatest known value.
    span: Option<(f64, f64)>,
    missing: bool,
}

/// What the classes hold in one column, by their labels; `None` if a known cell has no value.
pub(super) fn held<'a>(
    column: &Column,
    links: &'a [Option<String>],
    compared: &Compared,
    missing: &[String],
) -> Option<BTreeMap<&'a str, Held>> {
    let mut all: BTreeMap<&str, Held> = BTreeMap::new();
    let values: Vec<Option<Option<f64>>> = column
        .values
        .iter()
        .map(|cell| if is_missing(cell, missing) { Some(None) } else { compared.value(cell).map(Some) })
        .collect();
    for (label, &code) in links.iter().zip(&column.cells) {
        let Some(label) = label else { continue };
        let held = all.entry(label.as_str()).or_default();
        match values[code as usize]? {
            None => held.missing = true,
            Some(x) => {
                let (low, high) = held.span.unwrap_or((x, x));
                held.span = Some((low.min(x), high.max(x)));
            }
        }
    }
    Some(all)
}

impl Held {
    /// Whether the published ends are those of the records, or lie around them if they cover more (`wider`).
    pub(super) fn is_said_by(self, pair: &EndCells, wider: bool) -> bool {
        let missing =
            if wider { pair.is_missing() || !self.missing } else { pair.is_missing() == self.missing };
        let ends = match (self.span, pair.ends()) {
            (None, None) => true,
            (None, Some(_)) => wider,
            (Some(_), None) => false,
            (Some((least, greatest)), Some((low, high))) => {
                low.is_least(least, wider) && high.is_greatest(greatest, wider)
            }
        };
        missing && ends
    }
}

impl End {
    #[allow(
        clippy::float_cmp,
        reason = "an end is a cell of a record, read by the same format: the same number"
    )]
    fn is_least(self, least: f64, wider: bool) -> bool {
        match self {
            Self::At(x) => {
                if wider {
                    x <= least
                } else {
                    x == least
                }
            }
            Self::UpTo(x) => wider || least <= x,
            Self::From(x) => x <= least,
        }
    }

    #[allow(
        clippy::float_cmp,
        reason = "an end is a cell of a record, read by the same format: the same number"
    )]
    fn is_greatest(self, greatest: f64, wider: bool) -> bool {
        match self {
            Self::At(x) => {
                if wider {
                    greatest <= x
                } else {
                    x == greatest
                }
            }
            Self::UpTo(x) => greatest <= x,
            Self::From(x) => wider || x <= greatest,
        }
    }
}
