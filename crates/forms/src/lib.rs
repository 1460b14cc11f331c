//! Files whose columns have names and types: Parquet, Arrow, Stata, SPSS and SAS, in and out.
//!
//! In: each form has a reader of its own, which hands out Arrow's columns and nothing else ([`Columns`]). One routine makes the text
//! of their cells ([`cells`]), another one the text of a CSV of them, which the reader of `lookalike-table` reads as it reads any
//! other; a whole table is coded column by column, to the same table: no form has rules of its own. [`open`] and [`decode`] are those of `lookalike-table` for these forms, too. Only the columns
//! that are asked for are read. [`decode_unless`] tells names and types first, and leaves the rows unread where that is wanted.
//!
//! Out: [`write()`] makes a file of the bytes that were judged. It is read back by a public decoder, and compared with these bytes cell
//! for cell, as the audit's strict reader reads them; what differs is an error, not a file.
//!
//! Each form is behind a feature; without it, its files are named and refused as by `lookalike-table`.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(feature = "arrow", feature = "parquet", feature = "sas", feature = "spss", feature = "stata")),
    allow(
        dead_code,
        unused_imports,
        unused_variables,
        reason = "what the forms that are left out would use"
    )
)]

#[cfg(feature = "cells")]
pub mod cells;
#[cfg(feature = "cells")]
mod coded;
#[cfg(feature = "cells")]
mod columns;
mod fault;
mod form;
#[cfg(feature = "arrow")]
mod ipc;
#[cfg(feature = "arrow")]
mod ipc_sizes;
#[cfg(any(feature = "sas", feature = "spss", feature = "stata"))]
mod labelled;
#[cfg(feature = "cells")]
mod names;
mod open;
mod outline;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod parquet_file;
#[cfg(feature = "sas")]
mod sas;
#[cfg(feature = "cells")]
mod schema;
#[cfg(feature = "spss")]
mod spss;
#[cfg(feature = "stata")]
mod stata;
#[cfg(feature = "stata")]
mod stata_sizes;
#[cfg(feature = "cells")]
mod text;
mod write;

#[cfg(feature = "cells")]
pub use columns::{Batches, Columns};
pub use fault::{FormFault, FormName, FormNote};
pub use open::{decode, decode_unless, open};
pub use outline::{Outline, TypeName};
#[cfg(feature = "cells")]
pub use schema::{SchemaFault, SchemaForm, SchemaMade, schema};
#[cfg(feature = "cells")]
pub use text::{Text, read_text};
pub use write::{Target, WriteCheck, WriteFault, write};
#[cfg(all(feature = "arrow", feature = "parquet"))]
pub use write::{read_back_large, write_large};
