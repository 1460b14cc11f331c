//! Random masters: repeated rows, multiplicities, duplicated and degenerate columns, cuts, boxes, rows nobody covers.

use lookalike_lp::master::{Column, Cut, Kind, Master, Programme, open_with};
use proptest::prelude::*;

/// A master as plain data; the columns hold their coefficients in `cuts`.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) b: Vec<f64>,
    pub(crate) columns: Vec<Column>,
    pub(crate) cuts: Vec<Cut>,
    boxes: Option<(Vec<f64>, Vec<f64>)>,
}

impl Instance {
    /// Half of the columns before the cuts, half after them.
    pub(crate) fn open(&self, kind: Kind) -> Box<dyn Master> {
        let mut master = open_with(kind, Programme::new(&self.b, 1000.0).unwrap()).unwrap();
        let half = self.columns.len() / 2;
        let bare: Vec<Column> =
            self.columns[..half].iter().map(|c| Column { cuts: Vec::new(), ..c.clone() }).collect();
        master.add_columns(&bare).unwrap();
        let cuts: Vec<Cut> = self
            .cuts
            .iter()
            .map(|cut| Cut {
                rhs: cut.rhs,
                coefficients: cut.coefficients.iter().copied().filter(|c| (c.0 as usize) < half).collect(),
            })
            .collect();
        master.add_cuts(&cuts).unwrap();
        master.add_columns(&self.columns[half..]).unwrap();
        if let Some((lower, upper)) = &self.boxes {
            master.set_boxes(lower, upper).unwrap();
        }
        master
    }
}

/// Costs that are often equal, so that many columns tie.
fn cost() -> impl Strategy<Value = f64> {
    prop_oneof![(0_u32..6).prop_map(f64::from), 0.0..10.0_f64, Just(0.0)]
}

fn classes(rows: u32) -> impl Strategy<Value = Vec<(f64, Vec<u32>)>> {
    let class = (cost(), prop::collection::vec(0..rows, 1..6));
    (prop::collection::vec(class, 0..30), any::<bool>()).prop_map(|(mut classes, twice)| {
        if twice {
            classes.extend_from_within(..);
        }
        classes
    })
}

fn boxes(rows: usize) -> impl Strategy<Value = Option<(Vec<f64>, Vec<f64>)>> {
    // Zero is in every box, and feasible, since no cost is negative.
    let bound = || prop::collection::vec(prop_oneof![Just(0.0), 0.0..3.0_f64, 0.0..100.0_f64], rows);
    prop::option::of((bound(), bound()).prop_map(|(l, u)| (l.iter().map(|l| -l).collect(), u)))
}

pub(crate) fn instance() -> impl Strategy<Value = Instance> {
    (1_u32..14).prop_flat_map(|rows| {
        let n = rows as usize;
        let b = prop_oneof![3 => Just(vec![1.0; n]), 1 => prop::collection::vec((0_u32..4).prop_map(f64::from), n)];
        let sets = prop::collection::vec(prop::collection::btree_set(0..rows, 1..=n.min(5)), 0..5);
        (b, classes(rows), sets, boxes(n)).prop_map(|(b, classes, sets, boxes)| {
            // The odd-set cut of each set: floor(|C n S| / 2), at most floor(b(S) / 2).
            let inside = |rows: &[u32], set: &std::collections::BTreeSet<u32>| {
                (rows.iter().filter(|r| set.contains(r)).count() / 2) as f64
            };
            let column = |(cost, rows): &(f64, Vec<u32>)| {
                let cuts = (0..).zip(&sets).map(|(i, set)| (i, inside(rows, set)));
                Column { cost: *cost, rows: rows.clone(), cuts: cuts.filter(|c| c.1 > 0.0).collect() }
            };
            let columns: Vec<Column> = classes.iter().map(column).collect();
            let cut = |(index, set): (u32, &std::collections::BTreeSet<u32>)| {
                let terms = (0..).zip(&columns).filter_map(|(i, c): (u32, &Column)| {
                    c.cuts.iter().find(|e| e.0 == index).map(|e| (i, e.1))
                });
                let total: f64 = set.iter().map(|&r| b[r as usize]).sum();
                Cut { rhs: (total / 2.0).floor(), coefficients: terms.collect() }
            };
            let cuts = (0..).zip(&sets).map(cut).collect();
            Instance { b, columns, cuts, boxes }
        })
    })
}
