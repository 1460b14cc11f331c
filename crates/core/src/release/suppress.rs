//! Suppression of whole records, at a price, before the release is made ([`crate::release::leave_out`]).

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    job::{Answer, Claimed, Status},
    loss::{Loss, Ncp, Sse},
    neighbours::Neighbours,
    partition::Partition,
    report::Fate,
    settings::{Loss as LossName, Settings, Suppress},
};
use lookalike_table::{Role, Table};
use lookalike_words::{Figure, Said};

use super::Explanation;

use crate::{
    Error, ReleaseWarning,
    prepare::{FateReason, Prepared, alike, codes},
    release::leave_out::{Price, Terms, suppress as search, suppress_most},
};

/// Records of a table in which every class is one that a record may join.
const ALL_CLASSES: usize = 5_000;

/// Points around a record whose classes it may join in a larger one.
const NEAR: usize = 40;

/// What is prepared and answered without the records that are suppressed; `None` if none is.
///
/// # Errors
/// [`Error::Model`] if the job is inconsistent.
pub(super) fn suppress(
    table: &Table,
    prepared: &Prepared,
    answer: &Answer,
) -> Result<Option<(Prepared, Answer)>, Error> {
    let Some(asked) = prepared.settings.suppress else { return Ok(None) };
    let instance = Instance::from_job(&prepared.job)?;
    let ncp = Ncp { binary: prepared.job.loss == LossName::NcpBinary };
    let loss: &dyn Fn(&[u32]) -> f64 = match prepared.job.loss {
        LossName::Sse => &|class| Sse.class(&instance, class),
        LossName::Ncp | LossName::NcpBinary => &|class| ncp.class(&instance, class),
    };
    let rule = &prepared.job.rule;
    let (least, colours) = (rule.min_size, rule.distinct().then_some(prepared.job.colours.as_slice()));
    // Conditions that compare with the published table, which would change, are refused beside suppression.
    let keeps = |class: &[u32]| rule.values().all(|condition| instance.keeps(class, condition));
    let near = (instance.records() > ALL_CLASSES).then(|| match prepared.job.loss {
        LossName::Sse => Neighbours::new(&instance, &Sse, NEAR),
        LossName::Ncp | LossName::NcpBinary => Neighbours::new(&instance, &ncp, NEAR),
    });
    let terms = Terms { loss, least, colours, keeps: &keeps, near: near.as_ref() };
    // Those that were left out before the search, so that it could keep the conditions, count as well.
    let spared = prepared.changes.deletions;
    let limit = asked.most(answer.labels.len() + spared).saturating_sub(spared);
    let Some((price, classes)) = found(&terms, answer, (asked, limit)) else { return Ok(None) };
    let (mut after, answer) = without(prepared, answer, classes, price);
    reword(table, prepared, &mut after);
    Ok(Some((after, answer)))
}

/// Warnings about sensitive values name those that are still published.
pub(super) fn reword(table: &Table, before: &Prepared, after: &mut Prepared) {
    let Some(spec) = before.schema.columns.iter().find(|spec| spec.role == Role::Sensitive) else { return };
    let of = |prepared: &Prepared| {
        let (values, _) = codes(&table.columns[spec.index], &prepared.rows, &before.schema.markers, &[]);
        alike(&spec.name, &values)
    };
    let old = of(before);
    if let Some(at) = after.warnings.iter().position(|warning| old.contains(warning)) {
        after.warnings.retain(|warning| !old.contains(warning));
        let new = of(after);
        after.warnings.splice(at..at, new);
    }
}

/// What is said of a search after which so many records of the job were suppressed.
fn explained(prepared: &Prepared, method: &Said, gone: usize) -> Said {
    let method = method.clone();
    match prepared.persons {
        Some(_) => Explanation::PersonsSuppressed { method, persons: gone }.into(),
        None => Explanation::Suppressed { method, records: gone }.into(),
    }
}

/// Whether the units of the loss may be others once records are left out. It must not hang on which these were: how far the range
/// shrinks tells the value that is not published.
fn units_change(settings: &Settings) -> bool {
    let declared = |name: &String| settings.domains.contains_key(name);
    settings.loss == LossName::Sse || !settings.quasi.iter().all(declared)
}

