//! Releases over time: what the page knows of the series, and how that changes.

use std::rc::Rc;

use lookalike_model::{
    ledger::{Mode, Signatures, Vacancies},
    report::SeriesUpdates,
    settings::{Fake, Repair},
};
use lookalike_wire::series::{Exposure, LedgerInfo, ReleasePeople, SeriesJudged, SeriesOptions, SeriesTold};
use lookalike_words::Said;

mod spent;

pub use self::spent::Spent;
use super::{State, columns, reduce::attend};
use crate::{
    form::{Form, ModelChoice, Role},
    texts::Words,
};

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

/// Everything that the page knows of the series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeriesState {
    /// What the open table is.
    pub kind: SeriesKind,
    /// What stood in the fields before the table was said to belong to a series.
    before: Option<Before>,
    /// The fields.
    pub form: SeriesForm,
    /// The ledger that was chosen.
    pub ledger: Option<Ledger>,
    /// The key of pseudonyms that was chosen: its name, and why it is refused, if it is; `None` until that is known.
    pub key: Option<(String, Option<Option<Said>>)>,
    /// The table that was held against it: its name, and why it is not the last release, if it is not.
    pub previous: Option<(String, Option<Option<Said>>)>,
    /// How the run that is under way, or the last one, makes its release, and the state that it goes on from.
    used: Option<(SeriesOptions, String)>,
    /// States whose release was saved in this visit.
    spent: Vec<Spent>,
    /// Somebody said that the next release takes the place of one that was saved.
    pub replaces: bool,
    /// What the last run released.
    pub released: Option<Released>,
    /// The releases that are judged together, here or in the view that checks.
    pub audit: AuditState,
}

/// What a series sets in the fields of a table for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Before {
    model: ModelChoice,
    eligibility: Repair,
    fake: Fake,
}

impl Before {
    fn of(form: &Form) -> Self {
        Self { model: form.model, eligibility: form.eligibility, fake: form.changes.fake }
    }
}

/// What a series needs: it is m-invariant, counterfeits are what it lives on, and later releases fill up frequent values.
const NEEDED: Before =
    Before { model: ModelChoice::MInvariance, eligibility: Repair::Add, fake: Fake::Frequent };

/// The fields of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesForm {
    /// The column that names individuals; empty until it is chosen.
    pub id: String,
    /// Which updates are expected.
    pub mode: Mode,
    /// Which signatures the classes of new records get.
    pub signatures: Signatures,
    /// What takes the places of people who left, of a series that begins; `None` is what its mode has.
    pub vacancies: Option<Vacancies>,
    /// The price of a counterfeit, as it was typed; empty for as few as need be.
    pub price: String,
}

impl Default for SeriesForm {
    fn default() -> Self {
        Self {
            id: String::new(),
            mode: Mode::TauSafety,
            signatures: Signatures::Free,
            vacancies: None,
            price: String::new(),
        }
    }
}

impl SeriesForm {
    /// What takes the places of people who left: what was chosen, or what the mode has.
    #[must_use]
    pub fn vacancies(&self) -> Vacancies {
        self.vacancies.unwrap_or(self.mode.vacancies())
    }

    /// The price of a counterfeit, if there is one; an error if it is no number of at least 0.
    fn price(&self) -> Result<Option<f64>, ()> {
        match self.price.trim() {
            "" => Ok(None),
            text => match text.parse::<f64>() {
                Ok(price) if price.is_finite() && price >= 0.0 => Ok(Some(price)),
                _ => Err(()),
            },
        }
    }

    /// Whether the price can be used.
    #[must_use]
    pub fn price_is_good(&self) -> bool {
        self.price().is_ok()
    }
}

/// A ledger that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    /// Name of its file.
    pub name: String,
    /// Its last release is made again.
    pub again: bool,
    /// What it says, or why it is refused; `None` until that is known.
    pub info: Option<Rc<Result<Box<LedgerInfo>, Said>>>,
}

/// What a run released.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Released {
    /// What changed since the release before.
    pub updates: SeriesUpdates,
    /// Blob URL of the next ledger.
    pub ledger: String,
    /// Who is in each release, this one included.
    pub timeline: Vec<ReleasePeople>,
    /// The user saved it.
    pub saved: bool,
    /// The user said that it is stored, apart from the release.
    pub stored: bool,
    /// What the numbers of counterfeits would tell; `None` without counterfeits.
    pub exposure: Option<Exposure>,
    /// Blob URL of these numbers.
    pub counts: String,
    /// Somebody accepted what they tell.
    pub accepted: bool,
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
    pub found: Option<Rc<Result<SeriesJudged, Words>>>,
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
    /// Individuals to follow, separated by commas.
    pub individuals: String,
}

