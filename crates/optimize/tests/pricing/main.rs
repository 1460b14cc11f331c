//! Exact pricing against complete enumeration, on instances made to break it.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

#[path = "../support/ncp.rs"]
mod jobs;
mod ncp;
mod series;

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    job::{JOB_VERSION, Job},
    loss::Sse,
    rule::Rule,
    settings::{Budget, Loss, Method},
};
use lookalike_optimize::exact::{
    bound,
    cuts::{ActiveCuts, SubsetRow},
    pricers::Pricers,
    pricing::{
        Alternate, BoxTree, Boxes, Enumerate, PartResult, PreparedPricer, Pricer, PricerName, Programme,
        Request, Tree,
        sweep::{price, request},
    },
    problem::Problem,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn job(dims: usize, points: &[f64], colours: &[u32]) -> Job {
    Job {
        version: JOB_VERSION,
        dims,
        points: points.to_vec(),
        colours: colours.to_vec(),
        rule: Rule::at_least(2),
        loss: Loss::Sse,
        method: Method::default(),
        budget: Budget::default(),
        attributes: Vec::new(),
        ranks: None,
        further: Vec::new(),
        series: None,
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        lattice: None,
        sets: Vec::new(),
        seed: 1,
    }
}

fn instance(dims: usize, points: &[f64], colours: &[u32]) -> Arc<Instance> {
    Arc::new(Instance::from_job(&job(dims, points, colours)).unwrap())
}

/// A random problem: on a grid with duplicates, on a line, with tiny or huge coordinates, far from the origin, with or
/// without colours, with one colour as frequent as it may be, with counterfeits.
fn random_problem(rng: &mut ChaCha8Rng) -> Problem {
    let m = rng.random_range(2..4usize);
    let dims = rng.random_range(1..6usize);
    let n = rng.random_range(2 * m..12usize);
    let kind = rng.random_range(0..6u32);
    let scale = [1.0, 1e-30, 1e30, 1.0, 1.0, 1.0][kind as usize];
    let offset = if kind == 3 { 1e9 } else { 0.0 };
    let mut points = Vec::new();
    for _ in 0..n {
        let x = f64::from(rng.random_range(0..5u32));
        for j in 0..dims {
            let own = if kind == 4 { x * (j as f64 + 0.1) } else { f64::from(rng.random_range(0..5u32)) };
            let jitter = if kind == 5 { rng.random::<f64>() } else { 0.0 };
            points.push((own + jitter) * scale + offset);
        }
    }
    if rng.random_bool(0.4) {
        return Problem::new(&instance(dims, &points, &vec![0; n]), &Sse, &Rule::at_least(m)).unwrap();
    }
    let mut colours: Vec<u32> = if rng.random_bool(0.3) {
        // Colour 0 as often as it may be.
        (0..n)
            .map(|i| if i < n / m { 0 } else { 1 + ((i - n / m) % (n / m * (m - 1)).max(1)) as u32 })
            .collect()
    } else {
        (0..n as u32).map(|i| if i < 4 { i } else { rng.random_range(0..4) }).collect()
    };
    let mut largest = colours.iter().copied().max().unwrap();
    for c in &mut colours {
        if *c > 4 {
            *c = 1 + *c % 4;
        }
    }
    largest = largest.min(4);
    for c in 0..=largest {
        if !colours.contains(&c) {
            colours.push(c);
            points.extend(std::iter::repeat_n(offset, dims));
        }
    }
    let n = colours.len();
    if rng.random_bool(0.2) {
        // The last record loses its point.
        points.truncate((n - 1) * dims);
    }
    Problem::new(&instance(dims, &points, &colours), &Sse, &Rule::all_different(m)).unwrap()
}

fn random_duals(rng: &mut ChaCha8Rng, problem: &Problem) -> Vec<f64> {
    let t = problem.types();
    let pairs = (0..t as u32).flat_map(|a| (0..t as u32).map(move |b| problem.distances(a).to(b)));
    let spread = pairs.sum::<f64>() / (t * t) as f64;
    let level = [0.05, 0.2, 0.5, 1.0, 3.0][rng.random_range(0..5usize)];
    let spread = if spread == 0.0 { 1.0 } else { spread };
    (0..t)
        .map(|_| level * spread * (rng.random::<f64>() - if rng.random_bool(0.2) { 0.7 } else { 0.0 }))
        .collect()
}

fn random_cuts(rng: &mut ChaCha8Rng, problem: &Problem, duals: &[f64]) -> ActiveCuts {
    let types = problem.types();
    let scale = duals.iter().map(|x| x.abs()).sum::<f64>() / types as f64;
    let sets: Vec<SubsetRow> = (0..rng.random_range(1..8))
        .map(|_| {
            let mut members: Vec<u32> = (0..types as u32).filter(|_| rng.random_bool(0.5)).collect();
            members.truncate(rng.random_range(3..8));
            let records: usize = members.iter().map(|&t| problem.multiplicity(t as usize)).sum();
            let divisor = rng.random_range(2..=3);
            let limit = (records / divisor as usize) as f64;
            SubsetRow { members, divisor, limit, sigma: scale * rng.random::<f64>() }
        })
        .collect();
    ActiveCuts::new(&sets, types)
}

fn least(pricing: &dyn Pricer, request: &Request) -> Option<f64> {
    let columns = price(pricing, request).columns;
    columns.iter().map(|c| c.reduced_cost).min_by(f64::total_cmp)
}

fn scale(request: &Request) -> f64 {
    request.duals.iter().map(|x| x.abs()).sum::<f64>()
}

/// What every exact pricing owes: it finds a violated class where there is one, what it reports is true, and the duals
/// that it repairs are feasible by enumeration.
fn check(pricing: &dyn Pricer, request: &Request) -> bool {
    let sweep = price(pricing, request);
    assert!(sweep.proven());
    let truth = least(&Enumerate, request);
    assert_eq!(truth.is_some(), !sweep.columns.is_empty(), "{} against {truth:?}", pricing.name());
    for column in &sweep.columns {
        assert!(request.problem.admits(&column.members), "{:?}", column.members);
        let reduced_cost = request.reduced_cost(&column.members);
        // Reported after some repair, so never below the truth.
        assert!(column.reduced_cost >= reduced_cost - 1e-12 * scale(request));
        assert!(reduced_cost < request.threshold * 0.99);
    }
    let repaired = Request { duals: &sweep.duals, threshold: -1.01 * request.tolerance, ..*request };
    assert_eq!(least(&Enumerate, &repaired), None, "{} does not repair", pricing.name());
    for (after, before) in sweep.duals.iter().zip(request.duals) {
        assert!(after <= before);
    }
    truth.is_some()
}

#[test]
fn exact_pricings_agree_with_enumeration() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut violated, mut clean) = (0, 0);
    for _ in 0..1500 {
        let problem = random_problem(&mut rng);
        let duals = random_duals(&mut rng, &problem);
        let none = ActiveCuts::none(problem.types());
        let plain = request(&problem, &duals, &none, 3);
        if check(&Tree, &plain) {
            violated += 1;
        } else {
            clean += 1;
        }
        let (a, b) = (least(&Tree, &plain), least(&Enumerate, &plain));
        // Repair on the way changes what later seeds see, so the least is compared where it must be the same.
        if let (Some(a), Some(b)) = (a, b) {
            assert!(a >= b - 1e-12 * scale(&plain));
        }
        if Boxes::fits(&problem) {
            check(&Boxes, &plain);
            check(&BoxTree, &plain);
        }
    }
    assert!(violated > 300 && clean > 100, "{violated} violated, {clean} clean");
}

