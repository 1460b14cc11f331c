//! Each transition, and each that must not happen.

use lookalike_model::{
    assessment::Utility,
    event::Progress,
    info::{ColumnInfo, TableInfo},
    job::Status,
    report::{
        Audit, Changes, Classes, Dialect, InputSize, MethodUsed, Objective, REPORT_VERSION, Reader, Report,
        Risk, Seconds,
    },
    settings::{Kind, Loss, MethodName, Model, Publish, Settings},
};
use lookalike_wire::{
    check::{Checked, CheckedTable},
    opening::{Form as FileForm, Opening},
    page::{CellsTold, CertificateFound, Configured, Described, Finished},
};
use lookalike_words::Said;

use super::*;
use crate::form::{Form, ModelChoice, Role};

pub(crate) fn table() -> TableInfo {
    let column = |name: &str, distinct| ColumnInfo {
        name: name.to_owned(),
        kind: String::from("integer"),
        evidence: Said::verbatim(""),
        distinct,
        proposal: None,
        unknown: None,
        missing: 0,
        suggestion: None,
        question: None,
        weight: false,
        key: lookalike_model::info::PersonKey::None,
        bars: Vec::new(),
    };
    TableInfo {
        rows: 10,
        columns: vec![column("age", 9), column("disease", 4)],
        preview: Vec::new(),
        warnings: Vec::new(),
    }
}

pub(crate) fn finished(passed: bool) -> Finished {
    Finished {
        report: Report {
            conditions: Vec::new(),
            further: Vec::new(),
            sets: Vec::new(),
            sample: None,
            freeform: None,
            full_domain: None,
            unchanged: None,
            persons: None,
            missing: lookalike_model::report::MissingReport::default(),
            schema_version: REPORT_VERSION,
            input: InputSize { rows: 10, columns: 2 },
            model: Model::MInvariance { m: 3 },
            against: Said::verbatim("somebody"),
            loss: Loss::Sse,
            method: MethodUsed {
                name: MethodName::Auto,
                explanation: Said::default(),
                parameters: std::collections::BTreeMap::new(),
            },
            publish: Publish::Range,
            version: String::from("0"),
            revision: 1,
            threads: 1,
            lp_backend: None,
            objective: Objective {
                loss: Loss::Sse,
                value: 1.0,
                sse: Some(1.0),
                sst: Some(4.0),
                information_loss_percent: Some(25.0),
                ncp_total: Some(1.0),
                gcp_mean: Some(0.25),
            },
            bound: None,
            claimed: None,
            classes: Classes {
                count: 3,
                min_size: 3,
                max_size: 4,
                median_size: 3.0,
                min_real: Some(3),
                single_real: Some(0),
            },
            changes: Changes::default(),
            audit: Audit { passed, checks: Vec::new(), reader: Reader::Strict, dialect: Dialect::PLAIN },
            risk: Risk {
                smallest_group: 3,
                highest_reidentification: 1.0 / 3.0,
                mean_reidentification: 0.3,
                highest_attribute_disclosure: Some(1.0 / 3.0),
                ..Risk::default()
            },
            disclosure: None,
            utility: Utility::default(),
            seconds: Seconds::default(),
            status: Some(Status::EffortSpent),
            reproducible: true,
            warnings: Vec::new(),
            series: None,
            searched: Some(lookalike_model::sent::Searched::Here),
            table_sha256: None,
        },
        header: Vec::new(),
        preview: Vec::new(),
        beside: lookalike_model::comparison::Beside::default(),
        statement: lookalike_model::document::Document { title: Said::default(), parts: Vec::new() },
        class_sizes: vec![(3, 2), (4, 1)],
        status: Status::EffortSpent,
        threads: 1,
        sent: None,
    }
}

fn source(name: &str) -> Source {
    Source { name: name.to_owned(), bytes: 10.0, ..Source::default() }
}

fn after(state: State, actions: impl IntoIterator<Item = Action>) -> State {
    actions.into_iter().fold(state, reduce)
}

/// A page with a ready engine and an open, described table.
pub(crate) fn described() -> State {
    after(
        State::default(),
        [
            Action::EngineUp { threads: 2, isolated: true },
            Action::Opening(source("a.csv")),
            Action::Opened(table()),
            Action::SetRole(0, Role::Quasi),
            Action::SetRole(1, Role::Sensitive),
        ],
    )
}

