//! Linear and integer programmes: models and back ends.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

mod backend;
pub mod clique;
pub mod eligibility;
mod error;
pub mod general;
mod integer;
pub mod master;
pub mod partition;

pub use backend::Backend;
pub use error::{Error, Failure, Fault};
