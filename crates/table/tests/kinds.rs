//! Kinds of columns, with their evidence.
#![cfg(test)]

use lookalike_table::{
    DateOrder, Declared, Evidence, Finding, Inferred, Kind, MISFITS_CAP, Noun, NumberFormat, ReadOptions,
    Reading, Span, Table, Undeclarable, declare, infer, misfits, read,
};

fn table(cells: impl IntoIterator<Item = impl AsRef<str>>) -> Table {
    let rows: Vec<String> = cells.into_iter().map(|cell| format!("{},\n", cell.as_ref())).collect();
    let text = format!("x,y\n{}", rows.concat());
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn markers() -> Vec<String> {
    ["", "?", "NA"].map(String::from).to_vec()
}

fn inferred(cells: impl IntoIterator<Item = impl AsRef<str>>) -> Inferred {
    infer(&table(cells).columns[0], &markers())
}

fn kind(cells: &[&str]) -> Kind {
    inferred(cells).kind
}

/// All that was found out but for the evidence, and that in words.
fn told(found: Inferred) -> (Kind, Reading, String, [usize; 2]) {
    assert_eq!((found.question, found.nearly), (None, None));
    (found.kind, found.reading, found.evidence.to_string(), [found.distinct, found.missing])
}

fn numbers(
    kind: Kind,
    evidence: &str,
    distinct: usize,
    missing: usize,
) -> (Kind, Reading, String, [usize; 2]) {
    (kind, Reading::Numbers(NumberFormat::PLAIN), evidence.to_owned(), [distinct, missing])
}

/// A cell that may hold a comma.
fn quoted(cells: &[&str]) -> Inferred {
    inferred(cells.iter().map(|cell| format!("\"{cell}\"")))
}

#[test]
fn whole_numbers() {
    let found = inferred((0..1000).map(|i| (17 + i % 74).to_string()));
    let span = Span::Range { least: String::from("17"), most: String::from("90") };
    let finding = Finding::WholeNumbers { values: 1000, marks: Vec::new(), span: Some(span) };
    assert_eq!(found.evidence, Evidence::Known { finding, differ: None, missing: 0 });
    let evidence = "1,000 of 1,000 values are whole numbers, 17 to 90";
    assert_eq!(told(found), numbers(Kind::Integer, evidence, 74, 0));
    assert_eq!(kind(&["10", " -3", "+3", "0", "007"]), Kind::Integer);
    assert_eq!(kind(&["0", "1"]), Kind::Integer);
    assert_eq!(inferred(["5"]).evidence.to_string(), "1 of 1 values are whole numbers, all 5");
}

#[test]
fn numbers_with_missing_cells() {
    let found = inferred(["1.5", "?", "-2e3", " NA ", "", "10"]);
    let evidence = "3 of 3 values are numbers, -2e3 to 10; 3 missing";
    assert_eq!(told(found), numbers(Kind::Real, evidence, 3, 3));
    assert_eq!(kind(&["10.0"]), Kind::Real);
    assert_eq!(kind(&["1e3"]), Kind::Real);
}

#[test]
fn categories() {
    let found = inferred(["Male", "Female", "Male", "?", "Other", "0x10"]);
    let evidence = String::from("4 values, most often Male (2 of 5); 1 missing");
    assert_eq!(told(found), (Kind::Category, Reading::Labels, evidence, [4, 1]));
    assert_eq!(inferred(["b", "a", "b", "a"]).evidence.to_string(), "2 values, most often a (2 of 4)");
    assert_eq!(inferred(["b", "a", "c"]).evidence.to_string(), "3 values, each once");
    let none = inferred(["?", "?"]);
    assert_eq!((none.kind, none.distinct, none.missing), (Kind::Category, 0, 2));
    assert_eq!(none.evidence.to_string(), "every value is missing");
}

#[test]
fn nearly_numbers_name_the_cells_that_are_none() {
    let cells = |odd: &[(usize, &'static str)]| {
        let mut cells: Vec<String> = (0..1000).map(|i| i.to_string()).collect();
        for (row, cell) in odd {
            cells[row - 1] = (*cell).to_owned();
        }
        cells
    };
    let found = inferred(cells(&[(17, "abc"), (900, "NaN")]));
    assert_eq!(found.kind, Kind::Category);
    assert_eq!(
        found.evidence.to_string(),
        "998 of 1,000 values are numbers; not numbers: 'abc' (row 17), 'NaN' (row 900)"
    );
    let found = inferred(cells(&[(4, "a"), (3, "b"), (2, "1e999"), (1000, "d")]));
    assert_eq!(
        found.evidence.to_string(),
        "996 of 1,000 values are numbers; not numbers: '1e999' (row 2), 'b' (row 3), 'a' (row 4), ..."
    );
    // 9 of 10 are nearly all, 8 of 9 are not.
    assert!(
        inferred(["1", "2", "3", "4", "5", "6", "7", "8", "9", "x"])
            .evidence
            .to_string()
            .starts_with("9 of 10 values are numbers")
    );
    let eight = inferred(["1", "2", "3", "4", "5", "6", "7", "8", "x"]);
    assert_eq!(eight.nearly, None);
    assert!(
        eight.evidence.to_string().starts_with("8 of 9 values are numbers, and the others are 'x'"),
        "{}",
        eight.evidence
    );
}

/// Numbers that differ only beyond what a 64-bit floating-point number holds are not taken for one.
#[test]
fn numbers_too_long_to_be_told_apart_are_labels() {
    for (cells, long) in [
        (&["1700000000000000071.0", "5.5", "1700000000000000072.0"][..], "1700000000000000072.0"),
        (&["0.12345678901234567891", "0.12345678901234567892", "7"], "0.12345678901234567892"),
        (&["0,12345678901234567891", "0,12345678901234567892"], "0,12345678901234567892"),
        (&["1700000000000000071", "1.5"], "1700000000000000071"),
        (&["1,700,000,000,000,000,071", "1,700,000,000,000,000,072"], "1,700,000,000,000,000,071"),
        (&["1.700.000.000.000.000.071", "1.700.000.000.000.000.072"], "1.700.000.000.000.000.071"),
        (&["$1700000000000000071", "$1700000000000000072"], "$1700000000000000071"),
        (
            &["1,700,000,000,000,000,071.25 EUR", "1,700,000,000,000,000,072.25 EUR"],
            "1,700,000,000,000,000,072.25 EUR",
        ),
        (&["(1,700,000,000,000,000,071)", "12"], "(1,700,000,000,000,000,071)"),
        (&["100000000000000000000000", "99999999999999991611392"], "99999999999999991611392"),
    ] {
        let found = quoted(cells);
        assert_eq!((found.kind, found.nearly), (Kind::Category, None), "{cells:?}");
        let told = format!(
            "{0} of {0} values are numbers, some too long to be told apart as numbers, such as '{long}': labels",
            cells.len()
        );
        assert!(found.evidence.to_string().starts_with(&told), "{}", found.evidence);
    }
    // Long decimals are numbers as long as no two are read as one.
    for cells in [
        &["0.30000000000000004", "0.3", "0.1", "0.30000000000000004", "0.300000000000000040"][..],
        &["52.520006599999999", "13.404953999999998", "52.520006599999997"],
        &["1700000000000000071.0", "1700000000000000071.00", "2.5"],
    ] {
        assert_eq!(kind(cells), Kind::Real, "{cells:?}");
    }
}

/// A whole number that is too long is a number all the same, whatever is said of it.
#[test]
fn a_long_number_among_decimals_is_named_as_one() {
    let decimals = || (0..20).map(|row| format!("{row}.5")).collect::<Vec<_>>();
    let mut cells = decimals();
    cells[3] = String::from("12345678901234567");
    let found = inferred(&cells);
    assert_eq!(
        found.evidence.to_string(),
        "20 of 20 values are numbers; too long to be told apart as numbers: '12345678901234567' (row 4)"
    );
    let reading = found.nearly.unwrap();
    assert!(reading.is_too_long(&cells[3]) && !reading.is_too_long("x") && !reading.is_too_long("1.5"));
    cells[5] = String::from("x");
    assert_eq!(
        inferred(&cells).evidence.to_string(),
        "19 of 20 values are numbers; not numbers: 'x' (row 6)"
    );
}

#[test]
fn a_long_number_of_a_declared_column_is_named_as_one() {
    let long = |cells: &[&str], kind| {
        let table = table(cells.iter().map(|cell| format!("\"{cell}\"")));
        match declare(&table.columns[0], &markers(), &kind) {
            Err(Undeclarable::LongNumber { row, .. }) => Some(row),
            Err(other) => panic!("{other:?}"),
            Ok(_) => None,
        }
    };
    for kind in [Declared::Number, Declared::Real, Declared::Integer] {
        assert_eq!(long(&["1", "12345678901234567"], kind.clone()), Some(1), "{kind:?}");
        assert_eq!(long(&["1,234,567", "1,700,000,000,000,000,071"], kind.clone()), Some(1), "{kind:?}");
        assert_eq!(long(&["$12", "$1700000000000000071"], kind.clone()), Some(1), "{kind:?}");
        assert_eq!(long(&["100000000000000000000000", "99999999999999991611392"], kind), Some(1));
    }
    for kind in [Declared::Number, Declared::Real] {
        assert_eq!(long(&["0.12345678901234567891", "0.12345678901234567892"], kind.clone()), Some(1));
        assert_eq!(long(&["0.30000000000000004", "0.3"], kind), None);
    }
}

#[test]
fn codes_with_leading_zeros_are_no_numbers() {
    let found = inferred(["01234", "98765", "?"]);
    assert_eq!(found.kind, Kind::Category);
    assert_eq!(
        found.evidence.to_string(),
        "2 of 2 values are digits of one length, some with a leading zero such as 01234: codes, not numbers; 1 missing"
    );
    assert_eq!(kind(&["01234", "123"]), Kind::Integer);
    assert_eq!(kind(&["12345", "98765"]), Kind::Integer);
}

#[test]
fn lists_what_is_no_number() {
    let plain = Reading::Numbers(NumberFormat::PLAIN);
    let table = table(["1", "x", "?", "NaN", "2", "x"]);
    let expected = [(1, "x"), (3, "NaN"), (5, "x")].map(|(row, cell)| (row, cell.to_owned()));
    assert_eq!(misfits(&table.columns[0], &markers(), &plain), expected);
    assert_eq!(misfits(&table.columns[1], &markers(), &plain), []);
    let many = self::table(vec!["x"; 100]);
    assert_eq!(misfits(&many.columns[0], &markers(), &plain).len(), MISFITS_CAP);
}

#[test]
fn local_numbers_are_explained() {
    let found = quoted(&["1,5", "1.000,25", "?"]);
    assert_eq!(found.kind, Kind::Real);
    assert_eq!(
        found.evidence.to_string(),
        "2 of 2 values are numbers with a decimal comma and points between thousands, 1,5 to 1.000,25; 1 missing"
    );
    let found = quoted(&["1,000", "12,345,678"]);
    assert_eq!(found.kind, Kind::Integer);
    assert_eq!(
        found.evidence.to_string(),
        "2 of 2 values are whole numbers with commas between thousands, 1,000 to 12,345,678"
    );
    let found = inferred(["1.234", "5.678"]);
    assert_eq!((found.kind, found.question), (Kind::Real, None));
    assert!(
        found.evidence.to_string().contains("the points are read as decimal points"),
        "{}",
        found.evidence
    );
}

#[test]
fn what_can_be_read_in_two_ways_is_asked() {
    let found = quoted(&["1,234", "5,678", "9"]);
    assert_eq!(found.kind, Kind::Category);
    let question = found.question.unwrap().to_string();
    assert!(
        question.contains("'1,234' may be 1234 (a comma between thousands) or 1.234 (a decimal comma)"),
        "{question}"
    );
    assert!(
        found.evidence.to_string().starts_with("3 of 3 values look like numbers, but '1,234'"),
        "{}",
        found.evidence
    );
    let found = inferred(["5/5/2024", "01/02/2024"]);
    assert!(found.question.unwrap().to_string().contains("'01/02/2024' may be day/month or month/day"));
}

#[test]
fn dates() {
    let found = inferred(["2024-01-05", "2023-12-31", "?"]);
    assert_eq!(found.kind, Kind::Date);
    assert_eq!(
        found.evidence.to_string(),
        "2 of 2 values are dates, year-month-day, 2023-12-31 to 2024-01-05; 1 missing"
    );
    let found = inferred(["01/02/2024", "12/31/2024"]);
    assert_eq!(
        found.evidence.to_string(),
        "2 of 2 values are dates, month/day/year (the month first, as 12/31/2024 shows), 01/02/2024 to 12/31/2024"
    );
    let mut cells = vec!["05.01.2024"; 19];
    cells.push("31.02.2024");
    let found = inferred(cells);
    assert_eq!(found.kind, Kind::Category);
    assert_eq!(found.evidence.to_string(), "19 of 20 values are dates; not dates: '31.02.2024' (row 20)");
    assert!(matches!(found.nearly, Some(Reading::Dates(_))));
}

#[test]
fn labels_that_nearly_all_differ_look_like_identifiers() {
    let found = inferred((0..100).map(|i| format!("p{}", i.max(4))));
    assert_eq!((found.kind, found.distinct), (Kind::Identifier, 96));
    assert!(
        found.evidence.to_string().ends_with("; nearly all different, as identifiers are"),
        "{}",
        found.evidence
    );
    assert_eq!(inferred((0..100).map(|i| format!("p{}", i.max(6)))).kind, Kind::Category);
    assert_eq!(inferred((0..19).map(|i| format!("p{i}"))).kind, Kind::Category);
    assert_eq!(inferred((0..100).map(|i| i.to_string())).kind, Kind::Integer);
}

#[test]
fn a_declared_kind_settles_the_format() {
    let declared = |cells: &[&str], kind| {
        let table = table(cells.iter().map(|cell| format!("\"{cell}\"")));
        declare(&table.columns[0], &markers(), &kind)
    };
    let value = |cells: &[&str], kind| declared(cells, kind).unwrap().1.value(cells[0]);
    let open = ["1,234", "5,678"];
    assert_eq!(value(&open, Declared::Integer), Some(1234.0));
    assert_eq!(value(&open, Declared::Real), Some(1.234));
    assert!(matches!(declared(&open, Declared::Number), Err(Undeclarable::Question(_))));
    assert_eq!(value(&["1.234", "5.678"], Declared::Integer), Some(1234.0));
    assert_eq!(value(&["1.234", "5.678"], Declared::Number), Some(1.234));
    assert_eq!(value(&["01234", "5"], Declared::Number), Some(1234.0));
    assert_eq!(value(&["01234", "56789"], Declared::Number), Some(1234.0));
    let days = ["01/02/2024"];
    assert_eq!(value(&days, Declared::Date(Some(DateOrder::Dmy))), Some(19754.0));
    assert_eq!(value(&days, Declared::Date(Some(DateOrder::Mdy))), Some(19724.0));
    assert!(matches!(declared(&days, Declared::Date(None)), Err(Undeclarable::Question(_))));
    assert_eq!(value(&["20240201", "20240301"], Declared::Date(None)), Some(19754.0));
    let wrong = |cells: &[&str], kind| match declared(cells, kind) {
        Err(Undeclarable::Cell { row, noun, .. }) => (row, noun),
        other => panic!("{other:?}"),
    };
    assert_eq!(wrong(&["1", "2.5"], Declared::Integer), (1, Noun::WholeNumber));
    assert_eq!(wrong(&["1", "x"], Declared::Number), (1, Noun::FiniteNumber));
    assert_eq!(wrong(&["1,5", "x"], Declared::Real), (0, Noun::FiniteNumber));
    assert_eq!(wrong(&["13/12/2024", "x"], Declared::Date(Some(DateOrder::Mdy))), (0, Noun::Date));
    assert_eq!(declared(&["?"], Declared::Date(None)).unwrap().0, Kind::Date);
}
