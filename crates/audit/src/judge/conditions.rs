//! Conditions on how the sensitive values of each class and group are distributed.
//!
//! Some compare with the whole table, which is known after its last row: so the values of every class and group are kept until then.
//! Everything is computed from the definitions (docs/conditions.md), in whole numbers as far as they go.

mod tree;

use lookalike_words::{Cell, Figure, Name};

use self::tree::Tree;
use super::{
    amount::notation,
    error::{Error, Protecting, Senseless},
    number::number,
    values::Values,
    verdict::{Check, Grouping, Observation, Shared, Subject, Wanted, Witness},
};

/// A condition on the sensitive values of each class and group: n rows, of which c(v) have the value v, and the whole table has the
/// share q(v) of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition {
    /// At least `l` different values.
    DistinctDiversity {
        /// At least 2.
        l: usize,
    },
    /// Entropy at least ln `l`.
    EntropyDiversity {
        /// Above 1.
        l: f64,
    },
    /// The most frequent value occurs less than `c` times as often as the `l`-th and all rarer ones together.
    RecursiveDiversity {
        /// Above 0.
        c: f64,
        /// At least 2.
        l: usize,
    },
    /// No value has a share above `alpha`.
    Frequency {
        /// Above 0, at most 1.
        alpha: f64,
    },
    /// The greatest and the least value are at least `least` of the whole table's range apart.
    Spread {
        /// Above 0, at most 1.
        least: f64,
    },
    /// The earth mover's distance to the whole table is at most `t`.
    TCloseness {
        /// 0 to 1.
        t: f64,
        /// How far apart two values are.
        ground: Ground,
    },
    /// No value gains more than `beta`, relative to its share in the whole table.
    BetaLikeness {
        /// Above 0.
        beta: f64,
        /// Whether it gains no more than -ln q(v) either.
        enhanced: bool,
    },
    /// |ln(p(v) / q(v))| is below `delta` for every value of the whole table.
    DeltaDisclosure {
        /// Above 0.
        delta: f64,
    },
}

/// How far apart two sensitive values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// All equally far.
    Equal,
    /// As far as their ranks.
    Ordered,
    /// As far as one goes up a hierarchy until they have one label.
    Hierarchical,
}

/// How the values of a sensitive column lie to each other, for conditions that go by it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrangement {
    /// The values from least to greatest; without it those that go by an order must be numbers.
    pub order: Option<Vec<String>>,
    /// A row a value, with its labels from fine to coarse.
    pub hierarchy: Option<Vec<Vec<String>>>,
}

/// Sums and logarithms are exact to about this much.
const ROUNDING: f64 = 1e-12;

impl Condition {
    /// Refuses parameters without a meaning.
    pub(crate) fn validate(&self) -> Result<(), Error> {
        let senseless = |fault: fn(Figure) -> Senseless, value: f64| {
            Err(Error::Senseless(fault(Figure::shortest(value))))
        };
        match *self {
            Self::DistinctDiversity { l } | Self::RecursiveDiversity { l, .. } if l < 2 => {
                Err(Error::TooSmall { parameter: "l", value: l })
            }
            Self::EntropyDiversity { l } if !(l.is_finite() && l > 1.0) => {
                senseless(|value| Senseless::L { value }, l)
            }
            Self::RecursiveDiversity { c, .. } if !(c.is_finite() && c > 0.0) => {
                senseless(|value| Senseless::C { value }, c)
            }
            Self::Frequency { alpha } if !(alpha > 0.0 && alpha <= 1.0) => {
                senseless(|value| Senseless::Alpha { value }, alpha)
            }
            Self::Spread { least } if !(least > 0.0 && least <= 1.0) => {
                senseless(|value| Senseless::Spread { value }, least)
            }
            Self::TCloseness { t, .. } if !(0.0..=1.0).contains(&t) => {
                senseless(|value| Senseless::T { value }, t)
            }
            Self::BetaLikeness { beta: x, .. } | Self::DeltaDisclosure { delta: x }
                if !(x.is_finite() && x > 0.0) =>
            {
                senseless(|value| Senseless::Positive { value }, x)
            }
            _ => Ok(()),
        }
    }

