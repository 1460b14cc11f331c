//! The audit log of a worker: who asked for what, whole also after a kill, and without a number of a job or a token in it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeSet, fs, io::Write as _, net::TcpStream, process::Command, time::Instant};

use lookalike_tests::{
    program::{Folder, PATIENCE},
    server::Server,
};
use serde_json::{Value, json};

const TOKENS: &str = "clinic:cccccccccccccccccccc\nlab:llllllllllllllllllll\n";
const CLINIC: (&str, &str) = ("Authorization", "Bearer cccccccccccccccccccc");
const LAB: (&str, &str) = ("Authorization", "Bearer llllllllllllllllllll");
const JSON: (&str, &str) = ("Content-Type", "application/json");

fn job() -> String {
    let points = [811.25, 812.25, 903.5, 904.5, 1007.75, 1008.75];
    json!({
        "version": 1, "dims": 1, "points": points, "colours": [0, 0, 0, 0, 0, 0],
        "rule": {"name": "min-size", "k": 2}, "loss": "sse", "method": "auto", "budget": {"effort": 1.0}, "seed": 77_007,
    })
    .to_string()
}

fn server(folder: &Folder, more: &[&str]) -> Server {
    folder.write("tokens", TOKENS);
    let (tokens, log) = (folder.file("tokens"), folder.file("log"));
    Server::start(&[&["--token-file", &tokens, "--audit-log", &log], more].concat())
}

