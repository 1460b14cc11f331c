//! A cell of a column that is compared by value: numbers, dates as day numbers, ordered labels as ranks.

/// What the value of a cell may be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Numbers {
    /// Nothing is published.
    Suppressed,
    /// Not known in the original either.
    Missing,
    /// In one of these parts, at least one, by their lower ends; or not known, if `missing`.
    Known { parts: Vec<Part>, missing: bool },
}

/// Least and largest value, both included; infinite if open.
pub(crate) type Part = (f64, f64);

impl Numbers {
    /// One value.
    pub(crate) fn point(x: f64) -> Self {
        Self::Known { parts: vec![(x, x)], missing: false }
    }

    pub(crate) fn parts(&self) -> &[Part] {
        match self {
            Self::Suppressed | Self::Missing => &[],
            Self::Known { parts, .. } => parts,
        }
    }

    /// Least and largest value.
    pub(crate) fn span(&self) -> Option<Part> {
        joined(self.parts().iter().copied())
    }

    /// Least and largest end that is not open.
    pub(crate) fn finite_span(&self) -> Option<Part> {
        let ends = self.parts().iter().flat_map(|&(low, high)| [low, high]);
        joined(ends.filter(|x| x.is_finite()).map(|x| (x, x)))
    }

    /// Lets open ends reach to the end of the domain.
    pub(super) fn close(&mut self, domain: Option<Part>) {
        if let (Self::Known { parts, .. }, Some((least, most))) = (self, domain) {
            for (low, high) in parts {
                if *low == f64::NEG_INFINITY {
                    *low = least.min(*high);
                }
                if *high == f64::INFINITY {
                    *high = most.max(*low);
                }
            }
        }
    }

    /// Mean and variance of a value that is equally likely in each part, and anywhere within it; `step` is 1 for whole
    /// numbers and 0 for others.
    pub(super) fn moments(&self, step: f64) -> Option<(f64, f64)> {
        let n = self.parts().len() as f64;
        if n == 0.0 {
            return None;
        }
        let of_part = |&(low, high): &Part| {
            let width = high - low;
            (f64::midpoint(low, high), width * (width + 2.0 * step) / 12.0)
        };
        let mean = self.parts().iter().map(|part| of_part(part).0).sum::<f64>() / n;
        let around = |part: &Part| {
            let (middle, variance) = of_part(part);
            variance + (middle - mean) * (middle - mean)
        };
        Some((mean, self.parts().iter().map(around).sum::<f64>() / n))
    }

    /// Share of the cell's values between `from` and `to`, as likely as above.
    pub(super) fn share_within(&self, from: f64, to: f64, step: f64) -> f64 {
        let share = |&(low, high): &Part| {
            if low == high {
                return f64::from(u8::from(from <= low && low <= to));
            }
            ((high.min(to) - low.max(from) + step) / (high - low + step)).max(0.0)
        };
        self.parts().iter().map(share).sum::<f64>() / self.parts().len().max(1) as f64
    }

    /// Whether the value may be `x`; `None` stands for "not known".
    pub(crate) fn covers(&self, x: Option<f64>) -> bool {
        match (self, x) {
            (Self::Suppressed, _) | (Self::Missing, None) => true,
            (Self::Missing, Some(_)) => false,
            (Self::Known { missing, .. }, None) => *missing,
            (Self::Known { parts, .. }, Some(x)) => parts.iter().any(|&(low, high)| low <= x && x <= high),
        }
    }
}

/// The span of several.
pub(super) fn joined(spans: impl Iterator<Item = Part>) -> Option<Part> {
    spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn open_ends_reach_to_the_end_of_the_domain() {
        let inf = f64::INFINITY;
        let mut cell =
            Numbers::Known { parts: vec![(-inf, 20.0), (25.0, 25.0), (90.0, inf)], missing: false };
        assert_eq!(cell.finite_span(), Some((20.0, 90.0)));
        assert!(cell.covers(Some(3.0)) && cell.covers(Some(107.0)) && !cell.covers(Some(24.0)));
        cell.close(Some((17.0, 107.0)));
        let closed =
            Numbers::Known { parts: vec![(17.0, 20.0), (25.0, 25.0), (90.0, 107.0)], missing: false };
        assert_eq!(cell, closed);
        // A limit beyond the domain is a point.
        let mut cell = Numbers::Known { parts: vec![(90.0, inf)], missing: false };
        cell.close(Some((17.0, 85.0)));
        assert_eq!(cell, Numbers::point(90.0));
    }

    proptest! {
        /// Whole numbers of a range, counted one by one.
        #[test]
        fn shares_and_moments_by_counting(a in -9..9_i32, w in 0..9_i32, c in -12..12_i32, v in 0..12_i32) {
            let members: Vec<f64> = (a..=a + w).map(f64::from).collect();
            let (from, to) = (f64::from(c), f64::from(c + v));
            let n = members.len() as f64;
            let within = members.iter().filter(|x| from <= **x && **x <= to).count() as f64 / n;
            let mean = members.iter().sum::<f64>() / n;
            let variance = members.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
            let range = Numbers::Known { parts: vec![(f64::from(a), f64::from(a + w))], missing: false };
            let set = Numbers::Known { parts: members.iter().map(|&x| (x, x)).collect(), missing: false };
            for cell in [range, set] {
                prop_assert!((cell.share_within(from, to, 1.0) - within).abs() < 1e-12);
                let (m, s) = cell.moments(1.0).unwrap();
                prop_assert!((m - mean).abs() < 1e-12 && (s - variance).abs() < 1e-9);
                prop_assert!(cell.covers(Some(f64::from(a))) && !cell.covers(Some(f64::from(a + w + 1))));
            }
        }

        /// Two parts of as many whole numbers are one set of them.
        #[test]
        fn parts_of_one_size_by_counting(a in -9..9_i32, gap in 1..5_i32, w in 0..5_i32, from in -9..20_i32) {
            let range = |low: i32| (f64::from(low), f64::from(low + w));
            let second = a + w + gap;
            let parts = Numbers::Known { parts: vec![range(a), range(second)], missing: false };
            let members: Vec<f64> = (a..=a + w).chain(second..=second + w).map(f64::from).collect();
            let set = Numbers::Known { parts: members.into_iter().map(|x| (x, x)).collect(), missing: false };
            let (m, s) = (parts.moments(1.0).unwrap(), set.moments(1.0).unwrap());
            prop_assert!((m.0 - s.0).abs() < 1e-9 && (m.1 - s.1).abs() < 1e-9);
            let (from, to) = (f64::from(from), f64::from(from + 4));
            prop_assert!((parts.share_within(from, to, 1.0) - set.share_within(from, to, 1.0)).abs() < 1e-9);
        }
    }
}
