//! Sums of the smallest values of different colours, or of as many records of each type as there are, with and without one of
//! them.

use crate::exact::problem::Problem;

/// A value of a candidate.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) value: f64,
    /// The type.
    pub(super) of: u32,
}

/// The smallest values, and their sums.
#[derive(Default)]
pub(super) struct Sums {
    /// The smallest values, ascending: of different colours, or those of each type as often as it has records.
    pub(super) list: Vec<Value>,
    colours: Vec<u32>,
    /// `least_without[q]`: least over the sizes eta of the sum of the eta - 1 smallest values, the one at place q
    /// left out; the last entry leaves out none.
    least_without: Vec<f64>,
    min: usize,
    max: usize,
}

impl Sums {
    /// Takes the values of a box's candidates.
    pub(super) fn fill(&mut self, problem: &Problem, values: impl Iterator<Item = Value>) {
        (self.min, self.max) = (problem.min, problem.max);
        self.list.clear();
        self.colours.clear();
        let (list, colours, max) = (&mut self.list, &mut self.colours, problem.max);
        for v in values {
            if list.len() == max && v.value >= list[max - 1].value {
                continue;
            }
            let colour = problem.colours[v.of as usize];
            if problem.distinct
                && let Some(at) = colours.iter().position(|&c| c == colour)
            {
                if list[at].value <= v.value {
                    continue;
                }
                list.remove(at);
                colours.remove(at);
            } else if list.len() == max {
                list.pop();
                colours.pop();
            }
            let at = list.partition_point(|x| x.value <= v.value);
            list.insert(at, v);
            colours.insert(at, colour);
            for _ in 1..problem.copies(v.of).min(max) {
                if list.len() == max {
                    if at + 1 == max || v.value >= list[max - 1].value {
                        break;
                    }
                    list.pop();
                    colours.pop();
                }
                list.insert(at, v);
                colours.insert(at, colour);
            }
        }
        self.sum_up();
    }

    fn sum_up(&mut self) {
        let places = self.list.len();
        self.least_without.clear();
        for leave in 0..=places {
            let (mut sum, mut taken, mut least) = (0.0, 0, f64::INFINITY);
            for (at, v) in self.list.iter().enumerate() {
                if at == leave {
                    continue;
                }
                if (self.min..=self.max).contains(&(taken + 1)) {
                    least = least.min(sum);
                }
                sum += v.value;
                taken += 1;
            }
            if (self.min..=self.max).contains(&(taken + 1)) {
                least = least.min(sum);
            }
            self.least_without.push(least);
        }
    }

    /// The least sum over all sizes, and its size; infinite if there are too few colours.
    pub(super) fn least(&self) -> (f64, usize) {
        let (mut sum, mut best) = (0.0, (f64::INFINITY, 0));
        for (at, v) in self.list.iter().enumerate() {
            sum += v.value;
            if at + 1 >= self.min && sum < best.0 {
                best = (sum, at + 1);
            }
        }
        best
    }

    /// The least sum over all sizes with this candidate in it.
    pub(super) fn with(&self, problem: &Problem, v: Value) -> f64 {
        let colour = problem.colours[v.of as usize];
        let at = self.colours.iter().position(|&c| c == colour).unwrap_or(self.list.len());
        v.value + self.least_without[at]
    }
}
