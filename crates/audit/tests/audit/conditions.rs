//! Conditions on sensitive values: computed by hand, and broken one by one.

use lookalike_audit::{
    Arrangement, Condition, Conditions, Error, Ground, Grouping, Guarantee, Question, Subject, Verdict, judge,
};

use crate::common::{csv, question, rows};

/// Two classes that are distributed as the whole table: q = (1/2, 1/4, 1/4).
const ALIKE: [[&str; 4]; 2] = [["1", "1", "2", "3"]; 2];

/// The same table with one value of each class exchanged: p = (3/4, 1/4, 0) and (1/4, 1/4, 1/2).
const TORN: [[&str; 4]; 2] = [["1", "1", "1", "2"], ["1", "2", "3", "3"]];

fn table(classes: [[&str; 4]; 2]) -> Vec<u8> {
    let row = |class: usize, value: &&str| format!("\n[{class}0-{class}9] F {class} {value}");
    let rows_of =
        |(at, values): (usize, &[&str; 4])| values.iter().map(|value| row(at + 1, value)).collect::<String>();
    let body: String = classes.iter().enumerate().map(rows_of).collect();
    csv(&rows(&format!("age sex class disease{body}")))
}

fn asked(all: Vec<Condition>) -> Question {
    Question {
        conditions: Conditions { all, ..Conditions::default() },
        ..question(Guarantee::KAnonymity { k: 4 })
    }
}

fn verdict(classes: [[&str; 4]; 2], condition: Condition) -> Verdict {
    judge(&table(classes), &asked(vec![condition])).unwrap()
}

/// A condition that the first table keeps and the second breaks, with what each reaches.
fn cases() -> Vec<(Condition, f64, f64)> {
    vec![
        (Condition::DistinctDiversity { l: 3 }, 3.0, 2.0),
        // 2^(3/2), and 4 / 3^(3/4).
        (Condition::EntropyDiversity { l: 2.5 }, 8.0_f64.sqrt(), 4.0 / 3.0_f64.powf(0.75)),
        (Condition::RecursiveDiversity { c: 1.5, l: 2 }, 1.0, 3.0),
        (Condition::Frequency { alpha: 0.6 }, 0.5, 0.75),
        (Condition::TCloseness { t: 0.2, ground: Ground::Equal }, 0.0, 0.25),
        // Cumulated 1/4, 1/4, 0, over 2.
        (Condition::TCloseness { t: 0.2, ground: Ground::Ordered }, 0.0, 0.25),
        // Value 3 from 1/4 to 1/2.
        (Condition::BetaLikeness { beta: 0.9, enhanced: false }, 0.0, 1.0),
        (Condition::BetaLikeness { beta: 0.9, enhanced: true }, 0.0, 1.0),
        // The first class lacks value 3.
        (Condition::DeltaDisclosure { delta: 0.5 }, 0.0, f64::INFINITY),
    ]
}

#[test]
fn each_condition_holds_by_hand_and_breaks_with_one_exchange() {
    for (condition, kept, torn) in cases() {
        let good = verdict(ALIKE, condition);
        assert!(good.passed, "{condition:?}");
        assert!((good.reached[0] - kept).abs() < 1e-12, "{condition:?} {:?}", good.reached);
        let bad = verdict(TORN, condition);
        assert!(
            bad.reached[0] == torn || (bad.reached[0] - torn).abs() < 1e-12,
            "{condition:?} {:?}",
            bad.reached
        );
        let failed: Vec<&Subject> =
            bad.checks.iter().filter(|check| !check.passed).map(|check| &check.name).collect();
        // A check of its own, by classes and by groups, and no other.
        assert_eq!(failed.len(), 2, "{condition:?} {failed:?}");
        for (name, of) in failed.into_iter().zip([Grouping::Class, Grouping::Group]) {
            assert!(matches!(name, Subject::Condition { grouping, .. } if *grouping == of), "{name:?}");
        }
        assert!(!bad.passed);
        let witnesses =
            |verdict: &Verdict| verdict.checks.iter().map(|check| check.witnesses.len()).sum::<usize>();
        assert!(witnesses(&bad) >= 2 && witnesses(&good) == 0, "{condition:?}");
    }
}

