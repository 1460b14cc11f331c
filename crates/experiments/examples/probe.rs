#![allow(missing_docs, clippy::unwrap_used)]
fn main() {
    let a: Vec<String> = std::env::args().collect();
    lookalike_experiments::probe::run(&a[1], a[2].parse().unwrap(), a[3].parse().unwrap(), a[4].parse().unwrap(), a[5].parse().unwrap(), a[6].parse().unwrap());
}
