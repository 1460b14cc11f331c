//! Where the search runs: in this page's engine, or on a worker. One trait, two ways.

pub mod config;
mod local;
mod remote;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use lookalike_model::{sent::Sent, settings::Settings};
use lookalike_wire::{page::Request, series::SeriesOptions};
use yew::Callback;

pub use local::Local;
pub use remote::Remote;

use crate::{
    platform::{Buffer, engine::Engine, files::FileHandle},
    state::{Action, CheckAction, EstimateAction, SeriesAction, Workbook},
    texts::Words,
};

/// A way to get from settings to a result. All news come as actions.
pub trait Transport {
    /// Begins a run on the open table, as a release of a series if it is one.
    /// `sent_before` is what the session has sent elsewhere.
    fn start(&self, settings: Settings, series: Option<SeriesOptions>, sent_before: Vec<Sent>);
    /// Takes the numeric job that the engine made for a worker.
    fn prepared(&self, job: Buffer);
    /// Ends the run: kept if the place can do that, else given up.
    fn stop(&self);
    /// Gives the run up. The number of the run that the engine still works on, if that takes it a while to hear.
    fn cancel(&self) -> Option<u32>;
}

/// The engine as all share it that ask something of it.
pub struct Link {
    /// The engine, once it is started.
    pub engine: RefCell<Option<Engine>>,
    /// Where the news go.
    pub dispatch: Callback<Action>,
    /// Number of the last request.
    last: Cell<u32>,
    /// What is to become of the answers that are still to come, by the numbers of their requests.
    asked: RefCell<BTreeMap<u32, Asked>>,
    /// The run that is under way, or was last: what belongs to another is not listened to.
    run: Cell<u32>,
    /// The run that was given up, until the engine has let go of it.
    given_up: Cell<Option<u32>>,
    /// The table that was asked for last, likewise, and the request that asked for it.
    table: Cell<u32>,
    opening: Cell<u32>,
    /// The table whose reading was given up, until the engine has let go of it.
    unread: Cell<Option<u32>>,
    /// The estimates that were asked for last, likewise.
    estimates: Cell<u32>,
}

/// What is to become of an answer, where the answer does not say it.
#[derive(Clone, Debug, Default)]
pub enum Asked {
    /// What the answer says.
    #[default]
    Nothing,
    /// This run goes on.
    Run(u32),
    /// This table is opened.
    Open(u32),
    /// These estimates go on.
    Estimates(u32),
    /// A file is to be saved under this name.
    Save(String),
    /// The table that this run published is to be saved as a workbook under this name.
    Workbook(String, u32),
    /// A configuration is to be remembered by the browser: its name, and the number of its table.
    Remember(String, u32),
    /// A configuration is to be taken over.
    Configure,
    /// A certificate is checked.
    Certify,
    /// A published table is checked.
    Check,
    /// A series of releases is judged.
    Judge,
}

impl Link {
    /// To an engine that is not started yet.
    #[must_use]
    pub fn new(dispatch: Callback<Action>) -> Self {
        Self {
            engine: RefCell::default(),
            dispatch,
            last: Cell::new(0),
            asked: RefCell::default(),
            run: Cell::new(0),
            given_up: Cell::new(None),
            table: Cell::new(0),
            opening: Cell::new(0),
            unread: Cell::new(None),
            estimates: Cell::new(0),
        }
    }

    /// Asks for estimates; whatever comes of those before is not listened to.
    pub fn estimate(&self, request: &Request) {
        self.end_estimates();
        self.ask(request, None, Asked::Estimates(self.estimates.get()));
    }

    fn end_estimates(&self) {
        self.estimates.set(self.estimates.get().wrapping_add(1));
    }

    /// A run begins; whatever comes of the one before, or of estimates, is not listened to. Its number.
    pub fn begin_run(&self) -> u32 {
        self.end_estimates();
        self.run.set(self.run.get().wrapping_add(1));
        self.run.get()
    }

    /// The run is given up.
    pub fn end_run(&self) {
        self.begin_run();
    }

    /// Gives up the run that is under way: it is told to stop, and nothing that comes of it is listened to. Its number.
    pub fn give_up(&self) -> u32 {
        let run = self.run.get();
        self.end_run();
        self.given_up.set(Some(run));
        self.post(&Request::Stop);
        run
    }

