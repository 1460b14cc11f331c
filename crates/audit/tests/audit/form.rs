//! Bytes that are almost a release: written wrongly in a way that a reader with the same mistake would not notice.

use lookalike_audit::{Breach, Dialect, Error, Fault, Guarantee, Question, Reader, Subject, judge};
use proptest::prelude::*;

use crate::common::{csv, failed, question};

/// A release that is 2-anonymous, with everything that has to be quoted.
const GOOD: &str = "age,sex,class,disease\n\
    20,\"{F,M}\",1,\"he said \"\"flu\"\"\"\n\
    20,\"{F,M}\",1,\"two\nlines\"\n\
    30,M,2,\n\
    30,M,2,\"a\rb\"\n";

fn asked() -> Question {
    question(Guarantee::KAnonymity { k: 2 })
}

fn fault(bytes: &[u8]) -> (usize, usize, Breach) {
    match judge(bytes, &asked()) {
        Err(Error::Unreadable { fault: Fault { row, column, breach } }) => (row, column, breach),
        other => panic!("{other:?} of {:?}", String::from_utf8_lossy(bytes)),
    }
}

/// The fault of the release with this text in place of another, which occurs in it.
fn with(text: &str, other: &str) -> (usize, usize, Breach) {
    assert!(GOOD.contains(text));
    fault(GOOD.replacen(text, other, 1).as_bytes())
}

#[test]
fn a_release_with_every_kind_of_quoted_cell_passes() {
    let verdict = judge(GOOD.as_bytes(), &asked()).unwrap();
    assert!(failed(&verdict).is_empty());
    assert_eq!(verdict.reader, Reader::Strict);
}

#[test]
fn a_cell_that_is_quoted_wrongly_is_seen() {
    // Without its quotation marks the set is two cells, and a reader that splits at every comma agrees with such a writer.
    let cells = |found| Breach::Cells { found, expected: 4 };
    assert_eq!(with("\"{F,M}\"", "{F,M}"), (1, 5, cells(5)));
    assert_eq!(with("30,M", "30"), (3, 3, cells(3)));
    assert_eq!(with("\"{F,M}\"", "'{F,M}'"), (1, 5, cells(5)));
    assert_eq!(with("\"{F,M}\"", "\"{F\\,M}"), (1, 2, Breach::AfterQuote));
    assert_eq!(with("30,M", "30,\"M\""), (3, 2, Breach::NeedlessQuotes));
    assert_eq!(with("30,M", "\"30\",M"), (3, 1, Breach::NeedlessQuotes));
    assert_eq!(with("2,\n", "2,\"\"\n"), (3, 4, Breach::NeedlessQuotes));
    assert_eq!(with("30,M", "30, \"M\""), (3, 2, Breach::StrayQuote));
    assert_eq!(with("30,M", "30,M\""), (3, 2, Breach::StrayQuote));
    assert_eq!(with("30,M", "30,\"M"), (3, 2, Breach::AfterQuote));
    assert_eq!(with("30,M", "30,\"M;"), (3, 2, Breach::AfterQuote));
}

#[test]
fn a_quotation_mark_that_is_not_doubled_is_seen() {
    assert_eq!(with("\"\"flu\"\"", "\"flu\""), (1, 4, Breach::AfterQuote));
    assert_eq!(with("\"\"flu\"\"", "\\\"flu\\\""), (1, 4, Breach::AfterQuote));
    assert_eq!(with("\"\"flu\"\"\"", "\"\"flu\"\""), (1, 4, Breach::AfterQuote));
    assert_eq!(with("\"he said \"\"flu\"\"\"", "he said \"\"flu\"\""), (1, 4, Breach::StrayQuote));
    assert_eq!(with("\"a\rb\"", "\"a\rb"), (4, 4, Breach::OpenQuote));
}

