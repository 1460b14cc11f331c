//! With microlp.

use std::time::Duration;

use microlp::{
    ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOptions, TerminationReason, Variable,
};

use super::{Answer, GAP, Integer, Limits};
use crate::Error;

pub(super) fn solve(programme: &Integer, limits: Limits) -> Result<Answer, Error> {
    match run(programme, limits, true) {
        // A basis that it cannot factorise: without the known solution it goes another way.
        Err(microlp::Error::InternalError(_)) if !programme.start.is_empty() => run(programme, limits, false),
        other => other,
    }
    .map_err(|why| Error::says("microlp", &why))
}

fn run(programme: &Integer, limits: Limits, started: bool) -> Result<Answer, microlp::Error> {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let variables: Vec<Variable> = programme
        .columns
        .iter()
        .map(|c| {
            if c.whole {
                // At most the largest 32-bit number.
                problem.add_integer_var(c.cost, (0, c.upper as i32))
            } else {
                problem.add_var(c.cost, (0.0, c.upper))
            }
        })
        .collect();
    for row in &programme.rows {
        let sum: LinearExpr = row.coefficients.iter().map(|&(c, x)| (variables[c.0], x)).collect();
        if row.lower == row.upper {
            problem.add_constraint(sum, ComparisonOp::Eq, row.upper);
        } else {
            problem.add_constraint(sum, ComparisonOp::Le, row.upper);
        }
    }
    let mut options = SolveOptions::default();
    options.node_limit = Some(u64::from(limits.nodes));
    options.mip_gap = GAP;
    if started && !programme.start.is_empty() {
        options.warm_start = Some(variables.iter().copied().zip(programme.start.iter().copied()).collect());
    }
    if limits.seconds.is_finite() {
        options.time_limit = Some(Duration::from_secs_f64(limits.seconds.max(0.0)));
    }
    let outcome = match problem.solve_with(options) {
        Ok(outcome) => outcome,
        Err(microlp::Error::Infeasible) => {
            return Ok(Answer { values: None, bound: f64::INFINITY, complete: true });
        }
        Err(other) => return Err(other),
    };
    let complete =
        matches!(outcome.termination_reason(), TerminationReason::ProvenOptimal | TerminationReason::MipGap);
    let values = outcome.solution().map(|s| variables.iter().map(|&v| s.var_value(v)).collect());
    Ok(Answer { values, bound: outcome.stats().best_bound.unwrap_or(f64::NEG_INFINITY), complete })
}