    /// Whether the engine still works on this run, which was given up: it hears nothing else meanwhile.
    pub fn holds(&self, run: u32) -> bool {
        self.given_up.get() == Some(run)
    }

    /// Whether the last answer of the run that was given up is there: the engine listens again.
    pub fn lets_go(&self, asked: &Asked, is_last: bool) -> bool {
        let of = matches!(asked, Asked::Run(run) if self.holds(*run)) && is_last;
        if of {
            self.given_up.set(None);
        }
        of
    }

    /// The engine is gone, and with it whatever it worked on. Whether that was a run that was given up.
    pub fn engine_gone(&self) -> bool {
        self.end_run();
        self.unread.set(None);
        self.given_up.take().is_some()
    }

    /// The number of the run that is under way, or was last.
    pub fn run(&self) -> u32 {
        self.run.get()
    }

    /// Whether this run is listened to.
    pub fn is_current(&self, run: u32) -> bool {
        self.run.get() == run
    }

    /// Opens the table that is to be anonymized; no other one that was asked for is listened to, nor a run.
    pub fn open(&self, request: &Request, file: &FileHandle) {
        self.table.set(self.table.get().wrapping_add(1));
        self.end_run();
        self.ask(request, Some(file), Asked::Open(self.table.get()));
        self.opening.set(self.last.get());
    }

    /// Gives up the table that is being read: nothing that comes of it is listened to. Its number, if the engine hears of it in the
    /// midst of reading.
    pub fn give_up_open(&self) -> Option<u32> {
        let table = self.table.get();
        self.table.set(table.wrapping_add(1));
        let hears = self.engine.borrow().as_ref().is_some_and(|engine| engine.give_up(self.opening.get()));
        self.unread.set(hears.then_some(table));
        self.unread.get()
    }

    /// Whether the engine still reads this table, which was given up.
    pub fn reads(&self, table: u32) -> bool {
        self.unread.get() == Some(table)
    }

    /// Whether the last answer about the table that was given up is there.
    pub fn stops_reading(&self, asked: &Asked, is_last: bool) -> bool {
        let of = matches!(asked, Asked::Open(table) if self.reads(*table)) && is_last;
        if of {
            self.unread.set(None);
        }
        of
    }

    /// Whether an answer is listened to that was asked for this.
    pub fn is_wanted(&self, asked: &Asked) -> bool {
        match asked {
            Asked::Run(run) | Asked::Workbook(_, run) => self.is_current(*run),
            Asked::Open(table) => self.table.get() == *table,
            Asked::Estimates(estimates) => self.estimates.get() == *estimates,
            _ => true,
        }
    }

    /// Sends a request to the engine; a request that cannot be sent has failed.
    pub fn post(&self, request: &Request) {
        self.ask(request, None, Asked::Nothing);
    }

    /// The same with a file beside it.
    pub fn post_file(&self, request: &Request, file: &FileHandle) {
        self.ask(request, Some(file), Asked::Nothing);
    }

    /// Sends a request of a run, with bytes beside it, which are transferred and gone from here.
    pub fn post_run(&self, request: &Request, bytes: &[Buffer], run: u32) {
        self.send(request, bytes, None, Asked::Run(run));
    }

    /// Sends a request, about a file if there is one, whose answer is for this.
    pub fn ask(&self, request: &Request, file: Option<&FileHandle>, asked: Asked) {
        self.send(request, &[], file, asked);
    }

    /// What is to become of the answer to a request; `is_last` if none follows.
    pub fn asked(&self, id: u32, is_last: bool) -> Asked {
        let mut all = self.asked.borrow_mut();
        let asked = if is_last { all.remove(&id) } else { all.get(&id).cloned() };
        asked.unwrap_or_default()
    }

    /// Tells that what was asked has no answer.
    pub fn failed(&self, asked: &Asked, why: impl Into<Words>) {
        let why = why.into();
        self.dispatch.emit(match asked {
            Asked::Remember(..) | Asked::Configure => Action::Configured(Err(why)),
            Asked::Certify => Action::Certified(Err(why)),
            Asked::Check => Action::Check(CheckAction::Done(Box::new(Err(why)))),
            Asked::Judge => Action::Series(SeriesAction::Judged(Box::new(Err(why)))),
            Asked::Workbook(..) => Action::Workbook(Workbook::Refused(why)),
            Asked::Run(_) | Asked::Open(_) => Action::Failed(why),
            // They are hints: nobody is told that there are none.
            Asked::Estimates(_) => Action::Estimate(EstimateAction::Forget),
            Asked::Nothing | Asked::Save(_) => Action::Complained(why),
        });
    }

