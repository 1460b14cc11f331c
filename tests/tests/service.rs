//! The HTTP worker as a service: requests that are repeated, lists, packed and binary bodies, several tokens, jobs that
//! outlive the process.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_lossless,
    reason = "helpers of tests: a failure here is a failed test"
)]

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use lookalike_tests::{http::Reply, program::Folder, server::Server};
use serde_json::{Value, json};

const JSON: (&str, &str) = ("Content-Type", "application/json");

/// Records on a line; with effort for a while.
fn job(records: u32, effort: f64, seed: u64) -> Value {
    let points: Vec<f64> = (0..records).map(|i| f64::from(i * 7919 % 3001)).collect();
    json!({
        "version": 1, "dims": 1, "points": points, "colours": vec![0; points.len()],
        "rule": {"name": "min-size", "k": 3}, "loss": "sse", "method": "auto", "budget": {"effort": effort}, "seed": seed,
    })
}

fn post(server: &Server, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    server.ask("POST", "/v1/jobs", headers, body)
}

fn result(server: &Server, path: &str) -> Value {
    let _ = server.wait(path, "done");
    let mut answer = server.get(&format!("{path}/result")).json();
    // All but the time it took, and how many threads had a part in it: on a busy machine one may do all.
    (answer["seconds"], answer["threads"]) = (Value::Null, Value::Null);
    answer
}

#[test]
fn a_repeated_request_makes_no_second_job() {
    let server = Server::start(&[]);
    let body = job(6, 1.0, 1).to_string();
    let send = |key: &str, body: &str| post(&server, &[JSON, ("Idempotency-Key", key)], body.as_bytes());
    let first = send("one", &body);
    let again = send("one", &body);
    assert_eq!((first.status, again.status), (202, 202));
    assert_eq!(first.header("location"), again.header("location"));
    assert_ne!(send("two", &body).header("location"), first.header("location"));
    let other = job(6, 1.0, 2).to_string();
    assert_eq!(send("one", &other).problem(), "/problems/idempotency-key-reused");
    for wrong in ["", &"x".repeat(256)] {
        assert_eq!(send(wrong, &body).problem(), "/problems/bad-request");
    }
}

