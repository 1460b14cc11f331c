//! Sizes of classes and groups.

use lookalike_table::text::counted;

use crate::{Check, groups::Groups};

/// Whether every group has at least `least` rows. `one` and `many` are the words for a group.
pub(crate) fn enough_rows(name: &str, groups: &Groups, least: usize, one: &str, many: &str) -> Check {
    let small = || groups.sizes.iter().enumerate().filter(|(_, size)| **size < least);
    let smallest = groups.sizes.iter().min().copied().unwrap_or(0);
    let finding = finding((groups.sizes.len(), smallest), (least, small().count()), one, many);
    let witness =
        |(group, size): (usize, &usize)| witness(&groups.describe(group), *size, groups.first[group]);
    Check::new(name, finding, small().map(witness))
}

/// In words: how many groups there are and how many rows the smallest has; how many are needed and how many groups have
/// fewer.
pub(crate) fn finding(
    (all, smallest): (usize, usize),
    (least, short): (usize, usize),
    one: &str,
    many: &str,
) -> String {
    let (all, rows) = (counted(all, one, many), counted(smallest, "row", "rows"));
    let finding = format!("{all}, the smallest with {rows}; at least {least} needed");
    if short == 0 {
        return finding;
    }
    format!("{finding}; {} too small", counted(short, &format!("{one} is"), &format!("{many} are")))
}

/// A group that is too small; `first` counts from 0.
pub(crate) fn witness(group: &str, size: usize, first: usize) -> String {
    format!("{group}: {}, the first is published row {}", counted(size, "row", "rows"), first + 1)
}
