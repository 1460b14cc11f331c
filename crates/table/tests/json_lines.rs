//! JSON lines: objects as rows, keys as columns, whatever is in the texts.
#![cfg(test)]
#![cfg(feature = "encodings")]

use std::{fmt::Write as _, io::Cursor};

use lookalike_table::{
    Error, HeaderRow, JsonFault, OpenOptions, ReadOptions, Skip, Table, Unfit, decode, open, read,
    read_parts, write,
};
use proptest::prelude::*;

fn asking() -> OpenOptions {
    let read = ReadOptions { header: HeaderRow::Ask, ..ReadOptions::default() };
    OpenOptions { read, ..OpenOptions::default() }
}

fn opened(text: impl AsRef<[u8]>) -> Result<Table, Error> {
    open(Cursor::new(text), &asking())
}

fn forced(text: &str) -> Result<Table, Error> {
    open(Cursor::new(text), &OpenOptions { json_lines: true, ..asking() })
}

fn rows(table: &Table) -> Vec<Vec<&str>> {
    (0..table.rows).map(|row| table.columns.iter().map(|column| column.cell(row)).collect()).collect()
}

#[test]
fn keys_are_columns_and_values_stand_as_they_are() {
    let text = "{\"age\":17,\"sex\":\"m\",\"paid\":1.50}\r\n\n{\"sex\":null,\"zip\":\"01067\",\"age\":-2e3,\"paid\":true}\n\
                {\"zip\":\"\",\"note\":\"a,\\\"b\\\"\\n\\u00e9 \"}";
    let table = opened(text).unwrap();
    assert_eq!(table.header, ["age", "sex", "paid", "zip", "note"]);
    assert_eq!(
        rows(&table),
        [["17", "m", "1.50", "", ""], ["-2e3", "", "true", "01067", ""], ["", "", "", "", "a,\"b\"\né "],]
    );
    assert_eq!(table.first_row, HeaderRow::Keys);
    let said: Vec<String> = table.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        said[1],
        "JSON lines: 3 objects with 5 keys; the published table is a CSV, with commas unless you choose otherwise"
    );
    assert_eq!(
        table.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["1 blank line was skipped, the first is line 2 of the file"]
    );
}

/// Nothing is asked about the keys: they are no first row.
#[test]
fn a_key_that_is_also_a_value_is_a_key() {
    let table = opened("{\"m\":\"m\",\"20\":20}\n{\"m\":\"f\",\"20\":30}\n").unwrap();
    assert_eq!((table.header.join(","), table.rows), (String::from("m,20"), 2));
    let one = opened("{\"a\":\"\"}\n{}\n{\"a\":null}\n{\"a\":7}\n").unwrap();
    assert_eq!(rows(&one), [[""], [""], [""], ["7"]]);
}

#[test]
fn every_fault_has_its_line() {
    let key = |key: &str| key.into();
    for (text, line, why) in [
        ("{\"a\":1}\n[1]\n", 2, JsonFault::NotObject),
        ("{\"a\":1}\n\nage,sex\n", 3, JsonFault::NotObject),
        ("{\"a\":1}\n{\"a\":1\n", 2, JsonFault::Broken { column: 6 }),
        ("{\n  \"a\": 1\n}\n", 1, JsonFault::Broken { column: 1 }),
        ("{\"a\":1} {\"a\":2}\n", 1, JsonFault::Broken { column: 9 }),
        ("{\"a\":1}\n{\"a\":01}\n", 2, JsonFault::Broken { column: 7 }),
        ("{\"a\":1}\n{\"b\":{\"c\":1}}\n", 2, JsonFault::Nested { key: key("b") }),
        ("{\"a\":[]}\n", 1, JsonFault::Nested { key: key("a") }),
        ("{\"a\":1,\"b\":2,\"a\":1}\n", 1, JsonFault::KeyTwice { key: key("a") }),
        ("{\"a\":1,\" a\":2}\n", 1, JsonFault::KeyTwice { key: key("a") }),
        ("{\"a\":1,\" \":2}\n", 1, JsonFault::BlankKey),
        ("{\"a\":\"x\\u0000\"}\n", 1, JsonFault::Nul { key: key("a") }),
        ("{\"a\":\"\\ud800\"}\n", 1, JsonFault::BrokenText { key: key("a") }),
        ("{}\n{}\n", 1, JsonFault::NoKey),
    ] {
        let error = opened(text).unwrap_err();
        assert_eq!(error, Error::JsonLine { line, why }, "{text:?}");
        assert!(error.to_string().starts_with(&format!("line {line} of the file: ")), "{error}");
    }
    assert_eq!(forced("age,sex\n1,m\n"), Err(Error::JsonLine { line: 1, why: JsonFault::NotObject }));
    assert_eq!(forced("[{\"a\":1}]\n"), Err(Error::JsonLine { line: 1, why: JsonFault::NotObject }));
    assert_eq!(forced(""), Err(Error::Empty));
    assert_eq!(forced("{\"a\":1}\n").unwrap().rows, 1);
}

#[test]
fn a_form_of_text_is_none_of_json() {
    let text = "{\"a\":1}\n";
    for read in [
        ReadOptions { delimiter: Some(b';'), ..ReadOptions::default() },
        ReadOptions { header: HeaderRow::Absent, ..ReadOptions::default() },
    ] {
        let error = open(Cursor::new(text), &OpenOptions { read, ..OpenOptions::default() });
        assert_eq!(error, Err(Error::Unfit(Unfit::DialectOfJson)));
    }
}

