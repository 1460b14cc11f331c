//! Ledgers: what cannot be true of the tables is found, with the right witness.

use lookalike_audit::{
    Error, Subject,
    series::{Evidence, Invariance, Ledger, Published, fingerprint, judge},
};

use crate::common::{ask, check, failed, ledger, ledger_text, question, tables, words};

const FIRST: &str = "age disease class\n[20-21] a 1\n[20-21] b 1\n[30-31] c 2\n[30-31] d 2";
const SECOND: &str = "age disease class\n20 a 1\n20 b 1\n[30-31] c 2\n[30-31] d 2";
const VALUES: [&str; 5] = ["a", "b", "c", "d", "e"];
const SETS: [&[u32]; 3] = [&[0, 1], &[2, 3], &[0, 4]];
/// In the second release q is gone, and a counterfeit keeps the signature of p.
const RELEASES: [(usize, &[u32]); 2] = [(4, &[0, 0]), (4, &[1, 0])];
const PEOPLE: [(&str, &[[u32; 4]]); 4] =
    [("p", &[[1, 2, 0, 0]]), ("q", &[[1, 1, 1, 0]]), ("r", &[[1, 2, 2, 1]]), ("s", &[[1, 2, 3, 1]])];

/// The names of the checks that fail, and the first witness, with these changes to the ledger.
fn broken(releases: &[(usize, &[u32])], people: &[(&str, &[[u32; 4]])]) -> (Vec<Subject>, String) {
    let ledger = ledger(&VALUES, &SETS, releases, people);
    let question = question(Invariance::MInvariance, 2);
    let found = ask(&tables(&[FIRST, SECOND]), &question, Evidence::Ledger(&ledger)).unwrap();
    let witnesses = words(&check(&found, &Subject::Ledger).witnesses);
    (failed(&found), witnesses.into_iter().next().unwrap_or_default())
}

fn unfit(releases: &[(usize, &[u32])], people: &[(&str, &[[u32; 4]])]) -> String {
    let (failed, witness) = broken(releases, people);
    assert_eq!(failed[0], Subject::Ledger);
    witness
}

#[test]
fn the_ledger_of_these_releases_fits() {
    assert_eq!(broken(&RELEASES, &PEOPLE), (Vec::new(), String::new()));
}

#[test]
fn people_who_cannot_be_there_are_found() {
    let with = |at: usize, stays: &[[u32; 4]]| {
        let mut people = PEOPLE;
        people[at].1 = stays;
        unfit(&RELEASES, &people)
    };
    assert_eq!(
        with(0, &[[1, 2, 0, 2]]),
        "release 1: 1 individual for 2 real rows in the classes with the values {'a', 'b'}"
    );
    assert!(
        with(1, &[[1, 1, 0, 0]]).contains("2 individuals with 'a' in 1 class with the values {'a', 'b'}")
    );
    assert!(with(1, &[[1, 1, 2, 0]]).contains("'q' has 'c', but a class with the values {'a', 'b'}"));
    assert!(with(1, &[[1, 2, 1, 0]]).contains("release 2: 2 individuals for 1 real rows"));
    assert!(with(1, &[[2, 2, 1, 0]]).contains("release 1: 1 individual for 2 real rows"));
    // Nobody in the second class.
    let gone = [PEOPLE[0], PEOPLE[1]];
    assert!(unfit(&RELEASES, &gone).contains("nobody for 2 real rows"));
    let mut odd = PEOPLE.to_vec();
    odd.push(("z", &[[2, 2, 4, 2]]));
    let told = unfit(&RELEASES, &odd);
    assert!(told.contains("1 individual is said to be in a class that does not exist"), "{told}");
}

#[test]
fn releases_that_are_others_are_found() {
    assert!(unfit(&[(5, &[0, 0]), RELEASES[1]], &PEOPLE).contains("5 rows in the ledger, 4 in the table"));
    assert!(unfit(&[RELEASES[0], (4, &[1])], &PEOPLE).contains("1 class in the ledger, 2 in the table"));
    assert!(unfit(&[RELEASES[0], (4, &[0, 0])], &PEOPLE).contains("1 individual for 2 real rows"));
    assert!(unfit(&[RELEASES[0], (4, &[2, 0])], &PEOPLE).contains("class '1' holds counterfeits only"));
    let three = [RELEASES[0], RELEASES[1], RELEASES[1]];
    assert!(unfit(&three, &PEOPLE).contains("3 releases, 2 tables are given"));
    // The bytes are others.
    let ledger = ledger(&VALUES, &SETS, &RELEASES, &PEOPLE);
    let tables = tables(&[FIRST, SECOND]);
    let hash = fingerprint(b"something else");
    let published: Vec<Published> =
        tables.iter().map(|table| Published { table, hash: Some(&hash) }).collect();
    let found = judge(&published, &question(Invariance::MInvariance, 2), Evidence::Ledger(&ledger)).unwrap();
    assert!(check(&found, &Subject::Ledger).witnesses[0].to_string().contains("the bytes differ"));
}

