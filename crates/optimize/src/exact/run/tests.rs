use std::sync::Arc;

use lookalike_model::{
    Ctx,
    instance::Instance,
    loss::Sse,
    rule::Rule,
    settings::{Budget, Construction},
};
use lookalike_testkit::best_partition_sse;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{construct, exact::params};

fn instance() -> Arc<Instance> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut column = || (0..120).map(|_| rng.random::<f64>()).collect::<Vec<f64>>();
    Arc::new(Instance::from_columns(&[column(), column(), column()], &[], &[0; 120]).unwrap())
}

/// A run that has a first bound, whose annealing is said to be on its way down.
fn bounded(effort: f64) -> ColumnGeneration<Sse> {
    let (instance, rule) = (instance(), Rule::at_least(5));
    let start = construct::build(Construction::Classic, &instance, &Sse, &rule, 1).unwrap();
    // Without lists.
    let options = Options { duals: true, seed: 1, ..Options::of(Budget::Effort(effort)) };
    let mut run = ColumnGeneration::from(&instance, &start, Sse, rule, &options).unwrap();
    while !matches!(run.stage, Stage::Separation) {
        assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
    }
    assert!(run.controller.state.gap() > 2.0 * params::Annealing::default().least_gap * loss(&run));
    run.controller.annealing.pretend(true, true, None);
    assert!(!run.controller.annealing.begin_after_cuts(&run.controller.state), "cuts come first");
    cuts_have_had_their_time(&mut run, true, true);
    run.stage = Stage::Master;
    run
}

/// Says that cuts have had their time.
fn cuts_have_had_their_time(run: &mut ColumnGeneration<Sse>, falling: bool, due: bool) {
    let from = spent(run) - 1.1 * params::Annealing::default().cuts_share;
    run.controller.annealing.pretend(falling, due, Some(from));
}

fn begin_long(run: &mut ColumnGeneration<Sse>) -> bool {
    run.controller.annealing.begin_long(&run.controller.state)
}

fn spent(run: &ColumnGeneration<Sse>) -> f64 {
    run.controller.state.effort.spent()
}

fn loss(run: &ColumnGeneration<Sse>) -> f64 {
    run.controller.state.incumbent.loss()
}

fn moves(run: &ColumnGeneration<Sse>) -> u64 {
    run.controller.annealing.moves()
}

fn rounds(run: &ColumnGeneration<Sse>) -> u64 {
    run.controller.state.master.rounds()
}

fn unsolved(run: &ColumnGeneration<Sse>) -> usize {
    run.controller.state.master.unsolved_cuts()
}

#[test]
fn a_long_run_is_paid_for_and_the_master_follows_it() {
    let mut run = bounded(3.0);
    let (moves_before, spent_before, loss_before) = (moves(&run), spent(&run), loss(&run));
    let share = params::Annealing::default().long_share * (1.0 - spent_before);
    assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
    assert!(matches!(run.stage, Stage::Annealing));
    while matches!(run.stage, Stage::Annealing) {
        assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
    }
    let made = (moves(&run) - moves_before) as f64;
    let work = params::Work::default();
    let asked = share * 3.0 * work.nodes_per_effort * work.moves_per_node;
    assert!((0.9..1.1).contains(&(made / asked)), "{made} of {asked}");
    assert!(
        (0.9..1.1).contains(&((spent(&run) - spent_before) / share)),
        "{} of {share}",
        spent(&run) - spent_before
    );
    assert!(loss(&run) <= loss_before);
    let before = rounds(&run);
    assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
    assert_eq!(rounds(&run), before + 1, "the master is solved before anything relies on it");
    // The next one has to be called for.
    run.controller.annealing.pretend(true, false, None);
    assert!(!begin_long(&mut run));
    run.controller.annealing.call();
    assert!(begin_long(&mut run));
}

