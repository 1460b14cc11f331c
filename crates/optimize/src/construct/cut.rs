//! Cuts classes that are larger than any optimal partition needs; no loss of ours rises by it.

use lookalike_model::{instance::Instance, partition::Partition, rule::Rule};

use super::buckets::trim;

/// Halves classes above the rule's `max_size` along their widest attribute, or where colours must differ takes parts off
/// them, until none is left that can be cut.
#[must_use]
pub fn cut_large(instance: &Instance, rule: &Rule, partition: Partition) -> Partition {
    let members = partition.members();
    if members.iter().all(|c| c.len() <= rule.max_size) {
        return partition;
    }
    let mut done = Vec::with_capacity(members.len());
    let mut open = members;
    while let Some(mut class) = open.pop() {
        if class.len() <= rule.max_size {
            done.push(class);
        } else if rule.distinct() || class.iter().any(|&i| !instance.is_real(i)) {
            done.extend(trim(instance, class, rule));
        } else {
            let extent = |j: usize| {
                let values = class.iter().map(|&i| instance.coordinate(i, j));
                let (low, high) =
                    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
                high - low
            };
            let axis = (0..instance.dims).fold(0, |a, b| if extent(b) > extent(a) { b } else { a });
            let x = |i: u32| instance.coordinate(i, axis);
            class.sort_by(|&a, &b| x(a).total_cmp(&x(b)).then(a.cmp(&b)));
            let high = class.split_off(class.len() / 2);
            open.extend([class, high]);
        }
    }
    Partition::from_classes(instance.records(), &done)
}

#[cfg(test)]
mod tests {
    use lookalike_model::{fixtures::instance, rule::Rule};

    use super::*;

    #[test]
    fn by_hand() {
        let instance = instance(1, &[5., 0., 4., 1., 9.], &[0; 5]);
        let whole = Partition::from_labels(&[0; 5]);
        assert_eq!(cut_large(&instance, &Rule::at_least(2), whole.clone()).labels, [0, 1, 0, 1, 0]);
        assert_eq!(cut_large(&instance, &Rule::at_least(3), whole.clone()), whole);
    }
}
