//! Series of releases by the command line.

use std::fmt::Write as _;

use crate::{
    program::{Folder, Run},
    tables::DIAGNOSES,
};

/// Flags of the first release.
pub const FIRST: &str =
    "--begin --id id --mode tau-safety --quasi age,sex --sensitive disease --m 3 --seed 1 --effort 0.2";
/// Flags of a later one: the ledger knows the rest.
pub const LATER: &str = "--seed 2 --effort 0.2";

/// `republish` of one file onto `ledger.json`, with further flags.
pub fn republish(folder: &Folder, input: &str, output: &str, flags: &str) -> Run {
    let mut args = vec!["republish", input, "--ledger", "ledger.json", "-o", output];
    args.extend(flags.split_whitespace());
    folder.run(&args)
}

/// The same, and it must succeed.
pub fn succeed(folder: &Folder, input: &str, output: &str, flags: &str) -> Run {
    let run = republish(folder, input, output, flags);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

/// The run must end with this code and say all of this, and leave these files as they were.
pub fn refused(folder: &Folder, run: &Run, names: &[String], code: i32, says: &[&str]) {
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    for text in says {
        assert!(run.stderr.contains(text), "{text:?} is not in: {}", run.stderr);
    }
    assert_eq!(folder.names(), names, "something was left behind");
}

/// Every third of the first hundred leaves, twenty come, and two have another disease.
pub fn next_month(table: &str) -> String {
    let mut text = String::new();
    for (at, line) in table.lines().enumerate() {
        let leaves = at % 3 == 0 && (1..100).contains(&at);
        if leaves {
            continue;
        }
        if at == 110 || at == 111 {
            let (rest, old) = line.rsplit_once(',').unwrap();
            let new = DIAGNOSES.iter().find(|disease| **disease != old).unwrap();
            writeln!(text, "{rest},{new}").unwrap();
        } else {
            writeln!(text, "{line}").unwrap();
        }
    }
    for at in 0..20 {
        writeln!(text, "N{at},{},F,1000,{}", 20 + at, DIAGNOSES[at % 3]).unwrap();
    }
    text
}
