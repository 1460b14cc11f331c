//! The same answer whatever the order of the rows, the number of threads, or the place of the search.

use std::{io::Write as _, net::TcpListener, thread};

use lookalike_tests::{
    fake,
    program::{Folder, Run},
    server::Server,
    tables::{patients, shuffled},
};
use serde_json::json;

const ROWS: usize = 700;

/// Published table and classes of a run with these further flags.
fn run(table: &str, flags: &str) -> (Vec<u8>, Vec<u8>) {
    let folder = Folder::new();
    folder.write("in.csv", table);
    folder.succeed(&args(flags));
    (folder.read("out.csv"), folder.read("classes.csv"))
}

fn args(flags: &str) -> Vec<&str> {
    let common = "anonymize in.csv --quasi age,sex,zip --sensitive disease --model m-invariance --m 4 \
                  -o out.csv --classes classes.csv";
    common.split_whitespace().chain(flags.split_whitespace()).collect()
}

#[test]
fn the_same_seed_and_effort_give_the_same_bytes() {
    let table = patients(ROWS);
    let first = run(&table, "--seed 3 --effort 1");
    assert_eq!(run(&table, "--seed 3 --effort 1"), first);
    assert_ne!(run(&table, "--seed 4 --effort 1"), first);
}

#[test]
fn threads_do_not_matter() {
    let table = patients(ROWS);
    assert_eq!(
        run(&table, "--seed 3 --effort 1 --threads 1"),
        run(&table, "--seed 3 --effort 1 --threads 2")
    );
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let table = patients(ROWS);
    let other = shuffled(&table);
    assert_ne!(table, other);
    for flags in
        ["--seed 3 --effort 1", "--seed 3 --effort 1 --method classic", "--seed 5 --effort 0.5 --publish set"]
    {
        assert_eq!(run(&table, flags).0, run(&other, flags).0, "{flags}");
    }
}

#[test]
fn the_worker_gives_the_same_bytes() {
    let server = Server::start(&[]);
    let table = patients(ROWS);
    let local = run(&table, "--seed 3 --effort 1");
    assert_eq!(run(&table, &format!("--seed 3 --effort 1 --worker {}", server.url())), local);
}

#[test]
fn counterfeits_travel_too() {
    let server = Server::start(&[]);
    let table = patients(ROWS).replace("HIV", "flu");
    let flags = "--seed 3 --effort 1 --eligibility add";
    let local = run(&table, flags);
    assert!(String::from_utf8_lossy(&local.1).contains("+0"), "there are counterfeits");
    assert_eq!(run(&table, &format!("{flags} --worker {}", server.url())), local);
}

#[test]
fn a_worker_with_a_token() {
    let folder = Folder::new();
    folder.write("token", "0123456789abcdef0123456789abcdef\n");
    folder.write("wrong", "0123456789abcdef0123456789abcdee\n");
    folder.write("in.csv", patients(60));
    let token = folder.file("token");
    let server = Server::start(&["--token-file", &token]);
    let with = |flags: &str| format!("--effort 0 --worker {} {flags}", server.url());
    let refused = |run: Run| {
        assert_eq!(run.code, Some(4), "{}", run.stderr);
        assert!(run.stderr.contains("token"), "{}", run.stderr);
        assert_eq!(folder.names(), ["in.csv", "token", "wrong"]);
    };
    refused(folder.run(&args(&with(""))));
    refused(folder.run(&args(&with("--token-file wrong"))));
    folder.succeed(&args(&with("--token-file token")));
    let by_environment = folder
        .command(args(&with("")))
        .env("LOOKALIKE_TOKEN", "0123456789abcdef0123456789abcdef")
        .output()
        .unwrap();
    assert!(by_environment.status.success());
}

/// A run with a worker that fails; it must end with this code and leave nothing.
fn fails(worker: &str, code: i32, says: &str) {
    let folder = Folder::new();
    folder.write("in.csv", patients(60));
    let run = folder.run(&args(&format!("--effort 0 --worker {worker}")));
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    assert!(run.stderr.contains(says), "{says:?} is not in {}", run.stderr);
    assert_eq!(folder.names(), ["in.csv"]);
}

#[test]
fn a_worker_that_is_not_there() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    fails(&format!("http://{port}"), 4, "cannot be reached");
    // Something listens, but speaks no TLS.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let plain = format!("https://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        listener.accept().map(|(mut stream, _)| stream.write_all(b"HTTP/1.0 400 What\r\n\r\n"))
    });
    fails(&plain, 4, "cannot be reached");
    fails("worker.example", 2, "--worker");
}

#[test]
fn a_lying_worker_is_found_out() {
    let answer = |labels: Vec<usize>, loss: f64| {
        json!({
            "labels": labels, "loss": loss, "status": {"name": "optimal"}, "bound": null, "method": "none",
            "moves": 0, "threads": 1, "seconds": 0.0,
        })
    };
    // Classes of one record; one class of all, which repeats values; a wrong number of records.
    for labels in [(0..60).collect(), vec![0; 60], vec![0; 59]] {
        fails(&fake::worker(answer(labels, 0.0)), 4, "the answer cannot be used");
    }
    fails(&fake::worker(json!({"labels": "all"})), 4, "contract");
}
