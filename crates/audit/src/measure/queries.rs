//! Error of random counting queries (Xiao and Tao, VLDB 2006).
//!
//! A query draws two of the measurable quasi-identifiers (one if there is only one). Of a column of numbers it takes a
//! range between two values drawn from the original rows; of a column of labels each label with probability 1/2, and
//! one drawn label if that leaves none. It counts the rows in both. The published table answers with the expected
//! count, the values of a cell being equally likely and columns independent. The error is
//! |answer - truth| / max(truth, 0.1 % of the rows, 1): small counts would else decide everything.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{column::Parsed, numbers::Numbers, pair::Pair};

/// Columns of a query.
const DIMENSIONS: usize = 2;

/// Error of random counting queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryError {
    /// Queries asked.
    pub queries: usize,
    /// Columns of each.
    pub dimensions: usize,
    /// Mean relative error.
    pub mean: f64,
    /// Median relative error.
    pub median: f64,
}

/// `None` if no column is measurable or nothing is asked.
pub(super) fn error(
    pairs: &[Pair],
    original_rows: usize,
    published_rows: usize,
    seed: u64,
    queries: usize,
) -> Option<QueryError> {
    let measurable: Vec<Source> = pairs.iter().filter_map(Source::of).collect();
    if measurable.is_empty() || queries == 0 || original_rows == 0 {
        return None;
    }
    let dimensions = DIMENSIONS.min(measurable.len());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let floor = (original_rows as f64 / 1000.0).max(1.0);
    let mut errors = Vec::with_capacity(queries);
    for _ in 0..queries {
        let mut chosen: Vec<&Source> = measurable.iter().collect();
        for at in 0..dimensions {
            let other = rng.random_range(at..chosen.len());
            chosen.swap(at, other);
        }
        let shares: Vec<Shares> = chosen[..dimensions].iter().map(|source| source.draw(&mut rng)).collect();
        let truth: f64 =
            (0..original_rows).map(|row| shares.iter().map(|s| s.before(row)).product::<f64>()).sum();
        let answer: f64 =
            (0..published_rows).map(|row| shares.iter().map(|s| s.after(row)).product::<f64>()).sum();
        errors.push((answer - truth).abs() / truth.max(floor));
    }
    errors.sort_by(f64::total_cmp);
    let middle = f64::midpoint(errors[(queries - 1) / 2], errors[queries / 2]);
    Some(QueryError {
        queries,
        dimensions,
        mean: errors.iter().sum::<f64>() / queries as f64,
        median: middle,
    })
}

/// A measurable column.
struct Source<'a> {
    pair: &'a Pair<'a>,
    published: &'a Parsed,
    /// Known numbers of the original rows, ascending.
    sorted: Vec<f64>,
}

/// A column's condition: share of each dictionary entry that fulfils it.
struct Shares<'a> {
    pair: &'a Pair<'a>,
    before: Vec<f64>,
    after: Vec<f64>,
}

impl<'a> Source<'a> {
    fn of(pair: &'a Pair<'a>) -> Option<Self> {
        let published = pair.published.as_ref().ok()?;
        let sorted = match &pair.original {
            Parsed::Labels { .. } => Vec::new(),
            Parsed::Numbers(cells) => {
                let number = |&code: &u32| cells[code as usize].span().map(|span| span.0);
                let mut sorted: Vec<f64> = pair.before.cells.iter().filter_map(number).collect();
                sorted.sort_by(f64::total_cmp);
                if sorted.is_empty() {
                    return None;
                }
                sorted
            }
        };
        Some(Self { pair, published, sorted })
    }

    fn draw(&self, rng: &mut ChaCha8Rng) -> Shares<'a> {
        let (before, after) = match (&self.pair.original, self.published) {
            (Parsed::Numbers(original), Parsed::Numbers(published)) => {
                let mut draw = || self.sorted[rng.random_range(0..self.sorted.len())];
                let (a, b) = (draw(), draw());
                let (from, to, step) = (a.min(b), a.max(b), self.pair.step);
                let shares =
                    |cells: &[Numbers]| cells.iter().map(|c| c.share_within(from, to, step)).collect();
                (shares(original), shares(published))
            }
            (Parsed::Labels { cells, labels, .. }, Parsed::Labels { cells: sets, labels: names, .. }) => {
                let mut chosen: Vec<bool> = labels.iter().map(|_| rng.random_range(0..2_u32) == 0).collect();
                if !chosen.contains(&true) && !chosen.is_empty() {
                    let one = rng.random_range(0..chosen.len());
                    chosen[one] = true;
                }
                let is = |name: &String| labels.binary_search(name).is_ok_and(|at| chosen[at]);
                let share = |set: &Option<Vec<u32>>, names: &[String]| {
                    let set = set.as_deref().unwrap_or_default();
                    let within = set.iter().filter(|&&label| is(&names[label as usize])).count();
                    within as f64 / set.len().max(1) as f64
                };
                (
                    cells.iter().map(|c| share(c, labels)).collect(),
                    sets.iter().map(|c| share(c, names)).collect(),
                )
            }
            // One side numbers, one side labels: `Pair` reads both alike.
            _ => (vec![0.0; self.pair.before.values.len()], vec![0.0; self.pair.after.values.len()]),
        };
        Shares { pair: self.pair, before, after }
    }
}

impl Shares<'_> {
    fn before(&self, row: usize) -> f64 {
        self.before[self.pair.before.cells[row] as usize]
    }

    fn after(&self, row: usize) -> f64 {
        self.after[self.pair.after.cells[row] as usize]
    }
}
