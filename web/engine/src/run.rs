//! The run on the open table: from settings to a release, step by step, with the search elsewhere.

use std::sync::Arc;

use lookalike_core::{
    certify,
    comparison::Look,
    digest::salted,
    pipeline::{Need, Outcome, Prepared, Purpose, Run},
    statement::{self, Made, NamedFile, Program},
    table::Table,
};
use lookalike_model::{
    Ctx, beside,
    comparison::Beside,
    job::{Answer, Job},
    proof::Duals,
    received::received,
    sent::{Searched, Sent},
    settings::{Scheme, Settings},
};
use lookalike_wire::{
    manifest::{Around, Listed, Manifest, Paper},
    page::{FileKind, Finished, Place, Response, names},
    series::SeriesOptions,
};
use lookalike_words::{Message as _, Said};
use serde_json::to_vec_pretty;

use crate::{
    columns::ColumnRefused,
    configuration, edits,
    fault::EngineFault,
    series::Series,
    session::{Host, Session},
};

lookalike_words::messages! {
    in "engine";

    /// Why a run does not go on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum RunRefused {
        /// An answer to a job that there is not.
        NoJob,
        /// Levels of columns, which a worker is not sent.
        LevelsElsewhere,
        /// Sets of columns, which a worker is not sent.
        SetsElsewhere,
    }
}

/// Rows of a table whose run keeps the duals behind its bound: of more they would take much of the memory that a page has.
const MOST_CERTIFIED: usize = 250_000;

/// Nodes of the search that checks the duals of a worker: some ten seconds.
const CHECKED: u64 = 10_000_000;

/// A run under way.
pub(crate) struct UnderWay {
    /// The request that is answered by its next response.
    id: u32,
    run: Run,
    /// Its table.
    table: Arc<Table>,
    /// Where its answer is to be found.
    place: Place,
    /// What was sent elsewhere before.
    sent_before: Vec<Sent>,
    /// Whether it can go on.
    due: bool,
    /// The job for the search beside this engine.
    job: Option<Vec<u8>>,
}

impl Session {
    pub(crate) fn begin(
        &mut self,
        id: u32,
        mut settings: Settings,
        (series, place, sent_before): (Option<SeriesOptions>, Place, Vec<Sent>),
        host: &dyn Host,
    ) -> Result<(), Said> {
        let table = self.table.as_mut().ok_or(ColumnRefused::NoTable)?;
        if settings.scheme == Scheme::FullDomain && place != Place::Here {
            return Err(RunRefused::LevelsElsewhere.into());
        }
        if !settings.sets.is_empty() && place != Place::Here {
            return Err(RunRefused::SetsElsewhere.into());
        }
        self.edited.apply(table, edits::of(&settings)).map_err(Said::from)?;
        let table = Arc::clone(table);
        if settings.seed.is_none() {
            settings.seed = Some(host.entropy()?);
        }
        let mut run = match series {
            None => Run::new(Arc::clone(&table), settings, Vec::new()),
            Some(options) => self.series.run(Arc::clone(&table), settings, &options)?,
        };
        if table.rows <= MOST_CERTIFIED {
            run.keep_duals();
        }
        self.run = Some(UnderWay { id, run, table, place, sent_before, due: true, job: None });
        Ok(())
    }

    pub(crate) fn apply(&mut self, id: u32, answer: Answer, sent: Option<Sent>) -> Result<(), Said> {
        // The search beside this engine answers under the number of the run that it was begun for.
        let fits = |under_way: &&mut UnderWay| sent.is_some() || under_way.id == id;
        let under_way = self.run.as_mut().filter(fits).ok_or(RunRefused::NoJob)?;
        let run = &mut under_way.run;
        match sent {
            None => run.solved(answer),
            Some(sent) => {
                let job = run.prepared().ok_or(RunRefused::NoJob)?.job();
                let proven =
                    |job: &Job, duals: &Duals, loss: Option<f64>| certify::proven(job, duals, loss, CHECKED);
                run.solved(received(job, answer, &proven).map_err(Said::from)?);
                run.searched_elsewhere(Searched::Worker, sent);
            }
        }
        (under_way.id, under_way.due) = (id, true);
        Ok(())
    }

