//! Messages between the page and its engine: one protocol for tables, series, checks and configuration files.
//!
//! They travel through `postMessage` as JavaScript objects made by serde-wasm-bindgen, `{ id, message, bulk }` both ways:
//! a response has the number of its request, which the page chooses. Bulk bytes travel beside the message as transferred
//! buffers, never inside; a response says what they are. A file travels beside its request as `file`.

use std::collections::BTreeMap;

use lookalike_model::{
    comparison::{Beside, Bin, Likeness, Only, Row, RowOrder, TableWindow},
    dialect::Dialect,
    document::Document,
    event::Progress,
    info::{ColumnInfo, TableInfo},
    job::{Answer, Status},
    report::{Report, Risk},
    sent::Sent,
    settings::{Kind, Missing, Settings},
    survey::Survey,
};
use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use crate::{
    check::{CheckSettings, Checked, CheckedTable},
    config::Reading,
    opening::{Form, Opening},
    series::{SeriesAsk, SeriesCheck, SeriesJudged, SeriesOptions, SeriesTold},
};

pub use crate::other_form::OtherForm;

/// What the page asks of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    /// Opens a file, which is sent beside the message: answered by [`Response::Found`], perhaps more than once, and
    /// [`Response::Opened`] or [`Response::Offered`]. A published table that is to be checked forgets all that belonged to the one before.
    Open {
        /// As what.
        table: OpenAs,
        /// How.
        how: Opening,
    },
    /// Asks about the series that the open table belongs to.
    Series {
        /// What.
        ask: SeriesAsk,
    },
    /// Reads the generalisation hierarchy of a column of the table that is checked, from a file that is sent beside the
    /// message; without one it is forgotten. Answered by [`Response::CheckHierarchy`].
    CheckHierarchy {
        /// The column.
        column: String,
    },
    /// Checks the published table, with all that was opened beside it: answered by [`Response::Checked`].
    Check {
        /// What is asked.
        asked: Box<CheckSettings>,
    },
    /// Takes files of a series of releases, and judges them together.
    CheckSeries {
        /// What.
        ask: SeriesCheck,
    },
    /// Asks for settings as a configuration file: answered by [`Response::Written`].
    SaveConfig {
        /// The settings; their seed is not saved.
        settings: Box<Settings>,
        /// Columns that are identifiers.
        identifiers: Vec<String>,
        /// Lines of the table's file that are no part of it.
        #[serde(default)]
        reading: Reading,
    },
    /// Reads a configuration file, which is sent beside the message, for a table: answered by [`Response::Configured`].
    LoadConfig {
        /// The table's columns.
        columns: Vec<String>,
    },
    /// Checks a certificate, which is sent beside the message, for the open table: answered by [`Response::Certified`].
    CheckCertificate {
        /// What the columns mean; guarantee and loss are those of the certificate.
        settings: Box<Settings>,
    },
    /// Asks what every m would cost: answered by [`Response::Surveyed`].
    Survey {
        /// The sensitive column.
        sensitive: String,
        /// Which cells are missing; its policy for the sensitive column decides whether their rows count.
        missing: Missing,
        /// Columns of which a row must have a cell: without it a run leaves the row out.
        #[serde(default)]
        needed: Vec<String>,
        /// Every m up to the number of values, not the first ones only.
        all: bool,
        /// The column with the key of a person, if one may have several rows.
        #[serde(default)]
        person: Option<String>,
    },
    /// Asks for the known values of a column: answered by [`Response::Values`].
    Values {
        /// The column.
        column: String,
        /// Cells that mean "missing".
        markers: Vec<String>,
    },
    /// Makes a hierarchy for a column, or reads one from a file that is sent beside the message: answered by
    /// [`Response::Hierarchy`].
    Hierarchy {
        /// Whose, and how its cells are read.
        column: HierarchyOf,
        /// The generator's name, as the command line has it; `None` for a file.
        generator: Option<String>,
    },
    /// Asks for a hierarchy as a file: answered by [`Response::Written`].
    ExportHierarchy {
        /// Its rows.
        rows: Vec<Vec<String>>,
    },
    /// Asks what the columns are if this is said of their cells: answered by [`Response::Described`].
    Describe {
        /// What is said.
        cells: CellsTold,
    },
    /// Anonymizes the open table: answered by [`Response::Finished`], or for a worker by [`Response::Prepared`] first.
    Anonymize {
        /// What the user asks for.
        settings: Box<Settings>,
        /// As the next release of a series.
        #[serde(default)]
        series: Option<SeriesOptions>,
        /// Where the search runs.
        place: Place,
        /// What this session has sent elsewhere before.
        #[serde(default)]
        sent_before: Vec<Sent>,
    },
    /// Applies an answer to the open table; it is verified first. Labels are transferred beside it.
    Apply {
        /// The answer, its `labels` left empty.
        answer: Box<Answer>,
        /// What was sent to the worker for it, whose word on its search is a claim; `None` if the search beside this engine
        /// found it.
        #[serde(default)]
        sent: Option<Sent>,
    },
    /// Asks for the published table in another form, or for what says what its columns are, from its bytes in a file that is sent beside the message: answered by
    /// [`Response::Workbook`].
    Workbook {
        /// The form of these bytes.
        dialect: Dialect,
        /// The form that is wanted.
        form: OtherForm,
        /// The name of the file of these bytes, by which what stands beside it names it.
        #[serde(default)]
        table: String,
    },
    /// Asks how exposed the rows of the open table are if somebody knows some columns: answered by [`Response::Risk`].
    Risk {
        /// What is known, and of whom.
        by: Likeness,
        /// Above which probability of being found a row counts as at risk.
        threshold: f64,
    },
    /// Asks for rows of a table as it is: answered by [`Response::Table`].
    Table {
        /// The open table, or one of a check.
        table: OpenAs,
        /// The first, from 0 among those that `only` chooses.
        from: usize,
        /// How many.
        count: usize,
        /// By what rows are alike.
        by: Likeness,
        /// Which rows.
        only: Only,
    },
    /// Asks for rows of the open table beside what the last run made of them: answered by [`Response::Rows`].
    Rows {
        /// The first, from 0.
        from: usize,
        /// How many.
        count: usize,
        /// In which order.
        #[serde(default)]
        order: RowOrder,
    },
    /// Asks for the rows of a class of the last run: answered by [`Response::Class`].
    Class {
        /// Its label, as in [`Row::class`].
        class: String,
    },
    /// Asks how often the values of a column occur before and after the last run: answered by [`Response::Spread`].
    Spread {
        /// The column.
        column: String,
    },
    /// Asks about what each of these numbers, as k or m, costs on the open table: answered by one [`Response::Estimated`] for each.
    /// It is asked only while nothing runs; the next of these requests, a run, another table and "stop" end it without a further
    /// word.
    Estimate {
        /// What the user asks for; the number it says does not matter.
        settings: Box<Settings>,
        /// The numbers, in the order in which they are answered.
        numbers: Vec<u32>,
    },
    /// Stops the running search and keeps the best so far.
    Stop,
}

