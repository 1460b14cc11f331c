//! Endurance: many jobs at once, a worker that is killed again and again, and a long time of work. Short by default;
//! `cargo xtask soak` (`LOOKALIKE_SOAK=1`) runs it at full length and shows the figures.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
    path::{Path, PathBuf},
    sync::{
        Mutex, RwLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use lookalike_tests::{disk::SmallDisk, http, http::Reply, program::Folder, server::Server};
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

/// The library that shows a process another time, if it is there (Debian: libfaketime).
fn other_time() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let library =
        folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1")).find(|path| path.is_file());
    if library.is_none() {
        eprintln!("skipped: no jumps of the clock (no libfaketime)");
    }
    library
}

/// Leaves no room on a file system; as many bytes as went in.
fn fill(path: &Path) -> usize {
    let mut file = std::fs::File::create(path).unwrap();
    let mut bytes = 0;
    while file.write_all(&[0; 4096]).is_ok() {
        bytes += 4096;
    }
    bytes
}

/// Variables of a process to which the file `clock` tells the time: an offset in seconds from the true one.
fn in_other_time<'a>(library: &'a str, clock: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("LD_PRELOAD", library),
        ("FAKETIME_TIMESTAMP_FILE", clock),
        ("FAKETIME_NO_CACHE", "1"),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
    ]
}

/// The answer to a job of a storm is that of a worker to which nothing happens.
fn assert_undisturbed(server: &Server, bearers: &[String], number: usize, n: usize) {
    let (key, job) = (format!("job {number}"), job(n, 1.0, number as u64 + 1));
    let undisturbed = Server::start(&[]);
    let alone = answer(&undisturbed, &undisturbed.submit(&job));
    let found = bearers.iter().find_map(|token| {
        let token = ("Authorization", token.as_str());
        let headers = [("Content-Type", "application/json"), token, ("Idempotency-Key", key.as_str())];
        // Only the token that has handed it in gets a job that is done already.
        let info = server.ask("POST", "/v1/jobs", &headers, job.to_string().as_bytes());
        let path = info.header("location").unwrap().to_owned();
        let done = info.json()["state"] == "done";
        done.then(|| server.ask("GET", &format!("{path}/result"), &[token], b"").json())
    });
    let mut found = found.unwrap_or_else(|| panic!("job {number} is not there"));
    (found["seconds"], found["threads"]) = (Value::Null, Value::Null);
    assert_eq!(found, alone, "job {number}");
}

/// What the clients of a storm have seen.
#[derive(Default)]
struct Seen {
    paths: Mutex<BTreeSet<String>>,
    full: AtomicUsize,
    unanswered: AtomicUsize,
}

/// A client that hands in a job until it is taken, and asks until its answer is there, whatever happens to the worker meanwhile.
fn persist(number: usize, n: usize, address: &RwLock<String>, token: &str, seen: &Seen) {
    let began = Instant::now();
    let job = job(n, 1.0, number as u64 + 1);
    let (body, key) = (job.to_string(), format!("job {number}"));
    let ask = |method: &str, path: &str, body: &[u8]| -> Reply {
        loop {
            let headers = [
                ("Content-Type", "application/json"),
                ("Authorization", token),
                ("Idempotency-Key", key.as_str()),
            ];
            let headers = if method == "POST" { &headers[..] } else { &headers[1..2] };
            let to = address.read().unwrap().clone();
            match http::try_ask(&to, method, path, headers, body) {
                // No room on the disk.
                Some(reply) if reply.status == 507 => _ = seen.full.fetch_add(1, Ordering::Relaxed),
                Some(reply) if reply.status == 503 => {}
                Some(reply) => return reply,
                None => _ = seen.unanswered.fetch_add(1, Ordering::Relaxed),
            }
            assert!(began.elapsed() < Duration::from_secs(1200), "job {number} is never answered");
            thread::sleep(Duration::from_millis(50));
        }
    };
    let taken = ask("POST", "/v1/jobs", body.as_bytes());
    assert_eq!(taken.status, 202, "{taken:?}");
    let path = taken.header("location").unwrap().to_owned();
    loop {
        let info = ask("GET", &path, b"").json();
        assert_ne!(info["state"], "failed", "{info}");
        if info["state"] == "done" {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(1200), "job {number} is never done: {info}");
        thread::sleep(Duration::from_millis(100));
    }
    let answer = ask("GET", &format!("{path}/result"), b"");
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_right(&job, &answer.json());
    assert!(seen.paths.lock().unwrap().insert(path), "two requests have one job");
}

