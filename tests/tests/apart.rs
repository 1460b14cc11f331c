//! Each search in a process of its own: what happens when it breaks down, takes too much, or loses its worker.
//! Linux tells which processes a worker has; elsewhere these tests have nothing to look at.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    fs,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use lookalike_tests::{
    program::{Folder, PATIENCE},
    server::Server,
};
use serde_json::{Value, json};

/// `n` records in the plane.
fn job(n: u64, budget: &Value) -> Value {
    let points: Vec<u64> = (0..n).flat_map(|i| [i * 7919 % 9973, i * 6007 % 8311]).collect();
    json!({
        "version": 1, "dims": 2, "points": points, "colours": vec![0; n as usize], "rule": {"name": "min-size", "k": 3},
        "loss": "sse", "method": "auto", "budget": budget, "seed": 1,
    })
}

/// The processes that a process has started.
fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<_>>()).collect()
}

/// The children that are searches by now. One that is stopped before it is another program than the worker holds the worker's
/// thread that begins it, which waits for that without an end.
fn searches(process: u32) -> Vec<u32> {
    let is_search = |child: &u32| {
        fs::read_to_string(format!("/proc/{child}/cmdline")).is_ok_and(|line| line.contains("search-apart"))
    };
    children(process).into_iter().filter(is_search).collect()
}

/// The process of the search that the worker has begun, which tells of its progress.
fn search(server: &Server, path: &str) -> u32 {
    until(|| (!server.get(path).json()["progress"].is_null()).then_some(()));
    let found = children(server.id());
    assert_eq!(found.len(), 1, "one search, one process");
    found[0]
}

/// What `look` finds at last.
fn until<T>(look: impl Fn() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "it never comes");
        thread::sleep(Duration::from_millis(20));
    }
}

fn signal(name: &str, process: u32) {
    assert!(Command::new("kill").args([name, &process.to_string()]).status().unwrap().success());
}

fn is_gone(process: u32) -> bool {
    // A process that has ended and was not waited for is a Z.
    let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else { return true };
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('Z'))
}

const LONG: f64 = 600.0;

/// The answer without the time it took.
fn answer(server: &Server, path: &str) -> Value {
    let mut answer = server.get(&format!("{path}/result")).json();
    (answer["seconds"], answer["threads"]) = (Value::Null, Value::Null);
    answer
}

/// The process of the search after these, if the job has not failed before.
fn next(server: &Server, path: &str, before: &[u32]) -> u32 {
    until(|| {
        let state = server.get(path).json()["state"].clone();
        assert!(state == "queued" || state == "running", "{state}");
        searches(server.id()).into_iter().find(|id| !before.contains(id) && !is_gone(*id))
    })
}

#[test]
fn a_search_that_the_system_kills_is_begun_again_and_has_the_same_answer() {
    let job = job(500, &json!({"effort": 20.0}));
    let server = Server::start(&[]);
    let undisturbed = server.submit(&job);
    let _ = server.wait(&undisturbed, "done");
    let expected = answer(&server, &undisturbed);
    let path = server.submit(&job);
    let mut killed = Vec::new();
    for _ in 0..3 {
        let process = next(&server, &path, &killed);
        signal("-9", process);
        killed.push(process);
    }
    let _ = server.wait(&path, "done");
    assert_eq!(answer(&server, &path), expected);
}

#[test]
fn a_search_that_is_begun_again_keeps_its_finished_blocks() {
    let mut job = job(600, &json!({"effort": 8.0}));
    job["method"] = json!({"name": "decompose", "blocks": 6});
    let folder = Folder::new();
    let data = folder.file("data");
    let server = Server::start(&["--data-dir", &data]);
    let undisturbed = server.submit(&job);
    let _ = server.wait(&undisturbed, "done");
    let count = |what: &str| -> u64 {
        let text = server.get("/metrics").text();
        let line = format!("lookalike_blocks_total{{by=\"{what}\"}} ");
        text.lines().find_map(|l| l.strip_prefix(line.as_str())).map_or(0, |n| n.parse().unwrap())
    };
    let before = count("solved");
    let path = server.submit(&job);
    until(|| (count("solved") > before).then_some(()));
    signal("-9", next(&server, &path, &[]));
    let _ = server.wait(&path, "done");
    assert!(count("found") > 0, "what was finished is not solved again");
    assert_eq!(answer(&server, &path), answer(&server, &undisturbed));
}