    /// Whether [`Session::step`] has something to do.
    pub(crate) fn is_due(&self) -> bool {
        self.run.as_ref().is_some_and(|under_way| under_way.due)
    }

    /// The job for the search beside this engine, if there is one, as [`beside::write`] writes it; an "apply" brings its answer. It is
    /// the one that a worker elsewhere gets, but for the levels of columns.
    pub fn take_job(&mut self) -> Option<Vec<u8>> {
        self.run.as_mut()?.job.take()
    }

    /// Goes on with the run; [`Session::take_job`] is to be asked then.
    pub fn step(&mut self, host: &dyn Host) {
        let Some(mut under_way) = self.run.take_if(|under_way| under_way.due) else { return };
        let id = under_way.id;
        let ctx = Ctx {
            progress: &|progress| {
                host.post(id, Response::Progress { progress: progress.clone() }, Vec::new());
            },
            // Nothing here takes long; a search hears it by itself.
            cancelled: &|| false,
            clock: &|| host.now(),
            checkpoint: None,
        };
        under_way.due = false;
        let fail = |message| host.post(id, Response::Failed { message }, Vec::new());
        match under_way.run.next(&ctx) {
            Ok(Need::Solve { job, purpose }) => {
                let here = under_way.place == Place::Here || purpose == Purpose::Trial;
                match if here { beside::write(job) } else { serde_json::to_vec(job) } {
                    Ok(bytes) if here => under_way.job = Some(bytes),
                    Ok(bytes) => host.post(id, Response::Prepared, vec![bytes]),
                    Err(error) => fail(EngineFault::Unwritten { error: error.to_string() }.into()),
                }
            }
            Ok(Need::Done(outcome)) => {
                if let Err(message) = self.conclude(*outcome, &under_way, host) {
                    fail(message);
                }
            }
            Ok(Need::Ask(question)) => fail(question.into()),
            Err(error) => fail(error.said()),
        }
        self.run = Some(under_way);
    }

    /// Tells the page what came of a run.
    fn conclude(&mut self, mut outcome: Outcome, under_way: &UnderWay, host: &dyn Host) -> Result<(), Said> {
        let UnderWay { id, run, table, .. } = under_way;
        let (Some(prepared), Some(answer)) = (run.prepared(), run.answer()) else { return Ok(()) };
        let said = |error: lookalike_core::Error| error.said();
        outcome.salt([host.entropy()?, host.entropy()?]);
        outcome.private.sent_before.clone_from(&under_way.sent_before);
        let look = Look::new(table, prepared, &outcome).map_err(said)?;
        let beside = look.beside(table, prepared, &outcome).map_err(said)?;
        self.look = Some((Box::new(look), Arc::clone(table)));
        let mut made =
            Made { at: host.date(), source: self.source.clone(), program: Program::Page, ..Made::default() };
        if let Some((told, files)) = Series::released(&outcome)? {
            made.ledger = (files.first().zip(outcome.report.series)).map(|((_, ledger), series)| {
                let name = self.source.as_ref().map(|name| names::ledger(name, series.release));
                NamedFile::of(name, ledger)
            });
            let (files, bulk) = files.into_iter().unzip();
            host.post(*id, Response::Series { told, files }, bulk);
        }
        let configuration = configuration::of_run(&outcome.pinned, self.reading.clone())?;
        let certificate = certificate(prepared, answer)?;
        let (response, bulk) = finished(outcome, answer, beside, (made, &configuration), certificate)?;
        host.post(*id, response, bulk);
        Ok(())
    }
}

/// The certificate of the bound as the command line writes it, if there can be one that proves anything.
fn certificate(prepared: &Prepared, answer: &Answer) -> Result<Option<Vec<u8>>, Said> {
    if answer.duals.is_none() {
        return Ok(None);
    }
    let certificate = certify::certificate(prepared, answer).map_err(|error| error.said())?;
    certify::written(&certificate).map(Some).map_err(|refusal| refusal.said())
}

