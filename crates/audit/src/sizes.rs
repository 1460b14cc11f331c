//! Sizes of classes and groups.

use crate::{Check, groups::Groups, judge::words};

/// Whether every group has at least `least` rows. `one` and `many` are the words for a group.
pub(crate) fn enough_rows(name: &str, groups: &Groups, least: usize, one: &str, many: &str) -> Check {
    let small = || groups.sizes.iter().enumerate().filter(|(_, size)| **size < least);
    let smallest = groups.sizes.iter().min().copied().unwrap_or(0);
    let finding = words::sizes((groups.sizes.len(), smallest), (least, small().count()), one, many);
    let witness =
        |(group, size): (usize, &usize)| words::small(&groups.describe(group), *size, groups.first[group]);
    Check::new(name, finding, small().map(witness))
}
