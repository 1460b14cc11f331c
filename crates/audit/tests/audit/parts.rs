//! A table judged in parts: the verdict is that on the whole, and what parts together are not is found.

use std::fmt::Write as _;

use lookalike_audit::{
    Before, Error, Guarantee, JudgedPart, Question, Senseless, Subject, judge_part, judge_parts, judge_stream,
};
use proptest::prelude::*;

use crate::common::question;

const HEADER: &str = "age,sex,class,disease\n";

/// Groups of so many classes of three, whose first value is missing in some.
fn groups(classes: &[usize]) -> Vec<String> {
    let mut label = 0;
    let mut group = |(age, classes): (usize, &usize)| {
        let mut text = String::new();
        for _ in 0..*classes {
            label += 1;
            for disease in [if label % 5 == 0 { "?" } else { "A" }, "B", "C"] {
                writeln!(text, "{age},F,{label},{disease}").unwrap();
            }
        }
        text
    };
    classes.iter().enumerate().map(&mut group).collect()
}

/// The same rows without the column of classes, in order.
fn without_classes(rows: &str) -> String {
    let mut rows: Vec<String> = rows
        .lines()
        .map(|row| {
            row.split(',')
                .enumerate()
                .filter(|(at, _)| *at != 2)
                .map(|(_, cell)| cell)
                .collect::<Vec<_>>()
                .join(",")
        })
        .collect();
    rows.sort();
    rows.join("\n") + "\n"
}

/// The parts that begin at these groups.
fn parts(header: &[String], groups: &[String], begins: &[usize], question: &Question) -> Vec<JudgedPart> {
    let mut before = Before::default();
    let ends = begins.iter().skip(1).copied().chain([groups.len()]);
    let mut found = Vec::new();
    for (begin, end) in begins.iter().zip(ends) {
        let text = groups[*begin..end].concat();
        let part = judge_part(format!("{}\n{text}", header.join(",")).as_bytes(), question, before)
            .unwrap()
            .unwrap();
        before = Before { rows: before.rows + part.rows, classes: before.classes + text.lines().count() / 3 };
        found.push(part);
    }
    found
}

fn header() -> Vec<String> {
    HEADER.trim_end().split(',').map(String::from).collect()
}

proptest! {
    /// Wherever groups are cut apart and in whatever order the parts come.
    #[test]
    fn parts_have_the_verdict_of_the_whole(
        classes in prop::collection::vec(1..4_usize, 1..12),
        cuts in prop::collection::btree_set(1..12_usize, 0..5),
        unique in any::<bool>(),
        labelled in any::<bool>(),
        turn in 0..6_usize,
    ) {
        let guarantee = if unique { Guarantee::MUnique { m: 3 } } else { Guarantee::KAnonymity { k: 3 } };
        let mut question = question(guarantee);
        let header: Vec<String> = header().into_iter().filter(|name| labelled || name != "class").collect();
        question.class = labelled.then(|| String::from("class"));
        let mut groups = groups(&classes);
        if !labelled {
            for group in &mut groups {
                *group = without_classes(group);
            }
        }
        let begins: Vec<usize> = [0].into_iter().chain(cuts.into_iter().filter(|cut| *cut < groups.len())).collect();
        let mut parts = parts(&header, &groups, &begins, &question);
        let places = parts.len();
        parts.rotate_left(turn % places);
        let whole = judge_stream(format!("{}\n{}", header.join(","), groups.concat()).as_bytes(), &question).unwrap();
        prop_assert!(whole.verdict.passed);
        prop_assert_eq!(judge_parts(&header, &question, parts).unwrap(), whole);
    }
}

#[test]
fn parts_that_are_not_the_table_fail() {
    let question = question(Guarantee::MUnique { m: 3 });
    let groups = groups(&[1, 2, 1, 3]);
    let found = parts(&header(), &groups, &[0, 1, 3], &question);
    let sorted = |parts: Vec<JudgedPart>| {
        let judged = judge_parts(&header(), &question, parts).unwrap();
        let failed =
            judged.verdict.checks.iter().filter(|check| !check.passed).map(|check| check.name.clone());
        failed.collect::<Vec<_>>()
    };
    assert_eq!(sorted(found.clone()), []);
    assert_eq!(sorted(vec![found[0].clone(), found[2].clone()]), [Subject::Sorted], "one is missing");
    assert_eq!(
        sorted([found.clone(), vec![found[1].clone()]].concat()),
        [Subject::Sorted],
        "one is there twice"
    );
    // A group that is cut in two, and one that comes before the other.
    for end in ["0", "3"] {
        let mut cut = found.clone();
        cut[1].ends[0][0] = String::from("0");
        cut[0].ends[1][0] = String::from(end);
        assert_eq!(sorted(cut), [Subject::Sorted], "{end}");
    }
    assert!(judge_parts(&header(), &question, Vec::new()).is_err(), "no row");
}

#[test]
fn a_part_in_which_a_check_fails_hands_on_its_verdict() {
    let question = question(Guarantee::MUnique { m: 3 });
    let before = Before { rows: 30, classes: 10 };
    let judged = |text: &str| judge_part(format!("{HEADER}{text}").as_bytes(), &question, before).unwrap();
    assert!(judged("1,F,11,A\n1,F,11,B\n1,F,11,C\n").is_ok());
    let failed = |text: &str| judged(text).unwrap_err().checks.into_iter().find(|c| !c.passed).unwrap().name;
    assert_eq!(failed("1,F,1,A\n1,F,1,B\n1,F,1,C\n"), Subject::Labels);
    assert_eq!(failed("1,F,11,A\n1,F,11,B\n"), Subject::ClassSize);
    assert_eq!(failed("1,F,11,A\n1,F,11,B\n1,F,11,B\n"), Subject::ClassValues);
}

#[test]
fn conditions_are_not_judged_in_parts() {
    let mut question = question(Guarantee::KAnonymity { k: 3 });
    question.conditions.all.push(lookalike_audit::Condition::DistinctDiversity { l: 2 });
    let found = judge_parts(&header(), &question, Vec::new());
    assert_eq!(found, Err(Error::Senseless(Senseless::ConditionsInParts)));
}