#[test]
fn the_trees_carry_cuts() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (mut violated, mut boxed) = (0, 0);
    for _ in 0..1000 {
        let problem = random_problem(&mut rng);
        let duals = random_duals(&mut rng, &problem);
        let cuts = random_cuts(&mut rng, &problem, &duals);
        let charged = request(&problem, &duals, &cuts, 2);
        violated += usize::from(check(&Tree, &charged));
        if BoxTree::fits(&problem) {
            boxed += usize::from(check(&BoxTree, &charged));
        }
    }
    assert!(violated > 200 && boxed > 150, "{violated}, {boxed} with boxes");
}

/// Who gives up proves nothing; who does not was right.
#[test]
fn a_limit_of_nodes_proves_nothing_that_is_not_so() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut proven, mut given_up) = (0, 0);
    for _ in 0..150 {
        let problem = random_problem(&mut rng);
        let duals = random_duals(&mut rng, &problem);
        let cuts = random_cuts(&mut rng, &problem, &duals);
        let boxed = BoxTree::fits(&problem).then_some(&BoxTree as &dyn Pricer);
        for pricing in [Some(&Tree as &dyn Pricer), boxed].into_iter().flatten() {
            for nodes in [1, 2, 5, 12, 30, 100] {
                let asked = Request { nodes, ..request(&problem, &duals, &cuts, 2) };
                let sweep = price(pricing, &asked);
                assert_eq!(sweep.proven(), !sweep.gave_up());
                if sweep.proven() {
                    let repaired = Request {
                        duals: &sweep.duals,
                        threshold: -1.01 * asked.tolerance,
                        nodes: u64::MAX,
                        ..asked
                    };
                    assert_eq!(least(&Enumerate, &repaired), None, "{} with {nodes} nodes", pricing.name());
                    proven += 1;
                } else {
                    assert_eq!(bound::proven(&problem, &cuts, &sweep, asked.tolerance), None);
                    given_up += 1;
                }
            }
        }
    }
    assert!(proven > 300 && given_up > 300, "{proven} proven, {given_up} given up");
}

