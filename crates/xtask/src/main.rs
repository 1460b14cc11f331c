//! Development tasks: `cargo xtask <command>`.

mod apt;
mod axe;
mod bindgen;
mod deny;
mod doctor;
mod experiments;
mod layers;
mod nats;
mod needs;
mod offline;
mod order;
mod probe;
mod project;
mod properties;
mod serve;
mod setup;
mod single_file;
mod sizes;
mod slim;
mod soak;
mod spdx;
mod test;
mod toolchain;
mod wasm_opt;
mod web;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::needs::Part;
use crate::project::Project;
use crate::web::Effort;

const USAGE: &str = "usage: cargo xtask <command>

  doctor                   says what is installed and what is missing
  serve [-- ARGS]          builds page and worker and serves the page; ARGS are for `lookalike serve`
  web [--release-size]     builds the page into target/web/dist; with wasm-opt for a release
  single-file              builds the page as one file that works from a disk, target/web/lookalike.html
  test [FILTER]            builds everything and runs the tests, the browser's included
  experiments [ARGS]       computes the papers' tables and figures: SERIES --data FOLDER [--only ID] [--out FOLDER];
                           --check computes one row of each table and compares it with docs/results
  soak [FILTER]            kills the worker 50 times, sends it 200 jobs at once, keeps it at work for 10 minutes, and
                           shows the figures
  properties [ROUNDS]      tests properties with other random cases each round, 20 rounds unless told
  fuzz [TARGET]            feeds what reads bytes from outside for 5 minutes each; needs nightly and cargo-fuzz
  layers                   checks the layering
  deny                     checks licences and sources of all dependencies
  ci                       formatting, lints, layering, licences, tests

serve, web, test and ci first install what is missing, where they may.
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
    if matches!(args, [] | ["help" | "--help" | "-h"]) {
        print!("{USAGE}");
        return Ok(ExitCode::SUCCESS);
    }
    let project = Project::find()?;
    match args {
        ["doctor"] => return doctor::report(&project),
        ["serve"] => serve::serve(&project, &[])?,
        ["serve", "--", args @ ..] => serve::serve(&project, args)?,
        ["web"] => web(&project, Effort::Edit)?,
        ["web", "--release-size"] => web(&project, Effort::Size)?,
        ["single-file"] => {
            setup::ensure(&project, &[Part::Web])?;
            single_file::build(&project)?;
        }
        ["test"] => test::test(&project, None)?,
        ["test", filter] => test::test(&project, Some(filter))?,
        ["experiments", args @ ..] => experiments::run(&project, args)?,
        ["soak"] => soak::run_all(&project, None)?,
        ["soak", filter] => soak::run_all(&project, Some(filter))?,
        ["properties"] => properties::explore(&project, None)?,
        ["properties", rounds] => properties::explore(&project, Some(rounds))?,
        ["fuzz"] => soak::fuzz(&project, None)?,
        ["fuzz", filter] => soak::fuzz(&project, Some(filter))?,
        ["layers"] => layers::check(&project)?,
        ["deny"] => deny::check(&project)?,
        ["ci"] => test::ci(&project)?,
        _ => bail!("unknown command or argument: {}\n\n{USAGE}", args.join(" ")),
    }
    Ok(ExitCode::SUCCESS)
}

fn web(project: &Project, effort: Effort) -> Result<()> {
    setup::ensure(project, &[Part::Web])?;
    web::build(project, effort)
}
