//! One page's conversation with the core, in wire types and bytes.

pub use lookalike_file::Source;

use lookalike_core::{
    eligibility, info,
    look::{self, Look},
    pipeline::{Outcome, Prepared},
    statement::{self, Made, NamedFile},
    table::Table,
};
use lookalike_file::Arrival;
use lookalike_model::{
    Ctx,
    job::Answer,
    look::Beside,
    received::{received, unchecked},
    sent::Sent,
    settings::{Missing, Settings},
};
use lookalike_wire::{
    page::{Finished, Request, Response, names},
    series::SeriesAsk,
};

use crate::{
    columns,
    extension::Extension,
    task::{Next, Task},
};

const NO_TABLE: &str = "no table is open; open a CSV file first";

/// What the session needs of its surroundings.
pub trait Host {
    /// Sends a response, with bulk bytes beside it.
    fn post(&self, response: Response, bulk: Vec<Vec<u8>>);
    /// Seconds since any fixed moment.
    fn now(&self) -> f64;
    /// Date and time: UTC, to the second, as in `2026-05-01T14:03:22Z`.
    fn date(&self) -> String;
    /// Random bits from the operating system.
    ///
    /// # Errors
    /// A message, if there are none.
    fn entropy(&self) -> Result<u64, String>;
}

/// One page's conversation with the core.
#[derive(Default)]
pub struct Session {
    table: Option<Table>,
    /// The file that waits for the import module.
    pub(crate) arrival: Option<Arrival>,
    /// Name of the file that came last, and of the file of the open table.
    pub(crate) coming: Option<String>,
    pub(crate) source: Option<String>,
    task: Option<Task>,
    /// The job that was handed out last; [`Request::Apply`] answers it.
    handed_out: Option<Box<Prepared>>,
    /// What is to be confirmed before it is handed out.
    doubt: Option<String>,
    /// Whether it is for the search beside this engine.
    here: bool,
    /// The same as bytes, for the search beside this engine.
    job: Option<Vec<u8>>,
    /// What the last run made of the table.
    look: Option<Box<Look>>,
    /// What this engine knows beyond single tables.
    extension: Option<Box<dyn Extension>>,
}

impl Session {
    /// A session that knows more than single tables.
    #[must_use]
    pub fn extended(extension: Box<dyn Extension>) -> Self {
        Self { extension: Some(extension), ..Self::default() }
    }

    /// Forgets all but a new table.
    pub(crate) fn renew(&mut self, table: Table) {
        let extension = self.extension.take();
        *self = Self { table: Some(table), extension, ..Self::default() };
    }

    /// Tells the name of the table's file that comes with the next request.
    pub fn comes(&mut self, name: Option<String>) {
        self.coming = name;
    }

    /// Takes a request; true if there is work to be done by [`Session::step`]. `labels` belongs to
    /// [`Request::Apply`], `file` to [`Request::Open`], after which [`Session::wants_import`] is to be asked, and
    /// to [`Request::Hierarchy`].
    pub fn handle(
        &mut self,
        request: Request,
        file: &mut dyn Source,
        labels: Vec<u32>,
        host: &dyn Host,
    ) -> bool {
        let accepted = match request {
            Request::Open { how, .. } => self.open(how, file, host),
            Request::Series { ask } => self.series(ask, file, host),
            Request::Survey { sensitive, missing, all } => {
                let most = if all { u64::MAX } else { eligibility::SHOWN };
                self.survey(&sensitive, &missing, most, host)
            }
            Request::Values { column, markers } => {
                let values = self.table().and_then(|table| columns::values(table, &column, &markers));
                host.post(Response::Values { column, values }, Vec::new());
                Ok(())
            }
            Request::Hierarchy { column, generator } => {
                let made = self.table().and_then(|table| match generator {
                    Some(generator) => columns::generate(table, &column, &generator),
                    None => columns::import(table, &column, file),
                });
                host.post(Response::Hierarchy { column: column.name, made }, Vec::new());
                Ok(())
            }
            Request::ExportHierarchy { rows, file } => {
                columns::export(&rows).map(|bytes| host.post(Response::Written { name: file }, vec![bytes]))
            }
            Request::Anonymize { settings } => self.begin(settings, true, host),
            Request::Prepare { settings } => self.begin(settings, false, host),
            Request::Apply { answer, sent } => self.apply(Answer { labels, ..answer }, sent),
            // The search beside this engine hears it by itself, and nothing here takes long.
            Request::Stop => Ok(()),
            Request::Describe { markers } => self.describe(markers, host),
            Request::Risk { quasi } => self.table().map(|table| {
                let risk = look::risk(table, &quasi).map_err(|error| error.to_string());
                host.post(Response::Risk { quasi, risk }, Vec::new());
            }),
            Request::Rows { from, count } => {
                if let Some((look, table)) = self.looked() {
                    host.post(Response::Rows { from, rows: look.rows(table, from, count) }, Vec::new());
                }
                Ok(())
            }
            Request::Spread { column } => {
                if let Some((look, table)) = self.looked() {
                    let bins = look.spread(table, &column).map_err(|error| error.to_string());
                    host.post(Response::Spread { column, bins }, Vec::new());
                }
                Ok(())
            }
        };
        if let Err(message) = accepted {
            host.post(Response::Failed { message }, Vec::new());
        }
        self.task.is_some()
    }

