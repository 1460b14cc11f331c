//! Conditions on how the sensitive values of a class are distributed.
//!
//! Each is a convex set of distributions, given by finitely many limits on functions of the counts that are sublinear: so the
//! union of two classes that keep it keeps it, too (see [`ValueCondition`]; docs/conditions.md has the definitions with their sources). Hence a
//! table has admissible classes if and only if it is one as a whole.

use serde::{Deserialize, Serialize};

use super::{
    parameter::{Distance, Effective, Positive, Several, Share},
    table_values::TableValues,
};

/// What rounding may add to a sum of shares or logarithms. The judge of published tables grants twice as much, so that it never refuses
/// what was found by this.
const TOLERANCE: f64 = 5e-13;

/// A condition on how the sensitive values of a class are distributed. Let the class have n records, c(v) of them with the value v, and
/// p(v) = c(v)/n; let q(v) be the share of v in the whole table.
///
/// If two classes keep a condition, so does their union: its distribution is a mean of theirs, p = w p' + (1 - w) p''.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ValueCondition {
    /// At least `l` different values (Machanavajjhala et al. 2007). A union has the values of both classes.
    DistinctDiversity {
        /// Number of values.
        #[cfg_attr(feature = "openapi", schema(value_type = usize, minimum = 2))]
        l: Several,
    },
    /// Entropy at least ln `l` (Machanavajjhala et al. 2007). Entropy is concave: that of a mean is at least the mean of both.
    EntropyDiversity {
        /// Effective number of values.
        #[cfg_attr(feature = "openapi", schema(value_type = f64))]
        l: Effective,
    },
    /// The most frequent value occurs less than `c` times as often as the `l`-th and all rarer ones together (Machanavajjhala et al. 2007).
    /// The largest count is convex, and so is the sum of the `l` - 1 largest; n is linear. So the largest count less `c` times the rest
    /// is convex, and of a union it is at most the sum of both, which is below 0.
    RecursiveDiversity {
        /// How many times as often.
        #[cfg_attr(feature = "openapi", schema(value_type = f64))]
        c: Positive,
        /// The first of the rarer values.
        #[cfg_attr(feature = "openapi", schema(value_type = usize, minimum = 2))]
        l: Several,
    },
    /// No value has a share above `alpha` (Wong et al. 2006, for every value). Each share of a union is a mean of both.
    Frequency {
        /// The largest share.
        #[cfg_attr(feature = "openapi", schema(value_type = f64))]
        alpha: Share,
    },
    /// The earth mover's distance between p and q is at most `t` (Li et al. 2007). It is a multiple of a sum of absolute values of linear functions
    /// of p, and so convex.
    TCloseness {
        /// The largest distance.
        #[cfg_attr(feature = "openapi", schema(value_type = f64))]
        t: Distance,
        /// Distance between two values.
        #[serde(default)]
        distance: Ground,
    },
    /// (p(v) - q(v)) / q(v) is at most `beta` for every value (Cao and Karras 2012): a largest share for each value, as with `Frequency`.
    BasicBetaLikeness {
        /// The largest relative gain.
        #[cfg_attr(feature = "openapi", schema(value_type = f64))]
        beta: Positive,
    },
    /// The same is also at most -ln q(v) (Cao and Karras 2012): so that frequent values are bounded, too.
    EnhancedBetaLikeness {
        /// The largest relative gain.
        #[cfg_attr(feature = "openapi", schema(value_type = f64))]
        beta: Positive,
    },
    /// The greatest and the least value of the class are at least `least` of the table's range apart ((k, e)-anonymity, Zhang et al. 2007, with e
    /// as a part of that range): values of neighbouring numbers are not different. The range of a union is no smaller than that of either.
    Spread {
        /// The part of the table's range.
        #[cfg_attr(feature = "openapi", schema(value_type = f64))]
        least: Share,
    },
    /// |ln(p(v) / q(v))| is below `delta` for every value of the table (Brickell and Shmatikov 2008), so that each occurs in the class: a
    /// smallest and a largest share for each value.
    DeltaDisclosure {
        /// The largest difference of logarithms.
        #[cfg_attr(feature = "openapi", schema(value_type = f64))]
        delta: Positive,
    },
}

/// Distance between two sensitive values, the ground of the earth mover's distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Ground {
    /// 1 between any two.
    #[default]
    Equal,
    /// Difference of their ranks, over the largest one.
    Ordered,
    /// The lowest level of their hierarchy at which they have one label, over the number of levels.
    Hierarchical,
}

