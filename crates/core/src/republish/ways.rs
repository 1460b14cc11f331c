//! How many counterfeits a release needs, and of which values: balancing and eligibility on counts alone.
//!
//! Ours is the least that any release from this ledger needs ([`fewest`]; proof: docs/republish.md). Among equally few it
//! fakes the most frequent values that have room, which leaves later releases the most: a counterfeit's place is free
//! again in the next release, and frequent values come to fill it.

use lookalike_lp::Backend;
use lookalike_model::settings::{Fake, Repair};
use rand_chacha::ChaCha8Rng;

use super::{
    SeriesFault,
    balance::{Balanced, Bucket, balance},
};
use crate::{
    Error,
    eligibility::{Among, Changes, Held, Wanted, additions, hold, is_eligible, random_counterfeits, repair},
};

/// Draws before random counterfeits count as endless.
const LIMIT: u64 = 100_000_000;

/// How the counterfeits of a release are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// The changes that the settings ask for ([`needed`]): as few as can be.
    #[default]
    Fewest,
    /// [`tobar_2024`], for comparison.
    Tobar2024,
    /// [`tau`], for comparison.
    Tau,
    /// [`classic`], for comparison.
    Classic,
}

/// The counterfeits of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed {
    /// What fills up the buckets of old records.
    pub balanced: Vec<Balanced>,
    /// New records of each value that enter no bucket.
    pub rest: Vec<u64>,
    /// Counterfeits of each value among these.
    pub added: Vec<u64>,
    /// New records of each value that wait for a later release; not in `rest`.
    pub held: Vec<u64>,
}

impl Needed {
    /// Counterfeits in the buckets of old records.
    #[must_use]
    pub fn balancing(&self) -> u64 {
        self.balanced.iter().flat_map(|filled| &filled.counterfeits).sum()
    }

    /// All counterfeits.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.balancing() + self.added.iter().sum::<u64>()
    }
}

/// The fewest counterfeits that any release needs whose old records stay in `buckets` and whose new ones have the counts
/// `new`; of several choices the one that fakes the most frequent values. `more` as in [`needed`].
///
/// # Errors
/// As [`needed`].
pub fn fewest(buckets: &[Bucket], new: &[u64], m: u64, more: Option<u64>) -> Result<Needed, Error> {
    let wanted =
        Wanted { among: Among { fake: Fake::Frequent, ..Among::default() }, ..Wanted::fewest(Repair::Add) };
    needed(buckets, new, m, &wanted, more)
}

/// Balancing, then the changes that are wanted among the other new records: with counterfeits alone the total is the
/// least that there is. Records that are to be deleted wait for a later release, all of them if fewer than `m` values
/// occur. With `more` the classes of new records all get exactly `m` values, for up to m - 1 counterfeits more, and there
/// are that many classes more than need be, for `m` counterfeits each.
///
/// # Errors
/// As [`balance`] and [`repair`]; [`Error::Series`] if counterfeits are needed and none are wanted.
pub fn needed(
    buckets: &[Bucket],
    new: &[u64],
    m: u64,
    wanted: &Wanted,
    more: Option<u64>,
) -> Result<Needed, Error> {
    let (balanced, rest) = balance(buckets, new)?;
    let balancing: u64 = balanced.iter().flat_map(|filled| &filled.counterfeits).sum();
    let counterfeits = matches!(wanted.way, Repair::Add | Repair::Hybrid);
    if !counterfeits && balancing > 0 {
        return Err(SeriesFault::CounterfeitsNeeded { counterfeits: balancing }.into());
    }
    if wanted.way == Repair::Error && !is_eligible(&rest, m) {
        let counterfeits = additions(&rest, m)?.added();
        return Err(SeriesFault::NewNotEligible { records: rest.iter().sum(), m, counterfeits }.into());
    }
    let changes = match hold(&rest, m)? {
        Held::All if wanted.way == Repair::Delete => {
            Changes { additions: vec![0; rest.len()], deletions: rest.clone() }
        }
        _ => repair(&rest, m, wanted, Backend::best())?.changes,
    };
    let Changes { mut additions, deletions: held } = changes;
    let rest: Vec<u64> = rest.iter().zip(&held).map(|(records, held)| records - held).collect();
    if let Some(classes) = more
        && counterfeits
    {
        even(&rest, &mut additions, m, classes);
    }
    Ok(Needed { balanced, rest, added: additions, held })
}

