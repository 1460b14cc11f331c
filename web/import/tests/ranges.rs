//! Of a Parquet file with many columns the page reads the slices of those that were chosen, and hardly any others.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::{
    fmt::Write as _,
    io::{self, Cursor},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use lookalike_file::{Sliced, Slices};
use lookalike_forms::{Target, decode_unless, open, write};
use lookalike_table::{OpenOptions, ReadOptions, read_from};

const COLUMNS: usize = 60;
const ROWS: usize = 20_000;

/// A file that hands out slices and counts their bytes.
struct Counting {
    file: Arc<Vec<u8>>,
    fetched: Arc<AtomicU64>,
}

impl Slices for Counting {
    fn slice(&mut self, from: u64, to: u64) -> io::Result<Vec<u8>> {
        self.fetched.fetch_add(to - from, Ordering::Relaxed);
        Ok(self.file[from as usize..to as usize].to_vec())
    }
}

/// Columns of numbers that do not pack well; halves in the last one, which is looked at twice.
fn parquet() -> Vec<u8> {
    let names: Vec<String> = (0..COLUMNS).map(|column| format!("c{column}")).collect();
    let mut text = names.join(",") + "\n";
    let mut draw = 1_u64;
    for _ in 0..ROWS {
        for column in 0..COLUMNS {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let end = if column + 1 == COLUMNS { ".5\n" } else { "," };
            write!(text, "{}{end}", draw >> 20).unwrap();
        }
    }
    write(Target::Parquet, text.as_bytes(), lookalike_model::dialect::Dialect::PLAIN.into(), &[]).unwrap().0
}

#[test]
fn three_of_sixty_columns_are_read_by_their_slices_with_the_cells_of_the_command_line() {
    let file = Arc::new(parquet());
    let size = file.len() as u64;
    let chosen = ["c0", "c31", "c59"].map(str::to_owned);
    let options = |columns| OpenOptions {
        read: ReadOptions { columns, ..ReadOptions::default() },
        ..OpenOptions::default()
    };
    let read = |asked: &OpenOptions, leave: bool| {
        let fetched = Arc::new(AtomicU64::new(0));
        let source = Counting { file: Arc::clone(&file), fetched: Arc::clone(&fetched) };
        let mut told = Vec::new();
        let mut leaves = |outline: &lookalike_forms::Outline| {
            told = outline.columns.iter().map(|(name, _)| name.clone()).collect();
            leave
        };
        let table = decode_unless(Sliced::new(source, size), asked, &mut leaves, &mut |form, text| {
            read_from(text, &form.read_options(&asked.read))
        });
        (table.unwrap().map(|(table, _)| table), told, fetched.load(Ordering::Relaxed))
    };
    // Names and types come from the end of the file alone.
    let (none, told, of_names) = read(&options(None), true);
    assert!(none.is_none() && told.len() == COLUMNS && told[59] == "c59");
    assert!(of_names * 50 < size, "{of_names} of {size}");
    let asked = options(Some(chosen.to_vec()));
    let (some, _, fetched) = read(&asked, false);
    assert!(fetched * 100 < size * 15, "{fetched} of {size}");
    let by_program = open(Cursor::new(file.to_vec()), &asked).unwrap();
    let some = some.unwrap();
    assert_eq!((some.rows, some.columns.len()), (ROWS, 3));
    assert!(some.columns == by_program.columns);
    let (all, _, of_all) = read(&options(None), false);
    assert!(of_all > size * 9 / 10, "{of_all} of {size}");
    let all = all.unwrap();
    for name in &chosen {
        let (one, other) = (some.column(name).unwrap(), all.column(name).unwrap());
        assert!((0..ROWS).all(|row| one.cell(row) == other.cell(row)), "{name}");
    }
}
