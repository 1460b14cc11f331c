//! What is seen and counted in parts of a table, put together in any order, is what one process sees and counts.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_core::{
    out_of_core::{Routing, Survey},
    table::{ReadOptions, Table, read},
};
use lookalike_model::settings::Settings;
use lookalike_wire::config::{self, Draft};
use proptest::prelude::*;

fn settings(m: usize) -> Settings {
    let told = serde_json::json!({
        "quasi": ["age", "city"],
        "sensitive": "disease",
        "model": {"name": "m-invariance", "m": m},
        "method": {"name": "auto"},
        "missing": {"columns": {"age": "value"}},
        "budget": {"effort": 0.1},
    });
    let settings = config::told(told.as_object().unwrap()).unwrap();
    Draft { settings, ..Draft::default() }.complete(Some(5)).unwrap()
}

/// Parts of a table: rows from here to there.
fn part(rows: std::ops::Range<usize>) -> Table {
    let mut text = String::from("id,age,city,disease\n");
    for i in rows {
        let city = ["Bath", "Hull", "Kent", "Rye", "Ely"][i * 7 % 31 % 5];
        let age = if i % 11 == 3 { String::from("?") } else { (20 + i * 17 % 61).to_string() };
        writeln!(text, "p{i},{age},{city},d{}", i * 13 % 7).unwrap();
    }
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn begun() -> Survey {
    let identifiers = [String::from("id")];
    Survey::new(&part(0..100), &settings(3), &identifiers).unwrap()
}

fn merged(sketches: &[Vec<u8>]) -> Survey {
    let mut all = begun();
    for sketch in sketches {
        all.absorb(sketch).unwrap();
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_parts_in_any_order(cuts in prop::collection::btree_set(1..600_usize, 0..7), turn in 0..8_usize) {
        let ends: Vec<usize> = [0].into_iter().chain(cuts).chain([600]).collect();
        let parts: Vec<Table> = ends.windows(2).map(|of| part(of[0]..of[1])).collect();
        let mut sketches: Vec<Vec<u8>> = (parts.iter())
            .map(|part| {
                let mut survey = begun();
                survey.add(0, part).unwrap();
                survey.sketch()
            })
            .collect();
        let places = sketches.len();
        sketches.rotate_left(turn % places);
        let mut whole = begun();
        whole.add(0, &part(0..600)).unwrap();
        prop_assert_eq!(merged(&sketches).sketch(), whole.sketch());
        // One after another, or two by two.
        let halves = sketches.split_at(places / 2);
        let halves = [merged(halves.0).sketch(), merged(halves.1).sketch()];
        prop_assert_eq!(merged(&halves).sketch(), whole.sketch());

        let mut one = Routing::of(whole, 20).unwrap();
        let (seen, cuts) = (one.surveyed(), one.cuts());
        let routing = || Routing::with_cuts(merged(std::slice::from_ref(&seen)), &cuts).unwrap();
        prop_assert_eq!(routing().cuts(), cuts.clone());
        one.place(&part(0..600)).unwrap();
        let counts: Vec<Vec<u8>> = (parts.iter())
            .map(|part| {
                let mut routing = routing();
                routing.place(part).unwrap();
                routing.counts()
            })
            .collect();
        let mut all = routing();
        for counts in counts.iter().rev() {
            all.absorb(counts).unwrap();
        }
        let counted = all.counts();
        prop_assert_eq!(&counted, &one.counts());
        all.absorb(&counted).unwrap();
        let blocks = all.merge().unwrap();
        prop_assert!(blocks.len() > 8);
        prop_assert_eq!(blocks.all_rows(), 600);
    }
}

/// Bytes that were cut off, of something else, or of another revision are refused, and make nobody panic.
#[test]
fn what_is_no_sketch_is_refused() {
    let mut survey = begun();
    survey.add(0, &part(0..100)).unwrap();
    let sketch = survey.sketch();
    for length in 0..sketch.len() {
        assert!(begun().absorb(&sketch[..length]).is_err(), "{length}");
    }
    assert!(begun().absorb(&[sketch.as_slice(), &[0]].concat()).is_err());
    let mut routing = Routing::of(survey, 20).unwrap();
    assert!(begun().absorb(&routing.cuts()).is_err());
    assert!(routing.absorb(&sketch).is_err());
    let mut older = sketch.clone();
    older[8] ^= 1;
    let said = begun().absorb(&older).unwrap_err().to_string();
    assert!(said.contains("not a result of this run"), "{said}");
}
