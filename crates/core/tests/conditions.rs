//! Conditions on sensitive values, from a table to its published bytes and the verdict on them.
#![cfg(test)]

use std::collections::BTreeMap;

use lookalike_core::{
    Error, Impossible,
    audit::{Condition, Conditions, Dialect, Guarantee, Question, judge},
    check::condition,
    pipeline::{self, Outcome},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx, Error as ModelError,
    finding::finding,
    rule::{Distance, Effective, Ground, Infeasible, Positive, Several, Share, ValueCondition},
    settings::{Budget, MethodName, Missing, MissingPolicy, Model, RowsAre, Settings, Suppress},
};

/// People by age, whose pay rises with it; few old ones are rich.
fn table() -> Table {
    let row = |i: usize| {
        let age = 20 + (i * 37) % 50;
        let pay = 100 * (1 + (age / 18 + i % 3) % 4);
        format!(
            "{age},{},{pay},{}\n",
            ["f", "m"][i % 2],
            ["no", "yes"][usize::from(age > 45 && i.is_multiple_of(3))]
        )
    };
    let text: String = std::iter::once(String::from("age,sex,pay,rich\n")).chain((0..240).map(row)).collect();
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(sensitive: &str, conditions: Vec<ValueCondition>) -> Settings {
    Settings {
        quasi: ["age", "sex"].map(String::from).to_vec(),
        sensitive: Some(sensitive.to_owned()),
        conditions,
        budget: Budget::Effort(0.5),
        rows_are: Some(RowsAre::People),
        seed: Some(3),
        ..Settings::of(Model::KAnonymity { k: 4 })
    }
}

fn close(t: f64, distance: Ground) -> ValueCondition {
    ValueCondition::TCloseness { t: Distance::try_from(t).unwrap(), distance }
}

fn every() -> Vec<ValueCondition> {
    let (several, positive) = (|l| Several::try_from(l).unwrap(), |x| Positive::try_from(x).unwrap());
    vec![
        ValueCondition::DistinctDiversity { l: several(3) },
        ValueCondition::EntropyDiversity { l: Effective::try_from(2.5).unwrap() },
        ValueCondition::RecursiveDiversity { c: positive(1.5), l: several(2) },
        ValueCondition::Frequency { alpha: Share::try_from(0.6).unwrap() },
        close(0.3, Ground::Equal),
        close(0.15, Ground::Ordered),
        ValueCondition::BasicBetaLikeness { beta: positive(1.0) },
        ValueCondition::EnhancedBetaLikeness { beta: positive(1.5) },
        ValueCondition::DeltaDisclosure { delta: positive(1.5) },
    ]
}

fn run(settings: &Settings) -> Result<Outcome, Error> {
    pipeline::anonymize(&table(), settings, &Ctx::silent())
}

/// The sensitive values by class, from the published bytes.
fn classes(outcome: &Outcome, sensitive: &str) -> BTreeMap<String, Vec<String>> {
    let text = String::from_utf8(outcome.published.clone()).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let at = |name: &str| rows[0].iter().position(|cell| *cell == name).unwrap();
    let mut classes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in &rows[1..] {
        classes.entry(row[at("class")].into()).or_default().push(row[at(sensitive)].into());
    }
    classes
}

#[test]
fn each_condition_is_kept_judged_and_reported() {
    for asked in every() {
        let settings = settings("pay", vec![asked]);
        let outcome = run(&settings).unwrap();
        assert!(outcome.report.audit.passed, "{asked:?}");
        let [of] = outcome.report.conditions[..] else { panic!("{asked:?}") };
        assert_eq!(of.condition, asked);
        assert!(asked.allows(of.reached.unwrap()), "{asked:?} {:?}", of.reached);
        let checks =
            outcome.report.audit.checks.iter().filter(|check| check.name.id() == "audit.Subject.Condition");
        assert_eq!(checks.count(), 2, "{asked:?}");
        assert!(classes(&outcome, "pay").len() > 1, "{asked:?}");
        // Nothing is left out, and what is told of the value is a guess from the table.
        assert_eq!(outcome.report.input.rows, 240);
        let said = finding(&outcome.report, &settings).sentence.to_string();
        assert!(said.contains("pay") && !said.contains("Nothing is promised"), "{said}");
    }
}

/// Everything at once, and the same bytes with one thread and two.
#[test]
fn all_conditions_together_with_any_number_of_threads() {
    let settings = settings("pay", every());
    let of = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&settings)).unwrap()
    };
    let (one, two) = (of(1), of(2));
    assert!(one.report.audit.passed);
    assert_eq!(one.report.conditions.len(), every().len());
    assert_eq!(one.published, two.published);
    let statement = one.report.bound.map(|bound| bound.proven_by.to_string());
    assert!(statement.is_none_or(|by| by.starts_with("a relaxation")), "a bound of what?");
}

