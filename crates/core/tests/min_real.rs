//! Real people in each class beside counterfeits, from the linking of a run: what was asked for, in every class.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_core::{
    Error,
    pipeline::{self, Outcome},
    table::{ReadOptions, read},
};
use lookalike_model::{
    Ctx,
    settings::{Budget, ChangeOptions, CounterfeitPoints, Model, Repair, Settings},
};

/// So many people of each value, at different ages.
fn people(values: &[(&str, usize)]) -> String {
    let mut text = String::from("age,disease\n");
    for (i, value) in values.iter().flat_map(|(value, n)| std::iter::repeat_n(value, *n)).enumerate() {
        writeln!(text, "{},{value}", 20 + 7 * i % 53).unwrap();
    }
    text
}

fn run(text: &str, m: usize, eligibility: Repair, changes: &ChangeOptions) -> Result<Outcome, Error> {
    let settings = Settings {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("disease")),
        eligibility,
        changes: changes.clone(),
        budget: Budget::Effort(1.0),
        seed: Some(7),
        ..Settings::of(Model::MInvariance { m })
    };
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    pipeline::anonymize(&table, &settings, &Ctx::silent())
}

fn real(min_real: usize) -> ChangeOptions {
    ChangeOptions { min_real: Some(min_real), ..ChangeOptions::default() }
}

fn belief(most: f64) -> ChangeOptions {
    ChangeOptions { max_belief: Some(most.try_into().unwrap()), ..ChangeOptions::default() }
}

#[test]
fn each_class_has_as_many_people_as_were_asked_for() {
    // {6, 3, 2, 1}, m = 4: six classes of four, twelve people.
    let text = people(&[("flu", 6), ("asthma", 3), ("gout", 2), ("HIV", 1)]);
    for changes in
        [real(2), belief(0.5), ChangeOptions { counterfeit_points: CounterfeitPoints::Drawn, ..real(2) }]
    {
        let done = run(&text, 4, Repair::Add, &changes).unwrap();
        let exact = done.exact();
        assert_eq!((exact.changes.counterfeits, exact.classes.count), (12, 6));
        assert_eq!((exact.classes.min_real, exact.classes.single_real), (Some(2), Some(0)));
        assert_eq!(exact.changes.min_real, Some(2));
        assert_eq!(
            done.report.changes.min_real, None,
            "what is published does not say where counterfeits are"
        );
        assert!(!serde_json::to_string(&done.report).unwrap().contains("\"min_real\":2"));
    }
    let loose = run(&text, 4, Repair::Add, &ChangeOptions::default()).unwrap();
    assert!(
        loose.exact().objective.value
            <= run(&text, 4, Repair::Add, &real(2)).unwrap().exact().objective.value
    );
}

#[test]
fn what_cannot_be_is_refused_with_the_nearest_that_can() {
    let text = people(&[("flu", 6), ("asthma", 3), ("gout", 2), ("HIV", 1)]);
    let why = |m, way, changes: &ChangeOptions| run(&text, m, way, changes).err().unwrap().to_string();
    let told = why(4, Repair::Add, &real(3));
    assert!(told.contains("at most 2 real people") && told.contains("--eligibility hybrid"), "{told}");
    assert!(why(4, Repair::Add, &belief(0.3)).contains("at most 2 real people"));
    assert!(why(4, Repair::Add, &real(5)).contains("more than m = 4"));
    assert!(why(4, Repair::Add, &belief(0.2)).contains("more than m = 4"));
    assert!(why(2, Repair::Error, &real(2)).contains("no change is allowed"));
    // Only people with the flu are deleted, so a missing person had it.
    let told = why(3, Repair::Delete, &belief(0.5));
    assert!(told.contains("missing") && told.contains("probability of 1"), "{told}");

    // Where deletions may help, they do: at a cap of four there are ten people for four classes.
    let done = run(&text, 4, Repair::Hybrid, &real(2)).unwrap();
    assert!(done.exact().classes.min_real >= Some(2));
    let done = run(&text, 4, Repair::Hybrid, &real(3)).unwrap();
    assert!(done.exact().classes.min_real >= Some(3));
}

#[test]
fn a_table_without_counterfeits_is_as_it_was() {
    let text = people(&[("flu", 3), ("asthma", 3), ("gout", 3)]);
    let (asked, usual) =
        (run(&text, 3, Repair::Add, &real(3)).unwrap(), run(&text, 3, Repair::Add, &real(1)).unwrap());
    assert_eq!(asked.published, usual.published);
}
