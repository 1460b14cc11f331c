//! How the state changes.

use std::{borrow::Cow, rc::Rc};

use lookalike_model::{
    event::Progress, info::TableInfo, job::BoundOf, sent::Sent, settings::Settings, survey::Survey,
};
use lookalike_wire::page::Finished;
use lookalike_words::Said;

use super::{
    Action, Attempt, Attention, Downloads, Engine, FailedAt, Failure, Memory, OpenIds, Place, Results, Run,
    State, Work, Workbook, browse, bulk, cells, check, columns, estimate, look, replaced, series, suggested,
    undo, weights,
};
use crate::{
    form::{Choice, Decided, Form},
    settings::Field,
    texts::Words,
};

/// Points of the loss curve that are kept; when there are more, every second one goes.
const MAX_HISTORY: usize = 256;

/// The state after an action. Actions that do not fit the state, such as a report of a run that was given up, change
/// nothing.
#[must_use]
pub fn reduce(mut state: State, action: Action) -> State {
    let (before, moved) = (undo::before(&state, &action), undo::moved(&action));
    apply(&mut state, action);
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
        Action::Opening(source) => {
            state.failure = None;
            state.attempt = Some(Attempt::after(state.attempt.take(), source.clone(), &OpenIds::OPEN));
            begin(state, Work::Opening(source));
        }
        Action::Found(form) => {
            state.silence = 0;
            if let Some(attempt) = &mut state.attempt {
                attempt.form = Some(Rc::new(form));
            }
        }
        Action::Opened(table) => opened(state, table),
        Action::Describing => state.cells.asked = true,
        Action::Described(told, described) => cells::described(state, told, described),
        Action::SetRole(column, role) => {
            if let Some(choice) = state.choices.get_mut(column) {
                (choice.role, choice.decided) = (role, Decided::User);
            }
        }
        Action::Accept => suggested::accept(state),
        Action::Expert(open) => {
            state.expert = open;
            state.detail = None;
            attend(state, if open { "expert" } else { "expert-open" });
        }
        Action::Filter(filter) => state.filter = filter,
        Action::Several(on) => {
            state.several = on;
            state.bulk = super::Bulk::default();
        }
        Action::Asks(held) => {
            state.asks = Some(held);
            attend(state, "asks-stay");
        }
        Action::Answered => state.asks = None,
        Action::EditColumn(column, choice) => {
            columns::edit(state, column, *choice);
        }
        Action::Take(column, choice, field) => {
            columns::edit(state, column, *choice);
            columns::show(state, column);
            attend(state, field);
        }
        Action::Bulk(action) => bulk::reduce(state, action),
        Action::Weights(action) => weights::reduce(state, action),
        Action::Detail(column) => {
            state.expert = false;
            columns::detail(state, column);
        }
        Action::Values(column, values) => columns::values(state, &column, values),
        Action::ChooseValue(value) => {
            if let Some(detail) = &mut state.detail {
                detail.value = value;
            }
        }
        Action::MoveValue(towards) => columns::move_value(state, towards),
        Action::Making(making) => {
            if let Some(detail) = &mut state.detail {
                detail.making = making;
            }
        }
        Action::Hierarchy(column, made) => columns::hierarchy(state, &column, made),
        Action::Configured(configured) => columns::configured(state, configured),
        Action::BringBack => replaced::wanted(state),
        Action::Undo => undo::undo(state),
        Action::Redo => undo::redo(state),
        Action::Remember(on) => {
            state.memory.on = on;
            if !on {
                state.memory.before = Rc::default();
            }
        }
        Action::Remembered(before) => state.memory = Memory { on: true, before },
        Action::Browse(action) => browse::reduce(&mut state.browse, action),
        Action::Estimate(action) => estimate::reduce(&mut state.estimate, action),
        Action::Look(action) => look::reduce(&mut state.look, action),
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
            if let Work::Solving(run) = &mut state.work {
                report(run, progress);
            }
        }
        Action::Fetched(fetched) => state.requests.get_or_insert_default().note(fetched),
        Action::Sent(sent) => numbers_sent(state, sent),
        Action::Heard => state.silence = 0,
        Action::Stopping => {
            if let Work::Solving(run) = &mut state.work {
                run.stopping = true;
            }
        }
        Action::Finished(finished, downloads) => finish(state, *finished, downloads),
        Action::Stated(link) => of_results(state, |results| results.downloads.statement = link),
        Action::Workbook(workbook) => of_results(state, |results| results.workbook = workbook),
        Action::TableSaved => of_results(state, |results| results.saved = true),
        Action::Abandoned => abandoned(state),
        Action::Failed(message) => fail(state, message),
        Action::Complained(message) => complain(state, message),
        Action::Tick => {
            if state.is_busy() {
                state.silence = state.silence.saturating_add(1);
            }
        }
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

/// Leads to the first field that is wrong.
fn refused(state: &mut State) {
    state.tried = true;
    if let Some(first) = state.invalid().first() {
        lead(state, first.field);
    }
}

/// Leads to a field: to its question, to the sheet of a column, or to the expert settings.
fn lead(state: &mut State, field: Field) {
    if let Field::Column(column) = field {
        columns::show(state, column);
        state.expert = false;
        attend(state, "column-sheet");
    } else if field.is_question() {
        attend(state, "questions");
    } else {
        if field.is_expert() {
            state.expert = true;
            state.detail = None;
        }
        attend(state, field.id());
    }
}

