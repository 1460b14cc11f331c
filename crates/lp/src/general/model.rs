//! The programme as it is handed to a solver.

use good_lp::{
    Constraint, Expression, ProblemVariables, ResolutionError, Solution as _, SolutionStatus, SolverModel,
    Variable, WithTimeLimit, constraint, variable,
};

use super::{Limits, Programme, Solution, columns::columns};
use crate::{Backend, Error, Failure};

/// What the back ends say when a limit comes before any solution.
const NOTHING: [&str; 2] = ["NoSolutionFound", "Time limit reached before finding a feasible solution"];

pub(super) fn solve(programme: &Programme, backend: Backend, limits: Limits) -> Result<Solution, Error> {
    let records = programme.values.len() / programme.attributes.len();
    let columns = columns(programme);
    let alike = |i: usize, l: usize| programme.start[i] == programme.start[l];
    let known = !programme.start.is_empty();
    let mut model = ProblemVariables::new();
    let mut rows: Vec<Constraint> = Vec::new();
    let mut pairs: Vec<(usize, usize, Variable)> = Vec::new();
    let mut degree = vec![Expression::default(); records];
    for i in 0..records {
        for l in i + 1..records {
            let mut v = variable().binary();
            if known {
                v = v.initial(u8::from(alike(i, l)));
            }
            let v = model.add(v);
            degree[i].add_mul(1.0, v);
            degree[l].add_mul(1.0, v);
            pairs.push((i, l, v));
        }
    }
    rows.extend(degree.into_iter().map(|sum| constraint!(sum >= (programme.k - 1) as f64)));
    let mut objective = Expression::default();
    for column in &columns {
        let ends: Vec<(Variable, Variable)> = (0..records)
            .map(|i| {
                let x = column.values[i];
                let mut y = variable().min(column.lower).max(x);
                let mut z = variable().min(x).max(column.upper);
                if column.whole {
                    (y, z) = (y.integer(), z.integer());
                }
                if known {
                    let class = (0..records).filter(|&l| alike(i, l)).map(|l| column.values[l]);
                    let (low, high) = class.fold((x, x), |(low, high), x| (low.min(x), high.max(x)));
                    (y, z) = (y.initial(low), z.initial(high));
                }
                let (y, z) = (model.add(y), model.add(z));
                objective.add_mul(column.high, z);
                objective.add_mul(-column.low, y);
                (y, z)
            })
            .collect();
        for &(i, l, v) in &pairs {
            let (a, b) = (column.values[i], column.values[l]);
            let below = a.max(b) - column.lower;
            let above = column.upper - a.min(b);
            for (one, other, most) in [(ends[i].0, ends[l].0, below), (ends[i].1, ends[l].1, above)] {
                rows.push(constraint!(one - other <= most - most * v));
                rows.push(constraint!(other - one <= most - most * v));
            }
        }
    }
    let problem = model.minimise(objective);
    let answer = match backend {
        Backend::Microlp => {
            let mut model = problem.using(good_lp::microlp);
            if limits.seconds.is_finite() {
                model = model.with_time_limit(limits.seconds.max(0.0));
            }
            run(model, rows, &pairs)
        }
        #[cfg(feature = "highs")]
        Backend::Highs => {
            let mut model = good_lp::highs(problem)
                .set_option("mip_rel_gap", 0.0)
                .set_option("threads", 1)
                .set_option("parallel", "off")
                .set_option("mip_max_nodes", i32::try_from(limits.nodes).unwrap_or(i32::MAX))
                .set_option("output_flag", false);
            if limits.seconds.is_finite() {
                model = model.with_time_limit(limits.seconds.max(0.0));
            }
            run(model, rows, &pairs)
        }
    };
    let Some((edges, complete)) = answer.map_err(|why| Error::says(backend.name(), &why))? else {
        return Ok(Solution { labels: None, complete: false });
    };
    let labels = components(records, &edges);
    let mut sizes = vec![0; records];
    for &label in &labels {
        sizes[label as usize] += 1;
    }
    if let Some(&small) = sizes.iter().find(|&&s| s > 0 && s < programme.k) {
        let why = Failure::SmallClass { records: small };
        return Err(Error::Backend { backend: backend.name(), why });
    }
    Ok(Solution { labels: Some(labels), complete })
}

/// Pairs that are published alike, and whether that is optimal; `None` if there was no time for a solution.
type Pairs = Option<(Vec<(usize, usize)>, bool)>;

fn run(
    mut model: impl SolverModel<Error = ResolutionError>,
    rows: Vec<Constraint>,
    pairs: &[(usize, usize, Variable)],
) -> Result<Pairs, ResolutionError> {
    for row in rows {
        model.add_constraint(row);
    }
    let solution = match model.solve() {
        Err(ResolutionError::Other(why)) if NOTHING.contains(&why) => return Ok(None),
        other => other?,
    };
    let chosen = pairs.iter().filter(|p| solution.value(p.2) > 0.5).map(|p| (p.0, p.1)).collect();
    // With a relative gap of 0, HiGHS still allows its absolute gap of 1e-6.
    Ok(Some((chosen, !matches!(solution.status(), SolutionStatus::TimeLimit))))
}

/// The connected components, numbered by their first record.
fn components(records: usize, edges: &[(usize, usize)]) -> Vec<u32> {
    let mut labels: Vec<usize> = (0..records).collect();
    // Ascending pairs: a label only ever falls to that of an earlier record.
    loop {
        let mut changed = false;
        for &(i, l) in edges {
            let least = labels[i].min(labels[l]);
            changed |= labels[i] != least || labels[l] != least;
            (labels[i], labels[l]) = (least, least);
        }
        if !changed {
            break;
        }
    }
    labels.into_iter().map(|label| label as u32).collect()
}