    /// Whether it goes by the order of the values.
    fn is_ordered(&self) -> bool {
        matches!(self, Self::TCloseness { ground: Ground::Ordered, .. } | Self::Spread { .. })
    }

    /// Whether it goes by a hierarchy of the values.
    fn is_hierarchical(&self) -> bool {
        matches!(self, Self::TCloseness { ground: Ground::Hierarchical, .. })
    }

    /// It as it is told.
    pub(crate) fn wanted(&self) -> Wanted {
        let told = Figure::shortest;
        match *self {
            Self::DistinctDiversity { l } => Wanted::DistinctDiversity { l },
            Self::EntropyDiversity { l } => Wanted::EntropyDiversity { l: told(l) },
            Self::RecursiveDiversity { c, l } => Wanted::RecursiveDiversity { c: told(c), l },
            Self::Frequency { alpha } => Wanted::Frequency { alpha: told(alpha) },
            Self::Spread { least } => Wanted::Spread { least: told(least) },
            Self::TCloseness { t, ground: Ground::Hierarchical } => {
                Wanted::HierarchicalCloseness { t: told(t) }
            }
            Self::TCloseness { t, ground } => {
                Wanted::TCloseness { t: told(t), ordered: ground == Ground::Ordered }
            }
            Self::BetaLikeness { beta, enhanced } => Wanted::BetaLikeness { beta: told(beta), enhanced },
            Self::DeltaDisclosure { delta } => Wanted::DeltaDisclosure { delta: told(delta) },
        }
    }

    /// What rows reach: number of values, e to the entropy, ratio, share, distance, relative gain, difference of logarithms.
    fn reached(&self, counts: &[(u32, usize)], table: &Table) -> f64 {
        let n: usize = counts.iter().map(|(_, count)| count).sum();
        let share = |count: usize| count as f64 / n as f64;
        // One quotient of whole numbers: of two shares the rounding would grow with the ratio.
        let ratio = |&(code, count): &(u32, usize)| {
            (count as u128 * table.rows as u128) as f64
                / (n as u128 * table.values.rows_of(code) as u128) as f64
        };
        let gain = |of: &(u32, usize)| ratio(of) - 1.0;
        match *self {
            Self::DistinctDiversity { .. } => counts.len() as f64,
            Self::EntropyDiversity { .. } => {
                // The product of (n/c)^(c/n), by its logarithm.
                let log: f64 =
                    counts.iter().map(|&(_, count)| share(count) * (n as f64 / count as f64).ln()).sum();
                if n == 0 { 0.0 } else { log.exp() }
            }
            Self::RecursiveDiversity { l, .. } => {
                let mut sorted: Vec<usize> = counts.iter().map(|(_, count)| *count).collect();
                sorted.sort_unstable_by(|a, b| b.cmp(a));
                match sorted.get(l - 1..) {
                    Some(rare) if !rare.is_empty() => sorted[0] as f64 / rare.iter().sum::<usize>() as f64,
                    _ => f64::INFINITY,
                }
            }
            Self::Frequency { .. } => counts.iter().map(|&(_, count)| share(count)).fold(0.0, f64::max),
            Self::Spread { .. } => table.spread(counts),
            Self::TCloseness { ground, .. } => {
                let work = match ground {
                    Ground::Equal => table.moved(counts, n),
                    Ground::Ordered => table.moved_by_rank(counts, n),
                    Ground::Hierarchical => table.tree.moved(counts, n, table),
                };
                // An empty class is as far as can be.
                if n == 0 { 1.0 } else { work }
            }
            Self::BetaLikeness { enhanced, .. } => {
                let beyond = |of: &(u32, usize)| gain(of) > -table.share(of.0).ln() + ROUNDING;
                if enhanced && counts.iter().any(beyond) {
                    return f64::INFINITY;
                }
                counts.iter().map(gain).fold(0.0, f64::max)
            }
            Self::DeltaDisclosure { .. } => {
                if counts.len() < table.known {
                    return f64::INFINITY;
                }
                counts.iter().map(|of| ratio(of).ln().abs()).fold(0.0, f64::max)
            }
        }
    }

