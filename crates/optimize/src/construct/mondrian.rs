//! Mondrian (`LeFevre`, `DeWitt` and Ramakrishnan 2006): recursive cuts at the median of the attribute whose range, as a
//! part of the whole range, is widest; the next widest where that cut would leave fewer than k on a side.
//!
//! Strict: all records of one value stay on one side, so classes of more than 2k - 1 may remain. Where several lie at the
//! median they all go to the low side, as in the paper's definition of the strict cut, or all to the high side: of the two
//! cuts that leave at least k on both sides the more even one is taken, the paper's where they are equally even. With its side
//! alone an attribute whose upper half is one value could never be cut, however many records there were. Relaxed: the records
//! at the median are dealt out so that the halves are equal. O(n log n) a level.

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
        let smaller_side = |at: usize| at.min(records.len() - at);
        let at = match cut {
            Cut::Relaxed => records.len().div_ceil(2),
            Cut::Strict => {
                let median = x(records[(records.len() - 1) / 2]);
                let sides = [
                    records.partition_point(|&i| x(i) < median),
                    records.partition_point(|&i| x(i) <= median),
                ];
                // The last of equals is taken.
                sides.into_iter().max_by_key(|&at| smaller_side(at)).unwrap_or(0)
            }
        };
        if smaller_side(at) >= k {
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
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

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
    fn records_at_the_median_go_to_either_side() {
        // 0 0 | 5 5 5: the median is 5, above it lies nobody. 0 0 0 | 3 3 | 9 9 9 is cut as evenly on both sides of the 3s,
        // so they go to the low one; with one 0 less they go there, too, since three are on the other side then.
        let strict = |values: &[f64], k: usize| {
            let line = instance(1, values, &vec![0; values.len()]);
            to_the_end(Mondrian::new(&line, k, Cut::Strict), &line)
        };
        assert_eq!(strict(&[0., 0., 5., 5., 5.], 2), [vec![0, 1], vec![2, 3, 4]]);
        assert_eq!(strict(&[0., 0., 0., 3., 3., 9., 9., 9.], 3), [vec![0, 1, 2, 3, 4], vec![5, 6, 7]]);
        assert_eq!(strict(&[0., 0., 3., 3., 9., 9., 9.], 3), [vec![0, 1, 2, 3], vec![4, 5, 6]]);
        // 0 0 0 | 3 3 3 9: three and four are more even than six and one.
        assert_eq!(strict(&[0., 0., 0., 3., 3., 3., 9.], 3), [vec![0, 1, 2], vec![3, 4, 5, 6]]);
    }

    /// Of a class of the strict variant, no attribute can be cut below or above its median any more; a definition of its own.
    #[test]
    fn no_class_can_be_cut_at_its_median() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut tied = 0;
        for _ in 0..300 {
            let (n, k, steps) =
                (rng.random_range(4..60usize), rng.random_range(2..5usize), rng.random_range(1..8u32));
            let points: Vec<f64> = (0..2 * n).map(|_| f64::from(rng.random_range(0..=steps))).collect();
            let plane = instance(2, &points, &vec![0; n]);
            let classes = to_the_end(Mondrian::new(&plane, k, Cut::Strict), &plane);
            for class in classes {
                assert!(class.len() >= k.min(n));
                for j in 0..2 {
                    let mut values: Vec<f64> = class.iter().map(|&i| points[2 * i as usize + j]).collect();
                    values.sort_by(f64::total_cmp);
                    let median = values[(values.len() - 1) / 2];
                    let below = values.iter().filter(|&&x| x < median).count();
                    let above = values.iter().filter(|&&x| x > median).count();
                    let all = values.len();
                    assert!(below < k || all - below < k, "{values:?}");
                    assert!(above < k || all - above < k, "{values:?}");
                }
                tied += usize::from(class.len() >= 2 * k);
            }
        }
        assert!(tied > 100, "{tied}");
    }

    /// Twice the records, each value twice as often: whatever was cut is cut again, so that no more is lost a record. With one
    /// side alone a range could stay whole whatever n was.
    #[test]
    fn records_that_come_again_do_not_block_a_cut() {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        for _ in 0..200 {
            let n = rng.random_range(4..40usize);
            let points: Vec<f64> = (0..n).map(|_| f64::from(rng.random_range(0..6u32))).collect();
            let lost = |points: &[f64]| {
                let line = instance(1, points, &vec![0; points.len()]);
                let classes = to_the_end(Mondrian::new(&line, 3, Cut::Strict), &line);
                let width = |class: &[u32]| {
                    let values = || class.iter().map(|&i| points[i as usize]);
                    values().fold(0.0, f64::max) - values().fold(9.0, f64::min)
                };
                classes.iter().map(|class| class.len() as f64 * width(class)).sum::<f64>()
                    / points.len() as f64
            };
            let twice = [&points[..], &points[..]].concat();
            assert!(lost(&twice) <= lost(&points) + 1e-12, "{points:?}");
        }
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
