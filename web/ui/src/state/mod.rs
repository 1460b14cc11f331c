//! Everything the page knows, and the one function that changes it.

mod action;
mod browse;
mod bulk;
mod cells;
mod check;
mod check_edits;
mod columns;
mod estimate;
mod guess;
mod keeping;
mod look;
mod nearest;
mod opening;
mod picking;
mod reading;
mod recent;
mod reduce;
mod replaced;
mod requests;
mod run;
mod scroll;
mod series;
mod stake;
mod suggested;
#[cfg(test)]
pub(crate) mod tests;
mod undo;
mod view;
mod weights;

use std::{borrow::Cow, rc::Rc};

use lookalike_model::{
    info::TableInfo,
    job::Status,
    sent::{Searched, Sent},
    settings::{Missing, MissingPolicy, Settings},
    survey::Survey,
};
pub use lookalike_wire::page::Place;
use lookalike_wire::{
    check::CheckedTable,
    page::{CertificateFound, Finished, OpenAs},
};

pub use action::{Action, Towards};
pub use browse::{BrowseAction, BrowseState, Shown, TableQuestion};
pub use bulk::{Bulk, BulkAction, BulkForm, Said};
pub use cells::{Cells, DescribeQuestion};
pub use check::{CheckAction, CheckState, PartState, Tree, ids as part_ids};
pub use check_edits::CheckEdits;
pub use columns::without_hierarchy;
pub use estimate::{Estimate, EstimateAction, EstimateQuestion, EstimateState, Offered, reached, whole_loss};
pub use guess::Told;
pub use keeping::{KeepAction, Keeping};
pub use look::{
    BLOCK, BLOCKS, KEPT, LookAction, LookState, NARROW, Past, RawRisk, ShownClass, Spreads, WINDOW, block,
    too_many,
};
pub use nearest::Nearest;
pub use opening::{Attempt, OpenIds, Source};
pub use picking::{PickAction, Picking};
pub use reading::{Reading, ReadingAction};
pub use recent::{Recent, STORED, name as recent_name, offered as recent_offered, put as put_recent};
pub use reduce::reduce;
pub use replaced::{Kept, Replaced, Way};
pub use requests::{Fetched, Requests};
pub use run::Run;
pub use scroll::{HEIGHT, Scroll};
pub use series::{
    AuditForm, AuditState, Ledger, Released, SeriesAction, SeriesForm, SeriesKind, SeriesState, Spent,
};
pub use stake::Stake;
pub use suggested::of as suggested_role;
pub use undo::Edits;
pub use view::{Asks, View, ViewAction, Waits};
pub use weights::{WHOLE, WeightsAction, places as weighted};

use crate::{
    form::{Choice, Form, Making, Role, with_role},
    settings::{Invalid, markers, settings, settings_in_series},
    texts::{Language, Words},
};

/// Seconds without a word from a busy engine after which the page says so.
pub const SILENCE: u32 = 30;

