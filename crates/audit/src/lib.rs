//! Judges published tables from the bytes about to be published. Shares no code with what it judges.
#![forbid(unsafe_code)]

mod error;
mod judge;

pub use error::Error;
pub use judge::{Check, Guarantee, Question, Risk, Verdict, judge};
