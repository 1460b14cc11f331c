//! Series of releases over random histories, each judged by brute force.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    sync::Arc,
};

use lookalike_core::{
    Error,
    pipeline::{Need, Outcome, Purpose, Run, finish},
    republish::{
        series::{Options, prepare},
        ways::Way,
    },
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx, ErrorKind,
    job::{Answer, BoundOf, Status},
    ledger::{Ledger, Mode, Signatures, Vacancies},
    settings::{
        Budget, ColumnGenerationOptions, Construction, Fake, MethodName, Model, Publish, Repair, Settings,
    },
};
use lookalike_optimize::solve::solve;
use lookalike_testkit::{Release, judge_series};
use lookalike_wire::ledger;
use proptest::prelude::*;

/// Age and diagnosis of each person that is in the table now, by name.
type People = BTreeMap<u8, (u8, u8)>;

/// What happens to a person before a release.
#[derive(Clone, Copy, Debug)]
enum Update {
    /// Comes, or comes back: as before, or older and with another diagnosis.
    Come(u8, u8, u8),
    /// Leaves.
    Go(u8),
    /// Gets older.
    Age(u8),
    /// Has another diagnosis.
    Change(u8, u8),
}

fn update() -> impl Strategy<Value = Update> {
    prop_oneof![
        6 => (0_u8..40, 18_u8..80, 0_u8..5).prop_map(|(who, age, what)| Update::Come(who, age, what)),
        2 => (0_u8..40).prop_map(Update::Go),
        1 => (0_u8..40).prop_map(Update::Age),
        1 => (0_u8..40, 0_u8..5).prop_map(|(who, what)| Update::Change(who, what)),
    ]
}

/// The tables of a history; in `mode` only what it allows happens.
fn tables(updates: &[Vec<Update>], mode: Mode) -> Vec<People> {
    let (mut now, mut ever) = (People::new(), People::new());
    let mut tables = Vec::new();
    for step in updates {
        for update in step {
            match *update {
                Update::Come(who, age, what) if !now.contains_key(&who) => match ever.get(&who) {
                    None => drop(now.insert(who, (age, what))),
                    Some(&before) if mode == Mode::TauSafety => {
                        now.insert(who, if age % 2 == 0 { before } else { (age, what) });
                    }
                    Some(_) => {}
                },
                Update::Go(who) if mode != Mode::Incremental && now.len() > 1 => drop(now.remove(&who)),
                Update::Age(who) => {
                    if let Some(person) = now.get_mut(&who) {
                        person.0 += 1;
                    }
                }
                Update::Change(who, what) if mode == Mode::TauSafety => {
                    if let Some(person) = now.get_mut(&who) {
                        person.1 = what;
                    }
                }
                _ => {}
            }
        }
        if now.is_empty() {
            now.insert(200, (30, 0));
        }
        ever.extend(now.iter().map(|(&who, &person)| (who, person)));
        tables.push(now.clone());
    }
    tables
}

fn table(people: &People, backwards: bool) -> Table {
    let mut lines: Vec<String> =
        people.iter().map(|(who, (age, what))| format!("p{who},{age},d{what}\n")).collect();
    if backwards {
        lines.reverse();
    }
    let mut text = String::from("name,age,diagnosis\n");
    for line in &lines {
        text.write_str(line).unwrap();
    }
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(m: usize) -> Settings {
    let mut settings = Settings {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("diagnosis")),
        kinds: BTreeMap::from([(String::from("age"), lookalike_model::settings::Kind::Integer)]),
        eligibility: Repair::Add,
        budget: Budget::Effort(0.1),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed: Some(7),
        ..Settings::of(Model::MInvariance { m })
    };
    settings.changes.fake = Fake::Frequent;
    settings
}

fn run(
    table: &Table,
    settings: &Settings,
    mode: Mode,
    signatures: Signatures,
    ledger: Option<&Ledger>,
) -> Result<Outcome, Error> {
    let options = Options {
        id: String::from("name"),
        mode,
        ledger: ledger.cloned(),
        signatures,
        exact_names: false,
        key: None,
        vacancies: Some(Vacancies::NewRecords),
        way: Way::Fewest,
        more: 0,
    };
    let prepared = prepare(table, settings, &options, &Ctx::silent())?;
    let answer = solve(prepared.job(), &Ctx::silent())?;
    finish(table, &prepared, &answer, &Ctx::silent())
}

