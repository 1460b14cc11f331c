//! Messages in English, where the number of things changes the sentence.
#![cfg(test)]

use lookalike_table::{
    DateEvidence, DatePattern, Delimiter, DoubtfulCell, DuplicateName, Error, Evidence, Finding,
    FirstRowDoubt, Members, Note, NumberMark, Oddity, Packing, RaggedHint, Span, Warning,
    hierarchy::{GeneratorError, HierarchyError},
};

#[test]
fn errors() {
    let numbers = |column| DoubtfulCell::AboveNumbers { cell: "17".into(), column };
    let why = FirstRowDoubt::Cells { cells: vec![numbers(1), numbers(1200)], more: 1 };
    let names: Vec<String> = (1..=21).map(|at| format!("{at}.csv")).collect();
    let listed: Vec<String> = names[..20].iter().map(|name| format!("\"{name}\"")).collect();
    for (error, words) in [
        (
            Error::FirstRow { why, cells: vec!["a\nb".into(), "c".into()], more: 1 },
            "the first row may be the names of the columns or the first record: '17' in column 1 stands above numbers; '17' \
             in column 1,200 stands above numbers; and 1 more column. As a header: the columns are named 'a\\nb', 'c', 1 \
             more. As data: the first record is 'a\\nb', 'c', 1 more. Say which it is",
        ),
        (
            Error::HeaderOnly { columns: 1 },
            "the file has a header row (1 column) but no row of data: add the data below the header",
        ),
        (
            Error::BlankNames { columns: vec![2], title: 0 },
            "column 2 has no name in the header: give every column a name (one, where names stand in two rows), or, only if the \
             first row is a record, say that the file has no header row",
        ),
        (
            Error::BlankNames { columns: vec![2, 3, 1000], title: 0 },
            "columns 2, 3 and 1,000 have no name in the header: give every column a name (one, where names stand in two \
             rows), or, only if the first row is a record, say that the file has no header row",
        ),
        (
            Error::DuplicateNames { names: vec![DuplicateName { name: "a".into(), columns: vec![1, 2, 3] }] },
            "the header has the same name more than once (\"a\" in columns 1, 2 and 3): give every column a different name, \
             let the later ones get a number, or say that the file has no header row",
        ),
        (
            Error::Members { count: 21, members: Members(names.clone()) },
            &format!(
                "the ZIP archive holds 21 files ({}, ...): say which one is the table",
                listed.join(", ")
            ),
        ),
        (
            Error::Tables { count: 2, members: Members(vec!["AE".into(), "DM".into()]) },
            "the file holds 2 tables (\"AE\", \"DM\"): say which one is the table",
        ),
        (
            Error::NoTable { name: "LB".into(), members: vec!["AE".into(), "DM".into()] },
            "there is no table \"LB\" in the file; it holds \"AE\", \"DM\"",
        ),
        (
            Error::Delimiter { sign: "\r".into() },
            "'\\r' cannot be a delimiter: use a comma, a semicolon, a tab or another ASCII character, but not a \
             quote or a line break",
        ),
    ] {
        assert_eq!(error.to_string(), words);
    }
    let hint = RaggedHint::OtherDelimiter { used: None, other: Delimiter::Comma };
    assert_eq!(
        hint.to_string(),
        "the header has no delimiter but a comma; if a comma separates the columns, choose it as the delimiter"
    );
}

#[test]
fn warnings_and_notes() {
    let warning = Warning { row: Some(1200), what: Oddity::Padded { line: 1201, found: 1, expected: 3 } };
    assert_eq!(
        warning.to_string(),
        "row 1,200: line 1,201 of the file has 1 field instead of 3: the cells that are not there were taken as empty"
    );
    for (oddity, words) in [
        (
            Oddity::BlankFields { rows: 1, first: 7 },
            "1 row has more fields than the header, all of them blank",
        ),
        (
            Oddity::BlankFields { rows: 2, first: 7 },
            "2 rows have more fields than the header, all of them blank",
        ),
        (Oddity::BlankColumns { columns: 1 }, "every line ends in a delimiter: 1 column was blank in"),
        (Oddity::FormulaErrors { cells: 2, row: 3, column: 4 }, "2 cells hold the error of a formula"),
        (Oddity::MoreTextAfterQuotes { rows: 1 }, "1 more row with text after a closing quote"),
    ] {
        assert!(oddity.to_string().starts_with(words), "{oddity}");
    }
    let packing = Packing::Zip { member: "a.csv".into() };
    assert_eq!(
        Note::Compression { packing, bytes: 1 }.to_string(),
        "compression: ZIP, file \"a.csv\", unpacked to 1 byte"
    );
}

#[test]
fn evidence() {
    let known = |finding| Evidence::Known { finding, differ: None, missing: 1 }.to_string();
    let span = || Some(Span::Range { least: String::from("1"), most: String::from("2") });
    let marks = vec![NumberMark::DecimalComma, NumberMark::Apostrophes];
    assert_eq!(
        known(Finding::Numbers { values: 2, marks, span: span() }),
        "2 of 2 values are numbers with a decimal comma and apostrophes between thousands, 1 to 2; 1 missing"
    );
    let pattern = DatePattern::Dmy { mark: Some('.') };
    assert_eq!(
        known(Finding::Dates { values: 2, pattern, why: Some(DateEvidence::Points), span: span() }),
        "2 of 2 values are dates, day.month.year (the day first, as is usual with points), 1 to 2; 1 missing"
    );
    let pattern = DatePattern::Ymd { mark: None };
    assert_eq!(
        known(Finding::Dates { values: 2, pattern, why: None, span: span() }),
        "2 of 2 values are dates, yearmonthday, 1 to 2; 1 missing"
    );
}

#[test]
fn hierarchies() {
    let uncovered = |rows: &[usize], more_rows, more_values| {
        let rows = rows.to_vec();
        HierarchyError::Uncovered { value: "7".into(), rows, more_rows, more_values }.to_string()
    };
    assert_eq!(uncovered(&[3], 0, 0), "the hierarchy lacks the value '7' (row 3): add a line for each");
    assert_eq!(
        uncovered(&[3, 4, 1500], 0, 2),
        "the hierarchy lacks the value '7' (rows 3, 4 and 1,500), and 2 other values of the column: add a line for each"
    );
    assert_eq!(
        uncovered(&[3, 4, 5], 1, 1),
        "the hierarchy lacks the value '7' (rows 3, 4, 5 and 1 more), and 1 other value of the column: add a line for each"
    );
    assert_eq!(uncovered(&[], 0, 0), "the hierarchy lacks the value '7': add a line for each");
    let no_text = HierarchyError::NoText { why: Error::Undecodable { encoding: "UTF-16LE" } };
    assert_eq!(
        no_text.to_string(),
        "the hierarchy cannot be read as CSV: the file holds bytes that are not valid UTF-16LE: choose another encoding"
    );
    assert!(
        GeneratorError::Unknown { text: "x".into() }
            .to_string()
            .starts_with("\"x\" is not a generator; known are")
    );
}