fn entries(folder: &Folder) -> Vec<Value> {
    folder.text("log").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The chain, followed line by line.
fn head(folder: &Folder) -> String {
    let mut previous = "0".repeat(64);
    for (n, line) in (1_u64..).zip(folder.text("log").lines()) {
        let entry: Value = serde_json::from_str(line).unwrap();
        assert_eq!(entry["n"], n);
        assert_eq!(entry["previous"], previous, "{line}");
        previous = lookalike_core::digest::sha256(line.as_bytes());
    }
    previous
}

fn done(server: &Server, path: &str, token: (&str, &str)) {
    while server.ask("GET", path, &[token], b"").json()["state"] != "done" {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// What each entry says, without when.
fn told(entry: &Value) -> String {
    let text = |name: &str| entry[name].as_str().unwrap_or("-").to_owned();
    format!(
        "{} {} {} {}",
        text("what"),
        text("who"),
        entry["status"],
        text("problem").replace("/problems/", "")
    )
}

#[test]
fn each_access_is_written_down_with_who_and_what_came_of_it() {
    let folder = Folder::new();
    let server = server(&folder, &[]);
    let made = server.ask("POST", "/v1/jobs", &[JSON, CLINIC], job().as_bytes());
    let path = made.header("location").unwrap().to_owned();
    done(&server, &path, CLINIC);
    let result = format!("{path}/result");
    assert_eq!(server.ask("GET", &result, &[CLINIC], b"").status, 200);
    assert_eq!(server.ask("GET", &result, &[LAB], b"").status, 404, "it is the clinic's");
    assert_eq!(server.ask("GET", &result, &[], b"").status, 401);
    assert_eq!(server.ask("POST", "/v1/jobs", &[JSON, LAB], b"{}").status, 422);
    assert_eq!(server.ask("POST", &format!("{path}/stop"), &[CLINIC], b"").status, 202);
    assert_eq!(server.ask("DELETE", &path, &[CLINIC], b"").status, 204);
    assert_eq!(server.get("/v1/health").status, 200);
    let _ = Command::new("kill").arg(server.id().to_string()).status().unwrap();
    assert_eq!(server.end(), Some(0));
    let entries = entries(&folder);
    // When the search ends and when it is asked for are two threads' affairs.
    let found: Vec<String> = entries.iter().map(told).filter(|told| told != "finish clinic null -").collect();
    let expected = [
        "start - null -",
        "submit clinic 202 -",
        "fetch clinic 200 -",
        "fetch lab 404 no-such-job",
        "fetch - 401 unauthorized",
        "submit lab 422 invalid-job",
        "stop clinic 202 -",
        "delete clinic 204 -",
        "end - null -",
    ];
    assert_eq!(found, expected);
    assert_eq!(entries.len(), found.len() + 1, "its search has ended once");
    let id = path.rsplit('/').next().unwrap();
    let of_job: BTreeSet<&str> = entries
        .iter()
        .filter(|entry| entry["job"] == id)
        .filter_map(|entry| entry["what"].as_str())
        .collect();
    assert_eq!(of_job, BTreeSet::from(["submit", "finish", "fetch", "stop", "delete"]));
    for entry in &entries[1..entries.len() - 1] {
        assert!(entry["from"] == "127.0.0.1" || entry["what"] == "finish", "{entry}");
    }
}

/// A client that hangs up, before it is answered or in the middle of what it says, is written down as one that stays.
#[test]
fn a_client_that_hangs_up_leaves_the_same_trace() {
    let folder = Folder::new();
    let server = server(&folder, &[]);
    let path = server.ask("POST", "/v1/jobs", &[JSON, CLINIC], job().as_bytes());
    let path = path.header("location").unwrap().to_owned();
    done(&server, &path, CLINIC);
    let result = format!("{path}/result");
    let body = job();
    let requests: [(&str, &str, &str); 5] = [
        ("POST", "/v1/jobs", &body),
        ("POST", "/v1/jobs", "{}"),
        ("GET", &result, ""),
        ("GET", "/v1/jobs/00000000000000000000000000000000/result", ""),
        ("POST", &format!("{path}/stop"), ""),
    ];
    // What was written of an access, but for the ends of searches, which come when they come.
    let written = |from: usize| -> Vec<String> {
        let entries = entries(&folder);
        entries.iter().skip(from).filter(|entry| entry["what"] != "finish").map(told).collect()
    };
    let count = || entries(&folder).len();
    for (method, path, body) in requests {
        let before = count();
        server.ask(method, path, &[JSON, CLINIC], body.as_bytes());
        let stayed = written(before);
        assert_eq!(stayed.len(), 1, "{method} {path}: {stayed:?}");
        for _ in 0..10 {
            let before = count();
            let mut stream = TcpStream::connect(&server.address).unwrap();
            let head = format!(
                "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{}: {}\r\n{}: {}\r\nContent-Length: {}\r\n\r\n",
                JSON.0,
                JSON.1,
                CLINIC.0,
                CLINIC.1,
                body.len()
            );
            stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
            drop(stream);
            assert_eq!(eventually(|| written(before)), stayed, "{method} {path}");
        }
    }
    // In the middle of its body: that of one that stays and says no more is refused, and so is this.
    let before = count();
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let head = format!(
        "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\n{}: {}\r\n{}: {}\r\nContent-Length: {}\r\n\r\n",
        JSON.0,
        JSON.1,
        CLINIC.0,
        CLINIC.1,
        body.len()
    );
    stream.write_all(format!("{head}{}", &body[..body.len() / 2]).as_bytes()).unwrap();
    drop(stream);
    let broken = eventually(|| written(before));
    assert!(broken.len() == 1 && broken[0].starts_with("submit clinic 4"), "{broken:?}");
}

/// The first entries that come.
#[track_caller]
fn eventually(written: impl Fn() -> Vec<String>) -> Vec<String> {
    let end = Instant::now() + PATIENCE;
    loop {
        let found = written();
        if !found.is_empty() {
            return found;
        }
        assert!(Instant::now() < end, "nothing was written down");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn it_holds_no_number_of_a_job_and_no_token() {
    let folder = Folder::new();
    let server = server(&folder, &[]);
    let path = server.ask("POST", "/v1/jobs", &[JSON, CLINIC], job().as_bytes());
    let path = path.header("location").unwrap().to_owned();
    done(&server, &path, CLINIC);
    let guess = ("Authorization", "Bearer a-guess-at-a-token-77");
    assert_eq!(server.ask("GET", "/v1/jobs/Clara-Demir/result", &[guess], b"").status, 401);
    drop(server);
    let log = folder.text("log");
    for secret in ["811.25", "1008.75", "77007", "cccccccc", "a-guess", "Clara"] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}

#[test]
fn a_log_is_verified_and_what_is_missing_or_changed_shows() {
    let folder = Folder::new();
    let run = server(&folder, &[]);
    for _ in 0..5 {
        assert_eq!(run.ask("GET", "/v1/jobs", &[], b"").status, 401);
    }
    drop(run);
    // Goes on in the same file.
    drop(server(&folder, &[]));
    let head = head(&folder);
    let verify = |flags: &[&str]| folder.run(&[&["log", "verify", "log"], flags].concat());
    let whole = verify(&["--head", &head]);
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    let said = String::from_utf8(whole.stdout).unwrap();
    assert!(said.contains("7 entries") && said.contains(&head), "{said}");
    let text = folder.text("log");
    let lines: Vec<&str> = text.lines().collect();
    let without = |at: usize| {
        let rest: Vec<&str> =
            lines.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, line)| *line).collect();
        rest.join("\n") + "\n"
    };
    for at in 0..lines.len() {
        folder.write("log", without(at));
        let found = verify(&["--head", &head]);
        assert_eq!(found.code, Some(1), "without line {}: {}", at + 1, found.stderr);
    }
    for at in 0..lines.len() {
        let mut other: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        other[at] = other[at].replace("\"at\":\"20", "\"at\":\"19");
        folder.write("log", other.join("\n") + "\n");
        assert_eq!(verify(&["--head", &head]).code, Some(1), "line {} of another time", at + 1);
    }
    // A worker does not go on with one that is not whole.
    folder.write("log", without(1));
    let refused = folder.run(&["serve", "--listen", "127.0.0.1:0", "--audit-log", "log"]);
    assert_eq!(refused.code, Some(4));
    assert!(refused.stderr.contains("is not whole"), "{}", refused.stderr);
}

#[test]
fn workers_that_are_killed_leave_a_log_that_is_whole_after_the_next_start() {
    let folder = Folder::new();
    for round in 0..20 {
        let run = server(&folder, &["--data-dir", &folder.file("data")]);
        let reply = run.ask("POST", "/v1/jobs", &[JSON, CLINIC], job().as_bytes());
        assert_eq!(reply.status, 202);
        // What was answered is written down, whenever it is killed (-9).
        drop(run);
        let id = reply.header("location").unwrap().rsplit('/').next().unwrap();
        assert!(folder.text("log").contains(id), "round {round}");
        if round % 5 == 4 {
            // As a kill in the middle of writing would leave it.
            let text = folder.text("log");
            fs::write(folder.file("log"), &text[..text.len() - 30]).unwrap();
        }
    }
    drop(server(&folder, &[]));
    let whole = folder.run(&["log", "verify", "log"]);
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    assert!(String::from_utf8_lossy(&whole.stdout).contains("4 lines were cut off"), "{whole:?}");
}

#[cfg(unix)]
#[test]
fn nothing_is_answered_that_cannot_be_written_down() {
    use std::os::unix::net::UnixDatagram;

    let folder = Folder::new();
    let socket = UnixDatagram::bind(folder.file("socket")).unwrap();
    let server = Server::start(&["--audit-log", &format!("syslog:{}", folder.file("socket"))]);
    let path = server.ask("POST", "/v1/jobs", &[JSON], job().as_bytes());
    let path = path.header("location").unwrap().to_owned();
    let _ = server.wait(&path, "done");
    drop(socket);
    let result = server.get(&format!("{path}/result"));
    assert_eq!((result.status, result.problem().as_str()), (507, "/problems/storage"));
    assert!(!result.text().contains("labels"), "{result:?}");
    // What is only looked at is not written down.
    assert_eq!(server.get(&path).status, 200);
}

#[cfg(unix)]
#[test]
fn the_systems_log_has_the_same_entries() {
    use std::os::unix::net::UnixDatagram;

    let folder = Folder::new();
    let socket = UnixDatagram::bind(folder.file("socket")).unwrap();
    let target = format!("syslog:{}", folder.file("socket"));
    let server = Server::start(&["--audit-log", &target]);
    let path = server.ask("POST", "/v1/jobs", &[JSON], job().as_bytes());
    assert_eq!(path.status, 202);
    let mut lines = String::new();
    for _ in 0..2 {
        let mut bytes = [0; 4096];
        let length = socket.recv(&mut bytes).unwrap();
        let line = String::from_utf8_lossy(&bytes[..length]).into_owned();
        assert!(line.starts_with("<86>lookalike["), "{line}");
        lines.push_str(&line);
        lines.push('\n');
    }
    folder.write("log", lines);
    let whole = folder.run(&["log", "verify", "log"]);
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
}
