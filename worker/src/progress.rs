//! Progress and messages on standard error: a bar on a terminal, a line now and then otherwise.

use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use lookalike_model::event::{Elsewhere, Progress};
use lookalike_words::{Figure, Said, shown};

use crate::summary::{FromTheBest, at_least};

/// Time between two lines where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(5);

/// Steps of the bar.
const STEPS: u64 = 1000;

/// Writes a line to standard error; a message that cannot be written stops nothing.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", shown(line));
}

/// Says what the user should know, though nothing has failed.
pub(crate) fn warn(what: &Said) {
    say(&format!("warning: {what}"));
}

/// Shows progress reports.
pub(crate) enum View {
    /// A terminal.
    Bar(ProgressBar),
    /// A log.
    Lines(Mutex<Lines>),
    /// Somebody who is told.
    Told(Box<dyn Fn(&Progress) + Send + Sync>),
}

/// What a log has seen last.
#[derive(Default)]
pub(crate) struct Lines {
    phase: Said,
    last: Option<Instant>,
}

impl View {
    /// The view that fits standard error.
    pub(crate) fn new() -> Self {
        if !io::stderr().is_terminal() {
            return Self::Lines(Mutex::default());
        }
        let bar = ProgressBar::new(STEPS);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar:.cyan/dim}  {msg}") {
            bar.set_style(style);
        }
        Self::Bar(bar)
    }

    /// Shows a report.
    pub(crate) fn show(&self, progress: &Progress) {
        self.show_as(progress, false);
    }

    /// Shows what another machine reports of its search.
    pub(crate) fn show_claimed(&self, progress: &Progress) {
        self.show_as(progress, true);
    }

    fn show_as(&self, progress: &Progress, claimed: bool) {
        match self {
            Self::Bar(bar) => {
                if let Some(fraction) = progress.fraction {
                    bar.set_position((fraction.clamp(0.0, 1.0) * STEPS as f64) as u64);
                }
                bar.set_message(words(progress, claimed));
            }
            Self::Told(tell) => tell(progress),
            Self::Lines(lines) => {
                let due =
                    lines.lock().unwrap_or_else(PoisonError::into_inner).is_due(progress, Instant::now());
                if due {
                    say(&words(progress, claimed));
                }
            }
        }
    }

    /// Removes the bar, if there is one.
    pub(crate) fn clear(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Lines {
    /// True for the first report of a phase, and again after each interval.
    fn is_due(&mut self, progress: &Progress, now: Instant) -> bool {
        let new = self.phase != progress.phase;
        let due = new || self.last.is_none_or(|last| now.duration_since(last) >= INTERVAL);
        if due {
            self.phase.clone_from(&progress.phase);
            self.last = Some(now);
        }
        due
    }
}

/// "annealing 40 %, loss 12.3456, bound 12.2 (the best possible loss is at most 1.2 % lower), 7 s"; `claimed` by another machine,
/// nothing is said of what is possible.
fn words(progress: &Progress, claimed: bool) -> String {
    let percent = progress.fraction.map(|f| format!(" {:.0} %", 100.0 * f)).unwrap_or_default();
    let loss = progress.incumbent.map(|loss| format!(", loss {loss:.4}")).unwrap_or_default();
    let bound = if claimed { claimed_bound(progress) } else { bound(progress) }.unwrap_or_default();
    let others = progress.elsewhere.map(others).unwrap_or_default();
    format!("{}{percent}{loss}{bound}{others}, {:.0} s", progress.phase, progress.seconds)
}

/// ", with others 12 (8 at a time), 40 done".
fn others(elsewhere: Elsewhere) -> String {
    let Elsewhere { done, open, workers } = elsewhere;
    format!(", with others {open} ({workers} at a time), {done} done")
}

/// ", bound 12.2 (the best possible loss is at most 1.2 % lower)"; nothing while no more is proven than that no loss is
/// negative.
fn bound(progress: &Progress) -> Option<String> {
    let (bound, loss) = (progress.bound?, progress.incumbent?);
    if bound <= 0.0 && loss > 0.0 {
        return None;
    }
    let gap = if loss > 0.0 { 100.0 * (loss - bound) / loss } else { 0.0 };
    Some(format!(", bound {} ({})", at_least(bound), from_the_best(gap)))
}

/// ", bound 12.2 (claimed by the worker)"; nothing where it claims only that no loss is negative.
fn claimed_bound(progress: &Progress) -> Option<String> {
    let bound = progress.bound.filter(|bound| *bound > 0.0)?;
    Some(format!(", bound {} (claimed by the worker)", at_least(bound)))
}

/// How far a loss is from the best possible one, by a gap in per cent of the loss that is rounded up.
pub(crate) fn from_the_best(gap_percent: f64) -> FromTheBest {
    let gap = gap_percent.max(0.0);
    let digits = match gap {
        g if g >= 1.0 => 1,
        g if g >= 0.01 => 3,
        _ => 6,
    };
    let unit = 10_f64.powi(digits);
    FromTheBest::AtMost { gap: Figure::shortest((gap * unit).ceil() / unit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_told_with_its_gap() {
        let report = Progress {
            phase: Said::verbatim("column generation"),
            fraction: Some(0.5),
            incumbent: Some(2.0),
            bound: Some(1.975),
            seconds: 3.0,
            ..Progress::default()
        };
        assert_eq!(
            words(&report, false),
            "column generation 50 %, loss 2.0000, bound 1.9750 (the best possible loss is at most 1.3 % lower), 3 s"
        );
        for claimed in [false, true] {
            let told = words(&Progress { bound: Some(1.999_99), ..report.clone() }, claimed);
            assert!(told.contains("bound 1.9999 ("), "rounded down: {told}");
        }
        assert_eq!(
            words(&Progress { bound: Some(0.0), ..report.clone() }, true),
            "column generation 50 %, loss 2.0000, 3 s",
            "nothing is claimed"
        );
        assert_eq!(
            words(&Progress { bound: Some(0.0), ..report.clone() }, false),
            "column generation 50 %, loss 2.0000, 3 s",
            "nothing is proven yet"
        );
        let elsewhere = Some(Elsewhere { done: 40, open: 12, workers: 8 });
        assert_eq!(
            words(&Progress { bound: None, elsewhere, ..report.clone() }, false),
            "column generation 50 %, loss 2.0000, with others 12 (8 at a time), 40 done, 3 s"
        );
        assert_eq!(
            words(&report, true),
            "column generation 50 %, loss 2.0000, bound 1.9750 (claimed by the worker), 3 s"
        );
        assert_eq!(
            words(&Progress { bound: None, ..report }, false),
            "column generation 50 %, loss 2.0000, 3 s"
        );
        for (gap, told) in [(0.0, "0 %"), (-1e-12, "0 %"), (0.1231, "0.124 %"), (1e-9, "0.000001 %")] {
            assert_eq!(
                from_the_best(gap).to_string(),
                format!("the best possible loss is at most {told} lower")
            );
        }
    }

    #[test]
    fn a_log_gets_a_line_a_phase_and_an_interval() {
        let mut lines = Lines::default();
        let report = |phase: &str| Progress { phase: Said::verbatim(phase), ..Progress::default() };
        let start = Instant::now();
        assert!(lines.is_due(&report("a"), start));
        assert!(!lines.is_due(&report("a"), start + Duration::from_secs(1)));
        assert!(lines.is_due(&report("b"), start + Duration::from_secs(1)));
        assert!(!lines.is_due(&report("b"), start + Duration::from_secs(5)));
        assert!(lines.is_due(&report("b"), start + Duration::from_secs(6)));
    }
}
