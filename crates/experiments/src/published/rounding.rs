//! Castro 2022's two roundings to the letter (its section 5.2). The method's own know
//! colours, place what is left where it costs least, and do not glue records that are never together.

use lookalike_model::{
    instance::{LANE, Lane, distance2},
    partition::Partition,
};

use lookalike_optimize::exact::{pool::ColumnPool, problem::Problem};

/// `SimpleRoundingHeuristic`: takes classes by falling value (then by age) that meet no class taken before, until fewer
/// than 2k records are left or no class fits; k or more records left are a class, fewer go to the nearest centroids.
pub(super) fn simple(problem: &Problem, pool: &ColumnPool, solution: &[(u32, f64)]) -> Option<Partition> {
    let k = problem.min;
    let mut order: Vec<u32> = (0..pool.len() as u32).collect();
    let mut values = vec![0.0; pool.len()];
    for &(column, x) in solution {
        values[column as usize] = x;
    }
    order.sort_by(|&a, &b| values[b as usize].total_cmp(&values[a as usize]).then(a.cmp(&b)));
    let mut free = vec![true; problem.types()];
    let mut left = problem.types();
    let mut classes: Vec<Vec<u32>> = Vec::new();
    for column in order {
        if left < 2 * k {
            break;
        }
        let members = &pool.column(column).members;
        if members.iter().all(|&i| free[i as usize]) {
            for &i in members {
                free[i as usize] = false;
            }
            left -= members.len();
            classes.push(members.clone());
        }
    }
    let rest: Vec<u32> = (0..problem.types() as u32).filter(|&i| free[i as usize]).collect();
    if (k..2 * k).contains(&left) {
        classes.push(rest);
    } else {
        let centroids: Vec<Vec<Lane>> = classes.iter().map(|c| centroid(problem, c)).collect();
        for u in rest {
            let distance = |at: usize| distance2(&centroids[at], problem.point(u as usize));
            let nearest = (0..centroids.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?;
            classes[nearest].push(u);
        }
    }
    problem.partition(&classes)
}

fn centroid(problem: &Problem, class: &[u32]) -> Vec<Lane> {
    let mut sum = vec![[0.0; LANE]; problem.instance.lanes];
    for &i in class {
        for (s, x) in sum.iter_mut().zip(problem.point(i as usize)) {
            for l in 0..LANE {
                s[l] += x[l];
            }
        }
    }
    sum.iter().map(|s| s.map(|x| x / class.len() as f64)).collect()
}

/// `RoundingMSTHeuristic`: glues the classes of all pairs of records, in order of how much they are together (then of
/// their numbers), as long as no class exceeds a size; the partitions for the sizes k + 1 to 2k - 1 whose classes have k
/// records or more.
pub(super) fn spanning_tree(problem: &Problem, pool: &ColumnPool, solution: &[(u32, f64)]) -> Vec<Partition> {
    let n = problem.types();
    let mut together = vec![0.0; n * n];
    for &(column, x) in solution {
        let members = &pool.column(column).members;
        for (at, &j) in members.iter().enumerate() {
            for &i in &members[..at] {
                together[i as usize * n + j as usize] += x;
            }
        }
    }
    let mut pairs: Vec<(usize, usize)> = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).collect();
    let z = |p: &(usize, usize)| together[p.0 * n + p.1];
    // Stable: equal pairs stay in the order of their numbers.
    pairs.sort_by(|a, b| z(b).total_cmp(&z(a)));
    (problem.min + 1..2 * problem.min).filter_map(|most| glue(problem, &pairs, most)).collect()
}

fn glue(problem: &Problem, pairs: &[(usize, usize)], most: usize) -> Option<Partition> {
    let n = problem.types();
    let mut label: Vec<usize> = (0..n).collect();
    let mut members: Vec<Vec<usize>> = (0..n).map(|i| vec![i]).collect();
    for &(i, j) in pairs {
        let (a, b) = (label[i], label[j]);
        if a != b && members[a].len() + members[b].len() <= most {
            let moved = std::mem::take(&mut members[b]);
            for &x in &moved {
                label[x] = a;
            }
            members[a].extend(moved);
        }
    }
    let large = members.iter().all(|class| class.is_empty() || class.len() >= problem.min);
    let labels: Vec<u32> = label.into_iter().map(|l| l as u32).collect();
    large.then(|| Partition::from_labels(&labels))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_model::{fixtures::instance, loss::Sse, rule::Rule};

    use super::*;

    /// Six records on a line and the classes of a solution, in this order.
    fn case(points: &[f64], classes: &[(&[u32], f64)]) -> (Problem, ColumnPool, Vec<(u32, f64)>) {
        let instance = Arc::new(instance(1, points, &vec![0; points.len()]));
        let problem = Problem::unmerged(&instance, &Sse, &Rule::at_least(2)).unwrap();
        let mut pool = ColumnPool::default();
        let solution = classes.iter().map(|c| (pool.insert(&problem, c.0), c.1)).filter(|c| c.1 > 0.0);
        let solution = solution.collect();
        (problem, pool, solution)
    }

    #[test]
    fn simple_rounding_by_hand() {
        // {2,3} first; {1,2} and {3,4} meet it; of value 0, {0,1} fits; then 2 < 2k records are left: a class.
        let (problem, pool, solution) = case(
            &[0., 1., 2., 3., 4., 5.],
            &[(&[1, 2], 0.4), (&[0, 1], 0.0), (&[2, 3], 0.6), (&[3, 4], 0.4)],
        );
        assert_eq!(simple(&problem, &pool, &solution).unwrap().labels, [0, 0, 1, 1, 2, 2]);
        // One record is left, fewer than k: it goes to the nearer of the centroids 1 and 4.
        let (problem, pool, solution) =
            case(&[0., 1., 2., 3., 4., 5., 6.], &[(&[0, 1, 2], 0.6), (&[3, 4, 5], 0.5)]);
        assert_eq!(simple(&problem, &pool, &solution).unwrap().labels, [0, 0, 0, 1, 1, 1, 1]);
    }

    #[test]
    fn the_loop_ends_below_2k_records() {
        // After {0,1,2} three records are left, fewer than 4: a class, although {3,4} is there.
        let (problem, pool, solution) = case(&[0., 1., 2., 3., 4., 9.], &[(&[0, 1, 2], 0.9), (&[3, 4], 0.8)]);
        assert_eq!(simple(&problem, &pool, &solution).unwrap().labels, [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn spanning_tree_by_hand() {
        // Pairs 23 (0.6), 12 and 34 (0.4), then those of value 0 by their numbers. Size 3: {2,3}, {1,2,3}, then 0 and 4,
        // then 5 with them.
        let (problem, pool, solution) =
            case(&[0., 1., 2., 3., 4., 5.], &[(&[1, 2], 0.4), (&[2, 3], 0.6), (&[3, 4], 0.4)]);
        let found = spanning_tree(&problem, &pool, &solution);
        assert_eq!(found.len(), 1, "k = 2: one size");
        assert_eq!(found[0].labels, [0, 1, 1, 1, 0, 0]);
    }
}
