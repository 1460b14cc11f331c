//! The page's knowledge of a series, without a page.

use lookalike_model::settings::{Model, Settings};
use lookalike_wire::page::Configured;

use super::*;
use crate::state::{
    Action, Stake,
    tests::{described, finished},
    {Downloads, reduce},
};

fn act(state: State, action: SeriesAction) -> State {
    reduce(state, Action::Series(action))
}

fn told(ledger: Result<Box<LedgerInfo>, Said>) -> SeriesAction {
    SeriesAction::Told(Box::new(SeriesTold::Ledger { ledger }), <[String; 2]>::default())
}

/// What a ledger says.
fn info(state: &str, releases: u32) -> LedgerInfo {
    let settings =
        Settings { sensitive: Some(String::from("x")), ..Settings::of(Model::MInvariance { m: 7 }) };
    LedgerInfo {
        pseudonyms: false,
        id: String::from("who"),
        mode: Mode::MInvariance,
        state: state.to_owned(),
        releases,
        individuals: 9,
        timeline: Vec::new(),
        configured: Configured { settings, identifiers: Vec::new(), notes: Vec::new() },
        changes: Ok(SeriesUpdates::default()),
    }
}

/// A run to its end: its release is number `release`.
fn run(state: State, release: u32) -> State {
    let settings = Settings::of(Model::MInvariance { m: 3 });
    let started = Action::Started(crate::state::Place::Here, Rc::new(settings));
    let state = reduce(state, started);
    let updates = SeriesUpdates { release, ..SeriesUpdates::default() };
    let exposure = Some(Exposure { with: 0.9 });
    let released = SeriesTold::Released { updates, timeline: Vec::new(), exposure };
    let links = ["ledger", "counts"].map(String::from);
    let state = act(state, SeriesAction::Told(Box::new(released), links));
    reduce(state, Action::Finished(Box::new(finished(true)), Downloads::default()))
}

