//! Hansen and Mukherjee 2003: the optimal microaggregation of one attribute, as a shortest path.
//!
//! Under SSE some optimal classes are runs of the sorted values. Node j stands for "the first j values are done", an arc
//! from i to j (k <= j - i <= 2k - 1) for the class of values i..j. O(n k). Under NCP the path is the best partition
//! into runs, which need not be the best of all: a wide class may enclose a narrow one.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    loss::{Loss, LossTable},
};

use super::construction::{Construction, Partial};

/// The shortest path, node by node.
pub(super) struct HansenMukherjee<L: Loss> {
    k: usize,
    /// The records by value.
    order: Vec<u32>,
    table: L::Table,
    /// Length of the shortest path to each node so far, and the node before.
    path: Vec<(f64, usize)>,
}

impl<L: Loss> HansenMukherjee<L> {
    pub(super) fn new(instance: &Arc<Instance>, loss: &L, k: usize) -> Self {
        let n = instance.records();
        let mut order: Vec<u32> = (0..n as u32).collect();
        let x = |i: u32| instance.coordinate(i, 0);
        order.sort_by(|&a, &b| x(a).total_cmp(&x(b)).then(a.cmp(&b)));
        let mut path = vec![(f64::INFINITY, 0); k.min(n + 1)];
        path[0].0 = 0.0;
        Self { k, order, table: loss.table(instance, 1), path }
    }
}

impl<L: Loss> Construction for HansenMukherjee<L> {
    fn advance(&mut self, _: &Instance) -> Option<usize> {
        let to = self.path.len();
        if to > self.order.len() {
            return None;
        }
        let mut best = (f64::INFINITY, 0);
        self.table.refresh(0, &[]);
        for from in (to.saturating_sub(2 * self.k - 1)..to).rev() {
            self.table.apply(0, &self.order[from..to], Some(self.order[from]), None);
            let length = self.path[from].0 + self.table.value(0);
            if to - from >= self.k && length < best.0 {
                best = (length, from);
            }
        }
        self.path.push(best);
        Some(2 * self.k)
    }

    fn leave(self: Box<Self>) -> Partial {
        // Every node from k on has a path; before, only the empty one.
        let mut to = if self.path.len() > self.k { self.path.len() - 1 } else { 0 };
        let open = self.order[to..].to_vec();
        let mut classes = Vec::with_capacity(to / self.k);
        while to > 0 {
            let from = self.path[to].1;
            classes.push(self.order[from..to].to_vec());
            to = from;
        }
        classes.reverse();
        Partial::new(classes, open)
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{fixtures::instance, loss::Sse};
    use lookalike_testkit::best_partition_sse;
    use proptest::prelude::*;

    use super::*;
    use crate::construct::{construction::to_the_end, mdav::Mdav, unassigned::Scan};

    #[test]
    fn by_hand() {
        // {0, 1, 2}, {10, 11}, {12, 13} = 2 + 0.5 + 0.5; MDAV would leave {2, 10, 11} to the end.
        let instance = Arc::new(instance(1, &[12., 0., 10., 1., 13., 2., 11.], &[0; 7]));
        assert_eq!(
            to_the_end(HansenMukherjee::new(&instance, &Sse, 2), &instance),
            [vec![1, 3, 5], vec![2, 6], vec![0, 4]]
        );
        assert_eq!(
            to_the_end(Mdav::<Scan>::new(&instance, 2), &instance),
            [vec![1, 3], vec![4, 0], vec![2, 5, 6]]
        );
    }

    proptest! {
        #[test]
        fn it_is_the_optimum(values in prop::collection::vec(-20i8..20, 4..11), k in 2usize..4) {
            prop_assume!(values.len() >= k);
            let points: Vec<f64> = values.iter().map(|&x| f64::from(x)).collect();
            let instance = Arc::new(instance(1, &points, &vec![0; points.len()]));
            let found: f64 = to_the_end(HansenMukherjee::new(&instance, &Sse, k), &instance).iter().map(|c| Sse.class(&instance, c)).sum();
            let best = best_partition_sse(&points, 1, None, k);
            prop_assert!((found - best).abs() < 1e-9, "{found} {best}");
        }
    }
}
