//! Sets of quasi-identifiers with a larger k: how they are published in classes, what that loses, and what the audit finds of them.

use std::{collections::BTreeMap, sync::Arc};

use lookalike_audit::{Dialect, Verdict, judge_set};
use lookalike_model::{
    job::Answer,
    loss::{Loss, Ncp, Sse},
    partition::Partition,
    report::{Objective, SetReport},
    settings::{Loss as LossName, QuasiSet, Scheme, Settings},
};
use lookalike_table::Table;

use super::{encoded::instance, objective::in_ranges, rounding::percent};
use crate::{
    Error,
    prepare::{Encoded, Prepared, encode_ncp, encode_sse},
};

/// The sets whose groups are unions of classes; none where columns have one level each.
pub(super) fn in_classes(settings: &Settings) -> impl Iterator<Item = &QuasiSet> {
    settings.sets.iter().filter(|_| settings.scheme == Scheme::Classes)
}

/// Of each class the groups that it is in: the place of a column, and the records of its group.
type OfClass = BTreeMap<u32, Vec<(usize, Arc<[u32]>)>>;

/// For each class of an answer, by its label, the columns of each set with the input rows of its group.
pub(super) fn groups(prepared: &Prepared, answer: &Answer) -> OfClass {
    let mut of_class = OfClass::new();
    for (set, labels) in in_classes(&prepared.settings).zip(&answer.coarser) {
        let members = Partition::from_labels(labels).members();
        let columns: Vec<usize> = (prepared.schema.columns.iter())
            .filter(|spec| set.columns.contains(&spec.name))
            .map(|spec| spec.index)
            .collect();
        for group in members {
            let mut rows: Vec<u32> = group.iter().map(|&i| prepared.rows[i as usize]).collect();
            rows.sort_unstable();
            let rows: Arc<[u32]> = rows.into();
            let mut classes: Vec<u32> = group.iter().map(|&i| answer.labels[i as usize]).collect();
            classes.sort_unstable();
            classes.dedup();
            for class in classes {
                let of = columns.iter().map(|&column| (column, Arc::clone(&rows)));
                of_class.entry(class).or_default().extend(of);
            }
        }
    }
    of_class
}

/// The loss that was reached: that of each set's columns in its groups, and of the others in the classes.
pub(super) fn objective(table: &Table, prepared: &Prepared, answer: &Answer) -> Result<Objective, Error> {
    let (schema, recodings, rows) = (&prepared.schema, &prepared.recodings, &prepared.rows);
    let squares = encode_sse(table, schema, recodings, rows, false)?;
    let ranges = encode_ncp(table, schema, recodings, rows)?;
    let of = |name, encoded: &Encoded| match name {
        LossName::Sse => sum(prepared, answer, (name, &Sse), encoded),
        LossName::Ncp => sum(prepared, answer, (name, &Ncp { binary: false }), encoded),
        LossName::NcpBinary => sum(prepared, answer, (name, &Ncp { binary: true }), encoded),
    };
    let all: Vec<u32> = (0..rows.len() as u32).collect();
    let (sse, sst) =
        (of(LossName::Sse, &squares)?, Sse.class(&instance(&prepared.job, LossName::Sse, &squares)?, &all));
    let ncp_total = of(LossName::Ncp, &ranges)?;
    let loss = prepared.settings.loss;
    let stated = in_ranges(table, prepared);
    Ok(Objective {
        loss,
        value: match loss {
            LossName::Sse => sse,
            LossName::Ncp => ncp_total,
            LossName::NcpBinary => of(loss, &ranges)?,
        },
        sse: Some(sse),
        sst: Some(sst),
        information_loss_percent: Some(percent(sse, sst)),
        ncp_total: stated.then_some(ncp_total),
        gcp_mean: stated.then(|| ncp_total / rows.len().max(1) as f64),
    })
}

/// The sum over the parts under an encoding.
fn sum<L: Loss>(
    prepared: &Prepared,
    answer: &Answer,
    (name, loss): (LossName, &L),
    encoded: &Encoded,
) -> Result<f64, Error> {
    let sets: Vec<&QuasiSet> = in_classes(&prepared.settings).collect();
    let in_set = |name: &String| sets.iter().position(|set| set.columns.contains(name));
    let part = |set: Option<usize>, labels: &Vec<u32>| -> Result<f64, Error> {
        let held = (0..encoded.of.len()).filter(|&at| in_set(&encoded.of[at]) == set);
        let (columns, attributes): (Vec<_>, Vec<_>) =
            held.map(|at| (encoded.columns[at].clone(), encoded.attributes[at].clone())).unzip();
        if columns.is_empty() {
            return Ok(0.0);
        }
        let instance = instance(&prepared.job, name, &Encoded { columns, attributes, ..Encoded::default() })?;
        Ok(Partition::from_labels(labels).loss(&instance, loss))
    };
    let groups = answer.coarser.iter().enumerate().map(|(set, labels)| part(Some(set), labels));
    groups.chain([part(None, &answer.labels)]).sum()
}

/// Judges the sets from the bytes, and adds what was found to the verdict.
///
/// # Errors
/// As [`judge_set`].
pub(super) fn judged(
    settings: &Settings,
    (bytes, dialect): (&[u8], Dialect),
    verdict: &mut Verdict,
) -> Result<Vec<SetReport>, Error> {
    let mut all = Vec::new();
    for QuasiSet { columns, k } in &settings.sets {
        let found = judge_set(bytes, dialect, columns, *k)?;
        verdict.add(found.check);
        let (smallest, groups) = (found.smallest, found.groups);
        all.push(SetReport { columns: columns.clone(), k: *k, smallest, groups });
    }
    Ok(all)
}
