//! Codes of which the first characters say most: 22071, 2207*, 220**, ...

use std::collections::BTreeSet;

use super::{Hierarchy, HierarchyError, MOST_LEVELS, Parameters};

/// Masks the values (postcodes, phone numbers, codes of diseases) from their end: 22071 is generalised to `2207*`,
/// `220**`, `22***`, `2****`, `*****`. Values that are shorter than the longest are filled up with `*` at their end
/// from level 1 on, so that a label does not tell their length: 123 becomes `123**`, which at a coarser level also
/// stands for 12345. Values are trimmed and sorted by their bytes.
///
/// # Errors
/// If there is no value, or if the longest is empty or has more than [`MOST_LEVELS`] characters.
pub fn prefix<'a>(values: impl IntoIterator<Item = &'a str>) -> Result<Hierarchy, HierarchyError> {
    let values: BTreeSet<&str> = values.into_iter().map(str::trim).collect();
    let longest = values.iter().map(|value| value.chars().count()).max().ok_or(HierarchyError::Empty)?;
    if longest == 0 || longest > MOST_LEVELS {
        return Err(HierarchyError::Parameters(Parameters::CodeLength { longest, most: MOST_LEVELS }));
    }
    let masked = |value: &str, level: usize| -> String {
        value.chars().take(longest - level).chain(std::iter::repeat('*')).take(longest).collect()
    };
    let rows: Vec<Vec<String>> = values
        .iter()
        .map(|&value| {
            std::iter::once(value.to_owned()).chain((1..=longest).map(|level| masked(value, level))).collect()
        })
        .collect();
    Hierarchy::new(&rows)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(hierarchy: &Hierarchy, value: &str) -> Vec<String> {
        hierarchy.rows()[hierarchy.find(value).unwrap()].clone()
    }

    #[test]
    fn masks_from_the_end() {
        let hierarchy = prefix(["22071", "22079", " 10115 ", "22071"]).unwrap();
        assert_eq!(hierarchy.len(), 3);
        assert_eq!(row(&hierarchy, "22071"), ["22071", "2207*", "220**", "22***", "2****", "*****"]);
        let places = ["22071", "22079"].map(|value| hierarchy.find(value).unwrap());
        assert_eq!(hierarchy.lowest_common(&places), Some(1));
    }

    #[test]
    fn shorter_values_are_filled_up() {
        let hierarchy = prefix(["123", "12345", "é"]).unwrap();
        assert_eq!(row(&hierarchy, "123"), ["123", "123**", "123**", "12***", "1****", "*****"]);
        assert_eq!(row(&hierarchy, "é")[1], "é****");
        let places = ["123", "12345"].map(|value| hierarchy.find(value).unwrap());
        assert_eq!(hierarchy.lowest_common(&places), Some(2));
    }

    #[test]
    fn refuses_what_is_no_code() {
        assert_eq!(prefix([]).unwrap_err(), HierarchyError::Empty);
        assert!(prefix([""]).unwrap_err().to_string().contains("0 characters"));
        assert!(prefix(["x".repeat(65).as_str()]).unwrap_err().to_string().contains("65 characters"));
    }

    proptest! {
        /// Whatever the values, stars among them: the result is nested and has one root.
        #[test]
        fn is_a_tree(values in prop::collection::vec("[ab*é]{1,5}", 1..20)) {
            let hierarchy = prefix(values.iter().map(String::as_str)).unwrap();
            let all: Vec<usize> = (0..hierarchy.len()).collect();
            prop_assert!(hierarchy.lowest_common(&all).is_some());
            prop_assert!(values.iter().all(|value| hierarchy.find(value).is_some()));
        }
    }
}
