//! Counts in words, for messages and findings.

/// A count with thousands separators: 1234567 is "1,234,567".
#[must_use]
pub fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: "1 row", "1,000 rows".
#[must_use]
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

/// A list for people: "a", "a and b", "a, b and c".
#[must_use]
pub fn list<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [head @ .., last] => {
            let head: Vec<&str> = head.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", head.join(", "), last.as_ref())
        }
    }
}

/// A cell as a message quotes it: in single quotes, control characters escaped, cut after 40 characters, so that no
/// cell floods a message.
#[must_use]
pub fn quoted(cell: &str) -> String {
    const LONGEST: usize = 40;
    let mut text = String::from("'");
    for c in cell.chars().take(LONGEST) {
        if c.is_control() { text.extend(c.escape_default()) } else { text.push(c) }
    }
    if cell.chars().nth(LONGEST).is_some() {
        text.push_str("...");
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separates_thousands() {
        let shown: Vec<String> = [0, 12, 999, 1000, 32561, 1_000_000].map(thousands).to_vec();
        assert_eq!(shown, ["0", "12", "999", "1,000", "32,561", "1,000,000"]);
    }

    #[test]
    fn counts_and_lists() {
        assert_eq!(counted(1, "row", "rows"), "1 row");
        assert_eq!(counted(0, "row", "rows"), "0 rows");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn quotes_are_short_and_printable() {
        assert_eq!(quoted("a\nb"), "'a\\nb'");
        assert_eq!(quoted(&"é".repeat(50)), format!("'{}...'", "é".repeat(40)));
    }
}
