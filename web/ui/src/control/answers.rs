//! What the engine answers, as actions.

use std::rc::Rc;

use lookalike_model::{document::Document, info::TableInfo};
use lookalike_wire::{
    page::{FileKind, Finished, OpenAs, Response},
    series::SeriesTold,
};
use lookalike_words::Said;

use super::{Control, made};
use crate::{
    platform::{Buffer, dom, downloads, engine::Message},
    state::{
        Action, BrowseAction, CheckAction, Downloads, Estimate, EstimateAction, Held, LookAction, PickAction,
        ReadingAction, SeriesAction, Shown, ShownClass, Workbook,
    },
    texts::{self, Words},
    transport::Asked,
};

/// The files of a run, as the engine sent them.
struct Files(Vec<(FileKind, Buffer)>);

impl Files {
    fn new(kinds: Vec<FileKind>, bulk: Vec<Buffer>) -> Self {
        Self(kinds.into_iter().zip(bulk).collect())
    }

    fn of(&self, kind: FileKind) -> Result<&Buffer, Words> {
        let file = self.0.iter().find(|(of, _)| *of == kind).map(|(_, file)| file);
        file.ok_or_else(|| page!(FAILED_ENGINE_SENT_NO_FILES))
    }

    /// A URL for one of them.
    fn link(&self, kind: FileKind, form: &str) -> Result<String, Words> {
        let file = self.of(kind)?;
        downloads::link(file, form).map_err(|why| page!(FAILED_BROWSER_CANNOT_MAKE_FILES, why = why))
    }
}

impl Control {
    pub(super) fn received(&self, message: Message) {
        match message {
            Message::Lost(why) => {
                self.0.opening.replace(None);
                self.0.link.engine_gone();
                self.dispatch(Action::EngineLost(why));
            }
            Message::Memory { bytes, most } => self.dispatch(Action::Holds(Held { bytes, most })),
            Message::Response(id, response, bulk) => self.answered(id, *response, bulk),
        }
    }

    /// Saves a file, and frees the one before.
    fn save(&self, name: &str, bulk: &[Buffer]) -> Result<(), Words> {
        let bytes = bulk.first().ok_or_else(|| page!(FAILED_ENGINE_SENT_NO_FILES))?;
        downloads::revoke(&self.0.saved.take());
        let saved = downloads::save(name, bytes);
        let link = saved.map_err(|why| page!(FAILED_CANNOT_BE_SAVED, name = name, why = why))?;
        self.0.saved.replace(link);
        Ok(())
    }

    fn answered(&self, id: Option<u32>, response: Response, bulk: Vec<Buffer>) {
        let is_last = response.is_last();
        let asked = id.map_or(Asked::Nothing, |id| self.0.link.asked(id, is_last));
        if !self.0.link.is_wanted(&asked) {
            // A run that nobody waits for has left its rows with the engine.
            if matches!((&asked, &response), (Asked::Run(_), Response::Finished { .. })) {
                self.dispatch(Action::Look(LookAction::EngineElsewhere));
            }
            if self.0.link.lets_go(&asked, is_last) {
                self.dispatch(Action::Abandoned);
            }
            if self.0.link.stops_reading(&asked, is_last) {
                self.read_no_more(matches!(response, Response::Opened { info: Ok(_), .. }));
            }
            return;
        }
        let action = match response {
            Response::Ready { threads } => Action::EngineUp { threads, isolated: dom::is_isolated() },
            Response::Reading { bytes, fetched } => Action::Reading(ReadingAction::Read(bytes, fetched)),
            Response::Offered { table: OpenAs::Table } => {
                self.0.opening.replace(None);
                self.not_opened();
                Action::Pick(PickAction::Offered)
            }
            // All columns of a table are checked.
            Response::Offered { table: OpenAs::Check(_) } => return,
            Response::Found { table: OpenAs::Table, form } => Action::Found(form),
            Response::Found { table: OpenAs::Check(part), form } => {
                Action::Check(CheckAction::Found(part, form))
            }
            Response::Opened { table: OpenAs::Table, info } => return self.opened(info),
            Response::Opened { table: OpenAs::Check(part), info } => {
                Action::Check(CheckAction::Opened(part, Box::new(info)))
            }
            Response::Configured { configured } => Action::Configured(configured.map_err(Into::into)),
            Response::Certified { found } => Action::Certified(found.map_err(Into::into)),
            Response::CheckHierarchy { column, values } => Action::Check(CheckAction::Tree(column, values)),
            Response::Checked { checked } => {
                let checked = checked.map(|checked| *checked).map_err(Words::from);
                Action::Check(CheckAction::Done(Box::new(checked)))
            }
            Response::Judged { judged } => {
                Action::Series(SeriesAction::Judged(Box::new(judged.map_err(Words::from))))
            }
            Response::Series { told, files } => self.series_told(told, &Files::new(files, bulk)),
            Response::Described { cells, described } => Action::Described(cells, described),
            Response::Risk { by, risk } => Action::Look(LookAction::Risk(by, risk)),
            Response::Table { table, from, by, only, rows } => {
                let shown = BrowseAction::Shown(Box::new(Shown { from, by, only, rows }));
                match table {
                    OpenAs::Table => Action::Browse(shown),
                    OpenAs::Check(_) => Action::Check(CheckAction::Browse(shown)),
                }
            }
            Response::Estimated { number, loss, of_rows, .. } => {
                Action::Estimate(EstimateAction::Found(number, Estimate { loss, of_rows }))
            }
            Response::Rows { from, order, rows } => Action::Look(LookAction::Rows((from, order), rows)),
            Response::Class { class, rows, total } => {
                Action::Look(LookAction::Class(Box::new(ShownClass { class, rows, total })))
            }
            Response::Spread { column, bins } => Action::Look(LookAction::Spread(column, bins)),
            Response::Surveyed { survey } => Action::Surveyed(Box::new(survey)),
            Response::Values { column, values } => Action::Values(column, values),
            Response::Hierarchy { column, made } => Action::Hierarchy(column, made.map(Rc::new)),
            Response::Written => {
                match asked {
                    Asked::Save(name) => {
                        if let Err(why) = self.save(&name, &bulk) {
                            self.dispatch(Action::Failed(why));
                        }
                    }
                    Asked::Remember(name, table) => {
                        let text = bulk.first().and_then(Buffer::text).unwrap_or_default();
                        self.keep(name, table, text);
                    }
                    _ => {}
                }
                return;
            }
            Response::Workbook { check } => {
                let Asked::Workbook(name, _) = asked else { return };
                Action::Workbook(match self.save(&name, &bulk) {
                    Ok(()) => Workbook::Saved(check),
                    Err(why) => Workbook::Refused(why),
                })
            }
            Response::Prepared => {
                let transport = self.0.transport.borrow().clone();
                if let (Some(transport), Some(job)) = (transport, bulk.into_iter().next()) {
                    transport.prepared(job);
                }
                return;
            }
            Response::Progress { progress } => Action::Progress(progress),
            Response::Finished { result, files } => self.finished(result, &Files::new(files, bulk)),
            Response::Failed { message } => return self.0.link.failed(&asked, message),
        };
        self.dispatch(action);
    }

