//! A table that is judged as it is read, beside the same table judged as a whole.

use std::fmt::Write as _;

use lookalike_audit::{Attacker, Guarantee, Question, judge, judge_stream, measure, name, risks};
use lookalike_table::{ReadOptions, read};
use proptest::prelude::*;

use crate::{
    common::{csv, question, rows},
    properties::table,
};

fn holds(verdict: &lookalike_audit::Verdict, check: &str) -> bool {
    verdict.checks.iter().filter(|c| c.name == check).all(|c| c.passed)
}

proptest! {
    /// The same verdict; on tables in order also the same words, witnesses and figures.
    #[test]
    fn as_the_whole_table(table in table(), least in 2..4_usize, unique in any::<bool>(), class in any::<bool>()) {
        let guarantee = if unique { Guarantee::MUnique { m: least } } else { Guarantee::KAnonymity { k: least } };
        let question = Question { class: class.then(|| String::from("class")), ..question(guarantee) };
        // Without its role the class would be a column that nobody asks about: see below.
        let table: Vec<Vec<String>> = table.into_iter().map(|mut row| {
            if !class {
                row.remove(2);
            }
            row
        }).collect();
        let bytes = csv(&table);
        let whole = judge(&bytes, &question).unwrap();
        let found = judge_stream(bytes.as_slice(), &question).unwrap();
        prop_assert_eq!(found.verdict.passed, whole.passed);
        prop_assert_eq!(found.rows, table.len() - 1);
        prop_assert_eq!(holds(&found.verdict, name::SORTED), holds(&whole, name::SORTED));
        // A class that comes back has a label out of place here; there its rows are published differently.
        if holds(&found.verdict, name::SORTED) && holds(&found.verdict, name::LABELS) {
            prop_assert_eq!(&found.verdict, &whole);
            let parsed = read(&bytes, &ReadOptions::default()).unwrap();
            prop_assert_eq!(found.risks, risks(&parsed, &question.quasi, &[], &Attacker::default()).unwrap());
            let figures = measure::figures(&parsed, &question, None, &measure::Reading::default()).unwrap();
            prop_assert_eq!(found.discernibility, figures.discernibility);
            prop_assert_eq!(found.classification_metric, figures.classification_metric);
        }
    }
}

/// A class that comes back after another one is no class of its own.
#[test]
fn a_class_in_two_pieces_fails() {
    let table = rows("age sex class disease\n1 F 1 A\n1 F 1 B\n2 F 2 A\n2 F 2 B\n3 F 1 A\n3 F 1 B");
    let question = question(Guarantee::KAnonymity { k: 2 });
    let found = judge_stream(csv(&table).as_slice(), &question).unwrap();
    assert!(!found.verdict.passed && !holds(&found.verdict, name::CLASS_ALIKE));
}

#[test]
fn columns_that_nobody_asks_about_are_named() {
    let table = rows("age sex class disease ward\n1 F 1 A X\n1 F 1 B Y");
    let found = judge_stream(csv(&table).as_slice(), &question(Guarantee::KAnonymity { k: 2 })).unwrap();
    let note = found.verdict.checks.iter().find(|c| c.name == name::UNJUDGED).unwrap();
    assert!(found.verdict.passed && note.finding.contains("ward"), "{}", note.finding);
    let missing = judge_stream(b"age,sex\n1,F\n".as_slice(), &question(Guarantee::MUnique { m: 2 }));
    assert_eq!(missing.unwrap_err().to_string(), "the published table has no column \"disease\"");
}

/// More rows than are read at a time: groups and classes go on across the border.
#[test]
fn runs_across_parts() {
    let mut text = String::from("age,sex,class,disease\n");
    for class in 1..=30_000 {
        for disease in ["A", "B", "C"] {
            writeln!(text, "{class},F,{class},{disease}").unwrap();
        }
    }
    let question = question(Guarantee::MUnique { m: 3 });
    let found = judge_stream(text.as_bytes(), &question).unwrap();
    assert!(found.verdict.passed);
    assert_eq!(found.verdict, judge(text.as_bytes(), &question).unwrap());
}
