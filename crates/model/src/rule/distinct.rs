//! At least m records, all of different colours (m-unique; paper 1, Definition II.1).

use super::{Rule, signature};
use crate::{Error, instance::Instance};

/// At least `m` records, all of different colours. Under SSE some optimal partition has only classes of at most
/// 2m - 1 records, since a class of 2m records with different colours splits into two admissible ones.
#[derive(Clone, Copy, Debug)]
pub struct Distinct {
    /// Least class size.
    pub m: usize,
}

impl Rule for Distinct {
    fn min_size(&self) -> usize {
        self.m
    }

    fn max_size(&self) -> usize {
        2 * self.m - 1
    }

    fn distinct(&self) -> bool {
        true
    }

    fn feasible(&self, instance: &Instance) -> Result<(), Error> {
        let (n, l) = (instance.records(), instance.colour_count);
        if l < self.m {
            return Err(Error::Infeasible(format!(
                "m = {} needs at least {0} different sensitive values, there are {l}; the largest possible m is {l}",
                self.m
            )));
        }
        let most = instance.colour_counts().into_iter().max().unwrap_or(0);
        if most * self.m > n {
            return Err(Error::Infeasible(format!(
                "one sensitive value is held by {most} of {n} records; m = {} allows at most {}; \
                 the largest m without changes is {}",
                self.m,
                n / self.m,
                (n / most).min(l)
            )));
        }
        let Some(series) = &instance.series else { return Ok(()) };
        let left = signature::left(instance, series)?;
        let (rest, most) = (left.iter().sum::<usize>(), left.iter().max().copied().unwrap_or(0));
        if most * self.m > rest {
            return Err(Error::Infeasible(format!(
                "of the {rest} records that no class of old records needs, {most} have one sensitive value; m = {} \
                 allows {}",
                self.m,
                rest / self.m
            )));
        }
        Ok(())
    }

    fn describe(&self) -> String {
        format!("m = {}", self.m)
    }
}
