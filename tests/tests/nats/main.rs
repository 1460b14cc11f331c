//! Blocks of a search solved by several processes over a real NATS server: whatever dies meanwhile, the answer is that of
//! one machine, and no block is lost or counted twice.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

mod faults;
mod large;
mod measured;
mod network;
mod secure;

use std::{
    thread,
    time::{Duration, Instant},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use lookalike_tests::{
    nats::{Hand, Nats},
    program::{Folder, PATIENCE},
    server::Server,
};
use serde_json::{Value, json};

/// Blocks of [`in_blocks`].
const BLOCKS: u64 = 24;

/// A job of so many records.
fn job(records: u32, method: &str, effort: f64) -> Value {
    let points: Vec<u32> = (0..records).flat_map(|i| [i * 7919 % 997, i * 6007 % 83]).collect();
    json!({
        "version": 1, "dims": 2, "points": points, "colours": vec![0; records as usize],
        "rule": {"name": "min-size", "k": 3}, "loss": "sse", "method": method,
        "budget": {"effort": effort}, "seed": 1,
    })
}

/// A job of [`BLOCKS`] blocks, each of some tenths of a second.
fn in_blocks() -> Value {
    let mut job = job(4_800, "decompose", 1.0);
    job["method"] = json!({"name": "decompose", "blocks": BLOCKS});
    job
}

/// The answer without the time it took and the threads that took part.
fn answer(server: &Server, path: &str) -> Value {
    let _ = server.wait(path, "done");
    let mut answer = server.get(&format!("{path}/result")).json();
    (answer["seconds"], answer["threads"]) = (Value::Null, Value::Null);
    answer
}

/// The answer of one machine.
fn alone(job: &Value) -> Value {
    let server = Server::start(&[]);
    let path = server.submit(job);
    answer(&server, &path)
}

/// An answer without what is proven or claimed of it, of which its method speaks, too.
fn but_bounds(answer: &Value) -> Value {
    let mut answer = answer.clone();
    if let Some(fields) = answer.as_object_mut() {
        fields.retain(|name, _| !["bound", "claimed", "method"].contains(&name.as_str()));
    }
    answer
}

/// A coordinator.
fn coordinator(nats: &Nats, flags: &[&str]) -> Server {
    Server::start(&[&["--nats", &nats.url()], flags].concat())
}

/// What others do for the job.
fn elsewhere(server: &Server, path: &str, what: &str) -> u64 {
    server.get(path).json()["progress"]["elsewhere"][what].as_u64().unwrap_or(0)
}

/// Waits until that is at least `least`.
fn wait(server: &Server, path: &str, what: &str, least: u64) {
    until(&format!("{what} is {least}"), || elsewhere(server, path, what) >= least);
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "never: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Nothing of any job is left on the server.
fn is_empty(nats: &Nats, prefix: &str) {
    let end = Instant::now() + PATIENCE;
    loop {
        let jobs: Vec<String> =
            nats.streams().into_iter().filter(|n| n.starts_with(&format!("OBJ_{prefix}-job"))).collect();
        let counts = nats.messages(&format!("KV_{prefix}-attempts"));
        let tasks = nats.messages(&format!("{prefix}-tasks"));
        if jobs.is_empty() && tasks == Some(0) && counts == Some(0) {
            return;
        }
        assert!(Instant::now() < end, "left on the server: {jobs:?}, counts {counts:?}, tasks {tasks:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn several_workers_come_to_the_answer_of_one_machine() {
    let Some(nats) = Nats::start() else { return };
    let server = coordinator(&nats, &[]);
    let _hands = [(); 3].map(|()| Hand::start(&nats, &[]));
    let mut columns = job(240, "column-generation", 0.1);
    columns["method"] = json!({"name": "column-generation", "blocks": 5, "no_final_swap": true});
    let mut distinct = job(7_000, "spatial", 0.05);
    distinct["rule"] = json!({"name": "distinct", "m": 3});
    distinct["colours"] = (0..7_000).map(|i| i * 7 % 5).collect();
    for (job, blocks) in
        [(in_blocks(), BLOCKS), (job(13_000, "auto", 0.05), 18), (distinct, 12), (columns, 5)]
    {
        let path = server.submit(&job);
        let answer = answer(&server, &path);
        assert_eq!(but_bounds(&answer), but_bounds(&alone(&job)), "{}", job["method"]);
        let done = elsewhere(&server, &path, "done");
        assert!(done >= blocks, "{}: {done} of {blocks} blocks", job["method"]);
        assert_eq!(elsewhere(&server, &path, "open"), 0);
        // Whoever listens hears of it, too.
        let events = server.get(&format!("{path}/events")).text();
        assert!(events.contains(&format!("\"elsewhere\":{{\"done\":{done},")), "{events}");
        if job["method"]["name"] == "column-generation" {
            // The coordinator has checked none of the bounds of its blocks: their sum is a claim, and says nothing of the whole.
            let own = alone(&job);
            // What it has proven by itself, before and after others had a part, is by duals of its own.
            let proof = answer["bound"]["proven_by"]["id"].as_str().unwrap_or_default();
            let by_itself = proof.starts_with("optimize.ProvenByDuals.");
            assert!(by_itself && own["claimed"].is_null(), "{answer}");
            assert_eq!(
                answer["claimed"],
                json!({"bound": own["bound"]["value"], "of": "decomposed-problem"})
            );
        }
    }
    is_empty(&nats, "lookalike");
    // A job with a time limit stays on one machine.
    let mut timed = in_blocks();
    timed["budget"] = json!({"seconds": 0.5});
    let path = server.submit(&timed);
    let _ = server.wait(&path, "done");
    assert_eq!(server.get(&path).json()["progress"]["elsewhere"], Value::Null);
}

/// Text from base64.
fn text(base64: &str) -> String {
    String::from_utf8(BASE64_STANDARD.decode(base64).unwrap()).unwrap()
}

#[test]
fn a_worker_of_another_version_leaves_a_task_alone() {
    let Some(nats) = Nats::start() else { return };
    let server = coordinator(&nats, &[]);
    let _hand = Hand::start(&nats, &[]);
    let foreign = r#"{"version": "99-0", "job": "j", "block": "b", "attempts": 3}"#;
    nats.publish("lookalike.tasks.99-0.j.b", foreign);
    let job = in_blocks();
    let path = server.submit(&job);
    wait(&server, &path, "done", 1);
    // What is no task is taken off.
    let revision = lookalike_model::REVISION;
    nats.publish(&format!("lookalike.tasks.{revision}-5.j.b"), "no task");
    assert_eq!(answer(&server, &path), alone(&job));
    until("the other task alone is left", || nats.messages("lookalike-tasks") == Some(1));
    let last = nats.ask("STREAM.MSG.GET.lookalike-tasks", r#"{"last_by_subj": "lookalike.tasks.99-0.j.b"}"#);
    assert_eq!(text(last["message"]["data"].as_str().unwrap()), foreign);
}

#[test]
fn tenants_do_not_meet() {
    let Some(nats) = Nats::start() else { return };
    let ours = coordinator(&nats, &["--nats-prefix", "ours"]);
    let job = job(7_000, "spatial", 0.05);
    let path = ours.submit(&job);
    wait(&ours, &path, "open", 2);
    let _theirs = Hand::start(&nats, &["--nats-prefix", "theirs"]);
    thread::sleep(Duration::from_secs(3));
    assert_eq!((elsewhere(&ours, &path, "done"), elsewhere(&ours, &path, "workers")), (0, 0));
    let _our_hand = Hand::start(&nats, &["--nats-prefix", "ours"]);
    assert_eq!(answer(&ours, &path), alone(&job));
    is_empty(&nats, "ours");
}

#[test]
fn a_server_that_is_not_there_or_cannot_do_it_is_named() {
    let folder = Folder::new();
    for args in [&["serve", "--listen", "127.0.0.1:0"][..], &["work"]] {
        let run = folder.run(&[args, &["--nats", "nats://user:secret@127.0.0.1:1"]].concat());
        assert_eq!(run.code, Some(4), "{}", run.stderr);
        assert!(run.stderr.contains("127.0.0.1:1") && !run.stderr.contains("secret"), "{}", run.stderr);
    }
    let run = folder.run(&["work", "--nats", "nats://127.0.0.1:1", "--nats-prefix", "a.b"]);
    assert_eq!(run.code, Some(2));
    let run = folder.run(&["work", "--nats", "nats://127.0.0.1:1", "--nats-ca", "none.pem"]);
    assert_eq!(run.code, Some(2));
}
