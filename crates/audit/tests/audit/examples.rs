//! Tables judged by hand.

use lookalike_audit::{Error, Guarantee, Question, Risk, Subject, Verdict, judge};

use crate::common::{csv, failed, question, rows, verdict, words};

fn finding(verdict: &Verdict, name: &Subject) -> String {
    verdict.checks.iter().find(|c| c.name == *name).unwrap().finding.to_string()
}

fn age_only(class: Option<&str>, guarantee: Guarantee) -> Question {
    Question { quasi: vec!["age".to_owned()], class: class.map(String::from), ..question(guarantee) }
}

/// Tobar 2023, Table III (b): the second release, without the row numbers.
const PAPER: &str = "age class disease\n[18-20] 1 FLU\n[18-20] 1 HIV\n[19-21] 2 ACNE\n[19-21] 2 COUCH";

#[test]
fn the_release_of_paper_1_is_2_unique() {
    let verdict = judge(&csv(&rows(PAPER)), &age_only(Some("class"), Guarantee::MUnique { m: 2 })).unwrap();
    assert!(verdict.passed);
    let findings: Vec<(Subject, String)> =
        verdict.checks.iter().map(|c| (c.name.clone(), c.finding.to_string())).collect();
    let findings: Vec<(&Subject, &str)> =
        findings.iter().map(|(name, finding)| (name, finding.as_str())).collect();
    assert_eq!(
        findings,
        [
            (&Subject::ClassSize, "2 classes, the smallest with 2 rows; at least 2 needed"),
            (
                &Subject::ClassAlike,
                "the rows of a class have the same published quasi-identifiers (2 classes)"
            ),
            (&Subject::ClassValues, "no value occurs twice in a class (2 classes)"),
            (&Subject::GroupSize, "2 groups, the smallest with 2 rows; at least 2 needed"),
            (
                &Subject::GroupValues,
                "the most frequent value of a group makes up 1 of 2 rows; at most 1/2 is allowed"
            ),
            (
                &Subject::Sorted,
                "the order of the rows follows from what is published, and reveals nothing more"
            ),
            (&Subject::Labels, "2 labels, from 1 to 2 in published order"),
            (
                &Subject::KnownValues,
                "every class has at least 2 different values, none of them a missing marker"
            ),
            (
                &Subject::RareValues,
                "4 of 4 values found once only in the whole table: an attacker who can rule them out for a person sees a less diverse class"
            ),
        ]
    );
    assert_eq!(
        verdict.risk,
        Risk {
            smallest_group: 2,
            highest_reidentification: 0.5,
            mean_reidentification: 0.5,
            highest_attribute_disclosure: Some(0.5),
            single_valued: Some((0, 2)),
        }
    );
}

#[test]
fn the_release_of_paper_1_is_not_3_unique() {
    let question = age_only(Some("class"), Guarantee::MUnique { m: 3 });
    let verdict = judge(&csv(&rows(PAPER)), &question).unwrap();
    assert_eq!(failed(&verdict), [Subject::ClassSize, Subject::GroupSize, Subject::GroupValues]);
    assert_eq!(
        finding(&verdict, &Subject::ClassSize),
        "2 classes, the smallest with 2 rows; at least 3 needed; 2 classes are too small"
    );
    assert_eq!(verdict.checks[0].witnesses[1].to_string(), "class '2': 2 rows, the first is published row 3");
    assert_eq!(
        finding(&verdict, &Subject::GroupValues),
        "the most frequent value of a group makes up 1 of 2 rows; at most 1/3 is allowed; 2 of 2 groups with a value above that"
    );
}

/// Two classes that are published alike: the group is 2-unique, one class is not.
#[test]
fn both_groupings_are_judged() {
    let mut table = rows("age class disease\n[18-20] 1 ACNE\n[18-20] 1 ACNE\n[18-20] 2 FLU\n[18-20] 2 HIV");
    let question = age_only(Some("class"), Guarantee::MUnique { m: 2 });
    let verdict = judge(&csv(&table), &question).unwrap();
    assert_eq!(failed(&verdict), [Subject::ClassValues]);
    assert_eq!(
        finding(&verdict, &Subject::ClassValues),
        "1 of 2 classes with a value that occurs more than once, in the worst case 2 times"
    );
    // Without the class column the same rows pass, and the verdict says what was not judged.
    for row in &mut table {
        row.remove(1);
    }
    for (class, says) in [
        (
            Some("class"),
            "without the class column \"class\" only groups of equal published quasi-identifiers were judged",
        ),
        (None, "without a class column only groups of equal published quasi-identifiers were judged"),
    ] {
        let verdict = judge(&csv(&table), &age_only(class, Guarantee::MUnique { m: 2 })).unwrap();
        assert!(failed(&verdict).is_empty());
        assert_eq!(finding(&verdict, &Subject::NoClass), says);
        assert_eq!(verdict.risk.highest_attribute_disclosure, Some(0.5));
    }
}

