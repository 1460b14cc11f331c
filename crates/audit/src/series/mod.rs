//! A series of releases, judged for m-invariance (Xiao, Tao, SIGMOD 2007; Tobar 2023, Definition II.1) and tau-safety
//! (Tobar 2023, Definition II.2).
//!
//! A **tuple** is an individual with one sensitive value; a **lifespan** is a run of consecutive releases that hold it. A
//! series is m-invariant if every release is m-unique and a tuple's class has the same set of sensitive values, its
//! *signature*, through a lifespan; it is tau-safe if also through all lifespans of the tuple. Counterfeits are rows like
//! others, as in the literature: their values belong to the signature, for nobody can tell them apart.
//!
//! What can be judged depends on the [`Evidence`]:
//!
//! * the **releases alone**: each of them. Not whether they fit together, and the verdict says so;
//! * the **sources**, the tables that were published: an attacker who knows everybody's quasi-identifiers, and who is in.
//!   An individual may be in every class whose published quasi-identifiers cover its own, unless the others need the rows.
//!   Where several classes match, the attacker is left with the values of all of them. A signature that no choice of
//!   matching classes keeps has changed for certain; one that some choice keeps and another does not is told apart as open;
//! * the **ledger**: everybody's signature, exactly, after it was held against the published tables.
//!
//! The [`Attack`] intersects the values of the classes of an individual over all releases that hold the tuple. Releases of
//! one table in different classes are found and named.
//!
//! Nothing here shares code with what makes a series. Cost: linear in the individuals of all releases times their
//! matching classes, apart from sorting and, with sources, one maximum flow a release.

mod exact;
mod history;
mod intersection;
mod ledger;
mod lexicon;
mod one_table;
mod release;
mod signatures;
mod sources;

use std::collections::BTreeMap;

use lookalike_table::{Table, is_missing};
use lookalike_words::Name;

pub use intersection::{Attack, Believer, Step, Trace};
pub use ledger::Ledger;

use crate::{
    Assessment, Attacker, Check, Conditions, Error, Guarantee, Inquiry, Model, Observation,
    SeriesObservation, Subject, assess,
    judge::words,
    measure::Reading,
    series::{history::Histories, lexicon::Lexicon, one_table::OneTable, release::Release},
};

/// How many individuals are traced if none are named.
pub const WORST: usize = 10;

impl Invariance {
    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MInvariance => "m-invariance",
            Self::TauSafety => "tau-safety",
        }
    }
}

lookalike_words::messages! {
    in "audit";

    /// What is promised over the releases.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Invariance {
        /// Individuals come and go; a tuple keeps its signature through a lifespan.
        MInvariance,
        /// Individuals come back and change; a tuple keeps its signature through all lifespans.
        TauSafety,
    }
}

/// What to judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The guarantee.
    pub model: Invariance,
    /// Least number of values that must be left, at least 2.
    pub m: usize,
    /// Columns that an attacker may know.
    pub quasi: Vec<String>,
    /// The protected column.
    pub sensitive: String,
    /// Column with class labels; in a release without it, rows that are published alike are a class.
    pub class: Option<String>,
    /// Cells that mean "suppressed", as in [`Inquiry::suppressed`].
    pub suppressed: Vec<String>,
    /// Individuals whose attack is traced; without any, the [`Question::worst`] worst.
    pub individuals: Vec<String>,
    /// How many are traced then.
    pub worst: usize,
}

impl Question {
    /// The columns as a question about one table.
    fn of_one(&self) -> crate::Question {
        crate::Question {
            quasi: self.quasi.clone(),
            sensitive: Some(self.sensitive.clone()),
            conditions: Conditions::default(),
            guarantee: Guarantee::MUnique { m: self.m },
            class: self.class.clone(),
            markers: lookalike_table::usual_markers(),
            dialect: crate::Dialect::PLAIN,
        }
    }
}

/// One published table.
#[derive(Clone, Copy, Debug)]
pub struct Published<'a> {
    /// Its cells.
    pub table: &'a Table,
    /// [`fingerprint`] of its bytes, where the ledger is to be held against them.
    pub hash: Option<&'a str>,
}

/// What is known beside the releases.
#[derive(Clone, Copy, Debug)]
pub enum Evidence<'a> {
    /// Nothing.
    Alone,
    /// The tables that were published, in the same order.
    Sources {
        /// One a release; the same may be given twice.
        tables: &'a [Table],
        /// The column that names individuals.
        id: &'a str,
        /// How published cells are read; each source says more.
        reading: &'a Reading,
    },
    /// The ledger.
    Ledger(&'a Ledger),
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Every release, and every check over all of them, holds.
    pub passed: bool,
    /// What was asked.
    pub model: Invariance,
    /// Its parameter.
    pub m: usize,
    /// Each release judged alone for m-uniqueness.
    pub releases: Vec<Assessment>,
    /// What was found over all releases.
    pub checks: Vec<Check>,
    /// The intersection attack; `None` for releases alone.
    pub attack: Option<Attack>,
}

