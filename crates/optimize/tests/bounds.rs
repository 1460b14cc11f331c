//! Attempts to have a bound proven that is none: against brute force over all partitions.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

mod support;

use std::sync::Arc;

use lookalike_model::{
    Ctx,
    instance::Instance,
    job::{Answer, Job, Status},
    loss::Sse,
    rule::Rule,
    settings::{ColumnGenerationOptions, Extent},
    verify::verify,
};
use lookalike_optimize::exact::{
    AllParams, Params, bound, column_generation,
    cuts::{ActiveCuts, SubsetRow},
    pricing::{BoxTree, Boxes, PartResult, PreparedPricer, Pricer, PricerName, Request, Tree, sweep},
    problem::Problem,
};
use lookalike_testkit::best_partition_sse;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use support::{full_relaxation, job};

/// What makes an instance nasty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nasty {
    General,
    /// On a small grid: equal points, equal distances.
    Duplicates,
    /// On a line in space.
    Collinear,
    Tiny,
    Huge,
    /// Far from the origin.
    Far,
    /// Coordinates of very different sizes.
    Mixed,
}

const ALL: [Nasty; 7] =
    [Nasty::General, Nasty::Duplicates, Nasty::Collinear, Nasty::Tiny, Nasty::Huge, Nasty::Far, Nasty::Mixed];

impl Nasty {
    /// Whether numbers are of a size that a solver's absolute tolerances are made for.
    fn moderate(self) -> bool {
        matches!(self, Self::General | Self::Duplicates | Self::Collinear)
    }
}

#[derive(Debug)]
struct Case {
    nasty: Nasty,
    job: Job,
    optimum: f64,
}

impl Case {
    fn problem(&self) -> Problem {
        let instance = Arc::new(Instance::from_job(&self.job).unwrap());
        Problem::new(&instance, &Sse, &self.job.rule).unwrap()
    }
}

/// A number of records that is a multiple of the least size, or one more or less than that; with colours the most
/// frequent one is often as frequent as it may be.
fn draw(rng: &mut ChaCha8Rng, most: usize) -> Case {
    let nasty = ALL[rng.random_range(0..ALL.len())];
    let dims = rng.random_range(1..5usize);
    let least = rng.random_range(2..5usize);
    let classes = rng.random_range(1..=most / least);
    let n = (classes * least + [0, 1, least - 1][rng.random_range(0..3usize)]).min(most).max(least);
    let points: Vec<f64> = (0..n)
        .flat_map(|_| {
            let along = f64::from(rng.random_range(0..9u32));
            let point: Vec<f64> = (0..dims)
                .map(|j| {
                    let general: f64 = rng.random();
                    match nasty {
                        Nasty::General => general,
                        Nasty::Duplicates => f64::from(rng.random_range(0..3u32)),
                        Nasty::Collinear => along * (j as f64 + 0.1),
                        Nasty::Tiny => 1e-30 * general,
                        Nasty::Huge => 1e30 * general,
                        Nasty::Far => 1e9 + general,
                        Nasty::Mixed => [1e-6, 1e-2, 1e2, 1e6][j] * general,
                    }
                })
                .collect();
            point
        })
        .collect();
    let coloured = rng.random_bool(0.5);
    let colours = if coloured { colours(rng, n, least) } else { vec![0; n] };
    // Differences to one of the points are exact enough even far from the origin.
    let near: Vec<f64> = points.iter().enumerate().map(|(at, x)| x - points[at % dims]).collect();
    let optimum = best_partition_sse(&near, dims, coloured.then_some(colours.as_slice()), least);
    let rule = if coloured { Rule::all_different(least) } else { Rule::at_least(least) };
    Case { nasty, job: job(dims, &points, &colours, rule), optimum }
}