#[test]
fn a_frequent_value_fails_the_group() {
    let table = rows("age disease\n[18-20] FLU\n[18-20] FLU\n[18-20] HIV\n[21-30] ACNE\n[21-30] FLU");
    let verdict = judge(&csv(&table), &age_only(None, Guarantee::MUnique { m: 2 })).unwrap();
    assert_eq!(failed(&verdict), [Subject::GroupValues]);
    let check = verdict.checks.iter().find(|c| c.name == Subject::GroupValues).unwrap();
    assert_eq!(words(&check.witnesses), ["age '[18-20]': 'FLU' makes up 2 of 3 rows"]);
    assert_eq!(verdict.risk.highest_attribute_disclosure, Some(2.0 / 3.0));
    assert_eq!(verdict.risk.mean_reidentification, 0.4);
}

#[test]
fn k_anonymity_counts_rows_only() {
    let table = rows("age sex class disease\n20 F 1 FLU\n20 F 1 FLU\n20 M 2 FLU\n20 M 2 FLU\n20 M 2 FLU");
    let judged = |k| judge(&csv(&table), &question(Guarantee::KAnonymity { k })).unwrap();
    assert!(failed(&judged(2)).is_empty());
    assert_eq!(judged(2).risk.highest_attribute_disclosure, Some(1.0));
    assert_eq!(failed(&judged(3)), [Subject::ClassSize, Subject::GroupSize]);
    let names: Vec<Subject> = judged(2).checks.into_iter().map(|c| c.name).collect();
    assert_eq!(
        names,
        [Subject::ClassSize, Subject::ClassAlike, Subject::GroupSize, Subject::Sorted, Subject::Labels]
    );
}

#[test]
fn missing_markers_and_rare_values_are_told() {
    let table =
        rows("age sex class disease\n20 F 1 ?\n20 F 1 FLU\n20 F 1 HIV\n21 M 2 ?\n21 M 2 FLU\n21 M 2 NA");
    let verdict = verdict(&table, 3);
    assert!(verdict.passed);
    assert_eq!(
        finding(&verdict, &Subject::KnownValues),
        "every class has at least 3 different values, at least 1 not counting '?' and 'NA' (not known)"
    );
    let rare = verdict.checks.iter().find(|c| c.name == Subject::RareValues).unwrap();
    assert!(rare.finding.to_string().starts_with("2 of 4 values found once only in the whole table"));
    assert_eq!(words(&rare.witnesses), ["'HIV'", "'NA'"]);
}

#[test]
fn columns_that_nobody_asked_about_are_named() {
    let mut table = rows("age sex class disease name\n20 F 1 FLU ann\n20 F 1 HIV bea");
    let verdict = verdict(&table, 2);
    assert!(verdict.passed);
    assert_eq!(
        finding(&verdict, &Subject::Unjudged),
        "taken as unknown to an attacker: 'name' (2 different values)"
    );
    // Their cells count for the order of the rows: among equal others they decide.
    table[1][3] = "HIV".to_owned();
    table[1][4] = "cat".to_owned();
    assert!(failed(&crate::common::verdict(&table, 2)).contains(&Subject::Sorted));
}

#[test]
fn senseless_questions_are_refused() {
    let table = csv(&rows(PAPER));
    let refuse = |question: &Question| judge(&table, question).unwrap_err();
    for value in [0, 1] {
        let question = question(Guarantee::KAnonymity { k: value });
        assert_eq!(refuse(&question), Error::TooSmall { parameter: "k", value });
    }
    let good = age_only(Some("class"), Guarantee::MUnique { m: 2 });
    let m = Guarantee::MUnique { m: 1 };
    assert_eq!(
        refuse(&Question { guarantee: m, ..good.clone() }).to_string(),
        "m = 1 protects nobody: it must be at least 2"
    );
    assert_eq!(refuse(&Question { quasi: Vec::new(), ..good.clone() }), Error::NoQuasi);
    assert_eq!(refuse(&Question { sensitive: None, ..good.clone() }), Error::NoSensitive);
    let twice = |name: &str| Error::RoleTwice { column: name.into() };
    assert_eq!(refuse(&Question { sensitive: Some("age".into()), ..good.clone() }), twice("age"));
    assert_eq!(refuse(&Question { quasi: vec!["age".into(), "age".into()], ..good.clone() }), twice("age"));
    assert_eq!(refuse(&Question { class: Some("disease".into()), ..good.clone() }), twice("disease"));
    assert_eq!(refuse(&question(Guarantee::MUnique { m: 2 })), Error::NoColumn { column: "sex".into() });
    assert!(matches!(judge(b"age\n\"1", &good), Err(Error::Unreadable { .. })));
}
