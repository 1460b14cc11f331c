//! Sum of squared errors (Tobar 2023 and Castro 2022): the sum over a class of |a - centroid|^2.

use std::sync::Arc;

use crate::settings::Loss as Name;

use super::{Loss, LossTable};
use crate::instance::{Instance, LANE, Lane, distance2, fold};

/// Sum of squared errors over the real records.
///
/// With s the sum of the points of a class and r its number of real records, SSE = sum |a|^2 - |s|^2 / r: only the
/// second part depends on the partition, and it changes in O(d) when a record moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sse;

impl Loss for Sse {
    type Table = SseTable;
    type Coarse = Self;

    fn name(&self) -> Name {
        Name::Sse
    }

    fn class(&self, instance: &Instance, members: &[u32]) -> f64 {
        let reals = || members.iter().copied().filter(|&i| instance.is_real(i));
        let count = reals().count();
        if count == 0 {
            return 0.0;
        }
        let mut centroid = vec![[0.0; LANE]; instance.lanes];
        for i in reals() {
            for (c, x) in centroid.iter_mut().zip(instance.point(i)) {
                for l in 0..LANE {
                    c[l] += x[l];
                }
            }
        }
        for c in &mut centroid {
            for x in c {
                *x /= count as f64;
            }
        }
        reals().map(|i| distance2(instance.point(i), &centroid)).sum()
    }

    fn table(&self, instance: &Arc<Instance>, classes: usize) -> SseTable {
        SseTable {
            instance: Arc::clone(instance),
            sums: vec![[0.0; LANE]; classes * instance.lanes],
            reals: vec![0.0; classes],
            values: vec![0.0; classes],
        }
    }

    fn record(&self, instance: &Instance, i: u32) -> f64 {
        if !instance.is_real(i) {
            return 0.0;
        }
        let mut square = [0.0; LANE];
        for x in instance.point(i) {
            for l in 0..LANE {
                square[l] += x[l] * x[l];
            }
        }
        fold(square)
    }

    fn start_temperature(&self, _: usize) -> f64 {
        5.0
    }

    #[inline]
    fn distance(&self, instance: &Instance, i: u32, j: u32) -> f64 {
        distance2(instance.point(i), instance.point(j))
    }

    #[inline]
    fn gap(&self, _: &Instance, _: usize, from: f64, to: f64) -> f64 {
        (from - to) * (from - to)
    }
}

/// Running sums of the classes.
#[derive(Clone, Debug)]
pub struct SseTable {
    instance: Arc<Instance>,
    sums: Vec<Lane>,
    reals: Vec<f64>,
    values: Vec<f64>,
}

impl SseTable {
    #[inline]
    fn sum(&self, class: u32) -> &[Lane] {
        let at = class as usize * self.instance.lanes;
        &self.sums[at..at + self.instance.lanes]
    }

    #[inline]
    fn real(&self, i: Option<u32>) -> f64 {
        f64::from(u8::from(i.is_some_and(|i| self.instance.is_real(i))))
    }

    #[inline]
    fn compute(&self, class: u32) -> f64 {
        let reals = self.reals[class as usize];
        if reals == 0.0 {
            return 0.0;
        }
        let mut square = [0.0; LANE];
        for s in self.sum(class) {
            for l in 0..LANE {
                square[l] += s[l] * s[l];
            }
        }
        -fold(square) / reals
    }
}

impl LossTable for SseTable {
    #[inline]
    fn value(&self, class: u32) -> f64 {
        self.values[class as usize]
    }

    #[inline]
    fn value_after(&self, class: u32, _: &[u32], gains: Option<u32>, loses: Option<u32>) -> f64 {
        let reals = self.reals[class as usize] + self.real(gains) - self.real(loses);
        if reals == 0.0 {
            return 0.0;
        }
        // Counterfeits have the zero point, so they need no case of their own.
        let mut square = [0.0; LANE];
        let sum = self.sum(class);
        match (gains, loses) {
            (Some(i), Some(o)) => {
                for ((s, a), b) in sum.iter().zip(self.instance.point(i)).zip(self.instance.point(o)) {
                    for l in 0..LANE {
                        let x = s[l] + (a[l] - b[l]);
                        square[l] += x * x;
                    }
                }
            }
            (Some(i), None) => {
                for (s, a) in sum.iter().zip(self.instance.point(i)) {
                    for l in 0..LANE {
                        let x = s[l] + a[l];
                        square[l] += x * x;
                    }
                }
            }
            (None, Some(o)) => {
                for (s, b) in sum.iter().zip(self.instance.point(o)) {
                    for l in 0..LANE {
                        let x = s[l] - b[l];
                        square[l] += x * x;
                    }
                }
            }
            (None, None) => return self.value(class),
        }
        -fold(square) / reals
    }

    #[inline]
    fn apply(&mut self, class: u32, _: &[u32], gains: Option<u32>, loses: Option<u32>) {
        let at = class as usize * self.instance.lanes;
        self.reals[class as usize] += self.real(gains) - self.real(loses);
        let sum = &mut self.sums[at..at + self.instance.lanes];
        if let Some(i) = gains {
            for (s, a) in sum.iter_mut().zip(self.instance.point(i)) {
                for l in 0..LANE {
                    s[l] += a[l];
                }
            }
        }
        if let Some(o) = loses {
            for (s, b) in sum.iter_mut().zip(self.instance.point(o)) {
                for l in 0..LANE {
                    s[l] -= b[l];
                }
            }
        }
        self.values[class as usize] = self.compute(class);
    }

    #[inline]
    fn refresh(&mut self, class: u32, members: &[u32]) {
        let at = class as usize * self.instance.lanes;
        self.sums[at..at + self.instance.lanes].fill([0.0; LANE]);
        self.reals[class as usize] = 0.0;
        for &i in members {
            self.reals[class as usize] += self.real(Some(i));
            for (s, a) in self.sums[at..].iter_mut().zip(self.instance.point(i)) {
                for l in 0..LANE {
                    s[l] += a[l];
                }
            }
        }
        self.values[class as usize] = self.compute(class);
    }
}
