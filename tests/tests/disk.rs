//! A worker whose disk is full.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{io::Write as _, thread, time::Duration};

use lookalike_tests::{disk::SmallDisk, server::Server};
use serde_json::{Value, json};

fn job(records: u32) -> Value {
    let points: Vec<f64> = (0..records).map(|i| f64::from(i * 7919 % 3001)).collect();
    json!({
        "version": 1, "dims": 1, "points": points, "colours": vec![0; points.len()],
        "rule": {"name": "min-size", "k": 2}, "loss": "sse", "method": "auto", "budget": {"effort": 1.0}, "seed": 1,
    })
}

/// Whether the worker still does its work.
fn assert_works(server: &Server) {
    let path = server.submit(&job(6));
    let _ = server.wait(&path, "done");
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
}

#[test]
fn a_full_disk_refuses_jobs_and_loses_none() {
    let Some(disk) = SmallDisk::new("3m") else { return };
    let data = disk.folder().file("data");
    let flags = ["--data-dir", data.as_str()];
    let server = Server::start(&flags);
    let before = server.submit(&job(300));
    let _ = server.wait(&before, "done");
    let unwanted = server.submit(&job(300));
    let _ = server.wait(&unwanted, "done");
    let mut long = job(300);
    long["budget"] = json!({"seconds": 3600.0});
    let long = server.submit(&long);
    let _ = server.wait(&long, "running");
    let large = server.submit(&job(110_000));
    let filler = disk.folder().path().join("filler");
    let mut file = std::fs::File::create(&filler).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    drop(file);
    let refused = server.post(&job(20_000));
    assert_eq!((refused.status, refused.problem().as_str()), (507, "/problems/storage"));
    assert!(!refused.text().contains("data"), "where the disk is, is nobody's business");
    assert_eq!(server.get("/v1/health").status, 200);
    assert_eq!(server.get(&format!("{before}/result")).status, 200, "what was there can be read");
    assert_eq!(
        server.get("/v1/jobs").json()["jobs"].as_array().unwrap().len(),
        4,
        "what was refused is not there"
    );
    // A search that ends meanwhile keeps its answer until there is room.
    assert_eq!(server.ask("POST", &format!("{long}/stop"), &[], b"").status, 202);
    thread::sleep(Duration::from_secs(1));
    assert_eq!(server.get(&long).json()["state"], "running");
    // What somebody wants to be gone goes, also what is larger than the room that is kept for that.
    let reserve = std::fs::metadata(disk.folder().path().join("data/reserve")).unwrap().len();
    assert!(reserve < 110_000 * 12, "{reserve}");
    for unwanted in [large, unwanted] {
        assert_eq!(server.ask("DELETE", &unwanted, &[], b"").status, 204);
        assert_eq!(server.get(&unwanted).status, 404);
    }
    std::fs::remove_file(&filler).unwrap();
    let _ = server.wait(&long, "done");
    assert_eq!(server.get(&format!("{long}/result")).status, 200);
    assert_works(&server);
    drop(server);
    // And the file is whole.
    let server = Server::start(&flags);
    assert_eq!(server.get(&format!("{before}/result")).status, 200);
}
