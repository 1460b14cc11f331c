//! What engine and desk answer, as actions.

use std::rc::Rc;

use lookalike_wire::{
    desk::Told,
    page::{Finished, Response},
    series::SeriesTold,
};

use super::{Control, MEMORY};
use crate::{
    platform::{Buffer, dom, downloads, engine::Message},
    state::{Action, CheckAction, Downloads, Held, LookAction, SeriesAction},
    texts::statement,
};

impl Control {
    pub(super) fn received(&self, message: Message) {
        match message {
            Message::Lost(why) => {
                self.0.opening.replace(None);
                self.dispatch(Action::EngineLost(why));
            }
            Message::Memory { bytes, most } => self.dispatch(Action::Holds(Held { bytes, most })),
            Message::Response(response, bulk) => self.answered(*response, bulk),
            Message::Told(told, bulk) => self.told(*told, &bulk),
        }
    }

    fn told(&self, told: Told, bulk: &[Buffer]) {
        self.dispatch(match told {
            Told::Written { name } if name == MEMORY => {
                let text = bulk.first().and_then(Buffer::text).unwrap_or_default();
                self.keep(text);
                return;
            }
            Told::Written { name } => {
                self.save(&name, bulk);
                return;
            }
            Told::Configured { configured } => Action::Configured(configured),
            Told::Found { part, form } => Action::Check(CheckAction::Found(part, form)),
            Told::Opened { part, table } => Action::Check(CheckAction::Opened(part, Box::new(table))),
            Told::Hierarchy { column, values } => Action::Check(CheckAction::Tree(column, values)),
            Told::Checked { checked } => {
                Action::Check(CheckAction::Done(Box::new(checked.map(|checked| *checked))))
            }
            Told::Series { judged } => Action::Series(SeriesAction::Judged(Box::new(judged))),
            Told::Failed { message } => Action::DeskFailed(message),
        });
    }

    /// Saves a file, and frees the one before.
    fn save(&self, name: &str, bulk: &[Buffer]) {
        let Some(bytes) = bulk.first() else { return };
        downloads::revoke(&self.0.saved.take());
        match downloads::save(name, bytes) {
            Ok(link) => drop(self.0.saved.replace(link)),
            Err(why) => self.dispatch(Action::Failed(t!(FAILED_CANNOT_BE_SAVED, name = name, why = why))),
        }
    }

    fn answered(&self, response: Response, bulk: Vec<Buffer>) {
        let action = match response {
            Response::Ready { threads } => Action::EngineUp { threads, isolated: dom::is_isolated() },
            Response::Found { form } => Action::Found(form),
            Response::Opened { table } => {
                self.0.open.replace(self.0.opening.take());
                self.recall();
                self.dispatch(Action::Opened(table));
                self.reload_ledger();
                return;
            }
            Response::Series { told } => self.series_told(told, &bulk),
            Response::Described { columns, markers } => Action::Described(columns, markers),
            Response::Risk { quasi, risk } => Action::Look(LookAction::Risk(quasi, risk)),
            Response::Rows { from, rows } => Action::Look(LookAction::Rows(from, rows)),
            Response::Spread { column, bins } => Action::Look(LookAction::Spread(column, bins)),
            Response::Surveyed { survey } => Action::Surveyed(Box::new(survey)),
            Response::Values { column, values } => Action::Values(column, values),
            Response::Hierarchy { column, made } => Action::Hierarchy(column, made.map(Rc::new)),
            Response::Written { name } => {
                self.save(&name, &bulk);
                return;
            }
            Response::Prepared => {
                let transport = self.0.transport.borrow().clone();
                if let (Some(transport), Some(job)) = (transport, bulk.into_iter().next()) {
                    transport.prepared(job);
                }
                return;
            }
            Response::Progress { progress } => Action::Progress(progress),
            Response::Finished { result } => self.finished(result, &bulk),
            Response::Failed { message } => {
                self.0.opening.replace(None);
                Action::Failed(message)
            }
        };
        self.dispatch(action);
    }

    /// What the engine says of a series; a ledger and the numbers of counterfeits become files.
    fn series_told(&self, told: SeriesTold, bulk: &[Buffer]) -> Action {
        let [ledger, counts] = bulk else {
            return Action::Series(SeriesAction::Told(Box::new(told), <[String; 2]>::default()));
        };
        for old in self.0.series_links.take() {
            downloads::revoke(&old);
        }
        self.made(1, ledger);
        let links = downloads::link(ledger, "application/json")
            .and_then(|ledger| Ok([ledger, downloads::link(counts, "text/csv")?]));
        match links {
            Ok(links) => {
                self.0.series_links.replace(links.clone());
                Action::Series(SeriesAction::Told(Box::new(told), links))
            }
            Err(why) => Action::Failed(t!(FAILED_BROWSER_CANNOT_MAKE_FILES, why = why)),
        }
    }

    /// The statement in the language that the page speaks now.
    pub(super) fn restate(&self) {
        let link = self.0.statement.borrow().as_ref().map(spoken);
        match link {
            Some(Ok(link)) => {
                let old = std::mem::replace(&mut self.0.downloads.borrow_mut().statement, link.clone());
                downloads::revoke(&old);
                self.dispatch(Action::Stated(link));
            }
            Some(Err(why)) => self.dispatch(Action::Failed(t!(FAILED_BROWSER_CANNOT_MAKE_FILES, why = why))),
            None => {}
        }
    }

    /// Makes files of the bytes; those of the run before are freed.
    fn finished(&self, result: Box<Finished>, bulk: &[Buffer]) -> Action {
        let old = self.0.downloads.take();
        for url in [old.table, old.classes, old.report, old.private, old.statement] {
            downloads::revoke(&url);
        }
        let [table, classes, report, private, statement] = bulk else {
            return Action::Failed(String::from(t!(FAILED_ENGINE_SENT_NO_FILES)));
        };
        self.made(0, table);
        self.0.statement.replace(Some(statement.clone()));
        let links = || -> Result<Downloads, String> {
            Ok(Downloads {
                table: downloads::link(table, "text/csv")?,
                classes: downloads::link(classes, "text/csv")?,
                report: downloads::link(report, "application/json")?,
                private: downloads::link(private, "application/json")?,
                statement: spoken(statement)?,
            })
        };
        match links() {
            Ok(links) => {
                self.0.downloads.replace(links.clone());
                Action::Finished(result, links)
            }
            Err(why) => Action::Failed(t!(FAILED_BROWSER_CANNOT_MAKE_FILES, why = why)),
        }
    }
}

/// A URL for the statement in the language of the page.
fn spoken(english: &Buffer) -> Result<String, String> {
    let spoken = english.text().map(|text| Buffer::from_text(&statement::spoken(&text)));
    downloads::link(spoken.as_ref().unwrap_or(english), "text/html")
}
