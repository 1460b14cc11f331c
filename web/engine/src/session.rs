//! One page's conversation with the core, in wire types and bytes.

pub use lookalike_file::Source;

use std::sync::Arc;

use lookalike_core::{
    comparison::{self, Look},
    eligibility, persons,
    table::Table,
};
use lookalike_model::{
    comparison::{Likeness, Only, TableWindow},
    job::Answer,
    settings::Missing,
    survey::Survey,
};
use lookalike_wire::{
    config::Reading,
    opening::Opening,
    page::{OpenAs, Request, Response},
    series::{SeriesAsk, SeriesTold},
};

use lookalike_words::Said as Words;

use crate::{
    arrival::Waiting,
    browse::Browsing,
    check::Check,
    columns::{self, ColumnRefused},
    configuration,
    edits::{self, Edited},
    estimate::Estimating,
    run::UnderWay,
    series::Series,
};

/// What the session needs of its surroundings.
pub trait Host {
    /// Sends a response to the request of this number, with bulk bytes beside it.
    fn post(&self, id: u32, response: Response, bulk: Vec<Vec<u8>>);
    /// Seconds since any fixed moment.
    fn now(&self) -> f64;
    /// Date and time: UTC, to the second, as in `2026-05-01T14:03:22Z`.
    fn date(&self) -> String;
    /// Random bits from the operating system.
    ///
    /// # Errors
    /// A message, if there are none.
    fn entropy(&self) -> Result<u64, Words>;
}

/// A response, and the bytes beside it.
type Said = (Response, Vec<Vec<u8>>);

/// One page's conversation with the core.
#[derive(Default)]
pub struct Session {
    pub(crate) table: Option<Arc<Table>>,
    /// What was put in place of its cells.
    pub(crate) edited: Edited,
    /// Its rows as they are shown.
    browsing: Browsing,
    /// Files that wait for the import module.
    pub(crate) waiting: Vec<Waiting>,
    /// Name of the file that came last, and of the file of the open table.
    coming: Option<String>,
    pub(crate) source: Option<String>,
    /// How the file that came last is to be read.
    pub(crate) how: Opening,
    /// How the file of the open table was read.
    pub(crate) reading: Reading,
    /// The run on the open table.
    pub(crate) run: Option<UnderWay>,
    /// Estimates, while nothing runs.
    pub(crate) estimating: Option<Estimating>,
    /// What the last run made of the table, and the table as it was then.
    pub(crate) look: Option<(Box<Look>, Arc<Table>)>,
    /// The series that the table belongs to.
    pub(crate) series: Series,
    /// Tables that are checked.
    pub(crate) check: Check,
}

/// What a configuration says of how a table's file is read.
fn reading(how: &Opening, table: &Table) -> Reading {
    let lines = |count: u32| u16::try_from(count).ok().filter(|count| *count > 0);
    let names = || table.columns.iter().map(|column| column.name.clone()).collect();
    Reading {
        skip_rows: lines(how.skip_rows),
        skip_last_rows: lines(how.skip_last_rows),
        names: (how.header == Some(false)).then(names),
    }
}

impl Session {
    /// Forgets what belonged to the table before.
    pub(crate) fn renew(&mut self, table: Table) {
        self.reading = reading(&self.how, &table);
        (self.table, self.source) = (Some(Arc::new(table)), self.coming.take());
        (self.edited, self.browsing) = (Edited::default(), Browsing::default());
        (self.run, self.look) = (None, None);
    }

    /// Tells the name of the table's file that comes with the next request.
    pub fn comes(&mut self, name: Option<String>) {
        self.coming = name;
    }

