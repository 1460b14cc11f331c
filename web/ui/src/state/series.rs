//! Releases over time: what the page knows of the series, and how that changes.

use std::rc::Rc;

use lookalike_wire::{
    ledger::{Mode, Signatures},
    report::SeriesUpdates,
    series::{LedgerInfo, SeriesJudged, SeriesOptions, SeriesTold},
    settings::{Fake, Repair},
};

use super::{State, columns, reduce::attend};
use crate::form::{ModelChoice, Role};

/// What the open table is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeriesKind {
    /// A table for itself.
    #[default]
    Alone,
    /// The first release of a series.
    First,
    /// A later one.
    Later,
}

/// Whether the engine knows series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Knows {
    #[default]
    No,
    /// The table is being read by one that does.
    Soon,
    Yes,
}

/// Everything that the page knows of the series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeriesState {
    /// What the open table is.
    pub kind: SeriesKind,
    knows: Knows,
    /// The fields.
    pub form: SeriesForm,
    /// The ledger that was chosen.
    pub ledger: Option<Ledger>,
    /// The table that was held against it: its name, and why it is not the last release, if it is not.
    pub previous: Option<(String, Option<Option<String>>)>,
    /// How the run that is under way, or the last one, makes its release.
    used: Option<SeriesOptions>,
    /// What the last run released.
    pub released: Option<Released>,
    /// The releases that are judged together, here or in the view that checks.
    pub audit: AuditState,
}

/// The fields of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesForm {
    /// The column that names individuals; empty until it is chosen.
    pub id: String,
    /// Which updates are expected.
    pub mode: Mode,
    /// Which signatures the classes of new records get.
    pub signatures: Signatures,
}

impl Default for SeriesForm {
    fn default() -> Self {
        Self { id: String::new(), mode: Mode::TauSafety, signatures: Signatures::Free }
    }
}

/// A ledger that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    /// Name of its file.
    pub name: String,
    /// What it says, or why it is refused; `None` until that is known.
    pub info: Option<Rc<Result<Box<LedgerInfo>, String>>>,
}

/// What a run released.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Released {
    /// What changed since the release before.
    pub updates: SeriesUpdates,
    /// Blob URL of the next ledger.
    pub ledger: String,
    /// Somebody said that it is kept apart from the release.
    pub kept_apart: bool,
}

/// Releases that are judged together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditState {
    /// Names of the releases, the ledger, the sources.
    pub files: [Vec<String>; 3],
    /// The fields, as they were typed.
    pub asked: AuditForm,
    /// They are being judged.
    pub busy: bool,
    /// What was found, or why nothing was.
    pub found: Option<Rc<Result<SeriesJudged, String>>>,
}

/// What is asked of releases without a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditForm {
    /// Which updates are expected.
    pub mode: Mode,
    /// Least number of values that must be left.
    pub m: String,
    /// Columns that others may know, separated by commas.
    pub quasi: String,
    /// The protected column.
    pub sensitive: String,
    /// The column of the sources that names individuals.
    pub id: String,
}

impl Default for AuditForm {
    fn default() -> Self {
        let m = String::from("3");
        Self { mode: Mode::TauSafety, m, quasi: String::new(), sensitive: String::new(), id: String::new() }
    }
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum SeriesAction {
    /// The open table is to be this; if it is read anew by an engine that knows series, that is said.
    Kind(SeriesKind, bool),
    /// The fields were edited.
    Edit(SeriesForm),
    /// A ledger is being read.
    Reading(String),
    /// A table is held against it.
    Comparing(String),
    /// The engine answered; where a ledger was made, with its URL.
    Told(Box<SeriesTold>, String),
    /// Somebody said whether the next ledger is kept apart from the release.
    KeptApart(bool),
    /// Files for the audit were chosen: the place of their list, and their names.
    Files(usize, Vec<String>),
    /// The fields of the audit were edited.
    Ask(Box<AuditForm>),
    /// The releases are being judged.
    Judging,
    /// They were.
    Judged(Box<Result<SeriesJudged, String>>),
}

impl SeriesState {
    /// What the ledger says, if it was read.
    #[must_use]
    pub fn info(&self) -> Option<&LedgerInfo> {
        self.ledger.as_ref()?.info.as_deref()?.as_ref().ok().map(Box::as_ref)
    }