/// All at once: kills, clients of three tokens, a disk that fills up again and again, a clock that jumps by days, while the worker
/// runs and between two of its lives.
#[test]
fn kills_full_disks_and_jumps_of_the_clock_lose_nothing() {
    let (kills, jobs, clients, n) = if full() { (200, 200, 50, 500) } else { (6, 12, 6, 100) };
    let Some(disk) = SmallDisk::new("24m") else { return };
    let (data, filler) = (disk.folder().file("data"), disk.folder().path().join("filler"));
    let folder = Folder::new();
    let tokens = ["a", "b", "c"].map(|name| name.repeat(24));
    let lines = tokens.iter().map(|token| format!("{}:{token}\n", &token[..1]));
    folder.write("tokens", lines.collect::<Vec<_>>().concat());
    folder.write("time", "+0");
    let (clock, library) = (folder.file("time"), other_time().map(|path| path.display().to_string()));
    let environment = library.as_deref().map(|library| in_other_time(library, &clock)).unwrap_or_default();
    let token_file = folder.file("tokens");
    let flags = [
        ["--data-dir", data.as_str()],
        ["--token-file", token_file.as_str()],
        ["--keep", "2400h"],
        ["--max-queue", "1000"],
    ]
    .concat();
    let start = || Server::with_environment(&flags, &environment);
    let mut server = Some(start());
    let address = RwLock::new(server.as_ref().unwrap().address.clone());
    let (seen, next, killed, jumps) =
        (Seen::default(), AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let bearers = tokens.map(|token| format!("Bearer {token}"));
    let (began, mut fills) = (Instant::now(), 0);
    thread::scope(|scope| {
        for client in 0..clients {
            let (address, seen, next, killed, token) =
                (&address, &seen, &next, &killed, &bearers[client % 3]);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= jobs {
                        return;
                    }
                    // Jobs come in as long as there are kills.
                    while killed.load(Ordering::Relaxed) * jobs < number * kills {
                        thread::sleep(Duration::from_millis(20));
                    }
                    persist(number, n, address, token, seen);
                }
            });
        }
        // Hours and days, there and back.
        let jump = |step: usize| {
            let hours = [0, 25, -30, 700, -1, 90, -400][step % 7];
            folder.write("time", format!("{}{}", if hours < 0 { "" } else { "+" }, hours * 3600));
            jumps.fetch_add(1, Ordering::Relaxed);
        };
        for kill in 0..kills {
            if kill % 2 == 1 {
                jump(kill / 2);
            }
            let full = kill % 5 == 2;
            if full {
                fill(&filler);
                fills += 1;
            }
            thread::sleep(Duration::from_millis(150 + 37 * kill as u64 % 400));
            if full && kill % 10 == 2 {
                std::fs::remove_file(&filler).unwrap();
            }
            // Dropping it is `kill -9`.
            drop(server.take());
            if filler.exists() {
                std::fs::remove_file(&filler).unwrap();
            }
            if kill % 3 == 1 {
                jump(kill);
            }
            let again = start();
            *address.write().unwrap() = again.address.clone();
            server = Some(again);
            killed.store(kill + 1, Ordering::Relaxed);
        }
    });
    let server = server.unwrap();
    let listed: Vec<usize> = bearers
        .iter()
        .map(|token| {
            let list = server.ask("GET", "/v1/jobs", &[("Authorization", token)], b"").json();
            list["jobs"].as_array().unwrap().len()
        })
        .collect();
    let paths = seen.paths.into_inner().unwrap();
    assert_eq!((paths.len(), listed.iter().sum::<usize>()), (jobs, jobs), "none lost, none doubled");
    for number in (0..jobs).step_by(20) {
        assert_undisturbed(&server, &bearers, number, n);
    }
    eprintln!(
        "storm: {kills} kills, {jobs} jobs of {n} records by {clients} clients over 3 tokens ({listed:?}), {fills} times a full disk \
         ({} requests refused), {} jumps of the clock, {} requests without an answer; none lost, none wrong, {:.0} s",
        seen.full.into_inner(),
        if library.is_some() { jumps.into_inner() } else { 0 },
        seen.unanswered.into_inner(),
        began.elapsed().as_secs_f64()
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
