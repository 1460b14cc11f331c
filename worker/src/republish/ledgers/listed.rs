//! A ledger held against the list of used states beside it: each release was made from the state that the list names, the ledger's own
//! state has no release yet, and the list knows no release that the ledger does not.

use std::{collections::BTreeSet, path::Path};

use lookalike_model::ledger::Ledger;
use lookalike_words::Message as _;

use super::{
    super::{
        lock,
        seal::{Seal, is_sealed},
        state::of_old,
        used::{Beside, Fate, NONE, Used, beside, names},
        writing::pending,
    },
    told::{LedgerFault, LedgerTold, ListMisfit},
};
use crate::exit::Failure;

/// What is told of the list beside a ledger at `path`, whose file is `bytes`, and `opened` if it was sealed.
///
/// # Errors
/// If a run was interrupted, if the list cannot be read, or does not fit.
pub(super) fn fits(
    path: &Path,
    (ledger, seal): (&Ledger, &Seal),
    (bytes, opened): (&[u8], &[u8]),
) -> Result<Option<LedgerTold>, Failure> {
    let path = lock::file_of(path)?;
    let held = pending(&path);
    if held.exists() {
        // The list is ahead of the ledger then, or the ledger of its releases: neither is wrong.
        return Err(Failure::audit(LedgerFault::Interrupted { path: held.display().to_string() }));
    }
    if ledger.releases.is_empty() {
        return Ok(None);
    }
    let shown = || beside(&path).display().to_string();
    let plain = !is_sealed(bytes) || of_old(Some(ledger));
    let used = Used::read(&path, Beside { seal, series: Some(&ledger.series), plain })?;
    if used.is_empty() {
        return Ok(Some(LedgerTold::NoList { list: shown() }));
    }
    let known: BTreeSet<&str> = used.states().collect();
    let (first, misfits) = compared(ledger, &known, used.fate(&names(Some(ledger), Some(opened))?));
    if misfits.is_empty() {
        return Ok(Some(LedgerTold::Listed { list: shown(), first, last: ledger.releases.len() }));
    }
    let misfits = misfits.iter().map(ListMisfit::said).collect();
    Err(Failure::audit(LedgerFault::List { list: shown(), misfits }))
}

/// The first release whose state the list names, and what does not fit. A list that was lost is begun anew, so that the earliest releases
/// may be missing, but none between others.
fn compared(ledger: &Ledger, known: &BTreeSet<&str>, own: Option<Fate>) -> (usize, Vec<ListMisfit>) {
    let last = ledger.releases.len();
    // The state that each release was made from; earlier versions did not write it down.
    let states: Vec<Option<&str>> = ledger
        .releases
        .iter()
        .enumerate()
        .map(|(at, release)| if at == 0 { Some(NONE) } else { release.before.as_deref() })
        .collect();
    let listed = |at: usize| states[at].is_some_and(|state| known.contains(state));
    let unnamed = states.iter().filter(|state| state.is_none()).count();
    let mut misfits = Vec::new();
    match own {
        Some(Fate::Used) => misfits.push(ListMisfit::Used { release: last + 1 }),
        Some(Fate::TakenBack) => misfits.push(ListMisfit::TakenBack { release: last }),
        Some(Fate::Erased) => misfits.push(ListMisfit::Erased),
        None => {}
    }
    let first = (0..last).find(|&at| listed(at));
    let from = first.unwrap_or(last);
    let missing: Vec<usize> =
        (from..last).filter(|&at| states[at].is_some() && !listed(at)).map(|at| at + 1).collect();
    if !missing.is_empty() {
        misfits.push(ListMisfit::Missing { releases: missing });
    }
    if first.is_none() && unnamed == 0 {
        misfits.push(ListMisfit::Foreign);
    }
    // An older version may have named one state in two ways.
    let versions = ledger.releases.windows(2).filter(|pair| pair[0].version != pair[1].version).count();
    let stated: BTreeSet<&str> = states.iter().copied().flatten().collect();
    let more = known.iter().filter(|state| !stated.contains(*state)).count();
    // The ledger's own state is told of above.
    let more = more.saturating_sub(usize::from(own == Some(Fate::Used)));
    if first.is_some() && more > unnamed + versions {
        misfits.push(ListMisfit::More { states: more - unnamed });
    }
    (first.map_or(last, |at| at + 1), misfits)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]
mod tests {
    use lookalike_model::{
        ledger::{Mode, Release},
        settings::{Model, Settings},
    };

    use super::*;

    /// A ledger whose releases were made from these states.
    fn ledger(before: &[Option<&str>]) -> Ledger {
        let settings = Settings::of(Model::MInvariance { m: 2 });
        let mut ledger = Ledger::new(String::from("s"), String::from("id"), Mode::TauSafety, &settings);
        ledger.releases = before
            .iter()
            .map(|before| Release { before: before.map(String::from), ..Release::default() })
            .collect();
        ledger
    }

    fn told(before: &[Option<&str>], known: &[&str], own: Option<Fate>) -> (usize, Vec<ListMisfit>) {
        compared(&ledger(before), &known.iter().copied().collect(), own)
    }

    #[test]
    fn what_the_list_names_is_what_the_releases_were_made_from() {
        let three = [None, Some("a1"), Some("b2")];
        assert_eq!(told(&three, &["none", "a1", "b2"], None), (1, vec![]));
        // The list was lost before the second release, and begun anew.
        assert_eq!(told(&three, &["a1", "b2"], None), (2, vec![]));
        let hole = vec![ListMisfit::Missing { releases: vec![2] }];
        assert_eq!(told(&three, &["none", "b2"], None), (1, hole));
        let old = vec![ListMisfit::Used { release: 4 }];
        assert_eq!(told(&three, &["none", "a1", "b2", "c3"], Some(Fate::Used)), (1, old));
        let back = vec![ListMisfit::TakenBack { release: 3 }];
        assert_eq!(told(&three, &["none", "a1", "b2"], Some(Fate::TakenBack)), (1, back));
        let more = vec![ListMisfit::More { states: 1 }];
        assert_eq!(told(&three, &["none", "a1", "b2", "d4"], None), (1, more));
        assert_eq!(told(&three, &["d4", "e5"], None), (3, vec![ListMisfit::Foreign]));
    }

    #[test]
    fn releases_of_earlier_versions_did_not_write_down_their_state() {
        let old = [None, None, Some("b2")];
        assert_eq!(told(&old, &["none", "a1", "b2"], None), (1, vec![]));
        let more = vec![ListMisfit::More { states: 1 }];
        assert_eq!(told(&old, &["none", "a1", "b2", "d4"], None), (1, more));
    }
}
