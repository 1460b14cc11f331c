use lookalike_model::{
    fixtures::{fars, fars_job, instance},
    loss::{Loss, Ncp, Sse},
    rule::Rule,
    settings::SortOrder,
};
use lookalike_testkit::best_partition;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

fn sorted_classes(mut classes: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    for class in &mut classes {
        class.sort_unstable();
    }
    classes.sort();
    classes
}

const OPTIMUM: [&[u32]; 6] =
    [&[0, 2, 15, 17], &[1, 11, 12], &[3, 4, 18], &[5, 6, 8, 9], &[7, 10, 16], &[13, 14, 19]];

#[test]
fn the_papers_worked_example_1() {
    let fars = Arc::new(fars(3));
    for solver in [SubSolver::SetPartitioning, SubSolver::Programme] {
        let carry = CarryOptions { solver, ..CarryOptions::default() };
        let mut work = SplitAndCarry::new(
            &fars,
            &Ncp::default(),
            &Rule::at_least(3),
            (SortOrder::default(), carry),
            &Params::default(),
        )
        .unwrap();
        work.advance(&fars).unwrap();
        // Table 5: nine records, of which {12, 1, 11} are final.
        assert_eq!(work.sizes, [9]);
        assert_eq!(sorted_classes(work.classes.clone()), [[1, 11, 12]]);
        assert_eq!(sorted_classes(work.carried.clone()), [[7, 10, 16], [13, 14, 19]]);
        if solver == SubSolver::Programme {
            // Seventeen records are much for it.
            continue;
        }
        // Table 6: the six that were carried, and eleven more.
        work.advance(&fars).unwrap();
        assert_eq!(work.sizes, [9, 17]);
        assert!(work.advance(&fars).is_none());
        assert_eq!(sorted_classes(work.classes), OPTIMUM);
    }
}

#[test]
fn one_sub_problem_is_the_whole_problem() {
    let weighted: [&[u32]; 6] =
        [&[0, 8, 10, 16], &[1, 14, 15], &[2, 3, 13, 18], &[4, 6, 9], &[5, 7, 11], &[12, 17, 19]];
    for (weights, expected) in [([1.0; 4], OPTIMUM), ([0.8, 0.05, 0.1, 0.05], weighted)] {
        let fars = Arc::new(Instance::from_job(&fars_job(3, weights, 1.0)).unwrap());
        let carry = CarryOptions { sets: 6, ..CarryOptions::default() };
        let (partition, sizes) =
            split_and_carry(&fars, &Ncp::default(), 3, SortOrder::default(), carry).unwrap();
        assert_eq!(sizes, [20]);
        assert_eq!(sorted_classes(partition.members()), expected);
    }
}

/// Records on a grid, some of them equal.
fn random(rng: &mut ChaCha8Rng, n: usize, dims: usize) -> Arc<Instance> {
    let points: Vec<f64> = (0..n * dims).map(|_| f64::from(rng.random_range(0..9u32)) / 8.0).collect();
    Arc::new(instance(dims, &points, &vec![0; n]))
}

#[test]
fn both_solvers_find_the_optimum_of_a_sub_problem() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut improved = 0;
    for case in 0..120 {
        let k = rng.random_range(2..4usize);
        let n = rng.random_range(2 * k..9usize);
        let (dims, loss) = (rng.random_range(1..4usize), Ncp::default());
        let part = random(&mut rng, n, dims);
        let all: Vec<u32> = (0..n as u32).collect();
        let cost = |class: &[usize]| {
            let class: Vec<u32> = class.iter().map(|&i| i as u32).collect();
            (class.len() >= k).then(|| loss.class(&part, &class))
        };
        let (least, _) = best_partition(n, cost).unwrap();
        let start = runs(&all, k);
        let before: f64 = start.iter().map(|c| loss.class(&part, c)).sum();
        let partitioning = CarryOptions::default();
        let programme = CarryOptions { solver: SubSolver::Programme, ..partitioning };
        // The programme is slow: a few cases.
        for carry in [Some(partitioning), (case % 6 == 0).then_some(programme)].into_iter().flatten() {
            let Solved { classes, .. } =
                solver::solve(&part, &loss, k, start.clone(), &carry, &Params::default());
            let found: f64 = classes.iter().map(|c| loss.class(&part, c)).sum();
            assert!((found - least).abs() < 1e-6, "{carry:?}: {found} against {least}");
            assert!(classes.iter().all(|c| c.len() >= k));
        }
        improved += usize::from(least < before - 1e-9);
    }
    assert!(improved > 80, "{improved}");
}

#[test]
fn sub_problems_that_are_too_many_classes_are_solved_by_column_generation() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let part = random(&mut rng, 28, 2);
    let all: Vec<u32> = (0..28).collect();
    assert!(crate::local::cover::classes(28, (3, 5)) > 60_000.0);
    let Solved { classes, looked, .. } =
        solver::solve(&part, &Ncp::default(), 3, runs(&all, 3), &CarryOptions::default(), &Params::default());
    assert_eq!(looked, 400_000);
    let found: f64 = classes.iter().map(|c| Ncp::default().class(&part, c)).sum();
    let found_exactly =
        crate::local::cover::best(&part, Ncp::default(), &all, false, ((3, 5), 1), 1e9, u32::MAX);
    let exact: f64 = found_exactly.classes.unwrap().iter().map(|c| Ncp::default().class(&part, c)).sum();
    assert!((found - exact).abs() < 1e-9, "{found} against {exact}");
}