fn survey(sensitive: &str) -> Survey {
    Survey {
        sensitive: sensitive.to_owned(),
        rows: 10,
        dropped: 0,
        values: 4,
        largest_m_without_changes: 2,
        warnings: Vec::new(),
        published: Vec::new(),
        survey: Vec::new(),
    }
}

#[test]
fn a_survey_is_asked_for_one_sensitive_column_and_answers_about_another_are_late() {
    let state = described();
    let question = state.survey_question().unwrap();
    assert_eq!((question.sensitive.as_str(), question.missing.sensitive), ("disease", MissingPolicy::Drop));
    let state = reduce(state, Action::Surveyed(Box::new(Ok(survey("disease")))));
    assert!(state.survey.is_some());
    let state = after(state, [Action::Surveying, Action::Surveyed(Box::new(Ok(survey("age"))))]);
    assert!(state.survey.is_none());

    let none = reduce(state.clone(), Action::SetRole(1, Role::NotPublished));
    assert_eq!(none.survey_question(), None);
    // A table that is read again is asked about again.
    let again = after(state, [Action::Opening(source("a.csv")), Action::Opened(table())]);
    assert_ne!(again.survey_question(), Some(question));
}

fn settings_of(state: &State) -> Settings {
    state.settings().unwrap().unwrap()
}

pub(crate) fn solving() -> State {
    let state = described();
    let settings = settings_of(&state);
    reduce(state, Action::Started(Place::Here, settings.into()))
}

pub(crate) fn solved() -> State {
    reduce(solving(), Action::Finished(Box::new(finished(true)), Downloads::default()))
}

fn run(state: &State) -> &Run {
    match &state.work {
        Work::Solving(run) => run,
        other => panic!("not solving: {other:?}"),
    }
}

#[test]
fn a_run_can_start_once_the_engine_is_up_and_a_table_open() {
    let state = State::default();
    assert!(!state.can_start());
    let state = reduce(state, Action::EngineUp { threads: 1, isolated: false });
    assert!(!state.can_start());
    assert!(described().can_start());
    assert!(!solving().can_start());
    // What is there is not made again; what was stopped, or found elsewhere, can be searched for here.
    assert!(solved().is_ready() && !solved().can_start());
    let of = |change: fn(&mut Report)| {
        let mut end = finished(true);
        change(&mut end.report);
        reduce(solving(), Action::Finished(Box::new(end), Downloads::default()))
    };
    assert!(of(|report| report.status = Some(Status::Cancelled)).can_start());
    assert!(of(|report| report.searched = Some(Searched::Worker)).can_start());
    let form = Form { k: String::from("4"), model: ModelChoice::KAnonymity, ..Form::default() };
    let edited = reduce(solved(), Action::Edit(Box::new(form)));
    assert!(edited.can_start() && !edited.would_repeat());
    assert!(!reduce(edited, Action::Undo).can_start());
}

#[test]
fn an_opened_table_gives_no_column_a_role() {
    let state = after(State::default(), [Action::Opening(source("a.csv")), Action::Opened(table())]);
    assert_eq!(state.choices, vec![Choice::default(); 2]);
    assert_eq!(state.choices[0].role, Role::NotPublished);
    assert_eq!((state.source, state.work), (Some(source("a.csv")), Work::Idle));
    assert_eq!(state.attention, Attention { serial: 1, id: "opened".into() });
}

#[test]
fn the_same_columns_keep_roles_and_fields_but_not_results() {
    let mut state = solved();
    state.form.m = String::from("4");
    let mut other = table();
    other.rows = 20;
    let state = after(state, [Action::Opening(source("b.csv")), Action::Opened(other)]);
    assert_eq!(state.choices[0].role, Role::Quasi);
    assert_eq!(state.form.m, "4");
    assert_eq!(state.results, None);
    assert!(state.view.taken_over, "that they were chosen for another file is said");
    let mut other = table();
    other.columns[0].name = String::from("years");
    let state = after(state, [Action::Opening(source("c.csv")), Action::Opened(other)]);
    assert!(!state.view.taken_over);
    assert_eq!((state.choices[0].role, state.form), (Role::NotPublished, Form::default()));
}

