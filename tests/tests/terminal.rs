//! Names, values, files and papers of others that hold commands for a terminal: they are shown, and never obeyed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_tests::program::{Folder, Run};

/// Sets a title, colours, a control character of one byte, and a turn of direction.
const COMMANDS: &str = "\u{1b}]0;pwn\u{7}\u{1b}[31m\u{9b}2J\u{202e}";

fn shows(run: &Run, what: &str) {
    for said in [String::from_utf8_lossy(&run.stdout), run.stderr.as_str().into()] {
        let obeyed = said.chars().find(|&c| {
            let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            turns || c.is_control() && !matches!(c, '\n' | '\t')
        });
        assert_eq!(obeyed, None, "{what} prints {said:?}");
    }
}

#[test]
fn nothing_that_a_terminal_obeys_is_printed() {
    let folder = Folder::new();
    let mut table = format!("age{COMMANDS},sex,disease{COMMANDS}\n");
    for at in 0..40 {
        writeln!(table, "{},{}{COMMANDS},d{}{COMMANDS}", 20 + at % 7, ["f", "m"][at % 2], at % 5).unwrap();
    }
    folder.write("in.csv", &table);
    let (age, disease) = (format!("age{COMMANDS}"), format!("disease{COMMANDS}"));
    let columns = ["--quasi", &format!("{age},sex"), "--sensitive", &disease];
    let run = |args: &[&str]| folder.run(&[args, &columns].concat());
    let mut heard = 0;
    for (what, args) in [
        ("describe", &["describe", "in.csv"][..]),
        ("describe --json", &["describe", "in.csv", "--json"]),
        ("eligibility", &["eligibility", "in.csv"]),
        ("check", &["check", "in.csv", "--k", "30"]),
        ("attacks", &["check", "in.csv", "--attacks", "--original", "in.csv", "--attacks-number", "20"]),
        ("a repair", &["anonymize", "in.csv", "--model", "m-invariance", "--m", "4", "-o", "out.csv"]),
    ] {
        let run = run(args);
        let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), run.stderr);
        heard += usize::from(said.contains("\\u001b") || said.contains("\\u{1b}"));
        shows(&run, what);
    }
    assert!(heard >= 3, "names are in what is printed: {heard}");
    let missing = format!("no{COMMANDS}.csv");
    let config = format!(r#"{{"fields": [{{"name": "age", "lookalike": {{"rol{}": 1}}}}]}}"#, "\\u001b[31m");
    folder.write("settings.json", config);
    folder.write("manifest.json", r#"{"made": "\u001b[31m", "version": "\u009b2J"}"#);
    for args in [
        &["describe", &missing][..],
        &["anonymize", "in.csv", "--config", "settings.json", "-o", "out.csv"],
        &["verify", "manifest.json"],
    ] {
        let run = folder.run(args);
        assert_ne!(run.code, Some(0), "{args:?}");
        shows(&run, &format!("{args:?}"));
    }
}
