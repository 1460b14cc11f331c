//! Sensitive values class by class, against the original's rows, by hand.

use lookalike_audit::{
    Check, Error,
    measure::{ValuesOf, same_values},
};
use lookalike_table::{ReadOptions, Table, read};

use crate::common::words;

const ORIGINAL: &str = "age,disease\n20,flu\n21,gout\n22,flu\n30,acne\n31,?\n99,flu\n";
const KEY: &str = "row,class\n0,1\n1,1\n2,1\n3,2\n4,2\n5,\n";
const PUBLISHED: &str = "age,disease,class\n[20-22],flu,1\n[20-22],flu,1\n[20-22],gout,1\n[30-31],NA,2\n[30-31],acne,2\n*,flu,*\n";

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn compared(published: &str, original: &str, key: &str, persons: bool) -> Result<Check, Error> {
    let (suppressed, missing) = (vec![String::from("*")], lookalike_table::usual_markers());
    let of = ValuesOf {
        class: "class",
        sensitive: "disease",
        suppressed: &suppressed,
        missing: &missing,
        persons,
    };
    same_values(&table(published), (&table(original), &table(key)), &of)
}

fn finding(check: &Check) -> String {
    words(std::slice::from_ref(&check.finding)).remove(0)
}

#[test]
fn values_that_are_the_originals_hold() {
    let found = compared(PUBLISHED, ORIGINAL, KEY, false).unwrap();
    assert!(found.passed, "{:?}", words(&found.witnesses));
    assert_eq!(
        finding(&found),
        "each class has the sensitive values of the original's rows that the linking key puts there (5 rows in 2 classes)"
    );
    // As numbers, however they are spelled; but not where one of them is a text.
    let numbers = |text: &str| text.replace("flu", "1").replace("gout", "2").replace("acne", "3");
    let spelled = numbers(PUBLISHED).replace(",1,1\n", ",1.0,1\n");
    assert!(compared(&spelled, &numbers(ORIGINAL), KEY, false).unwrap().passed);
    let texts = |text: &str| text.replace("gout", "2").replace("flu", "1");
    let spelled = texts(PUBLISHED).replace(",1,1\n", ",1.0,1\n");
    assert!(!compared(&spelled, &texts(ORIGINAL), KEY, false).unwrap().passed);
    // Defused formulas are those of the original.
    let formula = |text: &str, published: &str| text.replace("gout", published);
    assert!(compared(&formula(PUBLISHED, "'=1+1"), &formula(ORIGINAL, "=1+1"), KEY, false).unwrap().passed);
}

/// Each class keeps its rows, and the table all of its values.
#[test]
fn values_that_changed_their_class_are_found_with_class_and_row() {
    let exchanged = PUBLISHED.replace("gout,1", "acne,1").replace("acne,2", "gout,2");
    let found = compared(&exchanged, ORIGINAL, KEY, false).unwrap();
    assert!(!found.passed);
    assert_eq!(
        finding(&found),
        "2 of 2 classes with other sensitive values than the original's rows that the linking key puts there"
    );
    let mut said = words(&found.witnesses);
    said.sort_unstable();
    assert_eq!(
        said,
        [
            "class '1': 1 published row has 'acne', row 3, and no row with it by the linking key",
            "class '1': 1 row with 'gout' by the linking key, the first is row 2 of the original, and no published row",
            "class '2': 1 published row has 'gout', row 5, and no row with it by the linking key",
            "class '2': 1 row with 'acne' by the linking key, the first is row 4 of the original, and no published row",
        ]
    );
    // The same values, one of them once more in place of another.
    let repeated = PUBLISHED.replace("[20-22],gout,1", "[20-22],flu,1");
    let said = words(&compared(&repeated, ORIGINAL, KEY, false).unwrap().witnesses);
    assert!(
        said.contains(&String::from(
            "class '1': 3 published rows have 'flu', the first is row 1, and 2 rows with it by the linking key"
        )),
        "{said:?}"
    );
}

#[test]
fn counterfeits_may_have_any_value_unless_the_key_says_theirs() {
    let added = format!("{PUBLISHED}[30-31],gout,2\n");
    let unknown = compared(&added, ORIGINAL, KEY, false).unwrap();
    assert!(unknown.passed, "{:?}", words(&unknown.witnesses));
    assert!(
        finding(&unknown)
            .ends_with("; the value of 1 more published row was not compared, since the key does not say it"),
        "{}",
        finding(&unknown)
    );
    // Its other values are those of the original all the same.
    let lost = added.replace("acne,2", "ulcer,2");
    let said = words(&compared(&lost, ORIGINAL, KEY, false).unwrap().witnesses);
    assert_eq!(
        said,
        [
            "class '2': 1 row with 'acne' by the linking key, the first is row 4 of the original, and no published row"
        ]
    );
    let key = |value: &str| {
        let rows: Vec<String> = KEY.lines().skip(1).map(|line| format!("{line},\n")).collect();
        format!("row,class,sensitive\n{}+0,2,{value}\n", rows.concat())
    };
    assert!(compared(&added, ORIGINAL, &key("gout"), false).unwrap().passed);
    let found = compared(&added, ORIGINAL, &key("ulcer"), false).unwrap();
    assert_eq!(
        words(&found.witnesses),
        [
            "class '2': 1 published row has 'gout', row 7, and no row with it by the linking key",
            "class '2': 1 row with 'ulcer' by the linking key, and no published row",
        ]
    );
    // Where persons are counted, nothing is added.
    assert!(!compared(&added, ORIGINAL, KEY, true).unwrap().passed);
}

#[test]
fn an_original_without_the_sensitive_column_is_refused() {
    let found = compared(PUBLISHED, &ORIGINAL.replace("disease", "illness"), KEY, false);
    assert!(matches!(found, Err(Error::NoOriginalColumn { .. })), "{found:?}");
}
