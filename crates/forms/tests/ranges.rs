//! Of a Parquet file, the bytes of the columns that are asked for are read, and hardly any others.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::{
    fmt::Write as _,
    io::{self, Cursor, Read, Seek, SeekFrom},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use lookalike_audit::Dialect;
use lookalike_forms::{Target, open, write};
use lookalike_table::{OpenOptions, ReadOptions};

const COLUMNS: usize = 60;
const ROWS: usize = 4_000;

/// A file that counts the bytes that are read of it.
struct Counting {
    file: Cursor<Vec<u8>>,
    read: Arc<AtomicU64>,
}

impl Read for Counting {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(into)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Seek for Counting {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Columns of numbers that do not pack well: each is about as many bytes as the others.
fn parquet() -> Vec<u8> {
    let names: Vec<String> = (0..COLUMNS).map(|column| format!("c{column}")).collect();
    let mut text = names.join(",") + "\n";
    let mut draw = 1_u64;
    for _ in 0..ROWS {
        for column in 0..COLUMNS {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let end = if column + 1 == COLUMNS { '\n' } else { ',' };
            write!(text, "{}{end}", draw >> 20).unwrap();
        }
    }
    write(Target::Parquet, text.as_bytes(), Dialect::PLAIN, &[]).unwrap().0
}

#[test]
fn three_of_sixty_columns_are_three_sixtieths_of_the_bytes() {
    let file = parquet();
    let length = file.len() as u64;
    let bytes_of = |columns: Option<&[&str]>| {
        let read = Arc::new(AtomicU64::new(0));
        let source = Counting { file: Cursor::new(file.clone()), read: Arc::clone(&read) };
        let columns = columns.map(|names| names.iter().map(|&name| name.to_owned()).collect());
        let options =
            OpenOptions { read: ReadOptions { columns, ..ReadOptions::default() }, ..OpenOptions::default() };
        let table = open(source, &options).unwrap();
        assert_eq!(table.rows, ROWS);
        read.load(Ordering::Relaxed)
    };
    assert!(length > 1_000_000, "{length}");
    let (all, some) = (bytes_of(None), bytes_of(Some(&["c0", "c31", "c59"])));
    assert!(all >= length * 9 / 10, "{all} of {length}");
    // Three columns, what the file says of all of them, and what a buffer reads ahead.
    assert!(some < length / 10, "{some} of {length}");
}
