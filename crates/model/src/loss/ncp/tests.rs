//! Losses by hand, and running values against those from scratch.

use crate::{job::Attribute, rule::Rule, settings::Loss as LossName};
use proptest::prelude::*;

use super::*;
use crate::fixtures::{fars, instance, job};

/// A number of weight 0.5 and a category of 4 values and weight 0.5.
fn mixed(rows: &[(u8, u8)], colours: &[u32]) -> Arc<Instance> {
    let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0) / 10.0, f64::from(r.1)]).collect();
    let mut job = job(2, &points, colours, Rule::at_least(2), 1.0);
    job.loss = LossName::Ncp;
    job.attributes = [None, Some(4)]
        .map(|levels| Attribute { weight: 0.5, levels, rank: 0, ..Attribute::default() })
        .to_vec();
    Arc::new(Instance::from_job(&job).unwrap())
}

/// Penalties of neighbours in (a b) (c (d e)), five leaves: a label of u of them costs (u - 1) / 4.
const JOINS: [f64; 4] = [0.25, 1.0, 0.5, 0.25];

/// A number of weight 0.25 and leaves of that hierarchy with weight 0.75.
fn generalised(rows: &[(u8, u8)], colours: &[u32]) -> Arc<Instance> {
    let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0) / 10.0, f64::from(r.1)]).collect();
    let mut job = job(2, &points, colours, Rule::at_least(2), 1.0);
    job.loss = LossName::Ncp;
    let leaves = Attribute { weight: 0.75, joins: Some(JOINS.to_vec()), ..Attribute::default() };
    job.attributes = vec![Attribute { weight: 0.25, ..Attribute::default() }, leaves];
    Arc::new(Instance::from_job(&job).unwrap())
}

#[test]
fn a_hierarchy_by_hand() {
    let instance = generalised(&[(0, 0), (2, 1), (4, 3), (4, 4), (4, 2), (4, 4)], &[0; 7]);
    // (members, number of leaves under their lowest label, range of the number)
    let classes: [(&[u32], usize, f64); 6] = [
        (&[3, 5], 1, 0.0),
        (&[0, 1], 2, 0.2),
        (&[2, 3, 5], 2, 0.0),
        (&[2, 4], 3, 0.0),
        (&[1, 2], 5, 0.2),
        (&[2, 3, 6], 2, 0.0),
    ];
    for (members, leaves, range) in classes {
        let reals = members.iter().filter(|&&i| i < 6).count() as f64;
        let expected = reals * (0.75 * (leaves as f64 - 1.0) / 4.0 + 0.25 * range);
        let found = Ncp::default().class(&instance, members);
        assert!((found - expected).abs() < 1e-12, "{members:?}: {found} {expected}");
    }
    for (i, j) in [(0u32, 1u32), (0, 2), (2, 3), (3, 5), (4, 2)] {
        let (loss, pair) = (Ncp::default(), Ncp::default().class(&instance, &[i, j]));
        assert!((2.0 * loss.distance(&instance, i, j) - pair).abs() < 1e-12, "{i} {j}");
        for k in 0..6 {
            let (from, to) = (instance.coordinate(i, 1), instance.coordinate(k, 1));
            assert!(loss.gap(&instance, 1, from, to) <= loss.distance(&instance, i, k) + 1e-12, "{i} {k}");
        }
    }
}

#[test]
fn a_hierarchy_that_is_none_is_refused() {
    let job = |attribute: Attribute, leaf: f64| {
        let mut job = job(1, &[0.0, leaf], &[0, 0], Rule::at_least(2), 1.0);
        (job.loss, job.attributes) = (LossName::Ncp, vec![attribute]);
        Instance::from_job(&job)
    };
    let leaves =
        |joins: &[f64]| Attribute { weight: 1.0, joins: Some(joins.to_vec()), ..Attribute::default() };
    assert!(job(leaves(&JOINS), 4.0).is_ok());
    assert!(job(leaves(&JOINS), 5.0).is_err(), "no such leaf");
    assert!(job(leaves(&JOINS), 0.5).is_err(), "between two leaves");
    assert!(job(leaves(&[0.5, -0.5]), 1.0).is_err() && job(leaves(&[f64::NAN]), 1.0).is_err());
    assert!(job(Attribute { levels: Some(5), ..leaves(&JOINS) }, 1.0).is_err(), "a category as well");
}

