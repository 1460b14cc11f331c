//! Singling out, linkability and inference, tried on a published table whose original is at hand.
//!
//! M. Giomi, F. Boenisch, C. Wehmeyer, B. Tasnádi, A Unified Framework for Quantifying Privacy Risk in Synthetic Data, `PoPETs` 2023. Each
//! attack is tried on rows of the original (*main*), on rows that were not published (*control*), and by an attacker who guesses
//! (*naive*). What succeeds on the control, too, the table tells of people in general; what is left is its *residual risk*,
//! (main - control) / (1 - control). Without a control it cannot be told, and the main rate is an upper reading of it.
//!
//! The published table may be anything: exact, synthetic, or with generalised cells, whose values may each be the person's (`nearest`,
//! `predicate`). Nothing of how it was made is used. What figures mean and do not mean: `docs/checks.md`.
//!
//! A rate is what these attackers reach on drawn rows: it proves nothing about other attackers. Cost: for each attack as many steps as there are
//! published cells, plus the different values of each column.

mod attribute;
mod inference;
mod linkability;
mod nearest;
mod predicate;
mod rate;
mod singling_out;
mod sizes;

use lookalike_table::Table;
use lookalike_words::{Figure, Name};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

pub use rate::{Interval, Rate};

use self::{
    attribute::{Attribute, Tables},
    singling_out::Sizes,
};
use crate::{Error, Senseless, Unmeasurable, measure::Reading};

/// What is tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Attacks {
    /// Columns that attackers know of people; the secret does not count among them.
    pub columns: Vec<String>,
    /// Those of them that one of two sources has, the other having the others; empty: every second one, from the first.
    pub first: Vec<String>,
    /// The column that is to be inferred, and that predicates may be about; none, and no inference is tried.
    pub secret: Option<String>,
    /// How often each attack is tried, if there are so many rows or predicates.
    pub attacks: usize,
    /// What is drawn follows from it.
    pub seed: u64,
    /// Of the intervals: above 0, below 1.
    pub confidence: f64,
    /// Columns of a predicate on several, or all if there are fewer.
    pub predicate_columns: usize,
    /// How many predicates are drawn at most for each that is wanted: most are fulfilled by several rows of a large table.
    pub tries: usize,
    /// Published rows that count as near to either part of a person.
    pub neighbours: usize,
    /// By which part of itself a number may be missed to be guessed rightly.
    pub tolerance: f64,
}

impl Default for Attacks {
    fn default() -> Self {
        Self {
            columns: Vec::new(),
            first: Vec::new(),
            secret: None,
            attacks: 500,
            seed: 1,
            confidence: 0.95,
            predicate_columns: 3,
            tries: 200,
            neighbours: 1,
            tolerance: 0.05,
        }
    }
}

/// What came of the attacks.
#[derive(Clone, Debug, PartialEq)]
pub struct Attacked {
    /// Columns that could be compared: those that attackers know, then the secret.
    pub columns: Vec<String>,
    /// The secret, if it could be.
    pub secret: Option<String>,
    /// Those that could not, and why.
    pub left_out: Vec<(String, Unmeasurable)>,
    /// Columns with published rows whose label neither the original nor the control has, and how many: they are like nobody.
    pub foreign: Vec<(String, usize)>,
    /// Rows of the control.
    pub control: Option<usize>,
    /// Of the intervals.
    pub confidence: f64,
    /// Singling out by one column.
    pub univariate: Outcome,
    /// Singling out by several columns, and how many; `None` if only one can be compared.
    pub multivariate: Option<(usize, Outcome)>,
    /// Linkability; `None` if one of the two parts has no column that can be compared.
    pub linkability: Option<Linked>,
    /// Inference; `None` without a secret that can be compared, or without anything else that can.
    pub inference: Option<Outcome>,
}

/// What came of linking two parts of the columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Linked {
    /// Columns of the one source.
    pub first: Vec<String>,
    /// Columns of the other.
    pub second: Vec<String>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of one attack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How often it was to be tried; it is less often where there are fewer rows or predicates.
    pub asked: usize,
    /// On the original.
    pub main: Rate,
    /// On rows that were not published.
    pub control: Option<Rate>,
    /// By guessing, on the original.
    pub naive: Rate,
    /// The residual risk; `None` without a control, or where no attack could be tried.
    pub residual: Option<Interval>,
}

impl Outcome {
    fn new(asked: usize, main: Rate, control: Option<Rate>, naive: Rate) -> Self {
        let residual = control.as_ref().and_then(|control| rate::residual(&main, control));
        Self { asked, main, control, naive, residual }
    }
}