/// The first release of a series.
fn first() -> State {
    let state = act(described(), SeriesAction::Kind(SeriesKind::First));
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
fn who_takes_a_series_back_has_what_stood_in_the_fields() {
    let mut state = described();
    state.form.model = ModelChoice::KAnonymity;
    let fields = |state: &State| {
        (state.series.kind, state.form.model, state.form.eligibility, state.form.changes.fake)
    };
    let alone = fields(&state);
    let begun = act(state, SeriesAction::Kind(SeriesKind::First));
    let first = (SeriesKind::First, ModelChoice::MInvariance, Repair::Add, Fake::Frequent);
    assert_eq!(fields(&begun), first);
    // By saying so, or by one step back.
    assert_eq!(fields(&act(begun.clone(), SeriesAction::Kind(SeriesKind::Alone))), alone);
    let undone = reduce(begun.clone(), Action::Undo);
    assert_eq!(fields(&undone), alone);
    assert_eq!(fields(&reduce(undone, Action::Redo)), first);
    // What was chosen meanwhile stays.
    let mut chosen = begun;
    chosen.form.eligibility = Repair::Hybrid;
    let chosen = act(chosen, SeriesAction::Kind(SeriesKind::Alone));
    assert_eq!(fields(&chosen), (alone.0, alone.1, Repair::Hybrid, alone.3));
}

#[test]
fn a_refused_ledger_holds_the_run_back() {
    let state = act(first(), SeriesAction::Kind(SeriesKind::Later));
    assert!(!state.can_start());
    let state = act(state, SeriesAction::Reading(String::from("l.json"), false));
    let refused = act(state.clone(), told(Err(Said::verbatim("damaged"))));
    assert!(!refused.can_start() && refused.series.info().is_none());
    let read = act(state, told(Ok(Box::new(info("two", 2)))));
    assert_eq!(read.form.m, "7", "the series' own settings");
    let options = read.series.options().expect("the ledger says all");
    assert_eq!((options.id.as_str(), options.mode, options.first), ("who", Mode::MInvariance, false));
    // An engine that is started anew knows no ledger.
    let anew = reduce(read, Action::EngineRestarted);
    assert!(anew.series.info().is_none() && anew.series.options().is_none());
}

/// A ledger says what is published; which of the other columns names people is known from the table.
#[test]
fn a_column_that_names_people_stays_one_in_the_next_release() {
    use crate::form::Decided;
    let read = |state| {
        let state = act(state, SeriesAction::Kind(SeriesKind::Later));
        let state = act(state, SeriesAction::Reading(String::from("l.json"), false));
        act(state, told(Ok(Box::new(info("one", 1)))))
    };
    let said = read(reduce(described(), Action::SetRole(0, Role::Identifier)));
    assert_eq!(said.choices[0].role, Role::Identifier);
    let mut suggested = described();
    let mut table = (**suggested.table.as_ref().expect("open")).clone();
    table.columns[0].suggestion = Some(lookalike_model::info::Suggestion {
        role: lookalike_model::settings::Role::Identifier,
        confidence: lookalike_model::info::Confidence::High,
        reason: Said::verbatim("it names people"),
    });
    suggested.table = Some(Rc::new(table));
    suggested.choices[0] = crate::form::Choice::default();
    assert_eq!(suggested.choices[0].decided, Decided::Nobody);
    assert_eq!(read(suggested).choices[0].role, Role::Identifier);
    // Columns that name nobody are left out, as the ledger has it.
    assert_eq!(read(described()).choices[0].role, Role::NotPublished);
}

#[test]
fn a_second_release_from_one_state_has_to_be_asked_for() {
    let later = |state: State, name: &str, releases: u32| {
        let state = act(state, SeriesAction::Kind(SeriesKind::Later));
        let state = act(state, SeriesAction::Reading(String::from("l.json"), false));
        act(state, told(Ok(Box::new(info(name, releases)))))
    };
    let made = run(first(), 1);
    // As long as nothing was saved, one may try as often as one likes.
    assert!(made.can_start() && made.series.spent().is_none());
    assert_eq!(made.at_stake(), Some(Stake::Ledger));
    let saved = act(made, SeriesAction::Saved);
    assert_ne!(saved.at_stake(), Some(Stake::Ledger));
    assert!(!saved.can_start() && saved.series.must_not_fork());
    assert_eq!(saved.series.spent().map(|spent| spent.release), Some(1));
    let replaces = act(saved.clone(), SeriesAction::Replaces(true));
    assert!(replaces.can_start());
    // Once the new one is saved, it is asked again.
    let again = act(run(replaces, 1), SeriesAction::Saved);
    assert!(!again.can_start());
    // With the ledger that was saved, the next one comes; from that state, too, only one.
    let next = later(again, "one", 1);
    assert!(next.can_start());
    let saved = act(run(next, 2), SeriesAction::Saved);
    assert!(!saved.can_start());
    let chosen_again = later(saved.clone(), "one", 1);
    assert!(!chosen_again.can_start(), "the same ledger once more");
    assert!(later(chosen_again, "two", 2).can_start());
    // A table for itself is no part of it.
    assert!(act(saved, SeriesAction::Kind(SeriesKind::Alone)).can_start());
}

#[test]
fn the_last_release_is_made_again_from_the_state_before() {
    let state = act(first(), SeriesAction::Kind(SeriesKind::Later));
    let state = act(state, SeriesAction::Reading(String::from("l.json"), true));
    assert!(!state.can_start() && state.series.ledger.as_ref().is_some_and(|ledger| ledger.again));
    let state = act(state, told(Ok(Box::new(info("one", 2)))));
    assert!(state.can_start());
    let saved = act(run(state, 2), SeriesAction::Saved);
    assert!(saved.series.must_not_fork(), "it is not replaced twice by one tick");
    // The page reads the ledger anew by itself where a table is opened, or the engine started again.
    for event in [Action::EngineRestarted, Action::Tick] {
        let anew = act(reduce(saved.clone(), event), SeriesAction::Reading(String::from("l.json"), true));
        let anew = act(anew, told(Ok(Box::new(info("one", 2)))));
        assert!(anew.series.must_not_fork(), "nor because its file is read anew");
    }
    // Who has saved release 2 in this visit, and takes its ledger, says it by one tick as well.
    let newest = act(saved, SeriesAction::Reading(String::from("l.json"), false));
    let newest = act(newest, told(Ok(Box::new(info("two", 2)))));
    let again = act(newest, SeriesAction::Reading(String::from("l.json"), true));
    assert!(act(again, told(Ok(Box::new(info("one", 2))))).can_start());
}

#[test]
fn a_release_waits_for_its_ledger() {
    let made = run(first(), 1);
    assert!(!made.series.may_go_out());
    // Nobody can confirm what was not saved.
    let early = act(made.clone(), SeriesAction::Stored(true));
    assert!(!early.series.may_go_out() && early.at_stake() == Some(Stake::Ledger));
    let saved = act(early, SeriesAction::Saved);
    assert!(!saved.series.may_go_out() && saved.at_stake() == Some(Stake::Result));
    let stored = act(saved, SeriesAction::Stored(true));
    assert!(stored.series.may_go_out());
    assert!(!act(stored.clone(), SeriesAction::Stored(false)).series.may_go_out());
    // The next release waits for its own; a table for itself for none.
    let again = act(stored, SeriesAction::Replaces(true));
    assert!(!run(again, 1).series.may_go_out() && described().series.may_go_out());
    // A release that failed its audit has no ledger to be saved.
    let mut failed = made;
    failed.results = failed.results.map(|results| {
        let mut results = (*results).clone();
        results.finished.report.audit.passed = false;
        Rc::new(results)
    });
    assert_eq!(failed.at_stake(), None);
}

#[test]
fn a_release_of_another_tab_is_told() {
    let later = |name: &str| {
        let state = act(first(), SeriesAction::Kind(SeriesKind::Later));
        let state = act(state, SeriesAction::Reading(String::from("l.json"), false));
        act(state, told(Ok(Box::new(info(name, 1)))))
    };
    let elsewhere = |state: &str| {
        let (state, table) = (state.to_owned(), String::from("b.csv"));
        SeriesAction::Elsewhere(Spent { state, release: 2, table, here: false })
    };
    // Before a run from the same state it is to be asked for, from another state it is nobody's affair.
    assert!(act(later("one"), elsewhere("two")).can_start());
    let warned = act(later("one"), elsewhere("one"));
    assert!(!warned.can_start() && warned.series.spent().is_some_and(|spent| !spent.here));
    // After a run, the two releases are rivals, whatever is saved here.
    let made = run(later("one"), 2);
    assert!(made.series.rival().is_none());
    let told = made.series.to_tell("a.csv").expect("it goes on from a ledger");
    assert_eq!((told.state.as_str(), told.release, told.here), ("one", 2, false));
    let rivals = act(act(made, elsewhere("one")), SeriesAction::Saved);
    assert_eq!(rivals.series.rival().map(|rival| rival.table.as_str()), Some("b.csv"));
    // The first release of a series goes on from no ledger: others who begin one are none of its business.
    assert_eq!(run(first(), 1).series.to_tell("a.csv"), None);
}

#[test]
fn numbers_of_counterfeits_are_published_by_choice_only() {
    let made = run(first(), 1);
    let released = made.series.released.clone().expect("a release");
    assert!(!released.accepted && released.exposure.is_some());
    assert_eq!((released.ledger.as_str(), released.counts.as_str()), ("ledger", "counts"));
    let accepted = act(made, SeriesAction::Accepted(true));
    assert!(accepted.series.released.clone().expect("a release").accepted);
    // The next release is another choice.
    assert!(!run(accepted, 1).series.released.expect("a release").accepted);
}

#[test]
fn a_price_must_be_a_number() {
    let priced = |price: &str| {
        let state = first();
        let form = SeriesForm { price: price.to_owned(), ..state.series.form.clone() };
        let state = act(state, SeriesAction::Edit(form));
        (state.can_start(), state.series.options().and_then(|options| options.price))
    };
    assert_eq!(priced(""), (true, None));
    assert_eq!(priced(" 2.5 "), (true, Some(2.5)));
    for wrong in ["x", "-1", "inf", "NaN"] {
        assert_eq!(priced(wrong), (false, None));
    }
}

/// What takes the places of people who left follows the mode until it is chosen.
#[test]
fn vacancies_follow_the_mode_until_they_are_chosen() {
    let of = |mode, vacancies| SeriesForm { mode, vacancies, ..SeriesForm::default() }.vacancies();
    assert_eq!(of(Mode::TauSafety, None), Vacancies::NewRecords);
    assert_eq!(of(Mode::MInvariance, None), Vacancies::Counterfeits);
    assert_eq!(of(Mode::Incremental, None), Vacancies::Counterfeits);
    assert_eq!(of(Mode::Incremental, Some(Vacancies::NewRecords)), Vacancies::NewRecords);
    assert_eq!(of(Mode::TauSafety, Some(Vacancies::Counterfeits)), Vacancies::Counterfeits);
}
