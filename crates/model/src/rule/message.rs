//! Why there are no admissible classes, and what they were to be.

use lookalike_words::Figure;

use super::{Distance, Effective, Ground, Positive, Several, Share, ValueCondition};

impl ValueCondition {
    /// The condition as it is told.
    #[must_use]
    pub fn asked(&self) -> Asked {
        match *self {
            Self::DistinctDiversity { l } => Asked::DistinctDiversity { l: l.get() },
            Self::EntropyDiversity { l } => Asked::EntropyDiversity { l: l.told() },
            Self::RecursiveDiversity { c, l } => Asked::RecursiveDiversity { c: c.told(), l: l.get() },
            Self::Frequency { alpha } => Asked::Frequency { alpha: alpha.told() },
            Self::Spread { least } => Asked::Spread { least: least.told() },
            Self::TCloseness { t, distance: Ground::Equal } => {
                Asked::TCloseness { t: t.told(), ordered: false }
            }
            Self::TCloseness { t, distance: Ground::Ordered } => {
                Asked::TCloseness { t: t.told(), ordered: true }
            }
            Self::TCloseness { t, distance: Ground::Hierarchical } => {
                Asked::HierarchicalCloseness { t: t.told() }
            }
            Self::BasicBetaLikeness { beta } => Asked::BetaLikeness { beta: beta.told(), enhanced: false },
            Self::EnhancedBetaLikeness { beta } => Asked::BetaLikeness { beta: beta.told(), enhanced: true },
            Self::DeltaDisclosure { delta } => Asked::DeltaDisclosure { delta: delta.told() },
        }
    }

    /// The strictest parameter of four decimals that classes of a table can keep which reaches this as a whole; `None` if there is none
    /// that means something.
    #[must_use]
    pub fn nearest(&self, reached: f64) -> Option<Figure> {
        if !reached.is_finite() {
            return None;
        }
        // Towards what is easier to keep: from the nearest number of four decimals, at most two steps.
        let step = |first: f64, by: f64| (0..3).map(move |at| (first + f64::from(at) * by) / 1e4);
        let parameters: Vec<f64> = match self {
            Self::DistinctDiversity { .. } => vec![reached],
            Self::EntropyDiversity { .. } | Self::Spread { .. } => {
                step(libm::ceil(reached * 1e4), -1.0).collect()
            }
            _ => step(libm::floor(reached * 1e4), 1.0).collect(),
        };
        let kept = |x: &f64| self.with(*x).is_some_and(|condition| condition.allows(reached));
        parameters.into_iter().find(kept).map(Figure::shortest)
    }

    /// The same condition with another parameter, if that means something.
    pub(super) fn with(&self, x: f64) -> Option<Self> {
        Some(match *self {
            Self::DistinctDiversity { .. } => {
                Self::DistinctDiversity { l: Several::try_from(x as usize).ok()? }
            }
            Self::EntropyDiversity { .. } => Self::EntropyDiversity { l: Effective::try_from(x).ok()? },
            Self::RecursiveDiversity { l, .. } => {
                Self::RecursiveDiversity { c: Positive::try_from(x).ok()?, l }
            }
            Self::Frequency { .. } => Self::Frequency { alpha: Share::try_from(x).ok()? },
            Self::Spread { .. } => Self::Spread { least: Share::try_from(x).ok()? },
            Self::TCloseness { distance, .. } => {
                Self::TCloseness { t: Distance::try_from(x).ok()?, distance }
            }
            Self::BasicBetaLikeness { .. } => Self::BasicBetaLikeness { beta: Positive::try_from(x).ok()? },
            Self::EnhancedBetaLikeness { .. } => {
                Self::EnhancedBetaLikeness { beta: Positive::try_from(x).ok()? }
            }
            Self::DeltaDisclosure { .. } => Self::DeltaDisclosure { delta: Positive::try_from(x).ok()? },
        })
    }