/// What the page shows of a run, and its files. The statement names them as the page offers them.
fn finished(
    outcome: Outcome,
    answer: &Answer,
    beside: Beside,
    (made, configuration): (Made, &[u8]),
    certificate: Option<Vec<u8>>,
) -> Result<(Response, Vec<Vec<u8>>), EngineFault> {
    let unwritten = |error: serde_json::Error| EngineFault::Unwritten { error: error.to_string() };
    let report_json = in_json(to_vec_pretty(&outcome.report))?;
    let private_json = in_json(to_vec_pretty(&outcome.private))?;
    let source = made.source.clone();
    let named = |name: fn(&str) -> String| source.as_deref().map(name);
    let made = Made {
        release: NamedFile::of(named(names::table), &outcome.published),
        report: Some(NamedFile::of(named(names::report), &report_json)),
        ..made
    };
    // The page is for the data holder.
    let exact = outcome.exact().clone();
    let statement_json = in_json(to_vec_pretty(&statement::record(&exact, &outcome.private, &made)))?;
    let mut papers: Vec<(Paper, Option<String>, &[u8])> = vec![
        (Paper::Report, named(names::report), &report_json),
        (Paper::Private, named(names::record), &private_json),
        (Paper::Classes, named(names::classes), &outcome.classes),
        (Paper::StatementJson, named(names::statement_json), &statement_json),
    ];
    if let Some(certificate) = &certificate {
        papers.push((Paper::Certificate, named(names::certificate), certificate));
    }
    let manifest = manifest(&outcome, configuration, &made, &papers).map_err(unwritten)?;
    let statement = statement::statement(&exact, &outcome.private, &made);
    let result = Box::new(Finished {
        report: exact,
        header: outcome.header,
        preview: outcome.preview,
        beside,
        statement,
        class_sizes: outcome.class_sizes,
        status: answer.status.clone(),
        threads: answer.threads,
        sent: outcome.private.sent,
    });
    let certificate = certificate.map(|bytes| (FileKind::Certificate, bytes));
    let (files, bulk) = [
        (FileKind::Table, outcome.published),
        (FileKind::Classes, outcome.classes),
        (FileKind::Report, report_json),
        (FileKind::Private, private_json),
        (FileKind::Manifest, manifest),
        (FileKind::StatementJson, statement_json),
    ]
    .into_iter()
    .chain(certificate)
    .unzip();
    Ok((Response::Finished { result, files }, bulk))
}

/// A record as the command line writes it, too.
fn in_json(written: serde_json::Result<Vec<u8>>) -> Result<Vec<u8>, EngineFault> {
    let mut bytes = written.map_err(|error| EngineFault::Unwritten { error: error.to_string() })?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// What ties the run to its files, as the page offers them.
fn manifest(
    outcome: &Outcome,
    configuration: &[u8],
    made: &Made,
    papers: &[(Paper, Option<String>, &[u8])],
) -> Result<Vec<u8>, serde_json::Error> {
    let listed = |what, file: &NamedFile| Listed {
        what,
        name: file.name.clone(),
        sha256: file.sha256.clone(),
        sealed: false,
    };
    let of = |(what, name, bytes): &(Paper, Option<String>, &[u8])| {
        listed(*what, &NamedFile::of(name.clone(), bytes))
    };
    let release = std::iter::once(listed(Paper::Release, &made.release));
    let ledger = made.ledger.as_ref().map(|file| listed(Paper::Ledger, file));
    let around = Around {
        made: made.at.clone(),
        source: outcome.private.source.as_ref().and_then(salted),
        configuration: serde_json::from_slice(configuration)?,
        code: made.code(&outcome.private),
    };
    let files = release.chain(papers.iter().map(of)).chain(ledger).collect();
    Manifest::of(around, &outcome.report, &outcome.private, files).write()
}
