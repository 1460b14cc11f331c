//! One level for a whole column, beside brute force over all nodes of small lattices and by hand.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

#[path = "support/conditions.rs"]
mod conditions;

use std::{cell::Cell, collections::BTreeMap, sync::Arc};

use conditions::{condition, wanted};
use lookalike_model::{
    Ctx, Error as ModelError, ErrorKind,
    job::{Answer, BoundOf, FurtherValues, Job, Ranks, Status},
    lattice::{Lattice, LatticeSet, Level, Levels},
    rule::{Infeasible, Rule},
    settings::{Budget, Loss},
    verify::verify,
};
use lookalike_optimize::{
    Error,
    solve::{Unfit, solve},
};
use lookalike_testkit::{Wanted, branches};
use proptest::prelude::*;

const RANKS: usize = 4;

/// A column as a table has it: for each leaf its labels from fine to coarse, the last one that of everything, and what each costs.
#[derive(Clone, Debug)]
struct Raw {
    paths: Vec<Vec<u32>>,
    costs: Vec<Vec<f64>>,
}

impl Raw {
    /// The penalty of labels by the leaves under them, times the weight.
    fn by_leaves(paths: Vec<Vec<u32>>, weight: f64) -> Self {
        let all = paths.len();
        let under = |level: usize, label: u32| paths.iter().filter(|path| path[level] == label).count();
        let cost = |path: &Vec<u32>| {
            let part = |level: usize| {
                if all < 2 { 0.0 } else { (under(level, path[level]) - 1) as f64 / (all - 1) as f64 }
            };
            (0..path.len()).map(|level| weight * part(level)).collect()
        };
        let costs = paths.iter().map(cost).collect();
        Self { paths, costs }
    }

    fn levels(&self, leaf: Vec<u32>) -> Levels {
        let level = |at: usize| Level {
            node: self.paths.iter().map(|path| path[at]).collect(),
            cost: self.costs.iter().map(|costs| costs[at]).collect(),
        };
        Levels { leaf, levels: (0..self.paths[0].len()).map(level).collect() }
    }
}

/// A tree over some leaves: each level joins labels of the one below at random, the last one all.
fn column() -> impl Strategy<Value = Raw> {
    (2..7_usize, prop::collection::vec(prop::collection::vec(0..3_u32, 7), 0..3), 1..9_u32, any::<bool>())
        .prop_map(|(leaves, joins, weight, by_leaves)| {
            let mut paths: Vec<Vec<u32>> = (0..leaves as u32).map(|leaf| vec![leaf]).collect();
            for join in joins {
                for path in &mut paths {
                    let below = *path.last().unwrap() as usize;
                    path.push(join[below] % leaves as u32);
                }
            }
            for path in &mut paths {
                path.push(0);
            }
            let weight = f64::from(weight) / 8.0;
            let raw = Raw::by_leaves(paths, weight);
            if by_leaves {
                return raw;
            }
            // Costs of leaves that differ, as those of intervals of different widths do.
            let costs = (raw.costs.iter().enumerate())
                .map(|(leaf, costs)| {
                    let shift = leaf as f64 / 16.0;
                    costs
                        .iter()
                        .enumerate()
                        .map(|(at, cost)| if at == 0 { 0.0 } else { cost + shift })
                        .collect()
                })
                .collect();
            Raw { costs, ..raw }
        })
}

/// The value of a row in a further sensitive column.
fn other_value(row: &(Vec<usize>, usize)) -> usize {
    (row.0[0] + 2 * row.1) % RANKS
}

/// What a choice of levels costs from the raw table, and how many records it suppresses.
struct Judged {
    cost: f64,
    suppressed: Vec<usize>,
}