#[test]
fn a_file_that_cannot_be_read_leaves_the_open_table() {
    let state = after(
        described(),
        [Action::Opening(source("bad.csv")), Action::Failed("row 3 has 2 cells, not 4".into())],
    );
    assert_eq!(state.source, Some(source("a.csv")));
    assert_eq!(state.choices[0].role, Role::Quasi);
    assert_eq!(state.work, Work::Idle);
    let failure = state.failure.clone().unwrap();
    assert_eq!(
        (failure.at, failure.message.text().as_str()),
        (FailedAt::Opening, "row 3 has 2 cells, not 4")
    );
    assert_eq!(state.attention.id, "failure");
    // The next attempt takes the message away.
    assert_eq!(reduce(state, Action::Opening(source("good.csv"))).failure, None);
}

#[test]
fn a_column_that_is_not_there_changes_nothing() {
    let state = described();
    assert_eq!(reduce(state.clone(), Action::SetRole(2, Role::Keep)), state);
    let category = || Box::new(Choice { kind: Some(Kind::Category), ..Choice::default() });
    assert_eq!(reduce(state.clone(), Action::EditColumn(9, category())), state);
    assert_eq!(reduce(state.clone(), Action::Detail(9)), state);
    assert_eq!(reduce(state, Action::EditColumn(0, category())).choices[0].kind, Some(Kind::Category));
}

#[test]
fn faulty_fields_are_marked_and_the_first_gets_the_focus() {
    let mut form = Form { m: String::from("9"), ..Form::default() };
    let state = after(described(), [Action::Edit(Box::new(form.clone())), Action::Refused]);
    assert!(state.tried);
    assert_eq!(state.attention.id, "m");
    let state = after(state, [Action::SetRole(0, Role::NotPublished), Action::Refused]);
    assert_eq!(state.attention.id, "roles");
    form.model = ModelChoice::KAnonymity;
    form.k = String::from("50");
    let state = after(described(), [Action::Edit(Box::new(form)), Action::Refused]);
    assert_eq!(state.attention.id, "k");
}

#[test]
fn progress_is_kept_and_thinned_out() {
    let mut state = solving();
    for i in 0..1000_u32 {
        let progress = Progress {
            phase: Said::verbatim("annealing"),
            incumbent: Some(f64::from(1000 - i)),
            seconds: f64::from(i),
            ..Progress::default()
        };
        state = reduce(state, Action::Progress(progress));
    }
    let history = &run(&state).history;
    assert!(history.len() <= 256 && history.len() >= 128, "{}", history.len());
    assert_eq!((history[0], history[history.len() - 1]), ((0.0, 1000.0), (999.0, 1.0)));
    assert!(history.windows(2).all(|w| w[0].0 < w[1].0));
    // A phase without a loss adds no point.
    let before = history.len();
    let state = reduce(state, Action::Progress(Progress::default()));
    assert_eq!(run(&state).history.len(), before);
    // A search after it begins a curve of its own.
    let again = Progress { incumbent: Some(500.0), seconds: 0.5, ..Progress::default() };
    assert_eq!(run(&reduce(state, Action::Progress(again))).history, [(999.5, 500.0)]);
}

#[test]
fn the_loss_curve_ends_with_the_result() {
    let progress = Progress { incumbent: Some(2.0), seconds: 1.0, ..Progress::default() };
    let state = reduce(solving(), Action::Progress(progress));
    let history = |state: State| state.results.as_ref().map(|r| r.history.clone());
    let end = || Action::Finished(Box::new(finished(true)), Downloads::default());
    assert_eq!(history(reduce(state.clone(), end())), Some(vec![(1.0, 2.0), (1.0, 1.0)]));
    // What is done after the search takes its time, too.
    let later = after(state, std::iter::repeat_n(Action::Tick, 4));
    assert_eq!(history(reduce(later, end())), Some(vec![(1.0, 2.0), (4.0, 1.0)]));
}

