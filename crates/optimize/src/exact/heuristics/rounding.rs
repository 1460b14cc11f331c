//! Partitions from fractional solutions of the master (Castro 2022, section 5.2), for types and colours too.

use lookalike_model::partition::Partition;

use super::{Heuristic, Outcome};
use crate::{
    Error,
    exact::{column::Weighted, effort::Stop, loss::Priceable, problem::Problem, state::State},
};

/// Pairs of records of two types that are looked at one by one.
const MOST_EDGES: usize = 400;

/// Classes of which each is looked at for a record that is left; of more, so many of each near type.
const MOST_CLASSES: usize = 2000;
const NEAR_CLASSES: usize = 4;

/// Rounds the master's solution in both ways, each with a descent.
pub(in crate::exact) struct Rounding;

impl<L: Priceable> Heuristic<L> for Rounding {
    fn run(&mut self, state: &mut State<L>, stop: Stop) -> Result<Outcome, Error> {
        if !state.master.solve_columns(state.effort.seconds_left(), stop)? {
            return Ok(Outcome::Stopped);
        }
        let before = state.incumbent.loss();
        let problem = &state.input.problem;
        let mut partitions = {
            let solution = state.master.weighted();
            // Gluing leaves some record over for certain where there are many of each type.
            let equal = problem.is_mostly_equal();
            let mut partitions = if equal { Vec::new() } else { spanning_tree(problem, &solution) };
            partitions.extend(simple(problem, &solution));
            partitions
        };
        let (instance, count) = (&problem.instance, partitions.len());
        let work = state.input.params.work.rounded_record * instance.records() as f64 * count as f64;
        partitions.retain(|partition| partition.check(instance, &state.input.rule).is_ok());
        for partition in &partitions {
            state.offer_descended(partition);
        }
        state.effort.pay(work);
        Ok(Outcome::of(state.incumbent.loss() < before))
    }
}

/// Castro 2022's `SimpleRounding`: take the class of largest value, discard all that meet it, repeat; what is left
/// becomes a class, or goes where it costs least.
fn simple(problem: &Problem, solution: &[Weighted]) -> Option<Partition> {
    let mut order: Vec<usize> = (0..solution.len()).collect();
    order.sort_by(|&a, &b| {
        solution[b].1.total_cmp(&solution[a].1).then_with(|| solution[a].0.cmp(solution[b].0))
    });
    let mut left: Vec<usize> = (0..problem.types()).map(|t| problem.multiplicity(t)).collect();
    let mut classes: Vec<Vec<u32>> = Vec::new();
    for at in order {
        let class = solution[at].0;
        while class.chunk_by(|a, b| a == b).all(|same| left[same[0] as usize] >= same.len()) {
            for &t in class {
                left[t as usize] -= 1;
            }
            classes.push(class.to_vec());
        }
    }
    place_rest(problem, classes, &left)
}

/// Makes a class of the types that are left, or adds each to the class that it costs least.
fn place_rest(problem: &Problem, mut classes: Vec<Vec<u32>>, left: &[usize]) -> Option<Partition> {
    let rest: Vec<u32> =
        left.iter().enumerate().flat_map(|(t, &count)| std::iter::repeat_n(t as u32, count)).collect();
    if rest.is_empty() {
        return problem.partition(&classes);
    }
    if problem.admits(&rest) {
        classes.push(rest);
        return problem.partition(&classes);
    }
    // With many classes it is enough to look at those with a near type.
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); problem.types()];
    let few = classes.len() <= MOST_CLASSES;
    for (at, class) in classes.iter().enumerate().filter(|_| !few) {
        class.chunk_by(|a, b| a == b).for_each(|same| holders[same[0] as usize].push(at));
    }
    for t in rest {
        let near: Vec<usize> = if few {
            (0..classes.len()).collect()
        } else {
            let around =
                problem.nearest(t).iter().flat_map(|&u| holders[u as usize].iter().take(NEAR_CLASSES));
            around.copied().collect()
        };
        let joined = |class: &Vec<u32>| {
            let mut more = class.clone();
            more.insert(more.partition_point(|&u| u < t), t);
            more
        };
        let best = near
            .into_iter()
            .filter(|&at| problem.joins(&classes[at], t))
            .map(|at| (problem.cost(&joined(&classes[at])) - problem.cost(&classes[at]), at))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        classes[best.1] = joined(&classes[best.1]);
    }
    problem.partition(&classes)
}

/// Castro 2022's `RoundingMST`: glue records in the order of how often they are together, up to a size; one partition
/// for each of the sizes m + 1, ..., 2 m - 1 (and m) where every class gets large enough.
fn spanning_tree(problem: &Problem, solution: &[Weighted]) -> Vec<Partition> {
    let mut pairs: Vec<(u32, u32, f64)> = Vec::new();
    for &(class, x) in solution {
        for (at, &t) in class.iter().enumerate() {
            pairs.extend(class[..at].iter().map(|&u| (u, t, x)));
        }
    }
    pairs.sort_by_key(|p| (p.0, p.1));
    // Records of one type share what their type has: each pair of them while these are few, else each record with its like.
    let mut edges: Vec<(f64, u32, u32)> = Vec::new();
    for same in pairs.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (a, b) = (&problem.records[same[0].0 as usize], &problem.records[same[0].1 as usize]);
        let z = same.iter().map(|p| p.2).sum::<f64>() / a.len().max(b.len()) as f64;
        if a.len() * b.len() <= MOST_EDGES {
            edges.extend(a.iter().flat_map(|&i| b.iter().map(move |&j| (z, i, j))));
            continue;
        }
        let like = usize::from(same[0].0 == same[0].1);
        let place = |at: usize| (z, a[at % a.len()], b[(at + like) % b.len()]);
        edges.extend((0..a.len().max(b.len())).map(place));
    }
    edges.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    (problem.min..=problem.max).filter_map(|most| glue(problem, &edges, most)).collect()
}

fn glue(problem: &Problem, edges: &[(f64, u32, u32)], most: usize) -> Option<Partition> {
    let n = problem.instance.records();
    let mut label: Vec<u32> = (0..n as u32).collect();
    let mut members: Vec<Vec<u32>> = (0..n as u32).map(|i| vec![i]).collect();
    let colour = |i: u32| problem.instance.colours[i as usize];
    for &(_, i, j) in edges {
        let (a, b) = (label[i as usize] as usize, label[j as usize] as usize);
        if a == b || members[a].len() + members[b].len() > most {
            continue;
        }
        if problem.distinct && members[a].iter().any(|&x| members[b].iter().any(|&y| colour(x) == colour(y)))
        {
            continue;
        }
        let moved = std::mem::take(&mut members[b]);
        for &x in &moved {
            label[x as usize] = a as u32;
        }
        members[a].extend(moved);
    }
    let fits = |class: &Vec<u32>| {
        class.is_empty() || class.len() >= problem.min && class.iter().any(|&i| problem.instance.is_real(i))
    };
    members.iter().all(fits).then(|| Partition::from_labels(&label))
}
