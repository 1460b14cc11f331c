//! Counts and cells in the words of findings.

/// A count with thousands separators: 1234567 is "1,234,567".
pub(crate) fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let head = digits.len() % 3;
    let mut text = digits[..head].to_owned();
    for at in (head..digits.len()).step_by(3) {
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&digits[at..at + 3]);
    }
    text
}

/// A count with its noun: "1 row", "1,000 rows".
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

/// A list for people: "a", "a and b", "a, b and c".
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

/// Most characters of a cell in a message, so that no cell floods it.
const LONGEST: usize = 40;

/// A cell as a message quotes it: in single quotes, control characters escaped, cut after 40 characters.
pub(crate) fn quoted(cell: &str) -> String {
    let mut chars = cell.chars();
    let mut text = String::from("'");
    for c in chars.by_ref().take(LONGEST) {
        if c.is_control() { text.extend(c.escape_default()) } else { text.push(c) }
    }
    if chars.next().is_some() {
        text.push_str("...");
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_have_separators_and_nouns() {
        let shown: Vec<String> = [0, 12, 999, 1000, 32561, 1_000_000].map(thousands).to_vec();
        assert_eq!(shown, ["0", "12", "999", "1,000", "32,561", "1,000,000"]);
        assert_eq!(counted(1, "row", "rows"), "1 row");
        assert_eq!(counted(0, "row", "rows"), "0 rows");
    }

    #[test]
    fn cells_in_messages_are_short_and_printable() {
        assert_eq!(quoted("a\nb"), "'a\\nb'");
        assert_eq!(quoted(&"é".repeat(40)), format!("'{}'", "é".repeat(40)));
        assert_eq!(quoted(&"é".repeat(41)), format!("'{}...'", "é".repeat(40)));
    }

    proptest! {
        /// The words of the audit are those of the rest of the program, though the code is its own.
        #[test]
        fn texts_are_worded_as_everywhere(count in any::<usize>(), cell in ".{0,60}", items in prop::collection::vec("[a-c]{0,2}", 0..5)) {
            prop_assert_eq!(thousands(count), lookalike_table::text::thousands(count));
            prop_assert_eq!(quoted(&cell), lookalike_table::text::quoted(&cell));
            prop_assert_eq!(list(&items), lookalike_table::text::list(&items));
        }
    }
}