#[test]
fn the_curve_of_the_bound_is_kept_beside_that_of_the_loss() {
    let mut state = solving();
    for i in 0..600_u32 {
        let bound = (i >= 10).then(|| f64::from(i));
        let progress =
            Progress { incumbent: Some(1000.0), bound, seconds: f64::from(i), ..Progress::default() };
        state = reduce(state, Action::Progress(progress));
    }
    let bounds = &run(&state).bounds;
    assert_eq!((bounds[0], bounds[bounds.len() - 1]), ((10.0, 10.0), (599.0, 599.0)));
    assert!(bounds.len() <= 256, "{}", bounds.len());
    // The result ends it, if it has a bound.
    let mut end = finished(true);
    end.report.seconds.solve = 700.0;
    let after = reduce(state, Action::Finished(Box::new(end), Downloads::default()));
    let last = |results: &Results| results.bounds.last().copied();
    assert_eq!(after.results.as_deref().and_then(last), Some((599.0, 599.0)));
}

#[test]
fn results_belong_to_the_settings_they_were_made_with() {
    let state = solved();
    assert!(state.results_are_current());
    assert_eq!(state.attention.id, "verdict");
    let changed =
        reduce(state.clone(), Action::Edit(Box::new(Form { m: String::from("4"), ..Form::default() })));
    assert!(changed.results.is_some() && !changed.results_are_current());
    assert!(reduce(changed, Action::Edit(Box::default())).results_are_current());
    let changed = reduce(state, Action::SetRole(0, Role::NotPublished));
    assert!(!changed.results_are_current());
}

#[test]
fn a_new_run_keeps_the_last_result_until_it_has_one_and_forgets_the_failure() {
    let state = solved();
    let (settings, before) = (settings_of(&state), state.results.clone());
    let state = reduce(state, Action::Started(Place::Here, settings.into()));
    assert_eq!((&state.results, &*state.attention.id), (&before, "running"));
    assert!(!state.results_are_current(), "it is about to be replaced");
    let mut other = finished(true);
    other.report.objective.value = 0.5;
    let done = reduce(state.clone(), Action::Finished(Box::new(other), Downloads::default()));
    assert!(done.results != before && done.results_are_current());
    // Whatever else ends the run brings the result back as it was.
    for end in [Action::Abandoned, Action::Failed("infeasible".into()), Action::EngineLost(String::new())] {
        let back = reduce(state.clone(), end);
        assert!(back.results == before && back.results_are_current() && back.work == Work::Idle);
    }
    let state = reduce(solving(), Action::Failed("infeasible".into()));
    assert_eq!(state.failure.as_ref().map(|f| f.at), Some(FailedAt::Solving));
    // What is as it was keeps its reason; other settings, roles or columns have none.
    let same = reduce(state.clone(), Action::Edit(Box::new(state.form.clone())));
    assert_eq!(same.failure, state.failure);
    let form = Form { m: String::from("2"), ..state.form.clone() };
    let other = reduce(state.clone(), Action::Edit(Box::new(form)));
    assert_eq!(other.failure, None);
    assert_eq!(reduce(state.clone(), Action::SetRole(0, Role::Keep)).failure, None);
    let settings = settings_of(&state);
    assert_eq!(reduce(state, Action::Started(Place::Worker, settings.into())).failure, None);
}

#[test]
fn stopping_is_shown_until_the_result_comes() {
    let state = reduce(solving(), Action::Stopping);
    assert!(run(&state).stopping);
    let state = reduce(state, Action::Finished(Box::new(finished(true)), Downloads::default()));
    assert_eq!(state.work, Work::Idle);
    // There is nothing to stop now.
    assert_eq!(reduce(state.clone(), Action::Stopping), state);
}

#[test]
fn a_run_that_is_given_up_is_shown_until_the_engine_lets_go_of_it() {
    let state = reduce(solving(), Action::Cancelling);
    assert!(run(&state).cancelling && state.is_busy());
    let state = reduce(state, Action::Abandoned);
    assert_eq!((state.work.clone(), &*state.attention.id), (Work::Idle, "anonymize"));
    assert_eq!(reduce(state.clone(), Action::Cancelling), state);
}

