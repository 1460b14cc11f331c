//! A run that is under way: its clock is the page's, so that phases in which nothing is searched pass, too.

use std::rc::Rc;

use lookalike_model::{event::Progress, settings::Settings};

use super::{Place, series::Aside, undo::Snapshot};

/// Points of a curve that are kept; when there are more, every second one goes.
const MAX_HISTORY: usize = 256;

/// Seconds between two moments at which loss and bound are read out.
const SPOKEN: u32 = 10;

/// Seconds that the page's clock may be behind the search's before it is put forward.
const LATE: f64 = 2.0;

/// A run that is under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Where.
    pub place: Place,
    /// With what.
    pub settings: Rc<Settings>,
    /// The newest report.
    pub progress: Progress,
    /// Seconds since it began, by the page's clock.
    pub seconds: u32,
    /// Seconds and loss of the incumbent, thinned out.
    pub history: Vec<(f64, f64)>,
    /// Seconds and proven lower bound, thinned out; empty until there is one.
    pub bounds: Vec<(f64, f64)>,
    /// When the loss fell last.
    pub better: Option<f64>,
    /// When the bound rose last.
    pub rose: Option<f64>,
    /// Seconds, loss and bound as they are read out: they change every ten seconds.
    pub spoken: (u32, Option<f64>, Option<f64>),
    /// It was asked to stop.
    pub stopping: bool,
    /// It was given up, and the engine has not let go of it yet.
    pub cancelling: bool,
    /// Its numbers are on their way to the worker, or there.
    pub sent: bool,
    /// The search's own clock.
    clock: Clock,
    /// What the fields were.
    pub(super) fields: Snapshot,
    /// What comes back if the run does not end with a result.
    pub(super) aside: Aside,
}

/// The clock of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Clock {
    /// When it began, by the page's.
    begun: f64,
    /// It is another search's, of which nothing is known yet.
    anew: bool,
}

impl Run {
    /// A run that begins.
    pub(super) fn new(place: Place, settings: Rc<Settings>, fields: Snapshot, aside: Aside) -> Self {
        Self {
            place,
            settings,
            progress: Progress::default(),
            seconds: 0,
            history: Vec::new(),
            bounds: Vec::new(),
            better: None,
            rose: None,
            spoken: (0, None, None),
            stopping: false,
            cancelling: false,
            sent: false,
            clock: Clock::default(),
            fields,
            aside,
        }
    }

    /// Seconds since it began: at least those of the last point.
    #[must_use]
    pub fn now(&self) -> f64 {
        let last = |curve: &[(f64, f64)]| curve.last().map_or(0.0, |last| last.0);
        f64::from(self.seconds).max(last(&self.history)).max(last(&self.bounds))
    }

    /// Loss of the best table so far.
    #[must_use]
    pub fn loss(&self) -> Option<f64> {
        self.history.last().map(|last| last.1)
    }

    /// The proven bound, if there is one.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        self.bounds.last().map(|last| last.1)
    }

    /// A second went by.
    pub(super) fn tick(&mut self) {
        self.seconds = self.seconds.saturating_add(1);
        if self.seconds.is_multiple_of(SPOKEN) {
            self.spoken = (self.seconds, self.loss(), self.bound());
        }
    }

    /// The search told where it stands. Its clock runs beside the page's: it says where between two seconds of that a point
    /// belongs, and begins anew where several searches follow each other, as for the price of a counterfeit.
    pub(super) fn report(&mut self, progress: Progress) {
        if progress.seconds < self.progress.seconds {
            (self.clock.begun, self.clock.anew) = (self.now(), true);
        }
        if self.clock.anew && (progress.incumbent.is_some() || progress.bound.is_some()) {
            // What another search found is another table's.
            (self.history, self.bounds) = (Vec::new(), Vec::new());
            (self.better, self.rose, self.clock.anew) = (None, None, false);
        }
        // A page in the background misses seconds: the search has not.
        let own = self.clock.begun + progress.seconds.max(0.0);
        if own >= f64::from(self.seconds) + LATE {
            self.seconds = own as u32;
        }
        let now = own.max(f64::from(self.seconds));
        if let Some(loss) = progress.incumbent {
            if self.loss().is_none_or(|before| loss < before) {
                self.better = Some(now);
            }
            push(&mut self.history, (now, loss));
        }
        // That no loss is negative is no bound yet, and the chart has no line for what a worker claims.
        let told = |bound: &f64| *bound > 0.0 || progress.incumbent.is_some_and(|loss| loss <= 0.0);
        if let Some(bound) = progress.bound.filter(|bound| self.place == Place::Here && told(bound)) {
            if self.bound().is_none_or(|before| bound > before) {
                self.rose = Some(now);
            }
            push(&mut self.bounds, (now, bound));
        }
        self.progress = progress;
    }

    /// Ends the curves with what came out.
    pub(super) fn end(&mut self, loss: f64, bound: Option<f64>) {
        let now = self.now();
        push(&mut self.history, (now, loss));
        if let Some(bound) = bound {
            push(&mut self.bounds, (now, bound));
        }
    }
}

