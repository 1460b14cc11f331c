//! The verdict on a result, in the language of the page: the finding, which the statement says by the same messages.

#[cfg(test)]
mod tests;

use lookalike_model::{finding::finding, report::Report, settings::Settings};

use crate::texts::words;

/// The verdict on a result, in the language of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headline {
    /// Whether the table may be published.
    pub passed: bool,
    /// What holds, at its weakest.
    pub sentence: String,
    /// Why it is no more, if there is something to say.
    pub why: Option<String>,
    /// The attacker against whom it holds; `None` where a check failed.
    pub against: Option<String>,
    /// The attackers against whom it does not hold; `None` where a check failed.
    pub against_not: Option<String>,
    /// How many people are published, and how many are not; `None` where a check failed.
    pub published: Option<String>,
    /// How many checks passed.
    pub checks: String,
}

/// The verdict on a report of a run with these settings.
#[must_use]
pub fn headline(report: &Report, settings: &Settings) -> Headline {
    let found = finding(report, settings);
    Headline {
        passed: found.passed,
        sentence: words(&found.sentence),
        why: found.why.as_ref().map(words),
        against: found.against.as_ref().map(words),
        against_not: found.against_not.as_ref().map(words),
        published: found.published.as_ref().map(words),
        checks: words(&found.checks),
    }
}