/// A long step of the engine is ended with the engine itself: the table is read again, its result stays.
#[test]
fn an_engine_that_was_restarted_to_give_up_a_run_keeps_the_result() {
    let state = solved();
    let (settings, before) = (settings_of(&state), state.results.clone());
    let restart = [
        Action::Started(Place::Here, settings.into()),
        Action::Cancelling,
        Action::Abandoned,
        Action::EngineRestarted,
        Action::Opening(source("a.csv")),
        Action::EngineUp { threads: 1, isolated: false },
        Action::Opened(table()),
    ];
    let state = after(state, restart);
    assert!(state.results == before && state.results_are_current() && state.is_ready());
    assert_eq!((state.look.past.len(), state.rows_question()), (1, None), "the engine has no rows of it");
    // The next table is another one, even if it has the same name.
    let state = after(state, [Action::Opening(source("a.csv")), Action::Opened(table())]);
    assert_eq!(state.results, None);
    // A file that changed in between is another table.
    let mut changed = table();
    changed.rows = 11;
    let state =
        after(solved(), [Action::EngineRestarted, Action::Opening(source("a.csv")), Action::Opened(changed)]);
    assert_eq!(state.results, None);
}

#[test]
fn reports_of_a_run_that_is_over_change_nothing() {
    let state = described();
    let late = Action::Finished(Box::new(finished(true)), Downloads::default());
    assert_eq!(reduce(state.clone(), late), state);
    assert_eq!(reduce(state.clone(), Action::Progress(Progress::default())), state);
    assert_eq!(reduce(state.clone(), Action::Opened(table())), state);
    assert_eq!(reduce(state.clone(), Action::Abandoned), state);
    assert_eq!(reduce(solving(), Action::Abandoned).work, Work::Idle);
}

#[test]
fn thirty_silent_seconds_are_noticed_while_busy_only() {
    let ticks = |state, n| after(state, std::iter::repeat_n(Action::Tick, n));
    assert!(!ticks(described(), 100).is_silent());
    assert!(!ticks(solving(), 29).is_silent());
    let silent = ticks(solving(), 30);
    assert!(silent.is_silent());
    assert!(!reduce(silent.clone(), Action::Progress(Progress::default())).is_silent());
    assert!(!reduce(silent, Action::Heard).is_silent());
    assert!(ticks(reduce(described(), Action::Opening(source("b.csv"))), 30).is_silent());
}

#[test]
fn a_workbook_that_an_engine_left_unfinished_can_be_asked_for_again() {
    let workbook = |state: &State| state.results.as_ref().map(|results| results.workbook.clone());
    let writing = after(solved(), [Action::Workbook(Workbook::Writing)]);
    assert_eq!(workbook(&writing), Some(Workbook::Writing));
    let lost = after(writing.clone(), [Action::EngineLost(String::from("unreachable"))]);
    assert_eq!(workbook(&lost), Some(Workbook::Unasked));
    let refused = Workbook::Refused("no room".into());
    let refused = after(writing, [Action::Workbook(refused), Action::EngineLost(String::new())]);
    assert_eq!(workbook(&refused), Some(Workbook::Refused("no room".into())), "what was said stays said");
    // Of another run nothing is said of a workbook.
    let again = after(solving(), [Action::Workbook(Workbook::Writing)]);
    assert_eq!(workbook(&again), None);
}

#[test]
fn a_lost_engine_ends_the_run_and_its_first_word_counts() {
    let state = after(
        solving(),
        [
            Action::EngineLost(String::from("panicked at ...")),
            Action::EngineLost(String::from("unreachable")),
        ],
    );
    assert_eq!(state.engine, Engine::Lost { why: String::from("panicked at ...") });
    assert_eq!(state.work, Work::Idle);
    assert_eq!(state.attention.id, "engine-lost");
    assert!(!state.can_start());
}

#[test]
fn a_restarted_engine_reads_the_table_again_and_keeps_the_roles() {
    let state = after(solving(), [Action::EngineLost(String::new()), Action::EngineRestarted]);
    assert_eq!(state.engine, Engine::Starting);
    assert_eq!(state.work, Work::Opening(source("a.csv")));
    let state = after(state, [Action::EngineUp { threads: 1, isolated: false }, Action::Opened(table())]);
    assert!(state.can_start());
    assert_eq!(state.choices[0].role, Role::Quasi);
    // Without a table there is nothing to read again.
    assert_eq!(reduce(State::default(), Action::EngineRestarted).work, Work::Idle);
}

