//! Several sensitive columns, each with conditions of its own, from a table to its published bytes and what is said of them.
#![cfg(test)]

use std::collections::BTreeMap;

use lookalike_core::{
    Error, Impossible,
    pipeline::{self, Outcome},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    finding::finding,
    rule::{Distance, Ground, Several, Share, ValueCondition},
    settings::{Budget, Missing, MissingPolicy, Model, RowsAre, Settings},
};
use lookalike_testkit::Wanted;

/// People by age, whose illness and pay go by it; of some the pay is not known.
fn table(unknown: bool) -> Table {
    let row = |i: usize| {
        let age = 20 + (i * 37) % 50;
        let pay = match 100 * (1 + (age / 13 + usize::from(i.is_multiple_of(5))) % 4) {
            _ if unknown && i.is_multiple_of(9) => String::from("?"),
            pay => pay.to_string(),
        };
        format!("{age},{},{},{pay}\n", ["f", "m"][i % 2], ["flu", "gout", "cold"][(age / 20 + i % 2) % 3])
    };
    let text: String = std::iter::once(String::from("age,sex,ill,pay\n")).chain((0..240).map(row)).collect();
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn distinct(l: usize) -> ValueCondition {
    ValueCondition::DistinctDiversity { l: Several::try_from(l).unwrap() }
}

fn alpha(alpha: f64) -> ValueCondition {
    ValueCondition::Frequency { alpha: Share::try_from(alpha).unwrap() }
}

fn ordered(t: f64) -> ValueCondition {
    ValueCondition::TCloseness { t: Distance::try_from(t).unwrap(), distance: Ground::Ordered }
}

fn settings(of_ill: Vec<ValueCondition>, of_pay: Vec<ValueCondition>) -> Settings {
    Settings {
        quasi: ["age", "sex"].map(String::from).to_vec(),
        sensitive: Some(String::from("ill")),
        unchanged: vec![String::from("pay")],
        conditions: of_ill,
        conditions_of: BTreeMap::from([(String::from("pay"), of_pay)]),
        budget: Budget::Effort(0.5),
        rows_are: Some(RowsAre::People),
        seed: Some(3),
        ..Settings::of(Model::KAnonymity { k: 4 })
    }
}

fn run(table: &Table, settings: &Settings) -> Result<Outcome, Error> {
    pipeline::anonymize(table, settings, &Ctx::silent())
}

/// The values of a column by the published cells of some others.
fn values(outcome: &Outcome, by: &[&str], of: &str) -> BTreeMap<Vec<String>, Vec<String>> {
    let mut reader = csv::Reader::from_reader(outcome.published.as_slice());
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|cell| cell == name).unwrap();
    let mut found: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for row in reader.records() {
        let row = row.unwrap();
        let key = by.iter().map(|name| row[at(name)].to_owned()).collect();
        found.entry(key).or_default().push(row[at(of)].to_owned());
    }
    found
}

/// Whether every class and group keeps what is wanted of a column, compared with all its published values; and how surely the surest
/// value of a group is guessed.
fn kept(outcome: &Outcome, of: &str, wanted: &[Wanted]) -> f64 {
    let all: Vec<String> = values(outcome, &[], of).into_values().flatten().collect();
    let mut names = all.clone();
    names.sort_by(|a, b| a.parse::<u32>().ok().cmp(&b.parse::<u32>().ok()).then(a.cmp(b)));
    names.dedup();
    let ranked = |values: &[String]| -> Vec<usize> {
        values.iter().map(|value| names.iter().position(|name| name == value).unwrap()).collect()
    };
    let (whole, mut surest) = (ranked(&all), 0.0_f64);
    let (by_class, groups) = (values(outcome, &["class"], of), values(outcome, &["age", "sex"], of));
    assert!(by_class.len() > 3, "{}", by_class.len());
    for (key, values) in by_class.iter().chain(&groups) {
        for wanted in wanted {
            assert!(
                values.len() >= 4 && wanted.holds(&ranked(values), &whole, names.len()),
                "{wanted:?} {key:?}"
            );
        }
    }
    for values in groups.values() {
        let most = values.iter().map(|a| values.iter().filter(|b| a == *b).count()).max().unwrap();
        surest = surest.max(most as f64 / values.len() as f64);
    }
    surest
}