    fn allows(&self, reached: f64) -> bool {
        match *self {
            Self::DistinctDiversity { l } => reached >= l as f64,
            Self::EntropyDiversity { l } => reached >= l * (1.0 - ROUNDING),
            Self::RecursiveDiversity { c, .. } => reached < c,
            Self::Frequency { alpha } => reached <= alpha + ROUNDING,
            Self::Spread { least } => reached >= least - ROUNDING,
            Self::TCloseness { t, .. } => reached <= t + ROUNDING,
            Self::BetaLikeness { beta, .. } => reached <= beta + ROUNDING,
            Self::DeltaDisclosure { delta } => reached < delta,
        }
    }

    fn worse(&self, a: f64, b: f64) -> f64 {
        match self {
            Self::DistinctDiversity { .. } | Self::EntropyDiversity { .. } | Self::Spread { .. } => a.min(b),
            _ => a.max(b),
        }
    }

    /// Whether the rows of each class or group keep it, and what the worst of them reach.
    fn check(&self, grouping: Grouping, rows: &[Kept], table: &Table) -> (Check, f64) {
        let of: Vec<f64> =
            rows.iter().map(|kept| self.reached(&table.known_of(&kept.tally), table)).collect();
        let worst = of.iter().copied().reduce(|a, b| self.worse(a, b)).unwrap_or(f64::NAN);
        let told = |x: f64| x.is_finite().then(|| Figure::fixed(x, 4));
        let failed = || rows.iter().zip(&of).filter(|(_, reached)| !self.allows(**reached));
        let (all, broken) = (rows.len(), failed().count());
        let reached = told(worst);
        let finding = match broken {
            0 => Observation::Kept { grouping, all, reached },
            _ => Observation::Broken { grouping, all, reached, broken },
        };
        let witness =
            |(kept, reached): (&Kept, &f64)| Witness::Broken { of: kept.of.clone(), reached: told(*reached) };
        let subject = Subject::Condition { column: None, wanted: self.wanted(), grouping };
        (Check::new(subject, finding, failed().map(witness)), worst)
    }
}

/// What is asked beside the guarantee: refuses what has no meaning.
pub(super) fn validate(conditions: &[Condition], sensitive: bool) -> Result<(), Error> {
    if !conditions.is_empty() && !sensitive {
        return Err(Error::NoSensitiveFor { model: Protecting::Conditions });
    }
    conditions.iter().try_for_each(Condition::validate)
}

/// Rows that belong together, and how often each sensitive value occurs among them.
pub(crate) type Group<'a> = (Vec<Shared>, Vec<(&'a str, usize)>);

