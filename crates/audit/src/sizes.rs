//! Sizes of classes and groups.

use crate::{Grouping, Sizes, WITNESSES, Witness, groups::Groups, judge::words};

/// Whether every class or group has at least `least` rows, with those that have fewer.
pub(crate) fn enough_rows(grouping: Grouping, groups: &Groups, least: usize) -> (Sizes, Vec<Witness>) {
    let small = || groups.sizes.iter().enumerate().filter(|(_, size)| **size < least);
    let smallest = groups.sizes.iter().min().copied().unwrap_or(0);
    let finding = words::sizes(grouping, (groups.sizes.len(), smallest), (least, small().count()));
    let witness =
        |(group, size): (usize, &usize)| words::small(groups.describe(group), *size, groups.first[group]);
    (finding, small().take(WITNESSES).map(witness).collect())
}