impl ValueCondition {
    /// Fewest records of a class that can keep it, as far as its parameter alone says.
    #[must_use]
    pub fn least_size(&self) -> usize {
        match *self {
            Self::DistinctDiversity { l } | Self::RecursiveDiversity { l, .. } => l.get(),
            // So many records have so many values at the most, and so much entropy.
            Self::EntropyDiversity { l } => libm::ceil(l.get() * (1.0 - 1e-9)) as usize,
            Self::Frequency { alpha } => libm::ceil((1.0 - 1e-9) / (alpha.get() + 1e-12)) as usize,
            Self::Spread { .. } => 2,
            Self::TCloseness { .. }
            | Self::BasicBetaLikeness { .. }
            | Self::EnhancedBetaLikeness { .. }
            | Self::DeltaDisclosure { .. } => 1,
        }
    }

    /// Whether values need an order.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        matches!(self, Self::TCloseness { distance: Ground::Ordered, .. } | Self::Spread { .. })
    }

    /// Whether values need a hierarchy.
    #[must_use]
    pub fn is_hierarchical(&self) -> bool {
        matches!(self, Self::TCloseness { distance: Ground::Hierarchical, .. })
    }

    /// What a class reaches: number of values, e to the entropy, ratio, share, distance, relative gain, difference of logarithms. Infinite
    /// where nothing is enough. `counts` are the values that occur, ascending, with how often.
    ///
    /// O(values of the class), for the ordered distance with the logarithm of the table's, for the hierarchical one with their own and the number
    /// of levels.
    pub fn reached(&self, counts: impl Iterator<Item = (u32, u32)> + Clone, table: &TableValues) -> f64 {
        let size = || counts.clone().map(|(_, count)| count).sum::<u32>();
        match *self {
            Self::DistinctDiversity { .. } => counts.count() as f64,
            Self::EntropyDiversity { .. } => libm::exp(entropy(size(), counts.clone(), table)),
            Self::RecursiveDiversity { l, .. } => ratio(size(), counts.clone(), l.get()),
            Self::Frequency { .. } => {
                let most = counts.clone().map(|(_, count)| count).max().unwrap_or(0);
                f64::from(most) / f64::from(size())
            }
            Self::TCloseness { distance: Ground::Equal, .. } => equal(size(), counts.clone(), table),
            Self::TCloseness { distance: Ground::Ordered, .. } => ordered(size(), counts.clone(), table),
            Self::TCloseness { distance: Ground::Hierarchical, .. } => hierarchical(size(), &counts, table),
            Self::Spread { .. } => spread(counts.clone(), table),
            Self::BasicBetaLikeness { .. } => {
                gains(size(), counts.clone(), table).map(|(_, x)| x).fold(0.0, f64::max)
            }
            Self::EnhancedBetaLikeness { .. } => {
                // Where the limit is the value's own, the gain counts in parts of it: what is above it is infinite.
                let size = size();
                let told = |(value, gain)| {
                    if gain > table.rarity(value) + TOLERANCE { f64::INFINITY } else { gain }
                };
                gains(size, counts.clone(), table).map(told).fold(0.0, f64::max)
            }
            Self::DeltaDisclosure { .. } => {
                let size = size();
                let all = counts.clone().count() == table.count();
                let log = |(_, ratio): (u32, f64)| libm::log(ratio).abs();
                if all {
                    ratios(size, counts.clone(), table).map(log).fold(0.0, f64::max)
                } else {
                    f64::INFINITY
                }
            }
        }
    }

    /// Whether what a class [reached](Self::reached) is enough.
    #[must_use]
    pub fn allows(&self, reached: f64) -> bool {
        match *self {
            Self::DistinctDiversity { l } => reached >= l.get() as f64,
            Self::EntropyDiversity { l } => reached >= l.get() * (1.0 - TOLERANCE),
            Self::Spread { least } => reached >= least.get() - TOLERANCE,
            // A quotient of two whole numbers is rounded one way wherever it is computed.
            Self::RecursiveDiversity { c, .. } => reached < c.get(),
            Self::Frequency { alpha } => reached <= alpha.get() + TOLERANCE,
            Self::TCloseness { t, .. } => reached <= t.get() + TOLERANCE,
            Self::BasicBetaLikeness { beta } | Self::EnhancedBetaLikeness { beta } => {
                reached <= beta.get() + TOLERANCE
            }
            Self::DeltaDisclosure { delta } => reached < delta.get() - TOLERANCE,
        }
    }

    /// The parameter that what a class reached is compared with.
    #[must_use]
    pub fn parameter(&self) -> f64 {
        match *self {
            Self::DistinctDiversity { l } => l.get() as f64,
            Self::EntropyDiversity { l } => l.get(),
            Self::RecursiveDiversity { c, .. } => c.get(),
            Self::Frequency { alpha } => alpha.get(),
            Self::Spread { least } => least.get(),
            Self::TCloseness { t, .. } => t.get(),
            Self::BasicBetaLikeness { beta } | Self::EnhancedBetaLikeness { beta } => beta.get(),
            Self::DeltaDisclosure { delta } => delta.get(),
        }
    }

    /// Whether a class keeps it.
    pub fn holds(&self, counts: impl Iterator<Item = (u32, u32)> + Clone, table: &TableValues) -> bool {
        self.allows(self.reached(counts, table))
    }

    /// Which of two classes is worse, by what they reached.
    #[must_use]
    pub fn worse(&self, a: f64, b: f64) -> f64 {
        match self {
            Self::DistinctDiversity { .. } | Self::EntropyDiversity { .. } | Self::Spread { .. } => a.min(b),
            _ => a.max(b),
        }
    }
}

