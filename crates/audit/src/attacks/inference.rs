//! Inference: the secret of a person is guessed from the published row that is nearest by everything else.
//!
//! A label is guessed rightly if it is the person's, a number if it differs from it by at most a part of it. Of a generalised secret the
//! attacker guesses one value: a label drawn from those that the cell may be, the middle of a range. A cell that says nothing is no right guess.
//! The *naive* attacker takes the secret of a published row drawn at random.
//!
//! A guess that is right for people who were not published is what the table says of everybody, such as that most people are well. The control
//! shows how much of the rate that is.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{
    Attacks, Outcome,
    attribute::{Attribute, CONTROL, ORIGINAL},
    nearest::{drawn, nearest},
    rate::Rate,
    singling_out::Sizes,
};
use crate::measure::{Entries, Numbers};

/// The attack on one column by others.
pub(super) fn attack(
    known: &[&Attribute],
    secret: &Attribute,
    asked: &Attacks,
    of: Sizes,
    (quantile, rng): (f64, &mut ChaCha8Rng),
) -> Outcome {
    let mut against = |table: usize, rows: usize, naive: bool| {
        let targets = drawn(rows, if of.published == 0 { 0 } else { asked.attacks }, rng);
        let mut right = 0_usize;
        for &row in &targets {
            let guessed = if naive {
                Some(rng.random_range(0..of.published))
            } else {
                nearest(known, (table, row), 1, rng).first().copied()
            };
            right += usize::from(guessed.is_some_and(|at| is_right(secret, (table, row), at, asked, rng)));
        }
        Rate::new(targets.len(), right as f64, quantile)
    };
    let main = against(ORIGINAL, of.original, false);
    let control = of.control.map(|rows| against(CONTROL, rows, false));
    let naive = against(ORIGINAL, of.original, true);
    Outcome::new(asked.attacks, main, control, naive)
}

/// Whether the secret of the published row `at` gives that of the person.
fn is_right(
    secret: &Attribute,
    (table, row): (usize, usize),
    at: usize,
    asked: &Attacks,
    rng: &mut ChaCha8Rng,
) -> bool {
    let own = secret.exact[table].cells[row] as usize;
    let said = secret.published.cells[at] as usize;
    match &secret.entries {
        Entries::Labels { published, exact, .. } => {
            let Some(labels) = published[said].as_deref().filter(|labels| !labels.is_empty()) else {
                return false;
            };
            labels[rng.random_range(0..labels.len())] == exact[table][own]
        }
        Entries::Numbers { published, exact } => match (&published[said], exact[table][own]) {
            (Numbers::Missing, None) => true,
            (Numbers::Suppressed, _) | (Numbers::Missing, Some(_)) | (Numbers::Known { .. }, None) => false,
            (Numbers::Known { parts, .. }, Some(x)) => {
                let (low, high) = parts[rng.random_range(0..parts.len())];
                // An open range is guessed by the end that it has.
                let guess = match (low.is_finite(), high.is_finite()) {
                    (true, true) => f64::midpoint(low, high),
                    (true, false) => low,
                    _ => high,
                };
                (guess - x).abs() <= asked.tolerance * x.abs()
            }
        },
    }
}