#[test]
fn each_column_keeps_its_own_conditions_in_the_published_bytes() {
    let (table, settings) =
        (table(false), settings(vec![distinct(2)], vec![distinct(3), alpha(0.5), ordered(0.2)]));
    let outcome = run(&table, &settings).unwrap();
    assert!(outcome.report.audit.passed);
    kept(&outcome, "ill", &[Wanted::Distinct { l: 2 }]);
    let wanted = [Wanted::Distinct { l: 3 }, Wanted::Alpha { alpha: 0.5 }, Wanted::Ordered { t: 0.2 }];
    let surest = kept(&outcome, "pay", &wanted);
    // Without the conditions on it the further column is told.
    let without = Settings { conditions_of: BTreeMap::new(), ..settings.clone() };
    let bare = run(&table, &without).unwrap();
    let ranked = |values: &Vec<String>| -> Vec<usize> {
        values.iter().map(|pay| pay.parse::<usize>().unwrap() / 100 - 1).collect()
    };
    let whole = ranked(&values(&bare, &[], "pay").into_values().flatten().collect());
    let told = |values: &Vec<String>| wanted.iter().any(|wanted| !wanted.holds(&ranked(values), &whole, 4));
    assert!(values(&bare, &["class"], "pay").values().any(told), "nothing was to be protected");

    // What was found is said of the column, by its name: in checks, report and verdict.
    let report = &outcome.report;
    let [of] = &report.further[..] else { panic!("one further column") };
    assert_eq!((of.column.as_str(), of.conditions.len()), ("pay", 3));
    assert!((of.highest_disclosure - surest).abs() < 1e-12, "{} {surest}", of.highest_disclosure);
    for condition in &of.conditions {
        assert!(condition.condition.allows(condition.reached.unwrap()));
    }
    let about = |name: &str| {
        let text = |check: &&lookalike_model::report::Check| check.name.to_string().contains(name);
        report.audit.checks.iter().filter(text).count()
    };
    assert_eq!((about("a condition on \"pay\""), about("a condition on its sensitive values")), (6, 2));
    let said = finding(report, &settings).sentence.to_string();
    assert!(said.contains("guesses of pay is right") && said.contains("knows pay of a person"), "{said}");
}

/// Rows whose value is not known in one of the columns are left out, or the run is refused; none of them counts.
#[test]
fn values_that_are_not_known_are_decided_on() {
    let (table, mut settings) = (table(true), settings(Vec::new(), vec![alpha(0.6)]));
    let told = run(&table, &settings).unwrap_err().to_string();
    assert!(told.contains("\"pay\" is missing in 27 of 240 rows"), "{told}");
    settings.missing = Missing { sensitive: MissingPolicy::Value, ..Missing::default() };
    let told = run(&table, &settings).unwrap_err().to_string();
    assert!(told.contains("\"pay\" that is not known"), "{told}");
    settings.missing.sensitive = MissingPolicy::Drop;
    let outcome = run(&table, &settings).unwrap();
    assert!(outcome.report.audit.passed && outcome.report.input.rows == 213);
    kept(&outcome, "pay", &[Wanted::Alpha { alpha: 0.6 }]);
}

/// A further column needs no first one; what cannot be is refused by the column's name, before a search.
#[test]
fn a_further_column_by_itself_and_what_it_cannot_keep() {
    let alone = Settings { sensitive: None, ..settings(Vec::new(), vec![distinct(3)]) };
    let outcome = run(&table(false), &alone).unwrap();
    assert!(outcome.report.audit.passed && outcome.report.conditions.is_empty());
    kept(&outcome, "pay", &[Wanted::Distinct { l: 3 }]);
    let refused = run(&table(false), &settings(Vec::new(), vec![distinct(9)])).unwrap_err();
    assert!(matches!(refused, Error::Impossible(Impossible::Condition { .. })));
    assert!(
        refused.to_string().contains("a condition on \"pay\"")
            && refused.to_string().contains("possible value is 4"),
        "{refused}"
    );
    let other = Settings { unchanged: Vec::new(), quasi: vec!["age".into(), "pay".into()], ..alone };
    assert!(run(&table(false), &other).is_err(), "a quasi-identifier is not protected by conditions");
}

/// The values in one class of the published bytes are exchanged with those of others: the verdict turns red by that column alone.
#[test]
fn a_broken_class_turns_the_verdict_red() {
    use lookalike_core::audit::{Conditions, Dialect, Guarantee, Question, judge_further};
    let settings = settings(vec![distinct(2)], vec![alpha(0.5)]);
    let outcome = run(&table(false), &settings).unwrap();
    let question = Question {
        quasi: ["age", "sex"].map(String::from).to_vec(),
        sensitive: Some("ill".into()),
        guarantee: Guarantee::KAnonymity { k: 4 },
        conditions: Conditions::default(),
        class: Some("class".into()),
        markers: Vec::new(),
        dialect: Dialect::PLAIN,
    };
    let asked =
        Conditions { all: vec![lookalike_core::check::condition(&alpha(0.5))], ..Conditions::default() };
    let judged = |bytes: &[u8]| judge_further(bytes, &question, "pay", &asked).unwrap();
    assert!(judged(&outcome.published).checks.iter().all(|check| check.passed));
    let text = String::from_utf8(outcome.published.clone()).unwrap();
    let mut rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let at = rows[0].iter().position(|cell| *cell == "pay").unwrap();
    let mut pays: Vec<&str> = rows[1..].iter().map(|row| row[at]).collect();
    pays.sort_unstable();
    for (row, pay) in rows[1..].iter_mut().zip(pays) {
        row[at] = pay;
    }
    let bytes: String = rows.iter().map(|row| row.join(",") + "\n").collect();
    assert!(judged(bytes.as_bytes()).checks.iter().all(|check| !check.passed));
}
