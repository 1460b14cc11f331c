//! The certainty penalty of published cells, counted cell by cell.
//!
//! For each record a range costs its width over that of the domain, a set of labels its size less 1 over the number of labels
//! of the domain, a label of a hierarchy the values under it less 1 over all values of the hierarchy less 1 or, if labels are
//! intervals of numbers, its width over that of all, and a suppressed cell 1 (Xu et al. 2006; Iyengar 2002, LM). The domain is the one that was declared ([`Domain`](super::Domain)); else it is
//! what the column says. Nothing but the cells and the [`Reading`] is needed, and the order of rows changes nothing but roundings.
//!
//! Memory: the different labels, set sizes and open ends of each column.

mod labels;
mod leaves;
mod numbers;
mod part;
mod stated;

use std::io::Read;

use lookalike_table::{Column, Reading as Compared};
use lookalike_words::{Cell as Quoted, Name};

use self::{
    labels::Labels,
    leaves::{Extent, Leafy},
    numbers::Widths,
};
use super::{
    Reading,
    cell::{Cell, Form},
    ends::EndCells,
};
use crate::{Dialect, Error, Unmeasurable, judge::rows, suppressed::is_suppressed};

pub use part::{CellsPart, ColumnPart, penalties_of_parts, penalties_part};
pub use stated::{Open, Stated, domains, stated};

/// What a column's cells cost.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnPenalty {
    /// Its name.
    pub name: String,
    /// Records that were counted.
    pub records: usize,
    /// The penalty of the records, added up; or why it cannot be measured.
    pub ncp: Result<f64, Unmeasurable>,
    /// The same with a set of c >= 2 labels costing c over those of the domain.
    pub binary: Result<f64, Unmeasurable>,
    /// Records with a cell that says a value outside the declared domain; `None` if none is declared.
    pub outside: Option<usize>,
}

impl ColumnPenalty {
    /// Mean penalty of a record.
    ///
    /// # Errors
    /// If the column cannot be measured.
    pub fn mean(&self) -> Result<f64, Unmeasurable> {
        self.ncp.clone().map(|ncp| ncp / self.records.max(1) as f64)
    }
}

/// The cells of one column so far.
pub(super) struct Tally<'a> {
    name: &'a str,
    reading: &'a Reading,
    compared: Result<Compared, Unmeasurable>,
    sure: bool,
    cells: Cells,
    records: usize,
    outside: usize,
    wrong: Option<Unmeasurable>,
    /// The cell that is.
    wrong_cell: Option<String>,
    /// The last cell, and what it said.
    last: Option<(String, Counted)>,
    /// The last two cells that are the ends of a range, as one cell.
    joined: Option<([String; 2], String)>,
}

/// Cells of a column, by what they are compared by.
enum Cells {
    Numbers(Widths),
    Labels(Labels),
    Leaves(Leafy),
}

/// What one cell says.
#[derive(Clone, Debug, PartialEq)]
enum Counted {
    Suppressed,
    Numbers(super::numbers::Numbers),
    /// Labels of a set, ascending; a missing one is "".
    Labels(Vec<String>),
    /// Values of a hierarchy, and whether "missing" is one of them.
    Leaves(Extent, bool),
}

impl<'a> Tally<'a> {
    /// For a column whose cells are compared so.
    pub(super) fn new(name: &'a str, compared: Result<Compared, Unmeasurable>, reading: &'a Reading) -> Self {
        let cells = match (reading.hierarchies.get(name), &compared) {
            (Some(hierarchy), compared) => {
                Cells::Leaves(Leafy::new(hierarchy, compared.as_ref().unwrap_or(&Compared::Labels)))
            }
            (None, Ok(Compared::Labels) | Err(_)) => Cells::Labels(Labels::new(reading.domains.get(name))),
            (None, Ok(_)) => Cells::Numbers(Widths::new(reading.domains.get(name), reading.limits.get(name))),
        };
        let sure = reading.knows(name);
        let (records, outside) = (0, 0);
        Self {
            name,
            reading,
            compared,
            sure,
            cells,
            records,
            outside,
            wrong: None,
            wrong_cell: None,
            last: None,
            joined: None,
        }
    }