#[test]
fn by_hand() {
    // Range 0.2 to 0.6 and three of four values: 3 (0.5 * 0.4 + 0.5 * 2/4); as binaries 3 (0.2 + 0.5 * 3/4).
    let instance = mixed(&[(2, 0), (4, 3), (6, 1)], &[0, 0, 0, 0]);
    assert!((Ncp::default().class(&instance, &[0, 1, 2]) - 1.35).abs() < 1e-12);
    assert!((Ncp { binary: true }.class(&instance, &[0, 1, 2]) - 1.725).abs() < 1e-12);
    // A counterfeit, record 3, has no part in it.
    assert!((Ncp::default().class(&instance, &[0, 3]) - 0.0).abs() < 1e-12);
    assert!((Ncp::default().class(&instance, &[0, 1, 3]) - 2.0 * (0.1 + 0.125)).abs() < 1e-12);
}

#[test]
fn the_papers_optimum() {
    // The 20 records, unweighted.
    let classes: [&[u32]; 6] =
        [&[0, 2, 15, 17], &[1, 11, 12], &[3, 4, 18], &[5, 6, 8, 9], &[7, 10, 16], &[13, 14, 19]];
    let total: f64 = classes.iter().map(|c| Ncp::default().class(&fars(3), c)).sum();
    assert!((total - 19.266_129).abs() < 1e-6, "{total}");
}

proptest! {
    #[test]
    fn a_large_class_counts_its_edges(
        rows in prop::collection::vec((0u8..4, 0u8..9), 30..60),
        changes in prop::collection::vec((any::<bool>(), any::<u16>(), any::<u16>()), 1..60), tree: bool,
    ) {
        let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0), f64::from(r.1)]).collect();
        let leaves: Vec<(u8, u8)> = rows.iter().map(|r| (r.1, r.0)).collect();
        let colours = vec![0; rows.len()];
        let instance = if tree { generalised(&leaves, &colours) } else { Arc::new(instance(2, &points, &colours)) };
        let mut table = Ncp::default().table(&instance, 1);
        prop_assert!(!table.edges.is_empty());
        // Nobody at first: what enters an empty class is all that there is.
        let mut members: Vec<u32> = Vec::new();
        for (both, a, b) in changes {
            let outside: Vec<u32> = (0..rows.len() as u32).filter(|i| !members.contains(i)).collect();
            let enters = both || members.len() < 2 || a % 2 == 0;
            let gains = enters.then(|| outside.get(a as usize % outside.len().max(1)).copied()).flatten();
            let loses = (both || !enters).then(|| members.get(b as usize % members.len().max(1)).copied()).flatten();
            let announced = table.value_after(0, &members, gains, loses);
            members.retain(|&i| Some(i) != loses);
            members.extend(gains);
            table.apply(0, &members, gains, loses);
            let scratch = Ncp::default().class(&instance, &members);
            prop_assert!((announced - scratch).abs() < 1e-9, "{} {}", announced, scratch);
            prop_assert!((table.value(0) - scratch).abs() < 1e-9);
        }
    }
}

proptest! {
    #[test]
    fn running_values_are_those_from_scratch(
        rows in prop::collection::vec((0u8..6, 0u8..4), 8..14),
        changes in prop::collection::vec((any::<bool>(), any::<u16>(), any::<u16>()), 1..40), binary: bool, tree: bool,
    ) {
        let n = rows.len() as u32;
        // Two counterfeits.
        let colours = vec![0; rows.len() + 2];
        let instance = if tree { generalised(&rows, &colours) } else { mixed(&rows, &colours) };
        let loss = Ncp { binary };
        let mut table = loss.table(&instance, 1);
        let mut members: Vec<u32> = vec![0, 1, n];
        table.refresh(0, &members);
        for (swap, a, b) in changes {
            let outside: Vec<u32> = (0..n + 2).filter(|i| !members.contains(i)).collect();
            let gains = (swap || members.len() < 3).then(|| outside.get(a as usize % outside.len().max(1)).copied()).flatten();
            let loses = (members.len() > 2).then(|| members[b as usize % members.len()]);
            let announced = table.value_after(0, &members, gains, loses);
            members.retain(|&i| Some(i) != loses);
            members.extend(gains);
            table.apply(0, &members, gains, loses);
            let scratch = loss.class(&instance, &members);
            prop_assert!((announced - scratch).abs() < 1e-12, "{} {}", announced, scratch);
            prop_assert!((table.value(0) - scratch).abs() < 1e-12);
        }
    }
}