struct Found {
    classes: Vec<Vec<u32>>,
    gone: Vec<u32>,
    loss: f64,
}

/// The price, and what is left; `None` if no record is suppressed.
fn found(terms: &Terms, answer: &Answer, (asked, limit): (Suppress, usize)) -> Option<(f64, Found)> {
    let mut classes = Partition::from_labels(&answer.labels).members();
    let (price, classes, gone) = match asked.price {
        Some(each) => {
            let gone = search(terms, &mut classes, Price { each, limit });
            (each, classes, gone)
        }
        None => suppress_most(terms, &classes, limit).map(|found| (found.each, found.classes, found.gone))?,
    };
    let loss = classes.iter().map(|class| (terms.loss)(class)).sum();
    (!gone.is_empty()).then_some((price, Found { classes, gone, loss }))
}

/// What is prepared of the records that stay, and their places; those that are `gone` are so for this reason.
pub(super) fn left(prepared: &Prepared, gone: &[u32], reason: FateReason) -> (Prepared, Vec<usize>) {
    let job = &prepared.job;
    let mut stays = vec![true; job.colours.len()];
    for &i in gone {
        stays[i as usize] = false;
    }
    let kept: Vec<usize> = (0..stays.len()).filter(|&i| stays[i]).collect();
    // Codes without gaps, in their old order.
    let mut known: Vec<u32> = kept.iter().map(|&i| job.colours[i]).collect();
    known.sort_unstable();
    known.dedup();
    let code = |i: usize| known.partition_point(|&c| c < job.colours[i]) as u32;
    let mut after = prepared.clone();
    after.job.points =
        kept.iter().flat_map(|&i| &job.points[i * job.dims..(i + 1) * job.dims]).copied().collect();
    after.job.colours = kept.iter().map(|&i| code(i)).collect();
    // A person goes with all rows.
    let rows_of = |i: usize| match &prepared.persons {
        Some(persons) => persons.rows[i].as_slice(),
        None => &prepared.rows[i..=i],
    };
    after.rows = kept.iter().flat_map(|&i| rows_of(i)).copied().collect();
    if let Some(persons) = &mut after.persons {
        persons.rows = kept.iter().map(|&i| rows_of(i).to_vec()).collect();
        persons.suppressed = gone.len();
        // It is of all persons, and nothing is proven of those who are left.
        persons.linked = None;
    }
    after.changes.suppressed_for_loss = prepared.rows.len() - after.rows.len();
    let reason = reason.shared();
    after.fates.extend(
        (gone.iter().flat_map(|&i| rows_of(i as usize)))
            .map(|&row| Fate { row: row as usize, reason: Arc::clone(&reason) }),
    );
    after.fates.sort_by_key(|fate| fate.row);
    (after, kept)
}

fn without(prepared: &Prepared, answer: &Answer, found: Found, price: f64) -> (Prepared, Answer) {
    let Found { classes, gone, loss } = found;
    let reason = FateReason::Suppressed { price: Figure::shortest(price) };
    let (mut after, kept) = left(prepared, &gone, reason);
    // What is left of it is for figures of the loss, which know no conditions.
    after.job.rule = after.job.rule.relaxed();
    (after.job.ranks, after.job.further) = (None, Vec::new());
    let mut labels = vec![0; prepared.job.colours.len()];
    for (label, class) in (0..).zip(&classes) {
        for &i in class {
            labels[i as usize] = label;
        }
    }
    let labels: Vec<u32> = kept.iter().map(|&i| labels[i]).collect();
    if answer.bound.is_some() {
        after.warnings.push(ReleaseWarning::BoundOfAll.into());
    }
    if units_change(&prepared.settings) {
        after.warnings.push(ReleaseWarning::UnitsOfPublished.into());
    }
    let answer = Answer {
        labels: Partition::from_labels(&labels).labels,
        loss,
        bound: None,
        claimed: answer.claimed.map(|_| Claimed::default()),
        duals: None,
        status: match &answer.status {
            // Nothing is proven of what is left, nor claimed.
            Status::Optimal | Status::GapReached | Status::OptimalClaimed | Status::GapReachedClaimed => {
                Status::EffortSpent
            }
            other => other.clone(),
        },
        method: explained(prepared, &answer.method, gone.len()),
        ..answer.clone()
    };
    (after, answer)
}
