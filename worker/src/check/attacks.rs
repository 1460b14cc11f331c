//! The flags of `lookalike check` that try attacks.

use std::path::PathBuf;

use lookalike_core::audit::attacks::Attacks;

use crate::flag_values::List;

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct AttackArgs {
    /// Try singling out, linkability and inference on the table, by the columns of --quasi, and say how often they succeed
    #[arg(long, requires = "original", conflicts_with = "certificate", help_heading = "Attacks")]
    pub(super) attacks: bool,
    /// Rows like those of --original that were not published: attacks that succeed on them too learn what the table tells of
    /// people in general. Without them, rates are upper readings
    #[arg(long, value_name = "FILE", requires = "attacks", help_heading = "Attacks")]
    pub(super) control: Option<PathBuf>,
    /// The column that is to be inferred [default: that of --sensitive]
    #[arg(long, value_name = "COLUMN", requires = "attacks", help_heading = "Attacks")]
    attacks_secret: Option<String>,
    /// Columns of --quasi that one source has and the other does not, to link the two [default: every second one, from the first]
    #[arg(long, value_name = "COLUMNS", requires = "attacks", help_heading = "Attacks")]
    attacks_first: Option<List>,
    /// How often each attack is tried
    #[arg(long, value_name = "NUMBER", default_value_t = Attacks::default().attacks, help_heading = "Attacks")]
    attacks_number: usize,
    /// Seed of what attackers draw
    #[arg(long, value_name = "SEED", default_value_t = Attacks::default().seed, help_heading = "Attacks")]
    attacks_seed: u64,
    /// Confidence of the intervals, between 0 and 1
    #[arg(long, value_name = "SHARE", default_value_t = Attacks::default().confidence, help_heading = "Attacks")]
    attacks_confidence: f64,
    /// How many published rows count as near to either part of a person, to link the two
    #[arg(long, value_name = "NUMBER", default_value_t = Attacks::default().neighbours, help_heading = "Attacks")]
    attacks_neighbours: usize,
    /// How many columns a predicate has that singles out by several
    #[arg(long, value_name = "NUMBER", default_value_t = Attacks::default().predicate_columns, help_heading = "Attacks")]
    attacks_columns: usize,
    /// Relative error up to which a number counts as inferred
    #[arg(long, value_name = "SHARE", default_value_t = Attacks::default().tolerance, help_heading = "Attacks")]
    attacks_tolerance: f64,
}

impl AttackArgs {
    /// What is to be tried, if anything; the core knows the columns.
    pub(super) fn wanted(&self) -> Option<Attacks> {
        self.attacks.then(|| Attacks {
            columns: Vec::new(),
            first: self.attacks_first.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
            secret: self.attacks_secret.clone(),
            attacks: self.attacks_number,
            seed: self.attacks_seed,
            confidence: self.attacks_confidence,
            predicate_columns: self.attacks_columns,
            neighbours: self.attacks_neighbours,
            tolerance: self.attacks_tolerance,
            ..Attacks::default()
        })
    }
}
