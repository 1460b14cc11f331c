//! Which published cells may be which original cells.

use lookalike_table::Column;

use super::{Reading, pair::Pair};
use crate::Unmeasurable;

/// A quasi-identifier before and after, to ask whether a published cell may be an original one.
pub(crate) struct Covering<'a> {
    pair: Pair<'a>,
}

impl<'a> Covering<'a> {
    /// The error says why the published cells cannot be compared with the original's.
    pub(crate) fn new(
        before: &'a Column,
        after: &'a Column,
        reading: &Reading,
    ) -> Result<Self, Unmeasurable> {
        let pair = Pair::new(before, after, reading);
        match &pair.published {
            Ok(_) => Ok(Self { pair }),
            Err(why) => Err(why.clone()),
        }
    }

    /// Whether the published cell with the code `after` may be the original cell with the code `before`.
    pub(crate) fn covers(&self, before: usize, after: usize) -> bool {
        self.pair.published.as_ref().is_ok_and(|published| self.pair.covers(published, before, after))
    }
}
