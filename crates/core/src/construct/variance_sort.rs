//! Paper 4's initial feasible solution (section 2.3): records sorted by their attributes in the order of rising
//! weighted variance Var/w^2 (36), cut into runs of k.

use crate::instance::Instance;

/// The records in sorted order; ties keep the order of the records.
pub(super) fn sorted(instance: &Instance) -> Vec<u32> {
    let mut axes: Vec<usize> = (0..instance.dims).collect();
    axes.sort_by_key(|&j| (instance.ranks[j], j));
    let mut order: Vec<u32> = (0..instance.records() as u32).collect();
    order.sort_by(|&a, &b| {
        let compare = |&j: &usize| instance.coordinate(a, j).total_cmp(&instance.coordinate(b, j));
        axes.iter().map(compare).find(|o| o.is_ne()).unwrap_or_else(|| a.cmp(&b))
    });
    order
}

/// The runs of k; the records left over join the last.
pub(super) fn variance_sort(instance: &Instance, k: usize) -> Vec<Vec<u32>> {
    let order = sorted(instance);
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
    use super::*;
    use crate::search::tests_support::fars;

    #[test]
    fn the_papers_example() {
        // Table 2b and Appendix C, Example 1, whose list misprints 8 for 15 and 5 for 15 and for 4.
        assert_eq!(sorted(&fars(3)), [12, 1, 11, 14, 7, 10, 16, 19, 13, 6, 9, 5, 8, 2, 15, 17, 0, 4, 18, 3]);
        let classes = variance_sort(&fars(3), 3);
        assert_eq!(classes[4], [8, 2, 15]);
        assert_eq!(classes[5], [17, 0, 4, 18, 3]);
    }
}