    /// Does what is to be done; [`Session::take_job`] is to be asked then.
    pub fn step(&mut self, host: &dyn Host) {
        let (Some(table), Some(task)) = (&self.table, self.task.take()) else { return };
        let ctx = Ctx {
            progress: &|progress| {
                host.post(Response::Progress { progress: progress.clone() }, Vec::new());
            },
            cancelled: &|| false,
            clock: &|| host.now(),
            checkpoint: None,
        };
        let stepped = task.step(table, self.extension.as_deref(), &ctx).map_err(|e| e.to_string());
        if let Err(message) = stepped.and_then(|next| self.conclude(next, host)) {
            host.post(Response::Failed { message }, Vec::new());
        }
    }

    fn series(&mut self, ask: SeriesAsk, file: &mut dyn Source, host: &dyn Host) -> Result<(), String> {
        if self.extension.is_none() && ask == (SeriesAsk::Use { options: None }) {
            return Ok(());
        }
        let table = self.table.as_ref().ok_or(NO_TABLE)?;
        let extension = self.extension.as_mut().ok_or("this engine knows no series; reload the page")?;
        if let Some(told) = extension.ask(ask, table, file)? {
            host.post(Response::Series { told }, Vec::new());
        }
        Ok(())
    }

    /// Answered at once, also while a search runs.
    fn survey(&self, sensitive: &str, missing: &Missing, most: u64, host: &dyn Host) -> Result<(), String> {
        let survey = eligibility::survey_column(self.table()?, sensitive, missing, most);
        let survey = survey.map_err(|e| e.to_string());
        host.post(Response::Surveyed { survey }, Vec::new());
        Ok(())
    }

    /// Answered at once, also while a search runs.
    fn describe(&self, markers: Vec<String>, host: &dyn Host) -> Result<(), String> {
        let columns = info::columns(self.table()?, &markers);
        host.post(Response::Described { columns, markers }, Vec::new());
        Ok(())
    }

    /// What is shown of the last run, if there was one.
    fn looked(&self) -> Option<(&Look, &Table)> {
        Some((self.look.as_ref()?, self.table.as_ref()?))
    }

    fn begin(&mut self, mut settings: Settings, here: bool, host: &dyn Host) -> Result<(), String> {
        self.table()?;
        if settings.seed.is_none() {
            settings.seed = Some(host.entropy()?);
        }
        self.start(Task::Prepare { settings: Box::new(settings), here });
        Ok(())
    }

    fn apply(&mut self, answer: Answer, sent: Option<Sent>) -> Result<(), String> {
        self.table()?;
        let prepared = self.handed_out.clone().ok_or("there is no job for this answer; start it again")?;
        let answer = if sent.is_some() {
            received(prepared.job(), answer, &unchecked).map_err(|error| error.to_string())?
        } else {
            answer
        };
        self.start(Task::Finish { prepared, answer: Box::new(answer), sent });
        Ok(())
    }

