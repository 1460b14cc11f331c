//! At least k records (k-anonymity, microaggregation; papers 3 and 4).

use super::Rule;
use crate::{Error, instance::Instance};

/// At least `k` records. Under SSE and NCP some optimal partition has only classes of at most 2k - 1 records
/// (Domingo-Ferrer and Mateo-Sanz 2002).
#[derive(Clone, Copy, Debug)]
pub struct MinSize {
    /// Least class size.
    pub k: usize,
}

impl Rule for MinSize {
    fn min_size(&self) -> usize {
        self.k
    }

    fn max_size(&self) -> usize {
        2 * self.k - 1
    }

    fn distinct(&self) -> bool {
        false
    }

    fn feasible(&self, instance: &Instance) -> Result<(), Error> {
        // Counterfeits never count for k-anonymity.
        if instance.reals >= self.k {
            return Ok(());
        }
        Err(Error::Infeasible(format!(
            "k = {} needs at least {0} records, there are {}; the largest possible k is {1}",
            self.k, instance.reals
        )))
    }

    fn describe(&self) -> String {
        format!("k = {}", self.k)
    }
}