#[test]
fn cuts_before_a_long_run_are_solved_after_it_and_raise_the_bound() {
    let mut run = bounded(3.0);
    run.stage = Stage::Separation;
    assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
    let (entered, before, bound) = (unsolved(&run), rounds(&run), run.bound().unwrap());
    assert!(entered > 0, "there are cuts");
    cuts_have_had_their_time(&mut run, true, true);
    assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
    assert!(matches!(run.stage, Stage::Annealing), "the long run comes first");
    while matches!(run.stage, Stage::Annealing) {
        assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
    }
    assert_eq!((unsolved(&run), rounds(&run)), (entered, before), "it solves nothing");
    while rounds(&run) < before + 3 {
        let relies = !matches!(run.stage, Stage::Annealing | Stage::Master);
        assert!(!relies || unsolved(&run) == 0, "{}", run.stage.phase());
        assert!(!run.step(&Ctx::silent(), 0.0).unwrap(), "there is budget left");
    }
    while run.bound().unwrap() <= bound {
        assert!(!run.step(&Ctx::silent(), 0.0).unwrap(), "the cuts have raised nothing");
    }
}

#[test]
fn nothing_relies_on_a_solution_that_knows_fewer_cuts() {
    let mut run = bounded(3.0);
    run.controller.annealing.pretend(true, true, None);
    let (mut runs, mut entered, mut both) = (0_u32, 0, 0);
    loop {
        // Annealing is said to be worth its while again and again, whenever cuts have entered.
        let unsolved = unsolved(&run) > 0;
        if unsolved && spent(&run) > 0.1 * f64::from(runs) {
            cuts_have_had_their_time(&mut run, true, true);
            runs += 1;
        }
        entered += usize::from(unsolved);
        both += usize::from(unsolved && matches!(run.stage, Stage::Annealing));
        let relies = !matches!(run.stage, Stage::Annealing | Stage::Master | Stage::Done(_));
        assert!(!relies || !unsolved, "{}", run.stage.phase());
        if run.step(&Ctx::silent(), 0.0).unwrap() {
            break;
        }
    }
    assert!(entered > 0 && both > 0 && run.controller.annealing.is_long(), "{entered} {both} {runs}");
    assert!(
        run.controller.neighbourhoods.count() > 0 && run.controller.turns.cuts() > 0.0,
        "cuts and neighbourhoods take turns"
    );
}

#[test]
fn a_long_run_is_not_for_narrow_gaps_nor_small_budgets_nor_where_annealing_has_ended() {
    let mut run = bounded(3.0);
    let little = Budget::Effort(3.0 * 1.1 * spent(&run));
    run.controller.state.effort.set_budget(little);
    assert!(!begin_long(&mut run));
    let mut run = bounded(3.0);
    run.controller.annealing.pretend(false, true, None);
    assert!(!begin_long(&mut run));
    let mut run = bounded(3.0);
    let state = &mut run.controller.state;
    let near = state.dual_bound.proven() * (1.0 + 0.5 * params::Annealing::default().least_gap);
    state.incumbent = Incumbent::new(state.incumbent.partition().clone(), near);
    assert!(!begin_long(&mut run));
}

/// A run that asks for duals, so that cuts are tried before lists; the tree may have no node.
fn run(points: &[f64], dims: usize, colours: &[u32], rule: Rule) -> (f64, f64, bool) {
    let columns: Vec<Vec<f64>> =
        (0..dims).map(|j| points.iter().skip(j).step_by(dims).copied().collect()).collect();
    let instance = Arc::new(Instance::from_columns(&columns, &[], colours).unwrap());
    let start = construct::build(Construction::Classic, &instance, &Sse, &rule, 1).unwrap();
    let mut params = Params::default();
    params.pricing.tree_nodes = 0;
    let budget = Budget::Effort(0.5);
    let options = Options { duals: true, seed: 1, params: Arc::new(params), ..Options::of(budget) };
    let mut run = ColumnGeneration::from(&instance, &start, Sse, rule, &options).unwrap();
    let ctx = Ctx::silent();
    let mut steps = 0;
    while !run.step(&ctx, 0.0).unwrap() {
        steps += 1;
        assert!(steps < 100_000);
    }
    let controller = &run.controller;
    (run.bound().unwrap_or(0.0), controller.state.dual_bound.proven(), controller.pricing.is_by_boxes())
}