/// Counterfeits that the next release has from this ledger, made in one of the ways; `None` if that way finds none.
fn counterfeits(table: &Table, settings: &Settings, mode: Mode, way: Way, ledger: &Ledger) -> Option<usize> {
    let options = Options {
        id: String::from("name"),
        mode,
        ledger: Some(ledger.clone()),
        signatures: Signatures::Free,
        exact_names: false,
        key: None,
        vacancies: Some(Vacancies::NewRecords),
        way,
        more: 0,
    };
    let prepared = prepare(table, settings, &options, &Ctx::silent()).ok()?;
    // Nobody is left out here, and counterfeits come after the real records.
    Some(prepared.job().colours.len() - table.rows)
}

/// What a judge sees of a release.
fn seen(table: &Table, outcome: &Outcome) -> Release {
    let published = read(&outcome.published, &ReadOptions::default()).unwrap();
    let key = read(&outcome.classes, &ReadOptions::default()).unwrap();
    let cell = |table: &Table, name: &str, row: usize| {
        let column = table.columns.iter().find(|column| column.name == name).unwrap();
        column.cell(row).to_owned()
    };
    Release {
        published: (0..published.rows)
            .map(|row| (cell(&published, "class", row), cell(&published, "diagnosis", row)))
            .collect(),
        people: (0..table.rows)
            .map(|row| (cell(table, "name", row), cell(table, "diagnosis", row), cell(&key, "class", row)))
            .filter(|person| !person.2.is_empty())
            .collect(),
    }
}

fn series(
    updates: &[Vec<Update>],
    m: usize,
    mode: Mode,
    signatures: Signatures,
) -> Result<(), TestCaseError> {
    let settings = settings(m);
    let mut before: Option<Ledger> = None;
    let mut releases = Vec::new();
    let mut diagnoses_so_far = BTreeSet::new();
    for (number, people) in tables(updates, mode).iter().enumerate() {
        let table = table(people, false);
        diagnoses_so_far.extend(people.values().map(|person| person.1));
        let Ok(outcome) = run(&table, &settings, mode, signatures, before.as_ref()) else {
            // Fewer than m diagnoses in the whole history.
            let diagnoses: BTreeSet<u8> = people.values().map(|person| person.1).collect();
            prop_assert!(before.is_none() && diagnoses.len() < m, "release {number}");
            continue;
        };
        prop_assert!(outcome.report.audit.passed, "{:?}", outcome.report.audit);
        let next = outcome.ledger.clone().unwrap();
        let bytes = ledger::write(&next).unwrap();
        prop_assert_eq!(ledger::read(&bytes), Ok(next.clone()));
        if let Some(before) = &before {
            prop_assert_eq!(&next.before_last(), before);
        }
        let total = outcome.report.changes.counterfeits;
        if let Some(before) = &before {
            let least = counterfeits(&table, &settings, mode, Way::Fewest, before).unwrap();
            // Sets of exactly m values cost less than one class more.
            let more = if signatures == Signatures::Smallest { m - 1 } else { 0 };
            prop_assert!((least..=least + more).contains(&total), "{} {}", total, least);
            prop_assert_eq!(counterfeits(&table, &settings, mode, Way::Tobar2024, before), Some(least));
            // With m values in all, random counterfeits would hardly ever be even.
            let ways = [Way::Tau, Way::Classic].into_iter().filter(|_| diagnoses_so_far.len() > m);
            for way in ways {
                let theirs = counterfeits(&table, &settings, mode, way, before);
                prop_assert!(theirs.is_none_or(|theirs| least <= theirs), "{:?} {:?} {}", way, theirs, least);
            }
        }
        prop_assert_eq!(
            next.releases[next.releases.len() - 1].counterfeits.iter().sum::<u32>() as usize,
            total
        );
        if number % 5 == 4 {
            let backwards = self::table(people, true);
            let again = run(&backwards, &settings, mode, signatures, before.as_ref()).unwrap();
            prop_assert_eq!(&again.published, &outcome.published);
            prop_assert_eq!(again.ledger.as_ref(), Some(&next));
        }
        releases.push(seen(&table, &outcome));
        before = Some(next);
    }
    prop_assert_eq!(judge_series(&releases, m, mode != Mode::MInvariance), Ok(()));
    Ok(())
}

