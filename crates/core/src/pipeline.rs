//! The whole way: table -> instance -> partition -> release -> verdict.

use lookalike_table::Table;
use lookalike_wire::{
    job::{Answer, Job},
    report::{Private, Report},
    settings::Settings,
};

use crate::{Ctx, Error, solve};

/// A table made ready: roles checked, missing values treated, encoded, m-eligible.
#[derive(Clone, Debug)]
pub struct Prepared {
    job: Job,
}

impl Prepared {
    /// The numeric job: all that a worker needs and may see.
    #[must_use]
    pub fn job(&self) -> &Job {
        &self.job
    }
}

/// A finished run. Publish nothing of it unless `report.audit.passed`.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The table to be published, as the audit saw it, byte for byte.
    pub published: Vec<u8>,
    /// `classes.csv`, the linking key: private.
    pub classes: Vec<u8>,
    /// `report.json`: publishable.
    pub report: Report,
    /// `private.json`: not publishable.
    pub private: Private,
    /// Header of the published table.
    pub header: Vec<String>,
    /// The published rows' first few, cell by cell.
    pub preview: Vec<Vec<String>>,
    /// The first input rows, in the published columns (without `class`).
    pub before: Vec<Vec<String>>,
    /// Class size and number of classes of that size, ascending.
    pub class_sizes: Vec<(usize, usize)>,
}

/// First half: from the table to the numeric job. `settings.seed` must be set.
///
/// # Errors
/// [`Error::Input`] for settings that do not fit; [`Error::Infeasible`] if the guarantee cannot be given.
pub fn prepare(table: &Table, settings: &Settings, ctx: &Ctx) -> Result<Prepared, Error> {
    let _ = (table, settings, ctx);
    Err(Error::Input(String::from("not built yet")))
}

/// Second half: verifies the answer, recodes, audits the very bytes that would be published.
///
/// # Errors
/// [`Error::Answer`] if the answer does not fit. A failed audit is not an error: see `report.audit`.
pub fn finish(table: &Table, prepared: &Prepared, answer: &Answer, ctx: &Ctx) -> Result<Outcome, Error> {
    let _ = (table, prepared, answer, ctx);
    Err(Error::Input(String::from("not built yet")))
}

/// The whole way, solved here.
///
/// # Errors
/// As [`prepare`], [`solve::solve`] and [`finish`].
pub fn anonymize(table: &Table, settings: &Settings, ctx: &Ctx) -> Result<Outcome, Error> {
    let prepared = prepare(table, settings, ctx)?;
    let answer = solve::solve(prepared.job(), ctx)?;
    finish(table, &prepared, &answer, ctx)
}
