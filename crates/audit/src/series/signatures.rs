//! Whether tuples keep their signatures: Tobar 2023, Definitions II.1 and II.2.

use lookalike_table::text::{counted, quoted};

use super::{
    Invariance,
    history::{Histories, Person, Sight, lifespans},
    lexicon::{Lexicon, common, union},
};
use crate::{Check, name};

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
            let value = quoted(lexicon.text(tuple[0].value));
            if let Some((at, span)) = broken {
                changed.push(witness(person, &value, span, at, histories, lexicon));
            } else if found.iter().any(|kept| matches!(kept, Kept::Open)) {
                open.push(format!("individual {} with {value}", quoted(&person.name)));
            } else {
                same += 1;
            }
        }
    }
    let through = match model {
        Invariance::MInvariance => "through consecutive releases",
        Invariance::TauSafety => "through all releases that hold it",
    };
    let tuples = same + open.len() + changed.len();
    let all = counted(tuples, "tuple", "tuples");
    let finding = match (changed.len(), open.len()) {
        (0, 0) => format!("each of {all} has one signature {through}"),
        (0, _) => format!("no tuple of {all} is known to have changed its signature {through}"),
        (changed, _) => {
            format!("{changed} of {all} changed the signature, which must stay the same {through}")
        }
    };
    let note = (!open.is_empty()).then(|| {
        let finding = format!(
            "{} of {all} may be in classes of one signature or of several, for the sources cannot tell the classes apart \
             that match: only the ledger can",
            open.len()
        );
        Check::note(name::OPEN, finding, open)
    });
    (Check::new(name::SIGNATURES, finding, changed), note)
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

fn witness(
    person: &Person,
    value: &str,
    span: &[Sight],
    at: usize,
    histories: &Histories,
    lexicon: &Lexicon,
) -> String {
    let seen = |sight: Sight| {
        let own = histories.place(sight).own(sight.value, lexicon);
        let sets: Vec<String> = own.iter().take(3).map(|&s| lexicon.shown(lexicon.of(s))).collect();
        let more = if own.len() > 3 { " or others" } else { "" };
        format!("{}{more} in release {}", sets.join(" or "), sight.release + 1)
    };
    let all: Vec<String> = span[..=at].iter().map(|&sight| seen(sight)).collect();
    format!("individual {} with {value}: {}", quoted(&person.name), all.join(", "))
}
