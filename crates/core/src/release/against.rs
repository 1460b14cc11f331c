//! Against whom the guarantee of a release holds, in words: the same in report, statement, terminal and page.

use lookalike_model::settings::Model;
use lookalike_words::Said;

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
    /// Each record has a generalised row of its own.
    pub(crate) freeform: bool,
}

/// Deletions are of the most frequent values: docs/disclosure.md.
const ABSENT: &str = " It is for the people who are published: somebody who is known to be in the source and is missing from the \
                      table, since records were deleted, is not protected.";

/// The attacker against whom the guarantee holds, and the one against whom it does not.
///
/// Under k-anonymity classes follow from the quasi-identifiers alone, so that the method tells nothing beyond them. Under
/// m-invariance they follow from the sensitive values, too: docs/publication.md has the proof of what holds, and the example of
/// what does not.
pub(crate) fn against(model: Model, released: Released) -> Said {
    let known = if released.series {
        "who is in which release, and all releases; where a person's value changes, for each value by itself"
    } else {
        "who is in the table, and what is published"
    };
    let chosen = match (model, released.freeform) {
        (Model::KAnonymity { .. }, true) => "how the rows were made: matches can then be excluded",
        (Model::KAnonymity { .. }, false) => {
            return Said::verbatim(
                "The guarantee holds against an attacker who knows everybody's quasi-identifiers, who is in the table, and what is \
                 published, and no other column of a person.",
            );
        }
        _ if released.counterfeits || released.series => {
            "how the classes and the counterfeits were chosen: values can then be excluded, in the worst case all but one"
        }
        _ => {
            "how the classes were chosen, with least loss: values can then be excluded, in the worst case all but one"
        }
    };
    let absent = if released.deletions { ABSENT } else { "" };
    Said::verbatim(format!(
        "The guarantee holds against an attacker who knows everybody's quasi-identifiers, {known}. It does not hold against \
         one who also reasons from {chosen}.{absent}"
    ))
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
        ] {
            let said = against(m, released).to_string();
            assert!(
                said.contains("It does not hold against one who also reasons from how the classes"),
                "{said}"
            );
            assert_eq!(said.contains("counterfeits"), released.counterfeits || released.series, "{said}");
            assert_eq!(said.contains("all releases"), released.series, "{said}");
        }
        let deleted = against(m, Released { deletions: true, ..Released::default() }).to_string();
        assert!(
            deleted.ends_with("is missing from the table, since records were deleted, is not protected."),
            "{deleted}"
        );
        assert!(deleted.contains("It is for the people who are published"), "{deleted}");
        assert!(!against(m, Released::default()).to_string().contains("deleted"));
        let k = against(Model::KAnonymity { k: 3 }, Released::default()).to_string();
        assert!(!k.contains("does not hold"), "{k}");
    }
}
