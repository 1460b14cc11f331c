//! What README, tutorials and other documents show is run: the commands of their `console` blocks, in order, each document in a
//! folder with the samples. Every command must end well, and print what is shown below it.
//!
//! A line `...` stands for any number of lines, and a command with nothing below it may print anything. With `LOOKALIKE_RECORD=1`
//! the documents get the lines that are printed now. With `ROWS` in the environment tables have other sizes than those that are
//! shown (`docs/tutorials/large.md`), and only the exit codes count.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    cmp::Reverse,
    collections::BTreeSet,
    env, fs,
    path::Path,
    process::{Command, Stdio},
};

use lookalike_tests::program::{Folder, binary, workspace};

/// The program under its usual name, wherever it was built.
const PROGRAM: &str = "lookalike() { \"$LOOKALIKE_BIN\" \"$@\"; }\n";

/// A command and what a document shows of its output.
struct Step {
    command: String,
    shown: Vec<String>,
    /// Where the shown lines begin in the document.
    at: usize,
}

/// Whether the quotes and the last line of a command say that it goes on.
fn goes_on(command: &str) -> bool {
    command.ends_with('\\') || command.matches('\'').count() % 2 == 1
}

/// Lines without the empty ones at their end.
fn trimmed(mut lines: Vec<String>) -> Vec<String> {
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The steps of a document's `console` blocks.
fn steps(document: &str) -> Vec<Step> {
    let lines: Vec<&str> = document.lines().collect();
    let (mut steps, mut at, mut inside) = (Vec::new(), 0, false);
    while let Some(line) = lines.get(at) {
        at += 1;
        if !inside || *line == "```" {
            inside = *line == "```console";
            continue;
        }
        let first = line.strip_prefix("$ ").unwrap_or_else(|| panic!("no command: {line}"));
        let mut command = first.to_owned();
        while goes_on(&command) {
            command.push('\n');
            command.push_str(lines[at]);
            at += 1;
        }
        let shown = lines[at..].iter().take_while(|line| **line != "```" && !line.starts_with("$ "));
        let shown = trimmed(shown.map(|line| line.trim_end().to_owned()).collect());
        let begin = at;
        at += shown.len();
        steps.push(Step { command, shown, at: begin });
        at += lines[at..].iter().take_while(|line| line.is_empty()).count();
    }
    steps
}

/// Whether a line says how far a search is: on a terminal each takes the place of the one before.
fn is_progress(line: &str) -> bool {
    let seconds = line.strip_suffix(" s").and_then(|line| line.rsplit_once(", "));
    seconds.is_some_and(|(_, count)| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What a command prints, both streams together.
fn printed(folder: &Folder, command: &str) -> Vec<String> {
    let script = format!("{PROGRAM}{{ {command}\n}} 2>&1");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path()).stdin(Stdio::null());
    shell.env("LOOKALIKE_BIN", binary()).env_remove("LOOKALIKE_TOKEN");
    let output = shell.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{command}\nended with {}:\n{text}", output.status);
    trimmed(text.lines().map(|line| line.trim_end().to_owned()).filter(|line| !is_progress(line)).collect())
}

/// Whether these lines are what is shown.
fn is_shown(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=printed.len()).any(|left_out| is_shown(rest, &printed[left_out..]))
        }
        Some((first, rest)) => {
            printed.split_first().is_some_and(|(line, others)| line == first && is_shown(rest, others))
        }
    }
}

/// What is to be shown now: for each shown line the one that has the most words of it.
fn anew(shown: &[String], printed: &[String]) -> Vec<String> {
    let (mut lines, mut next) = (Vec::new(), 0);
    for line in shown.iter().filter(|line| *line != "...") {
        let words: BTreeSet<&str> = line.split_whitespace().collect();
        let common = |at: &usize| {
            let of: BTreeSet<&str> = printed[*at].split_whitespace().collect();
            (words.intersection(&of).count(), Reverse(*at))
        };
        let Some(best) = (next..printed.len()).max_by_key(common).filter(|at| common(at).0 > 0) else {
            continue;
        };
        lines.extend((best > next).then(|| String::from("...")));
        lines.push(printed[best].clone());
        next = best + 1;
    }
    lines.extend((next < printed.len()).then(|| String::from("...")));
    lines
}