    /// Takes in the cells of some records that are published alike.
    pub(super) fn add(&mut self, text: &str, records: usize) {
        self.records += records;
        if records == 0 || self.wrong.is_some() {
            return;
        }
        let counted = match self.last.take() {
            Some((last, counted)) if last == text => Ok(counted),
            _ => self.parse(text),
        };
        match counted {
            Err(why) => (self.wrong, self.wrong_cell) = (Some(why), Some(text.to_owned())),
            Ok(counted) => {
                let inside = match (&mut self.cells, &counted) {
                    (Cells::Numbers(widths), Counted::Numbers(cell)) => widths.add(cell, records),
                    (Cells::Numbers(widths), _) => widths.suppressed(records),
                    (Cells::Labels(labels), Counted::Labels(set)) => labels.add(text, set, records),
                    (Cells::Labels(labels), _) => labels.suppressed(records),
                    (Cells::Leaves(leaves), Counted::Leaves(extent, missing)) => {
                        leaves.add(*extent, *missing, records)
                    }
                    (Cells::Leaves(leaves), _) => leaves.suppressed(records),
                };
                self.outside += if inside { 0 } else { records };
                self.last = Some((text.to_owned(), counted));
            }
        }
    }

    /// Takes in the cells of a record that hold the ends of its range.
    fn add_ends(&mut self, min: &str, max: &str) {
        let known = self.joined.take().filter(|(ends, _)| ends[0] == min && ends[1] == max);
        let compared = self.compared.as_ref().ok();
        let join =
            || compared.and_then(|by| Some(EndCells::of((min, max), self.reading.form(by))?.joined(by)));
        let Some(text) = known.map(|known| known.1).or_else(join) else {
            self.wrong = self.wrong.take().or_else(|| Some(Unmeasurable::Form { cell: Quoted::from(min) }));
            return;
        };
        self.add(&text, 1);
        self.joined = Some(([min.to_owned(), max.to_owned()], text));
    }

    fn parse(&self, text: &str) -> Result<Counted, Unmeasurable> {
        let compared = self.compared.as_ref().map_err(Clone::clone)?;
        let (suppressed, missing) = (&self.reading.suppressed, &self.reading.missing);
        let form = Form { compared, sure: self.sure, suppressed, missing };
        if let Cells::Leaves(leaves) = &self.cells {
            if is_suppressed(text, suppressed) {
                return Ok(Counted::Suppressed);
            }
            return leaves.parse(text, form);
        }
        match (form.parse(text), compared) {
            (Cell::Suppressed, _) => Ok(Counted::Suppressed),
            (Cell::Unknown, compared) => {
                let cell = Quoted::from(text);
                let range = *compared == Compared::Labels && text.trim().starts_with('[');
                Err(if range { Unmeasurable::Range { cell } } else { Unmeasurable::Form { cell } })
            }
            (cell, Compared::Labels) => Ok(Counted::Labels(labels::of(cell))),
            (cell, _) => Ok(Counted::Numbers(super::column::numbers(cell))),
        }
    }

    /// Forgets the records, not what the cells said: cells that come now are measured by the domain that is known so far.
    fn clear(&mut self) {
        match &mut self.cells {
            Cells::Numbers(widths) => widths.clear(),
            Cells::Labels(labels) => labels.clear(),
            Cells::Leaves(leaves) => leaves.clear(),
        }
    }

    /// The penalty of the records so far.
    fn total(&self, binary: bool) -> Result<f64, Unmeasurable> {
        match self.wrong.as_ref().or(self.compared.as_ref().err()) {
            Some(why) => Err(why.clone()),
            None => Ok(match &self.cells {
                Cells::Numbers(widths) => widths.total(),
                Cells::Labels(labels) => labels.total(binary),
                Cells::Leaves(leaves) => leaves.total(),
            }),
        }
    }

    pub(super) fn finish(self) -> ColumnPenalty {
        ColumnPenalty {
            name: self.name.to_owned(),
            records: self.records,
            ncp: self.total(false),
            binary: self.total(true),
            outside: self.reading.domains.contains_key(self.name).then_some(self.outside),
        }
    }
}

/// The penalty of a column that was read.
pub(super) fn of_column(column: &Column, reading: &Reading) -> ColumnPenalty {
    counted(column, &rows_of(column), reading).finish()
}

/// The penalty of each entry of the dictionary of a column that was read; 0 for one that no row has. With the rows of each, they
/// add up to what the whole column costs.
///
/// # Errors
/// If the column cannot be measured.
pub fn cell_penalties(column: &Column, reading: &Reading) -> Result<Vec<f64>, Unmeasurable> {
    let rows = rows_of(column);
    let mut tally = counted(column, &rows, reading);
    let one = |(text, &rows): (&str, &usize)| {
        tally.clear();
        tally.add(text, rows.min(1));
        tally.total(false)
    };
    column.values.iter().zip(&rows).map(one).collect()
}