#[test]
fn jobs_are_listed_in_pages() {
    let server = Server::start(&[]);
    let paths: Vec<String> = (0..3).map(|seed| server.submit(&job(6, 1.0, seed))).collect();
    let first = server.get("/v1/jobs?limit=2").json();
    let ids = |page: &Value| -> Vec<String> {
        page["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|j| format!("/v1/jobs/{}", j["id"].as_str().unwrap()))
            .collect()
    };
    assert_eq!(ids(&first), paths[..2]);
    let rest = server.get(&format!("/v1/jobs?limit=2&after={}", first["next"].as_str().unwrap())).json();
    assert_eq!((ids(&rest), &rest["next"]), (paths[2..].to_vec(), &Value::Null));
    for wrong in ["limit=0", "limit=1000", "limit=x", "order=up"] {
        assert_eq!(server.get(&format!("/v1/jobs?{wrong}")).problem(), "/problems/bad-request", "{wrong}");
    }
    assert_eq!(server.get("/v1/jobs?after=none").problem(), "/problems/no-such-job");
}

/// Packs bytes as a program does.
fn pack(program: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let child = Command::new(program).arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.inspect_err(|why| eprintln!("skipped: no {program} ({why})")).ok()?;
    let mut input = child.stdin.take().unwrap();
    let bytes = bytes.to_vec();
    let writer = thread::spawn(move || input.write_all(&bytes).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Some(output.stdout)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    pack("gzip", bytes).unwrap()
}

/// The documented format, written anew.
fn binary(job: &Value) -> Vec<u8> {
    let numbers = |field: &str| job[field].as_array().unwrap().clone();
    let (points, colours) = (numbers("points"), numbers("colours"));
    let mut small = job.clone();
    small["points"] = json!([]);
    small["colours"] = json!([]);
    let header = small.to_string();
    let mut bytes = b"LLJB\x01\0\0\0".to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend((points.len() as u64).to_le_bytes());
    bytes.extend(points.iter().flat_map(|x| x.as_f64().unwrap().to_le_bytes()));
    bytes.extend((colours.len() as u64).to_le_bytes());
    bytes.extend(colours.iter().flat_map(|c| (c.as_u64().unwrap() as u32).to_le_bytes()));
    bytes
}

#[test]
fn every_form_of_a_body_is_the_same_job() {
    let server = Server::start(&["--max-job-mb", "1"]);
    let job = job(300, 2.0, 5);
    let plain = server.submit(&job);
    let kind = ("Content-Type", "application/vnd.lookalike.job");
    let gzipped = ("Content-Encoding", "gzip");
    let submit = |headers: &[(&str, &str)], body: &[u8]| {
        let reply = post(&server, headers, body);
        assert_eq!(reply.status, 202, "{reply:?}");
        reply.header("location").unwrap().to_owned()
    };
    let text = job.to_string();
    let others = [
        submit(&[kind], &binary(&job)),
        submit(&[JSON, gzipped], &gzip(text.as_bytes())),
        submit(&[JSON, ("Content-Encoding", "GZip")], &gzip(text.as_bytes())),
        submit(&[kind, gzipped], &gzip(&binary(&job))),
    ];
    let expected = result(&server, &plain);
    for path in others {
        assert_eq!(result(&server, &path), expected);
    }
    // Answers are packed for whoever asks for it.
    let packed = server.ask("GET", &format!("{plain}/result"), &[("Accept-Encoding", "gzip")], b"");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));

    let mut cut = binary(&job);
    cut.truncate(100);
    assert_eq!(post(&server, &[kind], &cut).problem(), "/problems/invalid-job");
    let blanks = vec![b' '; 3 << 20];
    let bomb = gzip(&blanks);
    assert!(bomb.len() < 10_000);
    assert_eq!(post(&server, &[JSON, gzipped], &bomb).problem(), "/problems/too-large");

    // Counterfeits come without points: what they would take counts.
    let mut wide = job.clone();
    (wide["dims"], wide["points"]) = (json!(1000), json!(vec![0.5; 1000]));
    assert_eq!(post(&server, &[JSON], wide.to_string().as_bytes()).problem(), "/problems/too-large");

    let zstd = ("Content-Encoding", "zstd");
    assert_eq!(post(&server, &[JSON, zstd], text.as_bytes()).problem(), "/problems/invalid-job");
    let Some(bytes) = pack("zstd", text.as_bytes()) else { return };
    assert_eq!(result(&server, &submit(&[JSON, zstd], &bytes)), expected);
    assert_eq!(post(&server, &[JSON, zstd], &bytes[..bytes.len() / 2]).problem(), "/problems/invalid-job");
    assert_eq!(
        post(&server, &[JSON, zstd], &[&bytes[..], &bytes].concat()).problem(),
        "/problems/invalid-job"
    );
    let bomb = pack("zstd", &blanks).unwrap();
    assert!(bomb.len() < 10_000);
    assert_eq!(post(&server, &[JSON, zstd], &bomb).problem(), "/problems/too-large");
}

#[test]
fn each_token_sees_its_own_jobs() {
    let folder = Folder::new();
    folder.write(
        "tokens",
        "lab:aaaaaaaaaaaaaaaaaaaa\noffice:bbbbbbbbbbbbbbbbbbbb\nold:cccccccccccccccccccc:2020-01-01\n",
    );
    let tokens = folder.file("tokens");
    let server = Server::start(&["--token-file", &tokens]);
    let (lab, office) =
        (("Authorization", "Bearer aaaaaaaaaaaaaaaaaaaa"), ("Authorization", "Bearer bbbbbbbbbbbbbbbbbbbb"));
    let reply = post(&server, &[JSON, lab], job(6, 1.0, 1).to_string().as_bytes());
    let path = reply.header("location").unwrap().to_owned();
    assert_eq!(server.ask("GET", &path, &[lab], b"").status, 200);
    for (method, path) in [
        ("GET", path.clone()),
        ("GET", format!("{path}/result")),
        ("GET", format!("{path}/events")),
        ("POST", format!("{path}/stop")),
        ("DELETE", path.clone()),
    ] {
        assert_eq!(
            server.ask(method, &path, &[office], b"").problem(),
            "/problems/no-such-job",
            "{method} {path}"
        );
    }
    let listed =
        |token| server.ask("GET", "/v1/jobs", &[token], b"").json()["jobs"].as_array().unwrap().len();
    assert_eq!((listed(lab), listed(office)), (1, 0));
    let expired = ("Authorization", "Bearer cccccccccccccccccccc");
    assert_eq!(server.ask("GET", "/v1/jobs", &[expired], b"").problem(), "/problems/unauthorized");
    assert_eq!(server.get("/metrics").problem(), "/problems/unauthorized");
    assert_eq!(server.ask("GET", "/metrics", &[lab], b"").status, 200);
}

