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
