//! The check of ranges in two columns.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_table::Reading as Compared;
use lookalike_words::Name;

use super::{
    EndCells, EndsSource,
    source::{Held, held},
};
use crate::{
    Check, Dialect, Error, Observation, Subject, WITNESSES, Witness,
    judge::rows,
    measure::{Reading, cell::Form},
};

/// One column, and where its ends stand.
struct Looked<'a> {
    name: &'a str,
    compared: Option<Compared>,
    /// Of the least, the greatest, and the middle.
    places: Option<(usize, usize, Option<usize>)>,
}

impl Looked<'_> {
    /// What a row says; `None` if that is no range with its middle.
    fn pair(&self, cells: &[&str], reading: &Reading) -> Option<EndCells> {
        let (min, max, mid) = self.places?;
        let form: Form = reading.form(self.compared.as_ref()?);
        let pair = EndCells::of((cells[min], cells[max]), form)?;
        let limits = reading.limits.get(self.name).copied().unwrap_or_default();
        if !pair.is_open_at(limits) {
            return None;
        }
        mid.is_none_or(|mid| pair.is_middle(cells[mid], form)).then_some(pair)
    }
}

/// What is wrong so far.
#[derive(Default)]
struct Wrong {
    columns: BTreeSet<String>,
    rows: usize,
    classes: usize,
    witnesses: Vec<Witness>,
}

impl Wrong {
    fn note(&mut self, column: &str, witness: Witness) {
        self.columns.insert(column.to_owned());
        if self.witnesses.len() < WITNESSES {
            self.witnesses.push(witness);
        }
    }
}

/// Whether the columns of a release that `reading` says to be ends of ranges are those, row by row; and those of their records,
/// class by class. `labelled` are the same bytes with a column of classes, by its name. `None` if there are no such columns.
///
/// # Errors
/// If the bytes do not have the form of a release, or lack a column.
pub fn ends(
    published: &[u8],
    (labelled, class): (&[u8], &str),
    dialect: Dialect,
    reading: &Reading,
    source: &EndsSource,
) -> Result<Option<Check>, Error> {
    if reading.ends.is_empty() {
        return Ok(None);
    }
    let mut wrong = Wrong::default();
    let all = in_rows(published, dialect, reading, &mut wrong)?;
    in_classes((labelled, class), dialect, reading, source, &mut wrong)?;
    let names = |columns: &mut dyn Iterator<Item = &String>| -> Vec<Name> {
        columns.map(|name| Name::from(name.as_str())).collect()
    };
    let passed = wrong.rows == 0 && wrong.classes == 0;
    let finding = if passed {
        Observation::Ends { columns: names(&mut reading.ends.keys()), rows: all }
    } else {
        let Wrong { rows, classes, .. } = wrong;
        Observation::NotEnds { columns: names(&mut wrong.columns.iter()), rows, classes }
    };
    Ok(Some(Check { name: Subject::Ends, passed, finding, witnesses: wrong.witnesses }))
}

fn looked<'a>(header: &[String], reading: &'a Reading) -> Vec<Looked<'a>> {
    let place = |name: &String| header.iter().position(|other| other == name);
    let of = |(name, ends): (&'a String, &super::Ends)| Looked {
        name,
        compared: reading.known(name),
        places: place(&ends.min).zip(place(&ends.max)).map(|(min, max)| {
            let mid = ends.mid.as_ref().map(place);
            (min, max, mid.flatten())
        }),
    };
    reading.ends.iter().map(of).collect()
}

/// Row by row; the number of rows.
fn in_rows(published: &[u8], dialect: Dialect, reading: &Reading, wrong: &mut Wrong) -> Result<usize, Error> {
    let mut at = 0;
    let mut columns = None;
    let header = rows(published, dialect, &mut |header, cells| {
        at += 1;
        let columns: &Vec<Looked> = columns.get_or_insert_with(|| looked(header, reading));
        let mut is_wrong = false;
        for column in columns.iter().filter(|column| column.pair(cells, reading).is_none()) {
            is_wrong = true;
            wrong.note(column.name, Witness::NotEnds { row: at, column: column.name.into() });
        }
        wrong.rows += usize::from(is_wrong);
    })?;
    match reading.ends.values().flat_map(super::Ends::names).find(|name| !header.contains(name)) {
        Some(name) => Err(Error::NoColumn { column: Name::from(name.as_str()) }),
        None => Ok(at),
    }
}

/// Class by class: the first row of each, since others of it that differ fail elsewhere.
fn in_classes(
    (labelled, class): (&[u8], &str),
    dialect: Dialect,
    reading: &Reading,
    source: &EndsSource,
    wrong: &mut Wrong,
) -> Result<(), Error> {
    let no_original = |name: &str| Error::NoOriginalColumn { column: Name::from(name) };
    let mut held_in: BTreeMap<&str, Option<BTreeMap<&str, Held>>> = BTreeMap::new();
    for name in reading.ends.keys() {
        let column = source.original.column(name).ok_or_else(|| no_original(name))?;
        let known = reading.known(name);
        let held = known.and_then(|by| held(column, source.links, &by, &reading.missing));
        held_in.insert(name, held);
    }
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut columns = None;
    let header = rows(labelled, dialect, &mut |header, cells| {
        let Some(at) = header.iter().position(|name| name == class) else { return };
        if !seen.insert(cells[at].to_owned()) {
            return;
        }
        let columns: &Vec<Looked> = columns.get_or_insert_with(|| looked(header, reading));
        let mut is_wrong = false;
        for column in columns {
            let held = held_in.get(column.name).and_then(|held| held.as_ref()?.get(cells[at]));
            let pair = column.pair(cells, reading);
            let said = pair.zip(held).is_some_and(|(pair, held)| held.is_said_by(&pair, source.wider));
            if !said {
                is_wrong = true;
                let label = cells[at].into();
                wrong.note(column.name, Witness::OtherEnds { class: label, column: column.name.into() });
            }
        }
        wrong.classes += usize::from(is_wrong);
    })?;
    if !header.iter().any(|name| name == class) {
        return Err(Error::NoColumn { column: Name::from(class) });
    }
    // Classes of records that are not published.
    let linked: BTreeSet<&str> = source.links.iter().flatten().map(String::as_str).collect();
    wrong.classes += linked.iter().filter(|label| !seen.contains(**label)).count();
    Ok(())
}
