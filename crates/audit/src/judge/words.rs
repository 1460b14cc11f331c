//! Findings that take more than their counts.

use lookalike_words::{Cell, Name};

use super::{
    near::near,
    verdict::{
        Check, Grouping, NearGroup, NearValue, Observation, Parts, Shared, Sizes, Subject, Values, Witness,
    },
};

/// Groups that a finding names, and values of each.
const NAMED: usize = 5;

/// How many classes or groups there are and how many rows the smallest has; how many are needed and how many have fewer.
pub(crate) fn sizes(
    grouping: Grouping,
    (all, smallest): (usize, usize),
    (least, short): (usize, usize),
) -> Sizes {
    match short {
        0 => Sizes::Enough { grouping, all, smallest, least },
        short => Sizes::TooSmall { grouping, all, smallest, least, short },
    }
}

/// A class or group that is too small; `first` counts from 0.
pub(crate) fn small(of: Vec<Shared>, rows: usize, first: usize) -> Witness {
    Witness::TooSmall { of, rows, first: first + 1 }
}

/// Classes that are published differently, and all.
pub(crate) fn alike(broken: usize, classes: usize) -> Observation {
    match broken {
        0 => Observation::Alike { classes },
        broken => Observation::Unlike { broken, classes },
    }
}

/// A class that is published differently, its first row and the first that differs; rows count from 0.
pub(crate) fn unlike(of: Vec<Shared>, first: usize, row: usize) -> Witness {
    Witness::Unlike { of, first: first + 1, row: row + 1 }
}

/// Classes that hold a value twice, all classes, and how often the worst of them holds one.
pub(crate) fn differ(broken: usize, classes: usize, worst: Option<usize>) -> Values {
    match worst {
        None => Values::Differ { classes },
        Some(worst) => Values::Repeated { broken, classes, worst },
    }
}

/// The largest share of a value, what is allowed, groups above that, and all groups.
pub(crate) fn frequent((count, of): (usize, usize), m: usize, broken: usize, groups: usize) -> Values {
    match broken {
        0 => Values::Within { count, of, m },
        broken => Values::Above { count, of, m, broken, groups },
    }
}

/// Rows out of order.
pub(crate) fn sorted(broken: usize) -> Observation {
    match broken {
        0 => Observation::Sorted,
        rows => Observation::Unsorted { rows },
    }
}

/// A row (from 0) that should come before the one that it follows, by a column.
pub(crate) fn unsorted(row: usize, column: &str) -> Witness {
    Witness::Unsorted { row: row + 1, before: row, column: Name::from(column) }
}

/// Labels out of place, all labels, and the first one.
pub(super) fn labels(odd: usize, labels: usize, first: usize) -> Observation {
    match odd {
        0 => Observation::Labels { labels, first, last: (labels + first).saturating_sub(1) },
        odd => Observation::Misplaced { odd, labels },
    }
}

/// Says that classes were not judged.
pub(crate) fn no_class(asked_for: Option<&str>) -> Check {
    Check::note(Subject::NoClass, Observation::NoClass { column: asked_for.map(Name::from) }, None)
}

/// How many different values every class has, and how many when missing ones do not count: the fewest of a class, all and
/// known. `missing` are the values that mean "not known".
pub(crate) fn known(missing: &[&str], (different, known): (usize, usize), grouping: Grouping) -> Check {
    let mut missing: Vec<Cell> = missing.iter().copied().map(Cell::from).collect();
    missing.sort_unstable();
    let finding = Observation::KnownValues { grouping, different, known, missing };
    Check::note(Subject::KnownValues, finding, None)
}

/// Values that occur once in the whole table, of values with their rows.
pub(crate) fn rare(counts: &[(&str, usize)]) -> Check {
    let mut rare: Vec<&str> = counts.iter().filter(|(_, count)| *count == 1).map(|(v, _)| *v).collect();
    rare.sort_unstable();
    let values = counts.len();
    let finding = match rare.len() {
        0 => Observation::NoRareValue { values },
        rare => Observation::RareValues { rare, values },
    };
    let witness = |value: &str| Witness::Value { value: Cell::from(value) };
    Check::note(Subject::RareValues, finding, rare.into_iter().map(witness))
}

/// Values that people read as one, of known values with their rows; `None` if there are no such values.
pub(crate) fn near_values(mut known: Vec<(&str, usize)>) -> Option<Check> {
    known.sort_unstable();
    let values: Vec<&str> = known.iter().map(|(value, _)| *value).collect();
    let groups = near(&values);
    let named = |group: &Vec<usize>| {
        let value = |&at: &usize| NearValue::Value { value: Cell::from(known[at].0), rows: known[at].1 };
        let mut values: Vec<NearValue> = group.iter().take(NAMED).map(value).collect();
        let more = group.len().saturating_sub(NAMED);
        values.extend((more > 0).then_some(NearValue::More { count: more }));
        NearGroup::Of { values }
    };
    let alike = Parts(groups.iter().take(NAMED).map(named).collect());
    let more = groups.len().saturating_sub(NAMED);
    let note = || Check::note(Subject::NearValues, Observation::NearValues { alike, more }, None);
    (!groups.is_empty()).then(note)
}

/// A label that is not the one that was expected.
pub(super) fn misplaced(label: &str, expected: String) -> Witness {
    Witness::Misplaced { label: Cell::from(label), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_five_groups_of_five_are_named() {
        let values: Vec<String> =
            (0..7).flat_map(|v| (0..7).map(move |spaces| format!("v{v}{}", " ".repeat(spaces)))).collect();
        let known = values.iter().map(|value| (value.as_str(), 1)).collect();
        let words = near_values(known).unwrap().finding.to_string();
        assert!(
            words.starts_with(
                "'v0' (1 row), 'v0 ' (1 row), 'v0  ' (1 row), 'v0   ' (1 row), 'v0    ' (1 row) and 2 more; 'v1'"
            ),
            "{words}"
        );
        assert!(words.contains("; and 2 more such groups: these differ in white space"), "{words}");
        assert_eq!(near_values(vec![("a", 1), ("b", 2)]), None);
    }
}
