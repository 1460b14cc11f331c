//! Mondrian (`LeFevre`, `DeWitt` and Ramakrishnan 2006): recursive cuts at the median of the attribute whose range, as a
//! part of the whole range, is widest; the next widest where that cut would leave fewer than k on a side.
//!
//! Strict: all records of one value stay on one side, so classes of more than 2k - 1 may remain. Relaxed: the records at
//! the median are dealt out so that the halves are equal. O(n log n) a level.

use lookalike_model::instance::Instance;

use super::construction::{Construction, Partial};

/// How records at the median are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// They stay together.
    Strict,
    /// They are dealt out.
    Relaxed,
}

/// Mondrian, a cut at a time.
pub(super) struct Mondrian {
    k: usize,
    cut: Cut,
    /// Range of each attribute over all records.
    whole: Vec<f64>,
    open: Vec<Vec<u32>>,
    classes: Vec<Vec<u32>>,
}

impl Mondrian {
    pub(super) fn new(instance: &Instance, k: usize, cut: Cut) -> Self {
        let all: Vec<u32> = (0..instance.records() as u32).collect();
        let whole = (0..instance.dims).map(|j| extent(instance, &all, j)).collect();
        Self { k, cut, whole, open: vec![all], classes: Vec::new() }
    }
}

impl Construction for Mondrian {
    fn advance(&mut self, instance: &Instance) -> Option<usize> {
        let records = self.open.pop()?;
        let looked = 4 * records.len();
        match halves(instance, &self.whole, records, self.k, self.cut) {
            Ok([low, high]) => self.open.extend([high, low]),
            Err(class) => self.classes.push(class),
        }
        Some(looked)
    }

    fn leave(self: Box<Self>) -> Partial {
        Partial { classes: self.classes, open: self.open.into_iter().map(|records| vec![records]).collect() }
    }
}

fn extent(instance: &Instance, records: &[u32], j: usize) -> f64 {
    let (low, high) = records.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &i| {
        let x = instance.coordinate(i, j);
        (low.min(x), high.max(x))
    });
    high - low
}

/// Both sides of the cut; `Err` gives the records back where no cut is allowed.
fn halves(
    instance: &Instance,
    whole: &[f64],
    mut records: Vec<u32>,
    k: usize,
    cut: Cut,
) -> Result<[Vec<u32>; 2], Vec<u32>> {
    if records.len() < 2 * k {
        return Err(records);
    }
    let mut axes: Vec<(f64, usize)> = (0..instance.dims)
        .filter(|&j| whole[j] > 0.0)
        .map(|j| (extent(instance, &records, j) / whole[j], j))
        .collect();
    axes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    if axes.is_empty() {
        axes.push((0.0, 0));
    }
    for (_, j) in axes {
        let x = |i: u32| instance.coordinate(i, j);
        records.sort_by(|&a, &b| x(a).total_cmp(&x(b)).then(a.cmp(&b)));
        let at = match cut {
            Cut::Relaxed => records.len().div_ceil(2),
            Cut::Strict => {
                let median = x(records[(records.len() - 1) / 2]);
                records.partition_point(|&i| x(i) <= median)
            }
        };
        if at >= k && records.len() - at >= k {
            let high = records.split_off(at);
            return Ok([records, high]);
        }
    }
    records.sort_unstable();
    Err(records)
}

#[cfg(test)]
mod tests {
    use lookalike_model::fixtures::instance;

    use super::*;
    use crate::construct::construction::to_the_end;

    #[test]
    fn by_hand() {
        // Values 0 0 0 0 9: strict cannot cut (the median's side holds four, one is left); relaxed cuts 3 and 2.
        let line = instance(1, &[0., 0., 0., 0., 9.], &[0; 5]);
        assert_eq!(to_the_end(Mondrian::new(&line, 2, Cut::Strict), &line), [vec![0, 1, 2, 3, 4]]);
        assert_eq!(to_the_end(Mondrian::new(&line, 2, Cut::Relaxed), &line), [vec![0, 1, 2], vec![3, 4]]);
    }

    #[test]
    fn ranges_count_as_parts_of_the_whole() {
        // Both attributes span their whole range at first, so the first is cut although the second is longer: {0, 1, 2}
        // and {3, 4, 5}. Bucketization's halving would cut the second, which is longer.
        let points = [0., 50., 1., 0., 2., 100., 3., 0., 4., 100., 5., 50.];
        let plane = instance(2, &points, &[0; 6]);
        assert_eq!(to_the_end(Mondrian::new(&plane, 3, Cut::Strict), &plane), [vec![0, 1, 2], vec![3, 4, 5]]);
        let rule = lookalike_model::rule::Rule::at_least(3);
        assert_eq!(super::super::classic::classic(&plane, &rule, 1).labels, [0, 0, 1, 0, 1, 1]);
    }
}
