//! How long three of sixty columns of a Parquet file take, beside the parquet crate, which decodes the same columns and does nothing
//! with them. The table, with its dictionaries and its digest, is to take at most five times as long.
#![allow(missing_docs, clippy::unwrap_used, reason = "criterion's macros; a benchmark may stop")]

use std::{hint::black_box, io::Cursor, sync::Arc};

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use bytes::Bytes;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lookalike_forms::open;
use lookalike_table::{OpenOptions, ReadOptions};
use parquet::arrow::{ArrowWriter, ProjectionMask, arrow_reader::ParquetRecordBatchReaderBuilder};

const ROWS: u32 = 500_000;
const COLUMNS: usize = 60;

/// Whole numbers, fractions and labels in turn.
fn file() -> Vec<u8> {
    let mut state = 1_u32;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let mut column = |at: usize| -> ArrayRef {
        match at % 3 {
            0 => Arc::new((0..ROWS).map(|_| i64::from(draw(100))).collect::<Int64Array>()),
            1 => Arc::new((0..ROWS).map(|_| f64::from(draw(1_000_000)) / 100.0).collect::<Float64Array>()),
            _ => Arc::new(StringArray::from_iter_values((0..ROWS).map(|_| format!("value {}", draw(200))))),
        }
    };
    let columns = (0..COLUMNS).map(|at| (format!("c{at}"), column(at)));
    let batch = RecordBatch::try_from_iter(columns.collect::<Vec<_>>()).unwrap();
    let mut file = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    file
}

fn three(c: &mut Criterion) {
    let file = file();
    let mut group = c.benchmark_group("three of sixty columns");
    group.throughput(Throughput::Elements(u64::from(ROWS))).sample_size(10);
    let bytes = Bytes::from(file.clone());
    group.bench_function("decoded", |b| {
        b.iter(|| {
            let reader = ParquetRecordBatchReaderBuilder::try_new(bytes.clone()).unwrap();
            let mask = ProjectionMask::roots(reader.parquet_schema(), 0..3);
            let batches = reader.with_projection(mask).with_batch_size(4096).build().unwrap();
            batches.map(|batch| black_box(batch.unwrap()).num_rows()).sum::<usize>()
        });
    });
    let columns = Some(["c0", "c1", "c2"].map(String::from).to_vec());
    let options =
        OpenOptions { read: ReadOptions { columns, ..ReadOptions::default() }, ..OpenOptions::default() };
    group.bench_function("table", |b| {
        b.iter(|| open(Cursor::new(file.clone()), &options).unwrap().rows);
    });
    group.finish();
}

criterion_group!(benches, three);
criterion_main!(benches);
