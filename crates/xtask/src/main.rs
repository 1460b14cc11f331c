//! Development tasks: `cargo xtask <command>`.

mod bindgen;
mod dist;
mod experiments;
mod fuzz;
mod layers;
mod licences;
mod offline;
mod pack;
mod packages;
mod project;
mod python;
mod repeat;
mod reproduce;
mod sbom;
mod serve;
mod setup;
mod single_file;
mod suites;
mod test;
mod toolchain;
mod tools;
mod web;
mod wheel;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::setup::Stage;

const USAGE: &str = "usage: cargo xtask <command>

  doctor                   says what is installed and what is missing
  setup                    installs what builds of program and page need, where it may
  serve [-- ARGS]          builds page and worker and serves the page; ARGS are for `lookalike serve`
  web                      builds the page into target/web/dist
  single-file              builds the page as one file that works from a disk, target/web/lookalike.html
  test [FILTER]            builds everything and runs the tests, the browser's included
  python [FILTER]          builds the Python package and runs its tests
  scale [FILTER]           builds the Python package and runs its tests on Spark and Ray, a few minutes; they need Java
  repeat [--times N] [--idle] [FILTER]
                           runs the suites that wait for something, 10 times unless told, while another process
                           keeps all cores busy unless --idle; stops at the first failure
  properties [ROUNDS]      tests properties with other random cases each round, 20 rounds unless told
  soak [FILTER]            kills the worker 50 times, sends it 200 jobs at once, keeps it at work for 10 minutes, and
                           shows the figures
  fuzz [TARGET]            feeds what reads bytes from outside for 5 minutes each; needs cargo-fuzz
  experiments [ARGS]       computes the papers' tables and figures: SERIES --data FOLDER [--only ID] [--out FOLDER];
                           --check computes one row of each table and compares it with docs/results; the series
                           pycanon compares `lookalike check` with pyCANON
                           anonymeter compares `lookalike check --attacks` with Anonymeter
                           league compares public tools and ours on the same tables; takes --arx FILE
  dist                     builds what one hands out, into target/dist: the program as an archive, the page as one file, the
                           context of a container, a wheel, bills of materials, digests
  sbom                     writes bills of materials (CycloneDX) of program and page into target/sbom
  reproduce                builds program and page twice from this commit, and says whether they are the same bytes
  layers                   checks the layering
  package [--verify]       packages the library crates together, and builds each from its package with --verify
  deny                     checks licences and sources of all dependencies
  ci                       formatting, layering, licences, lints, tests

serve, web, single-file, test, python, scale and ci first install what is missing, where they may.
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[&str]) -> Result<ExitCode> {
    match args {
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return Ok(ExitCode::SUCCESS);
        }
        ["busy"] => {
            repeat::keep_busy()?;
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let project = &Project::find()?;
    match args {
        ["doctor"] => return Ok(setup::doctor(project)),
        ["setup"] => setup::ensure(project, &[Stage::Native, Stage::Web])?,
        ["serve"] => serve::serve(project, &[])?,
        ["serve", "--", args @ ..] => serve::serve(project, args)?,
        ["web"] => {
            setup::ensure(project, &[Stage::Web])?;
            web::build(project)?;
        }
        ["single-file"] => {
            setup::ensure(project, &[Stage::Web])?;
            single_file::build(project)?;
        }
        ["test", filter @ ..] if filter.len() < 2 => test::test(project, filter.first().copied())?,
        ["python", filter @ ..] if filter.len() < 2 => {
            setup::ensure(project, &[Stage::Native])?;
            python::build_and_test(project, filter.first().copied())?;
        }
        ["scale", filter @ ..] if filter.len() < 2 => {
            setup::ensure(project, &[Stage::Native])?;
            python::scale(project, filter.first().copied())?;
        }
        ["repeat", args @ ..] => repeated(project, args)?,
        ["properties"] => repeat::properties(project, 20)?,
        ["properties", rounds] => repeat::properties(project, number(rounds)?)?,
        ["soak", filter @ ..] if filter.len() < 2 => repeat::soak(project, filter.first().copied())?,
        ["fuzz", filter @ ..] if filter.len() < 2 => fuzz::fuzz(project, filter.first().copied())?,
        ["experiments", args @ ..] => experiments::run(project, args)?,
        ["dist"] => dist::dist(project)?,
        ["sbom"] => drop(sbom::write(project)?),
        ["reproduce"] => reproduce::reproduce(project)?,
        ["layers"] => layers::check(project)?,
        ["package"] => packages::check(project, false)?,
        ["package", "--verify"] => packages::check(project, true)?,
        ["deny"] => licences::check(project)?,
        ["ci"] => test::ci(project)?,
        _ => bail!("unknown command or argument: {}\n\n{USAGE}", args.join(" ")),
    }
    Ok(ExitCode::SUCCESS)
}

fn repeated(project: &Project, mut args: &[&str]) -> Result<()> {
    let (mut times, mut idle, mut filter) = (10, false, None);
    loop {
        args = match args {
            [] => return repeat::repeat(project, times, idle, filter),
            ["--times", count, rest @ ..] => {
                times = number(count)?;
                rest
            }
            ["--idle", rest @ ..] => {
                idle = true;
                rest
            }
            [name, rest @ ..] if filter.is_none() && !name.starts_with('-') => {
                filter = Some(*name);
                rest
            }
            [other, ..] => bail!("unknown argument of repeat: {other}\n\n{USAGE}"),
        };
    }
}

fn number(text: &str) -> Result<u32> {
    text.parse().with_context(|| format!("{text} is not a whole number"))
}
