//! Conditions on sensitive values: as the oracle has them, and as the search has them.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_model::rule::{Distance, Effective, Ground, Positive, Several, Share, ValueCondition};
use lookalike_testkit::Wanted;
use proptest::prelude::*;

/// The condition as the search has it.
pub(crate) fn condition(wanted: Wanted) -> ValueCondition {
    let several = |l| Several::try_from(l).unwrap();
    let positive = |x| Positive::try_from(x).unwrap();
    let distance = |x| Distance::try_from(x).unwrap();
    match wanted {
        Wanted::Distinct { l } => ValueCondition::DistinctDiversity { l: several(l) },
        Wanted::Entropy { l } => ValueCondition::EntropyDiversity { l: Effective::try_from(l).unwrap() },
        Wanted::Recursive { c, l } => ValueCondition::RecursiveDiversity { c: positive(c), l: several(l) },
        Wanted::Alpha { alpha } => ValueCondition::Frequency { alpha: Share::try_from(alpha).unwrap() },
        Wanted::Spread { least } => ValueCondition::Spread { least: Share::try_from(least).unwrap() },
        Wanted::Equal { t } => ValueCondition::TCloseness { t: distance(t), distance: Ground::Equal },
        Wanted::Ordered { t } => ValueCondition::TCloseness { t: distance(t), distance: Ground::Ordered },
        Wanted::Hierarchical { t } => {
            ValueCondition::TCloseness { t: distance(t), distance: Ground::Hierarchical }
        }
        Wanted::Beta { beta } => ValueCondition::BasicBetaLikeness { beta: positive(beta) },
        Wanted::EnhancedBeta { beta } => ValueCondition::EnhancedBetaLikeness { beta: positive(beta) },
        Wanted::Delta { delta } => ValueCondition::DeltaDisclosure { delta: positive(delta) },
    }
}

/// Parameters that are off the limits which small counts can hit exactly, so that rounding decides nothing.
pub(crate) fn wanted() -> impl Strategy<Value = Wanted> {
    let part = || (1..19_u32).prop_map(|x| f64::from(x) / 20.0 + 0.003);
    let ratio = || (1..30_u32).prop_map(|x| f64::from(x) / 10.0 + 0.003);
    prop_oneof![
        (2..4_usize).prop_map(|l| Wanted::Distinct { l }),
        (11..35_u32).prop_map(|l| Wanted::Entropy { l: f64::from(l) / 10.0 + 0.003 }),
        (ratio(), 2..4_usize).prop_map(|(c, l)| Wanted::Recursive { c, l }),
        part().prop_map(|alpha| Wanted::Alpha { alpha }),
        part().prop_map(|least| Wanted::Spread { least }),
        part().prop_map(|t| Wanted::Equal { t }),
        part().prop_map(|t| Wanted::Ordered { t }),
        part().prop_map(|t| Wanted::Hierarchical { t }),
        ratio().prop_map(|beta| Wanted::Beta { beta }),
        ratio().prop_map(|beta| Wanted::EnhancedBeta { beta }),
        ratio().prop_map(|delta| Wanted::Delta { delta }),
    ]
}