#[test]
fn a_search_that_the_system_kills_again_and_again_fails_its_job_and_not_the_worker() {
    let server = Server::start(&[]);
    let path = server.submit(&job(500, &json!({ "seconds": LONG })));
    let mut killed = Vec::new();
    for _ in 0..4 {
        let process = next(&server, &path, &killed);
        signal("-9", process);
        killed.push(process);
    }
    let info = server.wait(&path, "failed");
    assert_eq!(info["error"]["type"], "/problems/solver-failed", "{info}");
    let why = info["error"]["detail"].as_str().unwrap();
    assert!(why.contains("killed the process of the search 4 times") && why.contains("memory"), "{why}");
    assert!(children(server.id()).is_empty(), "it is not begun once more");
    let path = server.submit(&job(100, &json!({"effort": 0.1})));
    let _ = server.wait(&path, "done");
}

/// Begun again it would end at once, and what it begins with is not the best so far.
#[test]
fn a_search_that_is_killed_when_it_is_to_end_fails_its_job() {
    let server = Server::start(&[]);
    let path = server.submit(&job(500, &json!({ "seconds": LONG })));
    let process = search(&server, &path);
    signal("-STOP", process);
    let _ = server.ask("POST", &format!("{path}/stop"), &[], b"");
    thread::sleep(Duration::from_millis(300));
    signal("-9", process);
    let info = server.wait(&path, "failed");
    let why = info["error"]["detail"].as_str().unwrap();
    assert!(why.contains("when the search was to end: its best so far is lost"), "{why}");
}

#[test]
fn a_search_that_ended_otherwise_is_not_begun_again() {
    let server = Server::start(&[]);
    // Killed, and deleted before it is begun again.
    let path = server.submit(&job(500, &json!({ "seconds": LONG })));
    let process = search(&server, &path);
    signal("-9", process);
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
    until(|| children(server.id()).is_empty().then_some(()));
    // Broken down by itself: it would again.
    let path = server.submit(&job(500, &json!({ "seconds": LONG })));
    signal("-ABRT", search(&server, &path));
    let info = server.wait(&path, "failed");
    assert!(info["error"]["detail"].as_str().unwrap().contains("broke down"), "{info}");
    // Stopped while it was away: what it would begin with is not the best so far.
    let path = server.submit(&job(500, &json!({ "seconds": LONG })));
    signal("-9", search(&server, &path));
    assert_eq!(server.ask("POST", &format!("{path}/stop"), &[], b"").status, 202);
    let info = server.wait(&path, "failed");
    assert!(info["error"]["detail"].as_str().unwrap().contains("its best so far is lost"), "{info}");
}

#[test]
fn a_search_ends_with_its_worker() {
    let server = Server::start(&[]);
    let path = server.submit(&job(500, &json!({ "seconds": LONG })));
    let process = search(&server, &path);
    // It cannot say goodbye.
    signal("-9", server.id());
    until(|| is_gone(process).then_some(()));
}

#[test]
fn a_search_that_is_asked_to_end_with_its_worker_goes_on_after_the_start() {
    let folder = Folder::new();
    let data = folder.file("data");
    let flags = ["--data-dir", data.as_str()];
    let server = Server::start(&flags);
    let path = server.submit(&job(500, &json!({"effort": 300.0})));
    let process = search(&server, &path);
    // As a service's manager does it: all processes at once, the search first.
    signal("-TERM", process);
    signal("-TERM", server.id());
    assert_eq!(server.end(), Some(0));
    let server = Server::start(&flags);
    let info = server.get(&path).json();
    assert!(["queued", "running"].contains(&info["state"].as_str().unwrap()), "{info}");
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
}

#[test]
fn a_deleted_job_has_no_process() {
    let server = Server::start(&[]);
    let path = server.submit(&job(500, &json!({ "seconds": LONG })));
    let process = search(&server, &path);
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
    until(|| is_gone(process).then_some(()));
}

#[test]
fn jobs_that_are_stopped_while_they_wait_end_with_what_they_begin_with() {
    let server = Server::start(&["--jobs", "4"]);
    let long: Vec<String> = (0..4).map(|_| server.submit(&job(500, &json!({ "seconds": LONG })))).collect();
    for path in &long {
        let _ = server.wait(path, "running");
    }
    let waiting: Vec<String> =
        (0..40).map(|_| server.submit(&job(100, &json!({ "seconds": LONG })))).collect();
    for path in waiting.iter().chain(&long) {
        assert_eq!(server.ask("POST", &format!("{path}/stop"), &[], b"").status, 202);
    }
    for path in waiting.iter().chain(&long) {
        let _ = server.wait(path, "done");
        assert_eq!(server.get(&format!("{path}/result")).json()["status"]["name"], "cancelled");
    }
}

#[test]
fn where_memory_runs_out_a_search_ends_before_the_worker() {
    let server = Server::start(&[]);
    let path = server.submit(&job(500, &json!({ "seconds": LONG })));
    let process = search(&server, &path);
    let offered = |process: u32| fs::read_to_string(format!("/proc/{process}/oom_score_adj")).unwrap();
    assert_eq!(offered(process).trim(), "1000");
    assert_ne!(offered(server.id()).trim(), "1000");
}

