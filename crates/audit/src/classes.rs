//! Classes: published alike, and labelled so that the labels tell nothing.

use lookalike_table::{Column, text, text::counted};

use crate::{
    Check,
    groups::{Groups, NO_GROUP},
    name,
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
    let finding = alike_finding(broken, odd.len());
    let witness = |(class, row): (usize, &Option<usize>)| {
        let (row, first) = ((*row)?, classes.first[class]);
        Some(format!("{}: published rows {} and {} differ", classes.describe(class), first + 1, row + 1))
    };
    Check::new(name::CLASS_ALIKE, finding, odd.iter().enumerate().filter_map(witness))
}

/// In words: classes that are published differently, and all.
pub(crate) fn alike_finding(broken: usize, all: usize) -> String {
    let all = counted(all, "class", "classes");
    match broken {
        0 => format!("the rows of a class have the same published quasi-identifiers ({all})"),
        _ => format!("{} of {all} with rows that are published differently", text::thousands(broken)),
    }
}

/// Whether the labels, in order of first appearance, are 1, 2, 3, ... (or 0, 1, 2, ...): any other label could tell
/// something about the input or about an earlier release.
pub(crate) fn labels_count_up(class: &Column) -> Check {
    let start = usize::from(class.values.iter().next().is_none_or(|label| label != "0"));
    let expected = |at: usize| (at + start).to_string();
    let odd = || class.values.iter().enumerate().filter(|(at, label)| *label != expected(*at));
    let finding = labels_finding(odd().count(), class.values.len(), start);
    let witness = |(at, label): (usize, &str)| {
        format!("label {} where {} was expected", text::quoted(label), expected(at))
    };
    Check::new(name::LABELS, finding, odd().map(witness))
}

/// In words: labels out of place, all labels, and the first one.
pub(crate) fn labels_finding(odd: usize, all: usize, start: usize) -> String {
    let labels = counted(all, "label", "labels");
    match odd {
        0 => format!("{labels}, from {start} to {} in published order", all + start - 1),
        odd => format!(
            "{} of {labels} out of place: labels must count up from 1 in published order",
            text::thousands(odd)
        ),
    }
}

/// Says that classes were not judged.
pub(crate) fn no_class(asked_for: Option<&str>) -> Check {
    let column =
        asked_for.map_or_else(|| String::from("a class column"), |name| format!("the class column {name:?}"));
    let finding = format!("without {column} only groups of equal published quasi-identifiers were judged");
    Check::note(name::NO_CLASS, finding, None)
}