/// What the engine answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Response {
    /// The engine is up.
    Ready {
        /// Threads it can use; 1 when the page is not cross-origin isolated.
        threads: usize,
    },
    /// What the file is taken for that is being opened; now its rows are read.
    Found {
        /// As what it is opened.
        table: OpenAs,
        /// What it is taken for.
        form: Form,
    },
    /// So much of the file was read by now that is being opened: the worker's script says so while the engine reads.
    Reading {
        /// Bytes from its beginning.
        bytes: f64,
        /// Bytes that were fetched from it, wherever they stand; some more than once, where it is read more than once.
        #[serde(default)]
        fetched: f64,
    },
    /// The table that is to be opened is large: the columns that [`Response::Found`] told are to be chosen first.
    Offered {
        /// As what it was to be opened.
        table: OpenAs,
    },
    /// A table was read.
    Opened {
        /// As what.
        table: OpenAs,
        /// What is known of it, or why it cannot be read.
        info: Result<TableInfo, Said>,
    },
    /// About the series that the open table belongs to.
    Series {
        /// What.
        told: SeriesTold,
        /// What is transferred beside the message.
        files: Vec<FileKind>,
    },
    /// The hierarchy of a column of the table that is checked was read, or forgotten.
    CheckHierarchy {
        /// The column.
        column: String,
        /// Number of its values, 0 if it was forgotten; or what is wrong.
        values: Result<usize, Said>,
    },
    /// A published table was checked.
    Checked {
        /// What was found, or why nothing was.
        checked: Result<Box<Checked>, Said>,
    },
    /// A series of releases was judged.
    Judged {
        /// What was found, or why nothing was.
        judged: Result<SeriesJudged, Said>,
    },
    /// What a configuration file says.
    Configured {
        /// Settings, or what is wrong with the file.
        configured: Result<Box<Configured>, Said>,
    },
    /// A certificate was checked for the open table.
    Certified {
        /// What was found, or why nothing was.
        found: Result<CertificateFound, Said>,
    },
    /// What every m would cost.
    Surveyed {
        /// The figures, or why there are none.
        survey: Result<Survey, Said>,
    },
    /// What the columns are.
    Described {
        /// What was said of their cells.
        cells: CellsTold,
        /// What they are, or why that cannot be so: then they stay what they were.
        described: Result<Described, Said>,
    },
    /// The known values of a column, sorted.
    Values {
        /// The column.
        column: String,
        /// The values, or why there are none.
        values: Result<Vec<String>, Said>,
    },
    /// A hierarchy that has every known value of a column.
    Hierarchy {
        /// The column.
        column: String,
        /// Its rows, or what is wrong.
        made: Result<Vec<Vec<String>>, Said>,
    },
    /// How exposed the rows of the open table are.
    Risk {
        /// What is known, and of whom.
        by: Likeness,
        /// The figures, or why there are none.
        risk: Result<Risk, Said>,
    },
    /// Rows of a table as it is.
    Table {
        /// The open table, or one of a check.
        table: OpenAs,
        /// The first, from 0 among those that `only` chooses.
        from: usize,
        /// By what rows are alike.
        by: Likeness,
        /// Which rows.
        only: Only,
        /// The rows, or why there are none.
        rows: Result<TableWindow, Said>,
    },
    /// Rows of the open table beside what became of them.
    Rows {
        /// The first, from 0.
        from: usize,
        /// In which order.
        #[serde(default)]
        order: RowOrder,
        /// The rows.
        rows: Vec<Row>,
    },
    /// Rows of a class.
    Class {
        /// Its label.
        class: String,
        /// Its first rows in the file's order.
        rows: Vec<Row>,
        /// How many rows of the original it has; 0 if there is no such class.
        total: usize,
    },
    /// How often the values of a column occur.
    Spread {
        /// The column.
        column: String,
        /// Shares, or why there are none.
        bins: Result<Vec<Bin>, Said>,
    },
    /// About what a number costs.
    Estimated {
        /// The number.
        number: u32,
        /// Certainty penalty of a published cell, 0 to 1, after a short search on a sample of the rows; or why there is no
        /// estimate, as where the table must be changed for this number.
        loss: Result<f64, Said>,
        /// Rows of the sample.
        of_rows: usize,
        /// Numbers that are still to come.
        left: usize,
    },
    /// A file; its bytes are transferred beside the message.
    Written,
    /// The published table in another form; its bytes are transferred beside the message.
    Workbook {
        /// What was found when it was read back.
        check: Said,
    },
    /// The numeric job, as JSON bytes transferred beside the message, ready to be posted to the worker.
    Prepared,
    /// Progress of the running search.
    Progress {
        /// The report.
        progress: Progress,
    },
    /// Done; the files of the run are transferred beside the message.
    Finished {
        /// All that the page shows.
        result: Box<Finished>,
        /// What is transferred.
        files: Vec<FileKind>,
    },
    /// The request failed; the open table is untouched.
    Failed {
        /// What, where, and what to do.
        message: Said,
    },
}

