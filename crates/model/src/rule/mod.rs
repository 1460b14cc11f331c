//! Which classes are admissible.

mod left_out;
mod message;
mod named;
mod parameter;
pub mod signature;
mod table_values;
mod value_condition;

pub use message::{Asked, Infeasible, Least};
pub use parameter::{Distance, Effective, ParameterFault, Positive, Several, Share};
pub use table_values::{TableValues, Values};
pub use value_condition::{Ground, ValueCondition};

use crate::{Error, instance::Instance};

/// Which classes are admissible: how many records they have, and what their sensitive values (colours) are like.
///
/// Every class also needs real records, one at least whatever the rule: a class of counterfeits alone would publish
/// quasi-identifiers of nobody. What earlier releases ask of a class is [`signature`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Fewest records of a class.
    pub min_size: usize,
    /// Most records of a class that is sought; larger ones are admissible.
    pub max_size: usize,
    /// Fewest real records of a class, at least 1: the others may be counterfeits. It matters only where there are such.
    pub min_real: usize,
    /// What the sensitive values of a class must fulfil, all of it.
    pub conditions: Vec<Condition>,
}

/// A condition on the sensitive values of a class. What must be done for a new one is matched without a wildcard, so that the
/// compiler names each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// No value occurs twice. A union of such classes need not be one.
    Different,
    /// A condition on how the values of a column are distributed. A union of classes that keep it keeps it, too.
    Values {
        /// Which column: 0 for the colours, from 1 on for the further sensitive columns.
        of: usize,
        /// The condition.
        condition: ValueCondition,
    },
}

impl Rule {
    /// At least `k` records (k-anonymity, microaggregation).
    ///
    /// No class of more than 2k - 1 records is sought: it splits into two admissible ones, which under SSE and NCP lose no more
    /// (Domingo-Ferrer and Mateo-Sanz 2002).
    #[must_use]
    pub fn at_least(k: usize) -> Self {
        Self { min_size: k, max_size: (2 * k).saturating_sub(1), min_real: 1, conditions: Vec::new() }
    }

    /// At least `m` records, all of different colours (m-unique). Parts of such a class are of different colours, too, so that no
    /// class of more than 2m - 1 records is sought.
    #[must_use]
    pub fn all_different(m: usize) -> Self {
        Self { conditions: vec![Condition::Different], ..Self::at_least(m) }
    }

    /// The same with at least so many real records in each class; 0 counts as 1.
    #[must_use]
    pub fn with_real(self, min_real: usize) -> Self {
        Self { min_real: min_real.max(1), ..self }
    }

    /// At least `k` records that keep conditions on their colours, which may be none.
    ///
    /// A part of a class need not keep what the class keeps, so that classes of any size are sought.
    #[must_use]
    pub fn with_values(k: usize, conditions: &[ValueCondition]) -> Self {
        Self::with_columns(k, conditions.iter().map(|&condition| (0, condition)))
    }

    /// The same of several sensitive columns: each condition with its column, 0 for the colours and from 1 on for the further ones.
    #[must_use]
    pub fn with_columns(k: usize, conditions: impl IntoIterator<Item = (usize, ValueCondition)>) -> Self {
        let all = conditions.into_iter().map(|(of, condition)| Condition::Values { of, condition });
        let conditions: Vec<Condition> = all.collect();
        let max_size = if conditions.is_empty() { Self::at_least(k).max_size } else { usize::MAX };
        Self { max_size, conditions, ..Self::at_least(k) }
    }

    /// Whether all colours of a class must differ.
    #[must_use]
    pub fn distinct(&self) -> bool {
        self.conditions.iter().any(|condition| match condition {
            Condition::Different => true,
            Condition::Values { .. } => false,
        })
    }

    /// The conditions on how the values of a class are distributed, each with its column.
    pub fn values(&self) -> impl Iterator<Item = (usize, &ValueCondition)> + Clone {
        self.conditions.iter().filter_map(|condition| match condition {
            Condition::Different => None,
            Condition::Values { of, condition } => Some((*of, condition)),
        })
    }

    /// Whether there is a condition on how the values of a class are distributed.
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.values().next().is_some()
    }

    /// The rule without its conditions on how values are distributed, but for the size that these need. Every class that is admissible by
    /// the rule is so by this one: a bound on the loss under this rule is one under the rule.
    #[must_use]
    pub fn relaxed(&self) -> Self {
        if !self.has_values() {
            return self.clone();
        }
        let least =
            self.values().map(|(_, condition)| condition.least_size()).max().unwrap_or(0).max(self.min_size);
        if self.distinct() { Self::all_different(least) } else { Self::at_least(least) }
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
        if instance.reals < self.min_size {
            return Err(Infeasible::TooFewRecords { k: self.min_size, records: instance.reals }.into());
        }
        self.possible(instance)
    }

    /// Whether the conditions on values can be kept: if and only if the class of all records keeps them, since any admissible
    /// classes together make that one.
    fn possible(&self, instance: &Instance) -> Result<(), Error> {
        for (of, values) in instance.values.iter().enumerate() {
            // Of a part of a table these are the values of its records, not the table's.
            let counts = values.counts(0..instance.records() as u32);
            for (_, condition) in self.values().filter(|(column, _)| *column == of) {
                let reached = condition.reached(counts.iter().copied(), &values.table);
                if !condition.allows(reached) {
                    let (asked, best) = (condition.asked(), condition.nearest(reached));
                    let held: Vec<u32> = counts.iter().map(|&(_, count)| count).collect();
                    let all: Vec<ValueCondition> =
                        self.values().filter(|(column, _)| *column == of).map(|(_, one)| *one).collect();
                    let without = ValueCondition::fewest_left_out(&all, self.min_size, &held);
                    return Err(Infeasible::Values { of, asked, best, without }.into());
                }
            }
        }
        Ok(())
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
        // There are at least as many classes as records of the most frequent colour. So many there can be: records are shared
        // out evenly over them, those of each colour, the real ones and all alike (docs/eligibility.md).
        if most * self.min_real > instance.reals {
            let (real, people, largest) = (self.min_real, instance.reals, instance.reals / most);
            return Err(Infeasible::TooFewReal { real, people, classes: most, largest }.into());
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

#[cfg(test)]
mod tests;
