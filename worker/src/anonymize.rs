//! `lookalike anonymize`: a CSV in, a published CSV out, and the records of the run.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use clap::Args;
use lookalike_core::{
    pipeline::{Outcome, finish, prepare},
    solve::solve,
    table::{self, ReadOptions, Table},
};
use lookalike_wire::settings::{Budget, Kind, Loss, Method, MissingPolicy, Model, Publish, Repair, Settings};

use crate::{
    args::{List, MissingArgs, Pairs, choice, named, percent, policy, seconds},
    exit::Failure,
    files::{self, Secrecy},
    local::{self, Surroundings},
    progress::say,
    remote::Remote,
    signals, summary,
};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Anonymize {
    /// The table: a CSV with a header row, UTF-8; `-` reads standard input
    #[arg(value_name = "IN.csv")]
    input: PathBuf,

    /// Columns that an attacker may know: age,sex,"city, state"
    #[arg(long, value_name = "COLUMNS", help_heading = "Columns")]
    quasi: List,
    /// The column whose values are to be protected
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    sensitive: Option<List>,
    /// Columns without a role that are published all the same, and audited as quasi-identifiers
    #[arg(long, value_name = "COLUMNS", help_heading = "Columns")]
    keep: Option<List>,
    /// Kinds of columns, where the guess is wrong: zip=category,score=number
    #[arg(long, value_name = "COLUMN=KIND", help_heading = "Columns")]
    kind: Option<Pairs>,
    #[command(flatten, next_help_heading = "Columns")]
    missing: MissingArgs,
    /// What becomes of a row with a missing quasi-identifier
    #[arg(long, value_name = "POLICY", default_value = "error", value_parser = policy(), help_heading = "Columns")]
    missing_quasi: MissingPolicy,

    /// The guarantee
    #[arg(long, value_parser = ["m-invariance", "k-anonymity"], help_heading = "Guarantee")]
    model: String,
    /// Least number of different sensitive values in a class (m-invariance)
    #[arg(long, required_if_eq("model", "m-invariance"), help_heading = "Guarantee")]
    m: Option<usize>,
    /// Least class size (k-anonymity)
    #[arg(long, required_if_eq("model", "k-anonymity"), help_heading = "Guarantee")]
    k: Option<usize>,
    /// What to do when one sensitive value is held by more than 1/m of the records
    #[arg(
        long,
        value_name = "REPAIR",
        default_value = "error",
        value_parser = choice::<Repair>(&["error", "add", "delete", "hybrid"]),
        help_heading = "Guarantee"
    )]
    eligibility: Repair,

    /// What a class costs
    #[arg(long, default_value = "sse", value_parser = choice::<Loss>(&["sse"]), help_heading = "Search")]
    loss: Loss,
    /// Weights of the quasi-identifiers in the loss, of sum 1 [default: equal]
    #[arg(long, value_name = "COLUMN=WEIGHT", help_heading = "Search")]
    weights: Option<Pairs>,
    /// How classes are found
    #[arg(
        long,
        default_value = "auto",
        value_parser = choice::<Method>(&["auto", "classic", "annealing", "column-generation"]),
        help_heading = "Search"
    )]
    method: Method,
    /// How long to search, in proportion to the records; the result is reproducible [default: 5]
    #[arg(long, value_name = "NUMBER", conflicts_with = "time_limit", help_heading = "Search")]
    effort: Option<f64>,
    /// How long to search, such as 20s or 2m; the result is not reproducible
    #[arg(long, value_name = "TIME", value_parser = seconds, help_heading = "Search")]
    time_limit: Option<f64>,
    /// Stop once the loss is proven to be within this many per cent of the best possible (column generation)
    #[arg(long, value_name = "NUMBER", value_parser = percent, help_heading = "Search")]
    stop_gap_percent: Option<f64>,
    /// Seed of every random choice [default: from the operating system, noted in private.json]
    #[arg(long, help_heading = "Search")]
    seed: Option<u64>,
    /// Threads to search with [default: all]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..), help_heading = "Search")]
    threads: Option<u16>,
    /// Let this worker search: it receives numbers without names
    #[arg(long, value_name = "URL", conflicts_with = "threads", help_heading = "Search")]
    worker: Option<String>,
    /// File with the worker's token [default: from the environment, `LOOKALIKE_TOKEN`]
    #[arg(long, value_name = "FILE", requires = "worker", help_heading = "Search")]
    token_file: Option<PathBuf>,

    /// How a class is published
    #[arg(
        long,
        value_name = "FORM",
        default_value = "range",
        value_parser = choice::<Publish>(&["range", "set", "centroid"]),
        help_heading = "Output"
    )]
    publish: Publish,
    /// The published table [default: standard output]
    #[arg(short, long, value_name = "OUT.csv", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Report of the run, publishable
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    /// Record of the run with seed and fates of rows: not to be published
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    private: Option<PathBuf>,
    /// Which input row is in which class: not to be published
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    classes: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Anonymize) -> Result<(), Failure> {
    let mut settings = args.settings()?;
    let remote = match &args.worker {
        Some(url) => Some(Remote::new(url, args.token_file.as_deref())?),
        None => None,
    };
    if settings.seed.is_none() {
        settings.seed = Some(entropy()?);
    }
    let bytes = files::read(&args.input)?;
    let table = table::read(&bytes, &ReadOptions::default())?;
    drop(bytes);
    summary::table_warnings(&table);

    signals::watch().map_err(|e| Failure::System(format!("cannot listen for signals: {e}")))?;
    let outputs = args.outputs();
    let named: Vec<_> = outputs.iter().map(|(path, what)| (*path, what.secrecy())).collect();
    let staged = files::stage(&args.input, &named)?;

    let outcome = work(args, &table, &settings, remote.as_ref())?;
    judge(&outcome)?;
    if let Some(signal) = signals::caught()
        && args.output.is_none()
    {
        let kept = String::from("nothing was written, since no file was named with -o");
        return Err(Failure::Interrupted { signal, kept });
    }

    let contents = outputs.iter().map(|(_, what)| what.bytes(&outcome)).collect::<Result<Vec<_>, _>>()?;
    let contents: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
    files::commit(staged, &contents)?;
    if args.output.is_none() {
        files::print(&outcome.published)?;
    }
    summary::outcome(&outcome);
    let written: Vec<_> = outputs.iter().rev().map(|(path, _)| path.display().to_string()).collect();
    if let Some(signal) = signals::caught() {
        let kept = format!("the best so far was written to {}", written.join(", "));
        return Err(Failure::Interrupted { signal, kept });
    }
    if !written.is_empty() {
        say(&format!("written: {}", written.join(", ")));
    }
    Ok(())
}

