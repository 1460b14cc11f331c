//! The search in this page's engine.

use std::rc::Rc;

use lookalike_model::settings::Settings;
use lookalike_wire::page::Request;

use super::{Link, Transport};
use crate::platform::Buffer;

/// The search in this page's engine.
pub struct Local {
    link: Rc<Link>,
}

impl Local {
    /// Through this engine.
    #[must_use]
    pub fn new(link: Rc<Link>) -> Self {
        Self { link }
    }
}

impl Transport for Local {
    fn start(&self, settings: Settings) {
        self.link.post(&Request::Anonymize { settings }, &[]);
    }

    fn prepared(&self, _job: Buffer) {}

    fn stop(&self) {
        self.link.post(&Request::Stop, &[]);
    }
}
