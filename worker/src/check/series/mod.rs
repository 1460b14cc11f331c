//! `lookalike check R1.csv R2.csv ... --model m-invariance`: several releases together.

mod json;

use std::path::PathBuf;

use lookalike_core::{
    audit::{
        Assessment,
        series::{self, Evidence, Invariance, Ledger, Published, Question, Verdict, WORST, fingerprint},
    },
    check::{check_series, tell_series},
    table::Table,
};
use lookalike_model::{lines, settings::ClassColumn};

use super::{Check, config::FromConfiguration, fault::CheckFault};
use crate::{
    configuration,
    exit::Failure,
    files::{self, is_stdin},
    republish::{Named, Seal, Unsealed},
};

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct SeriesArgs {
    /// Later releases of the same series, in their order (m-invariance, tau-safety)
    #[arg(value_name = "RELEASE")]
    pub(super) later: Vec<PathBuf>,
    /// The tables that were published, one for each release, in the same order: judges as an attacker would who knows everybody's
    /// quasi-identifiers and who is in (with --id)
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        requires = "id",
        conflicts_with_all = ["ledger", "certificate"],
        help_heading = "Series"
    )]
    sources: Vec<PathBuf>,
    /// The column of the sources that names individuals
    #[arg(long, value_name = "COLUMN", requires = "sources", help_heading = "Series")]
    id: Option<String>,
    /// The ledger of the series: judges exactly; names the columns, too, unless --quasi and --sensitive do
    #[arg(long, value_name = "FILE", conflicts_with = "certificate", help_heading = "Series")]
    ledger: Option<PathBuf>,
    /// File whose first line is the passphrase of a sealed ledger
    #[arg(
        long,
        value_name = "FILE",
        requires = "ledger",
        conflicts_with = "identity",
        help_heading = "Series"
    )]
    passphrase_file: Option<PathBuf>,
    /// File of your key (`age-keygen`), of a ledger that is sealed to it
    #[arg(long, value_name = "FILE", requires = "ledger", help_heading = "Series")]
    identity: Option<PathBuf>,
    /// Public key (age1...) of another person who may have sealed the ledger, or a file of such keys; may be given several times
    #[arg(long, value_name = "KEY", requires = "identity", help_heading = "Series")]
    sealed_by: Vec<String>,
    /// Show what is left of the values of this individual after each release; may be given several times [default: the
    /// individuals that are worst off]
    #[arg(long, value_name = "NAME", help_heading = "Series")]
    individual: Vec<String>,
    /// How many individuals are shown, the worst off first
    #[arg(long, value_name = "NUMBER", conflicts_with = "individual", help_heading = "Series")]
    worst: Option<usize>,
}

impl SeriesArgs {
    /// A flag of this kind, if one is given.
    fn given(&self) -> Option<&'static str> {
        let flags = [
            ("--sources", !self.sources.is_empty()),
            ("--ledger", self.ledger.is_some()),
            ("--individual", !self.individual.is_empty()),
            ("--worst", self.worst.is_some()),
            ("a second table", !self.later.is_empty()),
        ];
        flags.into_iter().find_map(|(flag, given)| given.then_some(flag))
    }
}

/// The guarantee over several releases that is asked for, if one is.
fn model(args: &Check) -> Option<Invariance> {
    let all = [Invariance::MInvariance, Invariance::TauSafety];
    all.into_iter().find(|model| args.model.iter().any(|name| name == model.name()))
}

/// Whether the question is about a series.
///
/// # Errors
/// If it is half about a series and half about one table.
pub(super) fn asked(args: &Check) -> Result<bool, Failure> {
    let refuse = |why| Err(Failure::input(why));
    let Some(model) = model(args) else {
        return match args.series.given() {
            None => Ok(false),
            Some(flag) => refuse(CheckFault::OfSeries { flag }),
        };
    };
    if args.model.len() > 1 {
        return refuse(CheckFault::OneGuarantee);
    }
    match (args.about_one_table(), args.series.given()) {
        (None, _) => Ok(true),
        (Some(flag), None) => refuse(CheckFault::OfOneRelease { flag, model: model.name() }),
        (Some(flag), Some(_)) => refuse(CheckFault::OfOneTable { flag }),
    }
}

