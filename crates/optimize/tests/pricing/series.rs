//! Pricing where some records keep a signature: family by family, by the tree and by boxes, with and without cuts, against
//! every subset of the types that is admissible.

use lookalike_model::job::Series;
use lookalike_optimize::exact::pricing::Sweep;

use super::*;

/// Records of four colours; those of the first two signatures keep them, the others are new.
fn random_series(rng: &mut ChaCha8Rng) -> Problem {
    let (dims, n) = (rng.random_range(1..4usize), rng.random_range(8..12usize));
    let points: Vec<f64> = (0..n * dims).map(|_| f64::from(rng.random_range(0..6u32))).collect();
    let colours: Vec<u32> = (0..n as u32).map(|i| i % 4).collect();
    let signatures = vec![vec![0, 1], vec![0, 2, 3]];
    let bound = colours.iter().map(|&colour| {
        let place = rng.random_range(0..3usize);
        let keeps = place > 0 && signatures[place - 1].contains(&colour);
        if keeps { place as u32 } else { 0 }
    });
    let bound: Vec<u32> = bound.collect();
    let job = Job {
        rule: Rule::all_different(2),
        series: Some(Series { signatures, bound, keep: false }),
        ..job(dims, &points, &colours)
    };
    let instance = Arc::new(Instance::from_job(&job).unwrap());
    Problem::new(&instance, &Sse, &Rule::all_different(2)).unwrap()
}

/// The least reduced cost of all classes.
fn truth(problem: &Problem, request: &Request) -> f64 {
    let classes = (1_u32..1 << problem.types())
        .map(|set| (0..problem.types() as u32).filter(|t| set >> t & 1 == 1).collect::<Vec<u32>>());
    classes
        .filter(|class| problem.admits(class))
        .map(|c| request.reduced_cost(&c))
        .fold(f64::INFINITY, f64::min)
}

/// Finds a violated class where there is one, reports true ones only, and repairs the duals.
fn attack(problem: &Problem, pricing: &dyn Pricer, request: &Request) -> Sweep {
    let sweep = price(pricing, request);
    assert!(sweep.proven() && pricing.exact());
    let least = truth(problem, request);
    assert_eq!(sweep.columns.is_empty(), least >= request.threshold, "{} at {least}", pricing.name());
    for column in &sweep.columns {
        assert!(problem.admits(&column.members));
        assert!(request.reduced_cost(&column.members) < request.threshold + 1e-12 * scale(request));
    }
    let repaired = Request { duals: &sweep.duals, ..*request };
    assert!(truth(problem, &repaired) >= request.threshold - 1e-9 * scale(request));
    sweep
}

#[test]
fn families_are_priced_with_cuts_by_trees_and_by_boxes() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let (mut violated, mut clean) = (0, 0);
    for _ in 0..200 {
        let problem = random_series(&mut rng);
        let pricers = Pricers::new(&problem, &Sse).unwrap();
        let duals = random_duals(&mut rng, &problem);
        let cuts = random_cuts(&mut rng, &problem, &duals);
        let none = ActiveCuts::none(problem.types());
        for cuts in [&cuts, &none] {
            let request = request(&problem, &duals, cuts, 3);
            let by_tree = attack(&problem, &*pricers.combinatorial(&problem), &request);
            attack(&problem, &*pricers.by_boxes(&problem).unwrap(), &request);
            if cuts.sets.is_empty() {
                attack(&problem, &*pricers.without_cuts(&problem), &request);
            }
            if by_tree.columns.is_empty() { clean += 1 } else { violated += 1 }
        }
    }
    assert!(violated > 80 && clean > 40, "{violated} violated, {clean} clean");
}
