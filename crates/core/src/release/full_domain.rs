//! Columns that are published at one level each.

use lookalike_model::{
    job::{Answer, BoundOf},
    lattice::FullDomain,
    report::{ColumnLevel, FullDomainReport},
    settings::Scheme,
};
use lookalike_table::{Table, hierarchy::Hierarchy};

use super::suppress::{left, reword};
use crate::{
    Error, Unusable,
    prepare::{FateReason, LevelCosts, Prepared, quasi},
};

/// The levels of an answer, where they were asked for.
///
/// # Errors
/// [`Unusable::NoLevels`] for an answer without them.
pub(super) fn chosen<'a>(prepared: &Prepared, answer: &'a Answer) -> Result<Option<&'a FullDomain>, Error> {
    match (prepared.settings.scheme, &answer.full_domain) {
        (Scheme::Classes, _) => Ok(None),
        (Scheme::FullDomain, Some(found)) => Ok(Some(found)),
        (Scheme::FullDomain, None) => Err(Unusable::NoLevels.into()),
    }
}

/// What is prepared and answered of the records that are published, at these levels. The loss of the answer is theirs.
pub(super) fn published(
    table: &Table,
    prepared: &Prepared,
    answer: &Answer,
    found: &FullDomain,
) -> (Prepared, Answer) {
    let (mut after, kept) = left(prepared, &found.suppressed, FateReason::NotInAGroup);
    if !found.suppressed.is_empty() {
        reword(table, prepared, &mut after);
    }
    for (spec, &level) in quasi(&prepared.schema).zip(&found.levels) {
        after.recodings[spec.index].level = Some(level as usize);
    }
    // What is left of it is for figures of the loss, which know no conditions.
    after.job.lattice = None;
    after.job.rule = after.job.rule.relaxed();
    (after.job.ranks, after.job.further) = (None, Vec::new());
    let labels: Vec<u32> = kept.iter().map(|&record| answer.labels[record]).collect();
    let mut names: Vec<u32> = labels.clone();
    names.sort_unstable();
    names.dedup();
    let of = |label: &u32| names.partition_point(|name| name < label) as u32;
    let price = prepared.job.lattice.as_ref().map_or(0.0, |lattice| lattice.price);
    let answer = Answer {
        labels: labels.iter().map(of).collect(),
        loss: answer.loss - price * found.suppressed.len() as f64,
        // It is one of choices of levels and of the price of suppressed records, and stands with these in the report.
        bound: None,
        ..answer.clone()
    };
    (after, answer)
}

/// What the published records lose by their labels, if levels were chosen.
///
/// # Errors
/// If the labels of a column have no penalty.
pub(super) fn penalty(table: &Table, prepared: &Prepared) -> Result<Option<f64>, Error> {
    if prepared.settings.scheme == Scheme::Classes {
        return Ok(None);
    }
    let mut penalty = 0.0;
    for spec in quasi(&prepared.schema) {
        let (column, recoding) = (&table.columns[spec.index], &prepared.recodings[spec.index]);
        let (Some(hierarchy), Some(level)) = (recoding.published_by(), recoding.level) else {
            return Ok(None);
        };
        let costs = LevelCosts::new(spec, hierarchy)?;
        let mut records = vec![0_u64; column.values.len()];
        for &row in &prepared.rows {
            records[column.cells[row as usize] as usize] += 1;
        }
        // In the order of the hierarchy: the order of the input's rows must not show in the last digit.
        let mut by_value = vec![0_u64; hierarchy.len()];
        for (code, &records) in records.iter().enumerate().filter(|(_, records)| **records > 0) {
            if let Some(value) = hierarchy.find(&column.values[code]) {
                by_value[value] += records;
            }
        }
        let of_value =
            |(value, &records): (usize, &u64)| records as f64 * costs.of(level, hierarchy.node(value, level));
        penalty += spec.weight * by_value.iter().enumerate().map(of_value).sum::<f64>();
    }
    Ok(Some(penalty))
}

/// What the report says of the levels; `prepared` and `answer` are those of the search, with all records.
pub(super) fn report(prepared: &Prepared, found: &FullDomain, answer: &Answer) -> FullDomainReport {
    let lattice = prepared.job.lattice.as_ref();
    let columns = quasi(&prepared.schema).zip(&found.levels).map(|(spec, &level)| ColumnLevel {
        column: spec.name.clone(),
        level: level as usize,
        highest: prepared.recodings[spec.index].hierarchy.as_ref().map_or(0, Hierarchy::height),
    });
    let bound = answer.bound.as_ref().filter(|bound| bound.of == BoundOf::WholeProblem);
    FullDomainReport {
        columns: columns.collect(),
        suppressed: found.suppressed.len(),
        most_suppressed: lattice.map_or(0, |lattice| lattice.most),
        price: lattice.map_or(0.0, |lattice| lattice.price),
        cost: answer.loss,
        // A sum of costs in another order than that of the search may differ in its last digit.
        bound: bound.map(|bound| bound.value.min(answer.loss)),
        nodes: found.nodes,
        looked_at: found.looked_at,
        complete: answer.status == lookalike_model::job::Status::Optimal,
    }
}