/// Dense colours of which none is held by more than 1 in `least` records.
fn colours(rng: &mut ChaCha8Rng, n: usize, least: usize) -> Vec<u32> {
    let most = n / least;
    let frequent = if rng.random_bool(0.5) { most } else { 1 };
    let mut colours: Vec<u32> =
        (0..n).map(|i| if i < frequent { 0 } else { 1 + ((i - frequent) / most) as u32 }).collect();
    for i in (1..n).rev() {
        colours.swap(i, rng.random_range(0..=i));
    }
    colours
}

fn spread(problem: &Problem) -> f64 {
    let all: Vec<u32> = (0..problem.types() as u32).collect();
    problem.cost(&all) / problem.instance.records() as f64
}

fn random_cuts(rng: &mut ChaCha8Rng, problem: &Problem, scale: f64) -> ActiveCuts {
    let types = problem.types();
    let sets: Vec<SubsetRow> = (0..rng.random_range(0..6))
        .map(|_| {
            let members: Vec<u32> = (0..types as u32).filter(|_| rng.random_bool(0.4)).collect();
            let records: usize = members.iter().map(|&t| problem.multiplicity(t as usize)).sum();
            let divisor = rng.random_range(2..=3);
            // Rounded down: valid for any number of records.
            let limit = (records / divisor as usize) as f64;
            SubsetRow { members, divisor, limit, sigma: scale * rng.random::<f64>() }
        })
        .collect();
    ActiveCuts::new(&sets, types)
}

/// Whatever the duals were: what a sweep proves is at most the optimum.
fn attack(case: &Case, problem: &Problem, pricing: &dyn Pricer, duals: &[f64], cuts: &ActiveCuts) -> f64 {
    let request: Request = sweep::request(problem, duals, cuts, 3);
    let proven = sweep::price(pricing, &request);
    let bound = bound::proven(problem, cuts, &proven, request.tolerance).unwrap_or(0.0);
    assert!(
        bound <= case.optimum * (1.0 + 1e-14),
        "{}: {bound} is above the optimum {} of {case:?}",
        pricing.name(),
        case.optimum
    );
    bound
}

#[test]
fn random_duals_never_bound_too_much() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut positive = 0;
    for _ in 0..700 {
        let case = draw(&mut rng, 12);
        let problem = case.problem();
        let scale = spread(&problem);
        // From much too low to much too high, of one size or of many.
        let level = [0.1, 0.5, 1.0, 3.0, 1e6][rng.random_range(0..5usize)];
        let duals: Vec<f64> = (0..problem.types())
            .map(|_| {
                let own = if rng.random_bool(0.1) { 1e3 } else { 1.0 };
                level * own * scale * (rng.random::<f64>() - 0.1)
            })
            .collect();
        let cuts = random_cuts(&mut rng, &problem, scale);
        attack(&case, &problem, &Tree, &duals, &cuts);
        let none = ActiveCuts::none(problem.types());
        let plain = attack(&case, &problem, &Tree, &duals, &none);
        if Boxes::fits(&problem) {
            attack(&case, &problem, &Boxes, &duals, &none);
            attack(&case, &problem, &BoxTree, &duals, &none);
            attack(&case, &problem, &BoxTree, &duals, &cuts);
        }
        positive += usize::from(plain > 0.0);
    }
    assert!(positive > 150, "{positive} bounds above 0");
}

