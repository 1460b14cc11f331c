//! Reading from streams: buffers of any size, columns left out, rows that do not fit.
#![cfg(test)]

use std::io::{self, Read};

use lookalike_table::{Error, Place, Quote, Ragged, ReadOptions, Table, read, read_from};
use proptest::prelude::*;

/// Hands out a few bytes at a time.
struct Drops<'a>(&'a [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.1.min(buffer.len()).min(self.0.len());
        buffer[..size].copy_from_slice(&self.0[..size]);
        self.0 = &self.0[size..];
        Ok(size)
    }
}

fn padded(text: &str) -> Result<Table, Error> {
    read(text.as_bytes(), &ReadOptions { ragged: Ragged::Pad, ..ReadOptions::default() })
}

fn warnings(table: &Table) -> Vec<String> {
    table.warnings.iter().map(|w| format!("{:?} {}", w.row, w.what)).collect()
}

proptest! {
    #[test]
    fn the_size_of_the_drops_makes_no_difference(text in "[a,\"\r\n 0é]{0,60}", size in 1..9_usize) {
        let options = ReadOptions::default();
        prop_assert_eq!(read_from(Drops(text.as_bytes(), size), &options), read(text.as_bytes(), &options));
    }

    /// Lines are counted across the borders of buffers: the last row is ragged, its line known from plain counting.
    #[test]
    fn places_are_right_in_long_files(lines in 5_000..20_000_usize, end in prop_oneof!["\r\n", "\n", "\r"], width in 3..9_usize) {
        let row = format!("{},\"x{end}y\"{end}", "7".repeat(width));
        let text = format!("a,b{end}{}1,2,3{end}", row.repeat(lines));
        match read(text.as_bytes(), &ReadOptions::default()) {
            Err(Error::Ragged { first, .. }) => {
                prop_assert_eq!((first[0].row, first[0].line), (lines + 1, 2 * lines + 2));
            }
            other => prop_assert!(false, "{:?}", other.map(|t| t.rows)),
        }
    }
}

