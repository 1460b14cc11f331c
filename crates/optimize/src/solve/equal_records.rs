//! Classes of equal records, settled before a search of a large table.
//!
//! A class whose records share one point costs nothing. Where many records share a point, most of them are put into such
//! classes at once and only a few are left for the search, which then has fewer records and spends its moves where there
//! is something to gain. A heuristic: the least loss of what is left can be above that of the whole.

use std::collections::BinaryHeap;

use lookalike_model::{
    distinct_points::DistinctPoints, instance::Instance, partition::Partition, rule::Rule,
};

/// What is settled, and what is left.
pub(crate) struct Settled {
    /// Number of all records.
    records: usize,
    /// Records left, ascending: record `r` of the instance left is `left[r]`.
    left: Vec<u32>,
    /// Classes of records that share a point.
    classes: Vec<Vec<u32>>,
}

impl Settled {
    /// Settles what can be: at a point with at least twice the least size of a class, classes of that size, until fewer
    /// than twice that size are left there. `None` if that is nothing, if there are counterfeits, or in a series.
    pub(crate) fn new(instance: &Instance, rule: &Rule) -> Option<Self> {
        if instance.reals < instance.records() || instance.series.is_some() {
            return None;
        }
        let all: Vec<u32> = (0..instance.records() as u32).collect();
        let points = DistinctPoints::new(instance, &all);
        let mut classes = Vec::new();
        let mut most = allowed(instance, rule);
        for point in 0..points.len() {
            let members = points.members(point);
            if members.len() >= 2 * rule.min_size {
                let found = of_point(instance, members, rule, most);
                most -= found.len();
                classes.extend(found);
            }
        }
        if classes.is_empty() {
            return None;
        }
        let mut open = vec![true; all.len()];
        for &i in classes.iter().flatten() {
            open[i as usize] = false;
        }
        let left = all.into_iter().filter(|&i| open[i as usize]).collect();
        Some(Self { records: instance.records(), left, classes })
    }

    /// The instance of the records left.
    pub(crate) fn instance(&self, whole: &Instance) -> Instance {
        whole.subset(&self.left)
    }

    /// Number of records that are in settled classes.
    pub(crate) fn settled(&self) -> usize {
        self.records - self.left.len()
    }

    /// The partition of all records from one of those left.
    pub(crate) fn whole(&self, left: &Partition) -> Partition {
        let mut labels = vec![0; self.records];
        for (&i, &label) in self.left.iter().zip(&left.labels) {
            labels[i as usize] = label;
        }
        for (class, label) in self.classes.iter().zip(left.classes as u32..) {
            for &i in class {
                labels[i as usize] = label;
            }
        }
        Partition::from_labels(&labels)
    }
}

/// Classes that may be taken away, whatever their colours, so that the rest stays feasible: m times the largest count
/// must not be above the number of records left.
fn allowed(instance: &Instance, rule: &Rule) -> usize {
    if !rule.distinct() {
        return usize::MAX;
    }
    let largest = instance.colour_counts().into_iter().max().unwrap_or(0);
    instance.records().saturating_sub(rule.min_size * largest) / rule.min_size
}

/// At most `most` classes of the records of one point.
fn of_point(instance: &Instance, members: &[u32], rule: &Rule, most: usize) -> Vec<Vec<u32>> {
    let size = rule.min_size;
    // At least `size` records stay.
    let count = ((members.len() - size) / size).min(most);
    if !rule.distinct() {
        return members.chunks_exact(size).take(count).map(<[u32]>::to_vec).collect();
    }
    let mut sorted = members.to_vec();
    sorted.sort_by_key(|&i| (instance.colours[i as usize], i));
    // Always the most frequent colours, so that what stays is mixed; of equals the one whose records come first.
    let colours = sorted.chunk_by(|&a, &b| instance.colours[a as usize] == instance.colours[b as usize]);
    let mut heap: BinaryHeap<_> =
        colours.map(|list| (list.len(), std::cmp::Reverse(list[0]), list)).collect();
    let mut classes = Vec::with_capacity(count);
    while classes.len() < count && heap.len() >= size {
        let taken: Vec<_> = (0..size).filter_map(|_| heap.pop()).collect();
        classes.push(taken.iter().map(|&(_, _, list)| list[list.len() - 1]).collect());
        heap.extend(taken.into_iter().filter_map(|(_, first, list)| {
            let (_, rest) = list.split_last()?;
            (!rest.is_empty()).then_some((rest.len(), first, rest))
        }));
    }
    classes
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        fixtures::instance,
        loss::{Loss, Ncp, Sse},
        rule::Rule,
    };
    use proptest::prelude::*;

    use super::*;
    use crate::construct::classic;

    #[test]
    fn by_hand() {
        // Seven records at 1 and three at 2, k = 2: two classes at 1, three records stay there.
        let line = instance(1, &[1., 1., 2., 1., 1., 2., 1., 1., 2., 1.], &[0; 10]);
        let settled = Settled::new(&line, &Rule::at_least(2)).unwrap();
        assert_eq!(settled.classes, [[0, 1], [3, 4]]);
        assert_eq!(settled.left, [2, 5, 6, 7, 8, 9]);
        let point = instance(1, &[5.; 8], &[0, 0, 0, 1, 1, 2, 3, 3]);
        let settled = Settled::new(&point, &Rule::all_different(2)).unwrap();
        // Largest count 3 of 8 records: one class may go.
        assert_eq!(settled.classes.len(), 1);
        assert_eq!(point.colours[settled.classes[0][0] as usize], 0);
        assert!(Settled::new(&instance(1, &[1., 2., 3.], &[0; 3]), &Rule::at_least(2)).is_none());
    }

    fn check(whole: &Instance, rule: &Rule) -> Result<(), TestCaseError> {
        let Some(settled) = Settled::new(whole, rule) else { return Ok(()) };
        let left = settled.instance(whole);
        prop_assert!(rule.feasible(&left).is_ok());
        prop_assert_eq!(left.records() + settled.settled(), whole.records());
        let part = classic(&left, rule, 1);
        let all = settled.whole(&part);
        prop_assert!(all.check(whole, rule).is_ok());
        prop_assert!((all.loss(whole, &Sse) - part.loss(&left, &Sse)).abs() < 1e-9);
        prop_assert!((all.loss(whole, &Ncp::default()) - part.loss(&left, &Ncp::default())).abs() < 1e-9);
        // Whoever has enough equals keeps enough of them.
        let at = |instance: &Instance, x: f64| {
            (0..instance.records() as u32).filter(|&i| instance.coordinate(i, 0) == x).count()
        };
        for x in [0.0, 1.0, 2.0] {
            let (before, after) = (at(whole, x), at(&left, x));
            prop_assert!(after == before || after >= rule.min_size);
            prop_assert!(rule.distinct() || after < 2 * rule.min_size);
        }
        for class in &settled.classes {
            prop_assert_eq!(Ncp::default().class(whole, class), 0.0);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn what_is_left_is_feasible_and_the_rest_is_free(
            rows in prop::collection::vec((0u8..3, 0u32..6), 6..90), size in 2usize..5,
        ) {
            let points: Vec<f64> = rows.iter().map(|r| f64::from(r.0)).collect();
            let mut colours: Vec<u32> = rows.iter().map(|r| r.1).collect();
            for c in 0..6 {
                colours[c as usize] = c;
            }
            let whole = instance(1, &points, &colours);
            check(&whole, &Rule::at_least(size))?;
            if Rule::all_different(size).feasible(&whole).is_ok() {
                check(&whole, &Rule::all_different(size))?;
            }
        }
    }
}
