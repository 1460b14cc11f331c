//! One job of 20,000 records over HTTP, solved by column generation in blocks: with a bound of the decomposed problem, and
//! after kills with the same answer, no finished block solved again.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    thread,
    time::{Duration, Instant},
};

use lookalike_tests::{
    program::{Folder, PATIENCE},
    server::Server,
};
use serde_json::{Value, json};

const RECORDS: u32 = 20_000;
const BLOCKS: u64 = 400;

/// Its options stand beside its method, as they did before methods carried them.
fn job() -> Value {
    let points: Vec<u32> = (0..RECORDS).flat_map(|i| [i * 7919 % 997, i * 6007 % 83]).collect();
    json!({
        "version": 1, "dims": 2, "points": points, "colours": vec![0; RECORDS as usize],
        "rule": {"name": "min-size", "k": 3}, "loss": "sse", "method": "column-generation",
        "search": {"blocks": BLOCKS, "no_final_swap": true}, "budget": {"effort": 0.1}, "seed": 1,
    })
}

/// Blocks that this process has solved, and found solved.
fn blocks(server: &Server) -> (u64, u64) {
    let text = server.get("/metrics").text();
    let count = |by: &str| {
        let name = format!("lookalike_blocks_total{{by=\"{by}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok()).unwrap_or(0)
    };
    (count("solved"), count("found"))
}

/// Waits until so many blocks have answers here.
fn wait(server: &Server, answers: u64) {
    let end = Instant::now() + 5 * PATIENCE;
    loop {
        let (solved, found) = blocks(server);
        if solved + found >= answers {
            return;
        }
        assert!(Instant::now() < end, "only {solved} + {found} blocks");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The answer without the time it took.
fn answer(server: &Server, path: &str) -> Value {
    let _ = server.wait(path, "done");
    let mut answer = server.get(&format!("{path}/result")).json();
    (answer["seconds"], answer["threads"]) = (Value::Null, Value::Null);
    answer
}

#[test]
fn finished_blocks_outlive_a_killed_worker() {
    let began = Instant::now();
    let server = Server::start(&[]);
    let path = server.submit(&job());
    wait(&server, BLOCKS);
    let undisturbed = answer(&server, &path);
    let seconds = began.elapsed().as_secs_f64();
    assert_eq!(undisturbed["labels"].as_array().unwrap().len(), RECORDS as usize);
    let (loss, bound) = (undisturbed["loss"].as_f64().unwrap(), &undisturbed["bound"]);
    assert_eq!(bound["of"], "decomposed-problem");
    let bound = bound["value"].as_f64().unwrap();
    assert!(0.0 < bound && bound <= loss * (1.0 + 1e-9), "{bound} {loss}");
    drop(server);

    let folder = Folder::new();
    let data = folder.file("data");
    let flags = ["--data-dir", data.as_str()];
    let server = Server::start(&flags);
    let path = server.submit(&job());
    drop(server);
    let mut known = 0;
    for kill in 1..=4 {
        let server = Server::start(&flags);
        wait(&server, kill * BLOCKS / 5);
        let (solved, found) = blocks(&server);
        assert!(found >= known, "{known} blocks were finished, {found} of them were found");
        known = solved + found;
    }
    let server = Server::start(&flags);
    wait(&server, BLOCKS);
    let (solved, found) = blocks(&server);
    assert_eq!(solved + found, BLOCKS);
    assert!(found >= known, "{known} {found}");
    assert_eq!(answer(&server, &path), undisturbed);
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
    eprintln!(
        "decomposition: {RECORDS} records, {BLOCKS} blocks in {seconds:.0} s, gap {:.3} % of the decomposed problem; {found} \
         blocks found after four kills",
        100.0 * (loss - bound) / loss
    );
}