/// Everything the page knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The language of the page.
    pub language: Language,
    /// The engine in its Web Worker.
    pub engine: Engine,
    /// The memory that the engine holds, once it has told.
    pub held: Option<Held>,
    /// The worker that this page may use, if any.
    pub worker: Option<Worker>,
    /// Bearer token for the worker.
    pub token: String,
    /// What was sent to a worker since the page was opened, the earliest first; whatever became of the runs.
    pub sent: Vec<Sent>,
    /// What the page fetched since it was opened; `None` where the browser does not say.
    pub requests: Option<Requests>,
    /// Where the open table came from.
    pub source: Option<Source>,
    /// The file that was opened last, or that somebody tried to open.
    pub attempt: Option<Attempt>,
    /// How far it is read.
    pub reading: Reading,
    /// Its columns, while they are being chosen.
    pub picking: Option<Picking>,
    /// The open table.
    pub table: Option<Rc<TableInfo>>,
    /// Number of tables that were opened so far.
    pub tables: u32,
    /// What is said of its cells, in what is known of its columns.
    pub cells: Cells,
    /// One entry a column of the open table.
    pub choices: Vec<Choice>,
    /// Columns that are to be changed together.
    pub bulk: Bulk,
    /// The fields of the third step.
    pub form: Form,
    /// What can be undone and redone.
    pub edits: Edits,
    /// What the browser remembers.
    pub memory: Memory,
    /// The column of which more is shown.
    pub detail: Option<Detail>,
    /// What of the page is shown.
    pub view: View,
    /// Whether the work outlives a reload.
    pub keeping: Keeping,
    /// The table before the open one.
    pub replaced: Replaced,
    /// What the configuration file that was loaded last left open, or why it was not loaded.
    pub configured: Option<Result<Vec<lookalike_words::Said>, Words>>,
    /// What is known of a certificate of the open table.
    pub certificate: Option<Certificate>,
    /// Whether every m up to the number of values is to be surveyed.
    pub survey_all: bool,
    /// What every m would cost for the sensitive column, or why nobody can tell. `None` until the engine has answered.
    pub survey: Option<Rc<Result<Survey, lookalike_words::Said>>>,
    /// What is shown of the open table.
    pub browse: BrowseState,
    /// About what each number costs.
    pub estimate: EstimateState,
    /// What is looked at of a result.
    pub look: LookState,
    /// The view that checks a published table.
    pub check: CheckState,
    /// The series that the open table belongs to.
    pub series: SeriesState,
    /// What is being done.
    pub work: Work,
    /// The finished run on the open table that is shown; while another run is under way, the one that it may replace.
    pub results: Option<Rc<Results>>,
    /// A file is being dragged over the page, and would be opened.
    pub dragged_over: bool,
    /// What went wrong last.
    pub failure: Option<Failure>,
    /// Somebody tried to anonymize with faulty fields; from then on they are marked.
    pub tried: bool,
    /// Seconds since the engine or the worker was last heard of, while something is being done.
    pub silence: u32,
    /// What the focus is to be moved to.
    pub attention: Attention,
}

/// What the browser remembers beyond this window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Whether it is to remember the settings.
    pub on: bool,
    /// What it remembered when the table was opened, the latest first.
    pub before: Rc<[Recent]>,
}

/// A worker that the page may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worker {
    /// Its origin; empty for the page's own.
    pub origin: String,
    /// Whether it may ask for a token.
    pub wants_token: bool,
}

impl Worker {
    /// What it is called on the page.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.origin.is_empty() { t!(FAILED_SERVER) } else { &self.origin }
    }
}

/// Memory of the engine's fullest part, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Held.
    pub bytes: f64,
    /// The most that it can get.
    pub most: f64,
}

impl Held {
    /// Whether a search may not find the room that it needs.
    #[must_use]
    pub fn is_scarce(self) -> bool {
        self.bytes > 0.6 * self.most
    }
}

/// The engine in its Web Worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Not heard of yet.
    #[default]
    Starting,
    /// Ready or busy.
    Up {
        /// Threads it can use.
        threads: usize,
        /// Whether the page is cross-origin isolated, which threads need.
        isolated: bool,
    },
    /// Gone; it has to be started again.
    Lost {
        /// Why.
        why: String,
    },
}

/// What is being done.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Work {
    /// Nothing.
    #[default]
    Idle,
    /// A file is being read.
    Opening(Source),
    /// A table is being anonymized.
    Solving(Box<Run>),
}

/// The column of which more is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detail {
    /// Its place.
    pub column: usize,
    /// The value of its order that can be moved.
    pub value: String,
    /// From what a hierarchy is made.
    pub making: Making,
    /// What is wrong with its hierarchy or order.
    pub wrong: Option<lookalike_words::Said>,
}

/// A finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// What it was made with.
    pub settings: Rc<Settings>,
    /// What came out.
    pub finished: Finished,
    /// The files.
    pub downloads: Downloads,
    /// The published table as a workbook.
    pub workbook: Workbook,
    /// Seconds since the run began, and loss of the incumbent.
    pub history: Vec<(f64, f64)>,
    /// Seconds since the run began, and proven lower bound.
    pub bounds: Vec<(f64, f64)>,
    /// Files that were saved.
    pub saved: Vec<ResultFile>,
}

/// A file of a result that cannot be made again without it: another run draws other random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFile {
    /// The published table.
    Table,
    /// The statement.
    Statement,
    /// Which rows form a class: private.
    Classes,
    /// The private record.
    Record,
}

impl ResultFile {
    const ALL: [Self; 4] = [Self::Table, Self::Statement, Self::Classes, Self::Record];