/// A gain of less than beta is too much where a value is frequent: -ln q(1) = 0.69.
#[test]
fn enhanced_likeness_bounds_frequent_values() {
    let alone = [["1", "1", "1", "1"], ["2", "2", "3", "3"]];
    let of = |enhanced| verdict(alone, Condition::BetaLikeness { beta: 2.0, enhanced });
    assert!(of(false).passed);
    assert!((of(false).reached[0] - 1.0).abs() < 1e-12);
    assert!(!of(true).passed);
}

/// ln(p/q) of every value, upwards and downwards; equality is not enough.
#[test]
fn disclosure_counts_both_ways() {
    // p = (1/4, 1/2, 1/4) and (3/4, 0, 1/4): of the first class value 1 has ln(1/2), value 2 ln 2.
    let classes = [["1", "2", "2", "3"], ["1", "1", "2", "3"]];
    let of = |delta| verdict(classes, Condition::DeltaDisclosure { delta });
    // q = (3/8, 3/8, 1/4): ln((1/4)/(3/8)) = ln(2/3), ln((1/2)/(3/8)) = ln(4/3).
    assert!((of(1.0).reached[0] - 1.5_f64.ln()).abs() < 1e-12);
    assert!(!of(1.5_f64.ln() - 1e-9).passed && of(1.5_f64.ln() + 1e-9).passed);
}

/// Groups of equal published cells are judged beside the classes, whose labels may tell more.
#[test]
fn groups_are_judged_without_classes() {
    let question = Question { class: None, ..asked(vec![Condition::DistinctDiversity { l: 3 }]) };
    let text = String::from_utf8(table(TORN)).unwrap();
    let plain: Vec<String> = text
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            [cells[0], cells[1], cells[3]].join(",")
        })
        .collect();
    let plain = plain.join("\n") + "\n";
    let found = judge(plain.as_bytes(), &question).unwrap();
    let broken: Vec<&Subject> =
        found.checks.iter().filter(|check| !check.passed).map(|check| &check.name).collect();
    assert!(matches!(broken[..], [Subject::Condition { grouping: Grouping::Group, .. }]), "{broken:?}");
}

#[test]
fn orders_are_numbers_or_given() {
    let ordered = Condition::TCloseness { t: 0.2, ground: Ground::Ordered };
    let of = |classes: [[&str; 4]; 2], order: Option<&[&str]>| {
        let order = order.map(|order| order.iter().map(ToString::to_string).collect());
        let arranged = Arrangement { order, hierarchy: None };
        let conditions = Conditions { all: vec![ordered], arranged };
        judge(&table(classes), &Question { conditions, ..asked(Vec::new()) })
    };
    let words = [["LOW", "LOW", "LOW", "MID"], ["HIGH", "HIGH", "LOW", "MID"]];
    assert!(matches!(of(words, None), Err(Error::NoOrder { .. })));
    assert!(matches!(of(words, Some(&["LOW", "MID"])), Err(Error::OrderLacks { .. })));
    assert!(matches!(of(words, Some(&["LOW", "MID", "LOW", "HIGH"])), Err(Error::OrderTwice { .. })));
    let reached = |order: &[&str]| of(words, Some(order)).unwrap().reached[0];
    // p - q = (1/4, 0, -1/4) in this order: 1/4, 1/4, 0 over 2.
    assert!((reached(&["LOW", "MID", "HIGH"]) - 0.25).abs() < 1e-12);
    // The values that differ are neighbours: 1/4, 0, 0 over 2.
    assert!((reached(&["LOW", "HIGH", "MID"]) - 0.125).abs() < 1e-12);
    // A rank that nobody has counts: 1/4, 1/4, 1/4, 0 over 3.
    assert!((reached(&["LOW", "MID", "NONE", "HIGH"]) - 0.25).abs() < 1e-12);
    // Numbers by value: 10 comes after 9.
    let bytes = table([["10", "10", "10", "9"], ["10", "2", "2", "9"]]);
    let found = judge(
        &bytes,
        &Question {
            conditions: Conditions { all: vec![ordered], ..Conditions::default() },
            ..asked(Vec::new())
        },
    );
    assert!((found.unwrap().reached[0] - 0.25).abs() < 1e-12);
}