    fn table(&self) -> Result<&Table, String> {
        self.table.as_ref().ok_or_else(|| String::from(NO_TABLE))
    }

    fn start(&mut self, task: Task) {
        self.task = Some(task);
        (self.job, self.doubt) = (None, None);
    }

    /// What is to be confirmed of the changes for eligibility before the job is handed out, as JSON:
    /// [`Session::confirmed`] brings the answer.
    pub fn take_doubt(&mut self) -> Option<String> {
        self.doubt.take()
    }

    /// Takes the name of the back end that has confirmed the changes.
    pub fn confirmed(&mut self, backend: &str, host: &dyn Host) {
        if let Some(prepared) = &mut self.handed_out {
            prepared.confirmed(backend);
        }
        if let Err(message) = self.hand_out(host) {
            host.post(Response::Failed { message }, Vec::new());
        }
    }

    fn hand_out(&mut self, host: &dyn Host) -> Result<(), String> {
        let Some(prepared) = &self.handed_out else { return Ok(()) };
        let job = serde_json::to_vec(prepared.job()).map_err(|e| e.to_string())?;
        if self.here {
            self.job = Some(job);
        } else {
            host.post(Response::Prepared, vec![job]);
        }
        Ok(())
    }

    /// The job for the search beside this engine, once it is made; [`Request::Apply`] brings its answer. It is the one that a
    /// worker elsewhere gets.
    pub fn take_job(&mut self) -> Option<Vec<u8>> {
        self.job.take()
    }

    fn conclude(&mut self, next: Next, host: &dyn Host) -> Result<(), String> {
        match next {
            Next::HandOut { prepared, here } => {
                let doubt = prepared.doubt().map(serde_json::to_string).transpose();
                self.doubt = doubt.map_err(|e| e.to_string())?;
                self.handed_out = Some(prepared);
                self.here = here;
                if self.doubt.is_none() {
                    self.hand_out(host)?;
                }
            }
            Next::Done { outcome, answer, look, beside } => {
                self.look = Some(look);
                let released = self.extension.as_ref().map(|extension| extension.released(&outcome));
                let mut made = Made { at: host.date(), source: self.source.clone(), ..Made::default() };
                if let Some((told, files)) = released.transpose()?.flatten() {
                    made.ledger = (files.first().zip(outcome.report.series)).map(|(ledger, series)| {
                        NamedFile::of(
                            self.source.as_ref().map(|name| names::ledger(name, series.release)),
                            ledger,
                        )
                    });
                    host.post(Response::Series { told }, files);
                }
                let (response, bulk) = finished(*outcome, &answer, *beside, made)?;
                host.post(response, bulk);
            }
        }
        Ok(())
    }
}

/// What the page shows of a run, and its files. The statement names them as the page offers them.
fn finished(
    outcome: Outcome,
    answer: &Answer,
    beside: Beside,
    made: Made,
) -> Result<(Response, Vec<Vec<u8>>), String> {
    let report_json = serde_json::to_vec_pretty(&outcome.report).map_err(|e| e.to_string())?;
    let private_json = serde_json::to_vec_pretty(&outcome.private).map_err(|e| e.to_string())?;
    let named = |name: fn(&str) -> String| made.source.as_deref().map(name);
    let made = Made {
        release: NamedFile::of(named(names::table), &outcome.published),
        report: Some(NamedFile::of(named(names::report), &report_json)),
        ..made
    };
    // The page is for the data holder.
    let exact = outcome.exact().clone();
    let statement = statement::html(&exact, &outcome.private, &made).into_bytes();
    let result = Box::new(Finished {
        report: exact,
        header: outcome.header,
        preview: outcome.preview,
        beside,
        class_sizes: outcome.class_sizes,
        status: answer.status.clone(),
        threads: answer.threads,
        sent: outcome.private.sent,
    });
    Ok((
        Response::Finished { result },
        vec![outcome.published, outcome.classes, report_json, private_json, statement],
    ))
}
