//! `anonymize --attacks`: attacks on what is published, tried before it is written, for the statement.

use std::path::PathBuf;

use lookalike_core::{
    audit::attacks::Attacks,
    comparison,
    pipeline::{Outcome, Run},
    table::Table,
};
use lookalike_model::{settings::Settings, statement::Attempts};

use super::edits;
use crate::{
    configuration::File,
    exit::Failure,
    input::{From, TableArgs},
    progress::say,
};

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct AttackArgs {
    /// Try singling out, linkability and inference on the published table, as `lookalike check --attacks` does, and say in the
    /// statement how often they succeed
    #[arg(long, conflicts_with = "out_of_core", help_heading = "Attacks")]
    attacks: bool,
    /// Rows like those of the table that nothing published was made of, in a file that is read as the table is: what succeeds on them
    /// too is told of people in general. Without them rates are upper readings
    #[arg(long, value_name = "FILE", requires = "attacks", help_heading = "Attacks")]
    control: Option<PathBuf>,
    /// How often each attack is tried
    #[arg(long, value_name = "NUMBER", requires = "attacks", default_value_t = Attacks::default().attacks, help_heading = "Attacks")]
    attacks_number: usize,
}

impl AttackArgs {
    /// Whether attacks are to be tried.
    pub(crate) fn wanted(&self) -> bool {
        self.attacks
    }

    /// The control, if there is one: before the search, so that what is wrong with it is said at once.
    ///
    /// # Errors
    /// If it cannot be read as the table is.
    pub(crate) fn control(
        &self,
        args: &TableArgs,
        settings: &Settings,
        file: Option<&File>,
    ) -> Result<Option<Table>, Failure> {
        let Some(path) = &self.control else { return Ok(None) };
        let columns = settings.quasi.iter().chain(&settings.sensitive).cloned().collect();
        args.read_of(From::Path(path), (Some(columns), None), file, edits(settings)).map(Some)
    }

    /// Tries them on what a run publishes, if that is asked for, and says what came of it.
    ///
    /// # Errors
    /// If a column is not in the control, or the number of attacks is 0.
    pub(crate) fn tried(
        &self,
        table: &Table,
        run: &Run,
        outcome: &Outcome,
        control: Option<&Table>,
    ) -> Result<Option<Attempts>, Failure> {
        let Some(prepared) = run.prepared().filter(|_| self.attacks) else { return Ok(None) };
        let wanted = Attacks { attacks: self.attacks_number, ..Attacks::default() };
        let tried = comparison::attacked(table, prepared, outcome, control, &wanted)
            .map_err(|error| Failure::input(error.said()))?;
        for words in &tried.words {
            say(&words.to_string());
        }
        Ok(Some(tried))
    }
}
