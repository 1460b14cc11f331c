//! `lookalike`: the command line and the HTTP worker.
//!
//! Every subcommand is a file with one function `run`; what they share is beside them: [`files`] (all outputs or
//! none), [`exit`] (what went wrong, as an exit code), [`signals`], [`progress`], [`args`], [`input`] (the table that is read).
#![forbid(unsafe_code)]

mod anonymize;
mod audit_log;
mod certificate;
mod check;
mod column_flags;
mod condition_flags;
mod configuration;
mod demo;
mod describe;
mod disclosed;
mod eligibility;
mod eligibility_flags;
mod exit;
mod files;
mod flag_values;
mod health;
mod hierarchy;
mod input;
mod local;
mod manifest;
mod manual;
#[cfg(feature = "nats")]
mod nats;
mod out_of_core;
mod output;
mod progress;
mod recoding;
mod remote;
mod republish;
mod scheme;
mod sent;
mod serve;
mod signals;
mod signature;
mod split_and_carry;
mod summary;
mod tables;
mod verify;
mod written;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

/// Publishes tables about people so that every record has lookalikes.
#[derive(Debug, Parser)]
#[command(
    version,
    long_version = concat!(env!("CARGO_PKG_VERSION"), "\nbuilt by ", env!("LOOKALIKE_COMPILER")),
    about,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Lookalike {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Anonymize a CSV with the least loss of information
    #[command(after_help = exit::CODES)]
    Anonymize(Box<anonymize::Anonymize>),
    /// Anonymize the next table of a series of releases, without undermining the earlier ones
    #[command(
        after_help = exit::CODES,
        mut_arg("eligibility", republish::default_of_series),
        mut_arg("fake", republish::default_of_series)
    )]
    Republish(Box<republish::Republish>),
    /// Say what the columns of a table are, which roles they may have, and why
    Describe(describe::Describe),
    /// Check whether a table, made here or elsewhere, keeps what is asked of it, and at what risk
    #[command(after_help = check::CODES)]
    Check(Box<check::Check>),
    /// Check whether files belong to a run, and what they prove about it
    #[command(after_help = verify::CODES)]
    Verify(verify::Verify),
    /// Say for which m a table can be published, and what it would cost
    Eligibility(eligibility::Eligibility),
    /// Make a generalisation hierarchy from the values of a column, to be edited and given to anonymize
    Hierarchy(hierarchy::Hierarchy),
    /// Anonymize a generated hospital table and explain the result
    Demo(demo::Demo),
    /// Serve the page and solve jobs that it sends
    Serve(serve::Serve),
    /// Solve blocks of other machines' searches through a NATS server
    #[cfg(feature = "nats")]
    Work(nats::work::Work),
    /// Say whether a worker on this machine answers
    #[command(after_help = health::CODES)]
    Health(health::Health),
    /// One search of a worker, started by it
    #[command(hide = true)]
    SearchApart(serve::apart::child::SearchApart),
    /// Reads one job, for a worker that started it
    #[command(hide = true)]
    ReadApart(serve::reading::child::ReadApart),
    /// One run on a whole table, for a worker that started it
    #[command(hide = true)]
    TableApart(tables::apart::TableApart),
    /// Look into the ledger of a series, check it and its releases, compare two states, change the passphrase
    Ledger(republish::ledgers::LedgerCommand),
    /// Read the audit log of a worker
    Log(audit_log::verify::LogCommand),
    /// Write the man pages
    Manual(manual::Manual),
    /// Print completions for a shell
    Completions(manual::Completions),
}

fn main() -> ExitCode {
    let result = match Lookalike::parse().command {
        Command::Anonymize(command) => anonymize::run(&command),
        Command::Republish(mut command) => republish::run(&mut command),
        Command::Describe(command) => describe::run(&command),
        Command::Check(command) => check::run(&command),
        Command::Verify(command) => verify::run(&command),
        Command::Eligibility(command) => eligibility::run(&command),
        Command::Hierarchy(command) => hierarchy::run(&command),
        Command::Demo(command) => demo::run(&command),
        Command::Serve(command) => serve::run(&command),
        #[cfg(feature = "nats")]
        Command::Work(command) => nats::work::run(&command),
        Command::Health(command) => health::run(&command),
        Command::SearchApart(command) => serve::apart::child::run(&command),
        Command::ReadApart(command) => serve::reading::child::run(&command),
        Command::TableApart(command) => tables::apart::run(&command),
        Command::Ledger(command) => republish::ledgers::run(&command),
        Command::Log(command) => audit_log::verify::run(&command),
        Command::Manual(command) => manual::pages(&command, Lookalike::command()),
        Command::Completions(command) => manual::completions(&command, &Lookalike::command()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            progress::say(&format!("error: {failure}"));
            ExitCode::from(failure.code())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The default that the help of a subcommand states for a flag.
    fn default_of(subcommand: &str, flag: &str) -> String {
        let program = Lookalike::command();
        let subcommand = program.find_subcommand(subcommand).unwrap();
        let arg = subcommand.get_arguments().find(|arg| arg.get_long() == Some(flag)).unwrap();
        let help = arg.get_help().unwrap().to_string();
        let (_, default) = help.split_once("[default: ").unwrap_or_else(|| panic!("{help}"));
        default.split([',', ']']).next().unwrap().to_owned()
    }

    #[test]
    fn the_help_of_each_command_states_its_defaults() {
        Lookalike::command().debug_assert();
        let of = |subcommand| ["eligibility", "fake"].map(|flag| default_of(subcommand, flag));
        assert_eq!(of("anonymize"), ["error", "rarest"]);
        assert_eq!(of("republish"), republish::defaults_of_series());
    }
}
