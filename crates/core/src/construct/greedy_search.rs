//! Greedy Search (paper 4, Algorithm 2).
//!
//! Down the list of variance-sort, each record takes k - 1 of the records left, one after another, each time the one
//! with which the class loses least. Fewer than k records left join the class that then loses least in itself (f(C + x),
//! not its increase: paper 4, Table 7). O(n^2) values, each O(d).

use std::sync::Arc;

use super::variance_sort::sorted;
use crate::{
    instance::Instance,
    loss::{Loss, LossTable},
};

/// The classes of Greedy Search.
pub(super) fn greedy_search<L: Loss>(instance: &Arc<Instance>, loss: &L, k: usize) -> Vec<Vec<u32>> {
    let mut left = sorted(instance);
    // Values of a class by itself.
    let mut table = loss.table(instance, 1);
    let mut classes: Vec<Vec<u32>> = Vec::with_capacity(left.len() / k);
    while left.len() >= k {
        let mut class = vec![left.remove(0)];
        table.refresh(0, &class);
        while class.len() < k {
            let with = |&j: &u32| table.value_after(0, &class, Some(j), None) + loss.record(instance, j);
            let best = left.iter().map(with).enumerate().reduce(|a, b| if b.1 < a.1 { b } else { a });
            let Some((at, _)) = best else { break };
            let j = left.remove(at);
            class.push(j);
            table.apply(0, &class, Some(j), None);
        }
        classes.push(class);
    }
    for x in left {
        let with = |class: &Vec<u32>| loss.class(instance, &[class.as_slice(), &[x]].concat());
        let best = classes.iter().map(with).enumerate().reduce(|a, b| if b.1 < a.1 { b } else { a });
        if let Some((at, _)) = best {
            classes[at].push(x);
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{loss::Ncp, search::tests_support::fars};

    #[test]
    fn the_papers_table_7() {
        let classes = greedy_search(&Arc::new(fars(3)), &Ncp::default(), 3);
        let mut classes: Vec<Vec<u32>> = classes;
        for class in &mut classes {
            class.sort_unstable();
        }
        assert_eq!(
            classes,
            [
                vec![1, 11, 12],
                vec![4, 7, 10, 14],
                vec![5, 9, 16],
                vec![6, 13, 18, 19],
                vec![0, 8, 17],
                vec![2, 3, 15]
            ]
        );
    }
}