/// The way from the table to its release, here or with the worker's help.
fn work(
    args: &Anonymize,
    table: &Table,
    settings: &Settings,
    remote: Option<&Remote>,
) -> Result<Outcome, Failure> {
    let around = Surroundings::new();
    let pool = local::pool(args.threads.map(usize::from))?;
    let prepared = pool.install(|| around.with(|ctx| prepare(table, settings, ctx)))?;
    let answer = match remote {
        Some(remote) => remote.solve(prepared.job(), &around.view)?,
        None => pool.install(|| around.with(|ctx| solve(prepared.job(), ctx)))?,
    };
    let outcome = pool.install(|| around.with(|ctx| finish(table, &prepared, &answer, ctx)));
    around.view.clear();
    Ok(outcome?)
}

/// Nothing leaves without a passed audit.
fn judge(outcome: &Outcome) -> Result<(), Failure> {
    if outcome.report.audit.passed {
        return Ok(());
    }
    let failed = outcome.report.audit.checks.iter().filter(|c| !c.passed);
    let found: Vec<_> = failed.map(|c| format!("{}: {}", c.name, c.finding)).collect();
    let mut text = format!("the audit failed, nothing was written: {}", found.join("; "));
    for witness in &outcome.private.witnesses {
        text.push_str("\n  ");
        text.push_str(witness);
    }
    match signals::caught() {
        Some(signal) => Err(Failure::Interrupted { signal, kept: text }),
        None => Err(Failure::Audit(text)),
    }
}

/// One of the files that a run writes.
#[derive(Clone, Copy)]
enum Output {
    Published,
    Report,
    Private,
    Classes,
}

impl Output {
    fn secrecy(self) -> Secrecy {
        match self {
            Self::Published | Self::Report => Secrecy::Publishable,
            Self::Private | Self::Classes => Secrecy::Private,
        }
    }

