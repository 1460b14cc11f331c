//! One seed from the user, one independent stream for each use of it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What randomness is for. The numbers are part of the reproducible behaviour: never reuse one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Use {
    /// The search; its seed travels with the job, so nothing else may follow from it.
    Search = 1,
    /// The permutations of attributes and colour codes.
    Pseudonyms = 2,
    /// Which counting queries measure the utility.
    Queries = 5,
    /// Which rows are deleted for eligibility.
    Deletion = 3,
    /// Which records lend their quasi-identifiers to counterfeits.
    CounterfeitPoints = 4,
    /// The name of a series of releases.
    Series = 6,
    /// Counterfeits of random values, for comparison.
    Counterfeits = 7,
    /// Which points the cuts of a large table are fixed by.
    Sample = 9,
    /// The searches of its blocks.
    Blocks = 10,
    /// Which rows estimates are made from.
    Estimate = 12,
    /// The random digits of a ledger with pseudonyms.
    Nonce = 13,
    /// Which matching of records and rows of their own is published.
    Matching = 8,
}

/// The stream of one use.
pub(crate) fn stream(seed: u64, purpose: Use) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(purpose as u64);
    rng
}

/// The seed of the counting queries.
pub(crate) fn queries(seed: u64) -> u64 {
    stream(seed, Use::Queries).next_u64()
}

/// The seed of the search.
pub(crate) fn search(seed: u64) -> u64 {
    stream(seed, Use::Search).next_u64()
}