/// A yes or no cannot be protected by different values, since two are all there are; closeness keeps everybody.
#[test]
fn a_yes_or_no_column_is_protected_with_everybody_in_the_table() {
    let outcome = run(&settings("rich", vec![close(0.3, Ground::Equal)])).unwrap();
    assert!(outcome.report.audit.passed);
    assert_eq!((outcome.report.input.rows, outcome.report.changes.suppressed), (240, 0));
    assert!(classes(&outcome, "rich").len() >= 10);
}

/// Values exchanged between two classes of the published bytes break a condition, and the verdict says so.
#[test]
fn a_broken_class_turns_the_verdict_red() {
    let order = Conditions::default().order;
    for asked in every() {
        let outcome = run(&settings("pay", vec![asked])).unwrap();
        let question = Question {
            quasi: ["age", "sex"].map(String::from).to_vec(),
            sensitive: Some("pay".into()),
            guarantee: Guarantee::KAnonymity { k: 4 },
            conditions: Conditions { all: vec![condition(&asked)], order: order.clone() },
            class: Some("class".into()),
            markers: Vec::new(),
            dialect: Dialect::PLAIN,
        };
        assert!(judge(&outcome.published, &question).unwrap().passed, "{asked:?}");
        // All values of one kind go to the first classes: the table's distribution stays, that of the classes does not.
        let text = String::from_utf8(outcome.published.clone()).unwrap();
        let rows: Vec<Vec<String>> =
            text.lines().map(|line| line.split(',').map(String::from).collect()).collect();
        let at = rows[0].iter().position(|cell| cell == "pay").unwrap();
        let mut values: Vec<String> = rows[1..].iter().map(|row| row[at].clone()).collect();
        values.sort();
        let mut broken = rows.clone();
        for (row, value) in broken[1..].iter_mut().zip(values) {
            row[at] = value;
        }
        let lines: Vec<String> = broken.iter().map(|row| row.join(",")).collect();
        let bytes = lines.join("\n") + "\n";
        let verdict = judge(bytes.as_bytes(), &question).unwrap();
        assert!(!verdict.passed, "{asked:?}");
        let failed = verdict.checks.iter().filter(|check| !check.passed);
        assert!(failed.clone().count() >= 1, "{asked:?}");
        for check in failed {
            assert!(check.name.to_string().contains("condition"), "{asked:?} {}", check.name);
        }
        let _: Condition = condition(&asked);
    }
}

#[test]
fn what_the_whole_table_does_not_keep_is_refused_with_the_nearest_value() {
    let of = |asked| run(&settings("rich", vec![asked])).unwrap_err();
    let l = ValueCondition::DistinctDiversity { l: Several::try_from(3).unwrap() };
    let told = of(l).to_string();
    assert!(told.contains("the nearest possible value is 2"), "{told}");
    assert!(matches!(of(l), Error::Model(ModelError::Infeasible(Infeasible::Values { .. }))), "{told}");
    let entropy = ValueCondition::EntropyDiversity { l: Effective::try_from(2.0).unwrap() };
    assert!(of(entropy).to_string().contains("nearest possible value is 1."));
    assert!(!matches!(of(l), Error::Impossible(Impossible::NoRow { .. })));
}

#[test]
fn what_does_not_go_together_is_refused_with_its_reason() {
    let plain = || settings("pay", vec![close(0.3, Ground::Equal)]);
    let refused = |settings: Settings, why: &str| {
        let told = run(&settings).unwrap_err().to_string();
        assert!(told.contains(why), "{told}");
    };
    refused(Settings { sensitive: None, ..plain() }, "need a sensitive column");
    refused(Settings { model: Model::MInvariance { m: 2 }, ..plain() }, "under m-invariance");
    for method in [MethodName::ColumnGeneration, MethodName::LargeNeighbourhood, MethodName::DokaGreedy] {
        refused(Settings { method: method.into(), ..plain() }, "cannot keep conditions");
    }
    refused(
        Settings { suppress: Some(Suppress { price: 1.0, limit: None }), ..plain() },
        "suppressed records",
    );
    refused(Settings { duals: true, ..plain() }, "no certificate");
    refused(
        Settings { rows_are: Some(RowsAre::EventsOf("sex".into())), quasi: vec!["age".into()], ..plain() },
        "one record a person",
    );
    let missing = Missing { sensitive: MissingPolicy::Value, ..Missing::default() };
    refused(Settings { missing, ..plain() }, "not known");
    refused(settings("rich", vec![close(0.3, Ground::Ordered)]), "give the order");
    let ordered = Settings {
        orders: BTreeMap::from([(String::from("rich"), ["no", "yes"].map(String::from).to_vec())]),
        ..settings("rich", vec![close(0.3, Ground::Ordered)])
    };
    assert!(run(&ordered).unwrap().report.audit.passed);
}
