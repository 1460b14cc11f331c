//! The programme as it is handed to a solver.
//!
//! Two reformulations, both exact, keep it small and quick to solve for any table:
//!
//! * **A cap.** `m x_i <= sum x` for every `i` holds iff some integer `t` has `x_i <= t` and `m t <= sum x`. With the
//!   variable `t` the matrix has one dense row instead of `l`. `t >= 1` excludes the empty table.
//! * **Groups.** Values with the same count and costs are interchangeable: `k` of them become one with
//!   `k c + a - d <= k t`, and the answer is spread evenly over them, which keeps each at most `t` because `t` is an
//!   integer. A table of n records has at most sqrt(2n) different counts.
//!
//! For a fixed integer `t` every column has at most two non-zeros, of opposite sign when the rows are written as
//! `<=`: a network matrix, so every vertex is integer. Both back ends answer with vertices and are therefore told of
//! one integer variable only, the cap: a node or two instead of a search through the changes, whose ranges are huge.
//! An answer that is not integer would be refused.

use std::collections::BTreeMap;

use good_lp::{
    Constraint, Expression, ProblemVariables, ResolutionError, Solution, SolutionStatus, SolverModel,
    Variable, constraint, variable,
};

use lookalike_words::Figure;

use super::{Allowed, Changes, Costs};
use crate::{Backend, Error, Failure};

/// Largest distance from an integer that is still taken for one; ten times the solvers' own tolerance.
const INTEGRALITY: f64 = 1e-5;

/// Above this cost a solver's relative tolerance (microlp: 1e-9) may hide a change; see [`solve`].
const EXACT_COST: i128 = 100_000_000;

/// Re-solves around an answer until it stays; one is the rule.
const MAX_ROUNDS: usize = 10;

/// Values that share their count and costs.
struct Group {
    count: i64,
    addition_cost: i64,
    deletion_cost: i64,
    /// Indices of the values, ascending.
    members: Vec<usize>,
}

/// A point of the programme: the cap, and (additions, deletions) of each group.
struct Point {
    cap: i64,
    changes: Vec<(i64, i64)>,
}

impl Point {
    fn cost(&self, groups: &[Group]) -> i128 {
        let product = |cost: i64, amount: i64| i128::from(cost) * i128::from(amount);
        let changes = groups.iter().zip(&self.changes);
        changes.map(|(g, &(a, d))| product(g.addition_cost, a) + product(g.deletion_cost, d)).sum()
    }
}

/// States the programme, solves it and spreads the answer over the values. Expects valid, feasible input with a
/// record.
///
/// A cost above 10^8 is confirmed by solving again for the differences to the answer: their optimum is 0 if the
/// answer is optimal, and near 0 relative tolerances hide nothing.
pub(super) fn solve(
    counts: &[u64],
    m: u64,
    allowed: Allowed,
    costs: &Costs,
    backend: Backend,
) -> Result<Changes, Error> {
    let fail = |why: Failure| Error::Backend { backend: backend.name(), why };
    let groups = group(counts, costs);
    let origin = Point { cap: 0, changes: vec![(0, 0); groups.len()] };
    let mut best = solve_around(&origin, &groups, m, allowed, backend)?;
    for _ in 0..MAX_ROUNDS {
        let cost = best.cost(&groups);
        if cost <= EXACT_COST {
            return spread(&groups, &best, counts.len()).map_err(fail);
        }
        let next = solve_around(&best, &groups, m, allowed, backend)?;
        if next.cost(&groups) >= cost {
            return spread(&groups, &best, counts.len()).map_err(fail);
        }
        best = next;
    }
    Err(fail(Failure::StillImproving { rounds: MAX_ROUNDS }))
}