    /// Takes the request of this number; true if it lets the run go on, by [`Session::step`], or if it belongs to estimates, these,
    /// by [`Session::step_estimate`]. `labels` belongs to
    /// [`Request::Apply`], `file` to requests about files. After [`Request::Open`], [`Session::wants_import`] is to be
    /// asked.
    pub fn handle(
        &mut self,
        id: u32,
        request: Request,
        file: Option<&mut dyn Source>,
        labels: Vec<u32>,
        host: &dyn Host,
    ) -> bool {
        if ends_estimates(&request) {
            self.estimating = None;
        }
        let (request, labels) = match (request, &mut self.estimating) {
            (Request::Estimate { settings, numbers }, _) => {
                self.begin_estimates(id, &settings, numbers);
                return true;
            }
            (Request::Apply { answer, sent: None }, Some(estimating)) if estimating.is(id) => {
                estimating.solved(Answer { labels, ..*answer });
                return estimating.is_due();
            }
            (request, _) => (request, labels),
        };
        let runs = matches!(request, Request::Anonymize { .. } | Request::Apply { .. });
        let answer = match request {
            Request::Anonymize { settings, series, place, sent_before } => {
                self.begin(id, *settings, (series, place, sent_before), host).map(|()| None)
            }
            Request::Apply { answer, sent } => {
                self.apply(id, Answer { labels, ..*answer }, sent).map(|()| None)
            }
            other => self.answer(id, other, file, host),
        };
        match answer {
            Ok(None) => {}
            Ok(Some((response, bulk))) => host.post(id, response, bulk),
            Err(message) => host.post(id, Response::Failed { message }, Vec::new()),
        }
        runs && self.is_due()
    }

    /// What there is to say at once.
    fn answer(
        &mut self,
        id: u32,
        request: Request,
        file: Option<&mut dyn Source>,
        host: &dyn Host,
    ) -> Result<Option<Said>, Words> {
        let response = match request {
            Request::Open { table, how } => {
                self.open(id, (table, how), file, host);
                return Ok(None);
            }
            // The search beside this engine hears it by itself, and nothing here takes long; runs and estimates go their own way.
            // A workbook is the import module's affair.
            Request::Stop
            | Request::Anonymize { .. }
            | Request::Apply { .. }
            | Request::Estimate { .. }
            | Request::Workbook { .. } => return Ok(None),
            Request::SaveConfig { settings, identifiers, reading } => {
                return Ok(Some(written(configuration::save(
                    &settings,
                    self.table.as_deref(),
                    identifiers,
                    reading,
                )?)));
            }
            Request::ExportHierarchy { rows } => {
                return Ok(Some(written(columns::export(&rows)?)));
            }
            Request::LoadConfig { columns } => {
                let configured = loaded(file).and_then(|bytes| configuration::load(&columns, &bytes));
                Response::Configured { configured: configured.map(Box::new) }
            }
            Request::CheckCertificate { settings } => Response::Certified {
                found: loaded(file).and_then(|bytes| self.certified(*settings, &bytes)),
            },
            Request::Series { ask } => Response::Series { told: self.ask(&ask, file)?, files: Vec::new() },
            Request::Survey { sensitive, missing, needed, all, person } => Response::Surveyed {
                survey: self.survey(&sensitive, (&missing, &needed), (all, person.as_deref()))?,
            },
            Request::Values { column, markers } => {
                let table = self.table.as_deref().ok_or(ColumnRefused::NoTable);
                let values = table.and_then(|table| columns::values(table, &column, &markers));
                Response::Values { column, values: values.map_err(Into::into) }
            }
            Request::Hierarchy { column, generator } => {
                let table = self.table.as_deref().ok_or(ColumnRefused::NoTable);
                let made = table.and_then(|table| match generator {
                    Some(generator) => columns::generate(table, &column, &generator),
                    None => columns::import(table, &column, file.ok_or(ColumnRefused::NoFile)?),
                });
                Response::Hierarchy { column: column.name, made: made.map_err(Into::into) }
            }
            Request::Describe { cells } => {
                let table = self.table.as_mut().ok_or(ColumnRefused::NoTable)?;
                let described = edits::describe((table, &mut self.edited), cells.clone());
                Response::Described { cells, described }
            }
            Request::Risk { by, threshold } => {
                let risk = comparison::risk(self.table()?, &by, threshold).map_err(|error| error.said());
                Response::Risk { by, risk }
            }
            Request::Table { table, from, count, by, only } => {
                let (chosen, places) = ((&by, only), (from, count));
                let rows = match table {
                    OpenAs::Table => self.window(chosen, places),
                    OpenAs::Check(part) => self.check.window(part, chosen, places),
                };
                Response::Table { table, from, by, only, rows: rows.map_err(Words::from) }
            }
            Request::Rows { from, count, order } => {
                let Some((look, table)) = self.looked() else { return Ok(None) };
                Response::Rows { from, order, rows: look.rows(table, order, (from, count)) }
            }
            Request::Class { class } => {
                let Some((look, table)) = self.looked() else { return Ok(None) };
                let (rows, total) = look.class(table, &class);
                Response::Class { class, rows, total }
            }
            Request::Spread { column } => {
                let Some((look, table)) = self.looked() else { return Ok(None) };
                let bins = look.spread(table, &column).map_err(|error| error.said());
                Response::Spread { column, bins }
            }
            Request::CheckHierarchy { column } => {
                let values = self.check.hierarchy(&column, file).map_err(Into::into);
                Response::CheckHierarchy { column, values }
            }
            Request::Check { asked } => Response::Checked { checked: self.check.check(&asked).map(Box::new) },
            Request::CheckSeries { ask } => match self.check.series.answer(ask, loaded(file)) {
                Some(judged) => Response::Judged { judged },
                None => return Ok(None),
            },
        };
        Ok(Some((response, Vec::new())))
    }

