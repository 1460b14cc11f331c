//! A file of the browser as bytes to read, for the modules that live in a Web Worker.
//!
//! * [`BlobFile`] — reads slices of a file as they are needed: it is never in memory as a whole.
//! * [`Sliced`] — the same of anything that hands out slices.
//! * [`Pulled`] — text that another module hands out piece by piece.
//! * [`Arrival`] — a file on its way to being a table; [`Refused`] — why it does not become one.
//! * [`post`] — messages to the page.
//! * [`options`], [`form`] — what the page asks for and what was found, between wire types and the table's.

mod arrival;
mod blob;
mod form;
mod post;
mod pull;
mod slices;

pub use arrival::{Arrival, First, Refused, Source, offered, unclear};
pub use blob::{Blob, BlobFile};
pub use form::{form, options};
pub use post::post;
pub use pull::Pulled;
pub use slices::{Sliced, Slices};
