//! Hansen and Mukherjee 2003: the optimal microaggregation of one attribute, as a shortest path.
//!
//! Under SSE some optimal classes are runs of the sorted values. Node j stands for "the first j values are done", an arc
//! from i to j (k <= j - i <= 2k - 1) for the class of values i..j. O(n k). Under NCP the path is the best partition
//! into runs, which need not be the best of all: a wide class may enclose a narrow one.

use std::sync::Arc;

use crate::{
    instance::Instance,
    loss::{Loss, LossTable},
};

/// The classes of the shortest path.
pub(super) fn hansen_mukherjee<L: Loss>(instance: &Arc<Instance>, loss: &L, k: usize) -> Vec<Vec<u32>> {
    let n = instance.records();
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by(|&a, &b| instance.coordinate(a, 0).total_cmp(&instance.coordinate(b, 0)).then(a.cmp(&b)));
    let mut table = loss.table(instance, 1);
    // Length of the shortest path to each node, and the node before.
    let mut path = vec![(f64::INFINITY, 0); n + 1];
    path[0].0 = 0.0;
    for to in k..=n {
        let longest = to.saturating_sub(2 * k - 1);
        table.refresh(0, &[]);
        for from in (longest..to).rev() {
            table.apply(0, &order[from..to], Some(order[from]), None);
            let length = path[from].0 + table.value(0);
            if to - from >= k && length < path[to].0 {
                path[to] = (length, from);
            }
        }
    }
    let mut classes = Vec::with_capacity(n / k);
    let mut to = n;
    while to > 0 {
        let from = path[to].1;
        classes.push(order[from..to].to_vec());
        to = from;
    }
    classes.reverse();
    classes
}

#[cfg(test)]
mod tests {
    use lookalike_testkit::best_partition_sse;
    use proptest::prelude::*;

    use super::*;
    use crate::{loss::Sse, search::tests_support::instance};

    #[test]
    fn by_hand() {
        // {0, 1, 2}, {10, 11}, {12, 13} = 2 + 0.5 + 0.5; MDAV would leave {2, 10, 11} to the end.
        let instance = Arc::new(instance(1, &[12., 0., 10., 1., 13., 2., 11.], &[0; 7]));
        assert_eq!(hansen_mukherjee(&instance, &Sse, 2), [vec![1, 3, 5], vec![2, 6], vec![0, 4]]);
        assert_eq!(super::super::mdav::mdav(&instance, 2), [vec![1, 3], vec![4, 0], vec![2, 5, 6]]);
    }

    proptest! {
        #[test]
        fn it_is_the_optimum(values in prop::collection::vec(-20i8..20, 4..11), k in 2usize..4) {
            prop_assume!(values.len() >= k);
            let points: Vec<f64> = values.iter().map(|&x| f64::from(x)).collect();
            let instance = Arc::new(instance(1, &points, &vec![0; points.len()]));
            let found: f64 = hansen_mukherjee(&instance, &Sse, k).iter().map(|c| Sse.class(&instance, c)).sum();
            let best = best_partition_sse(&points, 1, None, k);
            prop_assert!((found - best).abs() < 1e-9, "{found} {best}");
        }
    }
}