    fn bytes(self, outcome: &Outcome) -> Result<Vec<u8>, Failure> {
        let json = match self {
            Self::Published => return Ok(outcome.published.clone()),
            Self::Classes => return Ok(outcome.classes.clone()),
            Self::Report => serde_json::to_vec_pretty(&outcome.report),
            Self::Private => serde_json::to_vec_pretty(&outcome.private),
        };
        let mut bytes = json.map_err(|e| Failure::System(format!("cannot write the report as JSON: {e}")))?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

impl Anonymize {
    /// The files to write, in the order of their renaming: the release last, so that it never stands there without
    /// the records that belong to it.
    fn outputs(&self) -> Vec<(&Path, Output)> {
        let files = [
            (&self.classes, Output::Classes),
            (&self.private, Output::Private),
            (&self.report, Output::Report),
            (&self.output, Output::Published),
        ];
        files.into_iter().filter_map(|(path, what)| Some((path.as_deref()?, what))).collect()
    }

    fn settings(&self) -> Result<Settings, Failure> {
        Ok(Settings {
            quasi: self.quasi.0.clone(),
            sensitive: self.sensitive()?,
            keep: self.keep.clone().unwrap_or_default().0,
            kinds: self.kinds()?,
            model: self.model()?,
            loss: self.loss,
            weights: self.weights()?,
            method: self.method,
            publish: self.publish,
            eligibility: self.eligibility()?,
            missing: self.missing.settings(self.missing_quasi),
            budget: match (self.effort, self.time_limit) {
                (_, Some(seconds)) => Budget::Seconds(seconds),
                (Some(effort), None) => Budget::Effort(effort),
                (None, None) => Budget::default(),
            },
            stop_gap_percent: self.stop_gap_percent,
            seed: self.seed,
        })
    }

    fn sensitive(&self) -> Result<Option<String>, Failure> {
        match self.sensitive.as_ref().map(|l| l.0.as_slice()) {
            None => Ok(None),
            Some([one]) => Ok(Some(one.clone())),
            Some(several) => Err(Failure::Input(format!(
                "two sensitive columns ({}): one column can be protected; give the others to --quasi or leave them out \
                 (a name that holds a comma stands in double quotes)",
                several.join(", ")
            ))),
        }
    }

    fn model(&self) -> Result<Model, Failure> {
        match (self.model.as_str(), self.m, self.k) {
            ("m-invariance", Some(m), None) => Ok(Model::MInvariance { m }),
            ("k-anonymity", None, Some(k)) => Ok(Model::KAnonymity { k }),
            ("m-invariance", ..) => Err(Failure::Input(String::from("m-invariance takes --m, and no --k"))),
            _ => Err(Failure::Input(String::from("k-anonymity takes --k, and no --m"))),
        }
    }

    /// Only m-invariance has something to repair; elsewhere the flag would be ignored.
    fn eligibility(&self) -> Result<Repair, Failure> {
        if self.k.is_some() && self.eligibility != Repair::Error {
            return Err(Failure::Input(String::from("--eligibility belongs to m-invariance; leave it out")));
        }
        Ok(self.eligibility)
    }

    fn weights(&self) -> Result<BTreeMap<String, f64>, Failure> {
        let mut weights = BTreeMap::new();
        for (name, value) in self.weights.iter().flat_map(|p| &p.0) {
            let weight = value.parse().map_err(|_| {
                Failure::Input(format!("the weight of {name:?} is {value:?}, which is no number"))
            })?;
            weights.insert(name.clone(), weight);
        }
        Ok(weights)
    }

    fn kinds(&self) -> Result<BTreeMap<String, Kind>, Failure> {
        let mut kinds = BTreeMap::new();
        for (name, value) in self.kind.iter().flat_map(|p| &p.0) {
            let kind = named(value).map_err(|_| {
                Failure::Input(format!("the kind of {name:?} is {value:?}; a kind is number or category"))
            })?;
            kinds.insert(name.clone(), kind);
        }
        Ok(kinds)
    }
}

/// A seed from the operating system.
fn entropy() -> Result<u64, Failure> {
    getrandom::u64()
        .map_err(|e| Failure::System(format!("the operating system gives no random numbers: {e}")))
}
