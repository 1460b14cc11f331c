//! Conditions on sensitive values: what the audit is asked, and what the report says of them.

use lookalike_audit::{
    Arrangement, Condition, Conditions, Ground as Apart, Question, Verdict, judge_further,
};
use lookalike_model::{
    report::{ConditionReport, FurtherReport},
    rule::{Ground, ValueCondition},
    settings::Settings,
};

use crate::Error;

/// What the audit is asked.
pub(crate) fn asked(settings: &Settings) -> Conditions {
    let arranged = settings.sensitive.as_ref().map(|name| arranged(settings, name)).unwrap_or_default();
    Conditions { all: settings.conditions.iter().map(condition).collect(), arranged }
}

/// How the settings say that the values of a sensitive column lie to each other.
#[must_use]
pub fn arranged(settings: &Settings, column: &str) -> Arrangement {
    Arrangement {
        order: settings.orders.get(column).cloned(),
        hierarchy: settings.hierarchies.get(column).cloned(),
    }
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
        ValueCondition::Spread { least } => Condition::Spread { least: least.get() },
        ValueCondition::TCloseness { t, distance } => {
            let ground = match distance {
                Ground::Equal => Apart::Equal,
                Ground::Ordered => Apart::Ordered,
                Ground::Hierarchical => Apart::Hierarchical,
            };
            Condition::TCloseness { t: t.get(), ground }
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
pub(super) fn reached(conditions: &[ValueCondition], reached: &[f64]) -> Vec<ConditionReport> {
    let finite = |reached: &f64| Some(*reached).filter(|reached| reached.is_finite());
    (conditions.iter())
        .zip(reached)
        .map(|(&condition, reached)| ConditionReport { condition, reached: finite(reached) })
        .collect()
}

/// Judges the conditions on the further sensitive columns from the bytes, and adds what was found to the verdict.
///
/// # Errors
/// As [`lookalike_audit::judge`].
pub(super) fn further(
    settings: &Settings,
    (bytes, question): (&[u8], &Question),
    verdict: &mut Verdict,
) -> Result<Vec<FurtherReport>, Error> {
    let mut all = Vec::new();
    for (column, conditions) in &settings.conditions_of {
        let arranged = arranged(settings, column);
        let asked = Conditions { all: conditions.iter().map(condition).collect(), arranged };
        let judged = judge_further(bytes, question, column, &asked)?;
        for check in judged.checks {
            verdict.add(check);
        }
        all.push(FurtherReport {
            column: column.clone(),
            conditions: reached(conditions, &judged.reached),
            highest_disclosure: judged.highest,
        });
    }
    Ok(all)
}