#[test]
fn a_line_break_outside_of_quotation_marks_is_seen() {
    let cells = |found| Breach::Cells { found, expected: 4 };
    assert_eq!(with("\"two\nlines\"", "two\nlines"), (3, 1, cells(1)));
    assert_eq!(with("\"a\rb\"", "a\rb"), (4, 4, Breach::CarriageReturn));
    assert_eq!(with("2,\n", "2,\n\n"), (4, 1, Breach::EmptyLine));
}

#[test]
fn other_line_ends_are_seen() {
    assert_eq!(fault(GOOD.replace('\n', "\r\n").as_bytes()), (0, 4, Breach::CarriageReturn));
    assert_eq!(with("2,\n", "2,\r\n"), (3, 4, Breach::CarriageReturn));
    assert_eq!(with("disease\n", "disease\r"), (0, 4, Breach::CarriageReturn));
    assert_eq!(fault(GOOD.trim_end().as_bytes()), (4, 4, Breach::NoLineEnd));
    assert_eq!(fault(b"age,sex,class,disease\n1,F,1,A\n1,F,1,B"), (2, 4, Breach::NoLineEnd));
    assert_eq!(fault(format!("{GOOD}\n").as_bytes()), (5, 1, Breach::EmptyLine));
}

#[test]
fn a_byte_order_mark_and_a_line_that_names_the_delimiter_are_seen() {
    assert_eq!(fault(format!("\u{feff}{GOOD}").as_bytes()), (0, 1, Breach::Mark));
    assert_eq!(fault(format!("sep=,\n{GOOD}").as_bytes()), (0, 2, Breach::NoName));
    assert_eq!(fault(format!("sep=;\n{GOOD}").as_bytes()), (0, 1, Breach::Mark));
    // In a name they are quoted, as the writer does it, and nowhere else.
    let one = |text: &str| {
        judge(text.as_bytes(), &Question { quasi: vec![String::from("sep=;")], sensitive: None, ..asked() })
    };
    assert!(one("\"sep=;\"\nsep=;\nsep=;\n").unwrap().passed);
    assert!(matches!(
        one("\"sep=;\"\n\"sep=;\"\nsep=;\n"),
        Err(Error::Unreadable { fault: Fault { row: 1, column: 1, .. } })
    ));
}

#[test]
fn other_dialects_and_encodings_are_seen() {
    assert!(judge(GOOD.replace(',', ";").as_bytes(), &asked()).is_err());
    assert!(judge(GOOD.replace(',', "\t").as_bytes(), &asked()).is_err());
    assert_eq!(fault(b"age,sex,class,disease\n1,F,1,caf\xe9\n"), (1, 4, Breach::NotUtf8));
    assert_eq!(fault(b"age,sex,class,disease\n1,\"\xc3\n\",\"\n\xa9\",B\n"), (1, 2, Breach::NotUtf8));
    assert_eq!(fault(b"age,sex,class,disease\n1,\"F,\0\",1,A\n"), (1, 2, Breach::Nul));
    assert_eq!(fault(b"age,sex,class,disease\n1,F\0,1,A\n"), (1, 2, Breach::Nul));
    assert_eq!(fault(b""), (0, 1, Breach::Empty));
    assert_eq!(fault(b"age,sex,class,disease\n"), (1, 1, Breach::NoRows));
    assert_eq!(fault(b"age,,class,disease\n1,F,1,A\n"), (0, 2, Breach::NoName));
    assert_eq!(fault(b"age,sex,age,disease\n1,F,1,A\n"), (0, 3, Breach::SameName { name: "age".into() }));
}

/// The release of [`GOOD`] in another form, written here by hand.
const GERMAN: &str = "\u{feff}age;sex;class;disease\r\n\
    20;{F,M};1;\"he said \"\"flu\"\"\"\r\n\
    20;{F,M};1;\"two\nlines; or more\"\r\n\
    30;M;2;\r\n\
    30;M;2;\"a\rb\"\r\n";

const OF_GERMAN: Dialect = Dialect { delimiter: b';', bom: true, crlf: true, defused: false };

fn in_form(bytes: &[u8], dialect: Dialect) -> Result<lookalike_audit::Verdict, Error> {
    judge(bytes, &Question { dialect, ..asked() })
}

