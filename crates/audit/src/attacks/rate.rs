//! Success rates with their intervals, and what is left of one over another.
//!
//! A rate is estimated by Wilson's score interval (E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA
//! 22, 1927), which holds near 0 and 1 and for few attacks. Its centre is the estimate that the residual risk is computed from, as by Giomi
//! et al. (`PoPETs` 2023); errors are propagated to first order there.

/// Halvings of the interval that the quantile lies in: more than a double tells apart.
const HALVINGS: usize = 80;

/// Above the quantile of every confidence that a double tells from 1.
const LARGEST_QUANTILE: f64 = 16.0;

/// An estimate with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// How often an attack succeeded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Attacks that were tried.
    pub attacks: usize,
    /// Those that succeeded; an expected number where the control has another number of rows than the original.
    pub successes: f64,
    /// Wilson's interval with its centre, which lies a little nearer to 1/2 than successes / attacks; of no attack 0 to 1.
    pub wilson: Interval,
}

impl Rate {
    /// The rate of so many successes; `quantile` is that of [`quantile`].
    pub(super) fn new(attacks: usize, successes: f64, quantile: f64) -> Self {
        let n = attacks as f64;
        let successes = successes.clamp(0.0, n);
        let square = quantile * quantile;
        let wilson = if attacks == 0 {
            Interval { value: 0.5, low: 0.0, high: 1.0 }
        } else {
            let varied = successes * (n - successes) / n;
            let centre = (successes + square / 2.0) / (n + square);
            let error = quantile / (n + square) * (varied + square / 4.0).sqrt();
            let ends = bounded(centre, error);
            // Without a success, or without a failure, an end of the interval is one of the rates: not the rounding beside it.
            let low = if successes <= 0.0 { 0.0 } else { ends.low };
            let high = if successes >= n { 1.0 } else { ends.high };
            Interval { low, high, ..ends }
        };
        Self { attacks, successes, wilson }
    }

    /// Successes / attacks; `None` without an attack.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.attacks > 0).then(|| self.successes / self.attacks as f64)
    }

    fn error(&self) -> f64 {
        // The ends may be cut off at 0 and 1, one of them at most.
        (self.wilson.high - self.wilson.value).max(self.wilson.value - self.wilson.low)
    }
}

/// The residual risk: (main - control) / (1 - control), from 0 to 1.
pub(super) fn residual(main: &Rate, control: &Rate) -> Option<Interval> {
    let (a, c) = (main.wilson.value, control.wilson.value);
    if main.attacks == 0 || control.attacks == 0 || c >= 1.0 {
        return None;
    }
    let left = 1.0 - c;
    let by_main = main.error() / left;
    let by_control = control.error() * (a - 1.0) / (left * left);
    Some(bounded((a - c) / left, (by_main * by_main + by_control * by_control).sqrt()))
}

/// The two-sided quantile of the standard normal distribution: so far from its mean lies the share `confidence` of it.
pub(super) fn quantile(confidence: f64) -> f64 {
    let (mut low, mut high) = (0.0, LARGEST_QUANTILE);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if libm::erf(middle / std::f64::consts::SQRT_2) < confidence {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// An estimate with an error to both sides, cut off at 0 and 1.
fn bounded(value: f64, error: f64) -> Interval {
    let within = |x: f64| x.clamp(0.0, 1.0);
    Interval { value: within(value), low: within(value - error), high: within(value + error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn quantiles_of_the_tables() {
        for (confidence, expected) in [
            (0.5, 0.674_489_750_196),
            (0.9, 1.644_853_626_951),
            (0.95, 1.959_963_984_540),
            (0.99, 2.575_829_303_549),
        ] {
            near(quantile(confidence), expected, 1e-10);
        }
    }

    /// Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I, method 3.
    #[test]
    fn wilson_as_published() {
        let z = quantile(0.95);
        for (successes, n, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let Interval { low: l, high: h, .. } = Rate::new(n, successes, z).wilson;
            near(l, low, 5e-5);
            near(h, high, 5e-5);
        }
    }

    /// The ends of Wilson's interval are the rates from which the observed one is just z standard errors away.
    #[test]
    fn wilson_solves_its_equation() {
        let z = quantile(0.9);
        for (successes, n) in [(3, 10), (40, 500), (499, 500), (7, 8)] {
            let rate = Rate::new(n, f64::from(successes), z);
            let share = rate.share().unwrap();
            for end in [rate.wilson.low, rate.wilson.high] {
                near((share - end).abs(), z * (end * (1.0 - end) / n as f64).sqrt(), 1e-9);
            }
        }
    }

    #[test]
    fn residuals() {
        let z = quantile(0.95);
        let rate = |successes: f64| Rate::new(500, successes, z);
        let none = residual(&rate(40.0), &rate(40.0)).unwrap();
        assert!(none.value.abs() < 1e-12 && none.low.abs() < 1e-12 && none.high > 0.0 && none.high < 0.05);
        let lower = residual(&rate(10.0), &rate(200.0)).unwrap();
        assert_eq!((lower.value, lower.low, lower.high), (0.0, 0.0, 0.0));
        // 0.8 over 0.5 is 0.6 of what is left; by hand from the centres.
        let high = residual(&rate(400.0), &rate(250.0)).unwrap();
        let (a, c) = (rate(400.0).wilson.value, rate(250.0).wilson.value);
        near(high.value, (a - c) / (1.0 - c), 1e-12);
        near(high.value, 0.6, 0.01);
        let (da, dc) = (a - rate(400.0).wilson.low, c - rate(250.0).wilson.low);
        let error = ((da / (1.0 - c)).powi(2) + (dc * (1.0 - a) / (1.0 - c).powi(2)).powi(2)).sqrt();
        near(high.high - high.value, error, 1e-12);
        assert_eq!(residual(&Rate::new(0, 0.0, z), &rate(1.0)), None);
    }
}
