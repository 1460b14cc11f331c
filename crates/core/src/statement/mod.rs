//! A statement of a finished run for the files of whoever answers for the data: one document that needs nothing else, to be
//! read, printed and signed. It describes the data without their values. It names the seed, by which whoever also has the
//! original can repeat the run: it is not published.

mod advice;
mod changes;
mod data;
mod files;
mod guarantee;
mod loss;
mod published;
mod record;
mod risk;
mod search;
mod series;
mod three;
mod unchanged;

pub use files::{Made, NamedFile};
pub use lookalike_model::statement::Program;
use lookalike_model::{
    document::{Document, Part},
    finding::finding,
    report::{Private, Report},
};
use lookalike_words::{AsArg, Figure, Round, Said, Speaker, messages};
pub use record::record;

messages! {
    in "core";

    /// What a statement begins with, and what its parts are called.
    #[derive(PartialEq)]
    enum StatementPart {
        /// The statement itself.
        Title,
        /// What the checks found.
        Checks {
            /// In words.
            found: Said,
        },
        /// Why it is private.
        Private {
            /// Whether there are counterfeits.
            counterfeits: bool,
        },
        /// What is published of whom.
        Published,
        /// The second sheet.
        Evidence,
        /// The files of the run.
        Files,
        /// What an attacker reaches, in three figures.
        Three,
        /// What remains.
        Residual,
        /// What is filled in by hand.
        Purposes,
        /// What the table is for.
        Purpose,
        /// Who gets it.
        Recipient,
        /// By which law.
        LegalBasis,
        /// When that is looked at again.
        Review,
        /// The annex.
        Annex,
        /// What is guaranteed.
        Guarantee,
        /// The series of releases.
        Series,
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
        /// Attacks that were tried.
        Attacks,
        /// What was lost.
        Loss,
        /// Warnings.
        Advice,
        /// Who signs.
        Signed,
        /// Under the line of the name.
        Name,
        /// Under the line of the office.
        Function,
        /// Under the line of the place.
        Place,
        /// Under the line of the date.
        Date,
        /// Under the line of the signature.
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
        /// How far it goes.
        Reached,
        /// For which attacker.
        Assumed,
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

/// The statement of a run: of the report with all figures. Two sheets, the finding with the signature and what stands behind it, and an
/// annex. `made` says what only the caller knows: when, and which files.
#[must_use]
pub fn statement(report: &Report, private: &Private, made: &Made) -> Document {
    let mut parts = published::published(finding(report, &private.settings), report, private);
    parts.push(Part::Sheet(StatementPart::Evidence.into()));
    let blanks =
        [StatementPart::Purpose, StatementPart::Recipient, StatementPart::LegalBasis, StatementPart::Review];
    for (heading, content) in [
        (StatementPart::Files, files::files(report, private, made)),
        (StatementPart::Three, vec![Part::Table(three::three(report, private))]),
        (StatementPart::Residual, vec![Part::Paragraph(three::residual(report, private))]),
        (StatementPart::Purposes, vec![Part::Blanks(blanks.map(Said::from).into())]),
    ] {
        parts.push(Part::Heading(heading.into()));
        parts.extend(content);
    }
    parts.push(Part::Sheet(StatementPart::Annex.into()));
    let classes = private.settings.class_column.name().is_some();
    for (heading, content) in [
        (StatementPart::Audit, risk::audit(report)),
        (StatementPart::Guarantee, guarantee::guarantee(report, classes)),
        (StatementPart::Series, series::series(report, private)),
        (StatementPart::Data, data::data(report, private)),
        (StatementPart::Changes, changes::changes(report)),
        (StatementPart::Risk, [risk::risk(report, private), unchanged::unchanged(report)].concat()),
        (StatementPart::Attacks, risk::attacks(made)),
        (StatementPart::Loss, loss::loss(report)),
        (StatementPart::Search, search::search(report, private, made)),
        (StatementPart::Advice, advice::advice(report)),
    ] {
        // Only what was tried has a heading, and only one release of several.
        if matches!(heading, StatementPart::Attacks | StatementPart::Series) && content.is_empty() {
            continue;
        }
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

/// Most significant digits of a figure: more of them nobody compares.
const DIGITS: i32 = 3;

/// A figure as it is read.
fn short(x: f64) -> Figure {
    Figure::significant(x, DIGITS, Round::Near)
}

/// A share as a percentage.
fn percent(share: f64) -> impl AsArg {
    StatementFigure::Percent { percent: short(100.0 * share) }
}

/// A cell in which nothing stands.
fn nothing() -> String {
    String::from("-")
}

#[cfg(test)]
mod tests;