/// Copies a folder of files.
fn copied(folder: &Folder, name: &str) {
    for entry in fs::read_dir(workspace().join(name)).unwrap() {
        let path = entry.unwrap().path();
        let name = Path::new(name).join(path.file_name().unwrap());
        folder.write(name.to_str().unwrap(), fs::read(&path).unwrap());
    }
}

/// Runs a document.
fn walked(document: &str) {
    if !Command::new("sh").args(["-c", "awk 'BEGIN {}'"]).status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no sh with awk");
        return;
    }
    let path = workspace().join(document);
    let text = fs::read_to_string(&path).unwrap();
    let folder = Folder::new();
    copied(&folder, "samples");
    copied(&folder, "docs/examples");
    let found = steps(&text);
    assert!(found.iter().any(|step| !step.shown.is_empty()), "{document} shows nothing");
    let (mut lines, mut wrong) = (text.lines().map(str::to_owned).collect::<Vec<_>>(), Vec::new());
    let outputs: Vec<_> = found.iter().map(|step| printed(&folder, &step.command)).collect();
    // From the end, where no line that is put in moves another one.
    for (step, printed) in found.iter().zip(&outputs).rev() {
        if step.shown.is_empty() || is_shown(&step.shown, printed) {
            continue;
        }
        wrong.push(format!("$ {}\n{}", step.command, printed.join("\n")));
        drop(lines.splice(step.at..step.at + step.shown.len(), anew(&step.shown, printed)));
    }
    if wrong.is_empty() || env::var_os("ROWS").is_some() {
        return;
    }
    if env::var_os("LOOKALIKE_RECORD").is_some() {
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        return;
    }
    wrong.reverse();
    panic!(
        "{document} does not show what is printed (LOOKALIKE_RECORD=1 puts it in):\n{}",
        wrong.join("\n\n")
    );
}

#[test]
fn the_readme() {
    walked("README.md");
}

#[test]
fn a_first_table() {
    walked("docs/tutorials/page.md");
}

#[test]
fn a_hospitals_quarters() {
    walked("docs/tutorials/quarters.md");
}

#[test]
fn an_offices_microdata() {
    walked("docs/tutorials/office.md");
}

#[test]
fn ten_million_rows() {
    walked("docs/tutorials/large.md");
}

#[test]
fn what_documents_show_in_passing() {
    walked("docs/conditions.md");
    walked("docs/configuration.md");
    walked("docs/evidence.md");
    walked("docs/hierarchies.md");
}

/// No block of commands stands in a document that is not run.
#[test]
fn all_blocks_of_commands_are_run() {
    let own = fs::read_to_string(workspace().join("tests/tests/tutorials.rs")).unwrap();
    let mut folders = vec![workspace().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md")
                && fs::read_to_string(&path).unwrap().lines().any(|line| line == "```console")
            {
                let name = path.strip_prefix(workspace()).unwrap().to_str().unwrap().replace('\\', "/");
                assert!(own.contains(&format!("walked(\"{name}\")")), "{name} is not run");
            }
        }
    }
}

/// What the walk rests on.
#[test]
fn lines_that_are_left_out_are_found() {
    let lines = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
    let printed = lines("a one|b two|c three|d four");
    for (shown, holds) in [
        ("a one|b two|c three|d four", true),
        ("...|d four", true),
        ("a one|...", true),
        ("a one|...|c three|d four", true),
        ("a one|c three|...", false),
        ("...|d five", false),
        ("a one|b two|c three", false),
    ] {
        assert_eq!(is_shown(&lines(shown), &printed), holds, "{shown}");
    }
    assert_eq!(anew(&lines("...|b zwei|d vier"), &printed), lines("...|b two|...|d four"));
    let document = "text\n```console\n$ one \\\n  two\n...\nshown\n\n$ three 'and\nfour'\n```\n";
    let found: Vec<_> = steps(document).into_iter().map(|step| (step.command, step.shown)).collect();
    assert_eq!(
        found,
        [("one \\\n  two".to_owned(), lines("...|shown")), ("three 'and\nfour'".to_owned(), Vec::new())]
    );
    assert!(is_progress("annealing 20 %, loss 1.2, 14 s") && !is_progress("m-invariance, m = 4: 10 records"));
}
