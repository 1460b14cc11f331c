//! Sources: what goes wrong on purpose is found, with the right witness.

use lookalike_audit::{ClassName, Subject, series::Invariance};

use crate::common::{check, failed, with_sources, words};

const SOURCE: &str = "id age disease\np 20 a\nq 21 b\nr 30 c\ns 31 d";
const GOOD: &str = "age disease class\n[20-21] a 1\n[20-21] b 1\n[30-31] c 2\n[30-31] d 2";

fn broken(second: &str) -> Vec<(String, String)> {
    let found = with_sources(&[GOOD, second], &[SOURCE, SOURCE], Invariance::TauSafety, 2).unwrap();
    let releases = found.releases.iter().flat_map(|release| &release.findings).map(|finding| &finding.check);
    let failing = releases.chain(&found.checks).filter(|check| !check.passed);
    failing
        .map(|check| (check.name.to_string(), words(&check.witnesses).into_iter().next().unwrap_or_default()))
        .collect()
}

#[test]
fn a_good_series_holds() {
    assert_eq!(broken(GOOD), []);
}

#[test]
fn each_release_must_be_m_unique() {
    let twice = broken("age disease class\n[20-21] a 1\n[20-21] b 1\n[20-21] b 1\n[30-31] c 2\n[30-31] d 2");
    assert!(twice[0].0.starts_with("2-uniqueness") && twice[0].1.contains("'b' occurs 2 times"), "{twice:?}");
    let small = broken("age disease class\n20 a 1\n21 b 2\n[30-31] c 3\n[30-31] d 3");
    assert!(small[0].1.contains("class '1': 1 row"), "{small:?}");
}

#[test]
fn a_signature_that_changes_is_found() {
    let grown = broken("age disease class\n[20-21] a 1\n[20-21] b 1\n[20-21] e 1\n[30-31] c 2\n[30-31] d 2");
    assert_eq!(grown[0].0, Subject::Signatures.to_string());
    assert_eq!(grown[0].1, "individual 'p' with 'a': {'a', 'b'} in release 1, {'a', 'b', 'e'} in release 2");
    assert_eq!(grown.len(), 1, "the attack leaves two values");
    let other = broken("age disease class\n[20-21] a 1\n[20-21] b 1\n[20-21] c 1\n[30-31] c 2\n[30-31] d 2");
    assert_eq!(other.len(), 1, "{other:?}");
}

#[test]
fn tables_that_do_not_belong_together_are_found() {
    let elsewhere = broken("age disease class\n[20-21] a 1\n[20-21] b 1\n[40-41] c 2\n[40-41] d 2");
    assert_eq!(elsewhere, [(Subject::Covered.to_string(), String::from("release 2: class '2'"))]);
    // One row more than people is a counterfeit; a class that the others leave empty is nobody's.
    let source = "id age disease\np 20 a\nq 21 b";
    let empty = "age disease class\n[20-21] a 1\n[20-21] b 1\n[20-40] a 2\n[20-40] b 2";
    let found = with_sources(&[empty], &[source], Invariance::TauSafety, 2).unwrap();
    assert!(failed(&found).is_empty(), "two counterfeits, anywhere: {found:?}");
    let found = with_sources(
        &["age disease class\n20 a 1\n20 b 1\n[20-21] a 2\n[20-21] b 2"],
        &["id age disease\np 20 a\nq 20 b\nr 21 a\ns 21 b"],
        Invariance::TauSafety,
        2,
    )
    .unwrap();
    let attack = found.attack.unwrap();
    // r and s need class 2, so p and q are in class 1, although both classes cover them.
    assert!(attack.traces.iter().all(|trace| trace.steps[0].classes.len() == 1), "{attack:?}");
}

#[test]
fn who_is_left_out_is_told() {
    let source = "id age disease\np 20 a\nq 21 b\nr 30 c\ns 31 d\nt 50 a\nu 20 d";
    let found = with_sources(&[GOOD], &[source], Invariance::MInvariance, 2).unwrap();
    assert!(failed(&found).is_empty(), "{found:?}");
    let note = check(&found, &Subject::Unpublished);
    assert_eq!(words(&note.witnesses), ["release 1: individual 't'", "release 1: individual 'u'"]);
    assert_eq!(found.attack.unwrap().individuals, 4);
    // Too many people for the rows: nobody can be ruled out.
    let crowded = "id age disease\np 20 a\nq 21 b\nr 30 c\ns 31 d\nt 20 a";
    let found = with_sources(&[GOOD], &[crowded], Invariance::MInvariance, 2).unwrap();
    assert_eq!(words(&check(&found, &Subject::Unassigned).witnesses), ["release 1"]);
}

