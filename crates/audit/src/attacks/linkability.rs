//! Linkability: two sources that share no column are joined by the published table.
//!
//! The attacker has one part of a person's columns from one source and another part from another, and looks for the published rows nearest to
//! each. A row that is among both joins the two parts. The *naive* attacker draws the rows for either part.
//!
//! Rows that are published alike do not count as one row. Whoever links a person to a class of f rows by both parts has found the class, and
//! the row with probability 1/f for one neighbour.

use rand_chacha::ChaCha8Rng;

use super::{
    Attacks, Outcome,
    attribute::{Attribute, CONTROL, ORIGINAL},
    nearest::{drawn, nearest},
    rate::Rate,
    singling_out::Sizes,
};

/// The attack by two parts of the columns.
pub(super) fn attack(
    (first, second): (&[&Attribute], &[&Attribute]),
    asked: &Attacks,
    of: Sizes,
    (quantile, rng): (f64, &mut ChaCha8Rng),
) -> Outcome {
    let mut against = |table: usize, rows: usize| {
        let targets = drawn(rows, asked.attacks, rng);
        let mut linked = 0_usize;
        for &row in &targets {
            let one = nearest(first, (table, row), asked.neighbours, rng);
            let other = nearest(second, (table, row), asked.neighbours, rng);
            linked += usize::from(meet(&one, &other));
        }
        Rate::new(targets.len(), linked as f64, quantile)
    };
    let main = against(ORIGINAL, of.original);
    let control = of.control.map(|rows| against(CONTROL, rows));
    let mut lucky = 0_usize;
    for _ in 0..main.attacks {
        let [one, other] = [(); 2].map(|()| {
            let mut rows = drawn(of.published, asked.neighbours, rng);
            rows.sort_unstable();
            rows
        });
        lucky += usize::from(meet(&one, &other));
    }
    let naive = Rate::new(main.attacks, lucky as f64, quantile);
    Outcome::new(asked.attacks, main, control, naive)
}

/// Whether two ascending lists have a number in common.
fn meet(one: &[usize], other: &[usize]) -> bool {
    one.iter().any(|row| other.binary_search(row).is_ok())
}
