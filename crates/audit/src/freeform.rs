//! A table whose rows are generalised one by one, against its original.

use lookalike_table::{
    ReadOptions, Table, read,
    text::{counted, thousands},
};

use crate::{
    Check, Error, Exposure, Guarantee, Question, Risk, Verdict,
    consistency::{Consistency, Notion},
    groups::Groups,
    measure::Reading,
    name,
    old::unjudged,
    order,
    published::Published,
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
    let Guarantee::KAnonymity { k } = question.guarantee else { return Err(Error::NoQuasi) };
    let table = read(published, &ReadOptions::default()).map_err(|e| Error::Source(0, e.to_string()))?;
    let published = Published::new(&table, question)?;
    let groups = Groups::by(published.rows, published.quasi.clone());
    let consistency = Consistency::new(&table, original, &question.quasi, reading)?;
    let mut checks = vec![k_anonymity(&groups, k)];
    for notion in Notion::ALL {
        checks.push(consistency.check(notion, k)?.0);
    }
    checks.push(order::sorted(&published));
    if !published.unnamed.is_empty() {
        checks.push(unjudged(&published));
    }
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
    let smallest_group = groups.sizes.iter().min().copied().unwrap_or(0);
    Ok(Concealed {
        verdict: Verdict {
            passed: checks.iter().all(|check| check.passed),
            checks,
            risk: Risk {
                smallest_group,
                highest_reidentification: probability(least_matches),
                mean_reidentification: share(sum),
                highest_attribute_disclosure: published
                    .sensitive
                    .and_then(|sensitive| consistency.highest_share(sensitive)),
                // Rows stand for themselves: who is in which group is not told by the table.
                single_valued: None,
            },
            reader: crate::Reader::Strict,
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

/// Says what the table itself is not.
fn k_anonymity(groups: &Groups, k: usize) -> Check {
    let few: usize = groups.sizes.iter().filter(|&&size| size < k).sum();
    let rows = groups.sizes.iter().sum();
    let finding = match few {
        0 => format!("rows are published alike in groups of at least {k}, which nobody promised"),
        _ => format!(
            "not k-anonymity: {} of {} with fewer than {} others that are published alike",
            thousands(few),
            counted(rows, "row", "rows"),
            k - 1
        ),
    };
    Check::note(name::NOT_GROUPS, finding, None)
}