fn started(state: &mut State, place: Place, settings: Rc<Settings>) {
    state.failure = None;
    state.results = None;
    (state.expert, state.detail) = (false, None);
    series::started(&mut state.series);
    let run = Run {
        place,
        settings,
        progress: Progress::default(),
        history: Vec::new(),
        bounds: Vec::new(),
        stopping: false,
        sent: false,
    };
    begin(state, Work::Solving(run));
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
    if !same {
        state.choices = vec![Choice::default(); table.columns.len()];
        state.form = Form::default();
        state.tried = false;
        state.configured = None;
        state.bulk = super::Bulk::default();
        state.edits = super::Edits::default();
    }
    replaced::bring_back(state, &names(&table));
    series::opened(&mut state.series, same);
    (state.detail, state.asks) = (None, None);
    state.filter = String::new();
    state.survey_all = false;
    state.source = Some(source);
    state.table = Some(Rc::new(table));
    state.tables = state.tables.wrapping_add(1);
    cells::opened(state);
    state.results = None;
    state.browse = super::BrowseState::default();
    state.estimate = super::EstimateState::default();
    look::forget(&mut state.look);
    state.survey = None;
    state.failure = None;
    // How it was read is to be looked at first; who changes that stays there.
    let changed = state.attempt.as_ref().and_then(|attempt| attempt.changed);
    attend(state, changed.unwrap_or("opened"));
}

/// An answer about another column comes too late.
fn surveyed(state: &mut State, survey: Result<Survey, Said>) {
    let asked = state.survey_question().map(|question| question.sensitive);
    if survey.as_ref().map_or(asked.is_some(), |s| Some(&s.sensitive) == asked.as_ref()) {
        state.survey = Some(Rc::new(survey));
    }
}

fn numbers_sent(state: &mut State, sent: Sent) {
    if let Work::Solving(run) = &mut state.work {
        run.sent = true;
    }
    state.sent.push(sent);
}

fn report(run: &mut Run, progress: Progress) {
    if let Some(loss) = progress.incumbent {
        push(&mut run.history, (progress.seconds, loss));
    }
    // That no loss is negative is no bound yet, and the chart has no line for what a worker claims.
    let told = |bound: &f64| *bound > 0.0 || progress.incumbent.is_some_and(|loss| loss <= 0.0);
    if let Some(bound) = progress.bound.filter(|bound| run.place == Place::Here && told(bound)) {
        push(&mut run.bounds, (progress.seconds, bound));
    }
    run.progress = progress;
}

/// Adds a point to a curve; of one that has grown long every second point is dropped first. Where several searches follow each
/// other, as for the price of a counterfeit, each has a clock and a curve of its own.
fn push(curve: &mut Vec<(f64, f64)>, point: (f64, f64)) {
    if curve.last().is_some_and(|last| point.0 < last.0) {
        curve.clear();
    }
    if curve.len() >= MAX_HISTORY {
        let mut index = 0;
        curve.retain(|_| {
            index += 1;
            index % 2 == 1
        });
    }
    curve.push(point);
}

fn finish(state: &mut State, finished: Finished, downloads: Downloads) {
    let Work::Solving(run) = std::mem::take(&mut state.work) else { return };
    let (mut history, mut bounds) = (run.history, run.bounds);
    let seconds = finished.report.seconds.solve;
    let ends = |curve: &[(f64, f64)]| curve.last().is_none_or(|last| last.0 < seconds);
    if ends(&history) {
        history.push((seconds, finished.report.objective.value));
    }
    // What bounds the blocks of a search says nothing of the curve of the whole.
    let whole = finished.report.bound.as_ref().filter(|bound| bound.of == BoundOf::WholeProblem);
    if let Some(bound) = whole.filter(|_| ends(&bounds)) {
        bounds.push((seconds, bound.value));
    }
    let workbook = Workbook::Unasked;
    let results =
        Results { settings: run.settings, finished, downloads, workbook, history, bounds, saved: false };
    look::finished(&mut state.look, &results);
    state.results = Some(Rc::new(results));
    attend(state, "verdict");
}

fn fail(state: &mut State, message: Words) {
    complain(state, message);
    replaced::failed(state);
    state.work = Work::Idle;
}

/// The run is given up.
fn abandoned(state: &mut State) {
    if matches!(state.work, Work::Solving(_)) {
        state.work = Work::Idle;
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
        state.work = Work::Idle;
        of_results(state, |results| {
            if results.workbook == Workbook::Writing {
                results.workbook = Workbook::Unasked;
            }
        });
        attend(state, "engine-lost");
    }
}

/// The open table has to be read again; until then it stays on the screen.
fn engine_restarted(state: &mut State) {
    (state.engine, state.held) = (Engine::Starting, None);
    check::forget(state);
    series::restarted(&mut state.series);
    let work = match (std::mem::take(&mut state.work), &state.source) {
        (Work::Opening(source), _) => Work::Opening(source),
        (_, Some(source)) => Work::Opening(source.clone()),
        (_, None) => Work::Idle,
    };
    begin(state, work);
}
