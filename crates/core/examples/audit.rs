//! Judges a published table, whoever made it: `cargo run --release -p lookalike-core --example audit`.

use lookalike_core::audit::{Conditions, Dialect, Error, Guarantee, Question, judge};

fn main() -> Result<(), Error> {
    let published = "age,disease,class\n[34-36],flu,1\n[34-36],gout,1\n[58-61],flu,2\n[58-61],flu,2\n";
    let question = Question {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("disease")),
        conditions: Conditions::default(),
        guarantee: Guarantee::MUnique { m: 2 },
        class: Some(String::from("class")),
        markers: Vec::new(),
        dialect: Dialect::PLAIN,
    };
    let verdict = judge(published.as_bytes(), &question)?;
    for check in &verdict.checks {
        println!("{}: {} ({})", check.name, if check.passed { "holds" } else { "fails" }, check.finding);
    }
    println!("passed: {}", verdict.passed);
    Ok(())
}
