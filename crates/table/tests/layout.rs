//! Text of fixed width, read with a layout.
#![cfg(test)]
#![cfg(feature = "encodings")]

use std::io::Cursor;

use lookalike_table::{Error, Layout, OpenOptions, Ragged, ReadOptions, Skip, Table, Unfit, open};

const LAYOUT: &str = "name start width\nage 1 3\nzip 4 5 text\ncity 10 6\nsex 16 1\n";

fn options(layout: &str) -> OpenOptions {
    OpenOptions { layout: Some(Layout::parse(layout).unwrap()), ..OpenOptions::default() }
}

fn opened(text: &[u8], options: &OpenOptions) -> Result<Table, Error> {
    open(Cursor::new(text.to_vec()), options)
}

fn rows(table: &Table) -> Vec<Vec<&str>> {
    (0..table.rows).map(|row| table.columns.iter().map(|column| column.cell(row)).collect()).collect()
}

#[test]
fn cells_are_what_stands_in_their_characters() {
    let text = " 3401067 K\u{f6}ln  f\n  910115 \"a,b\" m\r\n\n 40      Bonn  f\n";
    let table = opened(text.as_bytes(), &options(LAYOUT)).unwrap();
    assert_eq!(table.header, ["age", "zip", "city", "sex"]);
    assert_eq!(
        rows(&table),
        [["34", "01067", "K\u{f6}ln", "f"], ["9", "10115", "\"a,b\"", "m"], ["40", "", "Bonn", "f"]]
    );
    let texts: Vec<_> =
        table.columns.iter().filter(|column| column.texts).map(|column| &column.name).collect();
    assert_eq!(texts, ["zip"]);
    assert!(
        table.notes.iter().any(|note| note.to_string() == "fixed width, 4 columns by the layout"),
        "{:?}",
        table.notes
    );
    // The same in another encoding, found out as ever, and with a mark of bytes that is no character.
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    assert_eq!(rows(&opened(&latin, &options(LAYOUT)).unwrap()), rows(&table));
    let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
    assert_eq!(rows(&opened(&marked, &options(LAYOUT)).unwrap()), rows(&table));
}

#[test]
fn a_line_that_ends_too_early_is_named() {
    let text = b"title\n 3401067 Bonn  f\n 3401067\n";
    let mut how = OpenOptions { skip: Skip { first: 1, last: 0 }, ..options(LAYOUT) };
    match opened(text, &how) {
        Err(Error::ShortLine { line, length, name, start }) => {
            assert_eq!((line, length, name.0.as_str(), start), (3, 8, "city", 10));
        }
        other => panic!("{other:?}"),
    }
    how.read.ragged = Ragged::Pad;
    let table = opened(text, &how).unwrap();
    assert_eq!(rows(&table)[1], ["34", "01067", "", ""]);
    assert!(table.notes.iter().any(|note| note.to_string().contains("1 line filled up with blanks")));
}

#[test]
fn what_only_a_csv_has_is_refused() {
    let text = b" 3401067 Bonn  f\n";
    let read = ReadOptions { delimiter: Some(b';'), ..ReadOptions::default() };
    let unfit = Err(Error::Unfit(Unfit::DialectOfLayout));
    assert_eq!(opened(text, &OpenOptions { read, ..options(LAYOUT) }).map(|_| ()), unfit);
    assert_eq!(opened(text, &OpenOptions { json_lines: true, ..options(LAYOUT) }).map(|_| ()), unfit);
    assert!(matches!(opened(b"\n\n", &options(LAYOUT)), Err(Error::Empty)));
}
