//! A run as a host sees it: what it asks for, and what becomes of what it gets.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::sync::Arc;

use lookalike_core::{
    Error,
    pipeline::{Need, Outcome, Purpose, Question, Run, anonymize},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx, ErrorKind,
    job::{Answer, Job},
    sent::{Searched, Sent},
    settings::{Budget, Model, RowsAre, Settings},
};
use lookalike_optimize::solve::solve;

/// 40 rows of 20 patients.
fn table() -> Table {
    let rows = (0..40).map(|i| format!("{},{}\n", i % 20, 20 + (i * 17) % 43));
    let text: String = std::iter::once(String::from("patient,age\n")).chain(rows).collect();
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings() -> Settings {
    Settings {
        quasi: vec![String::from("age")],
        budget: Budget::Effort(1.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed: Some(5),
        ..Settings::of(Model::KAnonymity { k: 3 })
    }
}

fn begun() -> Run {
    let mut run = Run::new(Arc::new(table()), settings(), Vec::new());
    run.rows_are(RowsAre::People);
    run
}

/// The job that a run hands out.
fn job(run: &mut Run) -> Job {
    match run.next(&Ctx::silent()).unwrap() {
        Need::Solve { job, purpose: Purpose::Release } => job.clone(),
        other => panic!("not a job: {other:?}"),
    }
}

fn done(run: &mut Run) -> Outcome {
    match run.next(&Ctx::silent()).unwrap() {
        Need::Done(outcome) => *outcome,
        other => panic!("not done: {other:?}"),
    }
}

#[test]
fn a_question_is_asked_until_it_is_answered() {
    let mut run = Run::new(Arc::new(table()), settings(), Vec::new());
    for _ in 0..2 {
        match run.next(&Ctx::silent()).unwrap() {
            Need::Ask(question) => {
                let column = "patient".into();
                let asked = Question::SeveralRows { column, different: 20, rows: 40, at_least: false };
                assert_eq!(question, asked);
            }
            other => panic!("not asked: {other:?}"),
        }
    }
    assert!(run.prepared().is_none());
    run.rows_are(RowsAre::People);
    job(&mut run);
    // A reply that cannot be is an error, as in the settings.
    let mut run = Run::new(Arc::new(table()), settings(), Vec::new());
    run.rows_are(RowsAre::Of(String::from("patient")));
    assert!(matches!(run.next(&Ctx::silent()), Err(Error::Key(_))));
    // What the user says names persons is asked about, too.
    let text: String =
        (0..40).fold(String::from("code,age\n"), |text, i| text + &format!("{},{}\n", i % 20, 20 + i));
    let coded = Arc::new(read(text.as_bytes(), &ReadOptions::default()).unwrap());
    let mut run = Run::new(Arc::clone(&coded), settings(), vec![String::from("code")]);
    assert!(matches!(run.next(&Ctx::silent()), Ok(Need::Ask(_))));
}

#[test]
fn step_by_step_gives_what_one_call_gives() {
    let mut run = begun();
    let first = job(&mut run);
    assert_eq!(job(&mut run), first, "a job that has no answer yet is handed out again");
    run.solved(solve(&first, &Ctx::silent()).unwrap());
    let outcome = done(&mut run);
    let at_once =
        anonymize(&table(), &Settings { rows_are: Some(RowsAre::People), ..settings() }, &Ctx::silent())
            .unwrap();
    assert!(outcome.report.audit.passed);
    assert_eq!((&outcome.published, &outcome.classes), (&at_once.published, &at_once.classes));
    assert_eq!(outcome.private.sent, None);
}

#[test]
fn an_answer_is_verified_and_its_place_is_told() {
    let mut run = begun();
    let found = solve(&job(&mut run), &Ctx::silent()).unwrap();
    run.solved(Answer { loss: found.loss / 2.0, ..found.clone() });
    assert!(run.next(&Ctx::silent()).is_err_and(|error| error.kind() == ErrorKind::Answer));
    // Another answer may follow.
    run.solved(found.clone());
    let sent = Sent::one(String::from("http://w"), String::from("2026-05-01T14:02:00Z"), 9);
    run.searched_elsewhere(Searched::Worker, sent.clone());
    let outcome = done(&mut run);
    assert_eq!((outcome.report.searched, outcome.private.sent), (Some(Searched::Worker), Some(sent)));
    run.solved(found);
    assert_eq!(done(&mut run).private.sent, None, "that one was found here");
}
