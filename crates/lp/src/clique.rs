//! The cheapest clique of a given size: the pricing programme (14) of Castro 2022, and its version with colours of Tobar 2023.
//!
//! Binary `z_ij` says that i and j are both in the class. For size eta:
//!
//! ```text
//! min  sum_ij (c_ij / eta) z_ij - sum_i lambda_i (sum_j z_ij) / (eta - 1)
//! s.t. sum z_ij = eta (eta - 1) / 2,    sum_{l != j} z_il >= (eta - 2) z_ij  for all ordered pairs (i, j)
//! ```
//!
//! Only for small cases and as an oracle: the relaxation is weak, and the answer holds within the back end's tolerances.

use good_lp::{Expression, Solution, SolverModel, Variable, constraint, variable, variables};

use crate::{Backend, Error, Failure, Fault};

/// The cheapest class of `eta` of the records, with its reduced cost; `None` if there is none. `square(i, j)` is the
/// squared distance of i < j, `None` if they may not be together.
///
/// # Errors
/// [`Error::Input`] for `eta < 2`; [`Error::Backend`] if the back end fails or its answer is no clique.
pub fn cheapest(
    duals: &[f64],
    eta: usize,
    square: impl Fn(usize, usize) -> Option<f64>,
    backend: Backend,
) -> Result<Option<(f64, Vec<usize>)>, Error> {
    let n = duals.len();
    if eta < 2 {
        return Err(Error::input(Fault::NoPair { records: eta }));
    }
    let fail = |why: Failure| Error::Backend { backend: backend.name(), why };
    let mut model = variables!();
    let mut objective = Expression::default();
    let mut total = Expression::default();
    let mut degree = vec![Expression::default(); n];
    let mut pairs: Vec<(usize, usize, Variable)> = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            let Some(c) = square(i, j) else { continue };
            let z = model.add(variable().binary());
            objective.add_mul(c / eta as f64 - (duals[i] + duals[j]) / (eta - 1) as f64, z);
            total.add_mul(1.0, z);
            degree[i].add_mul(1.0, z);
            degree[j].add_mul(1.0, z);
            pairs.push((i, j, z));
        }
    }
    let count = eta * (eta - 1) / 2;
    if pairs.len() < count {
        return Ok(None);
    }
    let mut rows = vec![constraint!(total == count as f64)];
    for &(i, j, z) in &pairs {
        for end in [i, j] {
            // The sum without the pair itself must be at least eta - 2, so with it eta - 1.
            rows.push(constraint!(degree[end].clone() >= (eta - 1) as f64 * z));
        }
    }
    let problem = model.minimise(objective);
    let chosen = match backend {
        Backend::Microlp => run(problem.using(good_lp::microlp), rows, &pairs),
        #[cfg(feature = "highs")]
        Backend::Highs => {
            let highs = good_lp::highs(problem)
                .set_option("mip_rel_gap", 0.0)
                .set_option("parallel", "off")
                .set_option("output_flag", false);
            run(highs, rows, &pairs)
        }
    };
    let mut members: Vec<usize> = match chosen.map_err(fail)? {
        Some(chosen) => chosen.into_iter().flat_map(|(i, j)| [i, j]).collect(),
        None => return Ok(None),
    };
    members.sort_unstable();
    members.dedup();
    let mut loss = 0.0;
    for (at, &i) in members.iter().enumerate() {
        for &j in &members[at + 1..] {
            loss += square(i, j).ok_or_else(|| fail(Failure::Apart { one: i, other: j }))?;
        }
    }
    if members.len() != eta {
        return Err(fail(Failure::ClassSize { chosen: members.len(), records: eta }));
    }
    let lambda: f64 = members.iter().map(|&i| duals[i]).sum();
    Ok(Some((loss / eta as f64 - lambda, members)))
}

/// Pairs that are chosen; `None` if there is no solution.
fn run(
    mut model: impl SolverModel<Error = good_lp::ResolutionError>,
    rows: Vec<good_lp::Constraint>,
    pairs: &[(usize, usize, Variable)],
) -> Result<Option<Vec<(usize, usize)>>, Failure> {
    for row in rows {
        model.add_constraint(row);
    }
    match model.solve() {
        Ok(solution) => {
            let chosen = pairs.iter().filter(|p| solution.value(p.2) > 0.5);
            Ok(Some(chosen.map(|p| (p.0, p.1)).collect()))
        }
        Err(good_lp::ResolutionError::Infeasible) => Ok(None),
        Err(other) => Err(Failure::Says { words: other.to_string() }),
    }
}