#[test]
fn metrics_count() {
    let server = Server::start(&[]);
    let path = server.submit(&job(6, 1.0, 1));
    let _ = server.wait(&path, "done");
    let text = server.get("/metrics").text();
    for line in [
        "lookalike_jobs_submitted_total 1",
        "lookalike_jobs_ended_total{state=\"done\"} 1",
        "lookalike_jobs_waiting 0",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
    }
    assert!(text.contains("lookalike_search_seconds_count 1") && text.ends_with("# EOF\n"), "{text}");
}

/// The worker is killed again and again; every job ends, each once, with the answer that it has anyway.
#[test]
fn jobs_outlive_a_killed_worker() {
    const JOBS: u64 = 6;
    let undisturbed = Server::start(&[]);
    let expected: BTreeMap<u64, Value> = (0..JOBS)
        .map(|seed| (seed, result(&undisturbed, &undisturbed.submit(&job(400, 30.0, seed)))))
        .collect();

    let folder = Folder::new();
    let data = folder.file("data");
    let flags = ["--data-dir", data.as_str()];
    let server = Server::start(&flags);
    let paths: Vec<String> = (0..JOBS).map(|seed| server.submit(&job(400, 30.0, seed))).collect();
    drop(server);
    for kill in 0..8 {
        let server = Server::start(&flags);
        assert_eq!(server.get("/v1/jobs").json()["jobs"].as_array().unwrap().len(), paths.len());
        thread::sleep(Duration::from_millis(20 * kill));
    }
    let server = Server::start(&flags);
    for (path, seed) in paths.iter().zip(0..) {
        let _ = server.wait(path, "done");
        assert_eq!(result(&server, path), expected[&seed], "job {seed}");
        assert_eq!(server.ask("DELETE", path, &[], b"").status, 204);
    }
    assert!(server.get("/v1/jobs").json()["jobs"].as_array().unwrap().is_empty());
}

#[test]
fn a_folder_is_for_one_worker_and_deleted_jobs_leave_no_trace() {
    let folder = Folder::new();
    let data = folder.file("data");
    let server = Server::start(&["--data-dir", &data]);
    let mut job = job(3000, 1.0, 1);
    job["points"][0] = json!(123_456.789_012_5);
    let path = server.submit(&job);
    let trace = 123_456.789_012_5_f64.to_le_bytes();
    let found = || {
        fs::read_dir(folder.path().join("data")).unwrap().any(|entry| {
            let bytes = fs::read(entry.unwrap().path()).unwrap();
            bytes.windows(8).any(|window| window == trace)
        })
    };
    assert!(found());
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
    assert!(!found());

    let second = lookalike_tests::program::command()
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir", &data])
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another worker"));
}

#[test]
fn several_jobs_at_a_time() {
    let server = Server::start(&["--jobs", "2"]);
    let long = server.submit(&json!({
        "version": 1, "dims": 1, "points": (0..3000).map(|i| f64::from(i * 7919 % 3001)).collect::<Vec<_>>(),
        "colours": vec![0; 3000], "rule": {"name": "min-size", "k": 2}, "loss": "sse", "method": "auto",
        "budget": {"seconds": 3600.0}, "seed": 1,
    }));
    let _ = server.wait(&long, "running");
    let short = server.submit(&job(2000, 2.0, 1));
    let _ = server.wait(&short, "done");
    let answer = server.get(&format!("{short}/result")).json();
    assert_eq!(answer["threads"], 1, "two threads, two jobs: one each");
    assert_eq!(server.get(&long).json()["state"], "running");
}
