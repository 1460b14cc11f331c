//! Groups of values that stand next to each other in a given order.

use lookalike_words::Cell;

use super::{ANY, Hierarchy, HierarchyError, MOST_LEVELS, Parameters};
use crate::Reading;

/// Groups values that are given in their order: `groups[0]` consecutive values at level 1, `groups[1]` such groups at
/// level 2, and so on; then `*`. A group is labelled `[first - last]`, as published ranges are, one that holds a single value by this value;
/// the last group of a level may be smaller than the others.
///
/// # Errors
/// If there is no value or no group size, a size is below 2, a value comes twice, or there are too many levels.
pub fn order(values: &[String], groups: &[usize]) -> Result<Hierarchy, HierarchyError> {
    if groups.is_empty() || groups.contains(&0) || groups.contains(&1) {
        return Err(HierarchyError::Parameters(Parameters::GroupSize));
    }
    if groups.len() >= MOST_LEVELS {
        return Err(HierarchyError::TooDeep { levels: groups.len() + 1, most: MOST_LEVELS });
    }
    let mut sorted: Vec<&str> = values.iter().map(|value| value.trim()).collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(HierarchyError::Parameters(Parameters::Twice { value: Cell::from(pair[0]) }));
    }
    let mut sizes = Vec::with_capacity(groups.len());
    let mut size = 1_usize;
    for group in groups {
        size = size.saturating_mul(*group);
        sizes.push(size);
    }
    let rows: Vec<Vec<String>> = values
        .iter()
        .enumerate()
        .map(|(at, value)| {
            let mut row = vec![value.trim().to_owned()];
            row.extend(sizes.iter().map(|&size| {
                let first = at / size * size;
                let last = first.saturating_add(size).min(values.len()) - 1;
                let (low, high) = (values[first].trim(), values[last].trim());
                if first == last { low.to_owned() } else { Reading::Ranks(Vec::new()).range(low, high) }
            }));
            row.push(ANY.to_owned());
            row
        })
        .collect();
    Hierarchy::new(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        text.split(' ').map(String::from).collect()
    }

    #[test]
    fn groups_neighbours() {
        let hierarchy = order(&values("none primary secondary bachelor master"), &[2, 2]).unwrap();
        let rows = hierarchy.rows();
        assert_eq!(rows[0], ["none", "[none - primary]", "[none - bachelor]", "*"]);
        assert_eq!(rows[3], ["bachelor", "[secondary - bachelor]", "[none - bachelor]", "*"]);
        assert_eq!(rows[4], ["master", "master", "master", "*"]);
        assert_eq!(hierarchy.lowest_common(&[1, 2]), Some(2));
    }

    #[test]
    fn refuses_what_makes_no_groups() {
        let refused = |text: &str, groups: &[usize]| order(&values(text), groups).unwrap_err().to_string();
        assert!(refused("a b", &[]).contains("at least 2"));
        assert!(refused("a b", &[1]).contains("at least 2"));
        assert!(refused("a b a", &[2]).contains("'a' stands twice"));
        assert!(refused("a b", &[2; 64]).contains("65 levels"));
        assert_eq!(order(&[], &[2]).unwrap_err(), HierarchyError::Empty);
        assert_eq!(order(&values("a b"), &[usize::MAX, 2]).unwrap().label(0, 2), "[a - b]");
    }
}
