//! Pricing for the normalised certainty penalty: numbers and categories, with and without colours, records that repeat,
//! counterfeits.

use lookalike_model::loss::Ncp;

use super::{
    jobs::{With, by_definition, random_job},
    *,
};

/// A random problem, and the job that it is of.
fn random_ncp(rng: &mut ChaCha8Rng) -> (Problem, Job) {
    let job = random_job(rng, 11, With { counterfeits: true, hierarchies: true });
    let instance = Arc::new(Instance::from_job(&job).unwrap());
    let loss = Ncp { binary: job.loss == Loss::NcpBinary };
    let problem = Problem::new(&instance, &loss, &job.rule);
    (problem.unwrap(), job)
}

/// Without a series all losses of a kind have the same pricers.
fn pricers(problem: &Problem) -> Pricers {
    Pricers::new(problem, &Ncp { binary: false }).unwrap()
}

fn duals(rng: &mut ChaCha8Rng, problem: &Problem) -> Vec<f64> {
    let level = [0.1, 0.4, 0.8, 1.5, 4.0][rng.random_range(0..5usize)];
    (0..problem.types())
        .map(|_| level * (rng.random::<f64>() - if rng.random_bool(0.2) { 0.7 } else { 0.0 }))
        .collect()
}

#[test]
fn classes_of_types_cost_what_their_records_lose() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut repeated = 0;
    for _ in 0..300 {
        let (problem, job) = random_ncp(&mut rng);
        let none = ActiveCuts::none(problem.types());
        let zero = vec![0.0; problem.types()];
        let all = Request { threshold: f64::INFINITY, ..request(&problem, &zero, &none, 50) };
        for column in price(&Enumerate, &all).columns {
            let mut used = vec![0; problem.types()];
            let records: Vec<u32> = column
                .members
                .iter()
                .map(|&t| {
                    used[t as usize] += 1;
                    problem.records[t as usize][used[t as usize] - 1]
                })
                .collect();
            repeated += usize::from(used.iter().any(|&u| u > 1));
            let loss = by_definition(&job, &records);
            assert!((problem.cost(&column.members) - loss).abs() < 1e-12, "{records:?}");
        }
    }
    assert!(repeated > 500, "{repeated}");
}

#[test]
fn the_tree_of_ranges_agrees_with_enumeration() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let (mut violated, mut clean) = (0, 0);
    for case in 0..1500 {
        let (problem, _) = random_ncp(&mut rng);
        let duals = duals(&mut rng, &problem);
        let cuts = if case % 2 == 0 {
            ActiveCuts::none(problem.types())
        } else {
            random_cuts(&mut rng, &problem, &duals)
        };
        let found = check(&*pricers(&problem).combinatorial(&problem), &request(&problem, &duals, &cuts, 2));
        let plain = request(&problem, &duals, &cuts, 1);
        match (least(&Enumerate, &plain), least(&*pricers(&problem).combinatorial(&problem), &plain)) {
            (Some(a), Some(b)) => assert!(b >= a - 1e-12 * scale(&plain), "{b} against {a}"),
            (a, b) => assert_eq!(a.is_some(), b.is_some()),
        }
        violated += usize::from(found);
        clean += usize::from(!found);
    }
    assert!(violated > 300 && clean > 100, "{violated} violated, {clean} clean");
}

#[test]
fn the_tree_of_ranges_lists_all_classes_below_a_gap_once() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let mut classes = 0;
    for _ in 0..400 {
        let (problem, _) = random_ncp(&mut rng);
        let duals = duals(&mut rng, &problem);
        let cuts = random_cuts(&mut rng, &problem, &duals);
        let feasible =
            price(&*pricers(&problem).combinatorial(&problem), &request(&problem, &duals, &cuts, 1)).duals;
        let gap = scale(&request(&problem, &duals, &cuts, 1)) / problem.types() as f64;
        let wide = Request { threshold: gap, ..request(&problem, &feasible, &cuts, usize::MAX) };
        let tree = pricers(&problem).combinatorial(&problem);
        let mut lists = [&*tree, &Enumerate].map(|pricing| {
            let mut members: Vec<_> = price(pricing, &wide).columns.into_iter().map(|c| c.members).collect();
            members.sort();
            members
        });
        assert!(lists[0].windows(2).all(|w| w[0] != w[1]));
        let near = |m: &Vec<u32>| (wide.reduced_cost(m) - gap).abs() > 1e-9 * gap.abs();
        for list in &mut lists {
            list.retain(near);
        }
        assert_eq!(lists[0], lists[1]);
        classes += lists[0].len();
    }
    assert!(classes > 500, "{classes}");
}

#[test]
fn growth_reports_true_classes_and_proves_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let (mut found, mut there) = (0, 0);
    for _ in 0..400 {
        let (problem, _) = random_ncp(&mut rng);
        let duals = duals(&mut rng, &problem);
        let none = ActiveCuts::none(problem.types());
        let plain = request(&problem, &duals, &none, 3);
        there += usize::from(least(&Enumerate, &plain).is_some());
        let sweep = price(&*pricers(&problem).heuristic(&problem), &plain);
        assert!(!sweep.proven());
        for c in &sweep.columns {
            assert!(problem.admits(&c.members) && c.reduced_cost < 0.0);
            assert!((plain.reduced_cost(&c.members) - c.reduced_cost).abs() <= 1e-12 * scale(&plain));
        }
        found += usize::from(!sweep.columns.is_empty());
    }
    assert!(found * 100 >= there * 90 && there > 100, "{found} of {there}");
}

#[test]
fn the_pricings_are_those_of_the_loss() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let (problem, _) = random_ncp(&mut rng);
    let ranges = pricers(&problem).combinatorial(&problem).name();
    assert_eq!(pricers(&problem).without_cuts(&problem).name(), ranges);
    assert_ne!(ranges, Tree.name());
    assert_ne!(pricers(&problem).heuristic(&problem).name(), Alternate.name());
}