/// Tries all attacks. The `control` has rows like those of the original that nothing published was made of.
///
/// # Errors
/// If a column is not in one of the tables, none is named, one is named twice, or a number means nothing.
pub fn attack(
    published: &Table,
    original: &Table,
    control: Option<&Table>,
    asked: &Attacks,
    reading: &Reading,
) -> Result<Attacked, Error> {
    sensible(asked)?;
    let tables = Tables { published, original, control };
    let (mut known, mut left_out) = (Vec::new(), Vec::new());
    for name in asked.columns.iter().filter(|name| Some(*name) != asked.secret.as_ref()) {
        match tables.attribute(name, reading)? {
            Ok(attribute) => known.push(attribute),
            Err(why) => left_out.push((name.clone(), why)),
        }
    }
    let secret = match &asked.secret {
        None => None,
        Some(name) => match tables.attribute(name, reading)? {
            Ok(attribute) => Some(attribute),
            Err(why) => {
                left_out.push((name.clone(), why));
                None
            }
        },
    };
    let known: Vec<&Attribute> = known.iter().collect();
    let all: Vec<&Attribute> = known.iter().copied().chain(&secret).collect();
    let of = Sizes {
        published: published.rows,
        original: original.rows,
        control: tables.exact().nth(attribute::CONTROL).map(|table| table.rows),
    };
    let quantile = rate::quantile(asked.confidence);
    // Each attack draws from a stream of its own, so that leaving one out changes no other.
    let stream = |stream: u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(asked.seed);
        rng.set_stream(stream);
        rng
    };
    let single = |columns, at| singling_out::attack(columns, &all, asked, of, (quantile, &mut stream(at)));
    let several = asked.predicate_columns.min(all.len());
    let (first, second) = parts(&known, &asked.first);
    let linkability = (!first.is_empty() && !second.is_empty()).then(|| Linked {
        outcome: linkability::attack((&first, &second), asked, of, (quantile, &mut stream(3))),
        first: names(&first),
        second: names(&second),
    });
    let inference = secret.as_ref().filter(|_| !known.is_empty());
    let inference =
        inference.map(|secret| inference::attack(&known, secret, asked, of, (quantile, &mut stream(4))));
    let foreign = |attribute: &&Attribute| (attribute.name.clone(), attribute.foreign_rows());
    Ok(Attacked {
        columns: names(&all),
        secret: secret.as_ref().map(|secret| secret.name.clone()),
        left_out,
        foreign: all.iter().map(foreign).filter(|(_, rows)| *rows > 0).collect(),
        control: of.control,
        confidence: asked.confidence,
        univariate: single(1, 1),
        multivariate: (several > 1).then(|| (several, single(several, 2))),
        linkability,
        inference,
    })
}

/// Whether the numbers mean something, and no column is named twice.
fn sensible(asked: &Attacks) -> Result<(), Error> {
    if asked.columns.is_empty() {
        return Err(Error::NoQuasi);
    }
    for (at, name) in asked.columns.iter().enumerate() {
        if asked.columns[..at].contains(name) {
            return Err(Error::RoleTwice { column: Name::from(name.as_str()) });
        }
    }
    if let Some(name) = asked.first.iter().find(|name| !asked.columns.contains(name)) {
        return Err(Error::NotAttacked { column: Name::from(name.as_str()) });
    }
    if !(asked.confidence > 0.0 && asked.confidence < 1.0) {
        return Err(Error::Senseless(Senseless::Confidence { value: Figure::shortest(asked.confidence) }));
    }
    if !(asked.tolerance >= 0.0 && asked.tolerance.is_finite()) {
        return Err(Error::Senseless(Senseless::Tolerance { value: Figure::shortest(asked.tolerance) }));
    }
    if asked.attacks == 0 || asked.neighbours == 0 || asked.predicate_columns == 0 {
        return Err(Error::Senseless(Senseless::NoAttack));
    }
    Ok(())
}

/// The columns of the two sources.
fn parts<'a, 'b>(
    known: &[&'a Attribute<'b>],
    first: &[String],
) -> (Vec<&'a Attribute<'b>>, Vec<&'a Attribute<'b>>) {
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for (at, attribute) in known.iter().enumerate() {
        let is_first = if first.is_empty() { at % 2 == 0 } else { first.contains(&attribute.name) };
        if is_first { one.push(*attribute) } else { other.push(*attribute) }
    }
    (one, other)
}

fn names(attributes: &[&Attribute]) -> Vec<String> {
    attributes.iter().map(|attribute| attribute.name.clone()).collect()
}
