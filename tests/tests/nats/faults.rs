//! What dies, hangs, repeats itself, or is no longer wanted.

use std::{process::Command, thread, time::Duration};

use lookalike_tests::{
    nats::{Hand, Nats},
    program::Folder,
};
use serde_json::{Value, json};

use super::{BLOCKS, alone, answer, coordinator, elsewhere, in_blocks, is_empty, job, text, until, wait};

#[test]
fn workers_may_be_killed_and_others_join() {
    let Some(nats) = Nats::start() else { return };
    let job = in_blocks();
    let server = coordinator(&nats, &[]);
    let path = server.submit(&job);
    // Nobody is there yet.
    wait(&server, &path, "open", BLOCKS);
    assert_eq!((elsewhere(&server, &path, "done"), elsewhere(&server, &path, "workers")), (0, 0));
    for round in 1..4 {
        let hand = Hand::start(&nats, &["--ack-wait", "2"]);
        wait(&server, &path, "done", 3 * round);
        assert!(elsewhere(&server, &path, "workers") >= 1);
        hand.signal("KILL");
    }
    let polite = Hand::start(&nats, &["--ack-wait", "2"]);
    wait(&server, &path, "done", 11);
    polite.signal("TERM");
    assert_eq!(polite.end(), Some(0));
    let _last = [(); 2].map(|()| Hand::start(&nats, &["--ack-wait", "2"]));
    assert_eq!(answer(&server, &path), alone(&job));
    assert_eq!(elsewhere(&server, &path, "done"), BLOCKS, "none is lost, none is counted twice");
    is_empty(&nats, "lookalike");
}

#[test]
fn a_killed_coordinator_goes_on_after_its_restart() {
    let Some(nats) = Nats::start() else { return };
    let folder = Folder::new();
    let data = folder.file("data");
    for (job, before) in [(in_blocks(), 5), (job(7_000, "spatial", 0.2), 4)] {
        let hands = [(); 2].map(|()| Hand::start(&nats, &[]));
        let server = coordinator(&nats, &["--data-dir", &data]);
        let path = server.submit(&job);
        wait(&server, &path, "done", before);
        // Dropped means killed.
        drop(server);
        let server = coordinator(&nats, &["--data-dir", &data]);
        assert_eq!(answer(&server, &path), alone(&job), "{}", job["method"]);
        is_empty(&nats, "lookalike");
        drop(hands);
        assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
    }
}

#[test]
fn a_coordinator_that_stops_in_order_leaves_its_blocks_at_work() {
    let Some(nats) = Nats::start() else { return };
    let (folder, job) = (Folder::new(), in_blocks());
    let data = folder.file("data");
    let server = coordinator(&nats, &["--data-dir", &data]);
    let path = server.submit(&job);
    wait(&server, &path, "open", BLOCKS);
    let stopped = Command::new("kill").args(["-TERM", &server.id().to_string()]).status().unwrap();
    assert!(stopped.success());
    assert_eq!(server.end(), Some(0));
    assert_eq!(nats.messages("lookalike-tasks"), Some(BLOCKS));
    let _hand = Hand::start(&nats, &[]);
    until("blocks are solved meanwhile", || nats.messages("lookalike-tasks") < Some(BLOCKS - 2));
    let server = coordinator(&nats, &["--data-dir", &data]);
    assert_eq!(answer(&server, &path), alone(&job));
    is_empty(&nats, "lookalike");
}

#[test]
fn a_killed_server_comes_back_with_or_without_what_it_had() {
    let Some(mut nats) = Nats::start() else { return };
    let mut job = in_blocks();
    // Not over before the server is lost.
    job["budget"] = json!({"effort": 6.0});
    let server = coordinator(&nats, &[]);
    let path = server.submit(&job);
    let _hands = [(); 2].map(|()| Hand::start(&nats, &["--ack-wait", "2"]));
    wait(&server, &path, "done", 3);
    nats.kill();
    thread::sleep(Duration::from_millis(300));
    nats.start_again();
    wait(&server, &path, "done", 8);
    nats.kill();
    nats.lose_everything();
    nats.start_again();
    wait(&server, &path, "done", 14);
    // The queue alone, once somebody has made it again.
    let gone = || nats.ask("STREAM.DELETE.lookalike-tasks", "")["success"] == true;
    let pause = || thread::sleep(Duration::from_millis(100));
    assert!((0..100).any(|_| gone() || {
        pause();
        false
    }));
    assert_eq!(answer(&server, &path), alone(&job));
    assert_eq!(elsewhere(&server, &path, "done"), BLOCKS);
    is_empty(&nats, "lookalike");
}