#[test]
fn worker_and_token() {
    let state = after(
        State::default(),
        [
            Action::WorkerOffered(Worker { origin: String::from("http://w"), wants_token: true }),
            Action::Token(String::from("t")),
        ],
    );
    assert_eq!(state.worker.as_ref().map(Worker::name), Some("http://w"));
    assert_eq!(state.token, "t");
    assert_eq!(Worker::default().name(), "this server");
}

#[test]
fn an_order_begins_sorted_and_values_move_by_one_place() {
    let ordinal = Choice { role: Role::Quasi, kind: Some(Kind::Ordinal), ..Choice::default() };
    let values = ["high", "low", "middle"].map(String::from).to_vec();
    let state = after(
        described(),
        [
            Action::EditColumn(0, Box::new(ordinal)),
            Action::Detail(0),
            Action::Values(String::from("age"), Ok(values)),
            Action::ChooseValue(String::from("high")),
            Action::MoveValue(Towards::Greatest),
            Action::MoveValue(Towards::Greatest),
            Action::MoveValue(Towards::Greatest),
        ],
    );
    assert_eq!(state.choices[0].order, ["low", "middle", "high"]);
    let up = [Action::ChooseValue(String::from("low")), Action::MoveValue(Towards::Least)];
    assert_eq!(after(state.clone(), up).choices, state.choices);
    // Values that come again do not undo the order.
    let again = Action::Values(String::from("age"), Ok(vec![String::from("high")]));
    assert_eq!(reduce(state.clone(), again).choices, state.choices);
    assert_eq!(reduce(state, Action::Detail(0)).detail, None);
}

#[test]
fn a_hierarchy_is_published_by_until_it_is_removed() {
    let rows = Rc::new(vec![vec![String::from("1"), String::from("*")]]);
    let state = after(described(), [Action::Detail(0), Action::Hierarchy(String::from("age"), Ok(rows))]);
    assert_eq!(settings_of(&state).hierarchies["age"], [["1", "*"]]);
    assert_eq!(settings_of(&state).publish_columns["age"], Publish::Hierarchy);
    let removed = Action::EditColumn(0, Box::new(without_hierarchy(&state.choices[0])));
    assert_eq!(settings_of(&reduce(state.clone(), removed)), settings_of(&described()));
    let wrong = Action::Hierarchy(String::from("age"), Err(Said::verbatim("'7' is not in it")));
    let state = reduce(state, wrong);
    assert_eq!(state.detail.as_ref().and_then(|d| d.wrong.clone()), Some(Said::verbatim("'7' is not in it")));
    // An answer about a column that is no longer there.
    let late = Action::Hierarchy(String::from("height"), Err(Said::verbatim("")));
    assert_eq!(reduce(state.clone(), late), state);
}

#[test]
fn a_configuration_fills_in_the_page_but_not_the_seed() {
    let state = described();
    let mut settings = settings_of(&state);
    settings.model = Model::MInvariance { m: 4 };
    let mut empty = after(State::default(), [Action::Opening(source("a.csv")), Action::Opened(table())]);
    empty.form.seed = String::from("7");
    let configured =
        Configured { settings: settings.clone(), identifiers: Vec::new(), notes: vec![Said::verbatim("x")] };
    let state = reduce(empty, Action::Configured(Ok(Box::new(configured))));
    assert_eq!(settings_of(&state), Settings { seed: Some(7), ..settings });
    assert_eq!(
        (state.configured.clone(), &*state.attention.id),
        (Some(Ok(vec![Said::verbatim("x")])), "configured")
    );
    let refused = reduce(state.clone(), Action::Configured(Err("no column".into())));
    assert_eq!((refused.choices, refused.form), (state.choices, state.form));
}

