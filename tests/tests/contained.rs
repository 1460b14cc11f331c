//! What hostile bodies and searches can take from the machine: memory in proportion to a body, and nothing else.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{fs, io::Write as _};

use flate2::{Compression, write::GzEncoder};
use lookalike_tests::server::Server;
use serde_json::json;

/// Bytes of the largest body.
const LARGEST: usize = 16 << 20;

/// Most bytes of memory for each byte that a body may have, as docs/worker.md states it.
const MULTIPLE: usize = 12;

/// Most bytes that a process ever had.
fn peak(process: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse::<usize>().unwrap() * 1024
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
    let mut last = peak(server.id());
    let begin = last;
    for (what, kind, body) in bodies {
        let packed = gzip(&body);
        let reply =
            server.ask("POST", "/v1/jobs", &[("Content-Type", kind), ("Content-Encoding", "gzip")], &packed);
        assert!([202, 413, 422].contains(&reply.status), "{what}: {reply:?}");
        let now = peak(server.id());
        println!("{what}: {} bytes became {} MB more ({})", packed.len(), (now - last) >> 20, reply.status);
        assert!(now - begin <= MULTIPLE * LARGEST, "{what}: {} MB", (now - begin) >> 20);
        last = now;
    }
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
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    let field = |name: &str| {
        let status = fs::read_to_string(format!("/proc/{search}/status")).unwrap();
        status.lines().find_map(|line| line.strip_prefix(name).map(|rest| rest.trim().to_owned()))
    };
    // It contains itself before it reads the job; it may only just have begun.
    let end = std::time::Instant::now() + lookalike_tests::program::PATIENCE;
    let warned = folder.text("log").contains("does not contain searches");
    while !warned && field("Seccomp:").as_deref() != Some("2") {
        assert!(std::time::Instant::now() < end, "neither contained nor said");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    if warned {
        eprintln!("skipped: this kernel contains nothing");
        return;
    }
    assert_eq!(field("NoNewPrivs:").as_deref(), Some("1"));
    let limits = fs::read_to_string(format!("/proc/{search}/limits")).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert!(core.split_whitespace().filter(|word| *word == "0").count() == 2, "{core}");
    let _ = server.ask("DELETE", &path, &[], b"");
}
