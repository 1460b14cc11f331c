//! The search in this page's engine.

use std::rc::Rc;

use lookalike_model::{sent::Sent, settings::Settings};
use lookalike_wire::{
    page::{Place, Request},
    series::SeriesOptions,
};

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
    fn start(&self, settings: Settings, series: Option<SeriesOptions>, sent_before: Vec<Sent>) {
        let settings = Box::new(settings);
        let request = Request::Anonymize { settings, series, place: Place::Here, sent_before };
        self.link.post_run(&request, &[], self.link.begin_run());
    }

    fn prepared(&self, _job: Buffer) {}

    fn stop(&self) {
        self.link.post(&Request::Stop);
    }

    fn cancel(&self) -> Option<u32> {
        Some(self.link.give_up())
    }
}
