//! Conditions on sensitive values, from a table to its published bytes and the verdict on them.
#![cfg(test)]

use std::collections::BTreeMap;

use lookalike_core::{
    Error, Impossible,
    audit::{Arrangement, Conditions, Dialect, Guarantee, Question, judge},
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
use lookalike_testkit::Wanted;

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
        ValueCondition::Spread { least: Share::try_from(0.5).unwrap() },
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

/// The sensitive values by the published cells of some columns.
fn values(outcome: &Outcome, by: &[&str], sensitive: &str) -> BTreeMap<Vec<String>, Vec<String>> {
    let mut reader = csv::Reader::from_reader(outcome.published.as_slice());
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|cell| cell == name).unwrap();
    let mut found: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for row in reader.records() {
        let row = row.unwrap();
        let key = by.iter().map(|name| row[at(name)].to_owned()).collect();
        found.entry(key).or_default().push(row[at(sensitive)].to_owned());
    }
    found
}

/// The sensitive values by class.
fn classes(outcome: &Outcome, sensitive: &str) -> BTreeMap<Vec<String>, Vec<String>> {
    values(outcome, &["class"], sensitive)
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

/// The condition by its definition.
fn wanted(of: ValueCondition) -> Wanted {
    match of {
        ValueCondition::DistinctDiversity { l } => Wanted::Distinct { l: l.get() },
        ValueCondition::EntropyDiversity { l } => Wanted::Entropy { l: l.get() },
        ValueCondition::RecursiveDiversity { c, l } => Wanted::Recursive { c: c.get(), l: l.get() },
        ValueCondition::Frequency { alpha } => Wanted::Alpha { alpha: alpha.get() },
        ValueCondition::Spread { least } => Wanted::Spread { least: least.get() },
        ValueCondition::TCloseness { t, distance: Ground::Equal } => Wanted::Equal { t: t.get() },
        ValueCondition::TCloseness { t, distance: Ground::Ordered } => Wanted::Ordered { t: t.get() },
        ValueCondition::TCloseness { t, distance: Ground::Hierarchical } => {
            Wanted::Hierarchical { t: t.get() }
        }
        ValueCondition::BasicBetaLikeness { beta } => Wanted::Beta { beta: beta.get() },
        ValueCondition::EnhancedBetaLikeness { beta } => Wanted::EnhancedBeta { beta: beta.get() },
        ValueCondition::DeltaDisclosure { delta } => Wanted::Delta { delta: delta.get() },
    }
}

/// What an attacker reads in the published table: rows whose pay is not known are not in it, so that it is compared with the others alone, and
/// "100" and "100.0" are two values of the same rank.
#[test]
fn an_attacker_finds_every_condition_in_the_published_table() {
    let pay = |i: usize, age: usize| match 100 * (1 + (age / 18 + i % 3) % 4) {
        // Whose pay is not known depends on the pay, so that the table that is published is distributed in another way.
        300 if i % 4 < 3 => String::from("?"),
        100 if i.is_multiple_of(5) => String::from("100.0"),
        pay => pay.to_string(),
    };
    let row = |i: usize| {
        let age = 20 + (i * 37) % 50;
        format!("{age},{},{}\n", ["f", "m"][i % 2], pay(i, age))
    };
    let text: String = std::iter::once(String::from("age,sex,pay\n")).chain((0..300).map(row)).collect();
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let number = |text: &String| text.parse::<f64>().unwrap();
    for asked in every() {
        let missing = Missing { sensitive: MissingPolicy::Drop, ..Missing::default() };
        let settings = Settings { missing, ..settings("pay", vec![asked]) };
        let outcome = pipeline::anonymize(&table, &settings, &Ctx::silent()).unwrap();
        let published: Vec<String> = values(&outcome, &["pay"], "pay").into_values().flatten().collect();
        assert!(published.len() < 270 && !published.contains(&String::from("?")), "{asked:?}");
        // Different values: by their spelling, or for the ordered distance by number.
        let mut names = published.clone();
        names.sort_by(|a, b| number(a).total_cmp(&number(b)).then(a.cmp(b)));
        names.dedup_by(|a, b| if asked.is_ordered() { number(a) == number(b) } else { a == b });
        let alike = |a: &String, b: &String| if asked.is_ordered() { number(a) == number(b) } else { a == b };
        let ranked = |values: &[String]| -> Vec<usize> {
            values.iter().map(|value| names.iter().position(|name| alike(name, value)).unwrap()).collect()
        };
        let all = ranked(&published);
        let (by_class, groups) = (classes(&outcome, "pay"), values(&outcome, &["age", "sex"], "pay"));
        assert!(by_class.len() > 1 && by_class.len() >= groups.len(), "{asked:?}");
        for (key, values) in by_class.iter().chain(&groups) {
            assert!(values.len() >= 4, "{asked:?} {key:?}");
            assert!(wanted(asked).holds(&ranked(values), &all, names.len()), "{asked:?} {key:?} {values:?}");
        }
    }
}

/// Three incomes that differ by a few coins are one to whoever guesses: their numbers have to be far apart, and not their names.
#[test]
fn neighbouring_numbers_are_not_far_apart() {
    let pay = |i: usize| if i % 7 > 3 { 20_000 + 37 * i } else { [40_029, 40_035, 40_039][i % 3] };
    let row = |i: usize| format!("{},{},{}\n", 20 + (i * 37) % 50, ["f", "m"][i % 2], pay(i));
    let text: String = std::iter::once(String::from("age,sex,pay\n")).chain((0..240).map(row)).collect();
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let ranges = |asked: ValueCondition| -> Vec<f64> {
        let outcome = pipeline::anonymize(&table, &settings("pay", vec![asked]), &Ctx::silent()).unwrap();
        assert!(outcome.report.audit.passed, "{asked:?}");
        let range = |values: &Vec<String>| {
            let numbers = || values.iter().map(|value| value.parse::<f64>().unwrap());
            numbers().fold(f64::MIN, f64::max) - numbers().fold(f64::MAX, f64::min)
        };
        let all = range(&(0..240).map(|i| pay(i).to_string()).collect());
        classes(&outcome, "pay").values().map(|values| range(values) / all).collect()
    };
    let several = ranges(ValueCondition::DistinctDiversity { l: Several::try_from(3).unwrap() });
    assert!(several.iter().any(|range| *range < 0.01), "different names were enough anyway: {several:?}");
    let spread = ranges(ValueCondition::Spread { least: Share::try_from(0.3).unwrap() });
    assert!(spread.len() > 5 && spread.iter().all(|range| *range >= 0.3 - 1e-9), "{spread:?}");
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
    let arranged = Arrangement::default();
    for asked in every() {
        let outcome = run(&settings("pay", vec![asked])).unwrap();
        let question = Question {
            quasi: ["age", "sex"].map(String::from).to_vec(),
            sensitive: Some("pay".into()),
            guarantee: Guarantee::KAnonymity { k: 4 },
            conditions: Conditions { all: vec![condition(&asked)], arranged: arranged.clone() },
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
    }
}

#[test]
fn what_the_whole_table_does_not_keep_is_refused_with_the_nearest_value() {
    let of = |asked| run(&settings("rich", vec![asked])).unwrap_err();
    let l = ValueCondition::DistinctDiversity { l: Several::try_from(3).unwrap() };
    let told = of(l).to_string();
    assert!(told.contains("the nearest possible value is 2"), "{told}");
    assert!(matches!(of(l), Error::Model(ModelError::Infeasible(Infeasible::Values { .. }))), "{told}");
    // 240 records, of whom few are rich: half of them at most may be poor, and as many others must go.
    let rich = (0..240_usize).filter(|i| 20 + (i * 37) % 50 > 45 && i.is_multiple_of(3)).count();
    let half = ValueCondition::Frequency { alpha: Share::try_from(0.5).unwrap() };
    let told = of(half).to_string();
    assert!(told.contains(&format!("at least {} rows", 240 - 2 * rich)), "{told}");
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
    for method in [MethodName::Programme, MethodName::LargeNeighbourhood, MethodName::DokaGreedy] {
        refused(Settings { method: method.into(), ..plain() }, "cannot keep conditions");
    }
    refused(
        Settings { suppress: Some(Suppress { price: Some(1.0), limit: None, share: None }), ..plain() },
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

/// Eight people of whom five have one value: half of them at most may have it.
fn uneven() -> Table {
    let rows = (0..8).map(|i| format!("{},{}\n", 20 + 5 * i, ["a", "a", "b", "a", "c", "a", "b", "a"][i]));
    let text: String = std::iter::once(String::from("age,illness\n")).chain(rows).collect();
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

#[test]
fn the_fewest_records_are_left_out_where_so_many_may_be() {
    let half = ValueCondition::Frequency { alpha: Share::try_from(0.5).unwrap() };
    let settings = |limit| Settings {
        quasi: vec![String::from("age")],
        suppress: Some(Suppress { price: None, limit: Some(limit), share: None }),
        ..Settings { model: Model::KAnonymity { k: 2 }, ..settings("illness", vec![half]) }
    };
    let run = |settings: &Settings| pipeline::anonymize(&uneven(), settings, &Ctx::silent());
    let told = run(&settings(1)).unwrap_err().to_string();
    assert!(told.contains("at least 2 rows"), "{told}");
    for limit in [2, 3] {
        let settings = settings(limit);
        let outcome = run(&settings).unwrap();
        let found = classes(&outcome, "illness");
        let published: usize = found.values().map(Vec::len).sum();
        assert!((8 - limit..=6).contains(&published), "{published}");
        for values in found.values() {
            assert!(
                values.len() >= 2 && 2 * values.iter().filter(|value| *value == "a").count() <= values.len()
            );
        }
        assert!(outcome.report.audit.passed);
        assert_eq!(outcome.report.changes.deletions, 2);
        // Those who are left out have one of the most frequent values, and that is said.
        let said = finding(&outcome.report, &settings).sentence.to_string();
        assert!(said.contains("2 people were left out") && said.contains("most frequent values"), "{said}");
        let gone: Vec<usize> = outcome.private.fates.iter().map(|fate| fate.row).collect();
        assert_eq!(gone.len(), 8 - published);
    }
}

#[test]
fn records_are_left_out_for_conditions_on_two_columns_together() {
    // Most are poor, and most are of one sex; each by itself needs some rows less.
    let rows = (0..24).map(|i| {
        format!(
            "{},{},{}\n",
            20 + i,
            ["no", "yes"][usize::from(i % 3 == 0)],
            ["x", "y"][usize::from(i % 4 == 0)]
        )
    });
    let text: String = std::iter::once(String::from("age,rich,team\n")).chain(rows).collect();
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let half = |alpha| ValueCondition::Frequency { alpha: Share::try_from(alpha).unwrap() };
    let mut settings = Settings {
        quasi: vec![String::from("age")],
        suppress: Some(Suppress { price: None, limit: Some(16), share: None }),
        ..Settings { model: Model::KAnonymity { k: 2 }, ..settings("rich", vec![half(0.6)]) }
    };
    settings.conditions_of.insert(String::from("team"), vec![half(0.7)]);
    settings.unchanged = vec![String::from("team")];
    let outcome = pipeline::anonymize(&table, &settings, &Ctx::silent()).unwrap();
    assert!(outcome.report.audit.passed && outcome.report.changes.deletions > 0);
    for (column, value, alpha) in [("rich", "no", 0.6), ("team", "x", 0.7)] {
        for values in classes(&outcome, column).values() {
            let held = values.iter().filter(|held| *held == value).count();
            assert!(held as f64 <= alpha * values.len() as f64 + 1e-9, "{column}: {values:?}");
        }
    }
}

#[test]
fn amounts_are_numbers_as_people_write_them() {
    let spread = ValueCondition::Spread { least: Share::try_from(0.3).unwrap() };
    let plain: Vec<f64> = (0..24).map(|i| f64::from((i * 7) % 24) * 50.5 + 800.0).collect();
    let mut reached = Vec::new();
    for write in [
        |x: f64| format!("{x:.1}"),
        |x: f64| format!("\"{}\"", format!("{x:.1}").replace('.', ",")),
        |x: f64| format!("{x:.1} \u{20ac}"),
    ] {
        let rows = plain.iter().enumerate().map(|(i, &pay)| format!("{},{}\n", 20 + i, write(pay)));
        let text: String = std::iter::once(String::from("age,pay\n")).chain(rows).collect();
        let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let settings = Settings {
            quasi: vec![String::from("age")],
            ..settings("pay", vec![close(0.4, Ground::Ordered), spread])
        };
        let outcome = pipeline::anonymize(&table, &settings, &Ctx::silent()).unwrap();
        assert!(outcome.report.audit.passed);
        reached.push(outcome.report.conditions.iter().map(|of| of.reached.unwrap()).collect::<Vec<f64>>());
    }
    assert!(reached.windows(2).all(|pair| pair[0] == pair[1]), "{reached:?}");
}
