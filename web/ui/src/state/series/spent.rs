//! States of a series whose release was saved in this visit: two releases from one state can betray people together.

use super::{SeriesKind, SeriesState, State};

/// The state before the first release, which has no ledger.
const NONE: &str = "none";

/// A state and the release that was saved from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Fingerprint of the ledger that the release went on from.
    state: String,
    /// Number of the release.
    pub release: u32,
    /// The table that it was made of.
    pub table: String,
}

impl SeriesState {
    /// The state that the next release goes on from.
    pub(super) fn state(&self) -> String {
        match self.kind {
            SeriesKind::Later => self.info().map(|info| info.state.clone()).unwrap_or_default(),
            SeriesKind::Alone | SeriesKind::First => NONE.to_owned(),
        }
    }

    /// The release that was saved from the state that the next one goes on from.
    #[must_use]
    pub fn spent(&self) -> Option<&Spent> {
        let state = self.state();
        self.spent.iter().filter(|_| self.kind != SeriesKind::Alone).find(|spent| spent.state == state)
    }

    /// Whether the next release would be a second one from the same state, which nobody has asked for.
    #[must_use]
    pub fn must_not_fork(&self) -> bool {
        self.spent().is_some() && !self.replaces
    }
}

/// The ledger of the last run was saved: its release counts.
pub(super) fn saved(state: &mut State) {
    let table = state.source.as_ref().map(|source| source.name.clone()).unwrap_or_default();
    let series = &mut state.series;
    let (Some(released), Some((_, from))) = (&mut series.released, &series.used) else { return };
    released.saved = true;
    let now = Spent { state: from.clone(), release: released.updates.release, table };
    series.spent.retain(|spent| spent.state != now.state);
    series.spent.push(now);
    series.replaces = false;
}

/// A table of other columns begins a series of its own.
pub(super) fn other_people(series: &mut SeriesState) {
    series.spent.retain(|spent| spent.state != NONE);
}
