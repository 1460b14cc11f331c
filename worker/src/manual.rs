//! `lookalike manual` and `lookalike completions`: what an installation puts beside the program, made from the same
//! descriptions as `--help`.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::{
    exit::{Attempt, Failure},
    files,
};

/// The flags of `manual`.
#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// Folder for the pages, one a subcommand; it must exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// The flags of `completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes the man pages.
pub(crate) fn pages(args: &Manual, program: Command) -> Result<(), Failure> {
    let folder = &args.folder;
    clap_mangen::generate_to(program, folder).map_err(|e| Failure::io(Attempt::WriteManual, folder, &e))
}

/// Prints the completions, without what is hidden.
pub(crate) fn completions(args: &Completions, program: &Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    let name = program.get_name().to_owned();
    let mut shown = Command::new("lookalike")
        .version(env!("CARGO_PKG_VERSION"))
        .propagate_version(true)
        .args(program.get_arguments())
        .subcommands(program.get_subcommands().filter(|command| !command.is_hide_set()));
    clap_complete::generate(args.shell, &mut shown, name, &mut text);
    files::print(&text)
}