    /// What it is called within a sentence.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => t!(ASKS_FILE_TABLE),
            Self::Statement => t!(ASKS_FILE_STATEMENT),
            Self::Classes => t!(ASKS_FILE_CLASSES),
            Self::Record => t!(ASKS_FILE_RECORD),
        }
    }
}

impl Results {
    /// The files that nobody has saved; the table may be saved in any form. A result that failed its audit has none.
    #[must_use]
    pub fn unsaved(&self) -> Vec<ResultFile> {
        let is_saved = |file: ResultFile| {
            self.saved.contains(&file)
                || file == ResultFile::Table && matches!(self.workbook, Workbook::Saved(_))
        };
        let there = ResultFile::ALL.into_iter().filter(|_| self.finished.report.audit.passed);
        there.filter(|file| !is_saved(*file)).collect()
    }

    /// Whether the table or the statement is not saved: what else there is may not be wanted.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.unsaved().iter().any(|file| matches!(file, ResultFile::Table | ResultFile::Statement))
    }

    /// The workbook that is being written will not come.
    fn stop_writing(&mut self) {
        if self.workbook == Workbook::Writing {
            self.workbook = Workbook::Unasked;
        }
    }

    /// The published columns but that of the classes.
    pub fn columns(&self) -> impl Iterator<Item = &String> {
        let class = self.settings.class_column.name();
        self.finished.header.iter().filter(move |name| Some(name.as_str()) != class)
    }
}

/// What is known of a certificate of the open table.
#[derive(Clone, Debug, PartialEq)]
pub enum Certificate {
    /// It is being checked.
    Checking,
    /// What was found, or why nothing was.
    Found(Result<CertificateFound, Words>),
}

/// Blob URLs of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Downloads {
    /// The published table.
    pub table: String,
    /// classes.csv: private.
    pub classes: String,
    /// report.json.
    pub report: String,
    /// private.json: private.
    pub private: String,
    /// What ties the run to its files: private.
    pub manifest: String,
    /// The statement: private.
    pub statement: String,
    /// The same as data: private.
    pub statement_json: String,
    /// The certificate of the bound, if there is one: private.
    pub certificate: Option<String>,
    /// How large they are together.
    pub bytes: u64,
}

/// What became of the published table as a workbook, which is made when somebody wants it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Workbook {
    /// Nobody wanted it yet.
    #[default]
    Unasked,
    /// It is being written.
    Writing,
    /// It was saved; what was found when it was read back.
    Saved(lookalike_words::Said),
    /// There is none, for this reason.
    Refused(Words),
}

/// What went wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The step it belongs to.
    pub at: FailedAt,
    /// What, where, and what to do.
    pub message: Words,
}

/// The step that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedAt {
    /// Another language.
    Speaking,
    /// Opening a file.
    Opening,
    /// Anonymizing.
    Solving,
}

/// What the focus is to be moved to; a new serial number means "now".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attention {
    /// Counts up.
    pub serial: u32,
    /// Id of the element.
    pub id: Cow<'static, str>,
}

/// What the survey of the costs depends on: a new one is asked when this changes.
#[derive(Clone, Debug, PartialEq)]
pub struct SurveyQuestion {
    /// The engine's table, by its number: an engine that is started anew reads it again; and which cells it has.
    table: (u32, u32),
    /// The sensitive column.
    pub sensitive: String,
    /// What is missing, and whether such rows count.
    pub missing: Missing,
    /// Columns of which a row must have a cell: without it the row is left out.
    pub needed: Vec<String>,
    /// Every m up to the number of values.
    pub all: bool,
    /// The column with the key of a person, if one may have several rows.
    pub person: Option<String>,
}

impl State {
    /// The settings that are to be remembered, with the columns that are identifiers and the number of the table.
    #[must_use]
    pub fn to_remember(&self) -> Option<(Settings, Vec<String>, u32)> {
        let table = self.table.as_ref().filter(|_| self.memory.on)?;
        let identifiers = with_role(table, &self.choices, Role::Identifier);
        let identifiers = identifiers.into_iter().map(str::to_owned).collect();
        Some((self.settings()?.ok()?, identifiers, self.tables))
    }