fn history() -> impl Strategy<Value = Vec<Vec<Update>>> {
    let first = prop::collection::vec(update(), 12..40);
    (first, prop::collection::vec(prop::collection::vec(update(), 0..14), 19)).prop_map(
        |(first, mut rest)| {
            rest.insert(0, first);
            rest
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn tau_safe_series(updates in history(), m in 2_usize..4) {
        series(&updates, m, Mode::TauSafety, Signatures::Few)?;
    }

    #[test]
    fn m_invariant_series(updates in history(), m in 2_usize..4) {
        series(&updates, m, Mode::MInvariance, Signatures::Free)?;
    }

    #[test]
    fn incremental_series(updates in history(), m in 2_usize..4) {
        series(&updates, m, Mode::Incremental, Signatures::Smallest)?;
    }
}

#[test]
fn what_a_series_cannot_have_is_refused() {
    let people = People::from([(1, (20, 0)), (2, (21, 1)), (3, (30, 0)), (4, (31, 1))]);
    let good = settings(2);
    let table = table(&people, false);
    let first = run(&table, &good, Mode::TauSafety, Signatures::Few, None).unwrap().ledger.unwrap();
    let refused = |settings: &Settings, mode: Mode| {
        run(&table, settings, mode, Signatures::Few, Some(&first)).unwrap_err().to_string()
    };
    assert!(refused(&good, Mode::MInvariance).contains("mode (was tau-safety, now m-invariance)"));
    let centroids = Settings { publish: Publish::Centroid, ..good.clone() };
    assert!(refused(&centroids, Mode::TauSafety).contains("centroids"));
    let other = Settings { weights: BTreeMap::from([(String::from("age"), 1.0)]), ..good.clone() };
    assert!(refused(&other, Mode::TauSafety).contains("weights"));
    let three = Settings { model: Model::MInvariance { m: 3 }, ..good.clone() };
    assert!(refused(&three, Mode::TauSafety).contains("model"));
    let proof = Settings { method: MethodName::ColumnGeneration.into(), ..good.clone() };
    assert!(refused(&proof, Mode::TauSafety).contains("take --signatures free"));
    let exact = Settings { method: MethodName::LargeNeighbourhood.into(), ..good.clone() };
    assert!(refused(&exact, Mode::TauSafety).contains("take --signatures free"));
    run(&table, &exact, Mode::TauSafety, Signatures::Free, Some(&first)).unwrap();
    let proven = run(&table, &proof, Mode::TauSafety, Signatures::Free, Some(&first)).unwrap();
    let bound = proven.exact().bound.as_ref().unwrap();
    assert_eq!(bound.of, BoundOf::WholeProblem);
    assert!((bound.value - proven.exact().objective.value).abs() < 1e-9 && bound.value > 0.0);
    let mdav =
        ColumnGenerationOptions { start: Some(Construction::Mdav), ..ColumnGenerationOptions::default() };
    let elsewhere = Settings { method: mdav.into(), ..proof };
    let error = run(&table, &elsewhere, Mode::TauSafety, Signatures::Free, Some(&first)).unwrap_err();
    assert!(error.to_string().contains("cannot keep the signatures"), "{error}");
    let free = Settings { method: MethodName::Tau.into(), budget: Budget::Effort(0.0), ..good };
    run(&table, &free, Mode::TauSafety, Signatures::Few, Some(&first)).unwrap();
    let unnamed = read(b"name,age,diagnosis\np1,20,d0\n,21,d1\n", &ReadOptions::default()).unwrap();
    let error = run(&unnamed, &settings(2), Mode::TauSafety, Signatures::Few, None).unwrap_err();
    assert!(error.to_string().contains("row 2 has no name"), "{error}");
    let twice = read(b"name,age,diagnosis\np1,20,d0\np1,21,d1\n", &ReadOptions::default()).unwrap();
    let error = run(&twice, &settings(2), Mode::TauSafety, Signatures::Few, None).unwrap_err();
    assert!(
        error.to_string().contains("one person has several rows, by name and rows: \"p1\" (1, 2)"),
        "{error}"
    );
}

#[test]
fn what_waits_is_new_next_time() {
    // Three of one value, one of another: one record of the first must wait, or two.
    let people = People::from([(1, (20, 0)), (2, (21, 0)), (3, (30, 0)), (4, (31, 1))]);
    let settings = Settings { eligibility: Repair::Delete, ..settings(2) };
    let now = table(&people, false);
    let outcome = run(&now, &settings, Mode::MInvariance, Signatures::Few, None).unwrap();
    let waiting = outcome.private.series.unwrap().waiting;
    assert_eq!((waiting, outcome.report.changes.counterfeits), (2, 0));
    let ledger = outcome.ledger.unwrap();
    assert_eq!(ledger.individuals.len(), 2);
    let more: People = people.into_iter().chain([(5, (40, 1)), (6, (41, 1))]).collect();
    let next =
        run(&table(&more, false), &settings, Mode::MInvariance, Signatures::Few, Some(&ledger)).unwrap();
    let updates = next.private.series.unwrap();
    assert_eq!((updates.new, updates.stayed, updates.waiting), (4, 2, 0));
    // Without any change nothing can be done here.
    let strict = Settings { eligibility: Repair::Error, ..settings };
    let error = run(&now, &strict, Mode::MInvariance, Signatures::Few, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Infeasible, "{error}");
}

/// A run of the first release with this price, searched here: its counterfeits, its loss, and how many trials there were.
/// `stopped`: the user ends the run at this trial.
fn priced(price: f64, stopped: Option<usize>) -> Result<(u64, f64, usize), Error> {
    let people: People =
        (0..60).map(|who| (who, (20 + ((u32::from(who) * 37) % 50) as u8, who % 3))).collect();
    let options = Options {
        id: String::from("name"),
        mode: Mode::TauSafety,
        ledger: None,
        signatures: Signatures::Free,
        exact_names: false,
        key: None,
        vacancies: None,
        way: Way::Fewest,
        more: 0,
    };
    let mut run = Run::of_series(Arc::new(table(&people, false)), settings(3), options, Some(price))?;
    let mut trials = 0;
    loop {
        let answer = match run.next(&Ctx::silent())? {
            Need::Ask(question) => panic!("{question}"),
            Need::Done(outcome) => {
                assert!(outcome.report.audit.passed);
                let counterfeits = outcome.report.changes.counterfeits as u64;
                return Ok((counterfeits, outcome.exact().objective.value, trials));
            }
            Need::Solve { job, purpose } => {
                trials += usize::from(purpose == Purpose::Trial);
                let short = job.budget == Budget::Effort(0.3);
                assert_eq!(short, purpose == Purpose::Trial, "a trial is short, a release is not");
                let status = (stopped == Some(trials)).then_some(Status::Cancelled);
                let answer = solve(job, &Ctx::silent())?;
                Answer { status: status.unwrap_or(answer.status.clone()), ..answer }
            }
        };
        run.solved(answer);
    }
}

#[test]
fn what_counterfeits_cost_decides_how_many_there_are() {
    let (dear, without, trials) = priced(1e9, None).unwrap();
    assert_eq!((dear, trials), (0, 3), "too dear: two trials in a row do not pay, after the one without");
    assert!(priced(f64::NAN, None).is_err() && priced(-1.0, None).is_err());
    let (free, with, trials) = priced(0.0, None).unwrap();
    assert!(free > 0 && free % 3 == 0 && trials > 3, "a counterfeit that costs nothing is worth any loss");
    assert!(with < without, "{with} {without}");
    // Whoever stops a run wants its release, not more trials.
    let (found, _, trials) = priced(0.0, Some(1)).unwrap();
    assert_eq!((found, trials), (0, 1));
    let (found, _, trials) = priced(0.0, Some(3)).unwrap();
    assert!(found > 0 && found < free && trials == 3, "the best so far: {found} of {free}");
}
