//! The list of all classes that can improve on the incumbent.

use std::sync::Arc;

use super::{
    column::Column,
    pricing::{Listed, Request},
};

/// All classes that can improve on the incumbent, in the order of their members.
#[derive(Clone)]
pub(super) struct ClassList {
    classes: Arc<Vec<Column>>,
    /// How many there were when they were enumerated.
    enumerated: u64,
}

impl ClassList {
    /// `classes` are sorted by members.
    pub(super) fn new(classes: Vec<Column>) -> Self {
        Self { enumerated: classes.len() as u64, classes: Arc::new(classes) }
    }

    pub(super) fn classes(&self) -> &Arc<Vec<Column>> {
        &self.classes
    }

    /// How many there were when they were enumerated.
    pub(super) fn enumerated(&self) -> u64 {
        self.enumerated
    }

    /// Those with a reduced cost below this.
    pub(super) fn below(&self, most: f64, request: &Request) -> Self {
        let kept = self.classes.iter().filter(|c| request.reduced_cost_of(c) < most).cloned().collect();
        Self { classes: Arc::new(kept), ..*self }
    }

    /// The pricer that looks through it.
    pub(super) fn pricer(&self) -> Listed {
        Listed(Arc::clone(&self.classes))
    }
}
