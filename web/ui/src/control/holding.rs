//! What waits: where opening a table or another run would lose something, the user decides first; and the tables before and after
//! come back.

use lookalike_wire::opening::Opening;
use wasm_bindgen_futures::spawn_local;

use super::{Control, Opened, PATIENCE};
use crate::{
    platform::{dom, files::FileHandle, timer},
    state::{Action, PickAction, ReadingAction, Stake, ViewAction, Waits, Way},
};

/// What is done once it is decided.
pub(super) type Held = Box<dyn FnOnce(&Control)>;

/// The files of the tables before and after the open one.
#[derive(Default)]
pub(super) struct Others {
    before: Option<Opened>,
    after: Option<Opened>,
    /// One of them is being read again.
    coming: Option<Way>,
}

impl Control {
    /// Says what opening a table would lose.
    pub fn guard(&self, stake: Option<Stake>) {
        self.0.guarded.set(stake);
    }

    pub(super) fn open_or_hold(&self, file: FileHandle, how: Opening) {
        self.table_or_hold(file, how, None);
    }

    fn table_or_hold(&self, file: FileHandle, how: Opening, way: Option<Way>) {
        let waits = Waits::Table(file.name.clone());
        let open = move |control: &Self| {
            control.0.others.borrow_mut().coming = way;
            if let Some(way) = way {
                control.dispatch(Action::Bring(way));
            }
            control.open_as(file, how);
        };
        self.hold_if(self.0.guarded.get().is_some(), waits, Box::new(open));
    }

    /// A run makes another release: the ledger of the one before would be lost.
    pub(super) fn run_or_hold(&self, run: Held) {
        self.hold_if(self.0.guarded.get() == Some(Stake::Ledger), Waits::Run, run);
    }

    fn hold_if(&self, waits: bool, what: Waits, act: Held) {
        if waits {
            self.0.held.replace(Some(act));
            self.dispatch(Action::View(ViewAction::Asks(what, dom::focused_id())));
        } else {
            act(self);
        }
    }

    /// Does what waits, whatever is lost.
    pub fn go_on(&self) {
        let held = self.0.held.take();
        self.dispatch(Action::View(ViewAction::Answered));
        if let Some(act) = held {
            act(self);
        }
    }

    /// Keeps what there is, and forgets what waits.
    pub fn stay(&self) {
        self.0.held.replace(None);
        self.dispatch(Action::View(ViewAction::Stayed));
    }

    /// Opens the table before the open one again, or the one after it.
    pub fn bring(&self, way: Way) {
        let others = self.0.others.borrow();
        let file = match way {
            Way::Back => others.before.clone(),
            Way::Forth => others.after.clone(),
        };
        drop(others);
        if let Some((file, how)) = file {
            self.table_or_hold(file, how, Some(way));
        }
    }

    /// Gives up the file that is being read. An engine with no table to lose is replaced by another; so is one that does not hear
    /// of it in time, which then reads the open table again.
    pub fn cancel_reading(&self) {
        self.0.opening.replace(None);
        let open = self.0.open.borrow().clone();
        self.0.tried.replace(open.as_ref().map(|(file, _)| file.clone()));
        let Some(table) = self.0.link.give_up_open().filter(|_| open.is_some()) else {
            self.read_no_more(true);
            return;
        };
        self.dispatch(Action::Reading(ReadingAction::Cancelling));
        let control = self.clone();
        spawn_local(async move {
            timer::sleep(PATIENCE).await;
            if control.0.link.reads(table) {
                control.read_no_more(true);
            }
        });
    }

    /// The columns of the last file are not chosen: nothing of it is read.
    pub fn pick_nothing(&self) {
        let open = self.0.open.borrow().as_ref().map(|(file, _)| file.clone());
        self.0.tried.replace(open);
        self.dispatch(Action::Pick(PickAction::GivenUp));
    }

    /// The reading that was given up is over; `restart` if the engine has another table than the open one, or still reads.
    pub(super) fn read_no_more(&self, restart: bool) {
        self.dispatch(Action::Reading(ReadingAction::GivenUp));
        if restart {
            self.restart();
        }
    }

    /// Another table is open: the one before is remembered, unless it is the same read in the same way.
    pub(super) fn note_opened(&self, opened: Option<Opened>) {
        let left = self.0.open.replace(opened);
        let mut others = self.0.others.borrow_mut();
        let same = match (&left, &*self.0.open.borrow()) {
            (Some((a, how_a)), Some((b, how_b))) => {
                a.name == b.name && a.size().to_bits() == b.size().to_bits() && how_a == how_b
            }
            _ => true,
        };
        match others.coming.take() {
            Some(Way::Back) => (others.before, others.after) = (None, left),
            Some(Way::Forth) => (others.before, others.after) = (left, None),
            None if !same => (others.before, others.after) = (left, None),
            None => {}
        }
    }

    /// A table could not be opened.
    pub(super) fn not_opened(&self) {
        self.0.others.borrow_mut().coming = None;
    }
}