#[test]
fn signatures_are_judged_exactly() {
    // p keeps its value, and its class becomes {a, e}.
    let second = SECOND.replace("20 b", "20 e");
    let mut people = PEOPLE;
    people[0].1 = &[[1, 1, 0, 0], [2, 2, 0, 2]];
    let judge = |people: &[(&str, &[[u32; 4]])], releases: &[&str], counts: &[(usize, &[u32])], model| {
        let ledger = ledger(&VALUES, &SETS, counts, people);
        ask(&tables(releases), &question(model, 2), Evidence::Ledger(&ledger)).unwrap()
    };
    let found = judge(&people, &[FIRST, &second], &RELEASES, Invariance::MInvariance);
    assert_eq!(failed(&found), [Subject::Signatures, Subject::Intersection]);
    assert_eq!(
        words(&check(&found, &Subject::Signatures).witnesses),
        ["individual 'p' with 'a': {'a', 'b'} in release 1, {'a', 'e'} in release 2"]
    );
    // Across a gap only tau-safety demands it; the attack does not care.
    let middle = "age disease class\n[30-31] c 1\n[30-31] d 1";
    let counts = [RELEASES[0], (2, &[0][..]), RELEASES[1]];
    people[0].1 = &[[1, 1, 0, 0], [3, 3, 0, 2]];
    people[2].1 = &[[1, 3, 2, 1]];
    people[3].1 = &[[1, 3, 3, 1]];
    let gap = |model| judge(&people, &[FIRST, middle, &second], &counts, model);
    assert_eq!(failed(&gap(Invariance::MInvariance)), [Subject::Intersection]);
    assert_eq!(failed(&gap(Invariance::TauSafety)), [Subject::Signatures, Subject::Intersection]);
}

#[test]
fn the_same_people_in_other_classes_are_named() {
    let people: [(&str, &[[u32; 4]]); 4] =
        [("p", &[[1, 2, 0, 0]]), ("q", &[[1, 2, 1, 0]]), ("r", &[[1, 2, 2, 1]]), ("s", &[[1, 2, 3, 1]])];
    let ledger = ledger(&VALUES, &SETS, &[RELEASES[0], RELEASES[0]], &people);
    let warned = |second: &str| {
        let question = question(Invariance::TauSafety, 2);
        let found = ask(&tables(&[FIRST, second]), &question, Evidence::Ledger(&ledger)).unwrap();
        assert!(failed(&found).is_empty(), "{found:?}");
        found.checks.iter().any(|check| check.name == Subject::OneTable)
    };
    assert!(warned(&FIRST.replace("[20-21]", "[19-21]")));
    assert!(!warned(FIRST));
}

#[test]
fn what_is_asked_must_be_there() {
    let ledger = ledger(&VALUES, &SETS, &RELEASES, &PEOPLE);
    let mut asked = question(Invariance::MInvariance, 2);
    asked.individuals = vec![String::from("nobody")];
    let tables_ = tables(&[FIRST, SECOND]);
    let error = ask(&tables_, &asked, Evidence::Ledger(&ledger)).unwrap_err();
    assert_eq!(error, Error::NoIndividual { individual: "nobody".into() });
    asked.individuals = vec![String::from("q")];
    let found = ask(&tables_, &asked, Evidence::Ledger(&ledger)).unwrap();
    let traces = found.attack.unwrap().traces;
    assert_eq!((traces.len(), traces[0].individual.as_str()), (1, "q"));
    let unlabelled = tables(&["age disease\n[20-21] a\n[20-21] b"]);
    let error =
        ask(&unlabelled, &question(Invariance::MInvariance, 2), Evidence::Ledger(&ledger)).unwrap_err();
    assert_eq!(error, Error::NoClasses { release: 1 });
    assert_eq!(ask(&[], &asked, Evidence::Alone).unwrap_err(), Error::NoRelease);
    let twice = ledger_text(&VALUES, &SETS, &RELEASES, &[("p".into(), vec![]), ("p".into(), vec![])]);
    assert!(Ledger::read(twice.as_bytes()).unwrap_err().to_string().contains("\"p\" is in it twice"));
}
