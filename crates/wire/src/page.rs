//! Messages between the page and its engine.
//!
//! They travel through `postMessage` as JavaScript objects made by serde-wasm-bindgen; bulk bytes travel beside
//! them as transferred typed arrays, never inside. Requests and responses are externally tagged: an inner tag would make
//! serde buffer every message, which costs the page 40 kB of code.

use lookalike_model::{
    event::Progress,
    info::{ColumnInfo, TableInfo},
    job::{Answer, Status},
    look::{Beside, Bin, Row},
    report::{Report, Risk},
    sent::Sent,
    settings::{Kind, Missing, Settings},
    survey::Survey,
};
use serde::{Deserialize, Serialize};

use crate::{
    opening::{Form, Opening},
    series::{SeriesAsk, SeriesTold},
};

/// What the page asks of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    /// Opens a file, which is sent beside the message: answered by [`Response::Found`], perhaps more than once, and
    /// [`Response::Opened`].
    Open {
        /// How.
        how: Opening,
        /// By the engine that knows series of releases, which takes the place of the plain one.
        #[serde(default)]
        series: bool,
    },
    /// Asks about a series of releases.
    Series {
        /// What.
        ask: SeriesAsk,
    },
    /// Asks what every m would cost: answered by [`Response::Surveyed`].
    Survey {
        /// The sensitive column.
        sensitive: String,
        /// Which cells are missing; its policy for the sensitive column decides whether their rows count.
        missing: Missing,
        /// Every m up to the number of values, not the first ones only.
        all: bool,
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
    /// Asks for a hierarchy as a file: answered by [`Response::File`].
    ExportHierarchy {
        /// Its rows.
        rows: Vec<Vec<String>>,
        /// Name of the file.
        file: String,
    },
    /// Asks what the columns are if these cells mean "missing": answered by [`Response::Described`].
    Describe {
        /// Cells that mean "missing".
        markers: Vec<String>,
    },
    /// Anonymizes the open table here.
    Anonymize {
        /// What the user asks for.
        settings: Settings,
    },
    /// Prepares the numeric job for the worker: answered by [`Response::Prepared`].
    Prepare {
        /// What the user asks for.
        settings: Settings,
    },
    /// Applies an answer to the open table; it is verified first. Labels are transferred beside it.
    Apply {
        /// The answer, its `labels` left empty.
        answer: Answer,
        /// What was sent to the worker for it, whose word on its search is a claim; `None` if the search beside this engine
        /// found it.
        #[serde(default)]
        sent: Option<Sent>,
    },
    /// Asks how exposed the rows of the open table are if somebody knows these columns: answered by [`Response::Risk`].
    Risk {
        /// The columns.
        quasi: Vec<String>,
    },
    /// Asks for rows of the open table beside what the last run made of them: answered by [`Response::Rows`].
    Rows {
        /// The first, from 0.
        from: usize,
        /// How many.
        count: usize,
    },
    /// Asks how often the values of a column occur before and after the last run: answered by [`Response::Spread`].
    Spread {
        /// The column.
        column: String,
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
        /// What.
        form: Form,
    },
    /// A table was read.
    Opened {
        /// What is known of the table.
        table: TableInfo,
    },
    /// About a series of releases.
    Series {
        /// What.
        told: SeriesTold,
    },
    /// What every m would cost.
    Surveyed {
        /// The figures, or why there are none.
        survey: Result<Survey, String>,
    },
    /// What the columns are.
    Described {
        /// One entry a column, in the file's order.
        columns: Vec<ColumnInfo>,
        /// Cells that were taken for "missing".
        markers: Vec<String>,
    },
    /// The known values of a column, sorted.
    Values {
        /// The column.
        column: String,
        /// The values, or why there are none.
        values: Result<Vec<String>, String>,
    },
    /// A hierarchy that has every known value of a column.
    Hierarchy {
        /// The column.
        column: String,
        /// Its rows, or what is wrong.
        made: Result<Vec<Vec<String>>, String>,
    },
    /// How exposed the rows of the open table are.
    Risk {
        /// The columns that somebody knows.
        quasi: Vec<String>,
        /// The figures, or why there are none.
        risk: Result<Risk, String>,
    },
    /// Rows of the open table beside what became of them.
    Rows {
        /// The first, from 0.
        from: usize,
        /// The rows.
        rows: Vec<Row>,
    },
    /// How often the values of a column occur.
    Spread {
        /// The column.
        column: String,
        /// Shares, or why there are none.
        bins: Result<Vec<Bin>, String>,
    },
    /// A file; its bytes are transferred beside the message.
    Written {
        /// Its name.
        name: String,
    },
    /// The numeric job, as JSON bytes transferred beside the message, ready to be posted to the worker.
    Prepared,
    /// Progress of the running search.
    Progress {
        /// The report.
        progress: Progress,
    },
    /// Done: the published CSV, classes.csv, report.json, private.json and the statement are transferred beside the
    /// message, in this order.
    Finished {
        /// All that the page shows.
        result: Box<Finished>,
    },
    /// The request failed; the open table is untouched.
    Failed {
        /// What, where, and what to do.
        message: String,
    },
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

    /// The report.
    #[must_use]
    pub fn report(opened: &str) -> String {
        format!("{}-report.json", stem(opened))
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
