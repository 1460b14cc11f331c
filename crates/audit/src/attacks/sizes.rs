//! How many predicates would single out a row if the control had as many rows as the original.
//!
//! Whether exactly one row fulfils a predicate depends on how many rows there are: twice as many halve the successes of common predicates and
//! double those of rare ones. With fewer rows asked for than the control has, the expected number is exact: rows left out at random,
//! each choice as likely (a hypergeometric distribution). With more, it is extrapolated as by Giomi et al.: successes grow with the number of rows
//! as those of predicates whose weight, the share of people who fulfil it, is evenly spread up to some largest weight, which is fitted.

/// Weights tried for the largest one.
const WEIGHTS: u32 = 400;

/// The least of them, times the rows of the control.
const LEAST: f64 = 1e-3;

/// Numbers of rows at which the fit is held against the control.
const SIZES: usize = 10;

/// Expected number of predicates that exactly one of `rows` rows fulfils; `counts` are the rows of the control, of `control` in all, that
/// fulfil each.
pub(super) fn expected(counts: &[usize], control: usize, rows: usize) -> f64 {
    if rows <= control {
        return thinned(counts, control, rows);
    }
    let sizes: Vec<usize> = (1..=SIZES).map(|part| (control * part / SIZES).max(1)).collect();
    let seen: Vec<f64> = sizes.iter().map(|&size| thinned(counts, control, size)).collect();
    let own = thinned(counts, control, control);
    if own <= 0.0 {
        return 0.0;
    }
    let least = LEAST / control as f64;
    let weight = |at: u32| libm::pow(least, f64::from(at) / f64::from(WEIGHTS));
    let misfit = |weight: f64| {
        let model: Vec<f64> = sizes.iter().map(|&size| singling(size, weight)).collect();
        let squares: f64 = model.iter().map(|m| m * m).sum();
        let norm = model.iter().zip(&seen).map(|(m, s)| m * s).sum::<f64>() / squares;
        model.iter().zip(&seen).map(|(m, s)| (norm * m - s) * (norm * m - s)).sum::<f64>()
    };
    // From the greatest weight to the least; of equal fits the first.
    let best = (0..=WEIGHTS).map(weight).map(|w| (misfit(w), w)).reduce(|a, b| if b.0 < a.0 { b } else { a });
    let by = best.map_or(1.0, |(_, weight)| singling(rows, weight) / singling(control, weight));
    (own * by).min(counts.len() as f64)
}

/// Expected number of predicates that exactly one of `rows` rows fulfils, drawn from the control.
fn thinned(counts: &[usize], control: usize, rows: usize) -> f64 {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    sorted.iter().map(|&count| one_of(count, control, rows)).sum()
}

/// The probability that a sample of `rows` of `all` rows holds exactly one of `count`.
fn one_of(count: usize, all: usize, rows: usize) -> f64 {
    if count == 0 || rows == 0 || rows - 1 > all - count {
        return 0.0;
    }
    if rows == all {
        return f64::from(u8::from(count == 1));
    }
    let choose = |n: usize, k: usize| {
        libm::lgamma(n as f64 + 1.0) - libm::lgamma(k as f64 + 1.0) - libm::lgamma((n - k) as f64 + 1.0)
    };
    count as f64 * libm::exp(choose(all - count, rows - 1) - choose(all, rows))
}

/// The integral over the weights w from 0 to `weight` of n w (1 - w)^(n - 1), the probability that one of n people fulfils a predicate of
/// weight w (Cohen, Nissim, Towards Formalizing the GDPR's Notion of Singling Out, PNAS 117, 2020).
fn singling(rows: usize, weight: f64) -> f64 {
    let n = rows as f64;
    (1.0 - (n * weight + 1.0) * libm::pow(1.0 - weight, n)) / (n + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All samples of a small control, one by one.
    #[test]
    fn thinned_by_counting() {
        let all = 7;
        for count in 0..=all {
            for rows in 1..=all {
                let (mut samples, mut ones) = (0, 0);
                for set in 0_u32..1 << all {
                    if set.count_ones() as usize == rows {
                        samples += 1;
                        // The first `count` rows fulfil the predicate.
                        ones += u32::from((set & ((1 << count) - 1)).is_power_of_two());
                    }
                }
                let expected = f64::from(ones) / f64::from(samples);
                assert!((one_of(count, all, rows) - expected).abs() < 1e-12, "{count} {rows}");
            }
        }
    }

    #[test]
    fn the_integral_by_adding_up() {
        for (rows, weight) in [(3, 0.4), (50, 0.02), (1000, 0.1)] {
            let steps = 100_000;
            let width = weight / f64::from(steps);
            let at = |step: i32| {
                let w = (f64::from(step) + 0.5) * width;
                f64::from(rows) * w * (1.0 - w).powi(rows - 1) * width
            };
            let sum: f64 = (0..steps).map(at).sum();
            assert!((singling(rows as usize, weight) - sum).abs() < 1e-8, "{rows} {weight}");
        }
    }

    #[test]
    fn the_same_number_of_rows_changes_nothing() {
        assert!((expected(&[1, 0, 2, 1, 9], 50, 50) - 2.0).abs() < 1e-12);
        assert!((expected(&[2, 2], 4, 2) - 4.0 / 3.0).abs() < 1e-12, "4 of the 6 pairs part two rows");
    }

    /// Predicates of evenly spread weights, and rows drawn for them: the extrapolation finds what more rows give.
    #[test]
    fn more_rows_follow_the_model() {
        let (control, rows, largest) = (400_usize, 1200_usize, 0.05);
        let weights: Vec<f64> = (1..=20_000).map(|i| largest * f64::from(i) / 20_000.0).collect();
        let fulfilled = |w: &f64| (w * control as f64).round() as usize;
        let counts: Vec<usize> = weights.iter().map(fulfilled).collect();
        let one = |n: f64, w: &f64| n * w * (1.0 - w).powf(n - 1.0);
        let truth: f64 = weights.iter().map(|w| one(rows as f64, w)).sum();
        let found = expected(&counts, control, rows);
        assert!((found / truth - 1.0).abs() < 0.25, "{found} for {truth}");
        assert_eq!(expected(&[0, 0], 10, 20), 0.0);
    }
}
