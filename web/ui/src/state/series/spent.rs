//! States of a series whose release was saved in this visit: two releases from one state can betray people together.

use super::{SeriesKind, SeriesState, State};

/// The state before the first release, which has no ledger.
const NONE: &str = "none";

/// A state and the release that was saved from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Fingerprint of the ledger that the release went on from.
    pub state: String,
    /// Number of the release.
    pub release: u32,
    /// The table that it was made of.
    pub table: String,
    /// It was made in this tab.
    pub here: bool,
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

    /// What another tab has to know once the ledger of the last run is saved. The first release of a series has no ledger that others
    /// could go on from.
    #[must_use]
    pub fn to_tell(&self, table: &str) -> Option<Spent> {
        let ((_, from), released) = (self.used.as_ref()?, self.released.as_ref()?);
        (from != NONE).then(|| Spent {
            state: from.clone(),
            release: released.updates.release,
            table: table.to_owned(),
            here: false,
        })
    }

    /// The release that another tab has saved from the state that the last run went on from.
    #[must_use]
    pub fn rival(&self) -> Option<&Spent> {
        let (_, from) = self.used.as_ref().filter(|_| self.released.is_some())?;
        self.spent.iter().find(|spent| !spent.here && spent.state == *from)
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
    let now = Spent { state: from.clone(), release: released.updates.release, table, here: true };
    series.spent.retain(|spent| !spent.here || spent.state != now.state);
    series.spent.push(now);
    series.replaces = false;
}

/// Another tab has saved a release: whatever was said of replacing one was not said of this.
pub(super) fn elsewhere(series: &mut SeriesState, spent: Spent) {
    if series.state() == spent.state {
        series.replaces = false;
    }
    series.spent.retain(|known| *known != spent);
    series.spent.push(spent);
}

/// A table of other columns begins a series of its own.
pub(super) fn other_people(series: &mut SeriesState) {
    series.spent.retain(|spent| spent.state != NONE);
}
