//! Sizes of classes and groups.

use lookalike_table::text::counted;

use crate::{Check, groups::Groups};

/// Whether every group has at least `least` rows. `one` and `many` are the words for a group.
pub(crate) fn enough_rows(name: &str, groups: &Groups, least: usize, one: &str, many: &str) -> Check {
    let small = || groups.sizes.iter().enumerate().filter(|(_, size)| **size < least);
    let smallest = groups.sizes.iter().min().copied().unwrap_or(0);
    let all = counted(groups.sizes.len(), one, many);
    let mut finding =
        format!("{all}, the smallest with {}; at least {least} needed", counted(smallest, "row", "rows"));
    let short = small().count();
    if short > 0 {
        finding =
            format!("{finding}; {} too small", counted(short, &format!("{one} is"), &format!("{many} are")));
    }
    let witness = |(group, size): (usize, &usize)| {
        let rows = counted(*size, "row", "rows");
        format!("{}: {rows}, the first is published row {}", groups.describe(group), groups.first[group] + 1)
    };
    Check::new(name, finding, small().map(witness))
}
