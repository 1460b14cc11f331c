//! Commands that documents name in a sentence or an indented line: each of their flags is one of the subcommand. (What `console`
//! blocks show is run by `tutorials.rs`.) Blocks of JSON are JSON.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use lookalike_tests::program::{Folder, workspace};

/// All documents of the project: those at its root, the book, and those of packages.
fn documents() -> Vec<PathBuf> {
    let root = workspace();
    let mut found = Vec::new();
    let mut folders = vec![root.join("docs"), root.join("crates"), root.join("python")];
    folders.extend([root.join("web"), root.join("packaging"), root.join("fuzz")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            if entry.file_type().unwrap().is_dir() && !["target", "node_modules"].contains(&name.as_str()) {
                folders.push(entry.path());
            } else if has_end(&entry.path(), "md") {
                found.push(entry.path());
            }
        }
    }
    let at_root = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path());
    found.extend(at_root.filter(|path| has_end(path, "md")));
    found.sort();
    found
}

fn has_end(path: &Path, end: &str) -> bool {
    path.extension().is_some_and(|found| found == end)
}

/// The words of a text that are flags, without values and marks.
fn flags(text: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let words = text.split(|c: char| c.is_whitespace() || "[](),;'\"`".contains(c));
    let named = words.filter_map(|word| word.strip_prefix("--")).map(|rest| {
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        &rest[..end]
    });
    named
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        .map(|name| format!("--{name}"))
        .collect()
}

/// What follows `lookalike` in each command of a document, to the end of the command.
fn commands(document: &str) -> Vec<String> {
    let joined: Vec<&str> = document.split("\\\n").map(str::trim).collect();
    let joined = joined.join(" ");
    joined
        .split("lookalike ")
        .skip(1)
        .map(|rest| rest.split(['\n', '`', '|', '#']).next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn every_flag_of_a_command_is_one_of_the_program() {
    let folder = Folder::new();
    let help = |path: &[&str]| {
        let run = folder.run(&[path, &["--help"]].concat());
        (run.code == Some(0)).then(|| flags(&String::from_utf8(run.stdout).unwrap()))
    };
    let all = String::from_utf8(folder.run(&["--help"]).stdout).unwrap();
    let known: BTreeSet<String> = all
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect();
    assert!(known.len() > 5, "{known:?}");
    let mut of: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    let (mut looked_at, mut wrong) = (0, Vec::new());
    for path in documents() {
        for command in commands(&fs::read_to_string(&path).unwrap()) {
            let words: Vec<&str> = command.split_whitespace().collect();
            let Some(first) = words.first().filter(|word| known.contains(**word)) else { continue };
            // `log verify`: a subcommand of a subcommand.
            let both: Vec<&str> = words[..words.len().min(2)].to_vec();
            let nested = both.len() == 2
                && both[1].bytes().all(|byte| byte.is_ascii_lowercase())
                && ["log", "ledger"].contains(first);
            let at: Vec<&str> = if nested { both } else { vec![*first] };
            let key: Vec<String> = at.iter().map(|word| (*word).to_owned()).collect();
            let there = of.entry(key).or_insert_with(|| help(&at).unwrap_or_default());
            for flag in flags(&command) {
                looked_at += 1;
                if !there.contains(&flag) {
                    wrong.push(format!("{}: {flag} of lookalike {}", path.display(), at.join(" ")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(looked_at > 200, "only {looked_at} flags were found");
}

#[test]
fn blocks_of_json_are_json() {
    let mut blocks = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        for block in text.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            blocks += 1;
            let read: Result<serde_json::Value, _> = serde_json::from_str(block);
            assert!(read.is_ok(), "{}: {:?}\n{block}", path.display(), read.err());
        }
    }
    assert!(blocks > 0, "no document has a block of JSON");
}

#[test]
fn flags_and_commands_are_found() {
    let found = commands(
        "Say `lookalike check x.csv --quasi a,b` or\n\n    lookalike anonymize IN.csv \\\n        --k=5 -o x # --no\n",
    );
    assert_eq!(
        found.iter().map(|command| command.trim()).collect::<Vec<_>>(),
        ["check x.csv --quasi a,b", "anonymize IN.csv --k=5 -o x",]
    );
    assert_eq!(
        flags("anonymize --k=5 [--quasi a] -o x --- --A"),
        ["--k", "--quasi"].map(String::from).into()
    );
}
