//! A run whose host brings what it asks for, with a search of the host's own choice:
//! `cargo run --release -p lookalike-core --example run`.

use std::sync::Arc;

use lookalike_core::{model::settings::RowsAre, prelude::*};
use lookalike_optimize::solve::Solve;

fn main() -> Result<(), Error> {
    // Six rows of five patients: whether a row is a person must be said.
    let csv = "patient,age\nA,34\nA,35\nB,36\nC,58\nD,61\nE,64\n";
    let table = Arc::new(read(csv.as_bytes(), &ReadOptions::default())?);
    let settings = Settings {
        quasi: vec![String::from("age")],
        seed: Some(1),
        ..Settings::of(Model::KAnonymity { k: 3 })
    };
    let ctx = Ctx::silent();
    let mut run = Run::new(table, settings, Vec::new());
    let outcome = loop {
        let answer = match run.next(&ctx)? {
            Need::Done(outcome) => break outcome,
            Need::Ask(question) => {
                println!("asked: {question}");
                run.rows_are(RowsAre::People);
                continue;
            }
            // Step by step, so that a host can do other things in between, or end it.
            Need::Solve { job, .. } => {
                let mut search = Solve::new(job, &ctx)?;
                while !search.step(&ctx)? {}
                search.finish()
            }
        };
        run.solved(answer);
    };
    print!("{}", String::from_utf8_lossy(&outcome.published));
    Ok(())
}
