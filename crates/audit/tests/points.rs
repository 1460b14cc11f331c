//! Points for certificates, worked out by hand.
#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_audit::certificate::{Attribute, Meaning, Misfit, Points, Refusal, points};
use lookalike_table::{NumberFormat, ReadOptions, Reading, Table, read};

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn number(column: usize, weight: f64) -> Attribute {
    Attribute {
        column,
        reading: Reading::Numbers(NumberFormat::PLAIN),
        weight,
        bottom: None,
        top: None,
        domain: None,
        hierarchy: None,
    }
}

fn label(column: usize, weight: f64) -> Attribute {
    Attribute { reading: Reading::Labels, ..number(column, weight) }
}

fn meaning(attributes: Vec<Attribute>) -> Meaning {
    Meaning { attributes, colours: None, markers: vec![String::new(), String::from("?")] }
}

fn squared(points: &Points, i: usize, j: usize) -> f64 {
    let dims = points.weights.len();
    let of = |i: usize| &points.points[i * dims..(i + 1) * dims];
    of(i).iter().zip(of(j)).zip(&points.weights).map(|((a, b), w)| w * (a - b) * (a - b)).sum()
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{a} {b}");
}

#[test]
fn numbers_and_labels_have_variance_one_each_before_weighting() {
    // Ages 1, 3, 5, 7: mean 4, variance 5. Cities X, X, Y, Z: sum p (1 - p) = 1/4 + 3/16 + 3/16 = 5/8.
    let table = table("age,city\n1,X\n3,X\n5,Y\n7,Z\n");
    let points = points(&table, &[0, 1, 2, 3], &meaning(vec![number(0, 0.75), label(1, 0.25)])).unwrap();
    near(squared(&points, 0, 1), 1.5 * 4.0 / 5.0);
    near(squared(&points, 0, 2), 1.5 * 16.0 / 5.0 + 0.5 * 2.0 * 8.0 / 5.0);
    // Four records, two columns of variance 1, weights that sum to 2.
    near(points.total(), 4.0 * 2.0);
}

#[test]
fn only_the_records_count() {
    let table = table("age,city\n1,X\n3,X\n5,Y\n7,Z\n");
    let points = points(&table, &[0, 1, 2], &meaning(vec![number(0, 0.5), label(1, 0.5)])).unwrap();
    // Variance 8/3; two labels of shares 2/3 and 1/3.
    near(squared(&points, 0, 2), 16.0 / (8.0 / 3.0) + 2.0 / (2.0 * 2.0 / 9.0));
    near(points.total(), 3.0 * 2.0);
}

#[test]
fn missing_numbers_stand_at_the_mean_and_differ_from_known_ones() {
    // Known: 1, 3, of mean 2 and variance 1; half are missing. Before scaling: (a - b)^2 among known ones; 1 to the mean
    // and 1 / (1/4) for the difference of known and missing; in all 1 + 1/2 times the variance.
    let table = table("age\n1\n3\n?\n?\n");
    let points = points(&table, &[0, 1, 2, 3], &meaning(vec![number(0, 1.0)])).unwrap();
    near(squared(&points, 0, 1), 4.0 / 1.5);
    near(squared(&points, 0, 2), (1.0 + 4.0) / 1.5);
    near(squared(&points, 2, 3), 0.0);
    near(points.total(), 4.0);
}

#[test]
fn coded_numbers_count_as_their_limits() {
    let table = table("age\n1\n20\n80\n99\n");
    let coded = Attribute { bottom: Some(18.0), top: Some(80.0), ..number(0, 1.0) };
    let coded = points(&table, &[0, 1, 2, 3], &meaning(vec![coded])).unwrap();
    let limits = ages("18,20,80,80");
    let plain = points(&limits, &[0, 1, 2, 3], &meaning(vec![number(0, 1.0)])).unwrap();
    for (i, j) in [(0, 1), (0, 2), (2, 3), (1, 3)] {
        near(squared(&coded, i, j), squared(&plain, i, j));
    }
}

fn ages(of: &str) -> Table {
    table(&format!("age\n{}\n", of.replace(',', "\n")))
}

#[test]
fn columns_of_one_value_count_for_nothing() {
    let table = table("age,city\n4,X\n4,X\n4,X\n");
    let points = points(&table, &[0, 1, 2], &meaning(vec![number(0, 0.5), label(1, 0.5)])).unwrap();
    near(squared(&points, 0, 2), 0.0);
    near(points.total(), 0.0);
}

#[test]
fn colours_are_equal_where_cells_are() {
    let table = table("age,ill\n1,flu\n2,?\n3,\n4,flu\n");
    let meaning = Meaning { colours: Some(1), ..meaning(vec![number(0, 1.0)]) };
    let colours = points(&table, &[0, 1, 2, 3], &meaning).unwrap().colours.unwrap();
    assert!(colours[0] == colours[3] && colours[1] == colours[2] && colours[0] != colours[1]);
}

#[test]
fn what_is_not_there_is_refused() {
    let table = table("age\n1\nold\n");
    let refused = |rows: &[u32], attribute| points(&table, rows, &meaning(vec![attribute])).unwrap_err();
    assert!(matches!(refused(&[0, 2], number(0, 1.0)), Refusal::Mismatch(Misfit::Row { row: 2, rows: 2 })));
    assert!(matches!(refused(&[0], label(1, 1.0)), Refusal::Mismatch(_)));
    assert!(
        matches!(refused(&[0, 1], number(0, 1.0)), Refusal::Mismatch(Misfit::Cell { cell, .. }) if cell == "old".into())
    );
}

#[test]
fn more_labels_than_memory_should_hold_are_refused() {
    let rows: u32 = 16_000;
    let text: String =
        std::iter::once(String::from("code,x\n")).chain((0..rows).map(|row| format!("c{row},1\n"))).collect();
    let (table, all) = (table(&text), (0..rows).collect::<Vec<u32>>());
    let refused = points(&table, &all, &meaning(vec![label(0, 1.0)]));
    assert!(
        matches!(
            refused,
            Err(Refusal::Mismatch(Misfit::TooManyLabels { labels: 16_000, records: 16_000, most: 15_625 }))
        ),
        "{refused:?}"
    );
}