    /// What to ask about the costs of every m: `None` unless exactly one column is sensitive.
    #[must_use]
    pub fn survey_question(&self) -> Option<SurveyQuestion> {
        let table = self.table.as_ref()?;
        let [sensitive] = with_role(table, &self.choices, Role::Sensitive)[..] else { return None };
        let own = self.choices.iter().find(|choice| choice.role == Role::Sensitive).and_then(|c| c.missing);
        // Until somebody decides, rows without a value are left out.
        let policy = match own.unwrap_or(self.form.missing_sensitive) {
            MissingPolicy::Value => MissingPolicy::Value,
            MissingPolicy::Error | MissingPolicy::Drop => MissingPolicy::Drop,
        };
        let missing = Missing { sensitive: policy, markers: markers(&self.form), ..Missing::default() };
        let (table, sensitive) = ((self.tables, self.cells.version), sensitive.to_owned());
        let person = self.key().map(|column| column.name.clone());
        Some(SurveyQuestion {
            table,
            sensitive,
            missing,
            needed: self.needed(),
            all: self.survey_all,
            person,
        })
    }

    /// The known columns of which a row must have a cell. Until somebody decides, rows without one are left out.
    fn needed(&self) -> Vec<String> {
        let columns = self.table.iter().flat_map(|table| &table.columns).zip(&self.choices);
        let needed = columns.filter(|(_, choice)| {
            choice.role == Role::Quasi
                && choice.missing.unwrap_or(self.form.missing_quasi) != MissingPolicy::Value
        });
        needed.map(|(column, _)| column.name.clone()).collect()
    }

    /// The settings that the page stands for now, or what is wrong with the fields. `None` without a table.
    #[must_use]
    pub fn settings(&self) -> Option<Result<Settings, Vec<Invalid>>> {
        let table = self.table.as_ref()?;
        // In a series each individual has one row, which is checked.
        let of = if self.series.options().is_some() { settings_in_series } else { settings };
        let settings = of(table, &self.choices, &self.form);
        Some(match (settings, self.refused_cells()) {
            (settings, None) => settings,
            (Ok(_), Some(refused)) => Err(vec![refused]),
            (Err(wrong), Some(refused)) => Err(std::iter::once(refused).chain(wrong).collect()),
        })
    }

    /// What is wrong with the fields.
    #[must_use]
    pub fn invalid(&self) -> Vec<Invalid> {
        self.settings().and_then(Result::err).unwrap_or_default()
    }

    /// Whether the results were made with the settings that the page shows now, and no run is about to replace them.
    #[must_use]
    pub fn results_are_current(&self) -> bool {
        if matches!(self.work, Work::Solving(_)) {
            return false;
        }
        match (&self.results, self.settings()) {
            (Some(results), Some(Ok(settings))) => *results.settings == settings && self.series.is_current(),
            _ => false,
        }
    }

    /// Whether something is being done.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.work != Work::Idle
    }

    /// Whether a busy engine or worker has not been heard of for [`SILENCE`] seconds.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.is_busy() && self.silence >= SILENCE
    }

    /// What a file would be opened as that is dropped or pasted now; `None` while it would come at a bad time.
    #[must_use]
    pub fn takes(&self) -> Option<OpenAs> {
        if self.check.shown {
            (!self.check.busy).then_some(OpenAs::Check(CheckedTable::Published))
        } else {
            (!self.is_busy()).then_some(OpenAs::Table)
        }
    }

    /// Whether a run can be started.
    #[must_use]
    pub fn can_start(&self) -> bool {
        self.is_ready() && !self.would_repeat()
    }

    /// Whether a run would only make again what is there. A search that was stopped can go on, a worker's result can be searched for
    /// here, and what becomes of the releases of a series is said by the series.
    #[must_use]
    pub fn would_repeat(&self) -> bool {
        let Some(results) = self.results.as_ref().filter(|_| self.series.kind == SeriesKind::Alone) else {
            return false;
        };
        let report = &results.finished.report;
        let ended = report.status != Some(Status::Cancelled) && report.searched == Some(Searched::Here);
        ended && self.results_are_current()
    }

    /// Whether a run can begin, whatever it would make.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        let there = matches!(self.engine, Engine::Up { .. }) && self.table.is_some();
        there && !self.is_busy() && self.series.is_settled()
    }
}

impl yew::Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(reduce(Rc::unwrap_or_clone(self), action))
    }
}