    /// How the next release is to be made; `None` for a table for itself, or while something is missing.
    #[must_use]
    pub fn options(&self) -> Option<SeriesOptions> {
        let signatures = self.form.signatures;
        match (self.kind, self.knows) {
            (SeriesKind::First, Knows::Yes) if !self.form.id.is_empty() => {
                let (id, mode) = (self.form.id.clone(), self.form.mode);
                Some(SeriesOptions { id, mode, signatures, first: true })
            }
            (SeriesKind::Later, Knows::Yes) => {
                let known = self.info()?;
                Some(SeriesOptions { id: known.id.clone(), mode: known.mode, signatures, first: false })
            }
            _ => None,
        }
    }

    /// Whether the engine that has the table knows series, or soon will.
    #[must_use]
    pub fn engine_knows(&self) -> bool {
        self.knows != Knows::No
    }

    /// Whether nothing is missing before a run.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.kind == SeriesKind::Alone || self.options().is_some()
    }

    /// Whether the last run made what would be made now.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.used == self.options()
    }
}

/// The state after an action.
pub(super) fn reduce(state: &mut State, action: SeriesAction) {
    let series = &mut state.series;
    match action {
        SeriesAction::Kind(kind, anew) => {
            series.kind = kind;
            if anew {
                series.knows = Knows::Soon;
            }
            if kind == SeriesKind::First {
                state.form.model = ModelChoice::MInvariance;
                // Counterfeits are what a series lives on; later releases fill up frequent values.
                if state.form.eligibility == Repair::Error {
                    state.form.eligibility = Repair::Add;
                }
                state.form.changes.fake = Fake::Frequent;
            }
            // Whoever chose it stays there while the table is read anew.
            if let Some(attempt) = state.attempt.as_mut().filter(|_| anew) {
                attempt.changed = Some("series-kind");
            }
        }
        SeriesAction::Edit(form) => {
            let id = form.id.clone();
            series.form = form;
            let place =
                state.table.as_ref().and_then(|table| table.columns.iter().position(|c| c.name == id));
            if let Some(choice) = place.and_then(|at| state.choices.get_mut(at))
                && choice.role == Role::NotPublished
            {
                choice.role = Role::Identifier;
            }
        }
        SeriesAction::Reading(name) => {
            series.ledger = Some(Ledger { name, info: None });
            series.previous = None;
        }
        SeriesAction::Comparing(name) => series.previous = Some((name, None)),
        SeriesAction::Told(told, url) => told_of(state, *told, url),
        SeriesAction::KeptApart(kept) => {
            if let Some(released) = &mut series.released {
                released.kept_apart = kept;
            }
        }
        SeriesAction::Files(at, names) => {
            series.audit.files[at] = names;
            series.audit.found = None;
        }
        SeriesAction::Ask(asked) => (series.audit.asked, series.audit.found) = (*asked, None),
        SeriesAction::Judging => (series.audit.busy, series.audit.found) = (true, None),
        SeriesAction::Judged(found) => {
            series.audit.busy = false;
            series.audit.found = Some(Rc::new(*found));
            attend(state, "series-judged");
        }
    }
}

fn told_of(state: &mut State, told: SeriesTold, url: String) {
    let series = &mut state.series;
    match told {
        SeriesTold::Ledger { ledger } => {
            let configured = ledger.as_ref().ok().map(|info| info.configured.clone());
            if let Some(known) = &mut series.ledger {
                known.info = Some(Rc::new(ledger));
            }
            if let Some(configured) = configured {
                columns::configured(state, Ok(Box::new(configured)));
                state.configured = None;
            }
            attend(state, "series-ledger");
        }
        SeriesTold::Previous { refused } => {
            if let Some((_, known)) = &mut series.previous {
                *known = Some(refused);
            }
        }
        SeriesTold::Released { updates } => {
            series.released = Some(Released { updates, ledger: url, kept_apart: false });
            series.audit = AuditState::default();
        }
    }
}

/// A run begins.
pub(super) fn started(series: &mut SeriesState) {
    series.used = series.options();
    series.released = None;
}

/// A table was opened, of the same columns or of others. A ledger is read anew, for it.
pub(super) fn opened(series: &mut SeriesState, same: bool) {
    if series.knows == Knows::Soon {
        series.knows = Knows::Yes;
    }
    if !same {
        series.form.id.clear();
    }
    series.released = None;
    series.used = None;
}

/// The desk has no answer to what was asked of it.
pub(super) fn unjudged(series: &mut SeriesState, why: String) {
    series.audit.busy = false;
    series.audit.found = Some(Rc::new(Err(why)));
}