/// What was found about a certificate stays until another table is open; what an engine took with it is not waited for.
#[test]
fn a_certificate_is_of_the_open_table() {
    let checking = reduce(described(), Action::Certifying);
    assert_eq!(checking.certificate, Some(Certificate::Checking));
    let lost = reduce(checking.clone(), Action::EngineLost(String::from("out of memory")));
    assert_eq!(lost.certificate, None);
    let found = CertificateFound { holds: true, lines: vec![Said::verbatim("x")] };
    let told = reduce(checking, Action::Certified(Ok(found.clone())));
    assert_eq!(told.certificate, Some(Certificate::Found(Ok(found.clone()))));
    assert_eq!(&*told.attention.id, "certificate-found");
    let lost = reduce(told.clone(), Action::EngineLost(String::from("out of memory")));
    assert_eq!(lost.certificate, Some(Certificate::Found(Ok(found))));
    let other = after(told, [Action::Opening(source("b.csv")), Action::Opened(table())]);
    assert_eq!(other.certificate, None);
}

#[test]
fn all_m_are_surveyed_on_demand_and_a_policy_of_the_column_counts() {
    let state = reduce(described(), Action::SurveyAll);
    assert!(state.survey_question().unwrap().all);
    let choice = Choice { missing: Some(MissingPolicy::Value), ..state.choices[1].clone() };
    let state = reduce(state, Action::EditColumn(1, Box::new(choice)));
    assert_eq!(state.survey_question().unwrap().missing.sensitive, MissingPolicy::Value);
    let again = after(state, [Action::Opening(source("a.csv")), Action::Opened(table())]);
    assert!(!again.survey_question().unwrap().all);
}

#[test]
fn a_published_table_is_checked_beside_the_open_one() {
    let check = |actions: Vec<CheckAction>| actions.into_iter().map(Action::Check);
    let opening = |part| CheckAction::Opening(part, source("out.csv"));
    let opened = || vec![CheckAction::Show(true), opening(CheckedTable::Published)];
    let state = after(described(), check(opened()));
    assert!(state.check.shown && state.check.busy);
    assert_eq!(state.attention.id, "check");
    let state =
        after(state, check(vec![CheckAction::Opened(CheckedTable::Published, Box::new(Ok(table())))]));
    assert_eq!((state.check.form.roles.len(), state.check.busy), (2, false));
    let audit = Audit { passed: true, checks: Vec::new(), reader: Reader::General, dialect: Dialect::PLAIN };
    let found = Checked {
        audit,
        answers: Vec::new(),
        persons: None,
        misfits: 0,
        suppressed: 0,
        near: None,
        attacks: None,
        lines: Vec::new(),
    };
    let state =
        after(state, check(vec![CheckAction::Started, CheckAction::Done(Box::new(Ok(found.clone())))]));
    assert_eq!(state.check.found.as_deref(), Some(&Ok(found)));
    assert_eq!(state.attention.id, "checked");
    // Another question has another answer, and another file other questions.
    let edited = after(state.clone(), check(vec![CheckAction::Edit(Box::new(state.check.form.clone()))]));
    assert_eq!(edited.check.found, None);
    let beside = vec![
        opening(CheckedTable::Original),
        CheckAction::Opened(CheckedTable::Original, Box::new(Err(Said::verbatim("no table")))),
        CheckAction::Naming(String::from("age"), Some(String::from("age.csv"))),
        CheckAction::Tree(String::from("age"), Ok(7)),
    ];
    let more = after(state.clone(), check(beside));
    assert_eq!((more.check.busy, &more.check.found), (false, &None));
    assert_eq!(more.check.trees[0].values, Some(Ok(7)));
    assert!(more.check.original.attempt.is_some() && more.check.original.read().is_none());
    let forgotten = after(more.clone(), check(vec![CheckAction::Naming(String::from("age"), None)]));
    assert_eq!(forgotten.check.trees.len(), 0);
    // An engine that is gone takes all that it had read with it.
    let gone = after(more.clone(), check(vec![CheckAction::Started]));
    let gone = reduce(gone, Action::EngineRestarted);
    assert!(gone.check.published.read().is_none() && !gone.check.busy);
    let again = after(more, check(opened()));
    assert_eq!((again.check.published.table, again.check.original), (None, PartState::default()));
    assert_eq!(again.check.trees.len(), 0);
    // The open table is as it was.
    let back = after(state, check(vec![CheckAction::Show(false)]));
    assert_eq!((back.table, back.choices), (described().table, described().choices));
}