impl Default for AuditForm {
    fn default() -> Self {
        let empty = String::new;
        Self {
            mode: Mode::TauSafety,
            m: String::from("3"),
            quasi: empty(),
            sensitive: empty(),
            id: empty(),
            individuals: empty(),
        }
    }
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum SeriesAction {
    /// The open table is to be this.
    Kind(SeriesKind),
    /// The fields were edited.
    Edit(SeriesForm),
    /// A ledger is being read; whether its last release is made again.
    Reading(String, bool),
    /// The key of pseudonyms is being read, or is not to be taken any more.
    Key(Option<String>),
    /// A table is held against it.
    Comparing(String),
    /// The engine answered; where a ledger was made, with its URL and that of the numbers of counterfeits.
    Told(Box<SeriesTold>, [String; 2]),
    /// The user said whether the next ledger is stored, apart from the release.
    Stored(bool),
    /// The next ledger was saved.
    Saved,
    /// In another tab of this browser a ledger was saved.
    Elsewhere(Spent),
    /// Somebody said whether the next release takes the place of the one that was saved.
    Replaces(bool),
    /// Somebody said whether what the numbers of counterfeits tell is accepted.
    Accepted(bool),
    /// Files for the audit were chosen: the place of their list, and their names.
    Files(usize, Vec<String>),
    /// The fields of the audit were edited.
    Ask(Box<AuditForm>),
    /// The releases are being judged.
    Judging,
    /// They were.
    Judged(Box<Result<SeriesJudged, Words>>),
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
        let (signatures, price) = (self.form.signatures, self.form.price().ok()?);
        match self.kind {
            SeriesKind::First if !self.form.id.is_empty() => {
                let (id, mode) = (self.form.id.clone(), self.form.mode);
                let vacancies = Some(self.form.vacancies());
                let pseudonyms = self.has_key()?;
                Some(SeriesOptions { id, mode, signatures, first: true, vacancies, pseudonyms, price })
            }
            SeriesKind::Later => {
                let known = self.info()?;
                Some(SeriesOptions {
                    id: known.id.clone(),
                    mode: known.mode,
                    signatures,
                    first: false,
                    vacancies: None,
                    pseudonyms: known.pseudonyms,
                    price,
                })
            }
            _ => None,
        }
    }

    /// Whether there is a key of pseudonyms; `None` while it is being read, or if it is refused.
    #[must_use]
    pub fn has_key(&self) -> Option<bool> {
        match &self.key {
            None => Some(false),
            Some((_, Some(None))) => Some(true),
            Some(_) => None,
        }
    }

    /// Whether nothing is missing before a run.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.kind == SeriesKind::Alone || (self.options().is_some() && !self.must_not_fork())
    }

    /// Whether table, statement and all else of the last run may be saved: not before its ledger is stored.
    #[must_use]
    pub fn may_go_out(&self) -> bool {
        self.released.as_ref().is_none_or(|released| released.saved && released.stored)
    }

    /// Whether the last run made what would be made now.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.used == self.options().map(|options| (options, self.state()))
    }
}

