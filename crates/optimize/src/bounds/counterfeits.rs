//! What counterfeits, which have no point and cost nothing, can save at the most.
//!
//! A class of r real records needs counterfeits for the others of its least size s: (s - r) / r of them for each real record. All
//! classes together have no more counterfeits than there are. With a price mu >= 0 for each, records have the duals
//!
//! > min over r of  f(r) + mu (s - r) / r,
//!
//! f(r) being what a record of a class of r real ones costs at the least, and counterfeits have -mu: a class of r real records and of
//! at least s - r counterfeits costs no less than the sum. Every mu gives a bound; the best one is where a concave function is
//! largest.

/// What the records of one kind cost by the number of real ones in their class.
pub(super) struct Choices {
    /// How many they are.
    pub(super) records: f64,
    /// Real records of a class, and what one of them costs then at the least.
    pub(super) costs: Vec<(f64, f64)>,
    /// The least size of their class.
    pub(super) size: f64,
}

impl Choices {
    /// The dual of a record.
    pub(super) fn dual(&self, mu: f64) -> f64 {
        let cost = |&(reals, cost): &(f64, f64)| cost + mu * (self.size - reals).max(0.0) / reals;
        self.costs.iter().map(cost).fold(f64::INFINITY, f64::min)
    }
}

/// Halvings of the interval of prices; the bound holds wherever they end.
const STEPS: usize = 100;

/// The bound at a price.
fn value(choices: &[Choices], counterfeits: f64, mu: f64) -> f64 {
    choices.iter().map(|of| of.records * of.dual(mu)).sum::<f64>() - mu * counterfeits
}

/// The price of a counterfeit that bounds best.
pub(super) fn best_price(choices: &[Choices], counterfeits: f64) -> f64 {
    // From here on no record gains by a counterfeit.
    let dearest = |of: &Choices| {
        let full = of.costs.last().map_or(0.0, |last| last.1);
        let worth = |&(reals, cost): &(f64, f64)| (full - cost) * reals / (of.size - reals);
        of.costs.iter().filter(|cost| cost.0 < of.size).map(worth).fold(0.0, f64::max)
    };
    let (mut low, mut high) = (0.0, choices.iter().map(dearest).fold(0.0, f64::max));
    for _ in 0..STEPS {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if value(choices, counterfeits, a) < value(choices, counterfeits, b) {
            low = a;
        } else {
            high = b;
        }
    }
    let middle = f64::midpoint(low, high);
    // No price at all may be best, and its bound is exact.
    if value(choices, counterfeits, 0.0) >= value(choices, counterfeits, middle) { 0.0 } else { middle }
}
