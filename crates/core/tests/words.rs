//! Messages about repairs, persons and series in English, where the number of things changes the sentence.
#![cfg(test)]

use std::sync::Arc;

use lookalike_core::{
    eligibility::{Mixed, NotEligible, ValuesWarning},
    persons::{KeyFault, Question},
    pipeline::{FateReason, OutlierCell, OutlierWarning, RepairWarning},
    republish::{AlikeNames, LikeOld, NamedRows, SeriesFault, SeriesWarning},
};
use lookalike_model::{
    ErrorKind,
    ledger::{Difference, NotLast},
    report::Fate,
};
use lookalike_words::{Figure, Name, Said};

#[track_caller]
fn says(message: impl Into<Said>, words: &str) {
    assert_eq!(message.into().to_string(), words);
}

#[test]
fn tables_that_are_not_eligible() {
    let few = |values, m, without| NotEligible::TooFewValues { values, m, without };
    says(
        few(4, 5, None),
        "only 4 distinct sensitive values; m = 5 needs at least 5; the largest feasible m is 4",
    );
    says(
        few(4, 5, Some(1)),
        "only 4 distinct sensitive values; m = 5 needs at least 5; the largest feasible m is 4, and that with changes only",
    );
    says(
        few(1, 2, None),
        "only 1 distinct sensitive value; m = 2 needs at least 2, and no m of 2 or more is feasible",
    );
    says(
        NotEligible::TooFewOccur { occurring: 1, values: 5, m: 3 },
        "only 1 of 5 sensitive values occurs; m = 3 cannot be reached by deleting records alone; add counterfeits",
    );
    says(
        NotEligible::TooFewOccur { occurring: 2, values: 5, m: 3 },
        "only 2 of 5 sensitive values occur; m = 3 cannot be reached by deleting records alone; add counterfeits, or choose m \
         up to 2",
    );
    let frequent = NotEligible::TooFrequent {
        value: Some("flu".into()),
        count: 5,
        records: 10,
        m: 3,
        at_most: 3,
        without: 2,
        counterfeits: Some(5),
        deletions: Some(1),
        mixed: Some(Mixed::Changes { counterfeits: 1, deletions: 2 }),
    };
    says(
        frequent,
        "\"flu\" is held by 5 of 10 records; m = 3 allows at most 3; the largest m without changes is 2; m = 3 would take 5 \
         counterfeits, or 1 deletion, or 1 counterfeit with 2 deletions",
    );
    let linked = |value: Option<Name>, linked, largest| NotEligible::LinkedTooFrequent {
        column: "ill".into(),
        value,
        linked,
        held: 20,
        persons: 30,
        m: 4,
        at_most: 7,
        largest,
    };
    let nothing = "Nothing is added or deleted where people have several rows";
    says(
        linked(None, 3, 1),
        &format!(
            "3 values of \"ill\", which are linked by people who hold several of them and count as one, are held by 20 of 30 \
             people; m = 4 allows at most 7; no m of 2 or more is possible. {nothing}. Take another sensitive column, such as \
             one with a single value a person, or k-anonymity (--model)"
        ),
    );
    says(
        linked(Some("flu".into()), 1, 2),
        &format!(
            "\"flu\" is held by 20 of 30 people; m = 4 allows at most 7; the largest possible m is 2. {nothing}. Take a smaller \
             m, another sensitive column, such as one with a single value a person, or k-anonymity (--model)"
        ),
    );
    says(
        NotEligible::NoChoice { column: "d".into(), values: 0, rows: 0 },
        "column \"d\" has no known value: no m of 2 or more is possible",
    );
    says(
        ValuesWarning::Single { single: 1, values: 3 },
        "1 value of 3 is held by a single row: an attacker who can rule such a value out for a person sees a less diverse class",
    );
}

#[test]
fn keys_of_persons() {
    let asked =
        Question::SeveralRows { column: "pid".into(), different: 1_048_577, rows: 2_000_000, at_least: true };
    says(
        asked,
        "\"pid\" looks like the key of a person and has at least 1,048,577 different values in at least 2,000,000 rows: a person \
         seems to have several rows, and rows of one person do not hide each other. Say that rows are events of people, such \
         as stays or visits, so that classes count people (--rows-are events-of=pid); that each row is a person (--rows-are \
         people); or which column is the key of a person (--person pid)",
    );
    says(
        KeyFault::Missing { column: "pid".into(), missing: 1, rows: 5 },
        "the key of a person, \"pid\", is missing in 1 of 5 rows: nothing tells whose row this is. Fill it in or leave the row \
         out, or say that each row is a person (--rows-are people)",
    );
}