/// The state after an action.
pub(super) fn reduce(state: &mut State, action: SeriesAction) {
    let series = &mut state.series;
    match action {
        SeriesAction::Kind(kind) => {
            fields(series, &mut state.form, kind);
            (series.kind, series.replaces) = (kind, false);
            if kind != SeriesKind::Later {
                (series.ledger, series.previous) = (None, None);
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
        SeriesAction::Reading(name, again) => {
            // Who makes the last release again has said that nobody has seen it: once, not each time the file is read anew.
            let anew = series.ledger.as_ref().is_some_and(|old| (&old.name, old.again) == (&name, again));
            if !anew {
                series.replaces = again;
            }
            series.ledger = Some(Ledger { name, again, info: None });
            series.previous = None;
        }
        SeriesAction::Key(name) => series.key = name.map(|name| (name, None)),
        SeriesAction::Comparing(name) => series.previous = Some((name, None)),
        SeriesAction::Told(told, urls) => told_of(state, *told, urls),
        SeriesAction::Stored(stored) => {
            if let Some(released) = &mut series.released {
                released.stored = stored && released.saved;
            }
        }
        SeriesAction::Saved => spent::saved(state),
        SeriesAction::Elsewhere(spent) => spent::elsewhere(series, spent),
        SeriesAction::Replaces(replaces) => series.replaces = replaces,
        SeriesAction::Accepted(accepted) => {
            if let Some(released) = &mut series.released {
                released.accepted = accepted;
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

/// Sets the fields as a series needs them. A table that is one for itself after all gets back what stood in them, but for what was
/// changed since.
fn fields(series: &mut SeriesState, form: &mut Form, kind: SeriesKind) {
    if series.kind == SeriesKind::Alone {
        series.before = Some(Before::of(form));
    }
    needed(form, kind);
    let before = series.before.filter(|_| kind == SeriesKind::Alone);
    if let Some(before) = before {
        let (model, eligibility, fake) = (&mut form.model, &mut form.eligibility, &mut form.changes.fake);
        back(model, NEEDED.model, before.model);
        back(eligibility, NEEDED.eligibility, before.eligibility);
        back(fake, NEEDED.fake, before.fake);
    }
}

/// Puts back what stood in a field, unless something else has been chosen since.
fn back<T: Copy + PartialEq>(field: &mut T, needed: T, before: T) {
    if *field == needed {
        *field = before;
    }
}

/// Sets what the first release of a series needs; of a later one its ledger says it.
fn needed(form: &mut Form, kind: SeriesKind) {
    if kind == SeriesKind::First {
        form.model = NEEDED.model;
        if form.eligibility == Repair::Error {
            form.eligibility = NEEDED.eligibility;
        }
        form.changes.fake = NEEDED.fake;
    }
}

/// Puts back what the table was said to be; gives what it is. The ledger stays: who takes that back needs it again.
pub(super) fn restored(series: &mut SeriesState, kind: SeriesKind) -> SeriesKind {
    series.replaces &= series.kind == kind;
    std::mem::replace(&mut series.kind, kind)
}

fn told_of(state: &mut State, told: SeriesTold, [ledger_url, counts]: [String; 2]) {
    let series = &mut state.series;
    match told {
        SeriesTold::Ledger { ledger } => {
            let configured = ledger.as_ref().ok().map(|info| info.configured.clone());
            if let Some(known) = &mut series.ledger {
                known.info = Some(Rc::new(ledger));
            }
            if let Some(configured) = configured {
                let names = names_of_people(state);
                columns::configured(state, Ok(Box::new(configured)));
                state.configured = None;
                for place in names {
                    if let Some(choice) =
                        state.choices.get_mut(place).filter(|choice| choice.role == Role::NotPublished)
                    {
                        choice.role = Role::Identifier;
                    }
                }
            }
            attend(state, "series-ledger");
        }
        SeriesTold::Key { refused } => {
            if let Some((_, known)) = &mut series.key {
                *known = Some(refused);
            }
        }
        SeriesTold::Previous { refused } => {
            if let Some((_, known)) = &mut series.previous {
                *known = Some(refused);
            }
        }
        SeriesTold::Released { updates, timeline, exposure } => {
            let ledger = ledger_url;
            series.released = Some(Released {
                updates,
                ledger,
                timeline,
                saved: false,
                stored: false,
                exposure,
                counts,
                accepted: false,
            });
            series.audit = AuditState::default();
        }
    }
}

/// The columns that name people, as was said or suggested. A ledger knows only which columns are published: that one of the others
/// names people stays known, although it makes no difference to the release.
fn names_of_people(state: &State) -> Vec<usize> {
    let suggested = state.suggestions().into_iter().filter(|(_, role)| *role == Role::Identifier);
    let said = (0..).zip(&state.choices).filter(|(_, choice)| choice.role == Role::Identifier);
    said.map(|(place, _)| place).chain(suggested.map(|(place, _)| place)).collect()
}

/// What a run takes the place of, until it ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Aside {
    used: Option<(SeriesOptions, String)>,
    released: Option<Released>,
}

/// A run begins. What was released before is put aside.
pub(super) fn started(series: &mut SeriesState) -> Aside {
    let used = series.options().map(|options| (options, series.state()));
    Aside { used: std::mem::replace(&mut series.used, used), released: series.released.take() }
}

/// A run did not end with a result: what was released before is there again.
pub(super) fn came_back(series: &mut SeriesState, aside: Aside) {
    (series.used, series.released) = (aside.used, aside.released);
}

/// A table was opened, of the same columns or of others. A ledger is read anew, for it.
pub(super) fn opened(series: &mut SeriesState, form: &mut Form, same: bool) {
    if !same {
        series.form.id.clear();
        // The fields are new.
        if series.kind != SeriesKind::Alone {
            series.before = Some(Before::of(form));
            needed(form, series.kind);
        }
        spent::other_people(series);
    }
    series.released = None;
    series.used = None;
}

/// The engine is started anew, and has forgotten the ledger. What was released is with the page.
pub(super) fn restarted(series: &mut SeriesState) {
    if let Some(ledger) = &mut series.ledger {
        ledger.info = None;
    }
    series.previous = None;
    series.audit = AuditState::default();
}

#[cfg(test)]
mod tests;