/// The fingerprint of published bytes that a ledger keeps: BLAKE3, in hexadecimal digits.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Judges a series; releases in the order in which they were published.
///
/// # Errors
/// If the question makes no sense or there is no release, a column is missing, there are not as many sources as releases,
/// a source names an individual twice or not at all, published cells cannot be compared with a source's, or an
/// individual that is asked for is in no release.
pub fn judge(published: &[Published], question: &Question, evidence: Evidence) -> Result<Verdict, Error> {
    if published.is_empty() {
        return Err(Error::NoRelease);
    }
    let releases = published.iter().map(|release| alone(release.table, question));
    let releases = releases.collect::<Result<Vec<_>, _>>()?;
    let mut lexicon = Lexicon::default();
    let digests = published.iter().map(|release| Release::new(release.table, question, &mut lexicon));
    let digests = digests.collect::<Result<Vec<_>, _>>()?;
    let tables: Vec<&Table> = published.iter().map(|release| release.table).collect();

    let (mut checks, histories, notes) = match evidence {
        Evidence::Alone => (not_judged(published.len()), None, Vec::new()),
        Evidence::Sources { tables: sources, id, reading } => {
            if sources.len() != published.len() {
                return Err(Error::Sources { releases: published.len(), sources: sources.len() });
            }
            let seen = sources::histories(&tables, &digests, sources, id, reading, question, &mut lexicon)?;
            (vec![seen.covered], Some(seen.histories), seen.notes)
        }
        Evidence::Ledger(ledger) => {
            if let Some(at) = digests.iter().position(|release| !release.labelled) {
                return Err(Error::NoClasses { release: at + 1 });
            }
            let histories = exact::histories(ledger, published.len(), &mut lexicon);
            let fits = exact::fits(ledger, published, &digests, &histories, &lexicon);
            (vec![fits], Some(histories), Vec::new())
        }
    };
    let mut attack = None;
    if let Some(histories) = &histories {
        known(question, histories)?;
        let (kept, open) = signatures::kept(histories, &lexicon, question.model);
        let (check, found) = intersection::attack(
            histories,
            &digests,
            &lexicon,
            question.m,
            &question.individuals,
            question.worst,
        );
        checks.extend([kept, check]);
        checks.extend(open);
        checks.extend(intersection::believer(&found, question.m));
        attack = Some(found);
    } else if let Some(name) = question.individuals.first() {
        return Err(Error::NoIndividual { individual: Name::from(name.as_str()) });
    }
    let one_table = OneTable { question, published: &tables, releases: &digests, lexicon: &lexicon };
    checks.extend(match (evidence, &histories) {
        (Evidence::Sources { tables, id, .. }, Some(histories)) => {
            one_table.of_sources(tables, id, histories)
        }
        (Evidence::Ledger(_), Some(histories)) => one_table.of_ledger(histories),
        _ => one_table.of_releases(),
    });
    checks.extend(notes);
    checks.extend(near_values(&tables, &question.sensitive));
    let passed = releases.iter().all(|release| release.passed) && checks.iter().all(|check| check.passed);
    Ok(Verdict { passed, model: question.model, m: question.m, releases, checks, attack })
}

/// One release for m-uniqueness. Its columns in the table's order, by which published rows are sorted.
fn alone(table: &Table, question: &Question) -> Result<Assessment, Error> {
    let mut quasi = question.quasi.clone();
    quasi.sort_by_key(|name| table.columns.iter().position(|column| column.name == *name));
    let inquiry = Inquiry {
        quasi,
        sensitive: Some(question.sensitive.clone()),
        class: question.class.clone(),
        models: vec![Model::MUniqueness { m: question.m }],
        suppressed: question.suppressed.clone(),
        missing: lookalike_table::usual_markers(),
        missing_is_value: false,
        attacker: Attacker::default(),
    };
    assess(table, &inquiry)
}

/// Sensitive values that people read as one, be they of one release or of several: neither in a class nor for a signature are they
/// different ones.
fn near_values(tables: &[&Table], sensitive: &str) -> Option<Check> {
    let markers = lookalike_table::usual_markers();
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    for column in tables.iter().filter_map(|table| table.column(sensitive)) {
        for row in 0..column.cells.len() {
            *rows.entry(column.cell(row)).or_default() += 1;
        }
    }
    words::near_values(rows.into_iter().filter(|(value, _)| !is_missing(value, &markers)).collect())
}

/// Without sources or a ledger nothing says who is in which class: that is no good news. One release has no others.
fn not_judged(releases: usize) -> Vec<Check> {
    if releases < 2 {
        return Vec::new();
    }
    let finding = Observation::Series(SeriesObservation::NotJudged { releases });
    vec![Check { name: Subject::Across, passed: false, finding, witnesses: Vec::new() }]
}

/// Refuses individuals that are in no release.
fn known(question: &Question, histories: &Histories) -> Result<(), Error> {
    let known = |name: &String| histories.people.binary_search_by(|person| person.name.cmp(name)).is_ok();
    match question.individuals.iter().find(|name| !known(name)) {
        Some(name) => Err(Error::NoIndividual { individual: Name::from(name.as_str()) }),
        None => Ok(()),
    }
}
