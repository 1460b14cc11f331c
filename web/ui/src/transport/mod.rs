//! Where the search runs: in this page's engine, or on a worker. One trait, two ways.

pub mod config;
mod local;
mod remote;

use std::{cell::RefCell, rc::Rc};

use lookalike_model::settings::Settings;
use lookalike_wire::{desk::Ask, page::Request};
use yew::Callback;

pub use local::Local;
pub use remote::Remote;

use crate::{
    platform::{Buffer, engine::Engine, files::FileHandle},
    state::Action,
};

/// A way to get from settings to a result. All news come as actions.
pub trait Transport {
    /// Begins a run on the open table.
    fn start(&self, settings: Settings);
    /// Takes the numeric job that the engine made for a worker.
    fn prepared(&self, job: Buffer);
    /// Ends the run: kept if the place can do that, else given up.
    fn stop(&self);
}

/// The engine as the transports share it.
pub struct Link {
    /// The engine, once it is started.
    pub engine: RefCell<Option<Engine>>,
    /// Where the news go.
    pub dispatch: Callback<Action>,
}

impl Link {
    /// Sends a request to the engine; a request that cannot be sent has failed.
    pub fn post(&self, request: &Request, bulk: &[Buffer]) {
        self.sent(|engine| engine.post(request, bulk));
    }

    /// Asks the desk, about a file if there is one.
    pub fn ask(&self, ask: &Ask, file: Option<&FileHandle>) {
        self.sent(|engine| engine.ask(ask, file));
    }

    /// The same with a file beside it.
    pub fn post_file(&self, request: &Request, file: &FileHandle) {
        self.sent(|engine| engine.post_file(request, file));
    }

    fn sent(&self, send: impl FnOnce(&Engine) -> Result<(), String>) {
        let sent =
            self.engine.borrow().as_ref().map_or_else(|| Err(String::from(t!(FAILED_NOT_RUNNING))), send);
        if let Err(why) = sent {
            self.dispatch.emit(Action::Failed(t!(FAILED_ENGINE_CANNOT_BE_REACHED, why = why)));
        }
    }
}

/// A transport that is in use.
pub type InUse = Rc<dyn Transport>;
