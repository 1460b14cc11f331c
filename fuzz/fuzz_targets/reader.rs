//! Whatever the bytes: a sound table or an error with a message; and what a table writes reads as that table.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use lookalike_table::{OpenOptions, Quote, Ragged, ReadOptions, Table, infer, open, read, write};

fuzz_target!(|input: (u8, &[u8])| {
    let (choice, bytes) = input;
    let options = ReadOptions {
        delimiter: [None, Some(b';'), Some(b'\t'), Some(b'|')][usize::from(choice & 3)],
        quote: [None, Some(Quote::Mark(b'\'')), Some(Quote::Off)][usize::from(choice >> 2 & 3) % 3],
        columns: None,
        ragged: if choice & 16 == 0 { Ragged::Error } else { Ragged::Pad },
    };
    check(read(bytes, &options));
    let limit = Some(1 << 20);
    check(open(Cursor::new(bytes), &OpenOptions { unpacked: limit, ..OpenOptions::default() }));
});

fn check(read_before: Result<Table, lookalike_table::Error>) {
    let table = match read_before {
        Ok(table) => table,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert!(table.rows > 0 && !table.columns.is_empty());
    for column in &table.columns {
        assert_eq!(column.cells.len(), table.rows);
        let found = infer(column, &[String::new()]);
        assert!(found.missing <= table.rows && !found.evidence.is_empty());
    }
    let header: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let rows = (0..table.rows).map(|row| table.columns.iter().map(move |column| column.cell(row)));
    let again = read(&write(&header, rows), &ReadOptions::default()).expect("what was written can be read");
    assert_eq!((again.rows, again.columns), (table.rows, table.columns));
}
