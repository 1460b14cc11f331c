//! Whether tuples keep their signatures: Tobar 2023, Definitions II.1 and II.2.

use lookalike_words::Cell;

use super::{
    Invariance,
    history::{Histories, Person, Sight, lifespans},
    lexicon::{Lexicon, common, union},
};
use crate::{Check, Lifespans, Observation, Seen, SeriesObservation, SeriesWitness, Subject, Witness};

/// What became of the signature of a tuple.
enum Kept {
    /// Surely the same.
    Same,
    /// Surely not; the first release, from 0, in which it cannot be the one from before.
    Changed(usize),
    /// The classes that match allow both.
    Open,
}

/// Whether every tuple has one signature: through each of its lifespans, or for tau-safety through all of them. The second
/// answer is a note if the evidence does not decide for all tuples.
pub(super) fn kept(histories: &Histories, lexicon: &Lexicon, model: Invariance) -> (Check, Option<Check>) {
    let (mut same, mut open, mut changed) = (0_usize, Vec::new(), Vec::new());
    for person in &histories.people {
        for tuple in person.tuples() {
            let spans = match model {
                Invariance::MInvariance => lifespans(&tuple),
                Invariance::TauSafety => vec![&tuple[..]],
            };
            let found: Vec<Kept> = spans.iter().map(|span| judge(span, histories, lexicon)).collect();
            let broken = found.iter().zip(&spans).find_map(|(kept, span)| match kept {
                Kept::Changed(at) => Some((*at, *span)),
                _ => None,
            });
            if let Some((at, span)) = broken {
                changed.push(witness(person, &span[..=at], histories, lexicon));
            } else if found.iter().any(|kept| matches!(kept, Kept::Open)) {
                let individual = Cell::from(person.name.as_str());
                open.push(SeriesWitness::Open { individual, value: lexicon.cell(tuple[0].value) });
            } else {
                same += 1;
            }
        }
    }
    let through = match model {
        Invariance::MInvariance => Lifespans::Each,
        Invariance::TauSafety => Lifespans::All,
    };
    let tuples = same + open.len() + changed.len();
    let finding = match (changed.len(), open.len()) {
        (0, 0) => SeriesObservation::Kept { tuples, through },
        (0, _) => SeriesObservation::MayBeKept { tuples, through },
        (changed, _) => SeriesObservation::Changed { changed, tuples, through },
    };
    let note = (!open.is_empty()).then(|| {
        let finding = Observation::Series(SeriesObservation::Open { open: open.len(), tuples });
        Check::note(Subject::Open, finding, open.into_iter().map(Witness::Series))
    });
    let changed = changed.into_iter().map(Witness::Series);
    (Check::new(Subject::Signatures, Observation::Series(finding), changed), note)
}

fn judge(span: &[Sight], histories: &Histories, lexicon: &Lexicon) -> Kept {
    let own: Vec<Vec<u32>> =
        span.iter().map(|&sight| histories.place(sight).own(sight.value, lexicon)).collect();
    if union(own.iter().map(Vec::as_slice)).len() == 1 {
        return Kept::Same;
    }
    let mut left = own[0].clone();
    for (at, own) in own.iter().enumerate().skip(1) {
        left = common(&left, own);
        if left.is_empty() {
            return Kept::Changed(at);
        }
    }
    // One release alone cannot change anything.
    if span.len() == 1 { Kept::Same } else { Kept::Open }
}

/// A tuple that changed its signature, up to the release where it surely did.
fn witness(person: &Person, span: &[Sight], histories: &Histories, lexicon: &Lexicon) -> SeriesWitness {
    let seen = |&sight: &Sight| {
        let own = histories.place(sight).own(sight.value, lexicon);
        let set = |at: usize| own.get(at).map(|&signature| lexicon.set(lexicon.of(signature)));
        Seen::Of {
            first: set(0).unwrap_or_else(|| lexicon.set(&[])),
            second: set(1),
            third: set(2),
            others: own.len() > 3,
            release: sight.release as usize + 1,
        }
    };
    SeriesWitness::Changed {
        individual: Cell::from(person.name.as_str()),
        value: lexicon.cell(span[0].value),
        seen: span.iter().map(seen).collect(),
    }
}
