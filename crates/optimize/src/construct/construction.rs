//! What a construction is: something that makes a partition a piece at a time, and can be left at any moment.

use lookalike_model::instance::Instance;

use super::buckets::Bucket;

/// One construction, piece by piece.
pub(in crate::construct) trait Construction {
    /// Makes the next piece, usually a class. The points it looked at, about; `None` once all records are in classes.
    fn advance(&mut self, instance: &Instance) -> Option<usize>;

    /// Partial that a time limit of their own has ended: others come of them when the machine is faster.
    fn cut(&self) -> usize {
        0
    }

    /// The classes so far, and the records that are in none.
    fn leave(self: Box<Self>) -> Partial;
}

/// What a construction leaves.
#[derive(Default)]
pub(in crate::construct) struct Partial {
    pub(super) classes: Vec<Vec<u32>>,
    /// Records in no class: with colours, balanced buckets; else lists of any length.
    pub(super) open: Vec<Bucket>,
}

impl Partial {
    pub(super) fn new(classes: Vec<Vec<u32>>, open: Vec<u32>) -> Self {
        let open = if open.is_empty() { Vec::new() } else { vec![vec![open]] };
        Self { classes, open }
    }
}

/// The classes of a construction that is not stopped.
#[cfg(test)]
pub(super) fn to_the_end(mut work: impl Construction + 'static, instance: &Instance) -> Vec<Vec<u32>> {
    while work.advance(instance).is_some() {}
    let Partial { classes, open } = Box::new(work).leave();
    assert!(open.is_empty());
    classes
}
