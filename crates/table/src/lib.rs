//! Bytes to tables and back. Knows file formats; nobody else does.
#![forbid(unsafe_code)]

mod error;
mod kind;
mod read;
mod schema;
mod table;
mod write;

pub use error::Error;
pub use kind::{Inferred, Kind, infer, parse_number};
pub use read::{ReadOptions, read};
pub use schema::{ColumnSpec, MissingPolicy, Role, Schema};
pub use table::{Column, Table, Warning};
pub use write::write;