    fn opened(&self, info: Result<TableInfo, Said>) {
        match info {
            Ok(table) => {
                if !self.0.again.take() {
                    self.0.made.borrow_mut().clear();
                }
                self.note_opened(self.0.opening.take());
                self.recall();
                self.dispatch(Action::Opened(table));
                self.reload_ledger();
            }
            Err(message) => {
                self.0.opening.replace(None);
                self.not_opened();
                self.dispatch(Action::Failed(message.into()));
            }
        }
    }

    /// What the engine says of a series; a ledger and the numbers of counterfeits become files.
    fn series_told(&self, told: SeriesTold, files: &Files) -> Action {
        let Ok(ledger) = files.of(FileKind::Ledger) else {
            return Action::Series(SeriesAction::Told(Box::new(told), <[String; 2]>::default()));
        };
        self.made(1, ledger);
        let links = files
            .link(FileKind::Ledger, "application/json")
            .and_then(|ledger| Ok([ledger, files.link(FileKind::Counterfeits, "text/csv")?]));
        match links {
            Ok(links) => {
                self.0.made.borrow_mut().release(links.clone());
                Action::Series(SeriesAction::Told(Box::new(told), links))
            }
            Err(why) => Action::Failed(why),
        }
    }

    /// The statement in the language that the page speaks now.
    pub(super) fn restate(&self) {
        let restated = self.0.made.borrow_mut().shown().map(|run| {
            let link = spoken(&run.statement)?;
            downloads::revoke(&std::mem::replace(&mut run.links.statement, link.clone()));
            Ok(link)
        });
        match restated {
            Some(Ok(link)) => self.dispatch(Action::Stated(link)),
            Some(Err(why)) => self.dispatch(Action::Failed(why)),
            None => {}
        }
    }

    /// Makes files of the bytes; those of the last runs stay.
    fn finished(&self, result: Box<Finished>, files: &Files) -> Action {
        let links = || -> Result<Downloads, Words> {
            self.made(0, files.of(FileKind::Table)?);
            Ok(Downloads {
                table: files.link(FileKind::Table, "text/csv")?,
                classes: files.link(FileKind::Classes, "text/csv")?,
                report: files.link(FileKind::Report, "application/json")?,
                private: files.link(FileKind::Private, "application/json")?,
                manifest: files.link(FileKind::Manifest, "application/json")?,
                statement_json: files.link(FileKind::StatementJson, "application/json")?,
                certificate: files
                    .of(FileKind::Certificate)
                    .ok()
                    .map(|_| files.link(FileKind::Certificate, "application/json"))
                    .transpose()?,
                statement: spoken(&result.statement)?,
                bytes: files.0.iter().map(|(_, file)| file.size()).sum(),
            })
        };
        match links() {
            Ok(links) => {
                let (statement, table) = (result.statement.clone(), self.released_table());
                self.0.made.borrow_mut().add(made::Run { links: links.clone(), statement, table });
                Action::Finished(result, links)
            }
            Err(why) => Action::Failed(why),
        }
    }
}

/// A URL for the statement in the language of the page.
fn spoken(statement: &Document) -> Result<String, Words> {
    downloads::link(&Buffer::from_text(&texts::written(statement)), "text/html")
        .map_err(|why| page!(FAILED_BROWSER_CANNOT_MAKE_FILES, why = why))
}
