//! Labels that are intervals of numbers.

use crate::{NumberFormat, Reading};

/// The ends that a label says, in a column that is read so: `[20-29]`, `[20-25)`, `[20, 30[`, `20-29`, or one number for both; of
/// `<20`, `>=90` and `90+` the one there is. `None` for anything else, and for what can be taken in two ways. Numbers are spelled as
/// in the column, or with a decimal point.
#[must_use]
pub fn interval_ends(label: &str, reading: &Reading) -> Option<(f64, f64)> {
    let plain = Reading::Numbers(NumberFormat::PLAIN);
    let number = |text: &str| {
        let text = text.trim();
        reading.value(text).or_else(|| plain.value(text)).filter(|x| x.is_finite())
    };
    let label = label.trim();
    let from =
        ["<=", ">=", "<", ">", "\u{2264}", "\u{2265}"].into_iter().find_map(|sign| label.strip_prefix(sign));
    let limit = from.or_else(|| label.strip_suffix('+')).unwrap_or(label);
    if let Some(x) = number(limit) {
        return Some((x, x));
    }
    let inner = match (label.strip_prefix(['[', ']', '(']), label.strip_suffix([']', '[', ')'])) {
        (Some(_), Some(_)) => label.get(1..label.len().checked_sub(1)?)?,
        (None, None) => label,
        _ => return None,
    };
    let all = |mark: &'static str| {
        let splits = inner.match_indices(mark).map(move |(at, _)| (&inner[..at], &inner[at + mark.len()..]));
        let ends = splits.filter_map(|(low, high)| Some((number(low)?, number(high)?)));
        ends.filter(|(low, high)| low <= high).collect::<Vec<_>>()
    };
    let found = [", ", "-", ","].into_iter().map(all).find(|found| !found.is_empty())?;
    (found.len() == 1).then(|| found[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations() {
        let plain = |label| interval_ends(label, &Reading::Numbers(NumberFormat::PLAIN));
        assert_eq!(plain("[-5--2]"), Some((-5.0, -2.0)));
        assert_eq!((plain("[20, 30["), plain("20-29")), (Some((20.0, 30.0)), Some((20.0, 29.0))));
        assert_eq!((plain("[20-25)"), plain(" 20 - 29 ")), (Some((20.0, 25.0)), Some((20.0, 29.0))));
        assert_eq!(
            (plain("90+"), plain(">=90"), plain("<20")),
            (Some((90.0, 90.0)), Some((90.0, 90.0)), Some((20.0, 20.0)))
        );
        for label in [
            "20-29)",
            "[20-29",
            "((20-29))",
            "90++",
            "NaN",
            "2207*",
            "young",
            "[29-20]",
            "",
            "[",
            "*",
            "{20-29}",
        ] {
            assert_eq!(plain(label), None, "{label}");
        }
    }

    #[test]
    fn decimal_commas() {
        let comma = |label| interval_ends(label, &Reading::Numbers(NumberFormat::new(',', None)));
        assert_eq!((comma("[20,0,29,5]"), comma("[-5,5,-2,5]")), (Some((20.0, 29.5)), Some((-5.5, -2.5))));
        assert_eq!(
            (comma("[20,5,30]"), comma("20,5-30,5"), comma("[20.5-30)")),
            (Some((20.5, 30.0)), Some((20.5, 30.5)), Some((20.5, 30.0)))
        );
        assert_eq!(comma("[1,5,30]"), None, "from 1 to 5.30, or from 1.5 to 30");
    }
}
