//! Against whom the guarantee of a release holds: the same in report, statement, terminal and page.

use lookalike_model::settings::Model;
use lookalike_words::{Name, Said, messages};

/// What is published, as far as the attacker is concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "facts of a release that have nothing to do with each other"
)]
pub(crate) struct Released {
    /// There are counterfeits.
    pub(crate) counterfeits: bool,
    /// Records were deleted so that the guarantee is possible.
    pub(crate) deletions: bool,
    /// It is one of a series of releases.
    pub(crate) series: bool,
    /// Of one in which old classes are apart from new records, and nobody's value changes.
    pub(crate) apart: bool,
    /// Each record has a generalised row of its own.
    pub(crate) freeform: bool,
    /// Persons may have several rows.
    pub(crate) persons: bool,
    /// There are conditions on sensitive values.
    pub(crate) conditions: bool,
}

messages! {
    in "core";

    /// The attacker against whom the guarantee holds, and the one against whom it does not. Where records were deleted, it is
    /// also said that those who are missing are not protected: deletions are of the most frequent values (docs/disclosure.md).
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Against {
        /// Of k-anonymity.
        KAnonymity,
        /// Of k-anonymity with conditions on sensitive values, by which the classes are chosen, too.
        Conditions,
        /// Of k-anonymity, where persons may have several rows.
        KAnonymityOfPersons,
        /// Of a row of its own for each record.
        OwnRows,
        /// Of m-invariance, where persons may have several rows.
        MInvarianceOfPersons,
        /// Of m-invariance, for a table without counterfeits that is released once.
        LeastLoss {
            /// Whether records were deleted.
            deletions: bool,
        },
        /// Of m-invariance with counterfeits.
        Counterfeits {
            /// Whether records were deleted.
            deletions: bool,
        },
        /// Of a series of releases.
        Series {
            /// Whether records were deleted.
            deletions: bool,
        },
        /// Of a series of releases whose old classes are apart from new records.
        SeriesApart {
            /// Whether records were deleted.
            deletions: bool,
        },
        /// Of a table with columns that are published unchanged.
        NotUnchanged {
            /// What holds without these columns.
            of: Said,
            /// The columns.
            columns: Vec<Name>,
        },
    }
}

impl Against {
    /// The same beside columns that are published unchanged.
    pub(crate) fn beside(self, unchanged: &[String]) -> Self {
        if unchanged.is_empty() {
            return self;
        }
        let columns = unchanged.iter().map(|name| name.as_str().into()).collect();
        Self::NotUnchanged { of: self.into(), columns }
    }
}

/// The attacker against whom the guarantee holds, and the one against whom it does not.
///
/// Under k-anonymity classes follow from the quasi-identifiers alone, so that the method tells nothing beyond them. Under
/// m-invariance, and under conditions on sensitive values, they follow from the sensitive values, too: docs/publication.md has the proof of what holds, and the example of
/// what does not.
pub(crate) fn against(model: Model, released: Released) -> Against {
    let Released { counterfeits, deletions, series, apart, freeform, persons, conditions } = released;
    match model {
        Model::KAnonymity { .. } if freeform => Against::OwnRows,
        Model::KAnonymity { .. } if persons => Against::KAnonymityOfPersons,
        Model::KAnonymity { .. } if conditions => Against::Conditions,
        Model::KAnonymity { .. } => Against::KAnonymity,
        Model::MInvariance { .. } if series && apart => Against::SeriesApart { deletions },
        Model::MInvariance { .. } if series => Against::Series { deletions },
        Model::MInvariance { .. } if persons => Against::MInvarianceOfPersons,
        Model::MInvariance { .. } if counterfeits => Against::Counterfeits { deletions },
        Model::MInvariance { .. } => Against::LeastLoss { deletions },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_method_is_not_what_a_promise_over_sensitive_values_holds_against() {
        let m = Model::MInvariance { m: 3 };
        for released in [
            Released::default(),
            Released { counterfeits: true, ..Released::default() },
            Released { series: true, ..Released::default() },
            Released { series: true, apart: true, ..Released::default() },
            Released { persons: true, ..Released::default() },
        ] {
            let said = against(m, released).to_string();
            assert!(
                said.contains("It does not hold against one who also reasons from how the classes"),
                "{said}"
            );
            assert_eq!(said.contains("counterfeits"), released.counterfeits || released.series, "{said}");
            assert_eq!(said.contains("all releases"), released.series, "{said}");
            assert_eq!(said.contains("how many rows a person has"), released.persons, "{said}");
        }
        let deleted = against(m, Released { deletions: true, ..Released::default() }).to_string();
        assert!(
            deleted.ends_with("is missing from the table, since records were deleted, is not protected."),
            "{deleted}"
        );
        assert!(deleted.contains("It covers the people who are published"), "{deleted}");
        assert!(!against(m, Released::default()).to_string().contains("deleted"));
        let k = against(Model::KAnonymity { k: 3 }, Released::default()).to_string();
        assert!(!k.contains("does not hold"), "{k}");
    }
}
