//! `lookalike demo`.
use crate::exit::Failure;
use clap::Args;
/// No flags.
#[derive(Debug, Args)]
pub(crate) struct Demo {}
/// Runs the command.
pub(crate) fn run(_args: &Demo) -> Result<(), Failure> {
    Ok(())
}
