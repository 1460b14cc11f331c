//! How long reading takes, beside the csv crate on the same bytes: as it is used with one record for all rows, of bytes or
//! of strings (UTF-8), and with every row kept. Two tables: people with names and incomes, of which there are many
//! different ones, and a census (acs.csv of the data folder, its rows again and again; left out, visibly, where it is
//! not). The table, with kinds, is to take at most twice the time of the crate's use with one record of strings: both then
//! have looked at every cell as text.
#![allow(missing_docs, clippy::unwrap_used, reason = "criterion's macros; a benchmark may stop")]

use std::{
    env,
    fmt::Write,
    fs,
    hint::black_box,
    io::Cursor,
    path::{Path, PathBuf},
};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lookalike_table::{OpenOptions, ReadOptions, infer_all, open, read_from};

/// Rows of the table; about 50 MB.
const ROWS: u32 = 900_000;

/// People as registers have them: numbers, few categories, postcodes, a name, dates.
fn people() -> Vec<u8> {
    let mut text = String::from("age,sex,town,postcode,name,income,education,born\n");
    let mut state = 1_u32;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    for _ in 0..ROWS {
        let (age, sex, town) = (17 + draw(74), ["Female", "Male"][draw(2) as usize], draw(400));
        let (postcode, name, income) = (10_000 + draw(9_000), draw(50_000), draw(100_000));
        let school = ["Bachelors", "Some-college", "\"Doctorate, or more\"", "HS-grad"][draw(4) as usize];
        let (year, month, day) = (1930 + draw(80), 1 + draw(12), 1 + draw(28));
        writeln!(
            text,
            "{age},{sex},Town {town},{postcode},Person {name},{income},{school},{year}-{month:02}-{day:02}"
        )
        .unwrap();
    }
    text.into_bytes()
}

/// The rows of a census until they are about 50 MB.
fn census() -> Option<Vec<u8>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let file = env::var_os("LOOKALIKE_DATA").map_or(beside, PathBuf::from).join("acs.csv");
    let Ok(once) = fs::read(&file) else {
        println!("SKIPPED: there is no {} (set LOOKALIKE_DATA)", file.display());
        return None;
    };
    let header = once.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let mut bytes = once[..header].to_vec();
    while bytes.len() < 50_000_000 {
        bytes.extend_from_slice(&once[header..]);
    }
    Some(bytes)
}

fn reading(criterion: &mut Criterion) {
    beside_csv(criterion, "read", &people());
    if let Some(bytes) = census() {
        beside_csv(criterion, "census", &bytes);
    }
}

fn beside_csv(criterion: &mut Criterion, name: &str, bytes: &[u8]) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("csv crate, one ByteRecord", |bencher| {
        bencher.iter(|| {
            let mut reader = csv::Reader::from_reader(Cursor::new(bytes));
            let (mut record, mut fields) = (csv::ByteRecord::new(), 0);
            while reader.read_byte_record(&mut record).unwrap() {
                fields += record.len();
            }
            black_box(fields)
        });
    });
    group.bench_function("csv crate, one StringRecord", |bencher| {
        bencher.iter(|| {
            let mut reader = csv::Reader::from_reader(Cursor::new(bytes));
            let (mut record, mut letters) = (csv::StringRecord::new(), 0);
            while reader.read_record(&mut record).unwrap() {
                letters += record.iter().map(str::len).sum::<usize>();
            }
            black_box(letters)
        });
    });
    group.bench_function("csv crate, strings kept", |bencher| {
        bencher.iter_with_large_drop(|| {
            let mut reader = csv::Reader::from_reader(Cursor::new(bytes));
            reader.records().map(Result::unwrap).collect::<Vec<_>>()
        });
    });
    let options = ReadOptions::default();
    group.bench_function("table", |bencher| {
        bencher.iter_with_large_drop(|| read_from(Cursor::new(bytes), &options).unwrap());
    });
    group.bench_function("table and kinds", |bencher| {
        bencher.iter_with_large_drop(|| {
            let table = read_from(Cursor::new(bytes), &options).unwrap();
            (infer_all(&table, &[]), table)
        });
    });
    let names = bytes.split(|&byte| byte == b'\n').next().map(String::from_utf8_lossy).unwrap();
    let names: Vec<&str> = names.trim_end().split(',').collect();
    let some = Some(vec![String::from(names[0]), String::from(names[names.len() - 2])]);
    let options = OpenOptions { read: ReadOptions { columns: some, ..options }, ..OpenOptions::default() };
    group.bench_function("two columns of it, form found out", |bencher| {
        bencher.iter_with_large_drop(|| open(Cursor::new(bytes), &options).unwrap());
    });
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
