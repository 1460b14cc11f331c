//! At most so many progress reports a second.

use std::cell::{Cell, RefCell};

use lookalike_model::event::Progress;
use lookalike_words::Said;

/// Seconds between two reports of the same phase.
const INTERVAL: f64 = 0.1;

/// Lets a report pass when the last one is old enough or tells of another phase.
#[derive(Default)]
pub(crate) struct Throttle {
    last: Cell<Option<f64>>,
    phase: RefCell<Said>,
}

impl Throttle {
    /// Whether this report, made at `now` seconds, is to be passed on.
    pub(crate) fn passes(&self, progress: &Progress, now: f64) -> bool {
        let same_phase = *self.phase.borrow() == progress.phase;
        if same_phase && self.last.get().is_some_and(|last| now - last < INTERVAL) {
            return false;
        }
        if !same_phase {
            self.phase.replace(progress.phase.clone());
        }
        self.last.set(Some(now));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(phase: &str) -> Progress {
        Progress { phase: Said::verbatim(phase), ..Progress::default() }
    }

    #[test]
    fn ten_a_second_of_one_phase_and_each_first_of_a_phase() {
        let throttle = Throttle::default();
        let passed: usize =
            (0..1000).filter(|i| throttle.passes(&report("a"), f64::from(*i) / 512.0)).count();
        // 1.95 seconds: the first report and one each time 0.1 seconds have gone by, rounded up to the next 1/512.
        assert!((18..=20).contains(&passed), "{passed}");
        assert!(throttle.passes(&report("b"), 1.953));
        assert!(!throttle.passes(&report("b"), 1.954));
    }
}
