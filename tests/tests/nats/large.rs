//! Tables larger than memory: blocks solved by workers, for a run of the command line.

use std::{fs, thread, time::Duration};

use lookalike_tests::{
    nats::{Hand, Nats},
    program::{Folder, Run},
    tables::people,
};

use super::{is_empty, until};

/// The flags, for blocks of so many rows.
fn flags<'a>(rows: &'a str, effort: &'a str) -> Vec<&'a str> {
    let table = ["anonymize", "in.csv", "--quasi", "age,weight,sex,city", "--sensitive", "disease"];
    let asked = ["--model", "m-invariance", "--m", "3", "--missing-quasi", "value", "--seed", "7"];
    let way = ["--out-of-core", "spill", "--block-rows", rows, "--effort", effort];
    [&table[..], &asked, &way, &["-o", "out.csv", "--classes", "classes.csv"]].concat()
}

fn folder(table: &str) -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", table);
    fs::create_dir(folder.path().join("spill")).unwrap();
    folder
}

/// What a run has written; it must have left nothing else.
fn written(folder: &Folder, run: &Run) -> [Vec<u8>; 2] {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(fs::read_dir(folder.path().join("spill")).unwrap().count(), 0, "all is removed");
    ["out.csv", "classes.csv"].map(|name| folder.read(name))
}

/// What one process writes.
fn alone(table: &str, flags: &[&str]) -> [Vec<u8>; 2] {
    let folder = folder(table);
    let run = folder.run(flags);
    written(&folder, &run)
}

#[test]
fn workers_solve_blocks_to_the_same_bytes() {
    let Some(nats) = Nats::start() else { return };
    let (text, url) = (people(3_000), nats.url());
    for effort in ["0", "0.5"] {
        let flags = flags("100", effort);
        let _hands = [(); 2].map(|()| Hand::start(&nats, &[]));
        let folder = folder(&text);
        let records = ["--nats", &url, "--report", "report.json", "--private", "private.json"];
        let run = folder.run(&[&flags[..], &records].concat());
        assert_eq!(written(&folder, &run), alone(&text, &flags));
        let report = folder.json("report.json");
        assert_eq!((&report["audit"]["passed"], &report["searched"]), (&true.into(), &"machines".into()));
        let sent = &folder.json("private.json")["sent"];
        assert_eq!(sent["to"], url.as_str());
        assert!(sent["messages"].as_u64() > Some(20) && sent["bytes"].as_u64() > Some(1000), "{sent}");
        is_empty(&nats, "lookalike");
    }
}

/// Killed while it has a block: another one gets it.
#[test]
fn a_worker_may_be_killed_while_it_solves_a_block() {
    let Some(nats) = Nats::start() else { return };
    let (text, url) = (people(3_000), nats.url());
    let flags = flags("100", "20");
    let folder = folder(&text);
    let run = folder.start(&[&flags[..], &["--nats", &url]].concat());
    until("blocks wait", || nats.messages("lookalike-tasks").is_some_and(|blocks| blocks > 1));
    let hand = Hand::start(&nats, &["--ack-wait", "2"]);
    until("a block is begun", || nats.messages("KV_lookalike-attempts").is_some_and(|begun| begun > 0));
    hand.signal("KILL");
    drop(hand);
    assert!(
        nats.messages("lookalike-tasks").is_some_and(|blocks| blocks > 0),
        "killed too late to be of use"
    );
    let _hands = [(); 2].map(|()| Hand::start(&nats, &["--ack-wait", "2"]));
    let run = run.end();
    assert_eq!(written(&folder, &run), alone(&text, &flags));
    is_empty(&nats, "lookalike");
}

#[test]
fn a_server_that_is_lost_meanwhile_changes_nothing() {
    let Some(mut nats) = Nats::start() else { return };
    let (text, url) = (people(3_000), nats.url());
    let flags = flags("100", "5");
    let _hands = [(); 2].map(|()| Hand::start(&nats, &["--ack-wait", "2"]));
    let folder = folder(&text);
    let mut run = folder.start(&[&flags[..], &["--nats", &url]].concat());
    run.wait_for("solving blocks");
    nats.kill();
    nats.lose_everything();
    thread::sleep(Duration::from_millis(300));
    nats.start_again();
    let run = run.end();
    assert_eq!(written(&folder, &run), alone(&text, &flags));
    is_empty(&nats, "lookalike");
}

#[test]
fn a_run_that_is_stopped_leaves_nothing_there() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    let folder = folder(&people(3_000));
    let mut run = folder.start(&[&flags("100", "0")[..], &["--nats", &url]].concat());
    run.wait_for("solving blocks");
    until("a block waits", || nats.messages("lookalike-tasks").is_some_and(|blocks| blocks > 0));
    // Nobody is at work, and that is said.
    run.wait_for("no worker has reported");
    run.signal("TERM");
    let ended = run.end();
    assert_eq!(ended.code, Some(143), "{}", ended.stderr);
    assert_eq!(folder.names(), ["in.csv", "spill"]);
    assert_eq!(fs::read_dir(folder.path().join("spill")).unwrap().count(), 0);
    is_empty(&nats, "lookalike");
}

/// Blocks that take every worker down end the run with an error that says so.
#[test]
fn a_block_that_is_given_up_ends_the_run() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    let folder = folder(&people(300));
    let more = ["--nats", &url, "--nats-attempts", "1"];
    let mut run = folder.start(&[&flags("300", "1000000")[..], &more].concat());
    let hand = Hand::start(&nats, &["--ack-wait", "1"]);
    run.wait_for("solving blocks");
    until("the block is begun", || nats.messages("KV_lookalike-attempts").is_some_and(|begun| begun > 0));
    thread::sleep(Duration::from_millis(500));
    hand.signal("KILL");
    drop(hand);
    let _hand = Hand::start(&nats, &["--ack-wait", "1"]);
    let ended = run.end();
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("begun once"), "{}", ended.stderr);
    is_empty(&nats, "lookalike");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = folder(&people(60));
    let flags = flags("20", "0");
    let in_memory: Vec<&str> = flags.iter().copied().filter(|f| !["spill", "20"].contains(f)).collect();
    let in_memory: Vec<&str> =
        in_memory.into_iter().filter(|f| !["--out-of-core", "--block-rows"].contains(f)).collect();
    for (args, more, code, words) in [
        (&in_memory, &["--nats", "nats://127.0.0.1:1"][..], 2, "belongs to --out-of-core"),
        (
            &flags,
            &["--nats", "nats://127.0.0.1:1", "--worker", "http://127.0.0.1:1"],
            2,
            "either --worker or --nats",
        ),
        (&flags, &["--nats-attempts", "3"], 2, "--nats"),
        (&flags, &["--nats", "nats://user:secret@127.0.0.1:1"], 4, "127.0.0.1:1"),
    ] {
        let run = folder.run(&[args, more].concat());
        assert_eq!(run.code, Some(code), "{more:?}: {}", run.stderr);
        assert!(run.stderr.contains(words) && !run.stderr.contains("secret"), "{more:?}: {}", run.stderr);
        assert_eq!(fs::read_dir(folder.path().join("spill")).unwrap().count(), 0, "{more:?}");
        assert!(!folder.names().contains(&String::from("out.csv")), "{more:?}");
    }
}
