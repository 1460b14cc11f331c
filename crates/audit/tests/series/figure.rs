//! Tobar 2024, Figure 1, and examples of the kind that Xiao and Tao give.

use lookalike_audit::{
    Subject,
    series::{Evidence, Invariance},
};

use crate::common::{ask, check, failed, ledger, left, question, table, tables, with_sources};

const SOURCE_1: &str = "id age disease\n1 18 HIV\n2 20 FLU";
const SOURCE_2: &str = "id age disease\n1 18 HIV\n3 19 ACNE\n2 20 FLU\n4 21 COUCH";
const A: &str = "age disease\n[18-20] HIV\n[18-20] FLU";
const B: &str = "age disease\n[18-19] HIV\n[18-19] ACNE\n[20-21] FLU\n[20-21] COUCH";
const C: &str = "age disease\n[18-20] HIV\n[18-20] FLU\n[19-21] ACNE\n[19-21] COUCH";

#[test]
fn figure_1_without_anything_else() {
    for second in [B, C] {
        let found =
            ask(&tables(&[A, second]), &question(Invariance::MInvariance, 2), Evidence::Alone).unwrap();
        assert!(found.releases.iter().all(|release| release.passed), "each of them is 2-diverse");
        assert_eq!(failed(&found), [Subject::Across]);
        assert!(
            check(&found, &Subject::Across).finding.to_string().starts_with("not judged across releases")
        );
        assert_eq!(found.attack, None);
    }
    let one = ask(&tables(&[A]), &question(Invariance::MInvariance, 2), Evidence::Alone).unwrap();
    assert!(failed(&one).is_empty(), "the first release of a series is m-invariant if it is m-unique");
}

#[test]
fn figure_1_b_leaves_hiv_alone() {
    let found = with_sources(&[A, B], &[SOURCE_1, SOURCE_2], Invariance::MInvariance, 2).unwrap();
    assert_eq!(failed(&found), [Subject::Signatures, Subject::Intersection]);
    assert_eq!(left(&found, "1"), ["FLU HIV", "HIV"]);
    assert_eq!(left(&found, "2"), ["FLU HIV", "FLU"]);
    assert_eq!(left(&found, "3"), ["ACNE HIV"]);
    let attack = check(&found, &Subject::Intersection);
    assert_eq!(
        attack.finding.to_string(),
        "4 tuples, the most exposed one is left with 1 value; at least 2 needed; 2 below that"
    );
    assert_eq!(
        attack.witnesses[0].to_string(),
        "individual '1': release 1 {'FLU', 'HIV'}, release 2 {'ACNE', 'HIV'}; left {'HIV'}"
    );
    assert_eq!(
        check(&found, &Subject::Signatures).witnesses[0].to_string(),
        "individual '1' with 'HIV': {'FLU', 'HIV'} in release 1, {'ACNE', 'HIV'} in release 2"
    );
    let worst: Vec<&str> =
        found.attack.as_ref().unwrap().traces.iter().map(|trace| trace.individual.as_str()).collect();
    assert_eq!(worst, ["1", "2", "3", "4"], "the worst first");
}

#[test]
fn figure_1_c_is_2_invariant() {
    for model in [Invariance::MInvariance, Invariance::TauSafety] {
        let found = with_sources(&[A, C], &[SOURCE_1, SOURCE_2], model, 2).unwrap();
        assert!(failed(&found).is_empty(), "{found:?}");
        assert_eq!(left(&found, "1"), ["FLU HIV", "FLU HIV"]);
        // Age 19 is covered twice, and nobody else needs the row of class [18-20] more than 2 does.
        assert_eq!(left(&found, "3"), ["ACNE COUCH FLU HIV"]);
        let trace = &found.attack.as_ref().unwrap().traces;
        let third = trace.iter().find(|trace| trace.individual == "3").unwrap();
        assert_eq!((third.steps[0].classes.len(), third.steps[0].at_least), (2, 2));
    }
    let three = with_sources(&[A, C], &[SOURCE_1, SOURCE_2], Invariance::MInvariance, 3).unwrap();
    assert!(!three.releases[0].passed);
}

#[test]
fn figure_1_with_a_ledger() {
    let labels = |text: &str, classes: &[&str]| {
        let mut lines = text.lines();
        let header = format!("{} class", lines.next().unwrap());
        let rows = lines.zip(classes).map(|(line, class)| format!("{line} {class}"));
        table(&[header].into_iter().chain(rows).collect::<Vec<_>>().join("\n"))
    };
    let values = ["HIV", "FLU", "ACNE", "COUCH"];
    let judge = |second: &str, ledger| {
        let releases = [labels(A, &["1", "1"]), labels(second, &["1", "1", "2", "2"])];
        ask(&releases, &question(Invariance::TauSafety, 2), Evidence::Ledger(&ledger)).unwrap()
    };
    let counts: [(usize, &[u32]); 2] = [(2, &[0]), (4, &[0, 0])];
    let b = ledger(
        &values,
        &[&[0, 1], &[0, 2], &[1, 3]],
        &counts,
        &[
            ("1", &[[1, 1, 0, 0], [2, 2, 0, 1]]),
            ("2", &[[1, 1, 1, 0], [2, 2, 1, 2]]),
            ("3", &[[2, 2, 2, 1]]),
            ("4", &[[2, 2, 3, 2]]),
        ],
    );
    let broken = judge(B, b);
    assert_eq!(failed(&broken), [Subject::Signatures, Subject::Intersection]);
    assert_eq!(left(&broken, "1"), ["FLU HIV", "HIV"]);
    let c = ledger(
        &values,
        &[&[0, 1], &[2, 3]],
        &counts,
        &[("1", &[[1, 2, 0, 0]]), ("2", &[[1, 2, 1, 0]]), ("3", &[[2, 2, 2, 1]]), ("4", &[[2, 2, 3, 1]])],
    );
    let found = judge(C, c);
    assert!(failed(&found).is_empty(), "{found:?}");
    assert_eq!(left(&found, "3"), ["ACNE COUCH"], "the ledger knows the class");
}