#[test]
fn bounds_by_boxes_with_cuts_stay_below_the_optimum() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut boxed = 0;
    for case in 0..60 {
        let (n, dims) = (rng.random_range(9..13_usize), 1 + case % 4);
        let points: Vec<f64> = (0..n * dims).map(|_| f64::from(rng.random_range(0..12u32))).collect();
        let colours: Vec<u32> = (0..n as u32).map(|i| i % 5).collect();
        let distinct = case % 3 > 0;
        let optimum = best_partition_sse(&points, dims, distinct.then_some(&colours), 3);
        let (bound, proven, by_boxes) = if distinct {
            run(&points, dims, &colours, Rule::all_different(3))
        } else {
            run(&points, dims, &colours, Rule::at_least(3))
        };
        let most = optimum * (1.0 + 1e-9) + 1e-9;
        assert!(bound <= most && proven <= most, "{bound} and {proven} above {optimum}");
        boxed += usize::from(by_boxes);
    }
    assert!(boxed > 5, "{boxed}");
}

/// What proves the answer of a run over 24 records whose list is settled with so many node evaluations of our own.
fn proof_of(evaluations: u64) -> (Status, String) {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut column = || (0..24).map(|_| rng.random::<f64>()).collect::<Vec<f64>>();
    let instance = Arc::new(Instance::from_columns(&[column(), column()], &[], &[0; 24]).unwrap());
    let rule = Rule::at_least(3);
    let start = construct::build(Construction::Classic, &instance, &Sse, &rule, 1).unwrap();
    let mut params = Params::default();
    params.integer_master.evaluations = evaluations;
    let options = Options { seed: 1, params: Arc::new(params), ..Options::of(Budget::Effort(20.0)) };
    let mut run = ColumnGeneration::from(&instance, &start, Sse, rule, &options).unwrap();
    while !run.step(&Ctx::silent(), 0.0).unwrap() {}
    let answer = run.finish();
    (answer.status, answer.bound.unwrap().proven_by.to_string())
}

#[test]
fn an_optimum_that_rests_on_a_solver_of_integer_programmes_says_so() {
    let ours = proof_of(params::IntegerMaster::default().evaluations);
    let solvers = proof_of(0);
    assert_eq!((&ours.0, &solvers.0), (&Status::Optimal, &Status::Optimal));
    for (_, words) in [&ours, &solvers] {
        assert!(words.contains("no partition into them does"), "{words}");
    }
    assert!(!ours.1.contains("solver"), "{}", ours.1);
    assert!(
        solvers.1.contains("as a solver of integer programmes found within its tolerances"),
        "{}",
        solvers.1
    );
}

#[test]
fn duals_are_raised_before_the_first_master_of_a_large_table() {
    let (instance, rule) = (instance(), Rule::at_least(5));
    let start = construct::build(Construction::Classic, &instance, &Sse, &rule, 1).unwrap();
    let began = |types: usize| {
        let mut exact = Params::default();
        exact.first_duals.types = types;
        let options = Options { seed: 1, params: Arc::new(exact), ..Options::of(Budget::Effort(20.0)) };
        let mut run = ColumnGeneration::from(&instance, &start, Sse, rule.clone(), &options).unwrap();
        let first = run.bound().unwrap();
        let mut rounds = 0;
        while run.stage != Stage::Master {
            assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
            rounds = rounds.max(match run.stage {
                Stage::FirstDuals { round } => round,
                _ => 0,
            });
        }
        (rounds, run.bound().unwrap() / first, run)
    };
    let (rounds, times, run) = began(121);
    assert!(rounds == 0 && times == 1.0 && run.controller.state.dual_bound.proof().is_none());
    let (rounds, times, mut run) = began(120);
    assert!(rounds > 1 && times > 1.2, "{rounds} {times}");
    let state = &run.controller.state;
    let (loss, raised) = (state.incumbent.loss(), run.bound().unwrap());
    // The master begins with the classes that were met, so that it is worth what they prove and no more than the loss.
    while run.controller.state.master.rounds() == 0 {
        assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
    }
    let value = run.controller.state.master.value();
    assert!(value >= raised * (1.0 - 1e-9) && value <= loss * (1.0 + 1e-9), "{raised} {value} {loss}");
}