    /// What a class reached, as it is told: rounded to what is no better than it is. `None` where no number says it.
    #[must_use]
    pub fn told(&self, reached: f64) -> Option<Figure> {
        let scaled = |round: fn(f64) -> f64, by: f64| Figure::shortest(round(reached * by) / by);
        reached.is_finite().then(|| match self {
            // What lies a rounding error away from a round number is told as that number.
            Self::DistinctDiversity { .. } => Figure::shortest(reached),
            Self::EntropyDiversity { .. } | Self::Spread { .. } => scaled(|x| libm::floor(x + 1e-6), 1e4),
            _ => scaled(|x| libm::ceil(x - 1e-6), 1e4),
        })
    }
}

lookalike_words::messages! {
    in "model";

    /// The parameter of a rule.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Least {
        /// At least k records.
        K {
            /// Least class size.
            k: usize,
        },
        /// At least m records with different sensitive values.
        M {
            /// Least class size.
            m: usize,
        },
    }

    /// A condition on how the sensitive values of a class are distributed.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Asked {
        /// Enough different values.
        DistinctDiversity {
            /// Number of values.
            l: usize,
        },
        /// Values of enough entropy.
        EntropyDiversity {
            /// Effective number of values.
            l: Figure,
        },
        /// No value much more frequent than the rarer ones together.
        RecursiveDiversity {
            /// Less than so many times.
            c: Figure,
            /// The first of the rarer values.
            l: usize,
        },
        /// No value with too large a share.
        Frequency {
            /// The largest share.
            alpha: Figure,
        },
        /// Values that are far enough apart.
        Spread {
            /// As a part of the table's range.
            least: Figure,
        },
        /// Values distributed as in the whole table.
        TCloseness {
            /// The largest distance.
            t: Figure,
            /// Whether by the values' order.
            ordered: bool,
        },
        /// The same by the values' hierarchy.
        HierarchicalCloseness {
            /// The largest distance.
            t: Figure,
        },
        /// No value much more frequent than in the whole table.
        BetaLikeness {
            /// The largest relative gain.
            beta: Figure,
            /// Whether frequent values are bounded more tightly.
            enhanced: bool,
        },
        /// No value much more or less frequent than in the whole table.
        DeltaDisclosure {
            /// The largest difference of logarithms.
            delta: Figure,
        },
    }

    /// Why there are no admissible classes.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Infeasible {
        /// There are fewer than k records.
        TooFewRecords {
            /// Least class size.
            k: usize,
            /// Records there are: the largest possible k.
            records: usize,
        },
        /// There are fewer than m different sensitive values.
        TooFewValues {
            /// Least class size.
            m: usize,
            /// Values there are: the largest possible m.
            values: usize,
        },
        /// One sensitive value is held by more records than there can be classes.
        TooFrequent {
            /// Records that hold it.
            held: usize,
            /// All records.
            records: usize,
            /// Least class size.
            m: usize,
            /// Records that may hold a value.
            allowed: usize,
            /// The largest m that is possible without changes.
            largest: usize,
        },
        /// There are too few real records for the classes that the most frequent value needs.
        TooFewReal {
            /// Real records that each class is to have.
            real: usize,
            /// Real records there are.
            people: usize,
            /// Fewest classes.
            classes: usize,
            /// The largest number that is possible for each class.
            largest: usize,
        },
        /// The same among the records that no class of old records needs.
        LeftTooFrequent {
            /// The records that are left.
            records: usize,
            /// Records of them that hold one value.
            held: usize,
            /// Least class size.
            m: usize,
            /// Records that may hold a value.
            allowed: usize,
        },
        /// The whole table does not keep a condition on its values, so that no classes of it can.
        Values {
            /// Which sensitive column it is of, from 0.
            of: usize,
            /// The condition.
            asked: Asked,
            /// The strictest parameter that is possible, if a number says it.
            best: Option<Figure>,
            /// The fewest records that must be left out for the others to keep it, if that is possible.
            without: Option<usize>,
        },
        /// Too few records have a value that classes of records published before need.
        SignaturesLack {
            /// How many are needed.
            missing: usize,
            /// How many there are.
            there: usize,
        },
    }
}
