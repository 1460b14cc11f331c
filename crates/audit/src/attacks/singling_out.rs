//! Singling out: a predicate that the published table suggests holds for exactly one original record.
//!
//! The attacker takes predicates that one published row alone may fulfil:
//! * *univariate*: a value that no other row may have, the least number and less, the greatest and more, a value that is not known;
//! * *multivariate*: some columns of a drawn row. A label is to be its own, a number its own or one that is farther from the median of the
//!   published numbers, since extreme people are rare.
//!
//! A generalised cell is taken as it is: a predicate asks for one of its values, and a row may fulfil it if one of its values does. So rows
//! that are published alike single nobody out; where all are, there is no attack.
//!
//! The *naive* attacker draws columns, values and comparisons at random.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use super::{
    Attacks, Outcome,
    attribute::{Attribute, CONTROL, ORIGINAL},
    nearest::{draw, drawn},
    predicate::{Condition, Predicate, exact_rows, possible_rows},
    rate::Rate,
    sizes,
};
use crate::measure::{Entries, Numbers};

/// A predicate is interesting if one row fulfils it: more need not be counted.
const ENOUGH: usize = 2;

/// Rows of the tables.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) published: usize,
    pub(super) original: usize,
    pub(super) control: Option<usize>,
}

/// The attack by predicates on so many columns.
pub(super) fn attack(
    columns: usize,
    attributes: &[&Attribute],
    asked: &Attacks,
    of: Sizes,
    (quantile, rng): (f64, &mut ChaCha8Rng),
) -> Outcome {
    let made = if columns == 1 {
        univariate(attributes, asked.attacks, rng)
    } else {
        multivariate(attributes, (columns, asked), of.published, rng)
    };
    let one = |predicate: &&Predicate| exact_rows(predicate, attributes, ORIGINAL, ENOUGH) == 1;
    let main = made.iter().filter(one).count();
    let control = of.control.map(|rows| {
        let counts: Vec<usize> =
            made.iter().map(|predicate| exact_rows(predicate, attributes, CONTROL, rows)).collect();
        let expected = if rows == 0 { 0.0 } else { sizes::expected(&counts, rows, of.original) };
        Rate::new(if rows == 0 { 0 } else { made.len() }, expected, quantile)
    });
    let naive: Vec<Predicate> = (0..asked.attacks).filter_map(|_| random(attributes, columns, rng)).collect();
    let lucky = naive.iter().filter(one).count();
    let rate = |attacks: usize, successes: usize| Rate::new(attacks, successes as f64, quantile);
    Outcome::new(asked.attacks, rate(made.len(), main), control, rate(naive.len(), lucky))
}

/// Predicates on one column that a single published row may fulfil.
fn univariate(attributes: &[&Attribute], most: usize, rng: &mut ChaCha8Rng) -> Vec<Predicate> {
    let mut candidates: Vec<Predicate> = Vec::new();
    for (at, attribute) in attributes.iter().enumerate() {
        let mut rows = vec![0_usize; attribute.published.values.len()];
        for &code in &attribute.published.cells {
            rows[code as usize] += 1;
        }
        let alone = (0..rows.len()).filter(|&code| rows[code] == 1);
        let conditions = alone.filter_map(|code| Condition::like(attribute, code)).chain(extremes(attribute));
        candidates.extend(conditions.map(|condition| vec![(at, condition)]));
    }
    let all = candidates.len();
    draw(&mut candidates, all, rng);
    let single = |predicate: &Predicate| possible_rows(predicate, attributes, ENOUGH) == 1;
    candidates.into_iter().filter(single).take(most).collect()
}

/// The least number or less, and the greatest or more: the ends of the cells that lie lowest and highest.
fn extremes(attribute: &Attribute) -> Vec<Condition> {
    let Entries::Numbers { published, .. } = &attribute.entries else { return Vec::new() };
    let spans = || published.iter().filter_map(Numbers::span);
    let least = spans().map(|(_, high)| high).reduce(f64::min);
    let greatest = spans().map(|(low, _)| low).reduce(f64::max);
    let below = least.map(|x| Condition::between(f64::NEG_INFINITY, x));
    below.into_iter().chain(greatest.map(|x| Condition::between(x, f64::INFINITY))).collect()
}

