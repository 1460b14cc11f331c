//! Endurance: many jobs at once, a worker that is killed again and again, and a long time of work. Short by default;
//! `cargo xtask soak` (`LOOKALIKE_SOAK=1`) runs it at full length and shows the figures.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use lookalike_tests::{program::Folder, server::Server};
use serde_json::{Value, json};

/// Least size of a class.
const K: usize = 3;

/// Whether everything runs at full length.
fn full() -> bool {
    std::env::var("LOOKALIKE_SOAK").is_ok_and(|value| value == "1")
}

/// `n` records in the plane, spread by a linear congruential generator.
fn job(n: usize, effort: f64, seed: u64) -> Value {
    let mut state = seed;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) % 1000) as f64 / 100.0
    };
    let points: Vec<f64> = (0..2 * n).map(|_| draw()).collect();
    json!({
        "version": 1, "dims": 2, "points": points, "colours": vec![0; n], "rule": {"name": "min-size", "k": K},
        "loss": "sse", "method": "auto", "budget": {"effort": effort}, "seed": seed,
    })
}

/// Checks an answer by itself: every record is in a class, every class is large enough, and the loss is that of the
/// classes.
fn assert_right(job: &Value, answer: &Value) {
    let numbers = |field: &Value| -> Vec<f64> {
        field.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let (points, labels) = (numbers(&job["points"]), numbers(&answer["labels"]));
    assert_eq!(points.len(), 2 * labels.len());
    let mut classes: BTreeMap<u64, Vec<&[f64]>> = BTreeMap::new();
    for (point, label) in points.chunks(2).zip(&labels) {
        classes.entry(*label as u64).or_default().push(point);
    }
    let mut loss = 0.0;
    for class in classes.values() {
        assert!(class.len() >= K, "a class of {}", class.len());
        for axis in 0..2 {
            let mean = class.iter().map(|p| p[axis]).sum::<f64>() / class.len() as f64;
            loss += class.iter().map(|p| (p[axis] - mean).powi(2)).sum::<f64>();
        }
    }
    let claimed = answer["loss"].as_f64().unwrap();
    assert!((loss - claimed).abs() <= 1e-6 * loss.max(1.0), "it claims {claimed}, its classes lose {loss}");
}

/// The answer without the time it took.
fn answer(server: &Server, path: &str) -> Value {
    let _ = server.wait(path, "done");
    let mut answer = server.get(&format!("{path}/result")).json();
    (answer["seconds"], answer["threads"]) = (Value::Null, Value::Null);
    answer
}

/// Milliseconds that 99 of 100 calls take at most, and the longest.
fn slowest(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1000.0;
    (at(0.99), at(1.0))
}

#[test]
fn load_loses_no_job_and_gives_no_wrong_answer() {
    let (jobs, clients, n) = if full() { (200, 50, 500) } else { (24, 8, 100) };
    let folder = Folder::new();
    let server = Server::start(&["--data-dir", &folder.file("data"), "--max-queue", "1000"]);
    let (next, times) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let began = Instant::now();
    let mut paths: Vec<String> = thread::scope(|scope| {
        let client = || {
            let mut paths = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= jobs {
                    return paths;
                }
                let job = job(n, 1.0, number as u64 + 1);
                let path = server.submit(&job);
                loop {
                    let asked = Instant::now();
                    let info = server.get(&path).json();
                    times.lock().unwrap().push(asked.elapsed());
                    assert_ne!(info["state"], "failed", "{info}");
                    if info["state"] == "done" {
                        break;
                    }
                    thread::sleep(Duration::from_millis(200));
                }
                assert_right(&job, &answer(&server, &path));
                paths.push(path);
            }
        };
        let clients: Vec<_> = (0..clients).map(|_| scope.spawn(client)).collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), jobs, "one job for each request");
    let text = server.get("/metrics").text();
    assert!(text.contains(&format!("lookalike_jobs_ended_total{{state=\"done\"}} {jobs}\n")), "{text}");
    let times = times.into_inner().unwrap();
    let (calls, (p99, longest)) = (times.len(), slowest(times));
    eprintln!(
        "load: {jobs} jobs of {n} records by {clients} clients in {:.1} s; {calls} status calls, p99 {p99:.1} ms, longest \
         {longest:.1} ms",
        began.elapsed().as_secs_f64()
    );
}