#[test]
fn a_release_is_taken_in_the_form_that_was_declared_and_in_no_other() {
    let verdict = in_form(GERMAN.as_bytes(), OF_GERMAN).unwrap();
    assert!(failed(&verdict).is_empty());
    assert_eq!((verdict.reader, verdict.dialect), (Reader::Strict, Some(OF_GERMAN)));
    for delimiter in *b",;\t|" {
        for (bom, crlf) in [(false, false), (false, true), (true, false), (true, true)] {
            let dialect = Dialect { delimiter, bom, crlf, ..Dialect::PLAIN };
            assert_eq!(in_form(GERMAN.as_bytes(), dialect).is_ok(), dialect == OF_GERMAN, "{dialect:?}");
        }
    }
    let faults = |text: &str, other: &str| {
        assert!(GERMAN.contains(text));
        match in_form(GERMAN.replacen(text, other, 1).as_bytes(), OF_GERMAN) {
            Err(Error::Unreadable { fault: Fault { row, column, breach } }) => (row, column, breach),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(faults("\u{feff}", ""), (0, 1, Breach::NoMark));
    assert_eq!(faults("\u{feff}", "\u{feff}\u{feff}"), (0, 1, Breach::Mark));
    assert_eq!(faults("2;\r\n", "2;\n"), (3, 4, Breach::LineFeed));
    assert_eq!(faults("2;\r\n", "2;\r\r\n"), (3, 4, Breach::CarriageReturn));
    assert_eq!(faults("{F,M}", "\"{F,M}\""), (1, 2, Breach::NeedlessQuotes));
    assert_eq!(
        faults("\"two\nlines; or more\"", "lines; or more"),
        (2, 5, Breach::Cells { found: 5, expected: 4 })
    );
    assert_eq!(faults("\"a\rb\"\r\n", "\"a\rb\""), (4, 4, Breach::NoLineEnd));
    assert!(in_form(b"\xef\xbb\xbf", OF_GERMAN).unwrap_err().to_string().contains("empty"));
}

#[test]
fn what_cannot_separate_cells_is_refused() {
    for delimiter in [b'"', b'\n', b'\r', 0, 0xe9] {
        let dialect = Dialect { delimiter, ..Dialect::PLAIN };
        assert_eq!(in_form(GOOD.as_bytes(), dialect), Err(Error::Delimiter));
    }
}

#[test]
fn a_number_in_another_notation_is_another_cell() {
    let release = |second: &str| format!("age,sex,class,disease\n1000,F,1,A\n{second},F,1,B\n");
    let verdict = |second: &str| judge(release(second).as_bytes(), &asked());
    assert!(verdict("1000").unwrap().passed);
    // Equal to whoever compares numbers, but not to whoever reads the table.
    for other in ["1e3", "1000.0", "+1000", " 1000", "1\u{a0}000", "01000"] {
        let failing = verdict(other).unwrap();
        assert!(failed(&failing).contains(&Subject::ClassAlike), "{other}");
        assert_eq!(failing.risk.smallest_group, 1, "{other}");
    }
    // With a decimal comma it is two cells.
    assert!(matches!(verdict("1000,0"), Err(Error::Unreadable { .. })));
}

#[test]
fn a_fault_says_where_it_is() {
    let text = judge(GOOD.replacen("30,M", "30,\"M\"", 1).as_bytes(), &asked()).unwrap_err().to_string();
    assert_eq!(text, "the published table cannot be read: row 3, column 2: the cell is quoted without need");
}

#[test]
fn a_row_without_an_end_does_not_fill_the_memory() {
    let mut bytes = b"age,sex,class,disease\n1,F,1,\"".to_vec();
    bytes.resize(40 << 20, b'a');
    assert_eq!(fault(&bytes), (1, 4, Breach::OpenQuote));
    let mut bytes = b"age,sex,class,disease\n1,F,1,".to_vec();
    bytes.resize(40 << 20, b'a');
    assert!(matches!(fault(&bytes), (1, 4, Breach::Long { .. })));
}

proptest! {
    /// What is written is read again, whatever the cells; and what is written in any other way is not a release.
    #[test]
    fn only_the_writer_s_own_form_is_read(
        cells in prop::collection::vec(prop::collection::vec("[a,\"\n\ré= ]{0,3}|\u{feff}|sep=;", 4), 1..5),
        at in any::<prop::sample::Index>(),
        byte in prop::sample::select(b"\",\n\r\0a\xff".as_slice()),
    ) {
        let header = ["age", "sex", "class", "disease"].map(String::from).to_vec();
        let mut table = vec![header];
        table.extend(cells);
        let bytes = csv(&table);
        prop_assert!(judge(&bytes, &asked()).is_ok());
        let mut other = bytes.clone();
        other.insert(at.index(bytes.len() + 1), byte);
        prop_assert_eq!(written_again(&other), judge(&other, &asked()).is_ok() || !has_columns(&other));
    }
}

proptest! {
    /// The same of every form: the judge finds the cells that were written, and nothing else in the bytes.
    #[test]
    fn every_form_is_read_as_it_was_written(
        cells in prop::collection::vec(prop::collection::vec("[a,;|\t\"\n\r=+'1 ]{0,3}|\u{feff}|sep=;", 4), 1..5),
        at in 0..4_usize,
        (bom, crlf, defused) in any::<(bool, bool, bool)>(),
        cut in any::<prop::sample::Index>(),
        byte in prop::sample::select(b"\",;|\t\n\r\0a\xff".as_slice()),
    ) {
        use lookalike_model::dialect::{Dialect as Written, Formulas, LineEnds, Separator};
        let delimiter = Separator::ALL[at];
        let line_ends = if crlf { LineEnds::Crlf } else { LineEnds::Lf };
        let formulas = if defused { Formulas::Defuse } else { Formulas::Keep };
        let form = Written { delimiter, bom, line_ends, formulas };
        let header = ["age", "sex", "class", "disease"].map(String::from);
        let rows = cells.iter().map(|row| row.iter().map(String::as_str));
        let bytes = lookalike_table::write_as(form, &header, rows);
        let dialect = Dialect { delimiter: delimiter.byte(), bom, crlf, defused };
        let plain = judge(&csv(&[vec![header.to_vec()], cells].concat()), &asked()).unwrap();
        let found = in_form(&bytes, dialect).unwrap();
        prop_assert_eq!((found.checks, found.risk), (plain.checks, plain.risk));
        // Behind the header, whose names the other reader trims.
        let rows = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let mut other = bytes.clone();
        other.insert(rows + cut.index(bytes.len() - rows + 1), byte);
        let again = in_form(&other, dialect);
        let options = lookalike_table::ReadOptions { delimiter: Some(delimiter.byte()), ..Default::default() };
        let written = lookalike_table::read(&other, &options).is_ok_and(|table| {
            let table = if defused { lookalike_table::undefused(table) } else { table };
            let header: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
            let rows = (0..table.rows).map(|row| table.columns.iter().map(move |column| column.cell(row)));
            lookalike_table::write_as(form, &header, rows) == other
        });
        let lacking = matches!(again, Err(Error::NoColumn { .. }));
        prop_assert!(lacking || again.is_ok() == written, "{:?}", String::from_utf8_lossy(&other));
    }
}

/// Whether bytes are what the writer makes of what the other reader finds in them.
fn written_again(bytes: &[u8]) -> bool {
    let Ok(table) = lookalike_table::read(bytes, &lookalike_table::ReadOptions::default()) else {
        return false;
    };
    let header: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let rows = (0..table.rows).map(|row| table.columns.iter().map(move |column| column.cell(row)));
    lookalike_table::write(&header, rows) == bytes
}

/// Whether the columns that are asked for are there.
fn has_columns(bytes: &[u8]) -> bool {
    !matches!(judge(bytes, &asked()), Err(Error::NoColumn { .. }))
}
