//! What an installation puts beside the program.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::process::Command;

use lookalike_tests::program::{Folder, command, workspace};

#[test]
fn man_pages_say_what_help_says() {
    let folder = Folder::new();
    let _ = folder.succeed(&["manual", "."]);
    let names = folder.names();
    let help = String::from_utf8(folder.succeed(&["serve", "--help"]).stdout).unwrap();
    for subcommand in ["anonymize", "check", "eligibility", "serve", "demo"] {
        assert!(names.contains(&format!("lookalike-{subcommand}.1")), "{names:?}");
    }
    assert!(names.contains(&String::from("lookalike.1")));
    let page = folder.text("lookalike-serve.1").replace("\\-", "-");
    let flags: Vec<&str> = help
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|w| w.starts_with("--"))
        .collect();
    assert!(flags.len() > 15, "{flags:?}");
    for flag in flags {
        assert!(page.contains(flag), "{flag} is not in the manual");
    }
    assert_eq!(folder.run(&["manual", "nowhere"]).code, Some(4));
}

#[test]
fn completions_are_scripts() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = String::from_utf8(folder.succeed(&["completions", shell]).stdout).unwrap();
        assert!(script.contains("token-file") && script.contains("anonymize"), "{shell}");
        assert!(!script.contains("search-apart"), "{shell}: it is not for people");
    }
    let script = folder.succeed(&["completions", "bash"]).stdout;
    folder.write("lookalike.bash", &script);
    let test = "source ./lookalike.bash; COMP_WORDS=(lookalike serve --tok); COMP_CWORD=2; \
                _lookalike lookalike --tok serve; echo \"${COMPREPLY[*]}\"";
    match Command::new("bash").args(["-c", test]).current_dir(folder.path()).output() {
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "--token-file"),
        Err(why) => eprintln!("skipped: no bash ({why})"),
    }
}

/// The flags that the unit and the image start the worker with are flags that it has.
#[test]
fn unit_and_image_use_flags_that_exist() {
    let help = command().args(["serve", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    for name in ["lookalike.service", "Dockerfile"] {
        let text = std::fs::read_to_string(workspace().join("packaging").join(name)).unwrap();
        let start = text.lines().skip_while(|l| !l.starts_with("ExecStart=") && !l.starts_with("CMD ["));
        let mut start: Vec<&str> = start.collect();
        let end = start.iter().position(|line| !line.ends_with('\\')).unwrap();
        start.truncate(end + 1);
        let start = start.join(" ");
        let flags: Vec<&str> = start
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
            .filter(|w| w.starts_with("--"))
            .collect();
        for expected in ["--listen", "--token-file", "--tls-cert", "--tls-key", "--data-dir"] {
            assert!(flags.contains(&expected), "{name} has no {expected}");
        }
        for flag in flags {
            assert!(help.contains(flag), "{name} uses {flag}");
        }
    }
}

/// Tables that are 2-anonymous and not, and what is asked of them.
fn tables(folder: &Folder) -> [&'static str; 5] {
    folder.write("good one.csv", b"age,sex\n[30-39],f\n[30-39],f\n[40-49],m\n[40-49],m\n");
    folder.write("bad.csv", b"age,sex\n[30-39],f\n[30-39],f\n[40-49],m\n");
    ["--quasi", "age,sex", "--model=k-anonymity", "--k", "2"]
}

/// What runs a script; `None` where there is no such shell.
fn shell(folder: &Folder, name: &str, args: &[&str]) -> Option<Command> {
    let there = Command::new(name).args(["-c", "true"]).output().is_ok_and(|run| run.status.success());
    if !there {
        eprintln!("skipped: no {name}");
        return None;
    }
    let mut run = Command::new(name);
    run.args(args).current_dir(folder.path()).env("LOOKALIKE", command().get_program());
    Some(run)
}

#[test]
fn the_hook_judges_each_table_and_ends_with_the_worst() {
    let folder = Folder::new();
    let asked = tables(&folder);
    let script = workspace().join("packaging/check.sh");
    let script = script.to_str().unwrap();
    let code = |flags: &[&str], tables: &[&str]| {
        let args = [&[script], flags, &["--"], tables].concat();
        let output = shell(&folder, "sh", &args)?.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(tables.iter().all(|table| said.contains(&format!("== {table}"))), "{said}");
        output.status.code()
    };
    let Some(good) = code(&asked, &["good one.csv"]) else { return };
    assert_eq!(good, 0);
    assert_eq!(code(&asked, &["bad.csv"]), Some(1));
    assert_eq!(code(&asked, &["bad.csv", "good one.csv"]), Some(1));
    // None of nothing is wrong, as pre-commit has it when no table was changed.
    assert_eq!(code(&asked, &[]), Some(0));
    assert_eq!(code(&["--quasi", "height", "--model=k-anonymity", "--k", "2"], &["good one.csv"]), Some(2));
    assert!(code(&asked, &["none.csv", "good one.csv"]).unwrap() >= 2);
    let unsplit = shell(&folder, "sh", &[script, "--quasi", "age", "bad.csv"]).unwrap().output().unwrap();
    assert_eq!(unsplit.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unsplit.stderr).contains("-- is missing"));
    let absent = shell(&folder, "sh", &[script, "--"]).unwrap().env("LOOKALIKE", "no-such-program").output();
    assert_eq!(absent.unwrap().status.code(), Some(2));
    // The hook's entry is this script.
    let hook = std::fs::read_to_string(workspace().join(".pre-commit-hooks.yaml")).unwrap();
    assert!(hook.contains("entry: packaging/check.sh") && hook.contains("language: script"));
}

#[test]
fn the_action_runs_what_its_file_says() {
    let folder = Folder::new();
    let asked = tables(&folder).join("\n");
    let action = std::fs::read_to_string(workspace().join("action.yml")).unwrap();
    let (_, script) = action.rsplit_once("run: |\n").unwrap();
    let script: String =
        script.lines().map(|line| line.trim_start_matches("        ").to_owned() + "\n").collect();
    let code = |tables: &str| {
        folder.write("output", b"");
        let mut run = shell(&folder, "bash", &["-c", &script])?;
        run.env("GITHUB_ACTION_PATH", workspace()).env("GITHUB_OUTPUT", folder.file("output"));
        let output = run.env("FLAGS", &asked).env("TABLES", tables).output().unwrap();
        Some((output.status.code(), folder.text("output")))
    };
    let Some(good) = code("good*.csv\n") else { return };
    assert_eq!(good, (Some(0), String::from("code=0\n")));
    assert_eq!(code("*.csv").unwrap(), (Some(1), String::from("code=1\n")));
    assert_eq!(code("published/*.csv").unwrap().0, Some(2));
}