#[test]
fn a_worker_that_is_killed_again_and_again_loses_nothing() {
    let (kills, jobs, n, effort) = if full() { (50, 12, 500, 60.0) } else { (6, 4, 300, 20.0) };
    let undisturbed = Server::start(&[]);
    let all: Vec<Value> = (1..=jobs).map(|seed| job(n, effort, seed)).collect();
    let expected: Vec<Value> = all.iter().map(|job| answer(&undisturbed, &undisturbed.submit(job))).collect();
    drop(undisturbed);

    let folder = Folder::new();
    let data = folder.file("data");
    let flags = ["--data-dir", data.as_str()];
    let mut paths: Vec<String> = Vec::new();
    let mut running = 0;
    for kill in 0..kills {
        let server = Server::start(&flags);
        // Jobs come in between the kills; a repeated request makes no second one.
        while paths.len() * kills < all.len() * (kill + 1) {
            let key = format!("job {}", paths.len());
            let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key.as_str())];
            let body = all[paths.len()].to_string();
            let [first, again] = [0, 1].map(|_| server.ask("POST", "/v1/jobs", &headers, body.as_bytes()));
            assert_eq!(first.header("location"), again.header("location"));
            paths.push(first.header("location").unwrap().to_owned());
        }
        thread::sleep(Duration::from_millis(37 * kill as u64 % 400));
        let listed = server.get("/v1/jobs").json();
        let listed = listed["jobs"].as_array().unwrap();
        assert_eq!(listed.len(), paths.len(), "none lost, none doubled");
        running += usize::from(listed.iter().any(|job| job["state"] == "running"));
        // Dropping it is `kill -9`.
    }
    let server = Server::start(&flags);
    for ((path, job), expected) in paths.iter().zip(&all).zip(&expected) {
        let found = answer(&server, path);
        assert_right(job, &found);
        assert_eq!(&found, expected, "the same answer as without kills");
    }
    eprintln!(
        "kills: {kills}, of them {running} during a search; {} jobs, each with its own answer",
        all.len()
    );
}

/// Resident memory in megabytes, as the worker tells it.
fn memory(server: &Server) -> f64 {
    let text = server.get("/metrics").text();
    let line = text.lines().find_map(|line| line.strip_prefix("lookalike_resident_memory_bytes "));
    line.unwrap().parse::<f64>().unwrap() / f64::from(1 << 20)
}

#[test]
fn long_work_keeps_memory_constant() {
    let length = Duration::from_secs(if full() { 600 } else { 4 });
    let folder = Folder::new();
    let server = Server::start(&["--data-dir", &folder.file("data")]);
    let over = AtomicBool::new(false);
    let began = Instant::now();
    let (jobs, samples) = thread::scope(|scope| {
        let client = |client: u64| {
            let (server, over) = (&server, &over);
            scope.spawn(move || {
                let mut done = 0;
                while !over.load(Ordering::Relaxed) {
                    let job = job(300, 2.0, client * 1_000_000 + done + 1);
                    let path = server.submit(&job);
                    assert_right(&job, &answer(server, &path));
                    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
                    done += 1;
                }
                done
            })
        };
        let clients: Vec<_> = (0..4).map(client).collect();
        let mut samples = Vec::new();
        while began.elapsed() < length {
            thread::sleep(length / 20);
            samples.push(memory(&server));
        }
        over.store(true, Ordering::Relaxed);
        (clients.into_iter().map(|c| c.join().unwrap()).sum::<u64>(), samples)
    });
    // The first quarter warms up.
    let early = samples[5..10].iter().copied().fold(0.0, f64::max);
    let late = samples[15..].iter().copied().fold(0.0, f64::max);
    assert!(server.get("/v1/jobs").json()["jobs"].as_array().unwrap().is_empty());
    eprintln!(
        "soak: {} s, {jobs} jobs; memory at most {early:.1} MB early, {late:.1} MB late",
        length.as_secs()
    );
    assert!(late <= 1.1 * early + 4.0, "memory grows: {samples:?}");
}
