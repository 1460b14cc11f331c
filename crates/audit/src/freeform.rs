//! A table whose rows are generalised one by one, against its original.

use std::collections::BTreeMap;

use lookalike_table::Table;

use crate::{
    Check, Error, Exposure, Guarantee, Observation, Question, Risk, Subject, Verdict,
    columns::columns,
    consistency::{Consistency, Notion},
    judge_stream,
    measure::Reading,
};

/// What is found about a table without classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Concealed {
    /// (1,k)-, (k,1)- and (k,k)-anonymity and k-concealment must hold. That the table itself is not k-anonymous is said
    /// and fails nothing. Risk figures are of matches: rows that may be a record for an attacker who knows all original
    /// quasi-identifiers.
    pub verdict: Verdict,
    /// Fewest matches of a record.
    pub least_matches: usize,
    /// Fewest rows with equal published quasi-identifiers.
    pub smallest_group: usize,
    /// The attacker who knows that a person is in the table and all original quasi-identifiers.
    pub exposure: Exposure,
    /// Records with a single match.
    pub uniques: usize,
}

/// Judges the bytes of a published table without classes, whose rows are those of `original`, record by record in an
/// unknown order. `threshold`: a record with a higher probability of re-identification is at risk.
///
/// # Errors
/// As [`crate::judge`] and [`Consistency::new`]; [`Error::NoQuasi`] too for a guarantee other than k-anonymity's k.
pub fn judge_freeform(
    published: &[u8],
    original: &Table,
    question: &Question,
    reading: &Reading,
    threshold: f64,
) -> Result<Concealed, Error> {
    question.validate()?;
    if !question.conditions.all.is_empty() {
        return Err(Error::ConditionsOfRecords);
    }
    let Guarantee::KAnonymity { k } = question.guarantee else { return Err(Error::NoQuasi) };
    let judged = judge_stream(published, question)?;
    let table = columns(published, question.dialect)?;
    let sensitive = question.sensitive.as_ref().and_then(|name| table.column(name));
    let consistency = Consistency::new(&table, original, &question.quasi, reading)?;
    let mut checks = vec![k_anonymity(&judged.groups, k)];
    for notion in Notion::ALL {
        checks.push(consistency.check(notion, k)?.0);
    }
    let also = [Subject::Sorted, Subject::Unjudged];
    checks.extend(judged.verdict.checks.into_iter().filter(|check| also.contains(&check.name)));
    let matches = consistency.matches().unwrap_or_default();
    let records: usize = matches.iter().map(|record| record.records).sum();
    let least_matches = matches.iter().map(|record| record.rows).min().unwrap_or(0);
    let probability = |rows: usize| if rows == 0 { 1.0 } else { 1.0 / rows as f64 };
    let sum: f64 = matches.iter().map(|record| record.records as f64 * probability(record.rows)).sum();
    let counting = |risky: &dyn Fn(usize) -> bool| -> usize {
        matches.iter().filter(|record| risky(record.rows)).map(|record| record.records).sum()
    };
    let at_risk = counting(&|rows| probability(rows) > threshold);
    let share = |part: f64| if records == 0 { 1.0 } else { part / records as f64 };
    let smallest_group = judged.verdict.risk.smallest_group;
    Ok(Concealed {
        verdict: Verdict {
            passed: checks.iter().all(|check| check.passed),
            checks,
            risk: Risk {
                smallest_group,
                highest_reidentification: probability(least_matches),
                mean_reidentification: share(sum),
                highest_attribute_disclosure: sensitive.and_then(|column| consistency.highest_share(column)),
                // Rows stand for themselves: who is in which group is not told by the table.
                single_valued: None,
            },
            reader: judged.verdict.reader,
            dialect: judged.verdict.dialect,
            reached: Vec::new(),
        },
        least_matches,
        smallest_group,
        exposure: Exposure {
            highest: probability(least_matches),
            mean: share(sum),
            at_risk,
            at_risk_share: share(at_risk as f64),
        },
        uniques: counting(&|rows| rows <= 1),
    })
}

/// Says what the table itself is not, from the sizes of its groups and how many have each.
fn k_anonymity(groups: &BTreeMap<usize, usize>, k: usize) -> Check {
    let few: usize = groups.range(..k).map(|(size, count)| size * count).sum();
    let rows = groups.iter().map(|(size, count)| size * count).sum();
    let finding = match few {
        0 => Observation::InGroups { k },
        few => Observation::NotInGroups { few, rows, others: k - 1 },
    };
    Check::note(Subject::NotGroups, finding, None)
}
