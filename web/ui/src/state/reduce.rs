//! How the state changes.

use std::{borrow::Cow, rc::Rc};

use lookalike_model::{info::TableInfo, job::BoundOf, sent::Sent, settings::Settings, survey::Survey};
use lookalike_wire::{opening::Form as FileForm, page::Finished};
use lookalike_words::Said;

use super::{
    Action, Attempt, Attention, Certificate, Downloads, Engine, FailedAt, Failure, Memory, OpenIds, Place,
    Results, Run, Source, State, View, Work, Workbook, browse, bulk, cells, check, columns, estimate,
    keeping, look, picking, reading, replaced, series, suggested, undo, view, weights,
};
use crate::{
    form::{Choice, Decided, Form, ModelChoice, Role},
    settings::Field,
    texts::Words,
};

/// The state after an action. Actions that do not fit the state, such as a report of a run that was given up, change
/// nothing.
#[must_use]
pub fn reduce(mut state: State, action: Action) -> State {
    let (before, moved) = (undo::before(&state, &action), undo::moved(&action));
    let refused = state.failure.as_ref().is_some_and(|failure| failure.at == FailedAt::Solving);
    let refused = refused.then(|| undo::snapshot(&state));
    apply(&mut state, action);
    // Why a run failed says nothing of other columns, roles or settings.
    if refused.is_some_and(|by| by != undo::snapshot(&state)) {
        state.failure.take_if(|failure| failure.at == FailedAt::Solving);
    }
    if let Some(before) = before {
        undo::note(&mut state, before, moved);
    }
    state
}

fn apply(state: &mut State, action: Action) {
    match action {
        Action::Speaks(language) => state.language = language,
        Action::Speechless(message) => speechless(state, message),
        Action::EngineUp { threads, isolated } => state.engine = Engine::Up { threads, isolated },
        Action::Holds(held) => state.held = Some(held),
        Action::EngineLost(why) => engine_lost(state, why),
        Action::EngineRestarted => engine_restarted(state),
        Action::WorkerOffered(worker) => state.worker = Some(worker),
        Action::Token(token) => state.token = token,
        Action::DraggedOver(over) => state.dragged_over = over,
        Action::Opening(source) => opening(state, source),
        Action::Found(form) => found(state, form),
        Action::Reading(action) => reading::reduce(state, action),
        Action::Pick(action) => picking::reduce(state, action),
        Action::Opened(table) => opened(state, table),
        Action::Describing => state.cells.asked = true,
        Action::Described(told, described) => cells::described(state, told, described),
        Action::SetRole(column, role) => columns::role(state, column, role),
        Action::Accept => suggested::accept(state),
        Action::Answer(form) => {
            state.form = *form;
            lead_on(state);
        }
        Action::Secret(column) => {
            columns::role(state, column, Role::Sensitive);
            lead_on(state);
        }
        Action::NoSecret => suggested::none_secret(state),
        Action::WithoutSecret(k) => suggested::without_secret(state, k),
        Action::View(action) => view::reduce(state, action),
        Action::EditColumn(column, choice) => columns::edit(state, column, *choice),
        Action::Take(column, choice, field) => columns::take(state, column, *choice, field),
        Action::Bulk(action) => bulk::reduce(state, action),
        Action::Weights(action) => weights::reduce(state, action),
        Action::Detail(column) => columns::detail(state, column),
        Action::Values(column, values) => columns::values(state, &column, values),
        Action::ChooseValue(value) => columns::of_detail(state, |detail| detail.value = value),
        Action::MoveValue(towards) => columns::move_value(state, towards),
        Action::Making(making) => columns::of_detail(state, |detail| detail.making = making),
        Action::Hierarchy(column, made) => columns::hierarchy(state, &column, made),
        Action::Configured(configured) => columns::configured(state, configured),
        Action::Certifying => state.certificate = Some(Certificate::Checking),
        Action::Certified(found) => {
            state.certificate = Some(Certificate::Found(found));
            attend(state, "certificate-found");
        }
        Action::Bring(way) => replaced::wanted(state, way),
        Action::Undo => undo::undo(state),
        Action::Redo => undo::redo(state),
        Action::Remember(on) => {
            state.memory.on = on;
            if !on {
                state.memory.before = Rc::default();
            }
        }
        Action::Remembered(before) => state.memory = Memory { on: true, before },
        Action::Keep(action) => keeping::reduce(state, action),
        Action::Browse(action) => browse::reduce(&mut state.browse, state.choices.len(), action),
        Action::Estimate(action) => estimate::reduce(&mut state.estimate, action),
        Action::Look(action) => look::reduce(state, action),
        Action::Check(action) => check::reduce(state, action),
        Action::Series(action) => series::reduce(state, action),
        Action::SurveyAll => state.survey_all = true,
        Action::Edit(form) => state.form = *form,
        Action::Surveying => state.survey = None,
        Action::Surveyed(survey) => surveyed(state, *survey),
        Action::Refused => refused(state),
        Action::Lead(field) => lead(state, field),
        Action::Started(place, settings) => started(state, place, settings),
        Action::Progress(progress) => {
            state.silence = 0;
            of_run(state, |run| run.report(progress));
        }
        Action::Fetched(fetched) => state.requests.get_or_insert_default().note(fetched),
        Action::Sent(sent) => numbers_sent(state, sent),
        Action::Heard => state.silence = 0,
        Action::Stopping => of_run(state, |run| run.stopping = true),
        Action::Cancelling => of_run(state, |run| run.cancelling = true),
        Action::Finished(finished, downloads) => finish(state, *finished, downloads),
        Action::Stated(link) => of_results(state, |results| results.downloads.statement = link),
        Action::Workbook(workbook) => of_results(state, |results| results.workbook = workbook),
        Action::Saved(file) => of_results(state, |results| results.saved.push(file)),
        Action::Abandoned => abandoned(state),
        Action::Failed(message) => fail(state, message),
        Action::Complained(message) => complain(state, message),
        Action::Tick => {
            if state.is_busy() {
                state.silence = state.silence.saturating_add(1);
            }
            of_run(state, Run::tick);
        }
    }
}

