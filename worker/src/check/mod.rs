//! `lookalike check`: whether a table, ours or anybody's, keeps what is asked of it.

mod args;
mod attacks;
mod beside;
pub(crate) mod bound;
mod cells;
mod config;
mod fault;
mod json;
mod series;

use lookalike_core::{
    audit::attacks::{Attacked, Attacks},
    check::{Before, Findings, attack, attack_record, check, tell, tell_attacks},
    table::Table,
};
use lookalike_model::lines;
use serde_json::json;

pub(crate) use args::Check;

use crate::{anonymize::AuditFault, configuration, exit::Failure, files, input};

/// The exit codes, for the help text.
pub(crate) const CODES: &str = "\
Exit codes: 0 all that was asked holds; 1 something does not hold; 2 wrong usage or input; 4 input/output.

Examples:
  lookalike check OUT.csv --quasi age,sex --model k-anonymity --k 5
  lookalike check OUT.csv --quasi age,sex --sensitive disease --model l-diversity --l 3 --model t-closeness --t 0.2
  lookalike check OUT.csv --quasi age,sex --sensitive disease --model m-uniqueness --m 3 \\
      --original IN.csv --classes classes.csv
  lookalike check OUT.csv --config settings.json
  lookalike check OUT.csv --quasi age,sex,zip --sensitive disease --attacks --original IN.csv --control HELD-BACK.csv
  lookalike check R1.csv R2.csv R3.csv --quasi age,sex --sensitive disease --model m-invariance --m 3 \\
      --sources S1.csv S2.csv S3.csv --id patient
  lookalike check R1.csv R2.csv R3.csv --model tau-safety --m 3 --ledger ledger.json --individual 4711
  lookalike check IN.csv --quasi age,sex --certificate certificate.json";

/// Runs the command.
pub(crate) fn run(args: &Check) -> Result<(), Failure> {
    if args.bound.certificate.is_some() {
        return bound::run(args);
    }
    let (told, broken) = judged(args)?;
    files::tell(&told)?;
    match broken {
        0 => Ok(()),
        broken => Err(Failure::audit(AuditFault::Checks { broken })),
    }
}

/// Judges a table or a series: what is told, and the number of checks that do not hold.
///
/// # Errors
/// If something cannot be read, or what is asked makes no sense.
pub(crate) fn judged(args: &Check) -> Result<(String, usize), Failure> {
    if series::asked(args)? {
        return series::judge(args);
    }
    let table = args.table.read(None, args.table.edits(args.cells.markers())?)?;
    let Judged { found, attacks } = judge(args, &table)?;
    let told = if args.json {
        let attacks =
            attacks.as_ref().map(|(wanted, found)| attack_record(wanted, found, |said| json!(said)));
        json::tell(&found, attacks.as_ref())?
    } else {
        let mut all = tell(&found);
        all.extend(attacks.iter().flat_map(|(_, found)| tell_attacks(found)));
        lines::text(&all)
    };
    Ok((told, found.broken()))
}

/// What is found of one table.
///
/// # Errors
/// If something cannot be read, or what is asked makes no sense.
pub(crate) fn found(args: &Check) -> Result<Findings, Failure> {
    let table = args.table.read(None, args.table.edits(args.cells.markers())?)?;
    Ok(judge(args, &table)?.found)
}

/// What was found of one table.
struct Judged {
    found: Findings,
    /// The attacks that were asked for, and what came of them.
    attacks: Option<(Attacks, Attacked)>,
}

fn judge(args: &Check, table: &Table) -> Result<Judged, Failure> {
    let file = args.config.as_deref().map(configuration::read).transpose()?;
    let told = config::FromConfiguration::of(file.as_ref())?;
    let before = told.before.clone();
    let asked = args.asked(table, told)?;
    let beside =
        |path: Option<&std::path::Path>| path.map(|path| args.original_table(path, &before)).transpose();
    let original = beside(args.original.as_deref())?;
    let classes = args.classes.as_deref().map(input::own_table).transpose()?;
    let of = original.as_ref().map(|original| Before { original, classes: classes.as_ref() });
    let found = check(table, &asked, of).map_err(|error| Failure::input(error.said()))?;
    let attacks = match (args.attacks.wanted(), &original) {
        (Some(wanted), Some(original)) => {
            let control = beside(args.attacks.control.as_deref())?;
            let tried = attack(table, &asked, (original, control.as_ref()), &wanted);
            Some((wanted, tried.map_err(|error| Failure::input(error.said()))?))
        }
        _ => None,
    };
    Ok(Judged { found, attacks })
}
