//! Numbers of charts: their digits, and axes that begin at 0.

use crate::format::{number, seconds};

/// How a number is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// To the nearest.
    Near,
    /// Up: "at most" stays true.
    Up,
    /// Down: "at least" stays true.
    Down,
}

/// A number with this many significant digits.
pub(super) fn rounded(x: f64, digits: i32, round: Round) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let unit = 10_f64.powi(digits - 1 - x.abs().log10().floor() as i32);
    // What multiplication made of a round number is one.
    let y = x * unit;
    let whole = match round {
        Round::Near => y.round(),
        Round::Up => (y - 1e-6).ceil(),
        Round::Down => (y + 1e-6).floor(),
    };
    whole / unit
}

/// A number with three significant digits: `113`, `3.55`, `0.0124`.
pub(super) fn short(x: f64, round: Round) -> String {
    number(rounded(x, 3, round))
}

/// A share, 0 to 1, in per cent with three significant digits.
pub(super) fn share(x: f64, round: Round) -> String {
    format!("{} %", short(100.0 * x, round))
}

/// Where an axis ends that begins at 0: a round number that is at least this.
pub(super) fn end_of_axis(x: f64) -> f64 {
    if !x.is_finite() || x <= 0.0 {
        return 1.0;
    }
    let unit = 10_f64.powf(x.log10().floor());
    let steps = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    steps.into_iter().map(|step| step * unit).find(|end| *end >= x * (1.0 - 1e-9)).unwrap_or(10.0 * unit)
}

/// Part of an axis, 0 to 1.
pub(super) fn part(x: f64, end: f64) -> f64 {
    if end > 0.0 && x.is_finite() { (x / end).clamp(0.0, 1.0) } else { 0.0 }
}

/// A time on the clock: whole seconds.
pub(in crate::components) fn clock(time: f64) -> String {
    let time = time.floor();
    if time < 10.0 { format!("{time} s") } else { seconds(time) }
}

/// A moment in a table of moments: below 10 s to a tenth, since a search often changes several times within a second.
pub(super) fn precise(time: f64) -> String {
    if time < 10.0 { format!("{} s", number((10.0 * time).floor() / 10.0)) } else { clock(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_the_first_ten_seconds_have_tenths() {
        assert_eq!([0.0, 0.24, 3.71, 9.97, 24.2].map(precise), ["0 s", "0.2 s", "3.7 s", "9.9 s", "24 s"]);
    }

    #[test]
    fn the_clock_has_whole_seconds() {
        assert_eq!([0.0, 3.7, 24.2, 125.0].map(clock), ["0 s", "3 s", "24 s", "2 min 5 s"]);
    }

    #[test]
    fn three_digits_are_shown_and_rounding_keeps_what_is_said_true() {
        assert_eq!(
            [113.4, 3.5549, 0.012_36, 32_561.0].map(|x| short(x, Round::Near)),
            ["113", "3.55", "0.0124", "32,600"]
        );
        assert_eq!(short(3.541, Round::Up), "3.55");
        assert_eq!(short(3.549, Round::Down), "3.54");
        // Rounding up leaves alone what is round already.
        assert_eq!((share(0.07, Round::Up).as_str(), share(0.07, Round::Down).as_str()), ("7 %", "7 %"));
        assert_eq!(short(0.0, Round::Up), "0");
        assert_eq!(short(f64::NAN, Round::Up), "unknown");
    }

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!(
            [3.55, 10.0, 0.0, 1131.0, 0.07, -1.0].map(end_of_axis),
            [4.0, 10.0, 1.0, 1500.0, 0.08, 1.0]
        );
        assert_eq!((part(2.0, 4.0), part(9.0, 4.0), part(1.0, 0.0)), (0.5, 1.0, 0.0));
    }
}