impl Response {
    /// Whether its request is answered by it, so that nothing else follows.
    #[must_use]
    pub fn is_last(&self) -> bool {
        !matches!(
            self,
            Self::Ready { .. } | Self::Found { .. } | Self::Reading { .. } | Self::Progress { .. }
        ) && !matches!(self, Self::Estimated { left: 1.., .. })
            && !matches!(self, Self::Series { told: SeriesTold::Released { .. }, .. })
    }
}

/// What is said of the cells of the open table, before anything else sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellsTold {
    /// Cells that mean "missing".
    pub markers: Vec<String>,
    /// Digits to which cells are filled up on the left with zeros, by column.
    pub pad: BTreeMap<String, u8>,
    /// Labels in place of codes, by column.
    pub labels: BTreeMap<String, BTreeMap<String, String>>,
}

/// The columns of the open table, as what is said of their cells makes them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Described {
    /// One entry a column, in the file's order.
    pub columns: Vec<ColumnInfo>,
    /// The first rows, cell by cell.
    pub preview: Vec<Vec<String>>,
    /// How many cells were filled up, and which got labels.
    pub notes: Vec<Said>,
}

/// As what a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpenAs {
    /// The table that is to be anonymized.
    Table,
    /// A table of a check.
    Check(CheckedTable),
}

