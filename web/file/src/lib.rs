//! A file of the browser as bytes to read, for the modules that live in a Web Worker.
//!
//! * [`BlobFile`] — reads slices of a file as they are needed: it is never in memory as a whole.
//! * [`Pulled`] — text that another module hands out piece by piece.
//! * [`options`], [`form`] — what the page asks for and what was found, between wire types and the table's.

mod blob;
mod form;
mod pull;

pub use blob::{Blob, BlobFile};
pub use form::{form, options};
pub use pull::Pulled;