#[test]
fn what_makes_no_sense_is_refused() {
    for wrong in [
        Condition::DistinctDiversity { l: 1 },
        Condition::EntropyDiversity { l: 1.0 },
        Condition::RecursiveDiversity { c: 0.0, l: 2 },
        Condition::Frequency { alpha: 0.0 },
        Condition::TCloseness { t: 1.5, ground: Ground::Equal },
        Condition::BetaLikeness { beta: -1.0, enhanced: true },
        Condition::DeltaDisclosure { delta: f64::NAN },
    ] {
        assert!(judge(&table(ALIKE), &asked(vec![wrong])).is_err(), "{wrong:?}");
    }
    let nothing = Question { sensitive: None, ..asked(vec![Condition::Frequency { alpha: 0.5 }]) };
    assert!(matches!(judge(&table(ALIKE), &nothing), Err(Error::NoSensitiveFor { .. })));
}

/// A missing value is no diversity: classes are judged by the rows whose value is known, and one without such is not diverse.
#[test]
fn what_is_not_known_counts_for_nothing() {
    let unknown = [["1", "2", "3", "?"], ["1", "2", "3", "?"]];
    let of = |condition| verdict(unknown, condition);
    assert!(of(Condition::DistinctDiversity { l: 3 }).passed);
    assert!(!of(Condition::DistinctDiversity { l: 4 }).passed);
    assert!((of(Condition::Frequency { alpha: 0.4 }).reached[0] - 1.0 / 3.0).abs() < 1e-12);
    let nobody = [["?", "?", "?", "?"], ["1", "2", "3", "3"]];
    for condition in
        [Condition::TCloseness { t: 0.9, ground: Ground::Equal }, Condition::EntropyDiversity { l: 1.1 }]
    {
        assert!(!verdict(nobody, condition).passed, "{condition:?}");
    }
}

#[test]
fn hierarchies_are_trees_of_all_values() {
    let close = Condition::TCloseness { t: 0.2, ground: Ground::Hierarchical };
    let words = [["FLU", "FLU", "COLD", "HIV"], ["HIV", "HIV", "FLU", "COLD"]];
    let of = |rows: Option<&[&[&str]]>| {
        let row = |row: &&[&str]| row.iter().map(ToString::to_string).collect();
        let hierarchy = rows.map(|rows| rows.iter().map(row).collect());
        let arranged = Arrangement { order: None, hierarchy };
        judge(
            &table(words),
            &Question { conditions: Conditions { all: vec![close], arranged }, ..asked(Vec::new()) },
        )
    };
    let tree: &[&[&str]] = &[&["FLU", "lungs"], &["COLD", "lungs"], &["HIV", "blood"]];
    assert!(matches!(of(None), Err(Error::NoHierarchy { .. })));
    assert!(matches!(of(Some(&tree[..2])), Err(Error::HierarchyLacks { .. })));
    let short: &[&[&str]] = &[&["FLU", "lungs", "*"], &["COLD", "lungs"], &["HIV", "blood", "*"]];
    assert!(matches!(of(Some(short)), Err(Error::HierarchyLacks { .. })));
    let torn: &[&[&str]] = &[&["FLU", "lungs", "a"], &["COLD", "lungs", "b"], &["HIV", "blood", "b"]];
    assert!(matches!(of(Some(torn)), Err(Error::HierarchyTorn { .. })));
    let reached = |tree: &[&[&str]]| of(Some(tree)).unwrap().reached[0];
    // p - q = (1/8, 0, -1/8), and above that lungs 1/8, blood -1/8: all moves through the root, at height 2 of 2.
    assert!((reached(tree) - 0.125).abs() < 1e-12);
    // The same with the root written down.
    let rooted: &[&[&str]] = &[&["FLU", "lungs", "*"], &["COLD", "lungs", "*"], &["HIV", "blood", "*"]];
    assert!((reached(rooted) - 0.125).abs() < 1e-12);
    // Half the way: what differs has one label.
    let near: &[&[&str]] = &[&["FLU", "virus"], &["COLD", "cold"], &["HIV", "virus"]];
    assert!((reached(near) - 0.0625).abs() < 1e-12);
}
