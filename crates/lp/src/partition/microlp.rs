//! With microlp: for programmes of some hundred classes.

use std::time::Duration;

use microlp::{
    ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOptions, TerminationReason, Variable,
};

use super::{Answer, GAP, Limits, Programme, by_row};
use crate::Error;

pub(super) fn solve(programme: &Programme, limits: Limits) -> Result<Answer, Error> {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let variables: Vec<Variable> = programme
        .classes
        .iter()
        .map(|(cost, rows)| {
            let most = rows.iter().map(|&r| programme.right[r as usize]).min().unwrap_or(0);
            problem.add_integer_var(*cost, (0, i32::try_from(most).unwrap_or(i32::MAX)))
        })
        .collect();
    for (row, &right) in by_row(programme).into_iter().zip(programme.right) {
        let sum: LinearExpr = row.into_iter().map(|(c, count)| (variables[c], count)).collect();
        problem.add_constraint(sum, ComparisonOp::Eq, right as f64);
    }
    for (rhs, coefficients) in programme.cuts {
        let sum: LinearExpr = coefficients.iter().map(|&(c, x)| (variables[c as usize], x)).collect();
        problem.add_constraint(sum, ComparisonOp::Le, *rhs);
    }
    let mut options = SolveOptions::default();
    options.node_limit = Some(u64::from(limits.nodes));
    options.mip_gap = GAP;
    if !programme.start.is_empty() {
        let mut values = vec![0.0; variables.len()];
        for &class in programme.start {
            values[class as usize] += 1.0;
        }
        options.warm_start = Some(variables.iter().copied().zip(values).collect());
    }
    if limits.seconds.is_finite() {
        options.time_limit = Some(Duration::from_secs_f64(limits.seconds.max(0.0)));
    }
    let outcome = match problem.solve_with(options) {
        Ok(outcome) => outcome,
        Err(microlp::Error::Infeasible) => {
            return Ok(Answer { values: None, bound: f64::INFINITY, complete: true });
        }
        Err(other) => return Err(Error::says("microlp", &other)),
    };
    let complete =
        matches!(outcome.termination_reason(), TerminationReason::ProvenOptimal | TerminationReason::MipGap);
    let values = outcome.solution().map(|s| variables.iter().map(|&v| s.var_value(v)).collect());
    let bound = outcome.stats().best_bound.unwrap_or(f64::NEG_INFINITY);
    Ok(Answer { values, bound, complete })
}
