//! What can happen.

use std::rc::Rc;

use lookalike_model::{event::Progress, info::TableInfo, sent::Sent, settings::Settings, survey::Survey};
use lookalike_wire::{
    opening::Form as FileForm,
    page::{CellsTold, CertificateFound, Configured, Described, Finished, Place},
};
use lookalike_words::Said;

use super::{
    BrowseAction, BulkAction, CheckAction, Downloads, EstimateAction, Fetched, Held, KeepAction, LookAction,
    PickAction, ReadingAction, Recent, ResultFile, SeriesAction, Source, ViewAction, Way, WeightsAction,
    Workbook, Worker,
};
use crate::{
    form::{Choice, Form, Making, Role, Rows},
    settings::Field,
    texts::{Language, Words},
};

/// What can happen.
#[derive(Clone, Debug)]
pub enum Action {
    /// The page speaks this language from now on.
    Speaks(Language),
    /// It cannot speak the language that was asked for.
    Speechless(Words),
    /// The engine is up.
    EngineUp {
        /// Threads it can use.
        threads: usize,
        /// Whether the page is cross-origin isolated.
        isolated: bool,
    },
    /// The engine told how much memory it holds.
    Holds(Held),
    /// The engine is gone.
    EngineLost(String),
    /// The engine is started anew.
    EngineRestarted,
    /// The page may use this worker.
    WorkerOffered(Worker),
    /// The bearer token was edited.
    Token(String),
    /// Whether a file that can be opened is being dragged over the page.
    DraggedOver(bool),
    /// A file was handed to the engine.
    Opening(Source),
    /// The file that is being read was taken for this.
    Found(FileForm),
    /// Something happened to the file that is being read.
    Reading(ReadingAction),
    /// Something happened to the columns that are chosen before a file is read.
    Pick(PickAction),
    /// A file was read.
    Opened(TableInfo),
    /// The columns are being described anew.
    Describing,
    /// What the columns are by what is said of their cells, or why that cannot be so.
    Described(CellsTold, Result<Described, Said>),
    /// A column got a role.
    SetRole(usize, Role),
    /// All suggested roles are accepted.
    Accept,
    /// A question was answered by these fields; the next one is led to.
    Answer(Box<Form>),
    /// A question was answered: this column is the secret one.
    Secret(usize),
    /// None of the columns that are suggested as the secret one is it.
    NoSecret,
    /// The secret columns are left out of the table, and each person is hidden among so many instead.
    WithoutSecret(u64),
    /// Something else of the page is to be shown.
    View(ViewAction),
    /// The table before the open one, or the one after it, is to be brought back, once its file is read again.
    Bring(Way),
    /// What is said of a column was edited.
    EditColumn(usize, Box<Choice>),
    /// What is proposed for a column was taken; the focus goes to this field of it.
    Take(usize, Box<Choice>, &'static str),
    /// Something happened to several columns at once.
    Bulk(BulkAction),
    /// Something happened to the weights of the columns.
    Weights(WeightsAction),
    /// More of a column is to be shown, or no more.
    Detail(usize),
    /// The known values of a column.
    Values(String, Result<Vec<String>, Said>),
    /// A value of the shown column's order was chosen.
    ChooseValue(String),
    /// The chosen value moves towards the least, or towards the greatest.
    MoveValue(Towards),
    /// The fields from which a hierarchy is made were edited.
    Making(Making),
    /// A hierarchy of a column.
    Hierarchy(String, Result<Rows, Said>),
    /// The last step is taken back.
    Undo,
    /// The last undoing is taken back.
    Redo,
    /// The browser remembers the settings from now on, or no more.
    Remember(bool),
    /// Something happened to the work that outlives a reload.
    Keep(KeepAction),
    /// It remembered these settings, the latest first.
    Remembered(Rc<[Recent]>),
    /// Rows of the open table are shown.
    Browse(BrowseAction),
    /// Something is known about what numbers cost.
    Estimate(EstimateAction),
    /// Something is looked at.
    Look(LookAction),
    /// Something happened in the view that checks a published table.
    Check(CheckAction),
    /// Something happened to the series.
    Series(SeriesAction),
    /// A configuration file was read.
    Configured(Result<Box<Configured>, Words>),
    /// A certificate is being checked.
    Certifying,
    /// A certificate was checked.
    Certified(Result<CertificateFound, Words>),
    /// The form was edited.
    Edit(Box<Form>),
    /// Every m up to the number of values is to be surveyed.
    SurveyAll,
    /// What every m would cost is being asked again.
    Surveying,
    /// What every m would cost.
    Surveyed(Box<Result<Survey, Said>>),
    /// "Anonymize" was pressed with faulty fields.
    Refused,
    /// This field is to be led to.
    Lead(Field),
    /// A run began.
    Started(Place, Rc<Settings>),
    /// A run reported.
    Progress(Progress),
    /// The page fetched this; nothing, when counting begins.
    Fetched(Vec<Fetched>),
    /// Numbers go to a worker.
    Sent(Sent),
    /// The worker answered, without news.
    Heard,
    /// A run was asked to stop.
    Stopping,
    /// A run is given up; the engine may not have let go of it yet.
    Cancelling,
    /// A run ended.
    Finished(Box<Finished>, Downloads),
    /// The statement is there in another language, at this URL.
    Stated(String),
    /// What becomes of the published table as a workbook.
    Workbook(Workbook),
    /// A file of the result was saved.
    Saved(ResultFile),
    /// A run was given up, and nothing holds it any more.
    Abandoned,
    /// What the page works on has failed: a run, or a table that was opened.
    Failed(Words),
    /// Something beside it has failed.
    Complained(Words),
    /// A second went by.
    Tick,
}

/// Where a value moves in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Towards {
    /// One place towards the least.
    Least,
    /// One place towards the greatest.
    Greatest,
}
