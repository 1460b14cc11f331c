//! Quotes that the parser takes without a word: text between a closing quote and the end of its cell, and white space before
//! the quote that was to open one.

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

/// What is odd about a cell's quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slip {
    /// Text follows the closing quote; 1-based column.
    TextAfter(usize),
    /// White space stands before the quotes around its text, which are part of it therefore; 1-based column.
    SpaceBefore(usize),
}

/// Where in a cell the next byte stands.
#[derive(Clone, Copy)]
enum At {
    /// At its beginning.
    Beginning,
    /// In text without quotes.
    Bare,
    /// After white space at its beginning.
    Spaced,
    /// In text that begins with white space and a quote; whether a quote was the last that is not white space.
    Late(bool),
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

    /// What is odd first in this piece of the record.
    pub(crate) fn slip(&mut self, text: &[u8]) -> Option<Slip> {
        let mark = self.mark?;
        for &byte in text {
            self.at = match self.at {
                At::Quoted if byte == mark => At::Closed,
                At::Quoted => At::Quoted,
                At::Beginning | At::Closed if byte == mark => At::Quoted,
                At::Late(true) if byte == self.delimiter || matches!(byte, b'\r' | b'\n') => {
                    return Some(Slip::SpaceBefore(self.column));
                }
                _ if byte == self.delimiter => {
                    self.column += 1;
                    At::Beginning
                }
                At::Closed if !matches!(byte, b'\r' | b'\n') => return Some(Slip::TextAfter(self.column)),
                At::Beginning | At::Spaced if matches!(byte, b' ' | b'\t') => At::Spaced,
                At::Spaced if byte == mark => At::Late(false),
                At::Late(closed) => At::Late(byte == mark || closed && matches!(byte, b' ' | b'\t')),
                _ => At::Bare,
            };
        }
        None
    }
}
