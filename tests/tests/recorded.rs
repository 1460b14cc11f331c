//! Recorded runs give the bytes and figures that were recorded, with any number of threads and by a worker. The page is held
//! against the same record by `browser/recorded.rs`.
//!
//! `LOOKALIKE_RECORD=1` makes the record anew; where the bytes are others, `lookalike_model::REVISION` is to be raised first.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::collections::BTreeSet;

use lookalike_model::settings::MethodName;
use lookalike_tests::{
    recorded::{self, Run, figures},
    server::Server,
};

/// Runs these with further flags. All of them must end well, and give what is recorded.
fn held_against_the_record(runs: &[Run], flags: &str, looked_at: fn(&str) -> bool) {
    let mut wrong = Vec::new();
    for run in runs {
        match run.perform(flags) {
            Ok(found) => {
                wrong.extend(run.differences(&found, looked_at));
                if looked_at(figures::REST) {
                    wrong.extend(run.keep_rests(&found));
                }
            }
            Err(why) => wrong.push(why),
        }
    }
    assert!(wrong.is_empty(), "not as recorded:\n{}", wrong.join("\n"));
}

/// Says that a test leaves the comparison to the next run.
fn is_skipped() -> bool {
    if recorded::recording() {
        eprintln!("skipped: the record is being made");
    }
    recorded::recording()
}

#[test]
fn one_thread_gives_what_is_recorded() {
    let mut runs = recorded::runs();
    if !recorded::recording() {
        held_against_the_record(&runs, "--threads 1", |_| true);
        return;
    }
    for run in &mut runs {
        let found = run.perform("--threads 1").unwrap_or_else(|why| panic!("{why}"));
        for (step, found) in run.steps.iter_mut().zip(&found) {
            step.recorded.clone_from(&found.figures);
        }
        run.keep_rests(&found);
    }
    recorded::record(&runs).unwrap();
}

#[test]
fn two_threads_give_what_is_recorded() {
    if !is_skipped() {
        held_against_the_record(&recorded::runs(), "--threads 2", |_| true);
    }
}

#[test]
fn a_worker_gives_what_is_recorded() {
    if is_skipped() {
        return;
    }
    let server = Server::start(&[]);
    let flags = format!("--worker {}", server.url());
    held_against_the_record(&recorded::runs(), &flags, figures::is_of_the_release);
}

/// A bound above its loss would be none. What is recorded of it has seven digits.
#[test]
fn no_recorded_bound_is_above_its_loss() {
    let runs = recorded::runs();
    let mut bounds = 0;
    for run in &runs {
        for step in &run.steps {
            let figure = |name: &str| step.recorded.get(name).and_then(serde_json::Value::as_f64);
            let Some((loss, bound)) = figure("loss").zip(figure("bound")) else { continue };
            assert!(bound <= loss * (1.0 + 1e-6), "{}: {bound} {loss}", run.place(step));
            assert!(figure("counterfeits") == Some(0.0), "{}: no bound beside counterfeits", run.place(step));
            let of = step.recorded.get("bound of").and_then(serde_json::Value::as_str);
            // After the last two-swapping the bound of the blocks is that of another problem.
            let keeps = step.arguments.contains("--no-final-swap");
            assert!(of == Some("whole problem") || keeps, "{}: {of:?}", run.place(step));
            bounds += 1;
        }
    }
    assert!(bounds > 20, "{bounds}");
}

#[test]
fn the_record_is_of_this_revision() {
    // A change of what is published needs a new revision, and a new record with it.
    if !is_skipped() {
        assert_eq!(recorded::revision(), lookalike_model::REVISION);
    }
}

#[test]
fn all_that_can_be_chosen_is_recorded() {
    let runs = recorded::runs();
    let steps: Vec<_> = runs.iter().flat_map(|run| &run.steps).collect();
    let chosen = |flag: &str| steps.iter().filter_map(|step| step.flag(flag)).collect::<BTreeSet<_>>();
    let methods = chosen("--method");
    for method in MethodName::ALL {
        assert!(methods.contains(method.name()), "no recorded run has the method {}", method.name());
    }
    let choices: [(&str, &[&str]); 6] = [
        ("--loss", &["sse", "ncp", "ncp-binary"]),
        ("--model", &["k-anonymity", "m-invariance"]),
        ("--publish", &["range", "min-max", "set", "centroid", "hierarchy"]),
        ("--eligibility", &["add", "delete", "hybrid"]),
        ("--mode", &["incremental", "m-invariance", "tau-safety"]),
        ("--out-of-core", &["spill"]),
    ];
    for (flag, values) in choices {
        let chosen = chosen(flag);
        for value in values {
            assert!(chosen.contains(value), "no recorded run has {flag} {value}");
        }
    }
    assert!(runs.iter().filter(|run| run.in_page).count() >= 6, "the page is to make some of each kind");
    // Neither the clock nor chance has a part in a recorded run.
    for step in steps {
        let says = |flag: &str| step.flag(flag).is_some();
        assert!(says("--seed") && says("--effort"), "{}", step.arguments);
        assert!(!says("--time-limit") && !says("--carry-time-limit"), "{}", step.arguments);
    }
}
