//! What is written in a form is found in that form.

#![cfg(feature = "encodings")]
#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::io::Cursor;

use lookalike_model::dialect::{Dialect, LineEnds, Separator};
use lookalike_table::{OpenOptions, ReadOptions, Table, open, write_as};
use proptest::prelude::*;

fn opened(bytes: &[u8], delimiter: Option<u8>) -> Table {
    let read = ReadOptions { delimiter, ..ReadOptions::default() };
    open(Cursor::new(bytes), &OpenOptions { read, ..OpenOptions::default() }).unwrap()
}

fn forms() -> impl Iterator<Item = Dialect> {
    Separator::ALL.into_iter().flat_map(|delimiter| {
        [(false, LineEnds::Lf), (false, LineEnds::Crlf), (true, LineEnds::Lf), (true, LineEnds::Crlf)]
            .map(|(bom, line_ends)| Dialect { delimiter, bom, line_ends, ..Dialect::PLAIN })
    })
}

#[test]
fn the_form_of_a_release_is_found_out() {
    let header = ["age", "income", "town", "class"].map(String::from);
    let rows = [
        ["[18-20]", "[1,5-2,5]", "{Köln, Ulm}", "1"],
        ["[18-20]", "[1,5-2,5]", "{Köln, Ulm}", "1"],
        [">=90", "3,5", "a;b|c\td", "2"],
    ];
    for form in forms() {
        let bytes = write_as(form, &header, rows);
        let table = opened(&bytes, None);
        assert_eq!(table.dialect, form);
        assert_eq!(
            write_as(
                table.dialect,
                &header,
                (0..3).map(|row| table.columns.iter().map(move |c| c.cell(row)))
            ),
            bytes
        );
    }
}

/// What no published table has: other encodings keep the mark, lone carriage returns become line feeds, one column has no
/// delimiter, and unusual delimiters become commas.
#[test]
fn other_forms_become_the_nearest() {
    let utf16: Vec<u8> = "\u{feff}a\tb\r\n1\t2\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let tabs = Dialect { delimiter: Separator::Tab, bom: true, line_ends: LineEnds::Crlf, ..Dialect::PLAIN };
    assert_eq!(opened(&utf16, None).dialect, tabs);
    let semicolons = Dialect { delimiter: Separator::Semicolon, ..Dialect::PLAIN };
    assert_eq!(opened(b"sep=;\na;b\n1;2\n", None).dialect, semicolons);
    assert_eq!(opened(b"a;\"x\r\ny\"\n1;2\n", None).dialect, semicolons, "a line end within quotes is none");
    for text in [&b"a,b\r1,2\r"[..], b"a\n1\n2\n", b"a,b"] {
        let text = if text == b"a,b" { &b"a,b\n1,2"[..] } else { text };
        assert_eq!(opened(text, None).dialect, Dialect::PLAIN, "{text:?}");
    }
    assert_eq!(opened(b"a^b\n1^2\n", Some(b'^')).dialect, Dialect::PLAIN);
}

proptest! {
    #[test]
    fn cells_come_back(
        cells in prop::collection::vec(prop::collection::vec("[a,;|\t\"\n\ré= ]{0,4}|\u{feff}|sep=;", 3), 1..6),
        at in 0..16_usize,
    ) {
        let form = forms().nth(at).unwrap();
        let header = ["x", "y", "z"].map(String::from);
        let bytes = write_as(form, &header, cells.iter().map(|row| row.iter().map(String::as_str)));
        let table = opened(&bytes, Some(form.delimiter.byte()));
        let found: Vec<Vec<&str>> = (0..table.rows).map(|row| table.columns.iter().map(|c| c.cell(row)).collect()).collect();
        prop_assert_eq!(found, cells);
        prop_assert_eq!(table.dialect, form);
    }
}
