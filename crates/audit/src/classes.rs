//! Classes: published alike.

use crate::{
    Check, Subject,
    groups::{Groups, NO_GROUP},
    judge::words,
};

/// Whether the rows of each class have equal published quasi-identifiers.
pub(crate) fn published_alike(classes: &Groups, groups: &Groups) -> Check {
    let group_of_first = |class: u32| groups.of[classes.first[class as usize]];
    let mut odd = vec![None; classes.sizes.len()];
    for (row, &class) in classes.of.iter().enumerate() {
        if class != NO_GROUP && groups.of[row] != group_of_first(class) {
            odd[class as usize].get_or_insert(row);
        }
    }
    let broken = odd.iter().flatten().count();
    let finding = words::alike(broken, odd.len());
    let witness = |(class, row): (usize, &Option<usize>)| {
        let (row, first) = ((*row)?, classes.first[class]);
        Some(words::unlike(classes.describe(class), first, row))
    };
    Check::new(Subject::ClassAlike, finding, odd.iter().enumerate().filter_map(witness))
}
