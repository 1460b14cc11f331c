//! The integer master against brute force over all ways to cover the rows.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests; the lint's exception for tests covers test functions only"
)]

use std::collections::BTreeMap;

use lookalike_lp::{
    Backend, Error,
    partition::{Limits, Programme, solve},
};
use proptest::prelude::*;

const NONE: Limits = Limits { seconds: f64::INFINITY, nodes: 1_000_000 };

fn backends() -> Vec<Backend> {
    vec![
        Backend::Microlp,
        #[cfg(feature = "highs")]
        Backend::Highs,
    ]
}

#[derive(Clone, Debug)]
struct Case {
    right: Vec<usize>,
    classes: Vec<(f64, Vec<u32>)>,
    cuts: Vec<(f64, Vec<(u32, f64)>)>,
}

impl Case {
    /// The least cost of an exact cover and the uses of each class in one, by dynamic programming over what is left.
    fn brute_force(&self) -> Option<(f64, Vec<usize>)> {
        let mut best: BTreeMap<Vec<usize>, (f64, Vec<usize>)> = BTreeMap::new();
        best.insert(self.right.clone(), (0.0, vec![0; self.classes.len()]));
        for (class, (cost, rows)) in self.classes.iter().enumerate() {
            // A class may be used again: what is reached is extended until nothing fits.
            let mut open: Vec<Vec<usize>> = best.keys().cloned().collect();
            while let Some(left) = open.pop() {
                let (total, uses) = best[&left].clone();
                let mut next = left;
                let fits = rows.iter().all(|&row| {
                    let there = next[row as usize] > 0;
                    next[row as usize] = next[row as usize].saturating_sub(1);
                    there
                });
                if fits && best.get(&next).is_none_or(|b| b.0 > total + cost) {
                    let mut uses = uses;
                    uses[class] += 1;
                    best.insert(next.clone(), (total + cost, uses));
                    open.push(next);
                }
            }
        }
        best.remove(&vec![0; self.right.len()])
    }

    fn programme<'a>(&'a self, start: &'a [u32]) -> Programme<'a> {
        Programme { right: &self.right, classes: &self.classes, cuts: &self.cuts, start }
    }

    fn cost(&self, uses: &[usize]) -> f64 {
        self.classes.iter().zip(uses).map(|(c, &count)| c.0 * count as f64).sum()
    }
}

fn cases() -> impl Strategy<Value = Case> {
    (1_usize..7).prop_flat_map(|n| {
        let cost = prop_oneof![(0_u32..6).prop_map(f64::from), 0.0..10.0_f64];
        let class = (cost, prop::collection::vec(0..n as u32, 1..4));
        let right = prop_oneof![2 => Just(vec![1_usize; n]), 1 => prop::collection::vec(1_usize..4, n)];
        let sets = prop::collection::vec(prop::collection::btree_set(0..n as u32, 1..=n.min(5)), 0..4);
        (right, prop::collection::vec(class, 1..16), sets).prop_map(|(right, classes, sets)| {
            let cut = |set: std::collections::BTreeSet<u32>| {
                let total: usize = set.iter().map(|&row| right[row as usize]).sum();
                let inside = |rows: &Vec<u32>| rows.iter().filter(|r| set.contains(r)).count() / 2;
                let terms = (0..).zip(&classes).map(|(c, (_, rows))| (c, inside(rows) as f64));
                ((total / 2) as f64, terms.filter(|t| t.1 > 0.0).collect())
            };
            let cuts = sets.into_iter().map(cut).collect();
            Case { right, classes, cuts }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn brute_force_finds_nothing_cheaper(case in cases(), warm in any::<bool>()) {
        let oracle = case.brute_force();
        let start: Vec<u32> = match &oracle {
            Some((_, uses)) if warm => (0..).zip(uses).flat_map(|(c, &n)| std::iter::repeat_n(c, n)).collect(),
            _ => Vec::new(),
        };
        for backend in backends() {
            let found = solve(&case.programme(&start), backend, NONE).unwrap();
            prop_assert!(found.complete, "{:?}", backend);
            match (&found.uses, &oracle) {
                (Some(uses), Some((cost, _))) => {
                    prop_assert!((case.cost(uses) - cost).abs() <= 1e-6, "{:?} {:?} {}", backend, found, cost);
                    prop_assert!((found.bound - cost).abs() <= 1e-5, "{:?} {:?} {}", backend, found, cost);
                }
                (None, None) => prop_assert_eq!(found.bound, f64::INFINITY),
                other => return Err(TestCaseError::fail(format!("{backend:?} {other:?}"))),
            }
        }
    }

    #[test]
    fn a_search_that_was_cut_short_claims_nothing_wrong(case in cases(), nodes in 0_u32..2) {
        let oracle = case.brute_force();
        for backend in backends() {
            let found = solve(&case.programme(&[]), backend, Limits { nodes, ..NONE }).unwrap();
            let optimum = oracle.as_ref().map_or(f64::INFINITY, |o| o.0);
            prop_assert!(found.bound <= optimum + 1e-6, "{:?} {:?} {}", backend, found, optimum);
            if let Some(uses) = &found.uses {
                prop_assert!(case.cost(uses) >= optimum - 1e-6);
            }
            if found.complete {
                prop_assert_eq!(found.uses.is_some(), oracle.is_some());
            }
        }
    }
}

#[test]
fn wrong_input_is_refused() {
    let good = Case { right: vec![1, 1], classes: vec![(1.0, vec![0, 1])], cuts: Vec::new() };
    for backend in backends() {
        assert!(solve(&good.programme(&[0]), backend, NONE).unwrap().complete);
        assert!(matches!(solve(&good.programme(&[1]), backend, NONE), Err(Error::Input { .. })));
        for bad in [
            Case { right: vec![1, 0], ..good.clone() },
            Case { classes: vec![(f64::NAN, vec![0, 1])], ..good.clone() },
            Case { classes: vec![(1.0, vec![0, 2])], ..good.clone() },
            Case { cuts: vec![(1.0, vec![(1, 1.0)])], ..good.clone() },
            Case { cuts: vec![(f64::NAN, vec![])], ..good.clone() },
        ] {
            assert!(matches!(solve(&bad.programme(&[]), backend, NONE), Err(Error::Input { .. })), "{bad:?}");
        }
    }
}