/// Too many classes for enumeration: what one tree repairs, the other finds in order.
#[test]
fn the_trees_agree_on_a_hundred_records() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut repaired = 0;
    for round in 0..12 {
        let (n, m) = (100, 3 + round % 3);
        let points: Vec<f64> = (0..3 * n).map(|_| f64::from(rng.random_range(0..30u32))).collect();
        let colours: Vec<u32> = (0..n as u32).map(|i| i % 11).collect();
        let problem = Problem::new(&instance(3, &points, &colours), &Sse, &Rule::all_different(m)).unwrap();
        let duals: Vec<f64> = (0..problem.types()).map(|_| 20.0 + 20.0 * rng.random::<f64>()).collect();
        let sets: Vec<SubsetRow> = (0..60)
            .map(|_| {
                // Neighbours share classes, others hardly ever.
                let near = problem.nearest(rng.random_range(0..problem.types() as u32));
                let mut members = near[..[3, 5, 7][round % 3]].to_vec();
                members.sort_unstable();
                let records: usize = members.iter().map(|&t| problem.multiplicity(t as usize)).sum();
                let divisor = rng.random_range(2..=3);
                let limit = (records / divisor as usize) as f64;
                SubsetRow { members, divisor, limit, sigma: 20.0 * rng.random::<f64>() }
            })
            .collect();
        let cuts = ActiveCuts::new(&sets, problem.types());
        let asked = request(&problem, &duals, &cuts, 2);
        for (one, other) in [(&Tree as &dyn Pricer, &BoxTree as &dyn Pricer), (&BoxTree, &Tree)] {
            let sweep = price(one, &asked);
            assert!(sweep.proven());
            let lowered = sweep.duals.iter().zip(&duals).filter(|(after, before)| after < before).count();
            repaired += lowered;
            // Its own tolerance is that of the duals it was given.
            let again = Request { duals: &sweep.duals, threshold: -1.01 * asked.tolerance, ..asked };
            let left = price(other, &again);
            assert!(left.proven() && left.columns.is_empty(), "{}: {:?}", one.name(), left.columns);
        }
    }
    assert!(repaired > 500, "{repaired}");
}

/// All classes below a threshold, as the proof of optimality needs them.
#[test]
fn the_trees_list_all_classes_below_a_gap() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut classes = 0;
    for _ in 0..300 {
        let problem = random_problem(&mut rng);
        let duals = random_duals(&mut rng, &problem);
        let cuts = random_cuts(&mut rng, &problem, &duals);
        let feasible = price(&Tree, &request(&problem, &duals, &cuts, 1)).duals;
        let gap = scale(&request(&problem, &duals, &cuts, 1)) / problem.types() as f64;
        let wide = Request { threshold: gap, ..request(&problem, &feasible, &cuts, usize::MAX) };
        let boxed: &dyn Pricer = if BoxTree::fits(&problem) { &BoxTree } else { &Tree };
        let mut lists = [&Tree as &dyn Pricer, &Enumerate, boxed].map(|pricing| {
            let columns = price(pricing, &wide).columns;
            let mut members: Vec<_> = columns.into_iter().map(|c| c.members).collect();
            members.sort();
            if pricing.name() == BoxTree.name() {
                // Classes on the border of two boxes.
                members.dedup();
            }
            members
        });
        // Classes within rounding of the threshold may fall on either side.
        let near = |m: &Vec<u32>| (wide.reduced_cost(m) - gap).abs() > 1e-9 * gap.abs();
        for list in &mut lists {
            list.retain(near);
        }
        assert_eq!(lists[0], lists[1]);
        assert_eq!(lists[2], lists[1]);
        classes += lists[0].len();
    }
    assert!(classes > 500, "{classes}");
}

