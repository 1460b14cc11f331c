//! The order of published cells.

use std::cmp::Ordering;

use super::number::number;

/// Numbers by value, then text; numbers before what is not a number; what is still equal, by its bytes.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    let by_kind = match (number(a), number(b)) {
        (Some(x), Some(y)) => x.partial_cmp(&y).unwrap_or(Ordering::Equal),
        (x, y) => y.is_some().cmp(&x.is_some()),
    };
    by_kind.then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_before_text_and_ties_are_broken_by_text() {
        let expected = ["-5", "-0", "0", "+2", "2", "2.0", "10", "", "10a", "[10-12]", "[9-11]", "a", "é"];
        let mut values = expected;
        values.rotate_left(5);
        values.swap(0, 7);
        values.sort_unstable_by(|a, b| compare(a, b));
        assert_eq!(values, expected);
    }
}