/// Adds a point to a curve; of one that has grown long every second point is dropped first.
fn push(curve: &mut Vec<(f64, f64)>, point: (f64, f64)) {
    if curve.last() == Some(&point) {
        return;
    }
    if curve.len() >= MAX_HISTORY {
        let mut index = 0;
        curve.retain(|_| {
            index += 1;
            index % 2 == 1
        });
    }
    curve.push(point);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Work, tests::solving};

    fn run() -> Run {
        let Work::Solving(run) = solving().work else { panic!("not solving") };
        *run
    }

    fn at(seconds: f64, loss: f64, bound: Option<f64>) -> Progress {
        Progress { incumbent: Some(loss), bound, seconds, ..Progress::default() }
    }

    fn wait(run: &mut Run, seconds: u32) {
        for _ in 0..seconds {
            run.tick();
        }
    }

    #[test]
    fn phases_before_the_search_pass_on_the_clock() {
        let mut run = run();
        // Twelve seconds of encoding: the search's clock stands still.
        wait(&mut run, 12);
        run.report(at(0.2, 9.0, None));
        assert_eq!(run.history, [(12.0, 9.0)]);
        run.tick();
        run.report(at(1.2, 8.0, Some(4.0)));
        assert_eq!((run.history[1], run.bounds[0]), ((13.0, 8.0), (13.0, 4.0)));
        // While the release is checked nothing is reported.
        wait(&mut run, 7);
        assert_eq!(run.now(), 20.0);
        run.end(8.0, Some(5.0));
        assert_eq!((run.history.last(), run.bounds.last()), (Some(&(20.0, 8.0)), Some(&(20.0, 5.0))));
    }

    #[test]
    fn a_page_in_the_background_misses_no_seconds() {
        let mut run = run();
        run.report(at(90.5, 9.0, None));
        assert_eq!((run.seconds, run.now()), (90, 90.5));
    }

    #[test]
    fn what_changed_last_is_known() {
        let mut run = run();
        run.tick();
        run.report(at(1.0, 9.0, Some(2.0)));
        wait(&mut run, 4);
        run.report(at(5.0, 9.0, Some(3.0)));
        assert_eq!((run.better, run.rose), (Some(1.0), Some(5.0)));
        wait(&mut run, 5);
        run.report(at(9.9, 8.5, Some(3.0)));
        assert_eq!((run.better, run.rose), (Some(10.0), Some(5.0)));
        // Another search knows nothing of that.
        run.report(at(0.0, 20.0, None));
        assert_eq!((run.history.clone(), run.better, run.rose), (vec![(10.0, 20.0)], Some(10.0), None));
    }

    #[test]
    fn what_is_read_out_changes_every_ten_seconds() {
        let mut run = run();
        run.report(at(0.0, 9.0, Some(2.0)));
        wait(&mut run, 9);
        assert_eq!(run.spoken, (0, None, None));
        run.tick();
        assert_eq!(run.spoken, (10, Some(9.0), Some(2.0)));
        run.report(at(10.0, 8.0, Some(2.0)));
        wait(&mut run, 5);
        assert_eq!(run.spoken, (10, Some(9.0), Some(2.0)));
    }
}
