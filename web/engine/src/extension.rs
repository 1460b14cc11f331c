//! What an engine may know beyond single tables. The plain engine has no extension, so that none of it is in the page at
//! first.

use lookalike_core::{
    Error,
    pipeline::{Outcome, Prepared},
    table::Table,
};
use lookalike_model::{Ctx, settings::Settings};
use lookalike_wire::series::{SeriesAsk, SeriesTold};

use crate::session::Source;

/// What is told, with files beside it.
pub type WithFiles = (SeriesTold, Vec<Vec<u8>>);

/// What an engine that knows series of releases does beyond the plain one.
pub trait Extension {
    /// Takes a question about the open table, with its file if it has one; some have no answer.
    ///
    /// # Errors
    /// Why it cannot be answered.
    fn ask(
        &mut self,
        ask: SeriesAsk,
        table: &Table,
        file: &mut dyn Source,
    ) -> Result<Option<SeriesTold>, String>;

    /// The job of the next release; `None` if the table is for itself.
    fn prepare(&self, table: &Table, settings: &Settings, ctx: &Ctx) -> Option<Result<Prepared, Error>>;

    /// What the page is told of a finished release, with the next ledger and the numbers of counterfeits; `None` if the
    /// table is for itself.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    fn released(&self, outcome: &Outcome) -> Result<Option<WithFiles>, String>;
}
