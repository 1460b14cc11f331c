//! The linear relaxation over all classes.

use lookalike_lp::master::{self, Column, Limits, Target};
use lookalike_optimize::exact::{
    cuts::ActiveCuts,
    pricing::{Enumerate, Request, sweep},
    problem::Problem,
};

/// The value of the linear relaxation over all classes, and its duals, one a type.
pub(crate) fn full_relaxation(problem: &Problem) -> (f64, Vec<f64>) {
    let duals = vec![0.0; problem.types()];
    let none = ActiveCuts::none(problem.types());
    let all = Request { threshold: f64::INFINITY, ..sweep::request(problem, &duals, &none, usize::MAX) };
    let columns: Vec<Column> = sweep::price(&Enumerate, &all)
        .columns
        .into_iter()
        .map(|c| Column { cost: c.reduced_cost, rows: c.members, cuts: Vec::new() })
        .collect();
    let right: Vec<f64> = (0..problem.types()).map(|t| problem.multiplicity(t) as f64).collect();
    let mut master = master::open(master::Programme::new(&right, 1e6).unwrap()).unwrap();
    master.add_columns(&columns).unwrap();
    let solution = master.solve(Target::Primal, &Limits::none()).unwrap();
    assert!(solution.artificial.unwrap() < 1e-6);
    (solution.value, solution.duals)
}
