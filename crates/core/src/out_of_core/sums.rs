//! Sums that do not depend on the order of their terms.

use std::fmt;

use super::bytes::{In, Out, no_result};
use crate::Error;

/// One place for each exponent that a finite number of 64 bits can have.
const PLACES: usize = 2047;

/// A sum of numbers of 64 bits without rounding: the integers before the exponents are added up, exponent by exponent.
/// Exact up to 2^74 terms.
#[derive(Clone)]
pub(crate) struct Sum(Vec<i128>);

impl Default for Sum {
    fn default() -> Self {
        Self(vec![0; PLACES])
    }
}

impl fmt::Debug for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sum({})", self.value())
    }
}

impl Sum {
    /// Adds a finite number so many times.
    pub(crate) fn add(&mut self, x: f64, times: usize) {
        let bits = x.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as usize;
        let fraction = i128::from(bits & ((1 << 52) - 1));
        let whole = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        let signed = if x.is_sign_negative() { -whole } else { whole };
        self.0[exponent.clamp(1, PLACES - 1)] += signed * times as i128;
    }

    /// Writes it: the places that are in use.
    pub(super) fn write(&self, out: &mut Out) {
        let used: Vec<(usize, i128)> =
            self.0.iter().copied().enumerate().filter(|place| place.1 != 0).collect();
        out.each(used.into_iter(), |out, (at, place)| {
            out.size(at);
            out.number(place as u64);
            out.number((place >> 64) as u64);
        });
    }

    /// Adds a sum that was written.
    pub(super) fn read(&mut self, read: &mut In) -> Result<(), Error> {
        for (at, low, high) in read.each(|read| Ok((read.size()?, read.number()?, read.number()?)))? {
            let place = self.0.get_mut(at).ok_or_else(no_result)?;
            *place = place.wrapping_add((i128::from(high.cast_signed()) << 64) | i128::from(low));
        }
        Ok(())
    }

    /// The sum, rounded a few times; the same for any order of the terms.
    pub(crate) fn value(&self) -> f64 {
        let places = (-1075..).zip(&self.0).filter(|(_, place)| **place != 0);
        places.map(|(exponent, &place)| libm::scalbn(place as f64, exponent)).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sum(terms: &[f64]) -> f64 {
        let mut sum = Sum::default();
        for &x in terms {
            sum.add(x, 1);
        }
        sum.value()
    }

    #[test]
    fn known_sums() {
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(sum(&[1.5, -0.25, 3.0, -0.0]), 4.25);
        // Left to right this is 0.
        assert_eq!(sum(&[1e16, 1.0, -1e16]), 1.0);
        assert_eq!(sum(&[f64::MIN_POSITIVE / 4.0, f64::MIN_POSITIVE / 4.0]), f64::MIN_POSITIVE / 2.0);
        let mut three = Sum::default();
        three.add(0.1, 3);
        assert_eq!(three.value(), 0.1 + 0.2);
    }

    proptest! {
        #[test]
        fn any_order_and_near_the_usual_sum(mut terms in prop::collection::vec(-1e6..1e6_f64, 0..60)) {
            let found = sum(&terms);
            let usual: f64 = terms.iter().sum();
            prop_assert!((found - usual).abs() <= 1e-6, "{found} {usual}");
            terms.reverse();
            prop_assert_eq!(found.to_bits(), sum(&terms).to_bits());
        }
    }
}
