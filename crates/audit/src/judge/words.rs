//! The findings in words, from counts.

use super::{
    near::near,
    text::{counted, list, quoted, thousands},
    verdict::{Check, name},
};

/// How many classes or groups there are and how many rows the smallest has; how many are needed and how many have fewer.
/// `one` and `many` are the words for a class or group.
pub(crate) fn sizes(
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

/// A class or group that is too small; `first` counts from 0.
pub(crate) fn small(group: &str, size: usize, first: usize) -> String {
    format!("{group}: {}, the first is published row {}", counted(size, "row", "rows"), first + 1)
}

/// Classes that are published differently, and all.
pub(crate) fn alike(broken: usize, all: usize) -> String {
    let all = counted(all, "class", "classes");
    match broken {
        0 => format!("the rows of a class have the same published quasi-identifiers ({all})"),
        _ => format!("{} of {all} with rows that are published differently", thousands(broken)),
    }
}

/// A class that is published differently, its first row and the first that differs; rows count from 0.
pub(crate) fn unlike(class: &str, first: usize, row: usize) -> String {
    format!("{class}: published rows {} and {} differ", first + 1, row + 1)
}

/// Classes that hold a value twice, all classes, and how often the worst of them holds one.
pub(crate) fn differ(broken: usize, all: usize, worst: Option<usize>) -> String {
    let all = counted(all, "class", "classes");
    match worst {
        None => format!("no value occurs twice in a class ({all})"),
        Some(worst) => format!(
            "{} of {all} with a value that occurs more than once, in the worst case {worst} times",
            thousands(broken)
        ),
    }
}

/// The largest share of a value, what is allowed, groups above that, and all groups.
pub(crate) fn frequent((count, of): (usize, usize), m: usize, broken: usize, all: usize) -> String {
    let finding = format!(
        "the most frequent value of a group makes up {} of {}; at most 1/{m} is allowed",
        thousands(count),
        counted(of, "row", "rows")
    );
    if broken == 0 {
        return finding;
    }
    let all = counted(all, "group", "groups");
    format!("{finding}; {} of {all} with a value above that", thousands(broken))
}

/// Rows out of order.
pub(crate) fn sorted(broken: usize) -> String {
    if broken == 0 {
        return String::from("the order of the rows follows from what is published, and tells nothing more");
    }
    let places = counted(broken, "row", "rows");
    format!("{places} out of order: the order may tell something about the input")
}

/// A row (from 0) that should come before the one that it follows, by a column.
pub(crate) fn unsorted(row: usize, column: &str) -> String {
    format!("published row {} should come before row {row} (column {column:?})", row + 1)
}

/// Labels out of place, all labels, and the first one.
pub(super) fn labels(odd: usize, all: usize, start: usize) -> String {
    let labels = counted(all, "label", "labels");
    match odd {
        0 => format!("{labels}, from {start} to {} in published order", (all + start).saturating_sub(1)),
        odd => format!(
            "{} of {labels} out of place: labels must count up from 1 in published order",
            thousands(odd)
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

/// How many different values every class has, and how many when missing ones do not count: the fewest of a class, all and
/// known. `missing` are the values that mean "not known".
pub(crate) fn known(missing: &[&str], (different, known): (usize, usize), one: &str) -> Check {
    let mut found: Vec<String> = missing.iter().map(|value| quoted(value)).collect();
    found.sort_unstable();
    let values = counted(different, "different value", "different values");
    let finding = if found.is_empty() {
        format!("every {one} has at least {values}, none of them a missing marker")
    } else {
        let known = thousands(known);
        format!(
            "every {one} has at least {values}, at least {known} not counting {} (not known)",
            list(&found)
        )
    };
    Check::note(name::KNOWN_VALUES, finding, None)
}

/// Values that occur once in the whole table, of values with their rows.
pub(crate) fn rare(counts: &[(&str, usize)]) -> Check {
    let mut rare: Vec<&str> = counts.iter().filter(|(_, count)| *count == 1).map(|(v, _)| *v).collect();
    rare.sort_unstable();
    let all = counted(counts.len(), "value", "values");
    let finding = match rare.len() {
        0 => format!("each of {all} occurs more than once in the table"),
        rare => format!(
            "{} of {all} found once only in the whole table: whoever can rule them out for a person sees a less diverse class",
            thousands(rare)
        ),
    };
    Check::note(name::RARE_VALUES, finding, rare.into_iter().map(quoted))
}

/// Values that people read as one, of known values with their rows; `None` if there are no such values.
pub(crate) fn near_values(mut known: Vec<(&str, usize)>) -> Option<Check> {
    known.sort_unstable();
    let values: Vec<&str> = known.iter().map(|(value, _)| *value).collect();
    let name = |at: usize| format!("{} ({})", quoted(values[at]), counted(known[at].1, "row", "rows"));
    near(&values, name).map(|finding| Check::note(name::NEAR_VALUES, finding, None))
}

/// Columns that nobody asked about.
pub(crate) fn unjudged(columns: &[String]) -> Check {
    Check::note(name::UNJUDGED, format!("taken as unknown to an attacker: {}", list(columns)), None)
}

/// A label that is not the one that was expected.
pub(super) fn misplaced(label: &str, expected: &str) -> String {
    format!("label {} where {expected} was expected", quoted(label))
}
