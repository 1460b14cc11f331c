//! Among how many people a person is hidden, and how many are published.

use lookalike_words::Said;

use super::said::{Among, Named, Published};
use crate::{report::Report, settings::Model};

/// Among whom a person is hidden, at worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// Among so many; each row is a person.
    People(usize),
    /// Among so many real people; there are made-up records.
    Real(usize),
    /// Each of so many persons, who may have several rows, among so many persons.
    Persons {
        /// How many are published.
        all: usize,
        /// Among how many.
        among: usize,
    },
    /// Each record has a row of its own, and so many may be it.
    Rows(usize),
    /// A made-up record may be all that a person is hidden by.
    Nobody,
}

impl Hidden {
    /// What the report says at its weakest.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        let least = least(report);
        if let Some(freeform) = &report.freeform {
            return Self::Rows(least.min(freeform.least_matches));
        }
        if let Some(of) = &report.persons {
            return Self::Persons { all: of.count, among: least.min(of.min_in_class) };
        }
        if report.changes.counterfeits == 0 {
            return Self::People(least);
        }
        match real(report).min(least) {
            0 | 1 => Self::Nobody,
            real => Self::Real(real),
        }
    }

    /// Among how many, whoever they are; 1 where it may be nobody else.
    #[must_use]
    pub fn among(self) -> usize {
        match self {
            Self::People(n) | Self::Real(n) | Self::Persons { among: n, .. } | Self::Rows(n) => n,
            Self::Nobody => 1,
        }
    }

    /// In words, without a full stop; where people were left out, it is said of those in the table.
    pub(super) fn words(self, left_out: bool) -> Said {
        match (self, left_out) {
            (Self::People(n), true) => Among::PeopleInTable { n },
            (Self::People(n), false) => Among::People { n },
            (Self::Real(n), true) => Among::RealInTable { n },
            (Self::Real(n), false) => Among::Real { n },
            (Self::Persons { all, among: n }, true) => Among::PersonsInTable { all, n },
            (Self::Persons { all, among: n }, false) => Among::Persons { all, n },
            (Self::Rows(n), true) => Among::RowsInTable { n },
            (Self::Rows(n), false) => Among::Rows { n },
            (Self::Nobody, _) => Among::Nobody,
        }
        .into()
    }
}

/// The least of all figures for the size of a group, and of what is guaranteed. Figures that are not there are 0. Where each record has a
/// row of its own, groups of equal rows are no bound.
fn least(report: &Report) -> usize {
    let guaranteed = match report.model {
        Model::KAnonymity { k: n } | Model::MInvariance { m: n } => n,
    };
    if report.freeform.is_some() {
        return guaranteed;
    }
    let risk = &report.risk;
    let by_odds = if risk.highest_reidentification > 0.0 {
        (1.0 / risk.highest_reidentification + 1e-9).floor() as usize
    } else {
        0
    };
    let measured = [risk.smallest_group, report.classes.min_size, by_odds].into_iter().filter(|n| *n > 0);
    measured.fold(guaranteed, usize::min)
}

/// Fewest real people of a group: counted, or certain by what is published; 0 if the report does not say.
pub(super) fn real(report: &Report) -> usize {
    let certain = || report.disclosure.map(|told| told.certainly_real);
    report.classes.min_real.or_else(certain).unwrap_or(0)
}

/// Whether rows of the file are not published.
pub(super) fn left_out(report: &Report) -> bool {
    missing(report) > 0 || report.changes.suppressed > 0
}

/// People who are not published. Of persons with several rows only those who have none left.
fn missing(report: &Report) -> usize {
    let changes = &report.changes;
    match &report.persons {
        Some(of) => of.suppressed,
        None => changes.deletions + changes.suppressed + changes.suppressed_for_loss,
    }
}

/// How many people are published, and how many are left out.
pub(super) fn published(report: &Report) -> Said {
    let published = match &report.persons {
        Some(of) => Published::Persons { n: of.count, rows: Named::Rows { rows: report.input.rows }.into() },
        None => Published::People { n: report.input.rows },
    };
    match missing(report) {
        0 => published.into(),
        n => Named::Beside { one: published.into(), two: Published::LeftOut { n }.into() }.into(),
    }
}