/// Adds counterfeits until the records are a multiple of `m`, and `m` more for each further class, so that Xiao and Tao's
/// assignment makes sets of exactly `m` values: with m K records and no value above K, the remainder stays so when one
/// record each of the m most frequent values leaves. No class may be of counterfeits alone, so there are never more
/// classes than records.
fn even(rest: &[u64], added: &mut [u64], m: u64, classes: u64) {
    let real: u64 = rest.iter().sum();
    let total = real + added.iter().sum::<u64>();
    let least = total.div_ceil(m);
    let top = (least + classes).min(real.max(least));
    let mut missing = top * m - total;
    let mut order: Vec<usize> = (0..rest.len()).collect();
    order.sort_by_key(|&value| (std::cmp::Reverse(rest[value]), value));
    for value in order {
        let more = missing.min(top.saturating_sub(rest[value] + added[value]));
        added[value] += more;
        missing -= more;
    }
}

/// Tobar 2024: balancing, then Algorithm 1, which fakes the rarest values.
///
/// # Errors
/// As [`balance`] and [`additions`].
pub fn tobar_2024(buckets: &[Bucket], new: &[u64], m: u64) -> Result<Needed, Error> {
    let (balanced, rest) = balance(buckets, new)?;
    let added = additions(&rest, m)?.additions;
    Ok(Needed { held: vec![0; rest.len()], balanced, rest, added })
}

/// Tau-safety as in reference \[14\] of Tobar 2024: balancing, then counterfeits of random values.
///
/// # Errors
/// As [`balance`] and [`random_counterfeits`]; [`Error::Series`] if these find no end.
pub fn tau(buckets: &[Bucket], new: &[u64], m: u64, rng: &mut ChaCha8Rng) -> Result<Needed, Error> {
    let (balanced, rest) = balance(buckets, new)?;
    at_random(balanced, rest, m, rng)
}

/// Xiao and Tao, as we read them: a new record enters a bucket only if the others stay m-eligible (or were not so from
/// the start); a counterfeit takes its place else. What they leave open, counterfeits among the others, is done as in
/// [`tau`].
///
/// # Errors
/// As [`tau`].
pub fn classic(buckets: &[Bucket], new: &[u64], m: u64, rng: &mut ChaCha8Rng) -> Result<Needed, Error> {
    let mut rest = new.to_vec();
    let careful = is_eligible(&rest, m);
    let (mut balanced, _) = balance(buckets, new)?;
    for (bucket, filled) in buckets.iter().zip(&mut balanced) {
        for (key, &value) in bucket.signature.iter().enumerate() {
            let missing = filled.classes - bucket.survivors[key];
            let mut entering = 0;
            while entering < missing && rest[value as usize] > 0 {
                rest[value as usize] -= 1;
                if careful && !is_eligible(&rest, m) {
                    rest[value as usize] += 1;
                    break;
                }
                entering += 1;
            }
            filled.new[key] = entering;
            filled.counterfeits[key] = missing - entering;
        }
    }
    at_random(balanced, rest, m, rng)
}

fn at_random(balanced: Vec<Balanced>, rest: Vec<u64>, m: u64, rng: &mut ChaCha8Rng) -> Result<Needed, Error> {
    let added = random_counterfeits(&rest, m, LIMIT, rng)?.ok_or(SeriesFault::NoEnd)?.additions;
    Ok(Needed { held: vec![0; rest.len()], balanced, rest, added })
}
