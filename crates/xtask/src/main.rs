//! Development tasks: `cargo xtask <command>`.

mod bindgen;
mod layers;
mod probe;
mod project;
mod sizes;
mod toolchain;
mod wasm_opt;
mod web;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::web::Effort;

const USAGE: &str = "usage: cargo xtask <command>

  web [--release-size]   builds the page into target/web/dist
";

fn main() -> ExitCode {
    match dispatch(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<ExitCode> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let project = Project::find()?;
    match words.as_slice() {
        ["layers"] => layers::check(&project)?,
        ["web"] => web::build(&project, Effort::Edit)?,
        ["web", "--release-size"] => web::build(&project, Effort::Size)?,
        [] | ["help" | "--help" | "-h"] => print!("{USAGE}"),
        _ => bail!("unknown command or argument\n{USAGE}"),
    }
    Ok(ExitCode::SUCCESS)
}
