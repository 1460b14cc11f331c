//! Which classes are admissible. One file a rule; [`signature`] is what a series of releases adds to [`Distinct`].

mod distinct;
mod min_size;
pub mod signature;

pub use distinct::Distinct;
pub use min_size::MinSize;

use crate::job::Rule as Name;

use crate::{Error, instance::Instance};

/// Which classes are admissible.
///
/// Every class also needs at least one real record, whatever the rule: a class of counterfeits alone would publish
/// quasi-identifiers of nobody.
pub trait Rule: Copy + Send + Sync + 'static {
    /// Fewest records of a class.
    fn min_size(&self) -> usize;

    /// Most records that a class of some optimal partition needs. Larger classes are admissible but are never sought.
    fn max_size(&self) -> usize;

    /// Whether all colours of a class must differ.
    fn distinct(&self) -> bool;

    /// Checks that some admissible partition exists.
    ///
    /// # Errors
    /// [`Error::Infeasible`] with the reason and the nearest feasible value.
    fn feasible(&self, instance: &Instance) -> Result<(), Error>;

    /// What it is called in a job.
    fn name(&self) -> Name {
        match (self.distinct(), self.min_size()) {
            (true, m) => Name::Distinct { m },
            (false, k) => Name::MinSize { k },
        }
    }

    /// The name and the parameter, for messages: "m = 3".
    fn describe(&self) -> String;
}
