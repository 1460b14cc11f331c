//! What is known of a whole column of which a table holds some of the rows only: where a part of a table is encoded, its
//! points must be those that its rows have in the whole.

/// A column of the whole table, its kept rows alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Whole {
    /// Rows with a number, day number or rank.
    pub(crate) known: usize,
    /// Rows without.
    pub(crate) absent: usize,
    /// Of the known numbers, coded.
    pub(crate) mean: f64,
    /// Of the known numbers, coded; that of the population.
    pub(crate) variance: f64,
    /// Least known number, coded.
    pub(crate) low: f64,
    /// Greatest known number, coded.
    pub(crate) high: f64,
    /// Most decimals of a number.
    pub(crate) decimals: usize,
    /// For labels the rows of each dictionary entry. A part of the table has the dictionary of the whole there.
    pub(crate) counts: Vec<usize>,
}

impl Whole {
    /// That of a table that is whole: numbers in ascending order with their counts, and the rows without one.
    pub(crate) fn of_numbers(known: &[(f64, usize)], absent: usize) -> Self {
        let n: usize = known.iter().map(|k| k.1).sum();
        let mean = known.iter().map(|&(x, c)| x * c as f64).sum::<f64>() / n.max(1) as f64;
        let variance =
            known.iter().map(|&(x, c)| (x - mean) * (x - mean) * c as f64).sum::<f64>() / n.max(1) as f64;
        Self {
            known: n,
            absent,
            mean,
            variance,
            low: known.first().map_or(f64::INFINITY, |k| k.0),
            high: known.last().map_or(f64::NEG_INFINITY, |k| k.0),
            ..Self::default()
        }
    }

    /// Whether there are two different numbers.
    pub(crate) fn varies(&self) -> bool {
        self.low < self.high
    }
}