/// Solves the programme in terms of the differences to `origin`.
fn solve_around(
    origin: &Point,
    groups: &[Group],
    m: u64,
    allowed: Allowed,
    backend: Backend,
) -> Result<Point, Error> {
    let largest = groups.iter().map(|g| g.count).max().unwrap_or(0);
    let mut variables = ProblemVariables::new();
    let between = |least: i64, most: i64| variable().min(least as f64).max(most as f64);
    // No optimum needs a cap above the largest count (docs/eligibility.md).
    let cap = variables.add(between(1 - origin.cap, largest - origin.cap).integer());
    let mut objective = Expression::default();
    let mut rows: Vec<Constraint> = Vec::with_capacity(groups.len() + 1);
    let mut columns = Vec::with_capacity(groups.len());
    let mut balance = Expression::default();
    let mut surplus = -m.cast_signed() * origin.cap;
    for (g, &(added, deleted)) in groups.iter().zip(&origin.changes) {
        let size = g.members.len().cast_signed() as i64;
        let published = size * g.count + added - deleted;
        surplus += published;
        let mut after = Expression::from((published - size * origin.cap) as f64);
        let mut column = |allowed: bool, now: i64, most: i64, cost: i64, sign: f64| {
            allowed.then(|| {
                let change = variables.add(between(-now, size * most - now));
                objective.add_mul(cost as f64, change);
                after.add_mul(sign, change);
                balance.add_mul(sign, change);
                change
            })
        };
        columns.push((
            column(allowed.additions, added, largest - g.count, g.addition_cost, 1.0),
            column(allowed.deletions, deleted, g.count, g.deletion_cost, -1.0),
        ));
        rows.push(constraint!(after <= size as f64 * cap));
    }
    rows.push(constraint!(m as f64 * cap <= balance + surplus as f64));

    let problem = variables.minimise(objective);
    let solved = match backend {
        Backend::Microlp => run(problem.using(good_lp::microlp), rows, cap, &columns),
        #[cfg(feature = "highs")]
        Backend::Highs => {
            // The default relative gap of 1e-4 would call an answer optimal that is not. One thread: the programme
            // is small, and HiGHS's thread pool would outlive it.
            let highs = good_lp::highs(problem)
                .set_option("mip_rel_gap", 0.0)
                .set_option("parallel", "off")
                .set_option("output_flag", false);
            run(highs, rows, cap, &columns)
        }
    };
    // That a solution exists was checked before: "infeasible" is a failure too.
    let difference = solved.map_err(|why| Error::Backend { backend: backend.name(), why })?;
    let changes = origin.changes.iter().zip(&difference.changes);
    Ok(Point {
        cap: origin.cap + difference.cap,
        changes: changes.map(|(o, d)| (o.0 + d.0, o.1 + d.1)).collect(),
    })
}

/// Solves and reads off the point, rounded.
fn run<M: SolverModel<Error = ResolutionError>>(
    mut model: M,
    rows: Vec<Constraint>,
    cap: Variable,
    columns: &[(Option<Variable>, Option<Variable>)],
) -> Result<Point, Failure> {
    for row in rows {
        model.add_constraint(row);
    }
    let solution = model.solve().map_err(|error| Failure::Says { words: error.to_string() })?;
    // HiGHS's absolute gap of 1e-6 lies below 1, the granularity of the objective, so a gap limit is an optimum too.
    if matches!(solution.status(), SolutionStatus::TimeLimit) {
        return Err(Failure::Unproven);
    }
    let value = |column: Option<Variable>| column.map_or(Ok(0), |c| round(solution.value(c)));
    let changes: Result<_, Failure> =
        columns.iter().map(|&(additions, deletions)| Ok((value(additions)?, value(deletions)?))).collect();
    Ok(Point { cap: value(Some(cap))?, changes: changes? })
}

fn round(value: f64) -> Result<i64, Failure> {
    let rounded = value.round();
    if (value - rounded).abs() > INTEGRALITY || rounded.abs() > 9e15 {
        return Err(Failure::NoCount { value: Figure::shortest(value) });
    }
    Ok(rounded as i64)
}

/// Groups of interchangeable values.
fn group(counts: &[u64], costs: &Costs) -> Vec<Group> {
    let mut by_key: BTreeMap<(u64, u64, u64), Vec<usize>> = BTreeMap::new();
    for (value, &count) in counts.iter().enumerate() {
        by_key.entry((count, costs.addition[value], costs.deletion[value])).or_default().push(value);
    }
    let groups = by_key.into_iter().map(|((count, addition, deletion), members)| Group {
        count: count.cast_signed(),
        addition_cost: addition.cast_signed(),
        deletion_cost: deletion.cast_signed(),
        members,
    });
    groups.collect()
}

/// Spreads the groups' changes evenly over their members, the first ones taking what is left over.
fn spread(groups: &[Group], point: &Point, len: usize) -> Result<Changes, Failure> {
    let mut changes = Changes::none(len);
    for (g, &(additions, deletions)) in groups.iter().zip(&point.changes) {
        for (amount, per_value) in [(additions, &mut changes.additions), (deletions, &mut changes.deletions)]
        {
            let amount = u64::try_from(amount)
                .map_err(|_| Failure::Changes { amount: Figure::shortest(amount as f64) })?;
            let size = g.members.len() as u64;
            for (rank, &value) in (0..).zip(&g.members) {
                per_value[value] = amount / size + u64::from(rank < amount % size);
            }
        }
    }
    Ok(changes)
}
