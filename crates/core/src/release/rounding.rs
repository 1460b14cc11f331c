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