/// Judges a series: what is told, and the number of checks that do not hold.
pub(super) fn judge(args: &Check) -> Result<(String, usize), Failure> {
    let flags = &args.series;
    let paths: Vec<&PathBuf> = [&args.table.input].into_iter().chain(&flags.later).collect();
    let ledger = flags.ledger.as_ref().map(|path| {
        let named = Named {
            passphrase: flags.passphrase_file.as_deref(),
            identity: flags.identity.as_deref(),
            others: &flags.sealed_by,
        };
        let seal = Seal::named(named, Unsealed::Refused)?;
        seal.warn(named);
        let bytes = files::read(path)?;
        Ledger::read(&seal.open(path, &bytes)?).map_err(|error| Failure::in_file(path, error))
    });
    let ledger = ledger.transpose()?;
    let file = args.config.as_deref().map(configuration::read).transpose()?;
    let told = FromConfiguration::of(file.as_ref())?;
    let question = question(args, &told, ledger.as_ref())?;
    let edits = args.table.edits(args.cells.markers())?;
    let tables = paths.iter().map(|path| args.table.read_from(path, (None, None), None, edits.clone()));
    let tables = tables.collect::<Result<Vec<_>, _>>()?;
    named(args, &tables)?;
    let hashes = match &ledger {
        Some(_) => hashes(&paths)?,
        None => Vec::new(),
    };
    let published: Vec<Published> = tables
        .iter()
        .enumerate()
        .map(|(at, table)| Published { table, hash: hashes.get(at).map(String::as_str) })
        .collect();
    let sources = flags
        .sources
        .iter()
        .map(|path| args.original_table(path, &told.before))
        .collect::<Result<Vec<_>, _>>()?;
    let reading = args.cells.reading(told.reading)?;
    let evidence = match (&ledger, &flags.id) {
        (Some(ledger), _) => Evidence::Ledger(ledger),
        (None, Some(id)) => Evidence::Sources { tables: &sources, id, reading: &reading },
        (None, None) => Evidence::Alone,
    };
    let judged = if args.class == Some(ClassColumn::None) {
        series::judge(&published, &question, evidence)
    } else {
        check_series(&published, &question, evidence)
    };
    let verdict = judged.map_err(Failure::input)?;
    let told = if args.json { json::tell(&verdict, evidence)? } else { lines::text(&tell_series(&verdict)) };
    Ok((told, broken(&verdict)))
}

/// What flags, configuration and ledger say, in this order.
fn question(args: &Check, told: &FromConfiguration, ledger: Option<&Ledger>) -> Result<Question, Failure> {
    let needs = |flag: &'static str| Failure::input(CheckFault::Needs { model: args.model[0].clone(), flag });
    let quasi = args.quasi.as_ref().map(|list| list.0.clone());
    let quasi = quasi.or_else(|| (!told.quasi.is_empty()).then(|| told.quasi.clone()));
    let quasi = quasi.or_else(|| ledger.map(Ledger::quasi));
    let sensitive = args.sensitive.clone().or_else(|| told.sensitive.clone());
    let sensitive = sensitive.or_else(|| ledger.and_then(|ledger| ledger.sensitive().map(String::from)));
    Ok(Question {
        model: model(args).ok_or_else(|| needs("--model"))?,
        m: args.m.ok_or_else(|| needs("--m"))?,
        quasi: quasi.unwrap_or_default(),
        sensitive: sensitive.ok_or_else(|| needs("--sensitive"))?,
        class: class(args).map(str::to_owned),
        suppressed: args.cells.suppressed(),
        individuals: args.series.individual.clone(),
        worst: args.series.worst.unwrap_or(WORST),
    })
}

/// The class column that is named.
fn class(args: &Check) -> Option<&str> {
    args.class.as_ref().and_then(ClassColumn::name)
}

/// Refuses a class column that a release does not have.
fn named(args: &Check, tables: &[Table]) -> Result<(), Failure> {
    let Some(class) = class(args) else { return Ok(()) };
    match tables.iter().position(|table| table.column(class).is_none()) {
        None => Ok(()),
        Some(at) => Err(Failure::input(CheckFault::NoClass { release: at + 1, class: class.into() })),
    }
}

/// The bytes of each release, as the ledger names them.
fn hashes(paths: &[&PathBuf]) -> Result<Vec<String>, Failure> {
    let hash = |path: &&PathBuf| {
        if is_stdin(path) {
            return Err(Failure::input(CheckFault::NoFile));
        }
        let bytes = files::read(path)?;
        Ok(fingerprint(&bytes))
    };
    paths.iter().map(hash).collect()
}

/// Number of checks that do not hold.
fn broken(verdict: &Verdict) -> usize {
    let of_one = |release: &Assessment| {
        let checks = release.findings.iter().map(|finding| &finding.check).chain(&release.notes);
        checks.filter(|check| !check.passed).count()
    };
    let releases: usize = verdict.releases.iter().map(of_one).sum();
    releases + verdict.checks.iter().filter(|check| !check.passed).count()
}
