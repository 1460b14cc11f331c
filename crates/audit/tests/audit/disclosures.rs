//! What a repair discloses, read from published bytes. The formulas are tested against all small sources in the core.

use lookalike_audit::{
    Conditions, Error, Guarantee, Question,
    disclosure::{Choice, Disclosure, Known, RepairUsed, disclosure},
};
use lookalike_table::{ReadOptions, Table, read};

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn question(class: Option<&str>) -> Question {
    Question {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("disease")),
        conditions: Conditions::default(),
        guarantee: Guarantee::KAnonymity { k: 2 },
        class: class.map(String::from),
        markers: lookalike_table::usual_markers(),
        dialect: lookalike_audit::Dialect::PLAIN,
    }
}

fn ask(text: &str, class: Option<&str>, known: &Known) -> Option<Disclosure> {
    let markers = ["?", "NA"].map(String::from);
    disclosure(&table(text), &question(class), &markers, known).unwrap()
}

const ADDED: Known =
    Known { m: 2, way: RepairUsed::Add, choice: Choice::Rarest, counterfeits: Some(2), deletions: Some(0) };

/// {3, 1} became {3, 3} in three classes; two of them are published alike.
const CLASSES: &str = "age,disease,class\n1,?,1\n1,A,1\n1,A,2\n1,NA,2\n2,A,3\n2,?,3\n";

#[test]
fn classes_and_missing_markers() {
    // One of the two values carries both counterfeits: 1 / (1 + 1/3). All missing markers are one value.
    let found = ask(CLASSES, Some("class"), &ADDED).unwrap();
    assert!((found.present - 0.75).abs() < 1e-12);
    assert_eq!((found.promised, found.above, found.suspects), (0.5, 6, 2));
    assert_eq!((found.certainly_real, found.absent_values), (1, None));
    // By equal quasi-identifiers it is the same here: both groups hold both values.
    assert_eq!(ask(CLASSES, None, &ADDED).unwrap(), found);
    // As they are written, "?" and "NA" are two values; of {3, 2, 1} only "?" can have been faked, and once only.
    assert_eq!(disclosure(&table(CLASSES), &question(None), &[], &ADDED).unwrap(), None);
}

#[test]
fn tables_that_were_made_otherwise() {
    // 7 records, at most 3 of a value: not m t.
    let text = "age,disease\n1,A\n1,B\n1,A\n1,B\n1,A\n1,B\n1,C\n";
    assert_eq!(ask(text, None, &ADDED), None);
    // Without counterfeits nothing is wrong with it, and all values are safe.
    let untouched = Known { way: RepairUsed::Untouched, counterfeits: Some(0), ..ADDED };
    let found = ask(text, None, &untouched).unwrap();
    assert_eq!((found.present, found.above, found.certainly_real), (1.0 / 3.0, 0, 3));
    // Not 3-eligible at all.
    assert_eq!(ask(text, None, &Known { m: 3, ..untouched }), None);
}

#[test]
fn a_single_value_at_the_cap_is_disclosed_by_absence() {
    let text = "age,disease\n1,A\n1,A\n1,B\n1,C\n";
    let cut = |deletions| Known {
        m: 2,
        way: RepairUsed::Delete,
        choice: Choice::Rarest,
        counterfeits: Some(0),
        deletions,
    };
    assert_eq!(ask(text, None, &cut(Some(3))).unwrap().absent_values, Some(1));
    assert_eq!(ask(text, None, &cut(None)).unwrap().absent_values, Some(1), "it cannot be ruled out");
    assert_eq!(ask(text, None, &cut(Some(0))).unwrap().absent_values, None);
    // With room for one more of the most frequent value nothing was deleted.
    let room = "age,disease\n1,A\n1,A\n1,B\n1,C\n1,D\n";
    assert_eq!(ask(room, None, &cut(None)).unwrap().absent_values, None);
}

#[test]
fn a_sensitive_column_is_needed() {
    let blind = Question { sensitive: None, ..question(None) };
    assert_eq!(disclosure(&table(CLASSES), &blind, &[], &ADDED).unwrap_err(), Error::NoSensitive);
}
