//! Parts of a sentence.

use lookalike_words::{Arg, AsArg, Message, Said};

/// Parts that semicolons separate, since each may have commas of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts<T>(pub Vec<T>);

impl<T: Message> AsArg for Parts<T> {
    fn as_arg(&self) -> Arg {
        let mut parts = self.0.iter().rev().map(Message::said);
        let Some(last) = parts.next() else { return Arg::List(Vec::new()) };
        Arg::Said(parts.fold(last, |rest, first| Chain::More { first, rest }.said()))
    }
}

lookalike_words::messages! {
    in "audit";

    /// Parts one after the other.
    #[derive(Clone, Debug, PartialEq)]
    enum Chain {
        /// One, and those that follow it.
        More {
            /// The one.
            first: Said,
            /// The others.
            rest: Said,
        },
    }
}