#[test]
fn several_matching_classes_leave_it_open() {
    // Everybody is 20: either class may be anybody's with its value.
    let source = "id age disease\np 20 a\nq 20 b\nr 20 a\ns 20 c";
    let release = "age disease class\n20 a 1\n20 b 1\n20 a 2\n20 c 2";
    let found = with_sources(&[release, release], &[source, source], Invariance::MInvariance, 2).unwrap();
    assert!(failed(&found).is_empty(), "{found:?}");
    let open = check(&found, &Subject::Open);
    assert!(open.finding.to_string().starts_with("2 of 4 tuples"), "{open:?}");
    assert_eq!(words(&open.witnesses), ["individual 'p' with 'a'", "individual 'r' with 'a'"]);
    let attack = found.attack.unwrap();
    let p = &attack.traces.iter().find(|trace| trace.individual == "p").unwrap().steps[1];
    // Who does not know the class is left with three values; who does might be left with one.
    assert_eq!((p.left.len(), p.at_least), (3, 1));
}

#[test]
fn suppressed_rows_may_be_anybodys() {
    let release = "age disease class\n[20-21] a 1\n[20-21] b 1\n* c -\n* d -";
    let release = release.replace(" -", " *");
    let found = with_sources(&[&release], &[SOURCE], Invariance::MInvariance, 2).unwrap();
    assert!(failed(&found).is_empty(), "{found:?}");
    let attack = found.attack.unwrap();
    let of = |name: &str| &attack.traces.iter().find(|trace| trace.individual == name).unwrap().steps[0];
    assert_eq!((&of("r").classes, of("r").left.join(" ")), (&vec![ClassName::Suppressed], "c d".into()));
    assert_eq!(of("p").classes, [ClassName::Label("1".into())], "r and s need the suppressed rows");
}

#[test]
fn one_table_under_other_weights_is_found() {
    // Four people, published by age, then by town; k = 2 in each, and one person in common.
    let source = "id age town disease\np 20 1 a\nq 21 2 b\nr 30 1 b\ns 31 2 a";
    let by_age =
        "age town disease class\n[20-21] [1-2] a 1\n[20-21] [1-2] b 1\n[30-31] [1-2] a 2\n[30-31] [1-2] b 2";
    let by_town = "age town disease class\n[20-30] 1 a 1\n[20-30] 1 b 1\n[21-31] 2 a 2\n[21-31] 2 b 2";
    let judge = |releases: &[&str], sources: &[&str]| {
        let (releases, sources) = (crate::common::tables(releases), crate::common::tables(sources));
        let mut question = crate::common::question(Invariance::TauSafety, 2);
        question.quasi.push(String::from("town"));
        let evidence = lookalike_audit::series::Evidence::Sources {
            tables: &sources,
            id: "id",
            reading: &lookalike_audit::measure::Reading::default(),
        };
        crate::common::ask(&releases, &question, evidence).unwrap()
    };
    let found = judge(&[by_age, by_town], &[source, source]);
    assert!(failed(&found).is_empty(), "the values are safe");
    assert_eq!(
        check(&found, &Subject::OneTable).finding.to_string(),
        "releases 1 and 2 are of one table: intersected, they leave 2 values for the most exposed individual; a class of \
         one and a class of the other have at least 1 individual in common, fewer than 2 for 4 of them"
    );
    let warned = |found: &lookalike_audit::series::Verdict| {
        found.checks.iter().any(|check| check.name == Subject::OneTable)
    };
    assert!(!warned(&judge(&[by_age, by_age], &[source, source])), "the same classes");
    let moved = source.replace("s 31", "s 30");
    assert!(!warned(&judge(&[by_age, by_town], &[source, &moved])), "another table");
}

#[test]
fn sources_that_cannot_be_used() {
    let refuse = |sources: &[&str]| {
        with_sources(&[GOOD], sources, Invariance::MInvariance, 2).unwrap_err().to_string()
    };
    assert!(refuse(&[]).contains("1 releases, but 0 sources"));
    let twice = refuse(&["id age disease\np 20 a\nq 21 b\np 30 c"]);
    assert_eq!(twice, "source 1: data row 3, column \"id\": individual 'p' is in data row 1 already");
    assert!(refuse(&["name age disease\np 20 a"]).contains("source 1: it has no column \"id\""));
    assert!(refuse(&["id age\np 20"]).contains("no column \"disease\""));
    assert!(refuse(&["id disease\np a"]).contains("no column \"age\""));
}
