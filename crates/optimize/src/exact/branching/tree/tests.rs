use lookalike_model::{instance::Instance, loss::Sse, rule::Rule};
use lookalike_testkit::best_partition_sse;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// Every class that the search may look for.
fn all_classes(problem: &Problem) -> Vec<Column> {
    let subsets = 1_u32..1 << problem.types();
    let members = subsets.map(|bits| (0..problem.types() as u32).filter(|t| bits >> t & 1 == 1).collect());
    let classes = members.filter(|class: &Vec<u32>| problem.admits(class));
    classes.map(|members| Column { cost: problem.cost(&members), members }).collect()
}

struct Case {
    optimum: f64,
    found: f64,
    nodes: u64,
}

/// Branches to the end without settling anything, from a loss that is too high; the bound never passes the optimum.
fn branch(rng: &mut ChaCha8Rng, rule: &Rule, cut: bool) -> Option<Case> {
    let (n, dims) = (rng.random_range(8..11_usize), rng.random_range(1..4_usize));
    let points: Vec<f64> = (0..n * dims).map(|_| 10.0 * rng.random::<f64>()).collect();
    let colours: Vec<u32> = (0..n as u32).map(|i| if i < 5 { i } else { rng.random_range(0..5) }).collect();
    let optimum = best_partition_sse(&points, dims, rule.distinct().then_some(&colours), rule.min_size);
    if optimum.is_infinite() {
        return None;
    }
    let columns: Vec<Vec<f64>> =
        (0..dims).map(|j| points.iter().skip(j).step_by(dims).copied().collect()).collect();
    let instance = Arc::new(Instance::from_columns(&columns, &[], &colours).unwrap());
    let problem = Problem::new(&instance, &Sse, rule).unwrap();
    assert_eq!(problem.types(), n);
    let list = Arc::new(all_classes(&problem));
    let sets: Vec<SubsetRow> = (0..if cut { 4 } else { 0 })
        .map(|i| SubsetRow { members: vec![i, i + 2, i + 4], divisor: 2 + i % 2, limit: 1.0, sigma: 1e-3 })
        .collect();
    let mut found = 1.3 * optimum + 1.0;
    let mut params = Params::default();
    params.branching.evaluations = 0;
    let mut tree = Tree::plant(list, vec![0.0; n], ActiveCuts::new(&sets, n), 0.0);
    while !tree.is_over() {
        assert!(tree.bound() <= optimum * (1.0 + 1e-9), "{} {optimum}", tree.bound());
        let ground = Ground {
            problem: &problem,
            loss: found,
            tolerance: 1e-10 * found,
            seconds: None,
            params: &params,
            stop: &|| false,
        };
        let step = tree.step(&ground).unwrap();
        if let Some(classes) = step.classes {
            let mut all: Vec<u32> = classes.concat();
            all.sort_unstable();
            assert_eq!(all, (0..n as u32).collect::<Vec<_>>(), "a partition");
            found = found.min(classes.iter().map(|class| problem.cost(class)).sum());
        }
    }
    assert!(
        tree.bound() >= optimum * (1.0 - 1e-6),
        "what cannot be branched on is whole, so it is the optimum"
    );
    Some(Case { optimum, found, nodes: tree.nodes })
}

#[test]
fn branching_alone_finds_the_optimum() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut solved, mut branched) = (0, 0);
    for case in 0..240 {
        let outcome = match case % 3 {
            0 => branch(&mut rng, &Rule::at_least(3), case % 2 == 0),
            1 => branch(&mut rng, &Rule::all_different(3), case % 2 == 0),
            _ => branch(&mut rng, &Rule::at_least(2), case % 2 == 0),
        };
        let Some(outcome) = outcome else { continue };
        assert!((outcome.found - outcome.optimum).abs() <= 1e-6 * outcome.optimum.max(1.0), "case {case}");
        solved += 1;
        branched += u32::from(outcome.nodes > 2);
    }
    assert!(solved > 150 && branched > 15, "{solved} solved, {branched} with branches");
}

#[test]
fn children_part_the_classes_of_a_node() {
    let class: &[u32] = &[1, 4, 7];
    let pair = |a, b, together| Pair { types: (a, b), together };
    assert!(pair(1, 7, true).admits(class) && !pair(1, 7, false).admits(class));
    assert!(!pair(1, 2, true).admits(class) && pair(1, 2, false).admits(class));
    assert!(pair(0, 2, true).admits(class) && pair(0, 2, false).admits(class));
}
