//! The made-up tables, and that the committed samples are what the generator gives.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests; the lint's exception covers test functions only"
)]

use std::{collections::BTreeMap, fs, path::Path};

use lookalike_core::{
    demo,
    eligibility::{is_eligible, largest_m},
    table::{Column, Kind, ReadOptions, Table, infer, read},
};

fn parse(csv: &str) -> Table {
    let table = read(csv.as_bytes(), &ReadOptions::default()).unwrap();
    assert!(table.warnings.is_empty(), "{:?}", table.warnings);
    table
}

fn column<'a>(table: &'a Table, name: &str) -> &'a Column {
    table.column(name).expect(name)
}

fn counts(column: &Column) -> Vec<u64> {
    let mut counts = vec![0; column.values.len()];
    for &cell in &column.cells {
        counts[cell as usize] += 1;
    }
    counts
}

/// The other columns of each patient, by identifier.
fn by_id(table: &Table) -> BTreeMap<String, BTreeMap<String, String>> {
    let rows = (0..table.rows).map(|row| {
        let cells = table.columns.iter().map(|c| (c.name.clone(), c.cell(row).to_string()));
        (column(table, "patient").cell(row).to_string(), cells.collect())
    });
    let by_id: BTreeMap<_, _> = rows.collect();
    assert_eq!(by_id.len(), table.rows, "identifiers are unique");
    by_id
}

#[test]
fn the_committed_samples_are_the_generators() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for (name, content) in demo::samples() {
        let committed = fs::read_to_string(folder.join(name)).expect(name);
        assert!(
            committed == content,
            "{name} differs: cargo run --release -p lookalike-core --example samples -- samples"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_table() {
    assert_eq!(demo::hospital(50, 7), demo::hospital(50, 7));
    assert_ne!(demo::hospital(50, 7), demo::hospital(50, 8));
    assert_eq!(demo::hospital(0, 7).lines().count(), 1);
}

#[test]
fn the_hospital_looks_like_one() {
    let table = parse(&demo::hospital(2_000, 3));
    assert_eq!(table.rows, 2_000);
    let kind = |name: &str| infer(column(&table, name), &[]).kind;
    assert_eq!([kind("age"), kind("nights")], [Kind::Integer; 2]);
    assert_eq!(
        [kind("patient"), kind("sex"), kind("postcode"), kind("diagnosis")],
        [Kind::Identifier, Kind::Category, Kind::Category, Kind::Category]
    );
    let number = |name: &str| -> Vec<u32> {
        let c = column(&table, name);
        (0..table.rows).map(|row| c.cell(row).parse().unwrap()).collect()
    };
    assert!(number("age").iter().all(|age| (2..=96).contains(age)));
    assert!(number("nights").iter().all(|nights| (1..=42).contains(nights)));
    assert!(column(&table, "postcode").values.iter().all(|p| p.len() == 5 && p.starts_with('0')));
    // Skewed, but 5-eligible.
    let diagnoses = counts(column(&table, "diagnosis"));
    assert_eq!(diagnoses.len(), 13);
    assert!(diagnoses.iter().max().unwrap() > &(8 * diagnoses.iter().min().unwrap()));
    assert!((5..=7).contains(&largest_m(&diagnoses)));
    by_id(&table);
}

#[test]
fn awkward_cells_survive_reading() {
    let table = parse(&demo::hospital_with_awkward_cells(1_000, 1));
    let holds = |name: &str, cell: &str| column(&table, name).values.iter().any(|value| value == cell);
    assert!(holds("name", "Keller, Anna"));
    assert!(holds("name", "Zoë Åkesson"));
    assert!(holds("name", " Ivan Petrov "));
    assert!(holds("nights", "?"));
    assert!(holds("postcode", ""));
    assert!(is_eligible(&counts(column(&table, "diagnosis")), 5));
}

#[test]
fn the_second_release_is_the_first_one_updated() {
    let (first, second) = demo::two_releases(1);
    let (first, second) = (by_id(&parse(&first)), by_id(&parse(&second)));
    let stayed: Vec<_> = first.iter().filter_map(|(id, row)| Some((row, second.get(id)?))).collect();
    assert_eq!((first.len(), stayed.len(), second.len()), (400, 340, 440));
    let changed = |name: &str| stayed.iter().filter(|(old, new)| old[name] != new[name]).count();
    assert_eq!((changed("postcode"), changed("diagnosis")), (10, 5));
    assert_eq!((changed("name"), changed("age"), changed("nights")), (0, 0, 0));
}