#[test]
fn the_integer_programme_finds_the_least_reduced_cost() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut compared = 0;
    for _ in 0..150 {
        let problem = random_problem(&mut rng);
        let duals = random_duals(&mut rng, &problem);
        // Solvers work to absolute tolerances: numbers around 1 only.
        let size = duals.iter().map(|x| x.abs()).fold(0.0, f64::max);
        // Every record is a type of its own there.
        let repeats = (0..problem.types() as u32).any(|t| problem.copies(t) > 1);
        if repeats || problem.types() > 9 || problem.real.contains(&false) || !(1e-3..1e3).contains(&size) {
            continue;
        }
        let none = ActiveCuts::none(problem.types());
        let plain = request(&problem, &duals, &none, 1);
        let programme = Programme { backend: lookalike_lp::Backend::best() };
        assert!(!price(&programme, &plain).proven());
        let (truth, answer) = (least(&Enumerate, &plain), least(&programme, &plain));
        match (truth, answer) {
            (Some(a), Some(b)) => assert!((a - b).abs() < 1e-6 * size, "{b} against {a}"),
            (a, b) => assert!(a.or(b).is_none_or(|x| x > -1e-6 * size), "{b:?} against {a:?}"),
        }
        compared += usize::from(truth.is_some());
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn alternation_reports_true_classes_and_proves_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (mut found, mut there) = (0, 0);
    for _ in 0..500 {
        let problem = random_problem(&mut rng);
        let duals = random_duals(&mut rng, &problem);
        let none = ActiveCuts::none(problem.types());
        let plain = request(&problem, &duals, &none, 3);
        there += usize::from(least(&Enumerate, &plain).is_some());
        let sweep = price(&Alternate, &plain);
        assert!(!sweep.proven());
        assert_eq!(bound::proven(&problem, &none, &sweep, plain.tolerance), None);
        for c in &sweep.columns {
            assert!(problem.admits(&c.members));
            assert!((plain.reduced_cost(&c.members) - c.reduced_cost).abs() <= 1e-12 * scale(&plain));
            assert!(c.reduced_cost < 0.0);
        }
        found += usize::from(!sweep.columns.is_empty());
    }
    // It finds a class in nearly all cases where there is one.
    assert!(found * 100 >= there * 95 && there > 100, "{found} of {there}");
}

/// A pricing that claims to be exact and finds nothing.
struct Blind;
struct Nothing;
impl Pricer for Blind {
    fn name(&self) -> PricerName {
        PricerName::Other { name: "blind" }
    }
    fn exact(&self) -> bool {
        true
    }
    fn parts(&self, _: &Request) -> Box<dyn PreparedPricer> {
        Box::new(Nothing)
    }
}
impl PreparedPricer for Nothing {
    fn count(&self) -> usize {
        1
    }
    fn run(&self, _: &Request, _: usize) -> PartResult {
        PartResult { complete: true, ..PartResult::default() }
    }
}

#[test]
#[should_panic(expected = "blind against")]
fn a_pricing_that_finds_nothing_is_caught() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..100 {
        let problem = random_problem(&mut rng);
        let duals = random_duals(&mut rng, &problem);
        check(&Blind, &request(&problem, &duals, &ActiveCuts::none(problem.types()), 3));
    }
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let points: Vec<f64> = (0..300).map(|_| rng.random::<f64>()).collect();
    let colours: Vec<u32> = (0..100).map(|i| i % 7).collect();
    let rule = Rule::all_different(3);
    let instance = instance(3, &points, &colours);
    assert!(rule.feasible(&instance).is_ok());
    let problem = Problem::new(&instance, &Sse, &rule).unwrap();
    let duals = vec![0.05; problem.types()];
    let none = ActiveCuts::none(problem.types());
    let cuts = random_cuts(&mut rng, &problem, &duals);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let plain = [&Tree as &dyn Pricer, &Boxes, &BoxTree, &Alternate].map(|p| (p, &none));
            let charged = [&Tree as &dyn Pricer, &BoxTree].map(|p| (p, &cuts));
            [plain.as_slice(), &charged]
                .concat()
                .into_iter()
                .map(|(p, cuts)| {
                    let sweep = price(p, &request(&problem, &duals, cuts, 3));
                    (sweep.duals, sweep.columns)
                })
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(run(1), run(2));
}