/// Rows of each entry of a column's dictionary.
fn rows_of(column: &Column) -> Vec<usize> {
    let mut rows = vec![0; column.values.len()];
    for &code in &column.cells {
        rows[code as usize] += 1;
    }
    rows
}

/// All cells of a column.
fn counted<'a>(column: &'a Column, rows: &[usize], reading: &'a Reading) -> Tally<'a> {
    let mut tally = Tally::new(&column.name, reading.published(column), reading);
    for (text, &rows) in column.values.iter().zip(rows) {
        tally.add(text, rows);
    }
    tally
}

/// The penalty of these columns of a release, from its bytes, by the strict reader. How each column is compared must be known:
/// one that [`Reading`] does not name is not measurable. Of the rows of each class only the first `real` ones count, if they
/// are given: one entry a class, by the number that `class` shows, from 1. A column whose ranges are published in two columns is
/// read from these.
///
/// # Errors
/// If the bytes do not have the form of a release, or lack a column.
pub fn penalties(
    published: impl Read,
    dialect: Dialect,
    columns: &[String],
    reading: &Reading,
    real: Option<(&str, &[usize])>,
) -> Result<Vec<ColumnPenalty>, Error> {
    let tallies = counted_rows(published, dialect, columns, reading, real)?;
    Ok(tallies.into_iter().map(Tally::finish).collect())
}

/// The cells of these columns, counted.
fn counted_rows<'a>(
    published: impl Read,
    dialect: Dialect,
    columns: &'a [String],
    reading: &'a Reading,
    real: Option<(&str, &[usize])>,
) -> Result<Vec<Tally<'a>>, Error> {
    let known = |name: &String| reading.known(name).ok_or(Unmeasurable::Unread);
    let mut tallies: Vec<Tally> = columns.iter().map(|name| Tally::new(name, known(name), reading)).collect();
    let mut left: Vec<usize> = real.map_or_else(Vec::new, |(_, real)| real.to_vec());
    let mut places: Option<Places> = None;
    let header = rows(published, dialect, &mut |header, cells| {
        let places = places.get_or_insert_with(|| Places::new(header, columns, reading, real.map(|of| of.0)));
        if real.is_some() && !places.is_real(cells, &mut left) {
            return;
        }
        for (tally, at) in tallies.iter_mut().zip(&places.columns) {
            match *at {
                Some(Place::One(at)) => tally.add(cells[at], 1),
                Some(Place::Ends(min, max)) => tally.add_ends(cells[min], cells[max]),
                None => {}
            }
        }
    })?;
    let mut needed = columns.iter().flat_map(|name| match reading.ends.get(name) {
        Some(ends) => vec![&ends.min, &ends.max],
        None => vec![name],
    });
    match needed.find(|name| !header.contains(name)) {
        Some(name) => Err(Error::NoColumn { column: Name::from(name.as_str()) }),
        None => Ok(tallies),
    }
}

/// Where columns stand in a release.
struct Places {
    columns: Vec<Option<Place>>,
    class: Option<usize>,
}

/// Where one column stands.
#[derive(Clone, Copy)]
enum Place {
    /// There.
    One(usize),
    /// The ends of its ranges there.
    Ends(usize, usize),
}

impl Places {
    fn new(header: &[String], columns: &[String], reading: &Reading, class: Option<&str>) -> Self {
        let place = |name: &str| header.iter().position(|other| other == name);
        let of = |name: &String| match reading.ends.get(name) {
            Some(ends) => place(&ends.min).zip(place(&ends.max)).map(|(min, max)| Place::Ends(min, max)),
            None => place(name).map(Place::One),
        };
        Self { columns: columns.iter().map(of).collect(), class: class.and_then(place) }
    }

    /// Whether a row is one of the real ones of its class, of which so many are `left`.
    fn is_real(&self, cells: &[&str], left: &mut [usize]) -> bool {
        let class = self.class.and_then(|at| cells[at].parse::<usize>().ok()?.checked_sub(1));
        let Some(left) = class.and_then(|class| left.get_mut(class)) else { return false };
        let is_real = *left > 0;
        *left = left.saturating_sub(1);
        is_real
    }
}
