//! `lookalike-experiments SERIES --data FOLDER [--only ID] [--out FOLDER] [--cells FOLDER] [--check]`

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, Result, bail};
use lookalike_experiments::{check, run, series};

const USAGE: &str = "usage: lookalike-experiments [SERIES] --data FOLDER [--only ID] [--out FOLDER] [--cells FOLDER] \
                     [--check]";

/// What is asked for.
struct Args {
    series: String,
    data: PathBuf,
    only: Option<String>,
    out: PathBuf,
    cells: PathBuf,
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
        series: String::from("eligibility"),
        data: PathBuf::from("../shared/data"),
        only: None,
        out: PathBuf::from("docs/results"),
        cells: PathBuf::from("target/experiments"),
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
            "--check" => args.check = true,
            name if !name.starts_with('-') => name.clone_into(&mut args.series),
            _ => bail!("unknown flag {arg}\n{USAGE}"),
        }
    }
    Ok(args)
}

fn work(args: &Args) -> Result<()> {
    let experiments = series(&args.series, &args.data)?;
    if args.check {
        let differences = check(&args.series, &experiments, &args.out)?;
        if !differences.is_empty() {
            bail!("{} results differ:\n  {}", differences.len(), differences.join("\n  "));
        }
        eprintln!("experiments: one row of each of {} tables came out as written", experiments.len());
        return Ok(());
    }
    run(&args.series, &experiments, args.only.as_deref(), &args.out, &args.cells)
}
