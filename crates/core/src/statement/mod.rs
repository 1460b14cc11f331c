//! A statement of a finished run for the files of whoever answers for the data: one document that needs nothing else, to be
//! read, printed and signed. It describes the data without their values. It names the seed, by which whoever also has the
//! original can repeat the run: it is not published.

mod advice;
mod changes;
mod data;
mod files;
mod guarantee;
mod loss;
mod risk;
mod search;
mod unchanged;

pub use files::{Made, NamedFile};
use lookalike_model::{
    document::{Document, Notice, Part},
    report::{Private, Report},
};
use lookalike_words::{AsArg, Figure, Speaker, messages};

messages! {
    in "core";

    /// What a statement begins with, and what its parts are called.
    enum StatementPart {
        /// The statement itself.
        Title,
        /// The audit passed.
        Passed {
            /// How many checks.
            checks: usize,
        },
        /// The audit did not pass.
        Failed,
        /// Why it is private.
        Private {
            /// Whether there are counterfeits.
            counterfeits: bool,
        },
        /// What is guaranteed.
        Guarantee,
        /// The files of the run.
        Files,
        /// The data and their columns.
        Data,
        /// How classes were found.
        Search,
        /// What was added and left out.
        Changes,
        /// The audit.
        Audit,
        /// What an attacker reaches.
        Risk,
        /// What was lost.
        Loss,
        /// Warnings.
        Advice,
        /// Who signs.
        Signed,
        /// Over the name.
        Name,
        /// Over the date.
        Date,
        /// Over the signature.
        Signature,
    }

    /// What the columns of its tables are called.
    enum StatementColumn {
        /// What a figure is.
        What,
        /// A figure.
        Figure,
        /// A column of the data.
        Column,
        /// Its role.
        Role,
        /// How it is published.
        Published,
        /// Its weight.
        Weight,
        /// What something was taken for.
        TakenAs,
        /// What becomes of missing cells.
        MissingCells,
        /// How many are published.
        InRelease,
        /// A check of the audit.
        Check,
        /// Whether it holds.
        Holds,
        /// What it found.
        Finding,
        /// An attacker or a figure.
        AttackerOrFigure,
        /// A risk.
        Risk,
        /// Records that are unique in the source by a column that is published unchanged.
        UniqueBefore,
        /// The same in what is published.
        UniqueAfter,
        /// How probably a match is right.
        Match,
        /// Of whom the sensitive value is told.
        Told,
        /// Minimal sample uniques.
        Minimal,
        /// A certainty penalty.
        Penalty,
        /// An information loss.
        InformationLoss,
    }

    /// A number with its unit.
    enum StatementFigure {
        /// A part of a hundred.
        Percent {
            /// How many.
            percent: Figure,
        },
    }
}

/// The statement of a run: of the report with all figures. `made` says what only the caller knows: when, and which files.
#[must_use]
pub fn statement(report: &Report, private: &Private, made: &Made) -> Document {
    let audit = &report.audit;
    let verdict = if audit.passed {
        Part::Notice(Notice::Passed, StatementPart::Passed { checks: audit.checks.len() }.into())
    } else {
        Part::Notice(Notice::Failed, StatementPart::Failed.into())
    };
    let counterfeits = report.changes.counterfeits > 0;
    let classes = private.settings.class_column.name().is_some();
    let mut parts =
        vec![verdict, Part::Notice(Notice::Private, StatementPart::Private { counterfeits }.into())];
    for (heading, content) in [
        (StatementPart::Guarantee, guarantee::guarantee(report, classes)),
        (StatementPart::Files, files::files(report, made)),
        (StatementPart::Data, data::data(report, private)),
        (StatementPart::Search, search::search(report, private, made)),
        (StatementPart::Changes, changes::changes(report)),
        (StatementPart::Audit, risk::audit(report)),
        (StatementPart::Risk, [risk::risk(report), unchanged::unchanged(report)].concat()),
        (StatementPart::Loss, loss::loss(report)),
        (StatementPart::Advice, advice::advice(report)),
        (StatementPart::Signed, vec![signature()]),
    ] {
        parts.push(Part::Heading(heading.into()));
        parts.extend(content);
    }
    Document { title: StatementPart::Title.into(), parts }
}

/// The statement of a run as one HTML file in English.
#[must_use]
pub fn html(report: &Report, private: &Private, made: &Made) -> String {
    statement(report, private, made).html(&Speaker::english())
}

/// Whoever signs knows the day of the signature; date and files of the run stand above.
fn signature() -> Part {
    Part::Signature {
        name: StatementPart::Name.into(),
        date: StatementPart::Date.into(),
        signature: StatementPart::Signature.into(),
    }
}

/// A share as a percentage.
fn percent(share: f64) -> impl AsArg {
    StatementFigure::Percent { percent: Figure::fixed(100.0 * share, 2) }
}

/// A cell in which nothing stands.
fn nothing() -> String {
    String::from("-")
}

#[cfg(test)]
mod tests;
