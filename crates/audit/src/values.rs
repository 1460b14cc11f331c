//! Sensitive values.

use std::collections::BTreeMap;

use lookalike_table::{Column, Table, is_missing, near_synonyms};
use lookalike_words::{Cell, Name};

use crate::{
    Check, Error, Grouping, Values, WITNESSES, Witness,
    groups::{Groups, Tally},
    judge::words,
};

/// How often values occur, with where one occurs too often.
pub(crate) type Occurrences = (Values, Vec<Witness>);

/// Whether no class holds a sensitive value twice.
pub(crate) fn all_differ(classes: &Groups, sensitive: &Column) -> Occurrences {
    let mut repeated = classes.tallies(sensitive);
    repeated.retain(|t| t.count > 1);
    let broken = repeated.chunk_by(|a, b| a.group == b.group).count();
    let finding = words::differ(broken, classes.sizes.len(), repeated.iter().map(|t| t.count).max());
    let witness = |t: &Tally| Witness::Repeated {
        of: classes.describe(t.group as usize),
        value: Cell::from(&sensitive.values[t.code as usize]),
        times: t.count,
    };
    (finding, repeated.iter().take(WITNESSES).map(witness).collect())
}

/// The value with the largest share of its group, the first such group.
fn worst_share(groups: &Groups, tallies: &[Tally]) -> Option<(usize, usize)> {
    let shares = tallies.iter().map(|t| (t.count, groups.sizes[t.group as usize]));
    // a/b > c/d as integers: shares are compared exactly.
    shares.reduce(|a, b| if b.0 as u128 * a.1 as u128 > a.0 as u128 * b.1 as u128 { b } else { a })
}

/// Different sensitive values of each group, all and known.
fn different(groups: &Groups, sensitive: &Column, markers: &[String]) -> (Vec<usize>, Vec<usize>) {
    let missing: Vec<bool> = sensitive.values.iter().map(|value| is_missing(value, markers)).collect();
    let (mut different, mut known) = (vec![0; groups.sizes.len()], vec![0; groups.sizes.len()]);
    for t in groups.tallies(sensitive) {
        different[t.group as usize] += 1;
        known[t.group as usize] += usize::from(!missing[t.code as usize]);
    }
    (different, known)
}

/// Largest share of one sensitive value among the rows of a group whose value is known. `None` if `missing` holds for no
/// value, and if no group has a known one.
pub(crate) fn highest_known_share(
    groups: &Groups,
    sensitive: &Column,
    missing: &dyn Fn(&str) -> bool,
) -> Option<f64> {
    let unknown: Vec<bool> = sensitive.values.iter().map(missing).collect();
    if !unknown.contains(&true) {
        return None;
    }
    let (mut most, mut known) = (vec![0; groups.sizes.len()], vec![0; groups.sizes.len()]);
    for t in groups.tallies(sensitive).iter().filter(|t| !unknown[t.code as usize]) {
        let group = t.group as usize;
        most[group] = t.count.max(most[group]);
        known[group] += t.count;
    }
    let shares = most.into_iter().zip(known).filter(|(_, known)| *known > 0);
    shares.map(|(most, known): (usize, usize)| most as f64 / known as f64).reduce(f64::max)
}

/// Largest share of one value among the rows of a group whose value is known, where values that people read as one are one: equal numbers, and what
/// differs in white space, case or hyphens only. `None` if no two are, and if no group has a known one.
///
/// # Errors
/// If a column is missing.
pub fn alike_share(
    table: &Table,
    quasi: &[String],
    sensitive: &str,
    markers: &[String],
) -> Result<Option<f64>, Error> {
    let column = |name: &str| table.column(name).ok_or_else(|| Error::NoColumn { column: Name::from(name) });
    let by = quasi.iter().map(|name| column(name)).collect::<Result<Vec<_>, _>>()?;
    let sensitive = column(sensitive)?;
    let alike = near_synonyms(sensitive.values.iter());
    if alike.is_empty() {
        return Ok(None);
    }
    let groups = Groups::by(table.rows, by);
    let mut stands: Vec<usize> = (0..sensitive.values.len()).collect();
    for group in &alike {
        for &code in group {
            stands[code] = group[0];
        }
    }
    let unknown: Vec<bool> = sensitive.values.iter().map(|value| is_missing(value, markers)).collect();
    let mut counts: BTreeMap<(u32, usize), usize> = BTreeMap::new();
    let mut known = vec![0_usize; groups.sizes.len()];
    for t in groups.tallies(sensitive).iter().filter(|t| !unknown[t.code as usize]) {
        *counts.entry((t.group, stands[t.code as usize])).or_default() += t.count;
        known[t.group as usize] += t.count;
    }
    let shares = counts.iter().map(|((group, _), &count)| count as f64 / known[*group as usize] as f64);
    Ok(shares.reduce(f64::max))
}

