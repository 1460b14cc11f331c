//! How surely a sensitive value is guessed: the figures of the report, and the worst of them.

use crate::{report::Report, settings::Model};

/// How surely a sensitive value of a published person is guessed at worst, by each attacker that the report has a figure for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// By one who takes all that is published for what it seems; not better than what is guaranteed.
    plain: f64,
    /// By one who rules out that a value is not known, where that tells more.
    known: Option<f64>,
    /// By one who knows how made-up records are chosen, but not who else is in the group, where that tells more; where values are not known by one who rules
    /// that out, too.
    informed: Option<f64>,
    /// Whether that attacker learns more by ruling it out.
    both: bool,
    /// By one who reads values as one that people read as one, where that tells most.
    alike: Option<f64>,
}

impl Guess {
    /// The figures of a report; `None` if it has none.
    #[must_use]
    pub fn of(report: &Report) -> Option<Self> {
        let risk = &report.risk;
        // What was measured may be better than what is guaranteed by chance, and is of this release alone.
        let guaranteed = match report.model {
            Model::MInvariance { m } => Some(1.0 / m.max(1) as f64),
            Model::KAnonymity { .. } => None,
        };
        let measured = risk.highest_attribute_disclosure;
        let plain = measured.into_iter().chain(guaranteed).reduce(f64::max)?;
        let known = risk.highest_known_disclosure.filter(|known| *known > plain);
        let told = report.disclosure.filter(|_| report.changes.counterfeits > 0);
        let informed = told
            .map(|told| told.present_known.unwrap_or(told.present))
            .filter(|present| *present > known.unwrap_or(plain));
        let both = told.is_some_and(|told| told.present_known.is_some_and(|known| known > told.present));
        let others = informed.or(known).unwrap_or(plain);
        let alike = risk.highest_alike_disclosure.filter(|alike| *alike > others);
        Some(Self { plain, known, informed, both, alike })
    }

    /// By the strongest of these attackers.
    #[must_use]
    pub fn worst(&self) -> f64 {
        self.alike.or(self.informed).unwrap_or_else(|| self.without_method())
    }

    /// By the strongest of those who know nothing of the method.
    #[must_use]
    pub fn without_method(&self) -> f64 {
        self.known.unwrap_or(self.plain)
    }

    /// Whether the method tells more.
    #[must_use]
    pub fn is_told_by_method(&self) -> bool {
        self.informed.is_some() && self.alike.is_none()
    }

    /// Whether the worst figure is of one who rules out that a value is not known.
    #[must_use]
    pub fn rules_out_not_known(&self) -> bool {
        self.alike.is_none() && self.informed.map_or(self.known.is_some(), |_| self.both)
    }

    /// Whether a value is certain.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.worst() >= 1.0
    }

    /// The worst figure and the one that counts "not known" as a value, where that is what makes the difference.
    #[must_use]
    pub fn because_not_known(&self) -> Option<(f64, f64)> {
        let known = self.known.filter(|_| self.informed.is_none() && self.alike.is_none());
        known.map(|known| (known, self.plain))
    }

    /// The worst figure and the one that counts values as they are spelt, where that is what makes the difference.
    #[must_use]
    pub fn because_alike(&self) -> Option<(f64, f64)> {
        self.alike.map(|alike| (alike, self.informed.unwrap_or_else(|| self.without_method())))
    }
}

/// How surely a value is guessed, also that of a person who was left out so that the guarantee is possible.
#[must_use]
pub fn surest(report: &Report, guess: &Guess) -> f64 {
    let gone =
        (report.disclosure.filter(|_| report.changes.deletions > 0)).and_then(|told| told.absent_values);
    guess.worst().max(gone.map_or(0.0, |values| 1.0 / values.max(1) as f64))
}

/// Published rows that do not say their sensitive value.
pub(super) fn rows_not_known(report: &Report, sensitive: &str) -> usize {
    let column = report.missing.columns.iter().find(|column| column.column == sensitive);
    column.map_or(0, |column| column.rows)
}
