//! Conditions on sensitive values: what the audit is asked, and what the report says of them.

use lookalike_audit::{Condition, Conditions, Verdict};
use lookalike_model::{
    report::ConditionReport,
    rule::{Ground, ValueCondition},
    settings::Settings,
};

/// What the audit is asked.
pub(crate) fn asked(settings: &Settings) -> Conditions {
    let order = settings.sensitive.as_ref().and_then(|name| settings.orders.get(name)).cloned();
    Conditions { all: settings.conditions.iter().map(condition).collect(), order }
}

/// A condition, as the audit has it.
#[must_use]
pub fn condition(of: &ValueCondition) -> Condition {
    match *of {
        ValueCondition::DistinctDiversity { l } => Condition::DistinctDiversity { l: l.get() },
        ValueCondition::EntropyDiversity { l } => Condition::EntropyDiversity { l: l.get() },
        ValueCondition::RecursiveDiversity { c, l } => {
            Condition::RecursiveDiversity { c: c.get(), l: l.get() }
        }
        ValueCondition::Frequency { alpha } => Condition::Frequency { alpha: alpha.get() },
        ValueCondition::TCloseness { t, distance } => {
            Condition::TCloseness { t: t.get(), ordered: distance == Ground::Ordered }
        }
        ValueCondition::BasicBetaLikeness { beta } => {
            Condition::BetaLikeness { beta: beta.get(), enhanced: false }
        }
        ValueCondition::EnhancedBetaLikeness { beta } => {
            Condition::BetaLikeness { beta: beta.get(), enhanced: true }
        }
        ValueCondition::DeltaDisclosure { delta } => Condition::DeltaDisclosure { delta: delta.get() },
    }
}

/// Each condition with what the audit found that the worst class or group reaches.
pub(super) fn reached(settings: &Settings, verdict: &Verdict) -> Vec<ConditionReport> {
    let finite = |reached: &f64| Some(*reached).filter(|reached| reached.is_finite());
    (settings.conditions.iter())
        .zip(&verdict.reached)
        .map(|(&condition, reached)| ConditionReport { condition, reached: finite(reached) })
        .collect()
}
