//! The first sheet: the finding, the signature, and what is published of whom.

use lookalike_model::{
    document::{Notice, Part, Table},
    finding::Finding,
    report::{Private, Report},
};
use lookalike_words::{AsArg as _, Said, messages};

use super::StatementPart;

messages! {
    in "core";

    /// What the first sheet says of columns and people.
    enum StatementPublished {
        /// Columns that others may know.
        Known,
        /// The column that is protected.
        Secret,
        /// Further sensitive columns, with conditions on them.
        Further,
        /// There is none.
        NoSecret,
        /// A sensitive column to which k-anonymity promises nothing.
        Unprotected {
            /// The column.
            name: String,
        },
        /// Columns that are published as they are.
        AsIs,
        /// Against whom nothing holds because of them.
        AsIsTold {
            /// The columns.
            columns: StatementNames,
        },
        /// Columns that are coarsened along with those that others may know.
        Kept,
        /// Columns that are not published.
        Unpublished,
        /// There are no such columns, people, or records.
        None,
        /// Made-up records.
        MadeUp,
        /// How many there are.
        MadeUpOf {
            /// How many.
            made_up: usize,
            /// Of how many records.
            records: usize,
        },
        /// People, or rows, that are not published.
        LeftOut,
        /// Where a row is.
        Release,
        /// One release of a series.
        ReleaseOf {
            /// Its number.
            release: u32,
            /// Its mode.
            mode: &'static str,
            /// How many there were before.
            before: u32,
        },
        /// No series.
        Alone,
    }

    /// Why people are not published.
    enum StatementLeftOut {
        /// So that the guarantee is possible.
        Guarantee {
            /// How many people.
            people: usize,
        },
        /// Their groups would have lost too much.
        Loss {
            /// How many people.
            people: usize,
        },
        /// Their groups at the levels of the columns are too small, or break a condition.
        Levels {
            /// How many people.
            people: usize,
        },
        /// Rows without a value that is needed.
        Missing {
            /// How many rows.
            rows: usize,
            /// Whether a person may have others.
            several: bool,
        },
    }

    /// Names of columns.
    pub(super) enum StatementNames {
        /// All of them.
        All {
            /// The names.
            names: Vec<String>,
        },
        /// The first of them.
        Some {
            /// The names.
            names: Vec<String>,
            /// How many more there are.
            more: usize,
        },
    }
}

impl StatementNames {
    /// As many names as there is room for on a sheet; the annex has all.
    pub(super) fn of<'a>(names: impl IntoIterator<Item = &'a String>) -> Self {
        const MOST: usize = 24;
        const LONGEST: usize = 300;
        let mut names: Vec<String> = names.into_iter().cloned().collect();
        let mut room = LONGEST;
        let fits = names.iter().take(MOST).take_while(|name| {
            let long = name.chars().count() + 2;
            let fits = long <= room;
            room = room.saturating_sub(long);
            fits
        });
        let shown = fits.count().max(1);
        match names.len().checked_sub(shown) {
            Some(more) if more > 0 => {
                names.truncate(shown);
                Self::Some { names, more }
            }
            _ => Self::All { names },
        }
    }
}

/// The first sheet. The finding is the page's, word for word.
pub(super) fn published(found: Finding, report: &Report, private: &Private) -> Vec<Part> {
    let notice = if found.passed { Notice::Passed } else { Notice::Failed };
    let counterfeits = report.changes.counterfeits > 0;
    let mut parts = vec![Part::Notice(notice, found.sentence)];
    let paragraphs = [found.why, found.against, found.against_not];
    parts.extend(paragraphs.into_iter().flatten().map(Part::Paragraph));
    parts.push(Part::Paragraph(StatementPart::Checks { found: found.checks }.into()));
    parts.extend([
        Part::Heading(StatementPart::Signed.into()),
        signature(),
        Part::Heading(StatementPart::Published.into()),
    ]);
    parts.extend(found.published.map(Part::Paragraph));
    parts.extend([
        Part::Table(facts(report, private)),
        Part::Notice(Notice::Private, StatementPart::Private { counterfeits }.into()),
    ]);
    parts
}

/// Whoever signs knows place and day of the signature; the date of the run stands on the second sheet.
fn signature() -> Part {
    let lines = [
        StatementPart::Name,
        StatementPart::Function,
        StatementPart::Place,
        StatementPart::Date,
        StatementPart::Signature,
    ];
    Part::Signature(lines.map(Said::from).into())
}

fn facts(report: &Report, private: &Private) -> Table {
    let settings = &private.settings;
    let mut table = Table::of::<0>([] as [Said; 0]);
    table.row(&StatementPublished::Known, &StatementNames::of(&settings.quasi));
    let promised = matches!(report.model, lookalike_model::settings::Model::MInvariance { .. })
        || report.has_conditions();
    let secret = match &settings.sensitive {
        Some(name) if promised => name.as_arg(),
        Some(name) => StatementPublished::Unprotected { name: name.clone() }.as_arg(),
        None => StatementPublished::NoSecret.as_arg(),
    };
    table.rows.push(vec![StatementPublished::Secret.as_arg(), secret]);
    if !settings.conditions_of.is_empty() {
        let columns: Vec<String> = settings.conditions_of.keys().cloned().collect();
        table.row(&StatementPublished::Further, &StatementNames::of(&columns));
    }
    if !settings.keep.is_empty() {
        table.row(&StatementPublished::Kept, &StatementNames::of(&settings.keep));
    }
    if !settings.unchanged.is_empty() {
        let columns = StatementNames::of(&settings.unchanged);
        table.row(&StatementPublished::AsIs, &StatementPublished::AsIsTold { columns });
    }
    let gone = &private.unpublished_columns;
    let gone =
        if gone.is_empty() { StatementPublished::None.as_arg() } else { StatementNames::of(gone).as_arg() };
    table.rows.push(vec![StatementPublished::Unpublished.as_arg(), gone]);
    let made_up = match report.changes.counterfeits {
        0 => StatementPublished::None,
        made_up => {
            StatementPublished::MadeUpOf { made_up, records: report.input.rows.saturating_add(made_up) }
        }
    };
    table.row(&StatementPublished::MadeUp, &made_up);
    let reasons = left_out(report);
    let reasons = if reasons.is_empty() { StatementPublished::None.as_arg() } else { reasons.as_arg() };
    table.rows.push(vec![StatementPublished::LeftOut.as_arg(), reasons]);
    let release = match report.series {
        Some(place) => StatementPublished::ReleaseOf {
            release: place.release,
            mode: place.mode.name(),
            before: place.release.saturating_sub(1),
        },
        None => StatementPublished::Alone,
    };
    table.row(&StatementPublished::Release, &release);
    table
}

/// Who is not published, by reason. Persons are counted where they are known, and rows where only these are.
fn left_out(report: &Report) -> Vec<StatementLeftOut> {
    let changes = &report.changes;
    let for_loss = report.persons.map_or(changes.suppressed_for_loss, |of| of.suppressed);
    let rows = changes.suppressed;
    let of_loss = match report.full_domain {
        Some(_) => StatementLeftOut::Levels { people: for_loss },
        None => StatementLeftOut::Loss { people: for_loss },
    };
    let reasons = [
        (changes.deletions, StatementLeftOut::Guarantee { people: changes.deletions }),
        (for_loss, of_loss),
        (rows, StatementLeftOut::Missing { rows, several: report.persons.is_some() }),
    ];
    reasons.into_iter().filter(|(count, _)| *count > 0).map(|(_, reason)| reason).collect()
}