/// Hospital visits: one patient leaves, and a counterfeit keeps the signature of those who stay.
#[test]
fn a_counterfeit_keeps_the_signature() {
    let first =
        "age disease class\n[21-22] dyspepsia 1\n[21-22] bronchitis 1\n[23-24] flu 2\n[23-24] gastritis 2";
    let source_1 = "id age disease\nBob 21 dyspepsia\nAlice 22 bronchitis\nAndy 24 flu\nDavid 23 gastritis";
    // Alice and Andy are gone; Helen comes.
    let source_2 = "id age disease\nBob 21 dyspepsia\nDavid 23 gastritis\nHelen 36 flu";
    let naive =
        "age disease class\n[21-23] dyspepsia 1\n[21-23] gastritis 1\n[21-36] flu 2\n[21-36] gastritis 2";
    let counterfeit =
        "age disease class\n21 dyspepsia 1\n21 bronchitis 1\n[23-36] gastritis 2\n[23-36] flu 2";
    let judge =
        |second| with_sources(&[first, second], &[source_1, source_2], Invariance::MInvariance, 2).unwrap();
    let found = judge(naive);
    assert_eq!(failed(&found), [Subject::Signatures, Subject::Intersection]);
    assert_eq!(left(&found, "Bob"), ["bronchitis dyspepsia", "dyspepsia"]);
    let found = judge(counterfeit);
    assert!(failed(&found).is_empty(), "{found:?}");
    assert_eq!(left(&found, "Bob"), ["bronchitis dyspepsia"; 2]);
    assert_eq!(left(&found, "Helen"), ["flu gastritis"]);
}

/// Who leaves and comes back into another class is not protected by m-invariance; tau-safety sees it.
#[test]
fn coming_back_is_what_tau_safety_is_for() {
    let both = "age disease class\n[20-21] HIV 1\n[20-21] FLU 1";
    let without = "age disease class\n21 HIV 1\n21 FLU 1";
    let other = "age disease class\n20 HIV 1\n20 ACNE 1\n21 FLU 2\n21 COUGH 2";
    let sources = [
        "id age disease\nr 20 HIV\nq 21 FLU",
        "id age disease\nq 21 FLU",
        "id age disease\nr 20 HIV\nq 21 FLU",
    ];
    let same = with_sources(&[both, without, both], &sources, Invariance::TauSafety, 2).unwrap();
    assert!(failed(&same).is_empty(), "{same:?}");
    assert_eq!((same.attack.as_ref().unwrap().returned, same.attack.as_ref().unwrap().changed), (1, 0));
    let judge = |model| {
        // q stays away too, so that only the way back of r and q matters.
        let sources = [sources[0], "id age disease\nz 21 FLU", sources[2]];
        with_sources(&[both, without, other], &sources, model, 2).unwrap()
    };
    // Each lifespan keeps its signature, so the definition of m-invariance holds; the attack does not stop at a gap.
    let invariant = judge(Invariance::MInvariance);
    assert_eq!(failed(&invariant), [Subject::Intersection]);
    assert_eq!(left(&invariant, "r"), ["FLU HIV", "HIV"]);
    assert_eq!(failed(&judge(Invariance::TauSafety)), [Subject::Signatures, Subject::Intersection]);
}

/// A changed value starts another tuple; only who believes that values never change learns more.
#[test]
fn a_changed_value_is_another_tuple() {
    let first = "age disease class\n[20-21] HIV 1\n[20-21] FLU 1";
    let second = "age disease class\n20 ACNE 1\n20 COUGH 1\n21 FLU 2\n21 HIV 2";
    let sources = ["id age disease\np 20 HIV\nq 21 FLU", "id age disease\np 20 ACNE\nq 21 FLU"];
    let found = with_sources(&[first, second], &sources, Invariance::TauSafety, 2).unwrap();
    assert!(failed(&found).is_empty(), "{found:?}");
    assert_eq!(left(&found, "p"), ["FLU HIV", "ACNE COUGH"]);
    let attack = found.attack.as_ref().unwrap();
    assert_eq!((attack.changed, attack.tuples, attack.individuals), (1, 3, 2));
    let p = attack.traces.iter().find(|trace| trace.individual == "p").unwrap();
    assert!(p.steps[1].left_to_believer.is_empty());
    let told = check(&found, &Subject::Believer).finding.to_string();
    assert!(told.contains("fewer than 2 for 1") && told.contains("for 1 no value is left"), "{told}");
}