#[test]
fn releases_of_a_series() {
    let shown = || vec![Name::from("p")];
    says(
        SeriesFault::Gone { individuals: 1, shown: shown(), more: false },
        "1 individual of the last release is missing (\"p\"): an incremental series only grows: a person who leaves a class \
         shows who is left in it. Take --mode m-invariance or --mode tau-safety for the whole series",
    );
    says(
        SeriesFault::Changed { individuals: 6, shown: shown(), more: true, mode: "m-invariance" },
        "6 individuals have another sensitive value than before (\"p\", ...): m-invariance does not allow for values that change; \
         take --mode tau-safety for the whole series",
    );
    let rows = |name: &str, rows: &[u32]| NamedRows::Rows { name: name.into(), rows: rows.to_vec() };
    let groups = vec![AlikeNames::Names { names: vec![rows("Ann", &[1]), rows("ann", &[3])] }];
    says(
        SeriesFault::NamesAlike { groups, more: true },
        "names in the table may mean the same person, by name and rows: \"Ann\" (1), \"ann\" (3); .... They differ in case, white \
         space or leading zeros only: write a person's name in one way and leave one row of each person; if they are different \
         people, say so (--exact-names)",
    );
    let names = vec![LikeOld::Names { new: rows("p3", &[4, 5]), old: vec!["P3".into(), "0p3".into()] }];
    let told = SeriesFault::NamesOfLedger { names, more: false }.to_string();
    assert!(told.contains("in the ledger: \"p3\" (4, 5) = \"P3\", \"0p3\". They differ"), "{told}");
    let differences = vec![
        Difference::Setting { name: String::from("loss"), was: String::from("1"), now: String::from("2") },
        Difference::Mode { was: "incremental", now: "tau-safety" },
        Difference::Individuals { was: "a".into(), now: "b".into() },
    ];
    let told = SeriesFault::OtherSettings { differences }.to_string();
    assert!(
        told.starts_with(
            "the series was begun with other settings: loss (was 1, now 2); mode (was incremental, now tau-safety); the column of \
             individuals (was \"a\", now \"b\"). All releases"
        ),
        "{told}"
    );
    says(
        SeriesFault::NewNotEligible { records: 1, m: 3, counterfeits: 2 },
        "the new record that no class of old ones takes is not 3-eligible: choose --eligibility add (2 counterfeits), --eligibility \
         delete (some wait for the next release) or --eligibility hybrid",
    );
    says(
        SeriesFault::CounterfeitsNeeded { counterfeits: 1 },
        "1 counterfeit is needed in the classes of records that were published before, since others left them; no deletion takes \
         its place. Choose --eligibility add|hybrid",
    );
    says(
        SeriesFault::AllWait { records: 1 },
        "the only record would wait for a later release: too few sensitive values occur among them",
    );
    says(SeriesFault::NoRowLeft { rows: 1 }, "no row is left: the only one was dropped for missing values");
    let told = SeriesWarning::Counterfeits { counterfeits: 1 }.to_string();
    assert!(told.starts_with("1 counterfeit record fills the classes; "), "{told}");
    says(
        NotLast::Earlier { release: 1, last: 2 },
        "is release 1 of the series, but the last one is release 2: the ledger is newer than it",
    );
}

#[test]
fn faults_of_a_series_are_of_three_kinds() {
    assert_eq!(SeriesFault::Price { price: Figure::shortest(-1.0) }.kind(), ErrorKind::Input);
    assert_eq!(SeriesFault::NoEnd.kind(), ErrorKind::Infeasible);
    assert_eq!(SeriesFault::OtherSignature { individual: "p".into() }.kind(), ErrorKind::Answer);
}

#[test]
fn warnings_about_changes_and_outliers() {
    let told = RepairWarning::DeletedFarthest { deletions: 1 }.to_string();
    assert!(
        told.starts_with("1 record was deleted, that of the most frequent values that lies farthest"),
        "{told}"
    );
    let told = RepairWarning::FakedRarest { counterfeits: 2 }.to_string();
    assert!(told.starts_with("2 counterfeit records were added. Only rare values are faked, "), "{told}");
    says(
        OutlierWarning::LowerNumber { name: "age".into() },
        "the lower end of a published value of \"age\" lies far from all others, which may make a person known: consider coding it \
         (--bottom age=LIMIT)",
    );
    let cell = |cell: &str, row| OutlierCell::Cell { cell: cell.to_owned(), row };
    says(
        OutlierWarning::UpperCells { name: "age".into(), cells: vec![cell("107", 21)], more: false },
        "outlier at the upper end of \"age\": 107 (row 21)",
    );
    says(
        OutlierWarning::UpperCells {
            name: "age".into(),
            cells: vec![cell("99", 2), cell("107", 21)],
            more: true,
        },
        "outliers at the upper end of \"age\": 99 (row 2) and 107 (row 21), ...",
    );
}

/// The private record has the reason itself, whoever shares it in memory; one of before has its words.
#[test]
fn fates_are_written_with_their_reason() {
    let reason: Said = FateReason::Dropped { column: "age".into() }.into();
    let fate = Fate { row: 7, reason: Arc::new(reason) };
    let json = serde_json::to_value(&fate).unwrap();
    assert_eq!(json["reason"]["id"], "core.FateReason.Dropped");
    assert_eq!(json["reason"]["text"], "dropped: \"age\" is missing");
    assert_eq!(serde_json::from_value::<Fate>(json).unwrap(), fate);
    let old: Fate = serde_json::from_str(r#"{"row":7,"reason":"dropped: \"age\" is missing"}"#).unwrap();
    assert_eq!((old.row, old.reason.to_string()), (7, fate.reason.to_string()));
}
