//! What goes to other machines: to whom, when, and how much.

use std::sync::{Mutex, PoisonError};

use lookalike_model::sent::Sent;

/// The system's clock: UTC, to the second, as in `2026-05-01T14:03:22Z`.
pub(crate) fn now() -> String {
    let now = jiff::Timestamp::now();
    // The whole second of a moment is a moment, too.
    jiff::Timestamp::from_second(now.as_second()).unwrap_or(now).to_string()
}

/// All that was sent to one address so far; threads may send at the same time.
pub(crate) struct Outbox {
    to: String,
    sent: Mutex<Option<Sent>>,
}

impl Outbox {
    /// Nothing was sent to this address yet. It must hold no password.
    pub(crate) fn new(to: String) -> Self {
        Self { to, sent: Mutex::default() }
    }

    /// A message of so many bytes is about to be sent. True for the first one.
    pub(crate) fn note(&self, bytes: usize) -> bool {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let first = sent.is_none();
        match sent.as_mut() {
            Some(sent) => sent.again(bytes as u64),
            None => *sent = Some(Sent::one(self.to.clone(), now(), bytes as u64)),
        }
        first
    }

    /// What was sent, if anything was.
    pub(crate) fn sent(&self) -> Option<Sent> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_add_up_and_the_first_one_has_the_time() {
        let outbox = Outbox::new(String::from("http://w"));
        assert_eq!(outbox.sent(), None);
        assert!(outbox.note(10) && !outbox.note(5));
        let sent = outbox.sent().unwrap();
        assert_eq!((sent.to.as_str(), sent.messages, sent.bytes), ("http://w", 2, 15));
        let form: String = sent.at.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        assert_eq!(form, "0000-00-00T00:00:00Z");
    }
}
