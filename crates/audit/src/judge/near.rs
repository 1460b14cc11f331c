//! Sensitive values that people read as one: "p", "p " and "P". They are no diversity.

use std::collections::BTreeMap;

use super::text::list;

/// Different values that are looked at.
const LOOKED_AT: usize = 100_000;

/// Groups that a finding names, and values of each.
const NAMED: usize = 5;

/// Says which of these values differ only in white space, invisible characters, case, or hyphens and underscores between
/// letters; `name` shows a value by its place. `None` if there are no such values.
pub(super) fn near(values: &[&str], name: impl Fn(usize) -> String) -> Option<String> {
    let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, value) in values.iter().take(LOOKED_AT).enumerate() {
        alike.entry(folded(value)).or_default().push(at);
    }
    let mut groups: Vec<Vec<usize>> = alike.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    if groups.is_empty() {
        return None;
    }
    let shown = groups.iter().take(NAMED).map(|group| {
        let mut names: Vec<String> = group.iter().take(NAMED).map(|&at| name(at)).collect();
        if group.len() > NAMED {
            names.push(format!("{} more", group.len() - NAMED));
        }
        list(&names)
    });
    let mut finding = shown.collect::<Vec<_>>().join("; ");
    if groups.len() > NAMED {
        finding = format!("{finding}; and {} more such groups", groups.len() - NAMED);
    }
    Some(format!(
        "{finding}: these differ in white space, case or hyphens only, and count as different values; if they mean \
         the same, write them alike, or the diversity is feigned"
    ))
}

/// What is left of a value when all that people overlook is taken away.
fn folded(value: &str) -> String {
    let invisible = |c: &char| matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
    let seen: Vec<char> = value.chars().filter(|c| !invisible(c)).collect();
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
    words.join(" ").chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn at_most_five_groups_of_five_are_named() {
        let values: Vec<String> =
            (0..7).flat_map(|v| (0..7).map(move |spaces| format!("v{v}{}", " ".repeat(spaces)))).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let words = near(&values, |at| format!("{:?}", values[at])).unwrap();
        assert!(
            words.starts_with("\"v0\", \"v0 \", \"v0  \", \"v0   \", \"v0    \" and 2 more; \"v1\""),
            "{words}"
        );
        assert!(words.contains("; and 2 more such groups: these differ in white space"), "{words}");
        assert_eq!(near(&["a", "b", "A+", "A-", "1-2", "12", ""], |_| String::new()), None);
    }

    proptest! {
        /// Two implementations that share nothing agree on what people read as one.
        #[test]
        fn near_values_are_those_of_the_table(values in prop::collection::vec("[aB1 \u{ad}_ßΣ-]{0,5}|[ab]{1,2}", 0..12)) {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let named = |at: usize| lookalike_table::NearValue::Value { value: at.to_string().as_str().into() };
            let expected = lookalike_table::near_words(&lookalike_table::near_synonyms(values.iter().copied()), named);
            prop_assert_eq!(near(&values, |at| format!("'{at}'")), expected.map(|near| near.to_string()));
        }
    }
}
