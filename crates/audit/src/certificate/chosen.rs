//! What is chosen of a class in the making.

use super::{Certificate, kinds::Kinds, low::Low};

/// Sums over the records that are chosen.
#[derive(Clone, Copy, Default)]
pub(super) struct Chosen {
    /// The squared distances of its pairs.
    pairs: f64,
    pub(super) duals: f64,
    /// The absolute values of its duals.
    pub(super) mass: f64,
    /// The terms of the cuts.
    pub(super) cuts: f64,
}

impl Chosen {
    /// With a record of a kind more, whose squared distances to the others have this sum; `inside` counts the records of each cut.
    pub(super) fn with(
        &self,
        certificate: &Certificate,
        kinds: &Kinds,
        kind: u32,
        sum: f64,
        inside: &mut [u32],
    ) -> Self {
        let dual = kinds.dual(kind);
        let mut next =
            Self { pairs: self.pairs + sum, duals: self.duals + dual, mass: self.mass + dual.abs(), ..*self };
        for &cut in kinds.cuts(kind) {
            let (inside, cut) = (&mut inside[cut as usize], &certificate.cuts[cut as usize]);
            *inside += 1;
            if inside.is_multiple_of(cut.divisor) {
                next.cuts += cut.sigma;
            }
        }
        next
    }

    /// Takes the record out of the cuts again.
    pub(super) fn withdraw(kinds: &Kinds, kind: u32, inside: &mut [u32]) {
        for &cut in kinds.cuts(kind) {
            inside[cut as usize] -= 1;
        }
    }

    /// At most what it contributes to the reduced cost of a class of q under squared errors.
    pub(super) fn base(&self, low: Low, q: usize) -> f64 {
        let pairs = self.pairs / q as f64;
        low.of(pairs - self.duals + self.cuts, pairs + self.mass + self.cuts)
    }
}
