//! The two ends of a published range.

use lookalike_table::Reading as Compared;

/// The values of both ends, in order, from what stands between the brackets; `None` if that is no range.
///
/// Between numbers stands a hyphen, between dates and labels one with a space on each side. A label's own hyphen of
/// that kind has a backslash before it, as has a backslash.
pub(super) fn range(text: &str, compared: &Compared) -> Option<(f64, f64)> {
    let mut found = splits(text, compared).filter_map(|(low, high)| {
        let value = |end: &str| compared.value(end).map(|x| x + 0.0);
        Some((value(&low)?, value(&high)?))
    });
    match (found.next(), found.next()) {
        (Some((low, high)), None) if low <= high => Some((low, high)),
        _ => None,
    }
}

/// All places where a range may be split.
fn splits<'a>(text: &'a str, compared: &Compared) -> Box<dyn Iterator<Item = (String, String)> + 'a> {
    let at = move |mark: &'static str| {
        text.match_indices(mark)
            .map(move |(at, _)| (text[..at].to_owned(), text[at + mark.len()..].to_owned()))
    };
    match compared {
        Compared::Numbers(_) => Box::new(at("-")),
        Compared::Dates(_) => Box::new(at(" - ")),
        Compared::Labels | Compared::Ranks(_) => Box::new(unescaped(text).into_iter()),
    }
}

/// Two labels around the one ` - ` that is not escaped.
fn unescaped(text: &str) -> Option<(String, String)> {
    let mut ends = vec![String::new()];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(" - ") {
            ends.push(String::new());
            rest = after;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        let c = if c == '\\' {
            let escaped = rest.chars().next().filter(|c| matches!(c, '-' | '\\'))?;
            rest = &rest[1..];
            escaped
        } else {
            c
        };
        ends.last_mut()?.push(c);
    }
    let high = ends.pop()?;
    let low = ends.pop()?;
    ends.is_empty().then_some((low, high))
}

/// The texts of both ends if a range is to be split without knowing what its column holds: at the one hyphen between
/// spaces, else at the first that is neither a sign nor part of an exponent.
pub(super) fn ends(text: &str) -> Option<(&str, &str)> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    if let Some((low, high)) = inner.split_once(" - ") {
        return Some((low.trim(), high.trim()));
    }
    let bytes = inner.as_bytes();
    let hyphen = |from: usize| {
        (from.max(1)..bytes.len()).find(|&at| bytes[at] == b'-' && !matches!(bytes[at - 1], b'e' | b'E'))
    };
    // A minus may follow the sign of a currency: before the first digit it divides nothing, if another hyphen does.
    let digit = bytes.iter().position(u8::is_ascii_digit).unwrap_or_default();
    let at = hyphen(digit).or_else(|| hyphen(1))?;
    Some((inner[..at].trim(), inner[at + 1..].trim()))
}

#[cfg(test)]
mod tests {
    use lookalike_table::NumberFormat;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ends_without_knowing_the_column() {
        assert_eq!(ends("[18-20]"), Some(("18", "20")));
        assert_eq!(ends("[-5--2]"), Some(("-5", "-2")));
        assert_eq!(ends("[1e-5-2,5]"), Some(("1e-5", "2,5")));
        assert_eq!(ends("[$-5-$-2]"), Some(("$-5", "$-2")));
        assert_eq!(ends("[5 %-12.5 %]"), Some(("5 %", "12.5 %")));
        assert_eq!(ends("[(5)-12]"), Some(("(5)", "12")));
        assert_eq!(ends("[Primary-Secondary]"), Some(("Primary", "Secondary")));
        assert_eq!(ends("[2024-01-05 - 2024-02-01]"), Some(("2024-01-05", "2024-02-01")));
        for text in ["18-20", "[18", "[18]", "[]", "[-]"] {
            assert_eq!(ends(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn ranges_of_numbers_come_back(a in -1e6..1e6_f64, b in -1e6..1e6_f64) {
            let (low, high) = (a.min(b), a.max(b));
            let numbers = Compared::Numbers(NumberFormat::PLAIN);
            prop_assert_eq!(range(&format!("{low}-{high}"), &numbers), Some((low, high)));
        }

        /// Labels of an order come back from the range that the table layer writes.
        #[test]
        fn ranges_of_labels_come_back(labels in prop::collection::btree_set("[a\\- \\\\]{1,6}", 2..6)) {
            let mut order: Vec<String> = labels.iter().map(|l| l.trim().to_owned()).collect();
            order.sort_unstable();
            order.dedup();
            order.retain(|label| !label.is_empty());
            prop_assume!(order.len() > 1);
            let ranks = Compared::Ranks(order.clone());
            for (low, from) in (0..).zip(&order) {
                for (high, to) in (0..).zip(&order).skip(low) {
                    let text = ranks.range(from, to);
                    let inner = text.strip_prefix('[').unwrap().strip_suffix(']').unwrap();
                    prop_assert_eq!(range(inner, &ranks), Some((low as f64, f64::from(high))), "{}", text);
                }
            }
        }
    }
}