/// Judges one condition of the classes or groups of a table that another reader made: `cells` are the sensitive values of all its rows. Also
/// what the worst of them reaches.
///
/// # Errors
/// As [`checks`].
pub(crate) fn judge_groups<'a>(
    condition: &Condition,
    (arranged, markers): (&Arrangement, &[String]),
    (column, cells): (&str, impl Iterator<Item = &'a str>),
    (grouping, groups): (Grouping, Vec<Group<'a>>),
) -> Result<(Vec<Check>, f64), Error> {
    let mut values = Values::new(markers);
    for cell in cells {
        values.code(cell);
    }
    let coded = |(value, count): (&str, usize)| values.find(value).map(|code| (code, count));
    let kept: Vec<Kept> = groups
        .into_iter()
        .map(|(of, tally)| {
            let mut tally: Vec<(u32, usize)> = tally.into_iter().filter_map(coded).collect();
            tally.sort_unstable();
            Kept { of, tally }
        })
        .collect();
    let asked = (std::slice::from_ref(condition), arranged);
    let mut checks = checks(asked, (&values, column), &[(grouping, &kept)])?;
    Ok(checks.pop().unwrap_or_default())
}

/// The rows of a class or group.
pub(super) struct Kept {
    /// What they share.
    pub(super) of: Vec<Shared>,
    /// Their sensitive values by code, with how often each occurs.
    pub(super) tally: Vec<(u32, usize)>,
}

/// The sensitive values of the whole table.
struct Table<'a> {
    values: &'a Values,
    /// Rows whose value is known.
    rows: usize,
    /// Number of known values.
    known: usize,
    /// Rank of each value by code, and number of ranks; empty if nobody asks for an order.
    ranks: (Vec<usize>, usize),
    /// The number of each value by code, or its place in the order; empty like the ranks.
    places: Vec<f64>,
    /// Their hierarchy; without levels if nobody asks for one.
    tree: Tree,
}

impl Table<'_> {
    /// Those of a tally whose value is known.
    fn known_of(&self, tally: &[(u32, usize)]) -> Vec<(u32, usize)> {
        tally.iter().copied().filter(|(code, _)| !self.values.is_missing(*code)).collect()
    }

    /// The share of a value.
    fn share(&self, code: u32) -> f64 {
        self.values.rows_of(code) as f64 / self.rows as f64
    }

    /// Half the sum of |p - q|, of values as far apart as each other: what the distributions do not have in common, 1 - Σ min(p, q). Only
    /// values that the rows have are in common.
    fn moved(&self, counts: &[(u32, usize)], n: usize) -> f64 {
        let common = |&(code, count): &(u32, usize)| {
            (count as u128 * self.rows as u128).min(self.values.rows_of(code) as u128 * n as u128)
        };
        let whole = n as u128 * self.rows as u128;
        let common: u128 = counts.iter().map(common).sum();
        (whole - common) as f64 / whole.max(1) as f64
    }

    /// From the least to the greatest value, as a part of the table's range; by number, or by place in the order given.
    fn spread(&self, counts: &[(u32, usize)]) -> f64 {
        let range = |codes: &mut dyn Iterator<Item = u32>| {
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for code in codes {
                let place = self.places[code as usize];
                (least, most) = (least.min(place), most.max(place));
            }
            most - least
        };
        let whole = range(
            &mut self.values.rows().map(|(code, _)| code).filter(|code| !self.values.is_missing(*code)),
        );
        if counts.is_empty() || whole <= 0.0 { 0.0 } else { range(&mut counts.iter().map(|of| of.0)) / whole }
    }

    /// The sum of |cumulated p - cumulated q| over the ranks, over the largest difference of two.
    fn moved_by_rank(&self, counts: &[(u32, usize)], n: usize) -> f64 {
        let (ranks, number) = &self.ranks;
        let mut apart = vec![0_i128; *number];
        for (code, rows) in self.values.rows().filter(|(code, _)| !self.values.is_missing(*code)) {
            apart[ranks[code as usize]] -= rows as i128 * n as i128;
        }
        for &(code, count) in counts {
            apart[ranks[code as usize]] += count as i128 * self.rows as i128;
        }
        let mut moved = 0_i128;
        let mut work = 0_i128;
        for x in apart {
            moved += x;
            work += moved.abs();
        }
        work as f64 / (n as f64 * self.rows as f64) / number.saturating_sub(1).max(1) as f64
    }
}

/// How the values are read as numbers: as plain ones, or as people write them where all known ones are such, in one format.
fn amounts(values: &Values) -> impl Fn(&str) -> Option<f64> {
    let known: Vec<&str> = (values.rows().map(|(code, _)| code))
        .filter(|code| !values.is_missing(*code))
        .map(|code| values.text(code))
        .collect();
    let notation = notation(&known);
    move |text| notation.as_ref().map_or_else(|| number(text), |notation| notation.read(text))
}

