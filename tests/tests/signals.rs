//! SIGINT and SIGTERM during a search.
#![cfg(unix)]

use std::{net::TcpListener, process::Stdio, thread, time::Duration};

use lookalike_tests::{
    program::{Folder, Run, Running},
    server::Server,
    tables::{assert_release, patients},
};

/// A search that would outlast the test.
fn start(folder: &Folder, flags: &[&str]) -> Running {
    folder.write("in.csv", patients(3000));
    let common =
        "anonymize in.csv --quasi age,sex,zip --sensitive disease --model m-invariance --m 3 --time-limit 1h";
    let mut args: Vec<&str> = common.split(' ').collect();
    args.extend(flags);
    let mut running = folder.start(&args);
    running.wait_for("annealing");
    running
}

fn interrupted(signal: &str, code: i32) {
    let folder = Folder::new();
    let running = start(&folder, &["-o", "out.csv", "--report", "report.json", "--classes", "classes.csv"]);
    running.signal(signal);
    let run = running.end();
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    assert!(run.stderr.contains("best so far was written to out.csv"), "{}", run.stderr);
    assert_eq!(folder.names(), ["classes.csv", "in.csv", "out.csv", "report.json"]);
    assert_eq!(assert_release(&folder.read("out.csv"), Some("disease"), 3), 3000);
    let report = folder.json("report.json");
    assert_eq!(report["status"]["name"], "cancelled");
    assert_eq!((&report["audit"]["passed"], &report["reproducible"]), (&true.into(), &false.into()));
}

#[test]
fn sigint_keeps_the_best_so_far() {
    interrupted("INT", 130);
}

#[test]
fn sigterm_keeps_the_best_so_far() {
    interrupted("TERM", 143);
}

#[test]
fn a_worker_hands_over_its_best_so_far() {
    let server = Server::start(&[]);
    let folder = Folder::new();
    let running = start(&folder, &["-o", "out.csv", "--worker", &server.url()]);
    running.signal("INT");
    let run = running.end();
    assert_eq!(run.code, Some(130), "{}", run.stderr);
    assert_eq!(assert_release(&folder.read("out.csv"), Some("disease"), 3), 3000);
}

#[test]
fn a_job_that_waits_at_the_worker_is_given_up() {
    let server = Server::start(&[]);
    let folder = Folder::new();
    let first = start(&folder, &["--worker", &server.url()]);
    let second = Folder::new();
    second.write("in.csv", patients(100));
    let args = format!(
        "anonymize in.csv --quasi age --sensitive disease --model m-invariance --m 3 -o out.csv --worker {}",
        server.url()
    );
    let waiting = second.start(&args.split(' ').collect::<Vec<_>>());
    while second.names().len() < 2 {
        thread::sleep(Duration::from_millis(10));
    }
    waiting.signal("TERM");
    let run = waiting.end();
    assert_eq!(run.code, Some(143), "{}", run.stderr);
    assert!(run.stderr.contains("nothing was written"), "{}", run.stderr);
    assert_eq!(second.names(), ["in.csv"]);
    drop(first);
}

#[test]
fn without_an_output_file_nothing_is_kept() {
    let folder = Folder::new();
    let running = start(&folder, &["--classes", "classes.csv"]);
    running.signal("INT");
    let run = running.end();
    assert_eq!(run.code, Some(130), "{}", run.stderr);
    assert!(run.stdout.is_empty());
    assert_eq!(folder.names(), ["in.csv"]);
}

#[test]
fn a_signal_while_reading_ends_the_program() {
    let folder = Folder::new();
    let args = "anonymize - --quasi age --sensitive disease --model m-invariance --m 3 -o out.csv";
    let mut command = folder.command(args.split(' '));
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    let kill = std::process::Command::new("kill").arg("-TERM").arg(child.id().to_string()).status().unwrap();
    assert!(kill.success());
    let run = Run::from(child.wait_with_output().unwrap());
    drop(input);
    assert_ne!(run.code, Some(0));
    assert!(folder.names().is_empty());
}

/// The worker here accepts connections and never answers, so that the first signal cannot take effect.
#[test]
fn a_second_signal_ends_the_program_and_removes_temporary_files() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let worker = format!("http://{}", silent.local_addr().unwrap());
    let folder = Folder::new();
    folder.write("in.csv", patients(100));
    let args = format!(
        "anonymize in.csv --quasi age --sensitive disease --model m-invariance --m 3 --worker {worker} -o out.csv"
    );
    let mut running = folder.start(&args.split(' ').collect::<Vec<_>>());
    let (_connection, _) = silent.accept().unwrap();
    assert_eq!(folder.names().len(), 2, "the output is staged beside the input");
    running.signal("INT");
    thread::sleep(Duration::from_millis(300));
    assert!(!running.has_ended(), "the first signal waits for the best so far");
    // Two that come before the first is looked at are one.
    while !running.has_ended() {
        running.signal("INT");
        thread::sleep(Duration::from_millis(100));
    }
    let run = running.end();
    assert_eq!(run.code, Some(130), "{}", run.stderr);
    assert_eq!(folder.names(), ["in.csv"]);
}
