//! Coded columns are the table of their text, whatever their types.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Date64Array, Decimal128Array, DictionaryArray, Float32Array,
    Float64Array, Int8Array, Int16Array, Int64Array, LargeStringArray, NullArray, RecordBatch, StringArray,
    StringViewArray, Time64MicrosecondArray, TimestampMillisecondArray, UInt64Array, types::Int16Type,
};
use arrow_schema::{Field, Schema};
use lookalike_table::{DuplicateNames, Edits, HeaderRow, read_from};

use super::*;
use crate::{cells::are_short, text::Text};

/// Numbers without end: the same from the same seed (Knuth's multiplier of a linear congruential generator).
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn some<T>(&mut self, count: usize, nulls: u64, mut make: impl FnMut(u64) -> T) -> Vec<Option<T>> {
        (0..count)
            .map(|_| {
                let (missing, value) = (self.below(10) < nulls, self.below(400));
                (!missing).then(|| make(value))
            })
            .collect()
    }
}

const TEXTS: [&str; 9] =
    ["", "a", "flu", "a, b", "say \"hi\"", "two\nlines", " space ", "ein langer Text mit Komma", "Ähre"];

fn text(at: u64) -> String {
    match at % 12 {
        9.. => format!("value {at}"),
        at => TEXTS[at as usize].to_owned(),
    }
}

/// A column of each type.
fn columns(draw: &mut Draw, rows: usize, nulls: u64) -> Vec<(&'static str, ArrayRef)> {
    let far = [i64::MIN, i64::MAX, 0, -1];
    let labels: Vec<String> = draw.some(rows, 0, text).into_iter().flatten().collect();
    let keys = draw.some(rows, nulls, |at| (at % 7) as i16);
    let values =
        StringArray::from(vec![Some("x"), None, Some("flu"), Some("x"), Some(""), Some("a,b"), Some("z")]);
    vec![
        ("i8", Arc::new(Int8Array::from(draw.some(rows, nulls, |at| (at.cast_signed() - 100) as i8)))),
        ("i16", Arc::new(Int16Array::from(draw.some(rows, nulls, |at| at as i16 * 100)))),
        (
            "i64",
            Arc::new(Int64Array::from(
                draw.some(rows, nulls, |at| far.get(at as usize).copied().unwrap_or(at.cast_signed())),
            )),
        ),
        ("u64", Arc::new(UInt64Array::from(draw.some(rows, nulls, |at| u64::MAX - at)))),
        (
            "f32",
            Arc::new(Float32Array::from(
                draw.some(rows, nulls, |at| if at == 3 { f32::NAN } else { at as f32 / 8.0 }),
            )),
        ),
        (
            "f64",
            Arc::new(Float64Array::from(draw.some(rows, nulls, |at| {
                [-0.0, 0.0, f64::NAN, f64::INFINITY, 1e300].get(at as usize).copied().unwrap_or(at as f64)
            }))),
        ),
        ("whole", Arc::new(Float64Array::from(draw.some(rows, nulls, |at| at as f64)))),
        ("bool", Arc::new(BooleanArray::from(draw.some(rows, nulls, |at| at % 2 == 0)))),
        ("day", Arc::new(Date32Array::from(draw.some(rows, nulls, |at| at as i32 * 97)))),
        ("moment", Arc::new(Date64Array::from(draw.some(rows, nulls, |at| at.cast_signed() * 12_345_678)))),
        (
            "stamp",
            Arc::new(TimestampMillisecondArray::from(
                draw.some(rows, nulls, |at| at.cast_signed() * 86_400_000),
            )),
        ),
        (
            "clock",
            Arc::new(Time64MicrosecondArray::from(draw.some(rows, nulls, |at| at.cast_signed() * 1_000_000))),
        ),
        ("money", Arc::new(Decimal128Array::from(draw.some(rows, nulls, i128::from)))),
        ("text", Arc::new(StringArray::from(draw.some(rows, nulls, text)))),
        ("large", Arc::new(LargeStringArray::from(draw.some(rows, nulls, text)))),
        ("view", Arc::new(draw.some(rows, nulls, text).into_iter().collect::<StringViewArray>())),
        ("label", Arc::new(labels.iter().map(String::as_str).collect::<DictionaryArray<Int16Type>>())),
        ("gaps", Arc::new(DictionaryArray::<Int16Type>::new(keys.into_iter().collect(), Arc::new(values)))),
        ("nothing", Arc::new(NullArray::new(rows))),
    ]
}

fn batch(columns: &[(&str, ArrayRef)]) -> RecordBatch {
    let fields: Vec<Field> =
        columns.iter().map(|(name, of)| Field::new(*name, of.data_type().clone(), true)).collect();
    let arrays = columns.iter().map(|(_, array)| Arc::clone(array)).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap()
}

/// Both ways through the same batches.
fn both(batches: &[RecordBatch], options: &ReadOptions) -> (Option<Table>, Result<Table, Error>) {
    let schema = batches[0].schema();
    let all: Vec<usize> = (0..schema.fields().len()).collect();
    let short: Vec<bool> =
        all.iter().map(|&at| batches.iter().all(|batch| are_short(batch.column(at)))).collect();
    let rows = || Box::new(batches.iter().cloned().map(Ok));
    let coded = read(&schema, &all, &short, rows(), options).unwrap();
    (coded, read_from(Text::new(&schema, &all, short, rows()), options))
}

