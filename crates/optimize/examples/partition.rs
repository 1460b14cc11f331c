//! Partitions numbers of one's own, with a bound: `cargo run --release -p lookalike-optimize --example partition`.

use lookalike_optimize::prelude::*;

fn main() -> Result<(), Error> {
    // Nine points in the plane, in classes of at least three.
    let points =
        vec![0.0, 0.1, 0.2, 0.0, 0.1, 0.3, 4.0, 4.1, 4.2, 3.9, 3.8, 4.0, 9.0, 0.2, 9.1, 0.0, 8.8, 0.1];
    let job = Job { method: MethodName::ColumnGeneration.into(), ..Job::of(2, points, Rule::at_least(3)) };
    let answer = solve(&job, &Ctx::silent())?;
    println!("classes of the points: {:?}", answer.labels);
    match &answer.bound {
        Some(bound) => println!("sum of squared errors {:.4}, at least {:.4}", answer.loss, bound.value),
        None => println!("sum of squared errors {:.4}", answer.loss),
    }
    Ok(())
}
