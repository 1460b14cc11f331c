//! What is too large to be encoded.

/// Most coordinates of one category under squared errors: with more, distances of leaves are as exact and faster (with 400 labels 5
/// times, and 9 times with a hierarchy of 5 levels, at losses within 0.5 %).
pub(crate) const MOST_COORDINATES: usize = 100;

/// The same where records are means, which leaves have none of: what fits into some 160 MB, for the fewest rows and the most.
const OF_MEANS: (usize, usize) = (1000, 5000);
const NUMBERS_OF_MEANS: usize = 20_000_000;

/// Most coordinates of one category for so many rows, where records are means.
pub(crate) fn most_of_means(rows: usize) -> usize {
    (NUMBERS_OF_MEANS / rows.max(1)).clamp(OF_MEANS.0, OF_MEANS.1)
}

/// Numbers above this overflow when squared.
pub(crate) const LARGEST: f64 = 1e100;