/// Predicates on several columns that a single published row may fulfil, no two alike.
fn multivariate(
    attributes: &[&Attribute],
    (columns, asked): (usize, &Attacks),
    rows: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<Predicate> {
    let medians: Vec<Option<f64>> = attributes.iter().map(|attribute| median(attribute)).collect();
    let mut made = Vec::new();
    let mut seen: FxHashSet<Vec<(usize, u32)>> = FxHashSet::default();
    if rows == 0 {
        return made;
    }
    for _ in 0..asked.attacks.saturating_mul(asked.tries) {
        if made.len() >= asked.attacks {
            break;
        }
        let row = rng.random_range(0..rows);
        let mut chosen = drawn(attributes.len(), columns, rng);
        chosen.sort_unstable();
        let key = chosen.iter().map(|&at| (at, attributes[at].published.cells[row])).collect();
        if !seen.insert(key) {
            continue;
        }
        let condition = |&at: &usize| {
            let code = attributes[at].published.cells[row] as usize;
            Some((at, outward(attributes[at], code, medians[at])?))
        };
        let predicate: Predicate = chosen.iter().filter_map(condition).collect();
        if possible_rows(&predicate, attributes, ENOUGH) == 1 {
            made.push(predicate);
        }
    }
    made
}

/// A label's own value; of a number it or all that is beyond it, seen from the median.
fn outward(attribute: &Attribute, code: usize, median: Option<f64>) -> Option<Condition> {
    let condition = Condition::like(attribute, code)?;
    let Entries::Numbers { published, .. } = &attribute.entries else { return Some(condition) };
    let (Numbers::Known { missing, .. }, Some((low, high)), Some(median)) =
        (&published[code], published[code].span(), median)
    else {
        return Some(condition);
    };
    let part =
        if f64::midpoint(low, high) > median { (low, f64::INFINITY) } else { (f64::NEG_INFINITY, high) };
    Some(Condition::Within { parts: vec![part], missing: *missing })
}

/// The median of the middles of the published numbers.
fn median(attribute: &Attribute) -> Option<f64> {
    let Entries::Numbers { published, .. } = &attribute.entries else { return None };
    let middle = |cell: &Numbers| cell.span().map(|(low, high)| f64::midpoint(low, high));
    let middles: Vec<Option<f64>> = published.iter().map(middle).collect();
    let mut all: Vec<f64> =
        attribute.published.cells.iter().filter_map(|&code| middles[code as usize]).collect();
    all.sort_unstable_by(f64::total_cmp);
    let last = all.len().checked_sub(1)?;
    Some(f64::midpoint(all[last / 2], all[all.len() / 2]))
}

/// A predicate on so many columns with published values and comparisons drawn at random; `None` if all values drawn say nothing.
fn random(attributes: &[&Attribute], columns: usize, rng: &mut ChaCha8Rng) -> Option<Predicate> {
    let mut predicate = Predicate::new();
    for at in drawn(attributes.len(), columns, rng) {
        let attribute = attributes[at];
        let entries = attribute.published.values.len();
        if entries == 0 {
            continue;
        }
        let code = rng.random_range(0..entries);
        let span = match &attribute.entries {
            Entries::Numbers { published, .. } => published[code].span(),
            Entries::Labels { .. } => None,
        };
        let condition = match (span, rng.random_range(0..6_u32)) {
            (Some((low, _)), 2) => Some(Condition::between(low, f64::INFINITY)),
            (Some((_, high)), 3) => Some(Condition::between(f64::NEG_INFINITY, high)),
            (Some((_, high)), 4) => Some(Condition::between(high.next_up(), f64::INFINITY)),
            (Some((low, _)), 5) => Some(Condition::between(f64::NEG_INFINITY, low.next_down())),
            (_, comparison) if comparison % 2 == 0 => Condition::like(attribute, code),
            _ => Condition::unlike(attribute, code),
        };
        predicate.extend(condition.map(|condition| (at, condition)));
    }
    (!predicate.is_empty()).then_some(predicate)
}