#[test]
fn only_the_columns_asked_for_are_kept() {
    let bytes = b"a,b,c\n1,x\xff,3\n4,5,6\n";
    let only = |names: &[&str]| ReadOptions {
        columns: Some(names.iter().map(|&name| name.to_owned()).collect()),
        ..ReadOptions::default()
    };
    let table = read(bytes, &only(&["c", "a"])).unwrap();
    assert_eq!(table.columns.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!((table.rows, table.columns[1].cell(1)), (2, "6"));
    assert!(matches!(read(bytes, &only(&["b"])), Err(Error::NotUtf8 { column: 2, .. })));
    let message = read(bytes, &only(&["d"])).unwrap_err().to_string();
    assert_eq!(message, "there is no column \"d\"; the columns are \"a\", \"b\", \"c\"");
    // The digest is that of the whole file, whatever is kept, and tells a change in any column.
    assert_eq!(table.digest, read(bytes, &only(&["a"])).unwrap().digest);
    assert_ne!(table.digest, read(b"a,b,c\n1,x\xfe,3\n4,5,6\n", &only(&["a"])).unwrap().digest);
}

#[test]
fn blank_fields_beyond_the_header_are_left_out() {
    let table = padded("a,b\n1,2\n3,4,\n5,6, ,\n").unwrap();
    assert_eq!(table.columns[1].values, ["2", "4", "6"]);
    assert_eq!(
        warnings(&table),
        [
            "None 2 rows have more fields than the header, all of them blank: they were left out, first in row 2"
        ]
    );
}

#[test]
fn a_delimiter_at_the_end_of_the_header_only() {
    let table = read(b"a,b,\n1,2\n3,4\n", &ReadOptions::default()).unwrap();
    assert_eq!(table.columns.len(), 2);
    assert_eq!(warnings(&table), ["None the header ends in a delimiter: 1 column was blank, and left out"]);
}

#[test]
fn short_rows_are_filled_up_on_demand_and_warned_about() {
    let table = padded("a,b\n1,2\n3\n").unwrap();
    assert_eq!(table.columns[1].values, ["2", ""]);
    assert_eq!(
        warnings(&table),
        [
            "Some(2) line 3 of the file has 1 field instead of 2: the cells that are not there were taken as empty"
        ]
    );
    let many = padded(&format!("a,b\n{}", "1\n".repeat(1020))).unwrap();
    assert_eq!(many.warnings.len(), 21);
    assert!(many.warnings[20].to_string().starts_with("1,000 more rows with too few fields"));
    assert!(matches!(padded("a,b\n1\n1,2,3\n"), Err(Error::Ragged { more: 0, .. })));
}

#[test]
fn an_unnamed_first_column_is_hinted_at() {
    let message = read(b"a,b\n1,2,3\n2,3,4\n", &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.contains("one field more than the header: give the first column a name"), "{message}");
}

#[test]
fn nul_bytes_and_other_quotes() {
    let message = read(b"a,b\n1,2\n3,x\0y\n", &ReadOptions::default()).unwrap_err().to_string();
    assert!(
        message.starts_with("row 2 (line 3 of the file), column 2: the cell holds a NUL byte"),
        "{message}"
    );
    let quoted = |quote| ReadOptions { quote: Some(quote), ..ReadOptions::default() };
    let table = read(b"a,b\n'1,5',2\n", &quoted(Quote::Mark(b'\''))).unwrap();
    assert_eq!(table.columns[0].values, ["1,5"]);
    let table = read(b"a,b\n\"1,2\n", &quoted(Quote::Off)).unwrap();
    assert_eq!(table.columns[0].values, ["\"1"]);
    assert_eq!(read(b"a\n1\n", &quoted(Quote::Mark(b'\n'))), Err(Error::QuoteMark { sign: "\n".into() }));
}

#[test]
fn an_endless_record_is_refused() {
    let mut text = String::from("a,b\n1,\"x\n");
    text.push_str(&"2,y\n".repeat(5 << 20));
    let message = read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(
        message.starts_with("row 1 (line 2 of the file): the row has more than 16,777,216 bytes"),
        "{message}"
    );
}

proptest! {
    /// Lines that are split in place and records that the parser takes follow each other as in the csv crate.
    #[test]
    fn records_are_those_of_the_csv_crate(rows in prop::collection::vec("([a0é]{0,3}|\"[a,\"]?[\r\n]?\"|a\"),[a\"é]{0,2},[b ]{1,2}(\n|\r|\r\n)", 1..12)) {
        let text = format!("a,b,c\n{}", rows.concat());
        if let Ok(table) = read(text.as_bytes(), &ReadOptions::default()) {
            let mut plain = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
            let expected: Vec<csv::StringRecord> = plain.records().map(Result::unwrap).collect();
            prop_assert_eq!(table.rows, expected.len());
            for (row, record) in expected.iter().enumerate() {
                let cells: Vec<&str> = table.columns.iter().map(|column| column.cell(row)).collect();
                // Blank fields beyond the header are left out.
                prop_assert_eq!(&cells, &record.iter().take(3).collect::<Vec<_>>());
            }
        }
    }
}

/// The error is that of the first row, and of the first column in it, although columns are coded one by one.
#[test]
fn the_first_cell_that_is_no_text_is_named() {
    let text = b"a,b\n1,2\n3,\xff\n\xff,\0\n5\n";
    let place = Place::Row { row: 2, line: 3 };
    assert_eq!(read(text, &ReadOptions::default()), Err(Error::NotUtf8 { place, column: 2 }));
    let both = b"a,b\n1,2\n\n\"x\ny\",2\n\0,\xff\n";
    let place = Place::Row { row: 3, line: 6 };
    assert_eq!(read(both, &ReadOptions::default()), Err(Error::Nul { place, column: 1 }));
}