    fn send(&self, request: &Request, bulk: &[Buffer], file: Option<&FileHandle>, asked: Asked) {
        let id = self.last.get().wrapping_add(1);
        self.last.set(id);
        let sent = match &*self.engine.borrow() {
            Some(engine) => engine.post(id, request, bulk, file).map_err(Words::from),
            None => Err(page!(FAILED_NOT_RUNNING)),
        };
        match sent {
            Ok(()) => drop(self.asked.borrow_mut().insert(id, asked)),
            Err(why) => self.failed(&asked, page!(FAILED_ENGINE_CANNOT_BE_REACHED, why = why)),
        }
    }
}

/// A transport that is in use.
pub type InUse = Rc<dyn Transport>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_was_given_up_or_replaced_is_not_listened_to() {
        let link = Link::new(Callback::noop());
        let first = link.begin_run();
        assert!(link.is_wanted(&Asked::Run(first)));
        link.end_run();
        assert!(!link.is_wanted(&Asked::Run(first)));
        let (second, third) = (link.begin_run(), link.begin_run());
        assert!(!link.is_wanted(&Asked::Run(second)) && link.is_wanted(&Asked::Run(third)));
        // What is no run's is always heard.
        assert!(link.is_wanted(&Asked::Nothing) && link.is_wanted(&Asked::Check));
    }

    #[test]
    fn estimates_are_listened_to_until_something_else_begins() {
        let link = Link::new(Callback::noop());
        let current = || Asked::Estimates(link.estimates.get());
        let first = current();
        assert!(link.is_wanted(&first));
        link.end_estimates();
        assert!(!link.is_wanted(&first));
        let second = current();
        link.begin_run();
        assert!(!link.is_wanted(&second) && link.is_wanted(&current()));
    }

    #[test]
    fn a_run_that_was_given_up_is_held_until_its_last_answer_or_the_engine_s_end() {
        let link = Link::new(Callback::noop());
        let run = link.begin_run();
        assert_eq!(link.give_up(), run);
        assert!(link.holds(run) && !link.is_wanted(&Asked::Run(run)));
        // Progress is no answer, and neither is what else was asked.
        for (asked, is_last) in
            [(Asked::Run(run), false), (Asked::Nothing, true), (Asked::Run(run + 7), true)]
        {
            assert!(!link.lets_go(&asked, is_last) && link.holds(run), "{asked:?}");
        }
        assert!(link.lets_go(&Asked::Run(run), true) && !link.holds(run));
        assert!(!link.lets_go(&Asked::Run(run), true), "once");
        assert!(!link.engine_gone());

        let next = link.begin_run();
        link.give_up();
        assert!(link.engine_gone() && !link.holds(next));
        // What is asked for after that has nothing to do with it.
        let last = link.begin_run();
        assert!(link.is_wanted(&Asked::Run(last)) && !link.holds(last));
    }

    #[test]
    fn a_table_that_was_given_up_is_not_listened_to() {
        let link = Link::new(Callback::noop());
        let table = Asked::Open(link.table.get());
        assert!(link.is_wanted(&table));
        // Without an engine that can be told, nothing is waited for.
        assert_eq!(link.give_up_open(), None);
        assert!(!link.is_wanted(&table) && !link.stops_reading(&table, true));
        // With one, its last answer is.
        let (number, table) = (link.table.get(), Asked::Open(link.table.get()));
        link.unread.set(Some(number));
        assert!(link.reads(number) && !link.stops_reading(&table, false));
        assert!(!link.stops_reading(&Asked::Open(number + 1), true));
        assert!(link.stops_reading(&table, true) && !link.reads(number));
    }

    #[test]
    fn what_becomes_of_an_answer_is_known_until_the_last_one() {
        let link = Link::new(Callback::noop());
        link.asked.borrow_mut().insert(7, Asked::Save(String::from("a.json")));
        for is_last in [false, true] {
            assert!(matches!(link.asked(7, is_last), Asked::Save(name) if name == "a.json"));
        }
        assert!(matches!(link.asked(7, true), Asked::Nothing));
    }
}
