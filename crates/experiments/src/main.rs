//! `lookalike-experiments [SERIES] --data FOLDER [--only ID] [--out FOLDER] [--cells FOLDER]
//! [--minutes M] [--check]`
//!
//! Without a series: `eligibility`; with `--check` all, and no network is needed.

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, Result, bail};
use lookalike_experiments::{SERIES, check, peers, run, series};

const USAGE: &str = "usage: lookalike-experiments [SERIES] --data FOLDER [--only ID] [--out FOLDER] [--cells FOLDER] \
                     [--minutes M] [--check]";

/// What is asked for.
struct Args {
    series: Option<String>,
    data: PathBuf,
    only: Option<String>,
    out: PathBuf,
    cells: PathBuf,
    minutes: Option<f64>,
    check: bool,
}

fn main() -> ExitCode {
    match args().and_then(|args| work(&args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("experiments: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn args() -> Result<Args> {
    let mut args = Args {
        series: None,
        data: PathBuf::from("../shared/data"),
        only: None,
        out: PathBuf::from("docs/results"),
        cells: PathBuf::from("target/experiments"),
        minutes: None,
        check: false,
    };
    let mut given = std::env::args().skip(1);
    while let Some(arg) = given.next() {
        let mut value = || given.next().with_context(|| format!("{arg} takes a value\n{USAGE}"));
        match arg.as_str() {
            "--data" => args.data = value()?.into(),
            "--only" => args.only = Some(value()?),
            "--out" => args.out = value()?.into(),
            "--cells" => args.cells = value()?.into(),
            "--minutes" => {
                let minutes = value()?;
                args.minutes = Some(minutes.parse().with_context(|| format!("{minutes} is no number"))?);
            }
            "--check" => args.check = true,
            name if !name.starts_with('-') => args.series = Some(name.to_owned()),
            _ => bail!("unknown flag {arg}\n{USAGE}"),
        }
    }
    Ok(args)
}

fn work(args: &Args) -> Result<()> {
    if args.check {
        let all = SERIES.map(String::from);
        return args
            .series
            .as_ref()
            .map_or(&all[..], std::slice::from_ref)
            .iter()
            .try_for_each(|name| again(args, name));
    }
    let name = args.series.as_deref().unwrap_or(SERIES[0]);
    let experiments = series(name, &args.data)?;
    if name == "peers"
        && let Err(why) = peers::prepare()
    {
        eprintln!("experiments: skipped, the public tools cannot be had: {why:#}");
        return Ok(());
    }
    run(name, &experiments, args.only.as_deref(), &args.out, &args.cells, args.minutes)
}

/// Computes one row of each table of a series again.
fn again(args: &Args, name: &str) -> Result<()> {
    let experiments = series(name, &args.data)?;
    let differences = check(name, &experiments, &args.out)?;
    if !differences.is_empty() {
        bail!("{} results of {name} differ:\n  {}", differences.len(), differences.join("\n  "));
    }
    eprintln!("experiments: {name}: one row of each table came out as written, where that takes no network");
    Ok(())
}
