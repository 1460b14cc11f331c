//! k-anonymity of a CSV, with the distance from the best possible: `cargo run --release -p lookalike-core --example k_anonymity`.

use lookalike_core::prelude::*;

fn main() -> Result<(), Error> {
    let csv = "age,sex\n34,f\n36,f\n35,m\n61,m\n58,m\n64,f\n";
    let table = read(csv.as_bytes(), &ReadOptions::default())?;
    let settings = Settings {
        quasi: vec![String::from("age"), String::from("sex")],
        method: MethodName::ColumnGeneration.into(),
        seed: Some(1),
        ..Settings::of(Model::KAnonymity { k: 3 })
    };
    let outcome = anonymize(&table, &settings, &Ctx::silent())?;
    print!("{}", String::from_utf8_lossy(&outcome.published));
    println!("passed its audit: {}", outcome.report.audit.passed);
    if let Some(bound) = &outcome.report.bound {
        println!("loss {:.4}, and no table has less than {:.4}", outcome.report.objective.value, bound.value);
    }
    Ok(())
}
