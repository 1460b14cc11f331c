//! A sub-problem, solved to its optimum.

use std::sync::Arc;

use lookalike_lp::{Backend, general};
use lookalike_model::{
    Ctx,
    instance::Instance,
    partition::Partition,
    rule::Rule,
    settings::{Budget, CarryOptions, SubSolver},
};

use super::Params;
use crate::{
    exact::{ColumnGeneration, Options, loss::Priceable},
    local::cover,
};

/// What a column generation or a programme counts for beside an enumerated class: some ten milliseconds.
const LONG: usize = 400_000;

/// What was found of a sub-problem.
pub(super) struct Solved {
    pub(super) classes: Vec<Vec<u32>>,
    /// Classes looked at, about.
    pub(super) looked: usize,
    /// Whether its time limit may have decided what was found.
    pub(super) cut: bool,
}

/// The best classes of at least k of the records in `start`, which are classes of them. A back end that fails, or ends early
/// without anything better, leaves `start`.
pub(super) fn solve<L: Priceable>(
    instance: &Instance,
    loss: &L,
    k: usize,
    start: Vec<Vec<u32>>,
    options: &CarryOptions,
    params: &Params,
) -> Solved {
    let before: f64 = start.iter().map(|class| loss.class(instance, class)).sum();
    let mut records = start.concat();
    if before <= 0.0 || records.len() < 2 * k {
        return Solved { classes: start, looked: records.len(), cut: false };
    }
    records.sort_unstable();
    let part = Arc::new(instance.subset(&records));
    let mut labels = vec![0; records.len()];
    for (label, class) in (0..).zip(&start) {
        for i in class {
            labels[records.partition_point(|r| r < i)] = label;
        }
    }
    let first = Partition::from_labels(&labels);
    let (found, looked, cut) = match options.solver {
        SubSolver::SetPartitioning => {
            let (found, looked) = cheapest_classes(&part, loss, (k, before), &first, params);
            (found, looked, false)
        }
        SubSolver::Programme => {
            let (found, complete) = programme(&part, loss, k, &first, options);
            (found, LONG, options.seconds.is_some() && !complete)
        }
    };
    let better = found.filter(|p| p.loss(&part, loss) < before);
    let classes = better.map(|p| {
        p.members()
            .into_iter()
            .map(|class| class.into_iter().map(|i| records[i as usize]).collect())
            .collect()
    });
    Solved { classes: classes.unwrap_or(start), looked, cut }
}

/// Set partitioning over all classes, enumerated if they are few enough.
fn cheapest_classes<L: Priceable>(
    part: &Arc<Instance>,
    loss: &L,
    (k, before): (usize, f64),
    first: &Partition,
    params: &Params,
) -> (Option<Partition>, usize) {
    let n = part.records();
    if cover::classes(n, (k, 2 * k - 1)) <= params.classes as f64 {
        let all: Vec<u32> = (0..n as u32).collect();
        let found = cover::best(part, *loss, &all, false, ((k, 2 * k - 1), 1), before, params.nodes);
        if found.complete {
            let partition = found.classes.map(|classes| Partition::from_classes(n, &classes));
            return (partition, found.steps as usize);
        }
    }
    let options = Options { seed: 1, ..Options::of(Budget::Effort(params.effort)) };
    let search = ColumnGeneration::from(part, first, *loss, Rule::at_least(k), &options);
    let Ok(mut search) = search else { return (None, LONG) };
    while let Ok(false) = search.step(&Ctx::silent(), 0.0) {}
    (Some(Partition::from_labels(&search.finish().labels)), LONG)
}

/// The general programme of Liang 2020, and whether it was solved to its end.
fn programme<L: Priceable>(
    part: &Instance,
    loss: &L,
    k: usize,
    first: &Partition,
    options: &CarryOptions,
) -> (Option<Partition>, bool) {
    let Some((attributes, values)) = loss.programme(part) else { return (None, true) };
    let programme = general::Programme { attributes: &attributes, values: &values, k, start: &first.labels };
    let limits =
        general::Limits { seconds: options.seconds.unwrap_or(f64::INFINITY), ..general::Limits::none() };
    let Ok(found) = general::solve(&programme, Backend::best(), limits) else { return (None, false) };
    (found.labels.map(|labels| Partition::from_labels(&labels)), found.complete)
}