    fn ask(&mut self, ask: &SeriesAsk, file: Option<&mut dyn Source>) -> Result<SeriesTold, Words> {
        if let SeriesAsk::Key { given: false } = ask {
            return Ok(self.series.forget_key());
        }
        let table = self.table.as_mut().ok_or(ColumnRefused::NoTable)?;
        Ok(self.series.ask(ask, (table, &mut self.edited), given(file)?))
    }

    fn window(
        &mut self,
        chosen: (&Likeness, Only),
        places: (usize, usize),
    ) -> Result<TableWindow, ColumnRefused> {
        let table = self.table.as_deref().ok_or(ColumnRefused::NoTable)?;
        Ok(self.browsing.window((table, &self.edited), chosen, places)?)
    }

    /// Answered at once, also while a search runs.
    fn survey(
        &self,
        sensitive: &str,
        (missing, needed): (&Missing, &[String]),
        (all, person): (bool, Option<&str>),
    ) -> Result<Result<Survey, Words>, ColumnRefused> {
        let most = if all { u64::MAX } else { eligibility::SHOWN };
        let table = self.table()?;
        let survey = match person {
            Some(key) => persons::survey(table, sensitive, key, missing),
            None => eligibility::survey_column(table, sensitive, needed, missing, most),
        };
        Ok(survey.map_err(|error| error.said()))
    }

    /// What is shown of the last run, if there was one.
    fn looked(&self) -> Option<(&Look, &Table)> {
        self.look.as_ref().map(|(look, table)| (&**look, &**table))
    }

    pub(crate) fn table(&self) -> Result<&Table, ColumnRefused> {
        self.table.as_deref().ok_or(ColumnRefused::NoTable)
    }
}

/// Whether estimates that are under way are not wanted after this.
fn ends_estimates(request: &Request) -> bool {
    match request {
        Request::Open { .. } | Request::Anonymize { .. } | Request::Estimate { .. } | Request::Stop => true,
        Request::Apply { sent, .. } => sent.is_some(),
        _ => false,
    }
}

fn given(file: Option<&mut dyn Source>) -> Result<&mut dyn Source, ColumnRefused> {
    file.ok_or(ColumnRefused::NoFile)
}

/// All of a small file.
fn loaded(file: Option<&mut dyn Source>) -> Result<Vec<u8>, Words> {
    columns::loaded(given(file)?)
}

fn written(bytes: Vec<u8>) -> Said {
    (Response::Written, vec![bytes])
}
