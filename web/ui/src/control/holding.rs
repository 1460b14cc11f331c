//! Tables that wait: where opening one would lose something, the user decides first; and the table before comes back.

use lookalike_wire::opening::Opening;

use super::{Control, Opened};
use crate::{
    platform::files::FileHandle,
    state::{Action, ViewAction},
};

/// A file that waits, and how it is to be read.
pub(super) type Held = Opened;

impl Control {
    /// Says whether opening a table would lose something.
    pub fn guard(&self, at_stake: bool) {
        self.0.guarded.set(at_stake);
    }

    pub(super) fn open_or_hold(&self, file: FileHandle, how: Opening) {
        if self.0.guarded.get() {
            let name = file.name.clone();
            self.0.held.replace(Some((file, how)));
            self.dispatch(Action::View(ViewAction::Asks(name)));
        } else {
            self.open_as(file, how);
        }
    }

    /// Opens what waits, whatever is lost.
    pub fn open_held(&self) {
        let held = self.0.held.take();
        self.dispatch(Action::View(ViewAction::Answered));
        if let Some((file, how)) = held {
            self.open_as(file, how);
        }
    }

    /// Keeps what there is, and forgets what waits.
    pub fn stay(&self) {
        self.0.held.replace(None);
        self.dispatch(Action::View(ViewAction::Answered));
    }

    /// Opens the table before the open one again.
    pub fn bring_back(&self) {
        let before = self.0.before.borrow().clone();
        if let Some((file, how)) = before {
            self.dispatch(Action::BringBack);
            self.open_as(file, how);
        }
    }

    /// Another table is open: the one before is remembered, unless it is the same read in the same way.
    pub(super) fn note_opened(&self, opened: Option<Opened>) {
        let before = self.0.open.replace(opened);
        let same = match (&before, &*self.0.open.borrow()) {
            (Some((a, how_a)), Some((b, how_b))) => {
                a.name == b.name && a.size().to_bits() == b.size().to_bits() && how_a == how_b
            }
            _ => true,
        };
        if !same {
            self.0.before.replace(before);
        }
    }
}