#[test]
fn a_slow_worker_and_messages_that_come_twice_change_nothing() {
    let Some(nats) = Nats::start() else { return };
    let job = in_blocks();
    let server = coordinator(&nats, &[]);
    let path = server.submit(&job);
    wait(&server, &path, "open", BLOCKS);
    let id = path.rsplit('/').next().unwrap();
    // Tasks that are on the queue twice.
    let first = nats.ask("STREAM.MSG.GET.lookalike-tasks", r#"{"seq": 1}"#);
    let subject = first["message"]["subject"].as_str().unwrap().to_owned();
    let task = text(first["message"]["data"].as_str().unwrap());
    for _ in 0..3 {
        nats.publish(&subject, &task);
    }
    let slow = Hand::start(&nats, &["--ack-wait", "1"]);
    wait(&server, &path, "done", 2);
    slow.signal("STOP");
    let _other = Hand::start(&nats, &["--ack-wait", "1"]);
    wait(&server, &path, "done", 8);
    slow.signal("CONT");
    // What is said twice, of other blocks, or of other jobs.
    let block = subject.rsplit('.').next().unwrap();
    for said in [block, block, "another", ""] {
        nats.publish(&format!("lookalike.done.{id}"), said);
    }
    nats.publish("lookalike.done.other", block);
    assert_eq!(answer(&server, &path), alone(&job));
    assert_eq!(elsewhere(&server, &path, "done"), BLOCKS);
    is_empty(&nats, "lookalike");
}

#[test]
fn a_job_that_is_stopped_or_deleted_frees_the_workers() {
    let Some(nats) = Nats::start() else { return };
    let server = coordinator(&nats, &["--max-search", "10m"]);
    let _hand = Hand::start(&nats, &["--ack-wait", "600"]);
    let mut endless = in_blocks();
    endless["budget"] = json!({"effort": 1e6});
    for delete in [false, true] {
        let path = server.submit(&endless);
        wait(&server, &path, "open", BLOCKS);
        wait(&server, &path, "workers", 1);
        // One is being solved.
        thread::sleep(Duration::from_millis(500));
        if delete {
            assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
        } else {
            assert_eq!(server.ask("POST", &format!("{path}/stop"), &[], b"").status / 100, 2);
            let info = server.wait(&path, "done");
            assert_eq!(info["error"], Value::Null);
            assert_eq!(answer(&server, &path)["status"]["name"], "cancelled");
        }
        is_empty(&nats, "lookalike");
    }
    // The worker has its hand free, though nobody else would get its block for ten minutes.
    let mut quick = job(600, "decompose", 0.1);
    quick["method"] = json!({"name": "decompose", "blocks": 3});
    let path = server.submit(&quick);
    assert_eq!(answer(&server, &path), alone(&quick));
}

#[test]
fn a_job_may_end_at_any_moment_of_its_workers() {
    let Some(nats) = Nats::start() else { return };
    let server = coordinator(&nats, &["--max-search", "10m"]);
    let _hands = [(); 3].map(|()| Hand::start(&nats, &[]));
    let mut endless = in_blocks();
    endless["budget"] = json!({"effort": 1e6});
    for round in 0..12 {
        let path = server.submit(&endless);
        wait(&server, &path, "open", BLOCKS);
        // While blocks are fetched, counted, or begun.
        thread::sleep(Duration::from_millis(3 * round));
        assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
    }
    is_empty(&nats, "lookalike");
}

#[test]
fn a_block_that_takes_workers_down_is_given_up() {
    let Some(nats) = Nats::start() else { return };
    let server = coordinator(&nats, &["--nats-attempts", "2"]);
    let mut endless = job(600, "decompose", 1e6);
    endless["method"] = json!({"name": "decompose", "blocks": 1});
    let path = server.submit(&endless);
    for attempts in ["1", "2"] {
        let hand = Hand::start(&nats, &["--ack-wait", "1"]);
        until("an attempt is counted", || {
            let last = nats.ask(
                "STREAM.MSG.GET.KV_lookalike-attempts",
                r#"{"last_by_subj": "$KV.lookalike-attempts.>"}"#,
            );
            last["message"]["data"].as_str().is_some_and(|data| text(data) == attempts)
        });
        hand.signal("KILL");
    }
    let _hand = Hand::start(&nats, &["--ack-wait", "1"]);
    let info = server.wait(&path, "failed");
    assert_eq!(info["error"]["type"], "/problems/solver-failed");
    assert!(info["error"]["detail"].as_str().unwrap().contains("begun 2 times"), "{info}");
    assert_eq!(nats.messages("lookalike-dead"), Some(1));
    is_empty(&nats, "lookalike");
}
