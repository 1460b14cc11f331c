//! Conditions on sensitive columns beside the first, whose cells are published as they are.

use std::collections::BTreeMap;

use lookalike_words::Name;

use super::{
    error::Error,
    judge_knowing,
    question::{Conditions, Guarantee, Question},
    reader::Rows,
    row::Row,
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
    /// Rows whose value is certain to whoever knows the value of the first sensitive column, too; `None` if there is no such column.
    pub told: Option<usize>,
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
        told: question
            .sensitive
            .as_ref()
            .map(|first| told(published, question, (first, column)))
            .transpose()?,
    })
}

/// Rows that have the value of the `further` column which all rows have that share their quasi-identifiers and the value of the `first`.
fn told(published: &[u8], question: &Question, (first, further): (&str, &str)) -> Result<usize, Error> {
    let (mut rows, header) = Rows::new(published, question.dialect)?;
    let place = |name: &str| {
        let at = header.iter().position(|column| column == name);
        at.ok_or_else(|| Error::NoColumn { column: Name::from(name) })
    };
    let known: Vec<usize> =
        question.quasi.iter().map(String::as_str).chain([first]).map(place).collect::<Result<_, _>>()?;
    let further = place(further)?;
    // For each combination one value, how many rows there are, and whether all have it.
    let mut seen: BTreeMap<Vec<String>, (String, usize, bool)> = BTreeMap::new();
    let mut row = Row::default();
    while rows.next(&mut row)? {
        let cells = known.iter().map(|&at| row.cell(at).to_owned()).collect();
        let value = row.cell(further);
        let group = seen.entry(cells).or_insert_with(|| (value.to_owned(), 0, true));
        group.1 += 1;
        group.2 &= group.0 == value;
    }
    Ok(seen.values().filter(|(_, _, alike)| *alike).map(|(_, rows, _)| rows).sum())
}
