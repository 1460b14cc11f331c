//! Whether rows are people. If a person has several, k or m rows may be those of one person, and hide nobody: classes then
//! count persons by their key, which must be named. What looks like the key of a person and has a value twice is asked about
//! before a run.
//!
//! A column is looked at whatever its role, but for the sensitive one: its values are what is protected. A key among the
//! quasi-identifiers is no better than one that is left out, since the rows of one person share it.

mod message;

use lookalike_model::{
    info::PersonKey,
    settings::{RowsAre, Settings},
};
use lookalike_table::{Column, Table, is_missing};
use lookalike_words::Name;
use rustc_hash::{FxHashMap, FxHashSet};

pub use message::{KeyFault, Question};

pub use crate::prepare::linked::survey;

use crate::{
    Error,
    prepare::roles::known,
    suggest::{Strength, is_national, is_shared, may_be_number, strength},
};

/// Fewer different values are an answer such as yes or no rather than keys.
const LEAST: u64 = 3;

/// A column whose name is not sure needs a different value for so many rows at least.
const ROWS: u64 = 100;

/// Rows that one visit or case has at most, and fewest of these: a number from 1 to 4 is the first to the fourth visit.
const OF_A_VISIT: u64 = 10;
const VISITS: u64 = 10;

/// Values of an id that does not say of what: fewest of them, most rows of one on average, and how many times as many rows as the
/// average one of them has at most. Ids of things repeat unevenly, and numbers of few values are codes.
const UNKNOWN: u64 = 20;
const UNKNOWN_ROWS: u64 = 20;
const UNEVEN: u64 = 4;

/// Whether a column of this name may be the key of a person: it is to be read even if it is not published.
#[must_use]
pub fn may_be_key(name: &str) -> bool {
    strength(name).is_some() || may_be_number(name)
}

/// What the cells of a column say.
#[derive(Clone, Debug)]
struct Counted {
    name: String,
    strength: Option<Strength>,
    /// Whether the user says that it names persons.
    declared: bool,
    known: u64,
    missing: u64,
    distinct: u64,
    /// Rows of the most frequent value; 0 if they were not counted.
    most: u64,
    /// Whether these are the numbers of a part of the values.
    part: bool,
}

impl Counted {
    /// Of all rows, or of those that are kept.
    fn of(column: &Column, markers: &[String], identifiers: &[String], kept: Option<&[u32]>) -> Self {
        let mut counts = vec![0_u64; column.values.len()];
        match kept {
            None => column.cells.iter().for_each(|&code| counts[code as usize] += 1),
            Some(rows) => rows.iter().for_each(|&row| counts[column.cells[row as usize] as usize] += 1),
        }
        let (mut known, mut most) = (0, 0);
        let mut different = FxHashSet::default();
        for (cell, &count) in column.values.iter().zip(&counts) {
            if count > 0 && !is_missing(cell, markers) {
                known += count;
                most = most.max(count);
                different.insert(folded(cell));
            }
        }
        Self {
            name: column.name.clone(),
            strength: said(column, markers),
            declared: identifiers.contains(&column.name),
            known,
            missing: counts.iter().sum::<u64>() - known,
            distinct: different.len() as u64,
            most,
            part: false,
        }
    }

    fn repeats(&self) -> bool {
        self.distinct < self.known
    }

    /// Whether its values are as many as keys of persons would be.
    fn is_plausible(&self) -> bool {
        match self.strength {
            Some(Strength::Key) => true,
            Some(Strength::Visit) => self.distinct >= VISITS && self.distinct * OF_A_VISIT >= self.known,
            Some(Strength::Unknown) => self.repeats_evenly() || self.is_declared(),
            Some(_) => self.distinct >= LEAST && self.distinct * ROWS >= self.known,
            None => self.is_declared(),
        }
    }

    /// Whether the user says that it names persons: people share first names and addresses, and a name that means nothing
    /// here may be a key.
    fn is_declared(&self) -> bool {
        self.declared && self.distinct >= LEAST && !is_shared(&self.name)
    }

    /// Whether many values have a few rows each, as persons have.
    fn repeats_evenly(&self) -> bool {
        self.distinct >= UNKNOWN
            && self.known <= self.distinct * UNKNOWN_ROWS
            && self.most * self.distinct <= UNEVEN * self.known
    }

    /// Its name, how many different values it has in how many rows, and whether there may be more.
    fn said(&self) -> (Name, u64, u64, bool) {
        (self.name.as_str().into(), self.distinct, self.known, self.part)
    }

    fn is_asked(&self, surest: Option<Strength>) -> bool {
        self.repeats() && self.is_plausible() && surest.is_none_or(|surest| self.strength >= Some(surest))
    }
}

/// How much name and cells of a column say for its being the key of a person.
fn said(column: &Column, markers: &[String]) -> Option<Strength> {
    let national = || is_national(column, markers).then_some(Strength::Key);
    match strength(&column.name) {
        Some(Strength::Key) => Some(Strength::Key),
        other => national().or(other),
    }
}

/// A key as people read it: white space around it and case do not make another person.
pub(crate) fn folded(cell: &str) -> String {
    cell.trim().to_lowercase()
}

