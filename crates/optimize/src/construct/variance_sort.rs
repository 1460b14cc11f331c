//! Liang 2020's initial feasible solution (section 2.3): records sorted by their attributes in the order of rising
//! weighted variance Var/w^2 (36), cut into runs of k.

use std::cmp::Reverse;

use lookalike_model::{instance::Instance, settings::SortOrder};

/// The records in sorted order; ties keep the order of the records.
pub(super) fn sorted(instance: &Instance, by: SortOrder) -> Vec<u32> {
    let mut axes: Vec<usize> = (0..instance.dims).collect();
    match by {
        SortOrder::Variance | SortOrder::Snake => axes.sort_by_key(|&j| (instance.ranks[j], j)),
        SortOrder::VarianceDescending => axes.sort_by_key(|&j| (Reverse(instance.ranks[j]), j)),
        SortOrder::Values => axes.sort_by_key(|&j| (values(instance, j), instance.ranks[j], j)),
    }
    let mut order: Vec<u32> = (0..instance.records() as u32).collect();
    order.sort_by(|&a, &b| {
        let compare = |&j: &usize| instance.coordinate(a, j).total_cmp(&instance.coordinate(b, j));
        axes.iter().map(compare).find(|o| o.is_ne()).unwrap_or_else(|| a.cmp(&b))
    });
    if by == SortOrder::Snake {
        turn(instance, &axes, &mut order, &mut vec![false; axes.len()]);
    }
    order
}

/// Number of different values of an attribute.
fn values(instance: &Instance, j: usize) -> usize {
    let mut values: Vec<f64> = (0..instance.records() as u32).map(|i| instance.coordinate(i, j)).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values.len()
}

/// Reverses every other run of records that are equal in the attributes before, so that an attribute goes on where the
/// run before has left it. `falls` says for each attribute how the next run goes.
fn turn(instance: &Instance, axes: &[usize], run: &mut [u32], falls: &mut [bool]) {
    let (Some((&axis, axes)), Some((falling, falls))) = (axes.split_first(), falls.split_first_mut()) else {
        return;
    };
    let value = |i: u32| instance.coordinate(i, axis);
    if *falling {
        run.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
    }
    *falling = !*falling;
    for same in run.chunk_by_mut(|&a, &b| value(a).total_cmp(&value(b)).is_eq()) {
        turn(instance, axes, same, falls);
    }
}

/// The classes of variance-sort.
pub(super) fn variance_sort(instance: &Instance, k: usize, by: SortOrder) -> Vec<Vec<u32>> {
    runs(&sorted(instance, by), k)
}

/// Runs of k; the records left over join the last.
pub(super) fn runs(order: &[u32], k: usize) -> Vec<Vec<u32>> {
    let mut classes: Vec<Vec<u32>> = order.chunks(k).map(<[u32]>::to_vec).collect();
    if classes.len() > 1
        && classes.last().is_some_and(|c| c.len() < k)
        && let Some(last) = classes.pop()
        && let Some(before) = classes.last_mut()
    {
        before.extend(last);
    }
    classes
}

#[cfg(test)]
mod tests {
    use lookalike_model::fixtures::{fars, instance};

    use super::*;

    #[test]
    fn the_papers_example() {
        // Table 2b and Appendix C, Example 1, whose list misprints 8 for 15 and 5 for 15 and for 4.
        let by = SortOrder::Variance;
        assert_eq!(
            sorted(&fars(3), by),
            [12, 1, 11, 14, 7, 10, 16, 19, 13, 6, 9, 5, 8, 2, 15, 17, 0, 4, 18, 3]
        );
        let classes = variance_sort(&fars(3), 3, by);
        assert_eq!(classes[4], [8, 2, 15]);
        assert_eq!(classes[5], [17, 0, 4, 18, 3]);
    }
    #[test]
    fn other_orders_by_hand() {
        // Two attributes: the first has ranks and values 0, 1; the second 0, 1, 2.
        let mut plane = instance(2, &[0., 0., 0., 1., 0., 2., 1., 0., 1., 1., 1., 2.], &[0; 6]);
        plane.ranks = vec![0, 1];
        assert_eq!(sorted(&plane, SortOrder::Variance), [0, 1, 2, 3, 4, 5]);
        assert_eq!(sorted(&plane, SortOrder::VarianceDescending), [0, 3, 1, 4, 2, 5]);
        assert_eq!(sorted(&plane, SortOrder::Snake), [0, 1, 2, 5, 4, 3]);
        plane.ranks = vec![1, 0];
        assert_eq!(sorted(&plane, SortOrder::Values), [0, 1, 2, 3, 4, 5]);
        assert_eq!(sorted(&plane, SortOrder::Snake), [0, 3, 4, 1, 2, 5]);
    }
}