/// Where a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// In the page.
    Here,
    /// On a worker.
    Worker,
}

/// A file of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// The published table.
    Table,
    /// Which input row is in which class: private.
    Classes,
    /// The report.
    Report,
    /// The private record.
    Private,
    /// The ledger of the series after this release: private.
    Ledger,
    /// Numbers of counterfeits (CSV: class, counterfeits).
    Counterfeits,
    /// What ties the run to its files: private.
    Manifest,
    /// The statement as data: private.
    StatementJson,
    /// The duals that prove the bound, if there can be a certificate of them: private.
    Certificate,
}

/// What was found about a certificate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CertificateFound {
    /// Whether its bound holds.
    pub holds: bool,
    /// What is told of it.
    pub lines: Vec<Said>,
}

/// A configuration file as the page takes it over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Configured {
    /// What it says; what it leaves out has its default.
    pub settings: Settings,
    /// Columns that it names as identifiers.
    pub identifiers: Vec<String>,
    /// What of it was passed over, or is still to be done.
    pub notes: Vec<Said>,
}

/// A column whose values are to be generalised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HierarchyOf {
    /// Its name.
    pub name: String,
    /// What its cells are, if not what they look like.
    pub kind: Option<Kind>,
    /// Its values from least to greatest, if they have an order.
    pub order: Vec<String>,
    /// Cells that mean "missing".
    pub markers: Vec<String>,
}

/// A finished run as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// The report with all figures: for the data holder, not to be published where counterfeits were added.
    pub report: Report,
    /// Header of the published table.
    pub header: Vec<String>,
    /// The first published rows.
    pub preview: Vec<Vec<String>>,
    /// The original beside it.
    pub beside: Beside,
    /// The statement, which the page puts into its language: private.
    pub statement: Document,
    /// Number of records in each class size, ascending by size.
    pub class_sizes: Vec<(usize, usize)>,
    /// Why the search stopped.
    pub status: Status,
    /// Threads that did work.
    pub threads: usize,
    /// What was sent to a worker for it, if one searched.
    #[serde(default)]
    pub sent: Option<Sent>,
}

/// Names under which the page offers the files of a run, by the name of the file that was opened.
pub mod names {
    /// The file name without its ending.
    #[must_use]
    pub fn stem(name: &str) -> &str {
        match name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => name,
        }
    }

    /// The published table.
    #[must_use]
    pub fn table(opened: &str) -> String {
        format!("{}-anonymized.csv", stem(opened))
    }

    /// The same in another form, or what says what its columns are.
    #[must_use]
    pub fn other(opened: &str, form: super::OtherForm) -> String {
        format!("{}-anonymized.{}", stem(opened), form.ending())
    }

    /// The report.
    #[must_use]
    pub fn report(opened: &str) -> String {
        format!("{}-report.json", stem(opened))
    }

    /// The private record.
    #[must_use]
    pub fn record(opened: &str) -> String {
        format!("private-{}-record.json", stem(opened))
    }

    /// Which row is in which class.
    #[must_use]
    pub fn classes(opened: &str) -> String {
        format!("private-{}-classes.csv", stem(opened))
    }

    /// What ties the run to its files.
    #[must_use]
    pub fn manifest(opened: &str) -> String {
        format!("private-{}-manifest.json", stem(opened))
    }

    /// The statement as data.
    #[must_use]
    pub fn statement_json(opened: &str) -> String {
        format!("private-{}-statement.json", stem(opened))
    }

    /// The certificate of the bound.
    #[must_use]
    pub fn certificate(opened: &str) -> String {
        format!("private-{}-certificate.json", stem(opened))
    }

    /// The ledger after this release of a series.
    #[must_use]
    pub fn ledger(opened: &str, release: u32) -> String {
        format!("do-not-publish-{}-ledger-{release}.json", stem(opened))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_ending_goes() {
            assert_eq!(["a.csv", "a.b.csv", "a", ".csv", ""].map(stem), ["a", "a.b", "a", ".csv", ""]);
            assert_eq!(ledger("a.b.csv", 3), "do-not-publish-a.b-ledger-3.json");
        }
    }
}