/// Rank of each value by code, and the number of ranks: by the order given, or as numbers, where equal ones share a rank.
fn ranks(values: &Values, order: Option<&[String]>, column: &str) -> Result<(Vec<usize>, usize), Error> {
    let column = || Name::from(column);
    if let Some(order) = order {
        for (at, value) in order.iter().enumerate() {
            if order[..at].iter().any(|before| before.trim() == value.trim()) {
                return Err(Error::OrderTwice { column: column(), value: Cell::from(value.as_str()) });
            }
        }
    }
    let known = || values.rows().map(|(code, _)| code).filter(|code| !values.is_missing(*code));
    let read_as = amounts(values);
    let numbers = || -> Result<Vec<f64>, Error> {
        let read = |code: u32| {
            let text = values.text(code);
            read_as(text).ok_or_else(|| Error::NoOrder { column: column(), value: Cell::from(text) })
        };
        known().map(read).collect()
    };
    let mut sorted = if order.is_none() { numbers()? } else { Vec::new() };
    sorted.sort_by(f64::total_cmp);
    sorted.dedup_by(|a, b| *a == *b);
    let mut ranks = vec![0; values.rows().count()];
    for code in known() {
        let text = values.text(code);
        ranks[code as usize] = match order {
            Some(order) => {
                let place = order.iter().position(|value| value.trim() == text.trim());
                place.ok_or_else(|| Error::OrderLacks { column: column(), value: Cell::from(text) })?
            }
            None => read_as(text).map_or(0, |x| sorted.partition_point(|y| *y < x)),
        };
    }
    Ok((ranks, order.map_or(sorted.len(), <[String]>::len)))
}

/// The checks of all conditions, by classes and by groups; and what the worst class or group reaches of each condition.
///
/// # Errors
/// [`Error::NoOrder`], [`Error::OrderLacks`] or [`Error::OrderTwice`] if a condition goes by an order that the values do not have;
/// [`Error::NoHierarchy`], [`Error::HierarchyLacks`] or [`Error::HierarchyTorn`] the same of a hierarchy.
pub(super) fn checks(
    (conditions, arranged): (&[Condition], &Arrangement),
    (values, column): (&Values, &str),
    kept: &[(Grouping, &[Kept])],
) -> Result<Vec<(Vec<Check>, f64)>, Error> {
    if conditions.is_empty() {
        return Ok(Vec::new());
    }
    let order = arranged.order.as_deref();
    let ranks = if conditions.iter().any(Condition::is_ordered) {
        ranks(values, order, column)?
    } else {
        (Vec::new(), 0)
    };
    let read_as = amounts(values);
    let place = |code: usize| match order {
        None => read_as(values.text(code as u32)).unwrap_or(0.0),
        Some(_) => ranks.0[code] as f64,
    };
    let places = (0..ranks.0.len()).map(place).collect();
    let tree = if conditions.iter().any(Condition::is_hierarchical) {
        Tree::of(values, arranged.hierarchy.as_deref(), column)?
    } else {
        Tree::default()
    };
    let known = || values.rows().filter(|(code, _)| !values.is_missing(*code));
    let rows = known().map(|(_, rows)| rows).sum();
    let table = Table { values, rows, known: known().count(), ranks, places, tree };
    let of = |condition: &Condition| {
        let checks: Vec<(Check, f64)> =
            kept.iter().map(|(grouping, rows)| condition.check(*grouping, rows, &table)).collect();
        let worst = checks.iter().map(|of| of.1).reduce(|a, b| condition.worse(a, b)).unwrap_or(f64::NAN);
        (checks.into_iter().map(|of| of.0).collect(), worst)
    };
    Ok(conditions.iter().map(of).collect())
}
