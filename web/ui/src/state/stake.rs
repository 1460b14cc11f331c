//! What would be lost if the page were closed now, or another table took the place of this one.

use super::{State, Work};

/// What would be lost, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stake {
    /// The ledger of a release: without it no later release can be made.
    Ledger,
    /// A result whose table or statement nobody has saved.
    Result,
    /// A search that is under way.
    Search,
}

impl State {
    /// What would be lost; `None` if nothing would.
    #[must_use]
    pub fn at_stake(&self) -> Option<Stake> {
        let passed = self.results.as_ref().is_some_and(|results| results.finished.report.audit.passed);
        // A release that failed its audit is none, and while a run goes on there is nothing of it to be saved.
        let made = passed && !matches!(self.work, Work::Solving(_));
        if made && self.series.released.as_ref().is_some_and(|released| !released.saved) {
            return Some(Stake::Ledger);
        }
        if self.results.as_ref().is_some_and(|results| results.is_unsaved()) {
            return Some(Stake::Result);
        }
        matches!(self.work, Work::Solving(_)).then_some(Stake::Search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{
        Action, Downloads, ResultFile, reduce,
        tests::{described, finished, solved, solving},
    };

    #[test]
    fn what_nobody_has_saved() {
        assert_eq!(described().at_stake(), None, "roles are quickly set again");
        assert_eq!(solving().at_stake(), Some(Stake::Search));
        assert_eq!(solved().at_stake(), Some(Stake::Result));
        let saved = |state: State, files: &[ResultFile]| {
            files.iter().fold(state, |state, file| reduce(state, Action::Saved(*file)))
        };
        let both = [ResultFile::Table, ResultFile::Statement];
        for one in both {
            let half = saved(solved(), &[one]);
            assert_eq!(half.at_stake(), Some(Stake::Result));
            let left = half.results.as_ref().unwrap().unsaved();
            assert!(left.len() == 3 && !left.contains(&one), "{left:?}");
        }
        // The private files are asked for with the others, not alone.
        assert_eq!(saved(solved(), &both).at_stake(), None);
        let failed = reduce(solving(), Action::Finished(Box::new(finished(false)), Downloads::default()));
        assert_eq!(failed.at_stake(), None, "there is no table to save");
        // What another run makes is to be saved anew.
        let again = reduce(saved(solved(), &both), {
            let settings = solved().settings().unwrap().unwrap();
            Action::Started(crate::state::Place::Here, settings.into())
        });
        assert_eq!(again.at_stake(), Some(Stake::Search));
        let done = reduce(again, Action::Finished(Box::new(finished(true)), Downloads::default()));
        assert_eq!(done.at_stake(), Some(Stake::Result));
    }
}