/// Entropy, in units of e.
fn entropy(size: u32, counts: impl Iterator<Item = (u32, u32)>, table: &TableValues) -> f64 {
    let n = f64::from(size);
    let sum: f64 = counts.map(|(_, count)| table.log(count)).sum();
    if size == 0 { 0.0 } else { (table.log(size) - sum) / n }
}

/// The most frequent value's count over that of the l-th and all rarer ones.
fn ratio(size: u32, counts: impl Iterator<Item = (u32, u32)>, l: usize) -> f64 {
    let mut counts: Vec<u32> = counts.map(|(_, count)| count).collect();
    if counts.len() < l {
        return f64::INFINITY;
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    let (frequent, _, _) = counts.select_nth_unstable_by(l - 1, |a, b| b.cmp(a));
    let rare = size - frequent.iter().sum::<u32>();
    f64::from(most) / f64::from(rare)
}

/// Where the class has more than the table, all together: half the sum of |p - q|.
fn equal(size: u32, counts: impl Iterator<Item = (u32, u32)>, table: &TableValues) -> f64 {
    let (n, all) = (u128::from(size), u128::from(table.records()));
    let more = counts
        .map(|(value, count)| (u128::from(count) * all).saturating_sub(u128::from(table.total(value)) * n))
        .sum::<u128>();
    more as f64 / (n * all).max(1) as f64
}

/// The sum over the ranks of |cumulated p - cumulated q|, over the largest difference of ranks.
fn ordered(size: u32, counts: impl Iterator<Item = (u32, u32)>, table: &TableValues) -> f64 {
    let (mut held, mut from, mut sum) = (0, 0, 0_u128);
    for (value, count) in counts {
        let rank = table.rank(value);
        sum += table.apart((from, rank), held, size);
        held += count;
        from = rank;
    }
    // At the last rank both are whole.
    let last = (table.rank_count() as usize).saturating_sub(1);
    sum += table.apart((from, last), held, size);
    let whole = u128::from(size) * u128::from(table.records()) * last.max(1) as u128;
    sum as f64 / whole.max(1) as f64
}

/// The mean over the levels, the values' own included and the root's not, of half the sum of |p - q| over the labels of the level. This is the earth mover's
/// distance of a tree whose edges are equally long: across each edge moves what the values below it have more or less than the table.
fn hierarchical(size: u32, counts: &(impl Iterator<Item = (u32, u32)> + Clone), table: &TableValues) -> f64 {
    let levels = table.levels();
    let mut sum = equal(size, counts.clone(), table);
    let mut held: Vec<(u32, u32)> = Vec::new();
    for level in levels.iter().take(levels.len().saturating_sub(1)) {
        held.clear();
        held.extend(counts.clone().map(|(value, count)| (level.group(value), count)));
        held.sort_unstable();
        sum += level.apart(&held, size, table.records());
    }
    sum / levels.len().max(1) as f64
}

/// From the least to the greatest value of the class, as a part of the table's range; values come in ascending order.
fn spread(counts: impl Iterator<Item = (u32, u32)>, table: &TableValues) -> f64 {
    let (mut first, mut last) = (None, None);
    for (value, _) in counts {
        first = first.or(Some(value));
        last = Some(value);
    }
    let (Some(first), Some(last)) = (first, last) else { return 0.0 };
    let range = table.range();
    if range > 0.0 { (table.place(last) - table.place(first)) / range } else { 0.0 }
}

/// The relative gain of each value of the class: (p - q) / q.
fn gains(
    size: u32,
    counts: impl Iterator<Item = (u32, u32)>,
    table: &TableValues,
) -> impl Iterator<Item = (u32, f64)> {
    ratios(size, counts, table).map(|(value, ratio)| (value, ratio - 1.0))
}

/// How many times as frequent as in the table each value of the class is: p / q, a quotient of whole numbers.
fn ratios(
    size: u32,
    counts: impl Iterator<Item = (u32, u32)>,
    table: &TableValues,
) -> impl Iterator<Item = (u32, f64)> {
    let all = table.records() as f64;
    counts.map(move |(value, count)| {
        (value, f64::from(count) * all / (f64::from(size) * table.total(value) as f64))
    })
}
