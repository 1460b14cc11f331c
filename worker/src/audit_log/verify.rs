//! `lookalike log verify`: whether an audit log is whole.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::PathBuf,
};

use clap::{Args, Subcommand};

use super::{
    chain::{Fault, Log, read},
    fault::{LogFault, LogTold},
};
use crate::{
    exit::{Attempt, Failure},
    files,
};

/// The exit codes, for the help text.
pub(crate) const CODES: &str =
    "Exit codes: 0 the log is whole; 1 it is not; 2 wrong usage; 4 it cannot be read.";

/// The subcommands.
#[derive(Debug, Args)]
pub(crate) struct LogCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check whether an audit log of `serve --audit-log` is whole: nothing changed, inserted or removed
    #[command(after_help = CODES)]
    Verify(Verify),
}

/// The flags.
#[derive(Debug, Args)]
struct Verify {
    /// The log, `-` for standard input; lines of the system's log may be given as it has them
    #[arg(value_name = "FILE")]
    log: PathBuf,
    /// Digest of the last entry, noted elsewhere earlier: without it, a missing end of the log goes unnoticed
    #[arg(long, value_name = "SHA256")]
    head: Option<String>,
    /// Accept several chains, as the system's log has after the worker was started again
    #[arg(long)]
    chains: bool,
}

/// Runs the command.
///
/// # Errors
/// If the log is not whole, or cannot be read.
pub(crate) fn run(args: &LogCommand) -> Result<(), Failure> {
    let Command::Verify(args) = &args.command;
    let source: Box<dyn BufRead> = if args.log.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(&args.log).map_err(|e| Failure::io(Attempt::Read, &args.log, &e))?;
        Box::new(BufReader::new(file))
    };
    let broken = |why: LogFault| Failure::Audit { why: why.into(), witnesses: Vec::new() };
    let log = read(source).map_err(|fault| match fault {
        Fault::Broken(why) => broken(why),
        Fault::Unread(error) => Failure::io(Attempt::Read, &args.log, &error),
    })?;
    if let Some(why) = wrong(args, &log) {
        return Err(broken(why));
    }
    files::tell(&told(&log))
}

/// What is wrong with a log whose lines fit together.
fn wrong(args: &Verify, log: &Log) -> Option<LogFault> {
    if log.tail > 0 {
        return Some(LogFault::Tail { bytes: log.tail });
    }
    if log.entries == 0 {
        return Some(LogFault::Empty);
    }
    if let Some(line) = log.begins.first().filter(|_| !args.chains) {
        return Some(LogFault::Begins { line: *line });
    }
    let other = args.head.as_ref().is_some_and(|head| !head.eq_ignore_ascii_case(&log.head.digest));
    other.then(|| LogFault::OtherHead { found: log.head.digest.clone() })
}

/// What is told of a whole log, a line each.
fn told(log: &Log) -> String {
    let (first, last) = log.times.clone().unwrap_or_default();
    let whole = LogTold::Whole { entries: log.entries, first, last, head: log.head.digest.clone() };
    let mut lines = vec![whole.to_string()];
    if log.torn > 0 {
        lines.push(LogTold::Torn { lines: log.torn }.to_string());
    }
    if log.back > 0 {
        lines.push(LogTold::Back { entries: log.back }.to_string());
    }
    if !log.begins.is_empty() {
        lines.push(LogTold::Begins { lines: log.begins.clone() }.to_string());
    }
    lines.push(LogTold::Head.to_string());
    lines.push(String::new());
    lines.join("\n")
}