fn assert_same(coded: &Table, text: &Table) {
    assert_eq!(coded.header, text.header);
    assert_eq!((coded.rows, coded.digest), (text.rows, text.digest));
    assert_eq!(coded.columns.len(), text.columns.len());
    for (coded, text) in coded.columns.iter().zip(&text.columns) {
        assert_eq!(coded.name, text.name);
        assert_eq!(coded.texts, text.texts);
        assert!(coded.values == text.values, "{}: {:?} {:?}", coded.name, coded.values, text.values);
        assert!(coded.cells == text.cells, "{}", coded.name);
    }
    assert_eq!(format!("{:?}", coded.warnings), format!("{:?}", text.warnings));
    assert_eq!(format!("{:?}", coded.notes), format!("{:?}", text.notes));
    assert_eq!(format!("{:?}", coded.renamed), format!("{:?}", text.renamed));
}

#[test]
fn columns_of_every_type_are_those_of_their_text() {
    for header in [HeaderRow::Keys, HeaderRow::Present] {
        for seed in 0..40 {
            let mut draw = Draw(seed);
            let nulls = seed % 4;
            // One piece, several, and batches that are slices of larger ones.
            let sizes = [1 + draw.below(60) as usize, ROWS + 5, 3];
            let batches: Vec<RecordBatch> = sizes[..=(seed as usize % 3)]
                .iter()
                .map(|&rows| {
                    let all = batch(&columns(&mut draw, rows + 7, nulls));
                    all.slice(draw.below(7) as usize, rows)
                })
                .collect();
            let options = ReadOptions { header, texts: vec!["text".to_owned()], ..ReadOptions::default() };
            let (coded, text) = both(&batches, &options);
            assert_same(&coded.expect("coded"), &text.unwrap());
        }
    }
}

#[test]
fn one_column_is_that_of_its_text() {
    for at in 0..19 {
        let one = &columns(&mut Draw(at as u64), 50, 3)[at..=at];
        let (coded, text) = both(&[batch(one)], &ReadOptions::default());
        assert_same(&coded.expect("coded"), &text.unwrap());
    }
}

/// More values than are remembered, each of them often, and values that push out each other.
#[test]
fn values_that_are_forgotten_are_written_again() {
    let numbers: Vec<i64> = (0..40_000_i64).map(|at| (at * at) % 9_001 * 1_000_003).collect();
    let one = [("n", Arc::new(Int64Array::from(numbers)) as ArrayRef)];
    let (coded, text) = both(&[batch(&one)], &ReadOptions::default());
    assert_same(&coded.expect("coded"), &text.unwrap());
}

/// What the reader of texts has something to say of is left to it.
#[test]
fn oddities_are_left_to_the_reader_of_texts() {
    let strings = |cells: &[&str]| Arc::new(StringArray::from(cells.to_vec())) as ArrayRef;
    let columns = |names: [&'static str; 2], cells: [&[&str]; 2]| {
        [batch(&[(names[0], strings(cells[0])), (names[1], strings(cells[1]))])]
    };
    let present = ReadOptions::default();
    let footer = columns(["a", "b"], [&["1", "2", "3", "Total"], &["1", "2", "3", "6"]]);
    let blank = columns(["a", " "], [&["1", "2"], &["", ""]]);
    let nul = columns(["a", "b"], [&["1", "2"], &["x", "a\0"]]);
    let none = columns(["a", "b"], [&[], &[]]);
    for odd in [&footer, &blank, &nul, &none] {
        assert!(both(odd, &present).0.is_none());
    }
    let asked = ReadOptions { header: HeaderRow::Ask, ..ReadOptions::default() };
    let plain = columns(["a", "b"], [&["1", "2"], &["x", "y"]]);
    assert!(both(&plain, &asked).0.is_none());
    // A form that has names has no footer.
    let keys = ReadOptions { header: HeaderRow::Keys, ..ReadOptions::default() };
    let (coded, text) = both(&footer, &keys);
    assert_same(&coded.unwrap(), &text.unwrap());
}

#[test]
fn names_and_edits_are_those_of_the_text() {
    let strings = |cells: &[&str]| Arc::new(StringArray::from(cells.to_vec())) as ArrayRef;
    let cells = || strings(&["1", "?", "3", "?"]);
    let twice = [batch(&[(" a", cells()), ("a", cells()), ("b, c", cells())])];
    let numbered = ReadOptions { duplicates: DuplicateNames::Number, ..ReadOptions::default() };
    let (coded, text) = both(&twice, &numbered);
    assert_same(&coded.expect("coded"), &text.unwrap());
    let edits = Edits {
        labels: [("b, c".to_owned(), [("?".to_owned(), "unknown".to_owned())].into())].into(),
        ..Edits::default()
    };
    let edited = ReadOptions { edits, ..numbered };
    let (coded, text) = both(&twice, &edited);
    assert_same(&coded.expect("coded"), &text.unwrap());
}
