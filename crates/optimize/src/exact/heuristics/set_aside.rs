//! Classes that cost nothing, set aside while a local search looks at the others. Where most records have equals enough, it has
//! far fewer records to move then. Of each type one such class stays, so that others can take records of it.

use std::{collections::BTreeSet, sync::Arc};

use lookalike_model::{instance::Instance, partition::Partition};

use crate::exact::problem::Problem;

/// What is left of a partition without the classes set aside.
pub(in crate::exact) struct Rest {
    /// The records left.
    pub(in crate::exact) instance: Arc<Instance>,
    /// Their partition.
    pub(in crate::exact) start: Partition,
    /// Record `r` of those left is `left[r]`.
    left: Vec<u32>,
    /// The classes set aside.
    aside: Vec<Vec<u32>>,
}

impl Rest {
    /// Sets classes of one type aside; `None` unless these hold half of the records, or where classes are not of any equal records.
    pub(in crate::exact) fn new(problem: &Problem, partition: &Partition) -> Option<Self> {
        let instance = &problem.instance;
        if problem.distinct || instance.series.is_some() || instance.reals < instance.records() {
            return None;
        }
        let type_of = |i: u32| problem.type_of[i as usize];
        let mut kept = BTreeSet::new();
        let (mut aside, mut left, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        for class in partition.members() {
            let equal = class.windows(2).all(|pair| type_of(pair[0]) == type_of(pair[1]));
            if equal && !class.first().is_none_or(|&first| kept.insert(type_of(first))) {
                aside.push(class);
            } else {
                left.push(class);
            }
        }
        if 2 * aside.iter().map(Vec::len).sum::<usize>() < instance.records() {
            return None;
        }
        let mut records: Vec<(u32, u32)> = Vec::new();
        for (class, label) in left.into_iter().zip(0..) {
            records.extend(class.into_iter().map(|i| (i, label)));
        }
        records.sort_unstable();
        labels.extend(records.iter().map(|record| record.1));
        let left: Vec<u32> = records.into_iter().map(|record| record.0).collect();
        let start = Partition::from_labels(&labels);
        Some(Self { instance: Arc::new(instance.subset(&left)), start, left, aside })
    }

    /// The partition of all records from one of those left.
    pub(in crate::exact) fn whole(&self, rest: &Partition) -> Partition {
        let set_aside: usize = self.aside.iter().map(Vec::len).sum();
        let mut labels = vec![0; self.left.len() + set_aside];
        for (&i, &label) in self.left.iter().zip(&rest.labels) {
            labels[i as usize] = label;
        }
        for (class, label) in self.aside.iter().zip(rest.classes as u32..) {
            for &i in class {
                labels[i as usize] = label;
            }
        }
        Partition::from_labels(&labels)
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{fixtures::instance, loss::Sse, rule::Rule};

    use super::*;

    #[test]
    fn all_but_one_class_of_each_type_are_set_aside() {
        // Eight records at 1, three at 2, one at 3.
        let line = instance(1, &[1., 1., 2., 1., 1., 2., 1., 1., 2., 1., 1., 3.], &[0; 12]);
        let problem = Problem::new(&Arc::new(line), &Sse, &Rule::at_least(2)).unwrap();
        let partition = Partition::from_labels(&[0, 0, 1, 2, 2, 1, 3, 3, 4, 5, 5, 4]);
        let rest = Rest::new(&problem, &partition).unwrap();
        assert_eq!(rest.left, [0, 1, 2, 5, 8, 11]);
        assert_eq!(rest.start.labels, [0, 0, 1, 1, 2, 2]);
        assert_eq!(rest.whole(&rest.start).members().len(), 6);
        let loss = |partition: &Partition| partition.loss(&problem.instance, &Sse);
        assert!((loss(&rest.whole(&rest.start)) - loss(&partition)).abs() < 1e-12);
        let joined = rest.whole(&Partition::from_labels(&[0, 0, 0, 0, 1, 1]));
        assert!(joined.check(&problem.instance, &Rule::at_least(2)).is_ok());
        assert_eq!(joined.members().len(), 5);
        // Of fewer than half nothing is gained.
        assert!(
            Rest::new(&problem, &Partition::from_labels(&[0, 0, 1, 0, 0, 1, 2, 2, 1, 2, 2, 1])).is_none()
        );
    }
}
