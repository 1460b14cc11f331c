//! Against whom a promise over sensitive values holds: all worlds that fit what is published, counted.
//!
//! A world gives each person a value. To an attacker who does not reason from the method every world with the same published bytes
//! is possible; one who does keeps those in which this program would have published them.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};

use lookalike_core::{
    pipeline::{Outcome, anonymize, finish},
    republish::{
        series::{Options, prepare},
        ways::Way,
    },
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    job::Status,
    ledger::{Ledger, Mode, Signatures, Vacancies},
    settings::{Budget, Fake, Kind, MethodName, Model, Publish, Repair, Settings},
};
use lookalike_optimize::solve::solve;
use rand::{RngExt as _, SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;

/// All orders of some values.
fn orders(values: &[&'static str]) -> Vec<Vec<&'static str>> {
    if values.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in 0..values.len() {
        let mut rest = values.to_vec();
        let value = rest.remove(first);
        all.extend(orders(&rest).into_iter().map(|order| [vec![value], order].concat()));
    }
    all
}

fn settings(quasi: &[&str], m: usize) -> Settings {
    Settings {
        quasi: quasi.iter().map(|&name| name.to_owned()).collect(),
        sensitive: Some(String::from("value")),
        kinds: quasi.iter().map(|&name| (name.to_owned(), Kind::Real)).collect(),
        budget: Budget::Effort(1.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed: Some(7),
        ..Settings::of(Model::MInvariance { m })
    }
}

fn table(header: &str, rows: &[String]) -> Table {
    read(format!("{header}\n{}\n", rows.join("\n")).as_bytes(), &ReadOptions::default()).unwrap()
}

/// Six people on a circle: the published classes are possible in eight worlds, and optimal in two. Four people's values are certain.
#[test]
fn least_loss_excludes_worlds_so_the_promise_is_not_against_the_method() {
    let circle: Vec<(f64, f64)> = [0.0_f64, 55.0, 120.0, 175.0, 240.0, 295.0]
        .iter()
        .map(|degrees| degrees.to_radians().sin_cos())
        .map(|(y, x)| ((1e4 * x).round() / 1e4, (1e4 * y).round() / 1e4))
        .collect();
    let settings = Settings { method: MethodName::ColumnGeneration.into(), ..settings(&["x", "y"], 2) };
    let publish = |values: &[&str]| {
        let rows: Vec<String> =
            circle.iter().zip(values).map(|((x, y), value)| format!("{x},{y},{value}")).collect();
        anonymize(&table("x,y,value", &rows), &settings, &Ctx::silent()).unwrap()
    };
    let truth = ["a", "a", "c", "d", "e", "b"];
    let released = publish(&truth);
    assert_eq!((&released.report.status, released.report.audit.passed), (&Some(Status::Optimal), true));

    // The published classes are the long sides. All worlds that give their values back.
    let sides = [(1, 2), (3, 4), (5, 0)];
    let mut worlds = Vec::new();
    for turned in 0..8 {
        let mut world = truth;
        for (at, &(i, j)) in sides.iter().enumerate() {
            if turned >> at & 1 == 1 {
                world.swap(i, j);
            }
        }
        worlds.push(world);
    }
    let fitting: Vec<_> = worlds.into_iter().filter(|w| publish(w).published == released.published).collect();
    assert_eq!(fitting.len(), 2, "{fitting:?}");
    let certain = (0..6).filter(|&i| fitting.iter().all(|world| world[i] == fitting[0][i])).count();
    assert_eq!(certain, 4);

    let said = released.report.against.to_string();
    assert!(
        said.contains("does not hold against one who also reasons from how the classes were chosen"),
        "{said}"
    );
}

fn release(rows: &[(&str, u32, &str)], ledger: Option<&Ledger>) -> Outcome {
    released(rows, ledger, Vacancies::NewRecords, 3)
}

fn released(rows: &[(&str, u32, &str)], ledger: Option<&Ledger>, vacancies: Vacancies, m: usize) -> Outcome {
    let rows: Vec<String> = rows.iter().map(|(name, age, value)| format!("{name},{age},{value}")).collect();
    of_table(&table("name,age,value", &rows), ledger, vacancies, m)
}

fn of_table(table: &Table, ledger: Option<&Ledger>, vacancies: Vacancies, m: usize) -> Outcome {
    of_mode(table, ledger, (Mode::MInvariance, Some(vacancies)), m)
}

fn of_mode(
    table: &Table,
    ledger: Option<&Ledger>,
    (mode, vacancies): (Mode, Option<Vacancies>),
    m: usize,
) -> Outcome {
    let mut settings = Settings {
        eligibility: Repair::Add,
        publish: Publish::Range,
        kinds: BTreeMap::from([(String::from("age"), Kind::Integer)]),
        ..settings(&["age"], m)
    };
    settings.changes.fake = Fake::Frequent;
    let options = Options {
        id: String::from("name"),
        mode,
        ledger: ledger.cloned(),
        signatures: Signatures::Free,
        exact_names: false,
        key: None,
        vacancies,
        way: Way::Fewest,
        more: 0,
    };
    let prepared = prepare(table, &settings, &options, &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    finish(table, &prepared, &answer, &Ctx::silent()).unwrap()
}

/// The example of `docs/republish.md`: the signature keeps its three values, and only one is left to who knows how places are filled.
#[test]
fn where_counterfeits_stand_excludes_values_so_the_series_is_not_against_the_method() {
    let both = |old: &[&'static str], new: &[&'static str]| {
        let first = release(&[("P", 20, old[0]), ("Q", 40, old[1]), ("R", 60, old[2])], None);
        let rows =
            [("P", 20, old[0]), ("S", 30, new[0]), ("T", 35, new[1]), ("U", 50, new[2]), ("V", 70, new[3])];
        let second = release(&rows, first.ledger.as_ref());
        ((first.published, second.published.clone()), second)
    };
    let old = ["asthma", "HIV", "flu"];
    let new = ["asthma", "gout", "cancer", "eczema"];
    let (published, second) = both(&old, &new);
    assert_eq!(second.report.changes.counterfeits, 2);

    // Without the method all three values are possible: each is in a world with the same classes.
    let text = String::from_utf8(published.1.clone()).unwrap();
    let of_p: BTreeSet<&str> = text
        .lines()
        .filter(|line| line.starts_with("20,"))
        .filter_map(|line| line.split(',').nth(1))
        .collect();
    assert_eq!(of_p, BTreeSet::from(old), "{text}");

    let mut left = BTreeSet::new();
    for old in orders(&old) {
        for new in orders(&new) {
            if both(&old, &new).0 == published {
                left.insert(old[0]);
            }
        }
    }
    assert_eq!(left, BTreeSet::from(["asthma"]));

    let report = &second.report;
    assert!(report.disclosure.is_none() && second.private.informed.is_some_and(|i| i.present.is_none()));
    assert!(
        report
            .against
            .to_string()
            .contains("does not hold against one who also reasons from how the classes and the counterfeits")
    );
}

/// The same people, with places that are filled by counterfeits alone: all three values of P are left, the two of others as well.
#[test]
fn where_counterfeits_alone_fill_places_the_example_tells_nothing() {
    let both = |old: &[&'static str]| {
        let people = [("P", 20, old[0]), ("Q", 40, old[1]), ("R", 60, old[2])];
        let first = released(&people, None, Vacancies::Counterfeits, 3);
        let rows = [
            ("P", 20, old[0]),
            ("S", 30, "asthma"),
            ("T", 35, "gout"),
            ("U", 50, "cancer"),
            ("V", 70, "eczema"),
        ];
        let second = released(&rows, first.ledger.as_ref(), Vacancies::Counterfeits, 3);
        (first.published, second.published, second.report.against.to_string())
    };
    let worlds: Vec<_> = orders(&["asthma", "HIV", "flu"]).iter().map(|old| both(old)).collect();
    assert_eq!(worlds.len(), 6);
    for world in &worlds {
        assert_eq!(world, &worlds[0]);
    }
    assert!(worlds[0].2.contains("at most who shares a value with whom, not which"), "{}", worlds[0].2);
}

/// A world of a series: the values of each signature exchanged among all of its people.
fn exchanged(ledger: &Ledger, rng: &mut ChaCha8Rng) -> (Ledger, BTreeMap<String, String>) {
    let mut other = ledger.clone();
    let of: Vec<BTreeMap<u32, u32>> = (ledger.signatures.iter())
        .map(|signature| {
            let mut to = signature.clone();
            to.shuffle(rng);
            signature.iter().copied().zip(to).collect()
        })
        .collect();
    let mut values = BTreeMap::new();
    for (name, stays) in &mut other.individuals {
        for stay in stays {
            stay.value = of[stay.signature as usize][&stay.value];
            values.insert(name.clone(), ledger.values[stay.value as usize].clone());
        }
    }
    (other, values)
}

/// What a release says in public, without how long it took and how many threads the machine had free.
fn said(outcome: &Outcome) -> serde_json::Value {
    let mut report = serde_json::to_value(&outcome.report).unwrap();
    report.as_object_mut().unwrap().retain(|name, _| !["seconds", "threads"].contains(&name.as_str()));
    report
}

/// Random series of four releases: how often a release is another one in a world whose signatures' values are exchanged.
fn told_apart(vacancies: Vacancies) -> (usize, usize) {
    let values = ["a", "b", "c", "d", "e"];
    let (mut different, mut compared) = (0, 0);
    for seed in 0..40 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut ledger: Option<Ledger> = None;
        let mut people: Vec<(String, u32, String)> = Vec::new();
        for number in 0..4 {
            people.retain(|_| rng.random_bool(0.6));
            for new in 0..rng.random_range(4..9) {
                let value = values[rng.random_range(0..values.len())];
                people.push((format!("{number}-{new}"), rng.random_range(0..90), value.to_owned()));
            }
            let of = |values: Option<&BTreeMap<String, String>>| -> Vec<(String, u32, String)> {
                let value = |name: &String| values.and_then(|values| values.get(name));
                let person = |(name, age, own): &(String, u32, String)| {
                    (name.clone(), *age, value(name).unwrap_or(own).clone())
                };
                people.iter().map(person).collect()
            };
            let run = |people: &[(String, u32, String)], ledger: Option<&Ledger>| {
                // Wherever the sensitive column stands, and whoever has the same age.
                let (header, rows): (_, Vec<String>) = match seed % 3 {
                    0 => (
                        "name,age,value",
                        people.iter().map(|(n, age, v)| format!("{n},{age},{v}")).collect(),
                    ),
                    1 => (
                        "value,name,age",
                        people.iter().map(|(n, age, v)| format!("{v},{n},{age}")).collect(),
                    ),
                    _ => (
                        "name,value,age",
                        people.iter().map(|(n, age, v)| format!("{n},{v},{}", age / 15)).collect(),
                    ),
                };
                of_table(&table(header, &rows), ledger, vacancies, 2)
            };
            let truth = run(&of(None), ledger.as_ref());
            assert!(truth.report.audit.passed);
            if let Some(before) = &ledger {
                for _ in 0..3 {
                    let (other, of_other) = exchanged(before, &mut rng);
                    let world = run(&of(Some(&of_other)), Some(&other));
                    compared += 1;
                    different +=
                        usize::from(world.published != truth.published || said(&world) != said(&truth));
                }
            }
            ledger = truth.ledger;
        }
    }
    (different, compared)
}

/// The theorem of `docs/republish.md`, from the published bytes and the public report; and that this test can tell.
#[test]
fn later_releases_are_the_same_for_every_order_of_a_signature_s_values() {
    assert_eq!(told_apart(Vacancies::Counterfeits), (0, 360));
    let (different, compared) = told_apart(Vacancies::NewRecords);
    assert!(compared == 360 && different > 100, "{different}");
}

/// A series goes on as it began.
#[test]
fn what_takes_the_places_is_settled_by_the_first_release() {
    let people = [("P", 20, "a"), ("Q", 40, "b"), ("R", 60, "c")];
    for vacancies in [Vacancies::NewRecords, Vacancies::Counterfeits] {
        let first = released(&people, None, vacancies, 3);
        let ledger = first.ledger.unwrap();
        assert_eq!(ledger.vacancies, vacancies);
        let written = serde_json::to_value(&ledger).unwrap();
        assert_eq!(written.get("vacancies").is_some(), vacancies == Vacancies::Counterfeits);
        assert_eq!(serde_json::from_value::<Ledger>(written).unwrap(), ledger);
    }
}

/// No text of the project promises more than that.
#[test]
fn what_is_written_names_the_same_attacker() {
    let docs = [
        ("README.md", include_str!("../../../README.md")),
        ("docs/republish.md", include_str!("../../../docs/republish.md")),
        ("docs/publication.md", include_str!("../../../docs/publication.md")),
        ("docs/guide/README.md", include_str!("../../../docs/guide/README.md")),
        ("docs/guide/series.md", include_str!("../../../docs/guide/series.md")),
    ];
    for (name, text) in docs {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for promise in [
            "all releases, and the method",
            "all releases and this method",
            "at worst 1 in m guesses",
            "nobody's value is told with a probability above 1/m",
        ] {
            assert!(!text.contains(promise), "{name}: {promise}");
        }
        assert!(text.contains("reasons from"), "{name} does not say that the method is not held against");
    }
}

/// A series that begins without a word on it has the rule that is proven against the method, in the modes of the theorem; one that has begun
/// goes on as it began. The example is that of `docs/republish.md`.
#[test]
fn what_is_not_said_is_the_rule_of_the_mode_and_then_that_of_the_ledger() {
    let rows =
        |of: &[&str]| table("name,age,value", &of.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>());
    let first = rows(&["P,20,asthma", "Q,40,hiv", "R,60,flu"]);
    let grown = rows(&["P,20,asthma", "Q,40,hiv", "R,60,flu", "S,30,asthma", "T,35,gout", "U,50,cancer"]);
    let shrunk = rows(&["P,20,asthma", "S,30,asthma", "T,35,gout", "U,50,cancer", "V,70,eczema", "W,71,flu"]);
    for (mode, later, expected) in [
        (Mode::Incremental, &grown, Vacancies::Counterfeits),
        (Mode::MInvariance, &shrunk, Vacancies::Counterfeits),
        (Mode::TauSafety, &shrunk, Vacancies::NewRecords),
    ] {
        let other = match expected {
            Vacancies::Counterfeits => Vacancies::NewRecords,
            Vacancies::NewRecords => Vacancies::Counterfeits,
        };
        let series = |said: Option<Vacancies>| {
            let begun = of_mode(&first, None, (mode, said), 3).ledger.unwrap();
            // A later release is told nothing: the ledger knows.
            let next = of_mode(later, Some(&begun), (mode, None), 3);
            (begun.vacancies, next.ledger.unwrap().vacancies, next.published)
        };
        let (unsaid, said, against) = (series(None), series(Some(expected)), series(Some(other)));
        assert_eq!((unsaid.0, unsaid.1), (expected, expected), "{mode:?}");
        assert_eq!(unsaid, said, "{mode:?}");
        assert_eq!((against.0, against.1), (other, other), "{mode:?}");
    }
    // In the second release, flu of a new person would have taken R's place.
    let published = |said| {
        let begun = of_mode(&first, None, (Mode::MInvariance, said), 3).ledger.unwrap();
        String::from_utf8(of_mode(&shrunk, Some(&begun), (Mode::MInvariance, None), 3).published).unwrap()
    };
    assert_ne!(published(None), published(Some(Vacancies::NewRecords)));
}
