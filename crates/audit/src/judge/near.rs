//! Sensitive values that people read as one: "p", "p " and "P". They are no diversity.

use std::collections::BTreeMap;

use super::number::number;

/// Different values that are looked at.
const LOOKED_AT: usize = 100_000;

/// Groups of these values that are one number, or differ only in white space, invisible characters, case, or hyphens and underscores between
/// letters: places in `values`, at least two each.
pub(super) fn near(values: &[&str]) -> Vec<Vec<usize>> {
    let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, value) in values.iter().take(LOOKED_AT).enumerate() {
        alike.entry(folded(value)).or_default().push(at);
    }
    let mut groups: Vec<Vec<usize>> = alike.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    groups
}

/// A number by its value, but for digits that begin with a zero: these are a code.
fn counted(value: &str) -> Option<String> {
    let unsigned = value.trim().trim_start_matches(['+', '-']);
    let mut first = unsigned.chars();
    if first.next() == Some('0') && first.next().is_some_and(|c| c.is_ascii_digit()) {
        return None;
    }
    let x = number(value)?;
    Some(if x == 0.0 { String::from("0") } else { x.to_string() })
}

/// What is left of a value when all that people overlook is taken away.
fn folded(value: &str) -> String {
    if let Some(number) = counted(value) {
        return number;
    }
    let invisible = |c: &char| matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
    // Hyphens, dashes and the minus are one stroke to the eye.
    let stroke = |c: char| if matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}') { '-' } else { c };
    let seen: Vec<char> = value.chars().filter(|c| !invisible(c)).map(stroke).collect();
    let spaced: String = (0..seen.len())
        .map(|at| match seen[at] {
            '-' | '_' if at > 0 && seen[at - 1].is_alphabetic() => {
                if seen.get(at + 1).is_some_and(|c| c.is_alphabetic()) { ' ' } else { seen[at] }
            }
            c => c,
        })
        .collect();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    // Letter by letter: what a letter is folded to must not depend on its neighbours.
    words.join(" ").replace(". ", ".").chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn other_values_are_not_near() {
        assert_eq!(near(&["a", "b", "A+", "A-", "1-2", "12", ""]), Vec::<Vec<usize>>::new());
        assert_eq!(near(&["p", "q", "P "]), [[0, 2]]);
        assert_eq!(near(&["2", "3", "2.0", "02", "-0", "0"]), [[0, 2], [4, 5]]);
    }

    proptest! {
        /// Two implementations that share nothing agree on what people read as one.
        #[test]
        fn near_values_are_those_of_the_table(
            values in prop::collection::vec("[aB1s. \u{ad}_ßΣ–-]{0,5}|[ab]{1,2}|[+-]?[012]{1,2}(\\.[05])?", 0..12)
        ) {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            prop_assert_eq!(near(&values), lookalike_table::near_synonyms(values.iter().copied()));
        }
    }
}