/// A file is being read.
fn opening(state: &mut State, source: Source) {
    state.failure = None;
    state.look.again &= state.source.as_ref() == Some(&source);
    state.attempt = Some(Attempt::after(state.attempt.take(), source.clone(), &OpenIds::OPEN));
    reading::begun(state);
    begin(state, Work::Opening(source));
}

/// What the file is taken for that is being read.
fn found(state: &mut State, form: FileForm) {
    state.silence = 0;
    if let Some(attempt) = &mut state.attempt {
        attempt.form = Some(Rc::new(form));
        state.reading.found = true;
    }
}

/// Changes something of the run that is under way, if there is one.
fn of_run(state: &mut State, change: impl FnOnce(&mut Run)) {
    if let Work::Solving(run) = &mut state.work {
        change(run);
    }
}

/// Changes something of the results, if there still are any.
fn of_results(state: &mut State, change: impl FnOnce(&mut Results)) {
    if let Some(results) = &mut state.results {
        change(Rc::make_mut(results));
    }
}

fn speechless(state: &mut State, message: Words) {
    state.failure = Some(Failure { at: FailedAt::Speaking, message });
    attend(state, "failure");
}

/// Leads to the first field that is wrong. Why the run before failed is no longer the question.
fn refused(state: &mut State) {
    state.tried = true;
    state.failure.take_if(|failure| failure.at == FailedAt::Solving);
    if let Some(first) = state.invalid().first() {
        lead(state, first.field);
    }
}

/// Leads to a field: to its question, to the sheet of a column, or to the expert settings.
fn lead(state: &mut State, field: Field) {
    if let Field::Column(column) = field {
        columns::show(state, column);
        state.view.expert = false;
        attend(state, "column-sheet");
    } else if field.is_question() {
        attend(state, field.question());
    } else {
        if field.is_expert() {
            state.view.expert = true;
            state.detail = None;
        }
        attend(state, field.id());
    }
}

/// Leads to the first open question, and after the last one to the number.
pub(super) fn lead_on(state: &mut State) {
    let open = state.invalid();
    let number = match state.form.model {
        ModelChoice::MInvariance => "m",
        ModelChoice::KAnonymity => "k",
    };
    let first = open.iter().find(|w| w.field.describes()).or(open.first());
    attend(state, first.map_or(number, |w| w.field.question()));
}

/// What was made before stays: it comes back if this run does not end with a result.
fn started(state: &mut State, place: Place, settings: Rc<Settings>) {
    state.failure = None;
    // What is being written of the result before is not waited for.
    of_results(state, Results::stop_writing);
    (state.view.expert, state.detail) = (false, None);
    state.keeping.is_back = false;
    let aside = series::started(&mut state.series);
    let run = Run::new(place, settings, undo::snapshot(state), aside);
    begin(state, Work::Solving(Box::new(run)));
    attend(state, "running");
}

fn begin(state: &mut State, work: Work) {
    state.work = work;
    state.silence = 0;
}

pub(super) fn attend(state: &mut State, id: impl Into<Cow<'static, str>>) {
    state.attention = Attention { serial: state.attention.serial.wrapping_add(1), id: id.into() };
}