#[test]
fn a_search_knows_no_token() {
    let folder = Folder::new();
    let path = folder.file("tokens");
    fs::write(&path, "office:0123456789abcdef0123456789abcdef\n").unwrap();
    let server = Server::start(&["--token-file", &path]);
    let headers =
        [("Content-Type", "application/json"), ("Authorization", "Bearer 0123456789abcdef0123456789abcdef")];
    let body = job(500, &json!({ "seconds": LONG })).to_string();
    assert_eq!(server.ask("POST", "/v1/jobs", &headers, body.as_bytes()).status, 202);
    let process = until(|| searches(server.id()).first().copied());
    for file in ["environ", "cmdline"] {
        let text =
            String::from_utf8_lossy(&fs::read(format!("/proc/{process}/{file}")).unwrap()).into_owned();
        assert!(!text.contains("0123456789abcdef") && !text.contains("LOOKALIKE_TOKENS"), "{text}");
    }
}

#[test]
fn a_search_that_takes_too_much_memory_ends_with_its_best_so_far() {
    let server = Server::start(&["--max-search-mb", "32"]);
    // A small one has room.
    let path = server.submit(&job(500, &json!({"effort": 0.1})));
    let _ = server.wait(&path, "done");
    let small = server.get(&format!("{path}/result")).json();
    assert!(!small["method"]["text"].as_str().unwrap().contains("limit"), "{}", small["method"]);
    // A large one has not: it ends early, or is ended if it grows too fast to be asked.
    let path = server.submit(&job(120_000, &json!({ "seconds": LONG })));
    let info = until(|| {
        let info = server.get(&path).json();
        ["done", "failed"].contains(&info["state"].as_str()?).then_some(info)
    });
    let said = if info["state"] == "done" {
        server.get(&format!("{path}/result")).json()["method"]["text"].clone()
    } else {
        info["error"]["detail"].clone()
    };
    assert!(said.as_str().unwrap().contains("limit of 32 MB of memory"), "{said}");
    let text = server.get("/metrics").text();
    let peak = text.lines().find_map(|l| l.strip_prefix("lookalike_last_search_memory_bytes ")).unwrap();
    assert!(peak.parse::<f64>().unwrap() > 32e6, "{peak}");
}

#[test]
fn a_search_that_hears_nothing_is_ended_with_its_job() {
    let server = Server::start(&[]);
    let path = server.submit(&job(500, &json!({ "seconds": LONG })));
    let process = search(&server, &path);
    signal("-STOP", process);
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
    until(|| is_gone(process).then_some(()));
    let path = server.submit(&job(100, &json!({"effort": 0.1})));
    let _ = server.wait(&path, "done");
}

#[test]
fn a_search_that_hears_nothing_is_ended_some_time_after_its_end() {
    let server = Server::start(&["--max-search", "2s"]);
    // Where the machine is busy a search may have heard and ended before it is held.
    let (process, info) = (0..8)
        .find_map(|_| {
            let path = server.submit(&job(500, &json!({ "seconds": LONG })));
            let process = until(|| searches(server.id()).first().copied());
            signal("-STOP", process);
            let info = until(|| {
                let info = server.get(&path).json();
                ["done", "failed"].contains(&info["state"].as_str()?).then_some(info)
            });
            (info["state"] == "failed").then_some((process, info))
        })
        .unwrap();
    assert_eq!(info["error"]["type"], "/problems/solver-failed", "{info}");
    assert!(info["error"]["detail"].as_str().unwrap().contains("asked to end"), "{info}");
    until(|| is_gone(process).then_some(()));
    let path = server.submit(&job(100, &json!({"effort": 0.1})));
    let _ = server.wait(&path, "done");
}

#[test]
fn the_process_of_a_short_search_tells_its_memory() {
    let server = Server::start(&[]);
    // It has ended before anybody looks twice: whoever saw it would have seen more or less of its beginning.
    let peaks: Vec<f64> = (0..8)
        .map(|_| {
            let path = server.submit(&job(6, &json!({"effort": 0.0})));
            let _ = server.wait(&path, "done");
            let text = server.get("/metrics").text();
            let peak = text.lines().find_map(|l| l.strip_prefix("lookalike_last_search_memory_bytes "));
            peak.unwrap().parse().unwrap()
        })
        .collect();
    let most = peaks.iter().copied().fold(0.0, f64::max);
    assert!(peaks.iter().all(|&peak| peak > 1e6 && peak > most / 2.0), "{peaks:?}");
}
