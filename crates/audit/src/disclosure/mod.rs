//! What counterfeits and deletions disclose to an attacker who knows how records are repaired, but not who else is in the class.
//!
//! m-eligibility is reached by faking rare values only and deleting frequent ones only (Tobar 2024, Algorithms 1 and 2,
//! and the exact hybrid). So a rare value in a class may be nobody's, and a person who is missing had a frequent value.
//!
//! * [`Informed`]: what an attacker learns who also knows how many records of each value were faked and deleted, say
//!   from the disease's known frequency. Exact; needs what is not published.
//! * [`Disclosure`]: the most that *any* such attacker can learn who sees the published table and knows m, the way and, if
//!   they are published, the total numbers of counterfeits and deletions. A function of published things only, so it
//!   may be published itself. Never less than what the informed attacker learns.
//!
//! Attacker's model, formulas, proofs, worked examples: `docs/disclosure.md`.

mod absent;
mod informed;
mod present;
mod real;
mod rooms;
mod sources;

use std::collections::{BTreeMap, BTreeSet};

use lookalike_table::Table;

pub use absent::absent_values;
pub use informed::{Informed, from_counts, in_classes};
pub use real::{RealRecords, real_records};
use sources::Sources;
pub use sources::{certainly_real, highest};

use crate::{
    Error, Question,
    groups::{Groups, Tally},
    published::Published,
};

/// How a table was made m-eligible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairUsed {
    /// Not at all.
    Untouched,
    /// Fewest counterfeits, always of the value that is rarest at the time (Algorithm 1).
    Add,
    /// Fewest deletions (Algorithm 2).
    Delete,
    /// Fewest counterfeits and deletions together, at the largest best cap.
    Hybrid,
}

/// Which values are faked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The rarest, evenly (Algorithm 1); changes are as few as can be.
    Rarest,
    /// The most frequent that have room, one after the other; changes are as few as can be.
    Frequent,
    /// Those that cost least, whatever the costs are.
    Cheapest,
}

/// What the attacker knows beside the published table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The parameter, at least 2.
    pub m: u64,
    /// How the table was repaired.
    pub way: RepairUsed,
    /// Which values were faked.
    pub choice: Choice,
    /// Number of counterfeits, if it is published.
    pub counterfeits: Option<u64>,
    /// Number of deletions, if it is published.
    pub deletions: Option<u64>,
}

/// What the published table discloses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disclosure {
    /// 1/m: what a class without counterfeits and deletions would promise.
    pub promised: f64,
    /// Highest probability of a sensitive value of a person who is known to be in a class, under any source that fits
    /// what is published. A bound from above with [`Choice::Frequent`], exact otherwise.
    pub present: f64,
    /// The same to an attacker who also rules out that a value is not known; `None` if every value is known, or no class has a known one.
    pub present_known: Option<f64>,
    /// Records in classes where it is above 1/m.
    pub above: usize,
    /// Values some of whose records may be counterfeits.
    pub suspects: usize,
    /// Fewest records of a class of which it is certain that they are real.
    pub certainly_real: usize,
    /// A person who is known to be in the source, but is found in no class, held one of this many values. `None` if
    /// nothing was deleted.
    pub absent_values: Option<usize>,
}

/// What a published table discloses to an attacker who knows `known`. Classes are those of the class column, else
/// groups of equal quasi-identifiers. Cells among `markers`, trimmed, are one value.
///
/// `Ok(None)` if no source leads to this table that way: it was made otherwise.
///
/// # Errors
/// As [`crate::judge`] for the question; its guarantee does not matter.
pub fn disclosure(
    table: &Table,
    question: &Question,
    markers: &[String],
    known: &Known,
) -> Result<Option<Disclosure>, Error> {
    question.validate()?;
    let published = Published::new(table, question)?;
    let Some(column) = published.sensitive else {
        return Err(Error::NoSensitive);
    };
    let by = published.class.map_or_else(|| published.quasi.clone(), |class| vec![class]);
    let groups = Groups::by(published.rows, by);
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    let value_of: Vec<usize> = column
        .values
        .iter()
        .map(|text| {
            let missing = markers.iter().any(|marker| marker == text.trim());
            let next = codes.len();
            *codes.entry(if missing { "" } else { text }).or_insert(next)
        })
        .collect();
    let mut counts = vec![0_u64; codes.len()];
    for &cell in &column.cells {
        counts[value_of[cell as usize]] += 1;
    }
    let mut signatures: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); groups.sizes.len()];
    for Tally { group, code, .. } in groups.tallies(column) {
        signatures[group as usize].insert(value_of[code as usize]);
    }
    // The values of a class that are known: of a person who has one of these, no other is possible.
    let unknown = codes.get("").copied();
    let of_known: Vec<BTreeSet<usize>> = match unknown {
        None => Vec::new(),
        Some(unknown) => {
            let without =
                |signature: &BTreeSet<usize>| signature.iter().copied().filter(|&of| of != unknown).collect();
            signatures.iter().map(without).filter(|of: &BTreeSet<usize>| !of.is_empty()).collect()
        }
    };
    let classes = signatures.into_iter().zip(groups.sizes.iter().copied());
    let Some(mut found) = of_counts(&counts, classes, known) else { return Ok(None) };
    if !of_known.is_empty() {
        let known = of_counts(&counts, of_known.into_iter().map(|of| (of, 0)), known);
        found.present_known = known.map(|of| of.present.max(found.present));
    }
    Ok(Some(found))
}

/// The same from the published counts of the values, and the values and size of each class.
fn of_counts(
    counts: &[u64],
    classes: impl Iterator<Item = (BTreeSet<usize>, usize)>,
    known: &Known,
) -> Option<Disclosure> {
    let sources = Sources::of(counts, known)?;
    // Classes with equally many values of each sort are alike.
    let mut sorts: BTreeMap<sources::Sorted, usize> = BTreeMap::new();
    for (signature, size) in classes {
        *sorts.entry(sources.sorts(counts, signature.iter().copied())).or_insert(0) += size;
    }
    let mut found = Disclosure {
        promised: 1.0 / known.m as f64,
        present: 0.0,
        present_known: None,
        above: 0,
        suspects: sources.suspects(),
        certainly_real: usize::MAX,
        absent_values: absent_values(counts, known),
    };
    for (sorts, records) in sorts {
        let posterior = sources.highest(&sorts)?;
        found.present = found.present.max(posterior);
        // A class of m values that are certainly real has 1/m, but for the last bit.
        if posterior > found.promised * (1.0 + 1e-12) {
            found.above += records;
        }
        found.certainly_real = found.certainly_real.min(sources.certainly_real(&sorts));
    }
    Some(found)
}
