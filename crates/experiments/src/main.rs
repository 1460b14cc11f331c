//! `lookalike-experiments [SERIES] --data FOLDER [--only ID] [--out FOLDER] [--cells FOLDER]
//! [--minutes M] [--params FILE] [--check]`
//!
//! `league --data FOLDER [--only DATA-SET] [--out FOLDER] [--cells FOLDER] [--minutes M] [--arx FILE]`
//!
//! Without a series: `eligibility`; with `--check` all, and no network is needed. `pycanon` takes `--out` only,
//! `anonymeter` `--data` and `--out`. With `--params` our column
//! generation has the parameters of a JSON file, and what comes of it goes to folders of its own.

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, Result, bail};
use lookalike_experiments::{SERIES, anonymeter, check, league, parameters, peers, pycanon, run, series};

const USAGE: &str = "usage: lookalike-experiments [SERIES] --data FOLDER [--only ID] [--out FOLDER] [--cells FOLDER] \
                     [--minutes M] [--params FILE] [--check]; league takes --arx FILE as well";

/// Where results and finished rows go.
const OUT: &str = "docs/results";
const CELLS: &str = "target/experiments";

/// What is asked for.
struct Args {
    series: Option<String>,
    data: PathBuf,
    only: Option<String>,
    out: PathBuf,
    cells: PathBuf,
    minutes: Option<f64>,
    params: Option<PathBuf>,
    arx: Option<PathBuf>,
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
        out: PathBuf::from(OUT),
        cells: PathBuf::from(CELLS),
        minutes: None,
        params: None,
        arx: None,
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
            "--params" => args.params = Some(value()?.into()),
            "--arx" => args.arx = Some(value()?.into()),
            "--check" => args.check = true,
            name if !name.starts_with('-') => args.series = Some(name.to_owned()),
            _ => bail!("unknown flag {arg}\n{USAGE}"),
        }
    }
    if args.arx.is_some() && args.series.as_deref() != Some(league::NAME) {
        bail!("--arx is for the series {}\n{USAGE}", league::NAME);
    }
    Ok(args)
}

fn work(args: &Args) -> Result<()> {
    if let Some(file) = &args.params {
        let usual = [OUT, CELLS].map(PathBuf::from);
        if args.check || usual.contains(&args.out) || usual.contains(&args.cells) {
            bail!("results of other parameters belong elsewhere: give --out and --cells, and no --check");
        }
        parameters::read(file)?;
    }
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
    if name == pycanon::NAME {
        return pycanon::run(&args.out);
    }
    if name == anonymeter::NAME {
        return anonymeter::run(&args.data, &args.out);
    }
    if name == league::NAME {
        return league::run(&league::Options {
            data: &args.data,
            out: &args.out,
            cells: &args.cells,
            only: args.only.as_deref(),
            minutes: args.minutes,
            arx: args.arx.clone(),
        });
    }
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
