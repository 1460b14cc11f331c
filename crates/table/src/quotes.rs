//! Quotes that the parser takes without a word: text between a closing quote and the end of its cell.

use crate::Quote;

/// Follows a record through its pieces.
pub(crate) struct Quotes {
    /// `None` if nothing is quoted.
    mark: Option<u8>,
    delimiter: u8,
    at: At,
    /// 1-based.
    column: usize,
}

/// Where in a cell the next byte stands.
#[derive(Clone, Copy)]
enum At {
    /// At its beginning.
    Beginning,
    /// In text without quotes.
    Bare,
    Quoted,
    /// After a quote that closes, or is the first of two that stand for one.
    Closed,
}

impl Quotes {
    pub(crate) fn new(quote: Quote, delimiter: u8) -> Self {
        let mark = match quote {
            Quote::Mark(mark) => Some(mark),
            Quote::Off => None,
        };
        Self { mark, delimiter, at: At::Beginning, column: 1 }
    }

    /// The column of the first cell in this piece of the record whose closing quote is followed by text.
    pub(crate) fn trailing(&mut self, text: &[u8]) -> Option<usize> {
        let mark = self.mark?;
        for &byte in text {
            self.at = match self.at {
                At::Quoted if byte == mark => At::Closed,
                At::Quoted => At::Quoted,
                At::Beginning | At::Closed if byte == mark => At::Quoted,
                _ if byte == self.delimiter => {
                    self.column += 1;
                    At::Beginning
                }
                At::Closed if !matches!(byte, b'\r' | b'\n') => return Some(self.column),
                _ => At::Bare,
            };
        }
        None
    }
}
