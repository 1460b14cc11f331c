//! Cells counted in parts of a published table, and what all of them cost. What a part costs is not known before all of the table
//! is: a range costs its width as a part of the widest.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
};

use super::{Cells, ColumnPenalty, Tally, counted_rows, leaves::Extent};
use crate::{Dialect, Error, Unmeasurable, measure::Reading};

/// What was counted of a column in a part.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnPart {
    /// Records.
    pub records: usize,
    /// Those with a cell that says a value outside the declared domain.
    pub outside: usize,
    /// The first cell that cannot be measured.
    pub wrong: Option<String>,
    /// The others.
    pub cells: CellsPart,
}

/// What the cells say.
#[derive(Clone, Debug, PartialEq)]
pub enum CellsPart {
    /// Numbers, day numbers or ranks.
    Numbers {
        /// Suppressed records, and those that are open at both ends.
        saying_nothing: (usize, usize),
        /// Widths of the others, added up.
        sum: f64,
        /// Records that are open below, and above, by the bits of the other end.
        open: [BTreeMap<u64, usize>; 2],
        /// The least and the greatest number.
        said: Option<(f64, f64)>,
    },
    /// Labels.
    Labels {
        /// Suppressed records.
        suppressed: usize,
        /// Records by the number of labels.
        sizes: BTreeMap<usize, usize>,
        /// All labels.
        said: BTreeSet<String>,
    },
    /// Labels of a hierarchy.
    Leaves {
        /// Suppressed records.
        suppressed: usize,
        /// Records by the number of values.
        values: BTreeMap<usize, usize>,
        /// Records by the bits of a width.
        widths: BTreeMap<u64, usize>,
        /// Whether "missing" is among them.
        missing: bool,
    },
}

impl Tally<'_> {
    fn part(self) -> ColumnPart {
        let cells = match self.cells {
            Cells::Numbers(of) => CellsPart::Numbers {
                saying_nothing: (of.suppressed, of.anything),
                sum: of.sum,
                open: [of.below, of.above],
                said: of.said,
            },
            Cells::Labels(of) => {
                CellsPart::Labels { suppressed: of.suppressed, sizes: of.sizes, said: of.said }
            }
            Cells::Leaves(of) => {
                let (mut values, mut widths) = (BTreeMap::new(), BTreeMap::new());
                for (extent, records) in of.extents {
                    match extent {
                        Extent::Values(size) => values.insert(size, records),
                        Extent::Width(bits) => widths.insert(bits, records),
                    };
                }
                CellsPart::Leaves { suppressed: of.suppressed, values, widths, missing: of.missing }
            }
        };
        ColumnPart { records: self.records, outside: self.outside, wrong: self.wrong_cell, cells }
    }

    fn join(&mut self, part: &ColumnPart) {
        if let Some(wrong) = part.wrong.as_ref().filter(|_| self.wrong.is_none()) {
            // It is wrong here, too, and for the same reason.
            self.add(wrong, 1);
            self.records -= 1;
        }
        self.records += part.records;
        self.outside += part.outside;
        match (&mut self.cells, &part.cells) {
            (Cells::Numbers(of), CellsPart::Numbers { saying_nothing, sum, open: [below, above], said }) => {
                of.suppressed += saying_nothing.0;
                of.anything += saying_nothing.1;
                of.sum += sum;
                add(&mut of.below, below);
                add(&mut of.above, above);
                of.said = crate::measure::numbers::joined(of.said.into_iter().chain(*said));
            }
            (Cells::Labels(of), CellsPart::Labels { suppressed, sizes, said }) => {
                of.suppressed += suppressed;
                add(&mut of.sizes, sizes);
                of.said.extend(said.iter().cloned());
            }
            (Cells::Leaves(of), CellsPart::Leaves { suppressed, values, widths, missing }) => {
                of.suppressed += suppressed;
                let values = values.iter().map(|(&size, &n)| (Extent::Values(size), n));
                let widths = widths.iter().map(|(&bits, &n)| (Extent::Width(bits), n));
                add(&mut of.extents, &values.chain(widths).collect());
                of.missing |= missing;
            }
            // Counted by another reading.
            _ => self.wrong = Some(Unmeasurable::Unread),
        }
    }
}

fn add<K: Copy + Ord>(all: &mut BTreeMap<K, usize>, more: &BTreeMap<K, usize>) {
    for (&key, &count) in more {
        *all.entry(key).or_default() += count;
    }
}

/// Counts these columns of a part of a release, header and all, as [`super::penalties`] counts the whole.
///
/// # Errors
/// As [`super::penalties`].
pub fn penalties_part(
    published: impl Read,
    dialect: Dialect,
    columns: &[String],
    reading: &Reading,
) -> Result<Vec<ColumnPart>, Error> {
    let tallies = counted_rows(published, dialect, columns, reading, None)?;
    Ok(tallies.into_iter().map(Tally::part).collect())
}

/// What the cells of these columns cost in all parts together, in this order, which changes nothing but roundings.
#[must_use]
pub fn penalties_of_parts(
    parts: &[Vec<ColumnPart>],
    columns: &[String],
    reading: &Reading,
) -> Vec<ColumnPenalty> {
    let of = |(at, name): (usize, &String)| {
        let mut tally = Tally::new(name, reading.known(name).ok_or(Unmeasurable::Unread), reading);
        parts.iter().filter_map(|part| part.get(at)).for_each(|part| tally.join(part));
        tally.finish()
    };
    columns.iter().enumerate().map(of).collect()
}