/// The optimal duals of the full programme, blown up by about as much as tolerances forgive: where the relaxation is
/// integral their value would lie above the optimum.
#[test]
fn optimal_duals_blown_up_a_little_never_bound_too_much() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut tight = 0;
    for _ in 0..250 {
        let case = draw(&mut rng, 12);
        if !case.nasty.moderate() || case.optimum == 0.0 {
            continue;
        }
        let problem = case.problem();
        let none = ActiveCuts::none(problem.types());
        let (value, duals) = full_relaxation(&problem);
        let integral = (value - case.optimum).abs() < 1e-9 * case.optimum;
        for much in [0.0, 1e-15, 1e-13, 1e-11, 1e-10, 1e-9, 1e-6, 1e-3] {
            let blown: Vec<f64> = duals.iter().map(|x| x + much * x.abs()).collect();
            let mut bounds = vec![attack(&case, &problem, &Tree, &blown, &none)];
            if Boxes::fits(&problem) {
                bounds.push(attack(&case, &problem, &Boxes, &blown, &none));
                bounds.push(attack(&case, &problem, &BoxTree, &blown, &none));
            }
            // Nor is anything given away where there is next to nothing to repair.
            if integral && much < 1e-8 {
                assert!(bounds.iter().all(|b| *b > case.optimum * (1.0 - 1e-4)), "{bounds:?} {case:?}");
                tight += 1;
            }
        }
    }
    assert!(tight > 200, "{tight} tight bounds");
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
#[should_panic(expected = "is above the optimum")]
fn a_pricing_that_finds_nothing_is_found_out() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    for _ in 0..100 {
        let case = draw(&mut rng, 10);
        let problem = case.problem();
        let duals = vec![2.0 * spread(&problem); problem.types()];
        attack(&case, &problem, &Blind, &duals, &ActiveCuts::none(problem.types()));
    }
}

fn run(case: &Case, params: &AllParams) -> (Answer, Option<f64>) {
    let mut search = column_generation(&case.job, Sse, case.job.rule.clone(), params).unwrap();
    while !search.step(&Ctx::silent(), 0.0).unwrap() {
        let bound = search.bound().unwrap_or(0.0);
        assert!(bound <= case.optimum * (1.0 + 1e-9), "{bound} on the way: {case:?}");
    }
    (search.finish(), search.relaxation())
}

#[test]
fn whole_runs_on_nasty_instances_stay_below_the_optimum_and_reach_the_relaxation() {
    whole_runs(&AllParams::default());
}

/// The duals of large tables, here of small ones.
#[test]
fn so_do_runs_whose_duals_are_raised_before_the_first_master() {
    let mut exact = Params::default();
    exact.first_duals.types = 0;
    whole_runs(&AllParams { exact: Arc::new(exact), ..AllParams::default() });
}

fn whole_runs(params: &AllParams) {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let (mut moderate, mut nasty, mut certified) = (0, 0, 0);
    for _ in 0..400 {
        let mut case = draw(&mut rng, 14);
        let extent = Extent::Whole { duals: true };
        case.job.method = ColumnGenerationOptions { extent, ..ColumnGenerationOptions::default() }.into();
        let (answer, relaxation) = run(&case, params);
        verify(&case.job, &answer).unwrap();
        let slack = 1e-9 * case.optimum;
        assert!(answer.loss >= case.optimum - slack, "{} {case:?}", answer.loss);
        let bound = answer.bound.as_ref().map_or(0.0, |b| b.value);
        assert!(bound <= case.optimum + slack, "{bound} {case:?}");
        // Status and bound say the same.
        if answer.status == Status::Optimal {
            assert!(answer.loss <= case.optimum + slack, "{} {case:?}", answer.loss);
        }
        if let Some(duals) = &answer.duals {
            let cuts: f64 =
                duals.cuts.iter().map(|c| c.sigma * (c.records.len() / c.divisor as usize) as f64).sum();
            let value = duals.values.iter().sum::<f64>() - cuts;
            assert!(value <= bound + 1e-6 * case.optimum, "{value} {bound} {case:?}");
            certified += 1;
        }
        if !case.nasty.moderate() {
            nasty += 1;
            continue;
        }
        assert_eq!(answer.status, Status::Optimal, "{case:?}");
        assert!((bound - case.optimum).abs() <= 1e-6 * case.optimum.max(1.0), "{bound} {case:?}");
        let (full, _) = full_relaxation(&case.problem());
        // A gap that was closed before the end was closed by the relaxation.
        let reached = relaxation.unwrap_or(bound);
        assert!((reached - full).abs() <= 1e-6 * case.optimum.max(1.0), "{reached} of {full}: {case:?}");
        moderate += 1;
    }
    assert!(moderate > 120 && nasty > 150 && certified > 250, "{moderate} {nasty} {certified}");
}
