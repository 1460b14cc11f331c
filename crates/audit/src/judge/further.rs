//! Conditions on sensitive columns beside the first, whose cells are published as they are.

use lookalike_words::Name;

use super::{
    error::Error,
    judge_knowing,
    question::{Conditions, Guarantee, Question},
    verdict::{Check, Subject},
};

/// What was found of a further sensitive column.
#[derive(Clone, Debug, PartialEq)]
pub struct FurtherJudged {
    /// The checks of its conditions, by classes and by groups.
    pub checks: Vec<Check>,
    /// What the worst class or group reaches, of each condition.
    pub reached: Vec<f64>,
    /// Largest share of one value in a group of equal published quasi-identifiers.
    pub highest: f64,
}

/// Judges the bytes of a release once more, with another column as the sensitive one: whether every class and group keeps these
/// conditions on it. All else is judged by [`judge`](super::judge).
///
/// # Errors
/// As [`judge`](super::judge), of that question.
pub fn judge_further(
    published: &[u8],
    question: &Question,
    column: &str,
    conditions: &Conditions,
) -> Result<FurtherJudged, Error> {
    let asked = Question {
        sensitive: Some(column.to_owned()),
        guarantee: Guarantee::KAnonymity { k: question.guarantee.least() },
        conditions: conditions.clone(),
        ..question.clone()
    };
    let judged = judge_knowing(published, &asked, &[])?;
    let named = |check: Check| match check.name {
        Subject::Condition { wanted, grouping, .. } => {
            let column = Some(Name::from(column));
            Some(Check { name: Subject::Condition { column, wanted, grouping }, ..check })
        }
        _ => None,
    };
    Ok(FurtherJudged {
        checks: judged.verdict.checks.into_iter().filter_map(named).collect(),
        reached: judged.verdict.reached,
        highest: judged.verdict.risk.highest_attribute_disclosure.unwrap_or(1.0),
    })
}
