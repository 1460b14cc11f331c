//! Results that are being sent. However many clients read the same one, and however slowly, it is in memory once: all of
//! them together take no more than what is held.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use axum::body::Bytes;

/// Results by job, as long as somebody has them.
#[derive(Default)]
pub(super) struct Handed(HashMap<String, Weak<Vec<u8>>>);

/// What [`Bytes`] keeps.
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Handed {
    /// The one that somebody has.
    pub(super) fn get(&self, id: &str) -> Option<Bytes> {
        self.0.get(id)?.upgrade().map(|bytes| Bytes::from_owner(Shared(bytes)))
    }

    /// Hands it out from here on.
    pub(super) fn give(&mut self, id: &str, bytes: Vec<u8>) -> Bytes {
        let bytes = Arc::new(bytes);
        self.0.retain(|_, given| given.strong_count() > 0);
        self.0.insert(id.to_owned(), Arc::downgrade(&bytes));
        Bytes::from_owner(Shared(bytes))
    }

    /// Nobody gets it any more.
    pub(super) fn forget(&mut self, id: &str) {
        self.0.remove(id);
    }
}
