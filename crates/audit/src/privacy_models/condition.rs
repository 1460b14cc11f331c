//! Conditions on sensitive values, of anybody's table: by the code that judges them in releases of ours, which reads no bytes here.

use lookalike_table::{Column, is_missing};

use super::Inquiry;
use crate::{
    Arrangement, Check, Condition, Error, Grouping, Observation, Subject,
    groups::{Groups, Tally},
    judge::conditions::{Group, judge_groups},
};

/// Whether every group keeps the condition, and what the worst one reaches.
///
/// # Errors
/// If it goes by an order or hierarchy that the values do not have.
pub(crate) fn check(
    groups: &Groups,
    column: &Column,
    (condition, arranged): (&Condition, &Arrangement),
    inquiry: &Inquiry,
    grouping: Grouping,
) -> Result<(Check, Option<f64>), Error> {
    // All missing markers together are one value, if they are to count: the one that comes first.
    let first = column.values.iter().find(|text| is_missing(text, &inquiry.missing));
    let as_one = |text: &'_ str| inquiry.missing_is_value && is_missing(text, &inquiry.missing);
    let text = |code: u32| {
        let text: &str = &column.values[code as usize];
        first.filter(|_| as_one(text)).map_or(text, |first| first)
    };
    let mut tallies: Vec<Group> =
        (0..groups.sizes.len()).map(|group| (groups.describe(group), Vec::new())).collect();
    for Tally { group, code, count } in groups.tallies(column) {
        tallies[group as usize].1.push((text(code), count));
    }
    for (_, tally) in &mut tallies {
        tally.sort_unstable();
        tally.dedup_by(|later, before| {
            let same = later.0 == before.0;
            before.1 += if same { later.1 } else { 0 };
            same
        });
    }
    let markers = if inquiry.missing_is_value { &[][..] } else { &inquiry.missing[..] };
    let cells = column.cells.iter().map(|&code| text(code));
    let of = (grouping, tallies);
    let (checks, reached) = judge_groups(condition, (arranged, markers), (&column.name, cells), of)?;
    let nothing = || {
        let subject = Subject::Condition { column: None, wanted: condition.wanted(), grouping };
        Check::new(subject, Observation::Nothing { grouping }, None)
    };
    let check = checks.into_iter().next().filter(|_| !groups.sizes.is_empty());
    Ok((check.unwrap_or_else(nothing), Some(reached).filter(|reached| reached.is_finite())))
}