/// Something failed: an engine that was to be loaded is not there.
pub(super) fn failed(series: &mut SeriesState) {
    if series.knows == Knows::Soon {
        (series.knows, series.kind) = (Knows::No, SeriesKind::Alone);
    }
    series.audit.busy = false;
}

/// The engine is started anew, and has forgotten the ledger.
pub(super) fn restarted(series: &mut SeriesState) {
    series.ledger = None;
    series.previous = None;
    series.released = None;
    series.audit = AuditState::default();
    if series.knows != Knows::No {
        series.knows = Knows::Soon;
    }
}

#[cfg(test)]
mod tests {
    use lookalike_wire::{
        desk::Configured,
        settings::{Model, Settings},
    };

    use super::*;
    use crate::state::{
        Action,
        tests::{described, finished},
        {Downloads, reduce},
    };

    fn act(state: State, action: SeriesAction) -> State {
        reduce(state, Action::Series(action))
    }

    /// The first release of a series, its table read by an engine that knows series.
    fn first() -> State {
        let state = act(described(), SeriesAction::Kind(SeriesKind::First, true));
        assert!(!state.can_start() && state.series.options().is_none());
        let source = state.source.clone().expect("a table is open");
        let table = (**state.table.as_ref().expect("a table is open")).clone();
        let state = reduce(reduce(state, Action::Opening(source)), Action::Opened(table));
        assert!(!state.can_start(), "nobody has said who is who");
        let id = state.table.as_ref().expect("open").columns[0].name.clone();
        act(state, SeriesAction::Edit(SeriesForm { id, ..SeriesForm::default() }))
    }

    #[test]
    fn a_series_begins_with_a_column_of_individuals_and_adds_counterfeits() {
        let state = first();
        let options = state.series.options().expect("all is said");
        assert!(options.first && state.can_start());
        assert_eq!((state.form.eligibility, state.form.changes.fake), (Repair::Add, Fake::Frequent));
        // Another way to make it is another release.
        let run = |state: State, settings: &Settings| {
            let started = Action::Started(crate::state::Place::Here, Rc::new(settings.clone()));
            let state = reduce(state, started);
            reduce(state, Action::Finished(Box::new(finished(true)), Downloads::default()))
        };
        let settings =
            state.settings().expect("open").unwrap_or_else(|_| Settings::of(Model::MInvariance { m: 3 }));
        let done = run(state, &settings);
        assert!(done.series.is_current());
        let form = SeriesForm { mode: Mode::Incremental, ..done.series.form.clone() };
        assert!(!act(done, SeriesAction::Edit(form)).series.is_current());
    }

    #[test]
    fn a_refused_ledger_holds_the_run_back() {
        let state = act(first(), SeriesAction::Kind(SeriesKind::Later, false));
        assert!(!state.can_start());
        let state = act(state, SeriesAction::Reading(String::from("l.json")));
        let told = |ledger| SeriesAction::Told(Box::new(SeriesTold::Ledger { ledger }), String::new());
        let refused = act(state.clone(), told(Err(String::from("damaged"))));
        assert!(!refused.can_start() && refused.series.info().is_none());
        let settings =
            Settings { sensitive: Some(String::from("x")), ..Settings::of(Model::MInvariance { m: 7 }) };
        let info = LedgerInfo {
            id: String::from("who"),
            mode: Mode::MInvariance,
            releases: 2,
            individuals: 9,
            rows: 5,
            configured: Configured { settings, identifiers: Vec::new(), notes: Vec::new() },
            changes: Ok(SeriesUpdates::default()),
        };
        let read = act(state, told(Ok(Box::new(info))));
        assert_eq!(read.form.m, "7", "the series' own settings");
        let options = read.series.options().expect("the ledger says all");
        assert_eq!((options.id.as_str(), options.mode, options.first), ("who", Mode::MInvariance, false));
        // An engine that is started anew knows no ledger.
        let anew = reduce(read, Action::EngineRestarted);
        assert!(anew.series.ledger.is_none() && anew.series.options().is_none());
    }

    #[test]
    fn what_could_not_be_loaded_leaves_a_table_for_itself() {
        let state = act(described(), SeriesAction::Kind(SeriesKind::First, true));
        let state = reduce(state, Action::Failed(String::from("offline")));
        assert_eq!(state.series.kind, SeriesKind::Alone);
        assert!(state.series.is_settled());
    }
}