fn judge(
    columns: &[Raw],
    rows: &[(Vec<usize>, usize)],
    levels: &[usize],
    (k, [wanted, further], price): (usize, [&[Wanted]; 2], f64),
) -> Judged {
    let values: Vec<usize> = rows.iter().map(|row| row.1).collect();
    let of_all: Vec<usize> = rows.iter().map(other_value).collect();
    let mut groups: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
    for (record, (leaves, _)) in rows.iter().enumerate() {
        let key = leaves.iter().zip(columns).zip(levels).map(|((&leaf, column), &l)| column.paths[leaf][l]);
        groups.entry(key.collect()).or_default().push(record);
    }
    let mut judged = Judged { cost: 0.0, suppressed: Vec::new() };
    for group in groups.into_values() {
        let of_group: Vec<usize> = group.iter().map(|&record| values[record]).collect();
        let others: Vec<usize> = group.iter().map(|&record| other_value(&rows[record])).collect();
        let kept = wanted.iter().all(|wanted| wanted.holds(&of_group, &values, RANKS))
            && further.iter().all(|wanted| wanted.holds(&others, &of_all, RANKS));
        if group.len() >= k && kept {
            for &record in &group {
                let costs = rows[record].0.iter().zip(columns).zip(levels);
                judged.cost += costs.map(|((&leaf, column), &l)| column.costs[leaf][l]).sum::<f64>();
            }
        } else {
            judged.cost += price * group.len() as f64;
            judged.suppressed.extend(group);
        }
    }
    judged.suppressed.sort_unstable();
    judged
}

/// The same with sets of columns: groups of all columns go one after another until nothing is wrong with any that is left.
fn judge_sets(
    columns: &[Raw],
    rows: &[(Vec<usize>, usize)],
    levels: &[usize],
    (k, wanted, price): (usize, &[Wanted], f64),
    sets: &[LatticeSet],
) -> Judged {
    let values: Vec<usize> = rows.iter().map(|row| row.1).collect();
    let label = |record: usize, at: usize| columns[at].paths[rows[record].0[at]][levels[at]];
    let all: Vec<usize> = (0..columns.len()).collect();
    let mut left: Vec<usize> = (0..rows.len()).collect();
    let alike = |left: &[usize], record: usize, of: &[usize]| -> Vec<usize> {
        left.iter()
            .copied()
            .filter(|&other| of.iter().all(|&at| label(other, at) == label(record, at)))
            .collect()
    };
    loop {
        let wrong = left.iter().position(|&record| {
            let group = alike(&left, record, &all);
            let of_group: Vec<usize> = group.iter().map(|&record| values[record]).collect();
            group.len() < k
                || !wanted.iter().all(|wanted| wanted.holds(&of_group, &values, RANKS))
                || sets.iter().any(|set| alike(&left, record, &set.columns).len() < set.least)
        });
        let Some(wrong) = wrong else { break };
        let group = alike(&left, left[wrong], &all);
        left.retain(|record| !group.contains(record));
    }
    let mut judged = Judged { cost: 0.0, suppressed: Vec::new() };
    for (record, (leaves, _)) in rows.iter().enumerate() {
        if left.contains(&record) {
            let costs = leaves.iter().zip(columns).zip(levels);
            judged.cost += costs.map(|((&leaf, column), &l)| column.costs[leaf][l]).sum::<f64>();
        } else {
            judged.cost += price;
            judged.suppressed.push(record);
        }
    }
    judged
}

/// All choices of levels.
fn nodes(columns: &[Raw]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for column in columns {
        let heights = 0..column.paths[0].len();
        all = heights.flat_map(|l| all.iter().map(move |node| [node.as_slice(), &[l]].concat())).collect();
    }
    all
}

