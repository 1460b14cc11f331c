//! Which classes are admissible.

mod message;
mod named;
pub mod signature;

pub use message::{Infeasible, Least};

use crate::{Error, instance::Instance};

/// Which classes are admissible: how many records they have, and what their sensitive values (colours) are like.
///
/// Every class also needs at least one real record, whatever the rule: a class of counterfeits alone would publish
/// quasi-identifiers of nobody. What earlier releases ask of a class is [`signature`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Fewest records of a class.
    pub min_size: usize,
    /// Most records of a class that is sought; larger ones are admissible.
    pub max_size: usize,
    /// What the sensitive values of a class must fulfil, all of it.
    pub conditions: Vec<Condition>,
}

/// A condition on the sensitive values of a class. What must be done for a new one is matched without a wildcard, so that the
/// compiler names each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// No value occurs twice.
    Different,
}

impl Rule {
    /// At least `k` records (k-anonymity, microaggregation).
    ///
    /// No class of more than 2k - 1 records is sought: it splits into two admissible ones, which under SSE and NCP lose no more
    /// (Domingo-Ferrer and Mateo-Sanz 2002).
    #[must_use]
    pub fn at_least(k: usize) -> Self {
        Self { min_size: k, max_size: (2 * k).saturating_sub(1), conditions: Vec::new() }
    }

    /// At least `m` records, all of different colours (m-unique). Parts of such a class are of different colours, too, so that no
    /// class of more than 2m - 1 records is sought.
    #[must_use]
    pub fn all_different(m: usize) -> Self {
        Self { conditions: vec![Condition::Different], ..Self::at_least(m) }
    }

    /// Whether all colours of a class must differ.
    #[must_use]
    pub fn distinct(&self) -> bool {
        self.conditions.iter().any(|condition| match condition {
            Condition::Different => true,
        })
    }

    /// Checks that nothing rules out an admissible partition.
    ///
    /// # Errors
    /// [`Error::Infeasible`] with the reason and the nearest feasible value.
    pub fn feasible(&self, instance: &Instance) -> Result<(), Error> {
        if self.distinct() {
            return self.enough_colours(instance);
        }
        // Counterfeits never count for k-anonymity.
        if instance.reals >= self.min_size {
            return Ok(());
        }
        Err(Infeasible::TooFewRecords { k: self.min_size, records: instance.reals }.into())
    }

    /// Whether the records can be shared out over classes of different colours.
    fn enough_colours(&self, instance: &Instance) -> Result<(), Error> {
        let (n, l, m) = (instance.records(), instance.colour_count, self.min_size);
        if l < m {
            return Err(Infeasible::TooFewValues { m, values: l }.into());
        }
        let most = instance.colour_counts().into_iter().max().unwrap_or(0);
        if most * m > n {
            let largest = (n / most).min(l);
            return Err(Infeasible::TooFrequent { held: most, records: n, m, allowed: n / m, largest }.into());
        }
        let Some(series) = &instance.series else { return Ok(()) };
        let left = signature::left(instance, series)?;
        let (rest, most) = (left.iter().sum::<usize>(), left.iter().max().copied().unwrap_or(0));
        if most * m > rest {
            let allowed = rest / m;
            return Err(Infeasible::LeftTooFrequent { records: rest, held: most, m, allowed }.into());
        }
        Ok(())
    }

    /// Its parameter by name.
    #[must_use]
    pub fn least(&self) -> Least {
        let size = self.min_size;
        if self.distinct() { Least::M { m: size } } else { Least::K { k: size } }
    }

    /// Refuses classes of one record or none.
    ///
    /// # Errors
    /// [`Error::ProtectsNobody`] for a least size below 2.
    pub fn protects(&self) -> Result<(), Error> {
        if self.min_size < 2 { Err(Error::ProtectsNobody { least: self.least() }) } else { Ok(()) }
    }
}
