//! Classes of a low reduced cost, as they are found.

use std::sync::{Mutex, PoisonError};

use super::Refusal;

/// Classes that are kept at the most.
const MOST: usize = 1_000_000;

/// A class.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Class {
    /// Its kinds, ascending; one with several records several times.
    pub(super) kinds: Vec<u32>,
    /// At most its reduced cost.
    pub(super) cost: f64,
}

/// Where all threads put what they find.
#[derive(Default)]
pub(super) struct Listed {
    found: Mutex<Vec<Class>>,
}

impl Listed {
    /// One more.
    pub(super) fn put(&self, mut kinds: Vec<u32>, cost: f64) -> Result<(), Refusal> {
        kinds.sort_unstable();
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() == MOST {
            return Err(Refusal::Budget(MOST as u64));
        }
        found.push(Class { kinds, cost });
        Ok(())
    }

    /// All of them, the cheapest first; in an order that does not depend on threads.
    pub(super) fn all(self) -> Vec<Class> {
        let mut found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_unstable_by(|a, b| a.cost.total_cmp(&b.cost).then_with(|| a.kinds.cmp(&b.kinds)));
        found
    }
}