/// A table with the same columns as the one before keeps roles and fields; another one starts afresh.
fn opened(state: &mut State, table: TableInfo) {
    let Work::Opening(source) = std::mem::take(&mut state.work) else { return };
    let names = |table: &TableInfo| table.columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    let same = state.table.as_ref().is_some_and(|before| names(before) == names(&table));
    replaced::note(state, &source);
    let rows = state.table.as_ref().map(|before| before.rows);
    let again = std::mem::take(&mut state.look.again) && same && rows == Some(table.rows);
    if !same {
        state.choices = vec![Choice::default(); table.columns.len()];
        state.form = Form::default();
        state.tried = false;
        state.configured = None;
        state.bulk = super::Bulk::default();
        state.edits = super::Edits::default();
    }
    let back = replaced::came(state, &names(&table));
    if !again {
        series::opened(&mut state.series, &mut state.form, same);
        state.results = None;
        look::forget(&mut state.look);
    }
    let taken_over = same && !again && state.choices.iter().any(|choice| choice.decided != Decided::Nobody);
    (state.detail, state.view) = (None, View { taken_over, ..View::default() });
    state.survey_all = false;
    state.certificate = None;
    state.source = Some(source);
    reading::opened(state);
    keeping::opened(state, back);
    state.table = Some(Rc::new(table));
    state.tables = state.tables.wrapping_add(1);
    cells::opened(state);
    state.browse = super::BrowseState::default();
    state.estimate = super::EstimateState::default();
    state.survey = None;
    state.failure = None;
    // How it was read is to be looked at first; who changes that stays there.
    let changed = state.attempt.as_ref().and_then(|attempt| attempt.changed);
    attend(state, if again { "anonymize" } else { changed.unwrap_or("opened") });
}

/// An answer about another column comes too late.
fn surveyed(state: &mut State, survey: Result<Survey, Said>) {
    let asked = state.survey_question().map(|question| question.sensitive);
    if survey.as_ref().map_or(asked.is_some(), |s| Some(&s.sensitive) == asked.as_ref()) {
        state.survey = Some(Rc::new(survey));
    }
}

fn numbers_sent(state: &mut State, sent: Sent) {
    of_run(state, |run| run.sent = true);
    state.sent.push(sent);
}

fn finish(state: &mut State, finished: Finished, downloads: Downloads) {
    let Work::Solving(mut run) = std::mem::take(&mut state.work) else { return };
    // What bounds the blocks of a search says nothing of the curve of the whole.
    let whole = finished.report.bound.as_ref().filter(|bound| bound.of == BoundOf::WholeProblem);
    run.end(finished.report.objective.value, whole.map(|bound| bound.value));
    let Run { settings, history, bounds, fields, .. } = *run;
    let workbook = Workbook::Unasked;
    let results = Results { settings, finished, downloads, workbook, history, bounds, saved: Vec::new() };
    look::finished(state, Rc::new(results), fields);
    attend(state, "verdict");
}

fn fail(state: &mut State, message: Words) {
    complain(state, message);
    replaced::failed(state);
    state.look.again = false;
    let work = std::mem::take(&mut state.work);
    come_back(state, work);
}

/// The run is given up.
fn abandoned(state: &mut State) {
    if matches!(state.work, Work::Solving(_)) {
        let work = std::mem::take(&mut state.work);
        come_back(state, work);
        attend(state, "anonymize");
    }
}

/// Nothing came of this work: what a run put aside is there again.
fn come_back(state: &mut State, work: Work) {
    if let Work::Solving(run) = work {
        series::came_back(&mut state.series, run.aside);
    }
}

/// Tells of a failure beside what the page works on.
fn complain(state: &mut State, message: Words) {
    let at = match state.work {
        Work::Opening(_) | Work::Idle => FailedAt::Opening,
        Work::Solving(_) => FailedAt::Solving,
    };
    state.failure = Some(Failure { at, message });
    attend(state, "failure");
}

fn engine_lost(state: &mut State, why: String) {
    // The first word is the most precise: a panic's message comes before the trap that it ends in.
    if !matches!(state.engine, Engine::Lost { .. }) {
        state.engine = Engine::Lost { why };
        // Nobody checks it any more.
        state.certificate.take_if(|of| *of == Certificate::Checking);
        let work = std::mem::take(&mut state.work);
        come_back(state, work);
        of_results(state, Results::stop_writing);
        look::engine_gone(&mut state.look);
        attend(state, "engine-lost");
    }
}

/// The open table has to be read again; until then it stays on the screen.
fn engine_restarted(state: &mut State) {
    (state.engine, state.held) = (Engine::Starting, None);
    check::forget(state);
    let before = std::mem::take(&mut state.work);
    state.look.again = !matches!(before, Work::Opening(_)) && state.source.is_some();
    let work = match (before, &state.source) {
        (Work::Opening(source), _) => Work::Opening(source),
        (before, source) => {
            let work = source.clone().map_or(Work::Idle, Work::Opening);
            come_back(state, before);
            work
        }
    };
    series::restarted(&mut state.series);
    look::engine_gone(&mut state.look);
    begin(state, work);
}
