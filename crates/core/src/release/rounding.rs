//! Figures as the records of a run state them.

/// 100 part / whole; 0 if the whole is 0.
pub(crate) fn percent(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { 100.0 * part / whole }
}

/// To two significant digits: enough to judge by, too little to solve for anybody's value.
pub(super) fn two_digits(x: f64) -> f64 {
    format!("{x:.1e}").parse().unwrap_or(x)
}

/// To nine significant digits.
pub(super) fn nine_digits(x: f64) -> f64 {
    format!("{x:.8e}").parse().unwrap_or(x)
}

/// A probability up to the next tenth. Certainty alone is 1: what is above 0.9 and below it becomes 0.99, 0.999 or the next of these.
pub(super) fn tenths_up(p: f64) -> f64 {
    let tenths = (0..10).map(|tenths| f64::from(tenths) / 10.0);
    let nines = (2..15).filter_map(|nines| format!("0.{}", "9".repeat(nines)).parse().ok());
    tenths.chain(nines).find(|step| p <= *step).unwrap_or(1.0)
}

/// A mean of probabilities to two significant digits, where certainty alone is 1, too.
pub(super) fn mean_to_two_digits(mean: f64) -> f64 {
    let rounded = two_digits(mean);
    if rounded < 1.0 { rounded } else { tenths_up(mean) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_rounded_up_and_certainty_alone_is_certain() {
        for (p, expected) in [
            (0.0, 0.0),
            (0.05, 0.1),
            (0.1, 0.1),
            (1.0 / 3.0, 0.4),
            (0.9, 0.9),
            (0.95, 0.99),
            (0.995, 0.999),
            (1.0, 1.0),
        ] {
            assert!((tenths_up(p) - expected).abs() < 1e-12, "{p}");
        }
        assert!(tenths_up(1.0 - 1e-12) < 1.0);
        assert_eq!([0.124, 0.996, 1.0].map(mean_to_two_digits), [0.12, 0.999, 1.0]);
    }
}
