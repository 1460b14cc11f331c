//! With HiGHS.

use highs::{Col, HighsModelStatus, HighsSolutionStatus, HighsStatus, RowProblem, Sense};

use super::{Answer, GAP, Integer, Limits};
use crate::{Error, Failure};

/// How far a row or a whole number may be off. Much below the usual 1e-6, since a bound rests on it.
const TOLERANCE: f64 = 1e-9;

pub(super) fn solve(programme: &Integer, limits: Limits) -> Result<Answer, Error> {
    let mut problem = RowProblem::new();
    let columns: Vec<Col> = programme
        .columns
        .iter()
        .map(|c| {
            if c.whole {
                problem.add_integer_column(c.cost, 0.0..=c.upper)
            } else {
                problem.add_column(c.cost, 0.0..=c.upper)
            }
        })
        .collect();
    for row in &programme.rows {
        let coefficients = row.coefficients.iter().map(|&(c, x)| (columns[c.0], x));
        problem.add_row(row.lower..=row.upper, coefficients);
    }
    let mut model = problem.try_optimise(Sense::Minimise).map_err(status)?;
    model.make_quiet();
    // One thread: the answer must not depend on the machine.
    let mut options = vec![
        ("threads", model.try_set_option("threads", 1)),
        ("mip_rel_gap", model.try_set_option("mip_rel_gap", GAP)),
        ("mip_abs_gap", model.try_set_option("mip_abs_gap", 0.0)),
        ("mip_feasibility_tolerance", model.try_set_option("mip_feasibility_tolerance", TOLERANCE)),
        ("primal_feasibility_tolerance", model.try_set_option("primal_feasibility_tolerance", TOLERANCE)),
        (
            "mip_max_nodes",
            model.try_set_option("mip_max_nodes", i32::try_from(limits.nodes).unwrap_or(i32::MAX)),
        ),
    ];
    if limits.seconds.is_finite() {
        options.push(("time_limit", model.try_set_option("time_limit", limits.seconds.max(0.0))));
    }
    if let Some((option, _)) = options.into_iter().find(|(_, taken)| taken.is_err()) {
        return Err(failed(Failure::RefusesOption { option }));
    }
    if !programme.start.is_empty() {
        // A start that it does not take costs time, not truth.
        let _ = model.try_set_solution(Some(&programme.start), None, None, None);
    }
    let solved = model.try_solve().map_err(status)?;
    let complete = match solved.status() {
        HighsModelStatus::Optimal | HighsModelStatus::Infeasible => true,
        HighsModelStatus::ReachedTimeLimit
        | HighsModelStatus::ReachedSolutionLimit
        | HighsModelStatus::ReachedIterationLimit => false,
        other => return Err(failed(Failure::Ended { status: format!("{other:?}") })),
    };
    let feasible = solved.primal_solution_status() == HighsSolutionStatus::Feasible;
    Ok(Answer {
        values: feasible.then(|| solved.get_solution().columns().to_vec()),
        bound: solved.double_info_value(c"mip_dual_bound").unwrap_or(f64::NEG_INFINITY),
        complete,
    })
}

fn status(status: HighsStatus) -> Error {
    failed(Failure::Answers { status: format!("{status:?}") })
}

fn failed(why: Failure) -> Error {
    Error::Backend { backend: "highs", why }
}