/// The surest key of a person that each row has for itself: a name or number of less weight that rows share means nothing then.
fn surest(columns: &[Counted]) -> Option<Strength> {
    let own = columns.iter().filter(|c| !c.repeats() && c.missing == 0 && c.known > 0);
    own.filter_map(|c| c.strength).filter(|s| *s >= Strength::Person).max()
}

/// The column that is asked about, if there is one.
fn asked(columns: &[Counted]) -> Option<&Counted> {
    let surest = surest(columns);
    columns.iter().filter(|c| c.is_asked(surest)).max_by_key(|c| c.strength)
}

/// Stops a run if a person may have several of these `rows` and nobody has said what the rows are: those that are kept, since
/// rows that are dropped hide nobody and are nobody's. `identifiers` are the columns that the user says name persons.
///
/// # Errors
/// [`Error::Asked`] with the column; [`Error::Key`] if the column that is said to be the key of a person has a value
/// twice, or none.
pub fn check(table: &Table, rows: &[u32], settings: &Settings, identifiers: &[String]) -> Result<(), Error> {
    let markers = &settings.missing.markers;
    let (key, several) = match &settings.rows_are {
        Some(RowsAre::People) => return Ok(()),
        Some(RowsAre::Of(key)) => (Some(key), false),
        Some(RowsAre::EventsOf(key)) => (Some(key), true),
        None => (None, false),
    };
    if let Some(key) = key {
        known(table, key)?;
    }
    let looked_at = |c: &&Column| Some(&c.name) != settings.sensitive.as_ref() || Some(&c.name) == key;
    let counted = |column| Counted::of(column, markers, identifiers, Some(rows));
    let columns: Vec<Counted> = table.columns.iter().filter(looked_at).map(counted).collect();
    settled(&columns, key, several)
}

/// Whether nothing is to be asked, where this column is said to be the key of a person, who may have several rows or not.
fn settled(columns: &[Counted], key: Option<&String>, several: bool) -> Result<(), Error> {
    let Some(key) = key else { return asked(columns).map_or(Ok(()), |column| Err(question(column))) };
    let Some(said) = columns.iter().find(|column| column.name == *key) else { return Ok(()) };
    named(said, several)?;
    // A visit has a row of its own, and its patient has several: what says more than the key that was named still counts.
    let surer =
        |c: &&Counted| c.strength == Some(Strength::Key) && c.strength > said.strength && c.is_asked(None);
    let surer = columns.iter().filter(surer).max_by_key(|c| c.distinct);
    surer.map_or(Ok(()), |column| Err(question(column)))
}

/// Whose each row is by the column that is said to be the key of persons who may have several rows: numbers from 0.
///
/// # Errors
/// If there is no such column, or [`Error::Key`] if the key is missing in some rows.
pub(crate) fn owners(table: &Table, key: &str, markers: &[String]) -> Result<Vec<u32>, Error> {
    let column = known(table, key)?;
    named(&Counted::of(column, markers, &[], None), true)?;
    let mut ids: FxHashMap<String, u32> = FxHashMap::default();
    let of_cell = |row: usize| {
        let next = ids.len() as u32;
        *ids.entry(folded(column.cell(row))).or_insert(next)
    };
    Ok((0..table.rows).map(of_cell).collect())
}

/// What the page shows of each column of a table: whether it is asked about.
pub(crate) fn keys(table: &Table, markers: &[String]) -> Vec<PersonKey> {
    let columns: Vec<Counted> = table.columns.iter().map(|c| Counted::of(c, markers, &[], None)).collect();
    let surest = surest(&columns);
    let key = |column: Counted| {
        if column.is_asked(surest) {
            PersonKey::Repeats
        } else if (Counted { declared: true, ..column }).is_asked(surest) {
            PersonKey::IfIdentifier
        } else {
            PersonKey::None
        }
    };
    columns.into_iter().map(key).collect()
}

fn question(column: &Counted) -> Error {
    let (column, different, rows, at_least) = column.said();
    Error::Asked(Question::SeveralRows { column, different, rows, at_least })
}

/// What is wrong with the column that is said to be the key of a person.
fn named(column: &Counted, several: bool) -> Result<(), KeyFault> {
    if column.repeats() && !several {
        let (column, different, rows, at_least) = column.said();
        return Err(KeyFault::Repeats { column, different, rows, at_least });
    }
    if column.missing > 0 {
        let (missing, rows) = (column.missing, column.known + column.missing);
        return Err(KeyFault::Missing { column: column.name.as_str().into(), missing, rows });
    }
    Ok(())
}

/// Most different keys of a column that are remembered of a table that is read a part at a time.
const REMEMBERED: usize = 1 << 20;

/// The same question of a table that is read a part at a time. Of a column with more different values than [`REMEMBERED`] a
/// part of the values is counted, drawn by their hashes, and that part exactly; memory does not depend on the rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    columns: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    index: usize,
    counted: Counted,
    /// Rows of each value that is remembered.
    seen: FxHashMap<u64, u64>,
    /// Only hashes with so many trailing zero bits are remembered.
    bits: u32,
}

