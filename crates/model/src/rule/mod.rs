//! Which classes are admissible.

mod named;
pub mod signature;

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

/// A condition on the sensitive values of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
        self.conditions.contains(&Condition::Different)
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
        Err(Error::Infeasible(format!(
            "k = {} needs at least {0} records, there are {}; the largest possible k is {1}",
            self.min_size, instance.reals
        )))
    }

    /// Whether the records can be shared out over classes of different colours.
    fn enough_colours(&self, instance: &Instance) -> Result<(), Error> {
        let (n, l, m) = (instance.records(), instance.colour_count, self.min_size);
        if l < m {
            return Err(Error::Infeasible(format!(
                "m = {m} needs at least {m} different sensitive values, there are {l}; the largest possible m is {l}"
            )));
        }
        let most = instance.colour_counts().into_iter().max().unwrap_or(0);
        if most * m > n {
            return Err(Error::Infeasible(format!(
                "one sensitive value is held by {most} of {n} records; m = {m} allows at most {}; \
                 the largest m without changes is {}",
                n / m,
                (n / most).min(l)
            )));
        }
        let Some(series) = &instance.series else { return Ok(()) };
        let left = signature::left(instance, series)?;
        let (rest, most) = (left.iter().sum::<usize>(), left.iter().max().copied().unwrap_or(0));
        if most * m > rest {
            return Err(Error::Infeasible(format!(
                "of the {rest} records that no class of old records needs, {most} have one sensitive value; m = {m} \
                 allows {}",
                rest / m
            )));
        }
        Ok(())
    }

    /// Its parameter by name, for messages: "m = 3".
    #[must_use]
    pub fn describe(&self) -> String {
        let name = if self.distinct() { 'm' } else { 'k' };
        format!("{name} = {}", self.min_size)
    }
}