/// Other encodings, parts and lines that are skipped make no difference.
#[test]
fn parts_encodings_and_skipped_lines() {
    let mut text = String::from("\u{feff}exported in May\n");
    for row in 0..30_000 {
        let late = if row == 29_000 { ",\"late\":\"ß\"" } else { "" };
        writeln!(text, "{{\"row\":{row},\"town\":\"Köln\"{late}}}").unwrap();
    }
    text.push_str("# 30000 rows\n");
    let options = OpenOptions { skip: Skip { first: 1, last: 1 }, ..asking() };
    let table = open(Cursor::new(&text), &options).unwrap();
    assert_eq!((table.rows, table.header.join(",")), (30_000, String::from("row,town,late")));
    assert_eq!(table.warnings.len(), 2, "{:?}", table.warnings);
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let other = open(Cursor::new(utf16), &options).unwrap();
    assert_eq!(
        (&other.columns, &other.warnings, other.digest),
        (&table.columns, &table.warnings, table.digest)
    );
    let mut seen = 0;
    let (_, told) = decode(Cursor::new(&text), &options, &mut |form, source| {
        read_parts(source, &form.read_options(&options.read), 1000, &mut |before, part| {
            assert_eq!((before, part.columns.len()), (seen, 3));
            for row in 0..part.rows {
                assert_eq!(part.columns[0].cell(row), (before + row).to_string());
            }
            seen += part.rows;
            true
        })
    })
    .unwrap();
    assert_eq!((seen, told.warnings), (30_000, table.warnings));
}

/// A value as JSON, written by the plainest means.
fn json(text: &str) -> String {
    let mut json = String::from("\"");
    for unit in text.encode_utf16() {
        match unit {
            0x20..=0x7e if unit != 0x22 && unit != 0x5c => json.push(char::from(unit as u8)),
            _ => write!(json, "\\u{unit:04x}").unwrap(),
        }
    }
    json + "\""
}

fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>().prop_map(|cell| cell.replace('\0', "")),
        "[,;\"\\\\\r\n \t{}\u{feff}é0-9.]{0,6}"
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A table that is written as JSON lines, with keys in any order and empty cells left out or null, is the table of its CSV.
    #[test]
    fn is_the_table_of_its_csv(
        (header, rows) in (1..6_usize).prop_flat_map(|width| {
            let names = prop::collection::vec("[a-z,\"\n\u{feff}é]{0,5}", width);
            let names = names.prop_map(|names| -> Vec<String> {
                names.iter().enumerate().map(|(at, name)| format!("x{at}{name}y")).collect()
            });
            (names, prop::collection::vec(prop::collection::vec(cell(), width), 1..12))
        }),
        turn in 0..6_usize,
        gap in 0..3_usize,
        end in prop_oneof!["\n", "\r\n"],
    ) {
        let csv = write(&header, rows.iter().map(|row| row.iter().map(String::as_str)));
        let mut text = String::new();
        for (at, row) in rows.iter().enumerate() {
            let mut members: Vec<String> = header.iter().zip(row)
                .map(|(name, cell)| (name, if cell.is_empty() && gap == 1 { String::from("null") } else { json(cell) }))
                // The first line has all keys, in their order.
                .filter(|(_, value)| at == 0 || gap < 2 || value != "\"\"")
                .map(|(name, value)| format!("{} : {value}", json(name)))
                .collect();
            if at > 0 && !members.is_empty() {
                let by = turn % members.len();
                members.rotate_left(by);
            }
            write!(text, "{{ {} }}{end}", members.join(", ")).unwrap();
        }
        let expected = read(&csv, &ReadOptions::default()).unwrap();
        let found = forced(&text).unwrap();
        prop_assert_eq!(&found.header, &expected.header);
        prop_assert_eq!(found.rows, expected.rows);
        for (found, expected) in found.columns.iter().zip(&expected.columns) {
            prop_assert_eq!(&found.values, &expected.values);
            prop_assert_eq!(&found.cells, &expected.cells);
        }
    }

    /// Whatever the bytes: a table, or an error with a message.
    #[test]
    fn never_panics(text in "[{}\\[\\]\":,a01.\\\\un\n\r e-]{0,60}") {
        for found in [opened(&text), forced(&text)] {
            match found {
                Ok(table) => prop_assert!(table.rows > 0),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}

/// Digits in quotes are labels; dates are dates, since JSON has none of its own.
#[test]
fn texts_of_digits_are_labels() {
    use lookalike_table::{Kind, infer};
    let line = |row: usize| {
        format!(
            "{{\"code\":\"{row}\",\"age\":{row},\"mixed\":{},\"day\":\"2024-01-{:02}\"}}\n",
            if row == 3 { "\"3\"" } else { "7" },
            row
        )
    };
    let text: String = (1..=9).map(line).collect();
    let table = opened(&text).unwrap();
    let kinds: Vec<Kind> = table.columns.iter().map(|column| infer(column, &[]).kind).collect();
    assert_eq!(kinds, [Kind::Category, Kind::Integer, Kind::Integer, Kind::Date]);
    let csv = write(&table.header, rows(&table).iter().map(|row| row.iter().copied()));
    assert_eq!(infer(&read(&csv, &ReadOptions::default()).unwrap().columns[0], &[]).kind, Kind::Integer);
}
