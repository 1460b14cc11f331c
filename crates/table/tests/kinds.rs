//! Kinds of columns, with their evidence.
#![cfg(test)]

use lookalike_table::{Inferred, Kind, ReadOptions, Table, infer, non_numeric, read};

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

#[test]
fn whole_numbers() {
    let found = inferred((0..1000).map(|i| (17 + i % 74).to_string()));
    let evidence = String::from("1,000 of 1,000 values are whole numbers, 17 to 90");
    assert_eq!(found, Inferred { kind: Kind::Integer, evidence, distinct: 74, missing: 0 });
    assert_eq!(kind(&["10", " -3", "+3", "0", "007"]), Kind::Integer);
    assert_eq!(kind(&["0", "1"]), Kind::Integer);
    assert_eq!(inferred(["5"]).evidence, "1 of 1 values are whole numbers, all 5");
}

#[test]
fn numbers_with_missing_cells() {
    let found = inferred(["1.5", "?", "-2e3", " NA ", "", "10"]);
    let evidence = String::from("3 of 3 values are numbers, -2e3 to 10; 3 missing");
    assert_eq!(found, Inferred { kind: Kind::Number, evidence, distinct: 3, missing: 3 });
    assert_eq!(kind(&["10.0"]), Kind::Number);
    assert_eq!(kind(&["1e3"]), Kind::Number);
}

#[test]
fn categories() {
    let found = inferred(["Male", "Female", "Male", "?", "Other", "0x10"]);
    let evidence = String::from("4 values, most often Male (2 of 5); 1 missing");
    assert_eq!(found, Inferred { kind: Kind::Category, evidence, distinct: 4, missing: 1 });
    assert_eq!(inferred(["b", "a", "b", "a"]).evidence, "2 values, most often a (2 of 4)");
    assert_eq!(inferred(["b", "a", "c"]).evidence, "3 values, each once");
    let none = inferred(["?", "?"]);
    assert_eq!((none.kind, none.distinct, none.missing), (Kind::Category, 0, 2));
    assert_eq!(none.evidence, "every value is missing");
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
        found.evidence,
        "998 of 1,000 values are numbers; not numbers: 'abc' (row 17), 'NaN' (row 900)"
    );
    let found = inferred(cells(&[(4, "a"), (3, "b"), (2, "1e999"), (1000, "d")]));
    assert_eq!(
        found.evidence,
        "996 of 1,000 values are numbers; not numbers: '1e999' (row 2), 'b' (row 3), 'a' (row 4), ..."
    );
    // 9 of 10 are nearly all, 8 of 9 are not.
    assert!(
        inferred(["1", "2", "3", "4", "5", "6", "7", "8", "9", "x"])
            .evidence
            .starts_with("9 of 10 values are numbers")
    );
    assert_eq!(inferred(["1", "2", "3", "4", "5", "6", "7", "8", "x"]).evidence, "9 values, each once");
}

#[test]
fn codes_with_leading_zeros_are_no_numbers() {
    let found = inferred(["01234", "98765", "?"]);
    assert_eq!(found.kind, Kind::Category);
    assert_eq!(
        found.evidence,
        "2 of 2 values are digits of one length, some with a leading zero such as 01234: codes, not numbers; 1 missing"
    );
    assert_eq!(kind(&["01234", "123"]), Kind::Integer);
    assert_eq!(kind(&["12345", "98765"]), Kind::Integer);
}

#[test]
fn lists_what_is_no_number() {
    let table = table(["1", "x", "?", "NaN", "2", "x"]);
    let expected = [(1, "x"), (3, "NaN"), (5, "x")].map(|(row, cell)| (row, cell.to_owned()));
    assert_eq!(non_numeric(&table.columns[0], &markers()), expected);
    assert_eq!(non_numeric(&table.columns[1], &markers()), []);
    let many = self::table(vec!["x"; 100]);
    assert_eq!(non_numeric(&many.columns[0], &markers()).len(), lookalike_table::NON_NUMERIC_CAP);
}