/// The same of a published table, for an attacker who knows the columns `quasi` and rules out what is missing by
/// `markers`.
///
/// # Errors
/// If a column is missing.
pub fn known_share(
    table: &Table,
    quasi: &[String],
    sensitive: &str,
    markers: &[String],
) -> Result<Option<f64>, Error> {
    let column = |name: &str| table.column(name).ok_or_else(|| Error::NoColumn { column: Name::from(name) });
    let by = quasi.iter().map(|name| column(name)).collect::<Result<Vec<_>, _>>()?;
    let missing = |value: &str| is_missing(value, markers);
    Ok(highest_known_share(&Groups::by(table.rows, by), column(sensitive)?, &missing))
}

/// The largest m for which no value makes up more than 1/m of a group: 0 without a group.
pub(crate) fn largest_m(groups: &Groups, sensitive: &Column) -> usize {
    worst_share(groups, &groups.tallies(sensitive)).map_or(0, |(count, size)| size / count)
}

/// Whether no sensitive value makes up more than 1/m of a group.
pub(crate) fn none_frequent(groups: &Groups, sensitive: &Column, m: usize) -> Occurrences {
    let tallies = groups.tallies(sensitive);
    let size = |t: &Tally| groups.sizes[t.group as usize];
    let frequent = || tallies.iter().filter(|t| t.count as u128 * m as u128 > size(t) as u128);
    let mut broken: Vec<u32> = frequent().map(|t| t.group).collect();
    broken.dedup();
    let worst = worst_share(groups, &tallies).unwrap_or_default();
    let finding = words::frequent(worst, m, broken.len(), groups.sizes.len());
    let witness = |t: &Tally| Witness::Frequent {
        of: groups.describe(t.group as usize),
        value: Cell::from(&sensitive.values[t.code as usize]),
        count: t.count,
        rows: size(t),
    };
    (finding, frequent().take(WITNESSES).map(witness).collect())
}

/// Says how many different values every class has, and how many when missing ones do not count.
pub(crate) fn known_values(
    classes: &Groups,
    sensitive: &Column,
    markers: &[String],
    grouping: Grouping,
) -> Check {
    let (different, known) = different(classes, sensitive, markers);
    let least = |counts: &[usize]| counts.iter().min().copied().unwrap_or(0);
    let markers: Vec<&str> = sensitive.values.iter().filter(|value| is_missing(value, markers)).collect();
    words::known(&markers, (least(&different), least(&known)), grouping)
}

/// Says which values people read as one, if there are such: they are no diversity.
pub(crate) fn near_values(sensitive: &Column, markers: &[String]) -> Option<Check> {
    let known = counts(sensitive).into_iter().filter(|(value, _)| !is_missing(value, markers));
    words::near_values(known.collect())
}

/// Each value with its rows.
fn counts(sensitive: &Column) -> Vec<(&str, usize)> {
    let mut counts = vec![0_usize; sensitive.values.len()];
    for &code in &sensitive.cells {
        counts[code as usize] += 1;
    }
    sensitive.values.iter().zip(counts).collect()
}

/// Says how many values occur once in the whole table.
pub(crate) fn rare_values(sensitive: &Column) -> Check {
    words::rare(&counts(sensitive))
}