#[test]
fn sizes_keep_to_lemma_2_and_their_number_is_that_of_table_8() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let k = 3;
    for (sets, count) in [(3, 556), (4, 417), (5, 334)] {
        let many = random(&mut rng, 5000, 2);
        let carry = CarryOptions { sets, ..CarryOptions::default() };
        let (partition, sizes) =
            split_and_carry(&many, &Ncp::default(), k, SortOrder::default(), carry).unwrap();
        assert!(partition.check(&many, &Rule::at_least(k)).is_ok());
        // ceil(1666 / S) sub-problems, the first of S k-sets.
        assert_eq!((sizes.len(), sizes[0]), (count, k * sets));
        let (last, others) = sizes.split_last().unwrap();
        // 24, 27 and 30, as the paper's appendix D says.
        let bound = k * (2 * k - 1 + sets);
        assert!(others.iter().all(|&s| s <= bound) && *last < bound + k, "{sizes:?}");
        let initial: f64 =
            runs(&sorted(&many, SortOrder::Variance), k).iter().map(|c| Ncp::default().class(&many, c)).sum();
        assert!(partition.loss(&many, &Ncp::default()) < 0.9 * initial);
    }
}

#[test]
fn every_variant_gives_admissible_classes_of_all_records() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let base = CarryOptions::default();
    let variants = [
        base,
        CarryOptions { sets: 2, boundary: Some(1), ..base },
        CarryOptions { boundary: Some(7), ..base },
        CarryOptions { carried: Carried::Subset, ..base },
        CarryOptions { carried: Carried::Subset, boundary: Some(2), sets: 4, ..base },
        CarryOptions { bubble: Some(Bubble { size: 12, keep: 2 }), ..base },
        CarryOptions { bubble: Some(Bubble { size: 10, keep: 1 }), ..base },
        CarryOptions { bubble: Some(Bubble { size: 13, keep: 9 }), ..base },
    ];
    for n in (3..16).chain([20, 27, 34]) {
        for (carry, k) in variants.into_iter().flat_map(|c| [(c, 2), (c, 3), (c, 5)]) {
            if n < k {
                continue;
            }
            let part = random(&mut rng, n, 2);
            let found = split_and_carry(&part, &Ncp::default(), k, SortOrder::default(), carry).unwrap();
            found.0.check(&part, &Rule::at_least(k)).unwrap();
            if let Some(bubble) = carry.bubble {
                let (_, others) = found.1.split_last().unwrap();
                assert!(others.iter().all(|&s| s == bubble.size), "{n} {k} {:?}", found.1);
            }
        }
    }
    for order in [SortOrder::VarianceDescending, SortOrder::Values, SortOrder::Snake] {
        let part = random(&mut rng, 40, 3);
        let found = split_and_carry(&part, &Sse, 3, order, CarryOptions::default()).unwrap();
        found.0.check(&part, &Rule::at_least(3)).unwrap();
    }
}

#[test]
fn a_class_of_the_boundary_is_carried_with_those_that_could_not_stand_alone() {
    let line = Arc::new(instance(1, &(0..12).map(f64::from).collect::<Vec<_>>(), &[0; 12]));
    let work = |carry| {
        SplitAndCarry::new(
            &line,
            &Ncp::default(),
            &Rule::at_least(2),
            (SortOrder::default(), carry),
            &Params::default(),
        )
        .unwrap()
    };
    // The boundary is {8, 9}. A class of five records: two are carried, three can stand alone.
    let mut one = work(CarryOptions::default());
    one.part(&line, vec![vec![0, 1], vec![2, 3, 4], vec![5, 6, 7, 8, 9]]);
    assert_eq!(
        (one.classes, one.carried),
        (vec![vec![0, 1], vec![2, 3, 4], vec![5, 6, 7]], vec![vec![8, 9]])
    );
    // Of three records none is left behind.
    let mut two = work(CarryOptions::default());
    two.part(&line, vec![vec![0, 1, 2, 9], vec![3, 4, 8], vec![5, 6, 7]]);
    assert_eq!(two.carried, [vec![2, 9], vec![3, 4, 8]]);
    assert_eq!(two.classes, [vec![0, 1], vec![5, 6, 7]]);
    // Only what is above k, and of it what contributes least: 3 and 4 lie within 0 to 9.
    let mut three = work(CarryOptions { carried: Carried::Subset, ..CarryOptions::default() });
    three.part(&line, vec![vec![0, 3, 4, 9], vec![1, 2], vec![7, 8]]);
    assert_eq!((three.classes, three.carried), (vec![vec![0, 9], vec![1, 2], vec![7, 8]], vec![vec![3, 4]]));
}

#[test]
fn what_makes_no_sub_problems_is_refused() {
    let line = Arc::new(instance(1, &[0., 1., 2., 3., 4.], &[0; 5]));
    let base = CarryOptions::default();
    let refused =
        |carry| split_and_carry(&line, &Sse, 2, SortOrder::default(), carry).unwrap_err().to_string();
    assert!(refused(CarryOptions { sets: 1, ..base }).contains("at least 2 k-sets"));
    assert!(refused(CarryOptions { boundary: Some(0), ..base }).contains("at least 1 record"));
    let bubble = |size, keep| CarryOptions { bubble: Some(Bubble { size, keep }), ..base };
    assert!(refused(bubble(3, 1)).contains("at least 4 records"));
    assert!(refused(bubble(4, 0)).contains("1 class"));
    let programme = CarryOptions { solver: SubSolver::Programme, ..base };
    assert!(refused(programme).contains("--loss ncp"));
    assert!(refused(CarryOptions { seconds: Some(1.0), ..base }).contains("early termination"));
    assert!(refused(CarryOptions { seconds: Some(-1.0), ..programme }).contains("above 0"));
}
