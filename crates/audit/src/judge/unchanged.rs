//! Columns that are published unchanged, compared with the source.
//!
//! In each class the rows of the release and those of the source must be the same: as multisets of their unchanged cells with
//! their sensitive value. Which row of the source is in which class is read off the linking key, from its bytes. Memory:
//! these cells, twice.

use lookalike_words::Name;

use super::{
    error::Error,
    group_checks::Broken,
    judge_knowing,
    question::{Dialect, Question},
    reader::Rows,
    row::Row,
    verdict::{Check, Observation, Subject, Verdict, Witness},
};

/// What a release with unchanged columns was made of.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Columns that are published unchanged.
    pub unchanged: &'a [String],
    /// The linking key as it is written: for each row of the source, from 0, its class, or nothing.
    pub key: &'a [u8],
    /// The cell of a row of the source, from 0, in the column of this name; `None` if there is none.
    pub cell: &'a dyn Fn(usize, &str) -> Option<&'a str>,
}

/// Judges the bytes of a release with columns that are published unchanged: as [`judge`](super::judge), and whether the cells of
/// these columns are those of the source, class by class, with their sensitive values.
///
/// # Errors
/// As [`judge`](super::judge); and if there is no column of classes, if such a column is missing, or the linking key does not have the form of a release.
pub fn judge_with_source(published: &[u8], question: &Question, source: &Source) -> Result<Verdict, Error> {
    let mut verdict = judge_knowing(published, question, source.unchanged)?.verdict;
    compare(published, question, source, &mut verdict)?;
    Ok(verdict)
}

/// Puts the comparison with the source into a verdict.
pub(super) fn compare(
    published: &[u8],
    question: &Question,
    source: &Source,
    verdict: &mut Verdict,
) -> Result<(), Error> {
    let check = compared(published, question, source)?;
    verdict.passed &= check.passed;
    let labels = verdict.checks.iter().position(|check| check.name == Subject::Labels);
    verdict.checks.insert(labels.map_or(verdict.checks.len(), |at| at + 1), check);
    Ok(())
}

/// A row as it is compared, class first, and its number, from 1.
type Entry = (Vec<u8>, usize);

fn compared(published: &[u8], question: &Question, source: &Source) -> Result<Check, Error> {
    let columns: Vec<&String> = source.unchanged.iter().chain(&question.sensitive).collect();
    let mut there = of_release(published, question, &columns)?;
    let mut here = of_source(source, &columns)?;
    there.sort_unstable();
    here.sort_unstable();
    let rows = there.len();
    let (mut foreign, mut lost) = (Broken::default(), Broken::default());
    let (mut there, mut here) = (there.into_iter().peekable(), here.into_iter().peekable());
    loop {
        match (there.peek(), here.peek()) {
            (Some((published, _)), Some((original, _))) if published == original => {
                there.next();
                here.next();
            }
            (Some((published, row)), Some((original, _))) if published < original => {
                foreign.note(|| Witness::Foreign { row: *row });
                there.next();
            }
            (Some((_, row)), None) => {
                foreign.note(|| Witness::Foreign { row: *row });
                there.next();
            }
            (_, Some((_, row))) => {
                lost.note(|| Witness::Lost { row: *row });
                here.next();
            }
            (None, None) => break,
        }
    }
    let columns = source.unchanged.iter().map(|name| Name::from(name.as_str())).collect();
    let finding = match (foreign.count, lost.count) {
        (0, 0) => Observation::Unchanged { columns, rows },
        (foreign, lost) => Observation::NotUnchanged { columns, foreign, lost },
    };
    Ok(Check::new(Subject::Unchanged, finding, foreign.witnesses.into_iter().chain(lost.witnesses)))
}

fn of_release(published: &[u8], question: &Question, columns: &[&String]) -> Result<Vec<Entry>, Error> {
    let (mut rows, header) = Rows::new(published, question.dialect)?;
    let place = |name: &String| {
        let found = header.iter().position(|other| other == name);
        found.ok_or_else(|| Error::NoColumn { column: Name::from(name.as_str()) })
    };
    let places =
        question.class.iter().chain(columns.iter().copied()).map(place).collect::<Result<Vec<_>, _>>()?;
    let (mut row, mut found) = (Row::default(), Vec::new());
    while rows.next(&mut row)? {
        let number = found.len() + 1;
        found.push((entry(places.iter().map(|&at| row.cell(at))), number));
    }
    Ok(found)
}

fn of_source(source: &Source, columns: &[&String]) -> Result<Vec<Entry>, Error> {
    let (mut rows, _) = Rows::new(source.key, Dialect::PLAIN)?;
    let (mut row, mut found) = (Row::default(), Vec::new());
    let mut number = 0;
    while rows.next(&mut row)? {
        number += 1;
        let (place, class) = (row.cell(0), row.cell(1));
        if class.is_empty() {
            continue;
        }
        let place: Option<usize> = place.parse().ok();
        let cells = columns.iter().map(|name| place.and_then(|place| (source.cell)(place, name)));
        // What the source does not have equals no published row.
        let of_row =
            cells.collect::<Option<Vec<&str>>>().map(|cells| entry(std::iter::once(class).chain(cells)));
        found.push((of_row.unwrap_or_default(), number));
    }
    Ok(found)
}

/// Cells in one piece that no other cells have.
fn entry<'a>(cells: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let mut entry = Vec::new();
    for cell in cells {
        entry.extend_from_slice(&cell.len().to_le_bytes());
        entry.extend_from_slice(cell.as_bytes());
    }
    entry
}