/// Counts follow the cells that mean "missing", one question at a time.
#[test]
fn columns_are_described_anew_when_the_markers_change() {
    let edit =
        |markers: &str| Action::Edit(Box::new(Form { markers: markers.to_owned(), ..described().form }));
    let state = described();
    assert_eq!(state.describe_question(), None);
    let state = reduce(state, edit("?"));
    assert_eq!(state.describe_question().map(|q| q.cells.markers), Some(vec![String::from("?")]));
    // While one is under way the next has to wait.
    let state = after(state, [Action::Describing, edit("?\nx")]);
    assert_eq!(state.describe_question(), None);
    let mut columns = table().columns;
    columns[0].missing = 4;
    let by = |markers: &[&str]| CellsTold {
        markers: markers.iter().map(|&marker| marker.to_owned()).collect(),
        ..CellsTold::default()
    };
    let told = Described { columns, ..Described::default() };
    let state = reduce(state, Action::Described(by(&["?"]), Ok(told.clone())));
    assert_eq!(state.table.as_ref().unwrap().columns[0].missing, 4);
    assert_eq!(state.choices, described().choices);
    assert_eq!(state.describe_question().map(|q| q.cells), Some(by(&["?", "x"])));
    let state = reduce(state, Action::Described(by(&["?", "x"]), Ok(told)));
    assert_eq!(state.describe_question(), None);
    // An engine that is started anew describes by the usual markers.
    let state = after(state, [Action::EngineRestarted, Action::Opened(table())]);
    assert!(state.describe_question().is_some());
}

/// The file's form is kept while it is read in another way, and the focus stays on the field that was changed.
#[test]
fn a_file_that_is_read_in_another_way_keeps_the_focus() {
    let form = FileForm { encoding: Some(String::from("UTF-8")), delimiter: ',', ..FileForm::default() };
    let state = after(described(), [Action::Opening(source("b.csv")), Action::Found(form.clone())]);
    let attempt = state.attempt.clone().unwrap();
    assert_eq!((attempt.form.as_deref(), attempt.changed), (Some(&form), None));
    assert_eq!(reduce(state.clone(), Action::Opened(table())).attention.id, "opened");

    let other = |delimiter| Source {
        how: Opening { delimiter: Some(delimiter), ..Opening::default() },
        ..source("b.csv")
    };
    let failed = reduce(state, Action::Failed("row 3 has 2 cells, not 4".into()));
    let state = reduce(failed, Action::Opening(other(';')));
    let attempt = state.attempt.clone().unwrap();
    assert_eq!((attempt.form.as_deref(), attempt.changed), (Some(&form), Some("open-delimiter")));
    let found = FileForm { delimiter: ';', ..form.clone() };
    let state = after(state, [Action::Found(found.clone()), Action::Opened(table())]);
    assert_eq!(state.attempt.as_ref().and_then(|a| a.form.as_deref()), Some(&found));
    assert_eq!((&*state.attention.id, state.source), ("open-delimiter", Some(other(';'))));

    // Another file, and the same one again as it is, begin afresh.
    let state = reduce(described(), Action::Found(form));
    let state = reduce(state, Action::Opening(source("c.csv")));
    assert_eq!(state.attempt.map(|a| (a.form, a.changed)), Some((None, None)));
}

#[test]
fn after_a_question_comes_the_next_one_and_after_the_last_the_number() {
    let mut asked = described();
    let table = Rc::make_mut(asked.table.as_mut().unwrap());
    for column in &mut table.columns {
        column.missing = 1;
    }
    let open = asked.invalid();
    let [first, second] = &open[..] else { panic!("{open:?}") };
    assert!(first.field.is_question() && second.field.is_question());
    let mut form = asked.form.clone();
    form.missing_sensitive = MissingPolicy::Drop;
    let state = reduce(asked, Action::Answer(Box::new(form.clone())));
    assert_eq!(state.attention.id, "asks-missing-quasi");
    form.missing_quasi = MissingPolicy::Drop;
    let state = reduce(state, Action::Answer(Box::new(form)));
    assert_eq!(state.attention.id, "m");
    assert!(state.edits.can_undo());
}