impl Parts {
    /// For tables with the columns of this part.
    pub(crate) fn new(first: &Table, settings: &Settings, identifiers: &[String]) -> Self {
        let markers = &settings.missing.markers;
        let key = |column: &Column| {
            let name = &column.name;
            match &settings.rows_are {
                Some(RowsAre::People) => false,
                Some(RowsAre::Of(key) | RowsAre::EventsOf(key)) if name == key => true,
                _ if Some(name) == settings.sensitive.as_ref() => false,
                _ => said(column, markers).is_some() || identifiers.contains(name),
            }
        };
        let columns = first.columns.iter().enumerate().filter(|(_, column)| key(column));
        let part = |(index, column): (usize, &Column)| Part {
            index,
            counted: Counted {
                known: 0,
                missing: 0,
                distinct: 0,
                most: 0,
                ..Counted::of(column, markers, identifiers, None)
            },
            seen: FxHashMap::default(),
            bits: 0,
        };
        Self { columns: columns.map(part).collect() }
    }

    /// Takes in the next rows that are kept.
    pub(crate) fn add(&mut self, part: &Table, rows: &[u32], markers: &[String]) {
        for column in &mut self.columns {
            column.add(&part.columns[column.index], rows, markers);
        }
    }

    /// Writes what was counted, number by number.
    pub(crate) fn write(&self, out: &mut dyn FnMut(u64)) {
        out(self.columns.len() as u64);
        for Part { counted, seen, bits, .. } in &self.columns {
            let mut seen: Vec<(u64, u64)> = seen.iter().map(|(&hash, &rows)| (hash, rows)).collect();
            seen.sort_unstable();
            [counted.missing, (*bits).into(), seen.len() as u64].into_iter().for_each(&mut *out);
            for (hash, rows) in seen {
                out(hash);
                out(rows);
            }
        }
    }

    /// Takes in what was written of other rows.
    ///
    /// # Errors
    /// What `read` says; columns that are not there have nothing.
    pub(crate) fn read(&mut self, read: &mut dyn FnMut() -> Result<u64, Error>) -> Result<(), Error> {
        let columns = read()?;
        for at in 0..columns as usize {
            let (missing, bits, count) = (read()?, read()?, read()?);
            let mut seen = Vec::new();
            for _ in 0..count {
                seen.push((read()?, read()?));
            }
            if let Some(column) = self.columns.get_mut(at) {
                column.join(missing, bits.min(64) as u32, &seen);
            }
        }
        Ok(())
    }

    /// As [`check`].
    pub(crate) fn check(&self, settings: &Settings) -> Result<(), Error> {
        let columns: Vec<Counted> = self.columns.iter().map(|part| part.counted.clone()).collect();
        match &settings.rows_are {
            Some(RowsAre::People) => Ok(()),
            Some(RowsAre::Of(key)) => settled(&columns, Some(key), false),
            Some(RowsAre::EventsOf(key)) => settled(&columns, Some(key), true),
            None => settled(&columns, None, false),
        }
    }
}

impl Part {
    fn add(&mut self, column: &Column, rows: &[u32], markers: &[String]) {
        let hashes: Vec<Option<u64>> = column
            .values
            .iter()
            .map(|cell| {
                let hash = blake3::hash(folded(cell).as_bytes());
                let bytes = hash.as_bytes().first_chunk().copied().unwrap_or_default();
                (!is_missing(cell, markers)).then(|| u64::from_le_bytes(bytes))
            })
            .collect();
        for &row in rows {
            let code = column.cells[row as usize];
            let Some(hash) = hashes[code as usize] else {
                self.counted.missing += 1;
                continue;
            };
            if hash.trailing_zeros() < self.bits {
                continue;
            }
            self.counted.known += 1;
            *self.seen.entry(hash).or_insert(0) += 1;
            self.counted.distinct = self.seen.len() as u64;
            while self.seen.len() > REMEMBERED {
                self.forget_half();
            }
        }
    }

    /// Goes on with half of the values. What was counted of the other half is forgotten: what is known then depends on the values
    /// alone, not on their order.
    fn forget_half(&mut self) {
        self.remember(self.bits + 1);
    }

    /// Goes on with the values of so many trailing zero bits.
    fn remember(&mut self, bits: u32) {
        self.bits = bits;
        self.counted.part = true;
        self.seen.retain(|hash, _| hash.trailing_zeros() >= bits);
        self.counted.known = self.seen.values().sum();
        self.counted.distinct = self.seen.len() as u64;
    }

    /// Takes in what another one counted.
    fn join(&mut self, missing: u64, bits: u32, seen: &[(u64, u64)]) {
        if bits > self.bits {
            self.remember(bits);
        }
        self.counted.missing += missing;
        for &(hash, rows) in seen.iter().filter(|(hash, _)| hash.trailing_zeros() >= self.bits) {
            *self.seen.entry(hash).or_insert(0) += rows;
            self.counted.known += rows;
        }
        self.counted.distinct = self.seen.len() as u64;
        while self.seen.len() > REMEMBERED {
            self.forget_half();
        }
    }
}
