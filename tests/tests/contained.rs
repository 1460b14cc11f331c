//! What hostile bodies and searches can take from the machine: memory in proportion to a body, and nothing else.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    fs,
    io::{Read as _, Write as _},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use flate2::{Compression, write::GzEncoder};
use lookalike_tests::server::Server;
use serde_json::json;

/// Bytes of the largest body.
const LARGEST: usize = 16 << 20;

/// Most bytes of memory for each byte that a body may have, as docs/worker.md states them: of the process that reads it, and of the
/// worker.
const READER: usize = 12;
const WORKER: usize = 8;

/// What the system tells of a process that has not ended.
fn field(process: u32, name: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix(name).map(|rest| rest.trim().to_owned()))
}

/// Most bytes that a process ever had, as long as it has not ended.
fn peak(process: u32) -> Option<usize> {
    let kilobytes: usize = field(process, "VmHWM:")?.trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The process that a worker would start to read such a body.
fn reader(kind: &str, packing: &str) -> Child {
    let format = if kind == "application/json" { "json" } else { "binary" };
    Command::new(lookalike_tests::program::binary())
        .args(["read-apart", format, packing, &LARGEST.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Most bytes that such a process had, and the first line that it said.
fn read(kind: &str, packed: &[u8]) -> (usize, String) {
    let mut child = reader(kind, "gzip");
    let id = child.id();
    let output = child.stdout.take().unwrap();
    child.stdin.take().unwrap().write_all(packed).unwrap();
    let said = thread::spawn(move || {
        let (mut output, mut said) = (output, Vec::new());
        output.read_to_end(&mut said).map(|_| said)
    });
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(peak(id).unwrap_or(0));
        thread::sleep(Duration::from_millis(1));
    }
    let said = said.join().unwrap().unwrap();
    let line = said.split(|byte| *byte == b'\n').next().unwrap();
    (most, String::from_utf8_lossy(line).into_owned())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// A list of as many of these as make a body of the largest size, within the rest of a job.
fn filled(before: &str, piece: &str, after: &str) -> String {
    let pieces = (LARGEST - before.len() - after.len()) / (piece.len() + 1);
    [before, &vec![piece; pieces].join(","), after].concat()
}

/// The same with so many pieces.
fn some(before: &str, piece: &str, pieces: usize, after: &str) -> Vec<u8> {
    [before, &vec![piece; pieces].join(","), after].concat().into_bytes()
}

#[test]
fn a_small_body_takes_memory_by_what_a_body_may_have_and_not_more() {
    let server = Server::start(&["--max-job-mb", "16"]);
    assert_eq!(server.get("/v1/health").status, 200);
    let rest = r#""version":1,"dims":1,"rule":{"name":"min-size","k":3},"loss":"sse","budget":{"effort":1.0},"seed":1"#;
    let old = r#""method":"decompose","search":{"start":null,"blocks":3,"swap_first":true,"stop_gap_percent":null}"#;
    let lists =
        format!(r#"{{{rest},"method":"auto","points":[],"colours":[],"series":{{"bound":[],"signatures":["#);
    let numbers = format!(r#"{{{rest},"method":"auto","colours":[],"points":["#);
    let before = format!(r#"{{{rest},{old},"colours":[],"points":["#);
    let deep = format!(r#"{{{rest},"method":"auto","points":[],"colours":[],"unknown":{}"#, "[".repeat(1000));
    let within = filled(&lists, "[]", "]}}");
    let binary = [
        b"LLJB\x01\0\0\0".to_vec(),
        u32::try_from(within.len()).unwrap().to_le_bytes().to_vec(),
        within.clone().into_bytes(),
        vec![0; 16],
    ]
    .concat();
    let many = vec!["1"; LARGEST / 8 - 1000].join(",");
    let taken =
        format!(r#"{{{rest},"method":"classic","colours":[{}],"points":[{many}]}}"#, many.replace('1', "0"));
    let bodies = [
        ("lists in a header", "application/vnd.lookalike.job", binary),
        ("lists", "application/json", within.into_bytes()),
        ("numbers", "application/json", filled(&numbers, "1", "]}").into_bytes()),
        ("numbers of the old form", "application/json", filled(&before, "1", "]}").into_bytes()),
        ("numbers of many digits", "application/json", filled(&numbers, "0.123456", "]}").into_bytes()),
        // Just what is read: a list has 15 numbers, so that both are near what is allowed.
        ("numbers that are read", "application/json", some(&numbers, "1", LARGEST / 4 - 1000, "]}")),
        (
            "numbers of the old form that are read",
            "application/json",
            some(&before, "1", LARGEST / 4 - 1000, "]}"),
        ),
        (
            "lists that are read",
            "application/json",
            some(&lists, &format!("[{}]", ["1"; 15].join(",")), LARGEST / 64, "]}}"),
        ),
        ("a job that is taken on", "application/json", taken.into_bytes()),
        ("methods", "application/json", filled(&format!(r#"{{{rest},"method":["#), "1", "]}").into_bytes()),
        ("depth", "application/json", deep.into_bytes()),
    ];
    let (begin, nothing) = (peak(server.id()).unwrap(), read("application/json", &gzip(b"{}")).0);
    for (what, kind, body) in bodies {
        let packed = gzip(&body);
        let reply =
            server.ask("POST", "/v1/jobs", &[("Content-Type", kind), ("Content-Encoding", "gzip")], &packed);
        assert!([202, 413, 422].contains(&reply.status), "{what}: {reply:?}");
        let took = peak(server.id()).unwrap() - begin;
        assert!(took <= WORKER * LARGEST, "{what}: the worker had {} MB more", took >> 20);
        let (most, said) = read(kind, &packed);
        let took = most.saturating_sub(nothing);
        println!("{what}: {} bytes became {} MB ({})", packed.len(), took >> 20, reply.status);
        assert!(took <= READER * LARGEST, "{what}: {} MB", took >> 20);
        assert_eq!(said.starts_with(r#"{"Job":"#), reply.status == 202, "{what}: {said}");
    }
}

#[test]
fn what_reads_a_job_is_contained_before_it_reads() {
    let folder = lookalike_tests::program::Folder::new();
    let server = Server::with_log(&[], fs::File::create(folder.file("log")).unwrap());
    assert_eq!(server.get("/v1/health").status, 200);
    if folder.text("log").contains("does not contain searches") {
        eprintln!("skipped: this kernel contains nothing");
        return;
    }
    let mut child = reader("application/json", "none");
    let end = Instant::now() + lookalike_tests::program::PATIENCE;
    // As long as its input is open it waits for more.
    while field(child.id(), "Seccomp:").as_deref() != Some("2") {
        assert!(Instant::now() < end, "not contained");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(field(child.id(), "NoNewPrivs:").as_deref(), Some("1"));
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_search_is_contained_or_the_worker_says_that_it_is_not() {
    let folder = lookalike_tests::program::Folder::new();
    let log = fs::File::create(folder.file("log")).unwrap();
    let server = Server::with_log(&[], log);
    let points: Vec<u32> = (0..3000).map(|i| i * 7919 % 3001).collect();
    let path = server.submit(&json!({
        "version": 1, "dims": 1, "points": points, "colours": vec![0; points.len()],
        "rule": {"name": "min-size", "k": 3}, "loss": "sse", "method": "auto", "budget": {"effort": 1e9}, "seed": 1,
    }));
    let _ = server.wait(&path, "running");
    let children = format!("/proc/{0}/task/{0}/children", server.id());
    let search = loop {
        let all: Vec<String> = fs::read_dir(format!("/proc/{}/task", server.id()))
            .unwrap()
            .filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok())
            .flat_map(|of| of.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        if let Some(child) = all.first() {
            break child.clone();
        }
        assert!(fs::metadata(&children).is_ok(), "skipped: this kernel does not name children");
        thread::sleep(Duration::from_millis(20));
    };
    let search: u32 = search.parse().unwrap();
    // It contains itself before it reads the job; it may only just have begun.
    let end = Instant::now() + lookalike_tests::program::PATIENCE;
    let warned = folder.text("log").contains("does not contain searches");
    while !warned && field(search, "Seccomp:").as_deref() != Some("2") {
        assert!(Instant::now() < end, "neither contained nor said");
        thread::sleep(Duration::from_millis(20));
    }
    if warned {
        eprintln!("skipped: this kernel contains nothing");
        return;
    }
    assert_eq!(field(search, "NoNewPrivs:").as_deref(), Some("1"));
    let limits = fs::read_to_string(format!("/proc/{search}/limits")).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert!(core.split_whitespace().filter(|word| *word == "0").count() == 2, "{core}");
    let _ = server.ask("DELETE", &path, &[], b"");
}