fn job(
    columns: &[Raw],
    rows: &[(Vec<usize>, usize)],
    (k, [wanted, further]): (usize, [&[Wanted]; 2]),
    (price, most): (f64, usize),
) -> Job {
    let mut there: Vec<usize> = rows.iter().map(|row| row.1).collect();
    there.sort_unstable();
    there.dedup();
    // Colours are named from the last value to the first, so that names are no ranks.
    there.reverse();
    let colour = |value: usize| there.iter().position(|&x| x == value).unwrap() as u32;
    let of = |of: usize, all: &[Wanted]| all.iter().map(move |&one| (of, condition(one))).collect::<Vec<_>>();
    let mut others: Vec<usize> = rows.iter().map(other_value).collect();
    others.sort_unstable();
    others.dedup();
    let code = |row: &(Vec<usize>, usize)| others.iter().position(|&x| x == other_value(row)).unwrap() as u32;
    let ranks = Ranks {
        colours: others.iter().map(|&x| x as u32).collect(),
        count: RANKS as u32,
        branches: branches(&others),
        ..Ranks::default()
    };
    let column = FurtherValues { values: rows.iter().map(code).collect(), ranks: Some(ranks) };
    let levels = (columns.iter().enumerate())
        .map(|(at, raw)| raw.levels(rows.iter().map(|row| row.0[at] as u32).collect()))
        .collect();
    Job {
        colours: rows.iter().map(|row| colour(row.1)).collect(),
        ranks: Some(Ranks {
            colours: there.iter().map(|&x| x as u32).collect(),
            count: RANKS as u32,
            branches: branches(&there),
            ..Ranks::default()
        }),
        further: if further.is_empty() { Vec::new() } else { vec![column] },
        loss: Loss::Ncp,
        attributes: vec![lookalike_model::job::Attribute::default()],
        lattice: Some(Arc::new(Lattice { columns: levels, price, most, sets: Vec::new() })),
        ..Job::of(1, vec![0.0; rows.len()], Rule::with_columns(k, [of(0, wanted), of(1, further)].concat()))
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}

/// Checks an answer against all choices of levels.
fn beside_brute_force(
    columns: &[Raw],
    rows: &[(Vec<usize>, usize)],
    (k, wanted): (usize, [&[Wanted]; 2]),
    (price, most): (f64, usize),
) -> Result<(), TestCaseError> {
    let job = job(columns, rows, (k, wanted), (price, most));
    let asked = (k, wanted, price);
    let best = nodes(columns)
        .iter()
        .map(|node| judge(columns, rows, node, asked))
        // Where everybody is left out, nothing is published.
        .filter(|judged| judged.suppressed.len() <= most && judged.suppressed.len() < rows.len())
        .map(|judged| judged.cost)
        .min_by(f64::total_cmp);
    match (solve(&job, &Ctx::silent()), best) {
        (Ok(answer), Some(best)) => {
            prop_assert!(close(answer.loss, best), "{} for {}", answer.loss, best);
            prop_assert_eq!(&answer.status, &Status::Optimal);
            let bound = answer.bound.as_ref().unwrap();
            prop_assert!(close(bound.value, best) && bound.of == BoundOf::WholeProblem);
            let found = answer.full_domain.as_ref().unwrap();
            let levels: Vec<usize> = found.levels.iter().map(|&level| level as usize).collect();
            let judged = judge(columns, rows, &levels, asked);
            prop_assert!(close(judged.cost, best));
            let suppressed: Vec<usize> = found.suppressed.iter().map(|&record| record as usize).collect();
            prop_assert_eq!(suppressed, judged.suppressed);
            prop_assert_eq!(found.nodes as usize, nodes(columns).len());
            prop_assert!(found.looked_at <= found.nodes);
            prop_assert!(verify(&job, &answer).is_ok());
            altered(&job, &answer, columns)?;
        }
        (Err(_), None) => {}
        (found, best) => prop_assert!(false, "{found:?} for {best:?}"),
    }
    Ok(())
}

/// Answers that are not what they claim to be are refused.
fn altered(job: &Job, answer: &Answer, columns: &[Raw]) -> Result<(), TestCaseError> {
    let found = answer.full_domain.as_ref().unwrap();
    let other = |change: &dyn Fn(&mut lookalike_model::lattice::FullDomain)| {
        let mut found = found.clone();
        change(&mut found);
        Answer { full_domain: Some(found), ..answer.clone() }
    };
    let dearer = Answer { loss: answer.loss + 1.0, ..answer.clone() };
    prop_assert!(verify(job, &dearer).is_err());
    let none = Answer { full_domain: None, ..answer.clone() };
    prop_assert!(verify(job, &none).is_err());
    prop_assert!(verify(job, &other(&|found| found.levels[0] = columns[0].paths[0].len() as u32)).is_err());
    if !found.suppressed.is_empty() {
        prop_assert!(
            verify(job, &other(&|found| found.suppressed.clear())).is_err(),
            "groups that break the rule"
        );
    }
    if found.suppressed.len() < answer.labels.len() {
        let all = (0..answer.labels.len() as u32).collect::<Vec<u32>>();
        prop_assert!(verify(job, &other(&|found| found.suppressed.clone_from(&all))).is_err());
    }
    Ok(())
}

fn rows(most: usize) -> impl Strategy<Value = Vec<(Vec<usize>, usize)>> {
    prop::collection::vec((prop::collection::vec(0..7_usize, 3), 0..RANKS), 3..most)
}

/// Rows whose leaves there are.
fn within(rows: Vec<(Vec<usize>, usize)>, columns: &[Raw]) -> Vec<(Vec<usize>, usize)> {
    let leaf = |(&leaf, column): (&usize, &Raw)| leaf % column.paths.len();
    rows.into_iter().map(|(leaves, value)| (leaves.iter().zip(columns).map(leaf).collect(), value)).collect()
}

fn price_of(columns: &[Raw]) -> f64 {
    let largest = |raw: &Raw| raw.costs.iter().map(|costs| *costs.last().unwrap()).fold(0.0, f64::max);
    columns.iter().map(largest).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn k_alone(
        columns in prop::collection::vec(column(), 1..4), rows in rows(50), k in 2..6_usize, most in 0..12_usize, dearer in 0..2_u32,
    ) {
        let rows = within(rows, &columns);
        let price = price_of(&columns) + f64::from(dearer);
        beside_brute_force(&columns, &rows, (k, [&[], &[]]), (price, most))?;
        beside_brute_force(&columns, &rows, (k, [&[], &[]]), (price, 0))?;
    }

    #[test]
    fn conditions_without_suppression(
        columns in prop::collection::vec(column(), 1..4), rows in rows(50), k in 2..4_usize,
        asked in prop::collection::vec(wanted(), 1..3),
    ) {
        let rows = within(rows, &columns);
        beside_brute_force(&columns, &rows, (k, [&asked, &[]]), (price_of(&columns), 0))?;
    }

    /// Under suppression a condition that holds at a node need not hold at coarser ones.
    #[test]
    fn conditions_with_suppression(
        columns in prop::collection::vec(column(), 1..4), rows in rows(40), k in 2..4_usize, most in 0..40_usize,
        asked in prop::collection::vec(wanted(), 1..3),
    ) {
        let rows = within(rows, &columns);
        beside_brute_force(&columns, &rows, (k, [&asked, &[]]), (price_of(&columns), most))?;
    }

    #[test]
    fn conditions_on_two_columns(
        columns in prop::collection::vec(column(), 1..4), rows in rows(40), k in 2..4_usize, most in 0..20_usize,
        asked in prop::collection::vec(wanted(), 0..2), further in prop::collection::vec(wanted(), 1..3),
    ) {
        let rows = within(rows, &columns);
        beside_brute_force(&columns, &rows, (k, [&asked, &further]), (price_of(&columns), most))?;
        beside_brute_force(&columns, &rows, (k, [&asked, &further]), (price_of(&columns), 0))?;
    }

    /// Sets of columns in which more records are to be alike, with and without suppression.
    #[test]
    fn sets_of_columns(
        columns in prop::collection::vec(column(), 2..4), rows in rows(40), k in 2..4_usize, most in 0..30_usize,
        sets in prop::collection::vec((1..7_usize, 1..7_usize), 1..3), asked in prop::collection::vec(wanted(), 0..2),
    ) {
        let rows = within(rows, &columns);
        let sets: Vec<LatticeSet> = sets
            .iter()
            .map(|(mask, more)| {
                let columns: Vec<usize> = (0..columns.len()).filter(|at| mask >> at & 1 == 1).collect();
                LatticeSet { columns: if columns.is_empty() { vec![0] } else { columns }, least: k + more }
            })
            .collect();
        for most in [0, most] {
            let price = price_of(&columns);
            let mut asked_for = job(&columns, &rows, (k, [&asked, &[]]), (price, most));
            let lattice = asked_for.lattice.as_deref().unwrap().clone();
            asked_for.lattice = Some(Arc::new(Lattice { sets: sets.clone(), ..lattice }));
            let judged = |node: &[usize]| judge_sets(&columns, &rows, node, (k, &asked, price), &sets);
            let best = nodes(&columns)
                .iter()
                .map(|node| judged(node))
                .filter(|judged| judged.suppressed.len() <= most && judged.suppressed.len() < rows.len())
                .map(|judged| judged.cost)
                .min_by(f64::total_cmp);
            match (solve(&asked_for, &Ctx::silent()), best) {
                (Ok(answer), Some(best)) => {
                    prop_assert!(close(answer.loss, best), "{} for {}", answer.loss, best);
                    prop_assert_eq!(&answer.status, &Status::Optimal);
                    let found = answer.full_domain.as_ref().unwrap();
                    let levels: Vec<usize> = found.levels.iter().map(|&level| level as usize).collect();
                    let suppressed: Vec<usize> = found.suppressed.iter().map(|&record| record as usize).collect();
                    prop_assert_eq!(suppressed, judged(&levels).suppressed);
                    prop_assert!(verify(&asked_for, &answer).is_ok());
                    // A set that needs more than its smallest group has is broken by the same answer.
                    let mut stricter = asked_for.clone();
                    let set = LatticeSet { columns: sets[0].columns.clone(), least: rows.len() + 1 };
                    stricter.lattice = Some(Arc::new(Lattice { sets: vec![set], ..asked_for.lattice.as_deref().unwrap().clone() }));
                    prop_assert!(verify(&stricter, &answer).is_err());
                }
                (Err(_), None) => {}
                (found, best) => prop_assert!(false, "{found:?} for {best:?}"),
            }
        }
    }

    /// The same records in another order get the same levels.
    #[test]
    fn the_order_of_records_decides_nothing(
        columns in prop::collection::vec(column(), 2..4), rows in rows(30), most in 0..6_usize, turn in 0..30_usize,
    ) {
        let rows = within(rows, &columns);
        let levels = |rows: &[(Vec<usize>, usize)]| {
            let job = job(&columns, rows, (2, [&[], &[]]), (price_of(&columns), most));
            solve(&job, &Ctx::silent()).map(|answer| answer.full_domain.unwrap().levels)
        };
        let mut turned = rows.clone();
        turned.rotate_left(turn % rows.len());
        prop_assert_eq!(levels(&rows), levels(&turned));
    }

    /// A search that is stopped says a bound that holds, and calls optimal what is.
    #[test]
    fn stopped_early(
        columns in prop::collection::vec(column(), 2..4), rows in rows(40), k in 2..5_usize, most in 0..8_usize, steps in 1..12_u32,
    ) {
        let rows = within(rows, &columns);
        let price = price_of(&columns);
        let best = nodes(&columns)
            .iter()
            .map(|node| judge(&columns, &rows, node, (k, [&[], &[]], price)))
            .filter(|judged| judged.suppressed.len() <= most && judged.suppressed.len() < rows.len())
            .map(|judged| judged.cost)
            .min_by(f64::total_cmp);
        // As many cells as so many nodes have.
        let effort = f64::from(steps) * (rows.len() * columns.len()) as f64 / 2e9;
        let asked = Job { budget: Budget::Effort(effort), ..job(&columns, &rows, (k, [&[], &[]]), (price, most)) };
        let Ok(answer) = solve(&asked, &Ctx::silent()) else { return Ok(()) };
        let best = best.unwrap();
        prop_assert!(answer.loss >= best - 1e-9);
        prop_assert!(verify(&asked, &answer).is_ok());
        if let Some(bound) = &answer.bound {
            prop_assert!(bound.value <= best + 1e-9, "{} for {}", bound.value, best);
        }
        match answer.status {
            Status::Optimal => prop_assert!(close(answer.loss, best)),
            other => prop_assert_eq!(other, Status::EffortSpent),
        }
    }
}

/// Leaves a, b, c, d in pairs, weight 1/2 each of two columns. Records: (a, a) twice, (b, a), (c, c), (c, d), (d, d).
fn by_hand() -> (Vec<Raw>, Vec<(Vec<usize>, usize)>) {
    let column = || Raw::by_leaves(vec![vec![0, 0, 0], vec![1, 0, 0], vec![2, 1, 0], vec![3, 1, 0]], 0.5);
    let rows = [[0, 0], [0, 0], [1, 0], [2, 2], [2, 3], [3, 3]];
    let values = [0, 1, 2, 0, 0, 0];
    (vec![column(), column()], rows.iter().zip(values).map(|(row, value)| (row.to_vec(), value)).collect())
}

#[test]
fn an_example_by_hand() {
    let (columns, rows) = by_hand();
    let found = |k: usize, wanted: &[Wanted], most: usize| {
        let answer = solve(&job(&columns, &rows, (k, [wanted, &[]]), (1.0, most)), &Ctx::silent()).unwrap();
        let found = answer.full_domain.unwrap();
        (found.levels, found.suppressed, (answer.loss * 6.0).round() / 6.0)
    };
    // A pair costs 1/3 of the weight 1/2. Both columns in pairs: groups of 3 and 3, 6 records lose 1/3 each.
    assert_eq!(found(3, &[], 0), (vec![1, 1], vec![], 2.0));
    // k = 2 as well: at (1, 0) record (c, c) stands alone, at (0, 1) records (b, a) and (d, d) do.
    assert_eq!(found(2, &[], 0), (vec![1, 1], vec![], 2.0));
    // One may go: (1, 0) has groups of 3, 1 and 2, so 5 records lose 1/6 each, and one costs 1.
    assert_eq!(found(2, &[], 1), (vec![1, 0], vec![3], 11.0 / 6.0));
    // The second group has one value only. All in one group would lose 1 a record; suppressing the group costs 3, and the first one
    // is published at (1, 0) for 1/6 a record.
    assert_eq!(found(2, &[Wanted::Distinct { l: 2 }], 0), (vec![2, 2], vec![], 6.0));
    assert_eq!(found(2, &[Wanted::Distinct { l: 2 }], 3), (vec![1, 0], vec![3, 4, 5], 3.5));
}

#[test]
fn without_an_answer_the_reason_is_said() {
    let (columns, rows) = by_hand();
    let wrong = |k: usize, wanted: &[Wanted], most: usize| {
        solve(&job(&columns, &rows, (k, [wanted, &[]]), (1.0, most)), &Ctx::silent()).unwrap_err()
    };
    assert!(matches!(wrong(7, &[], 0), Error::Model(ModelError::Infeasible(_))));
    assert!(matches!(
        wrong(7, &[], 3),
        Error::Model(ModelError::Infeasible(Infeasible::TooFewRecords { .. }))
    ));
    assert_eq!(wrong(7, &[], 3).kind(), ErrorKind::Infeasible);
    // Nobody who is left out brings a fourth value; and where all may be left out, nobody would be published.
    for most in [2, 6] {
        let told = wrong(2, &[Wanted::Distinct { l: 4 }], most);
        assert!(matches!(told, Error::Model(ModelError::Infeasible(Infeasible::Values { .. }))), "{told:?}");
    }
}

/// A looser limit never breaks what a tighter one allows: where everybody may be left out, somebody is published.
#[test]
fn somebody_is_published_whatever_may_be_left_out() {
    let (columns, rows) = by_hand();
    for most in 0..=6 {
        let answer = solve(&job(&columns, &rows, (4, [&[], &[]]), (1.0, most)), &Ctx::silent()).unwrap();
        let found = answer.full_domain.unwrap();
        assert!(found.suppressed.len() < 6, "{found:?}");
    }
}

#[test]
fn what_is_no_lattice_is_refused() {
    let (columns, rows) = by_hand();
    let usual = job(&columns, &rows, (2, [&[], &[]]), (1.0, 0));
    let cheap = job(&columns, &rows, (2, [&[], &[]]), (0.9, 3));
    assert_eq!(solve(&cheap, &Ctx::silent()).unwrap_err(), Error::Unfit(Unfit::NoLevels));
    let different = Job { rule: Rule::all_different(2), ..usual };
    let wrong = solve(&different, &Ctx::silent()).unwrap_err();
    assert!(matches!(wrong, Error::Unfit(Unfit::NoLevels) | Error::Model(_)), "{wrong:?}");
    let many: Vec<Raw> = vec![columns[0].clone(); 15];
    let rows: Vec<_> = rows.iter().map(|row| (vec![row.0[0]; 15], row.1)).collect();
    let wrong = solve(&job(&many, &rows, (2, [&[], &[]]), (7.5, 0)), &Ctx::silent()).unwrap_err();
    assert!(matches!(wrong, Error::Unfit(Unfit::TooManyLevels { columns: 15, .. })), "{wrong:?}");
}

#[test]
fn a_person_stops_a_search_with_the_best_so_far() {
    let (columns, rows) = by_hand();
    let asked = Cell::new(0);
    let ctx = Ctx {
        cancelled: &|| {
            asked.set(asked.get() + 1);
            asked.get() > 1
        },
        ..Ctx::silent()
    };
    let answer = solve(&job(&columns, &rows, (2, [&[], &[]]), (1.0, 0)), &ctx).unwrap();
    assert!(verify(&job(&columns, &rows, (2, [&[], &[]]), (1.0, 0)), &answer).is_ok());
}
