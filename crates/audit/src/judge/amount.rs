//! Numbers as people write them: a decimal point or comma, marks between thousands, a percent sign or a currency around them.

use super::number::number;

/// Signs that stand before or after an amount; codes of currencies are three capital letters.
const SIGNS: [&str; 14] = [
    "%", "$", "US$", "R$", "\u{a3}", "\u{a5}", "kr", "z\u{142}", "K\u{10d}", "\u{20ac}", "\u{20b9}",
    "\u{20bd}", "\u{20a9}", "\u{20ba}",
];

/// What may stand between thousands.
const GROUPS: [char; 7] = [',', '.', ' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}'];

/// How all of these texts are read as numbers; `None` if they are not all numbers of one notation, or if two notations read one of them
/// differently. Plain numbers are the first that is tried.
pub(super) fn notation(texts: &[&str]) -> Option<Notation> {
    if texts.iter().all(|text| number(text).is_some()) {
        return Some(Notation { decimal: '.', group: None, sign: None });
    }
    let signs: Vec<&str> = texts.iter().filter_map(|text| taken_apart(text).1).collect();
    let sign = signs.first().map(|sign| (*sign).to_owned());
    if signs.iter().any(|other| Some(*other) != sign.as_deref()) {
        return None;
    }
    let groups = || std::iter::once(None).chain(GROUPS.map(Some));
    let all = ['.', ','].into_iter().flat_map(|decimal| groups().map(move |group| (decimal, group)));
    let mut fitting =
        all.filter(|(decimal, group)| Some(*decimal) != *group).filter_map(|(decimal, group)| {
            let notation = Notation { decimal, group, sign: sign.clone() };
            let read = texts.iter().map(|text| notation.read(text)).collect::<Option<Vec<f64>>>()?;
            Some((notation, read))
        });
    let (first, numbers) = fitting.next()?;
    fitting.all(|(_, others)| others == numbers).then_some(first)
}

/// A notation of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Notation {
    decimal: char,
    group: Option<char>,
    /// What stands beside the number, where anything does.
    sign: Option<String>,
}

impl Notation {
    /// The number that a text holds.
    pub(super) fn read(&self, text: &str) -> Option<f64> {
        if *self == (Self { decimal: '.', group: None, sign: None }) {
            return number(text);
        }
        let (digits, sign, negative) = taken_apart(text);
        if sign.is_some() && sign != self.sign.as_deref() {
            return None;
        }
        let (whole, fraction) =
            digits.split_once(self.decimal).map_or((digits.as_str(), None), |(a, b)| (a, Some(b)));
        let whole = match self.group.filter(|group| whole.contains(*group)) {
            None => whole.to_owned(),
            Some(group) => {
                let mut parts = whole.trim_start_matches(['+', '-']).split(group);
                let first = parts.next()?;
                let good = (1..=3).contains(&first.len()) && parts.all(|part| part.len() == 3);
                if !good {
                    return None;
                }
                whole.replace(group, "")
            }
        };
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let plain = whole.trim_start_matches(['+', '-']);
        if plain.is_empty() || !all_digits(plain) || !fraction.is_none_or(all_digits) {
            return None;
        }
        let read = number(&fraction.map_or(whole.clone(), |fraction| format!("{whole}.{fraction}")))?;
        Some(if negative { -read } else { read })
    }
}

/// The digits of an amount with their marks, what stands beside them, and whether parentheses or a minus before the sign make it negative.
fn taken_apart(text: &str) -> (String, Option<&str>, bool) {
    let trimmed = text.trim();
    let bracketed = trimmed.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let inner = bracketed.unwrap_or(trimmed).trim();
    let (minus, inner) = match inner.strip_prefix('-') {
        Some(rest) if !rest.starts_with(|c: char| c.is_ascii_digit()) => (true, rest.trim_start()),
        _ => (false, inner),
    };
    let starts = inner.find(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | ','));
    let before = inner[..starts.unwrap_or(inner.len())].trim();
    let ends = inner.rfind(|c: char| c.is_ascii_digit()).map_or(0, |at| at + 1);
    let after = inner[ends..].trim();
    let digits = || inner[starts.unwrap_or(0)..ends.max(starts.unwrap_or(0))].to_owned();
    let known = |sign: &str| {
        SIGNS.contains(&sign) || sign.len() == 3 && sign.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    match (before, after) {
        ("", "") => (inner.to_owned(), None, bracketed.is_some() || minus),
        ("", sign) | (sign, "") if known(sign) => (digits(), Some(sign), bracketed.is_some() || minus),
        _ => (trimmed.to_owned(), None, false),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(texts: &[&str]) -> Option<Vec<f64>> {
        let notation = notation(texts)?;
        texts.iter().map(|text| notation.read(text)).collect()
    }

    #[test]
    fn by_hand() {
        assert_eq!(read(&["10", "9.5", "-3e2"]), Some(vec![10.0, 9.5, -300.0]));
        assert_eq!(read(&["800,5", "1200", "-3,25"]), Some(vec![800.5, 1200.0, -3.25]));
        assert_eq!(read(&["1.000,5", "20"]), Some(vec![1000.5, 20.0]));
        assert_eq!(read(&["1'200.50", "7"]), Some(vec![1200.5, 7.0]));
        assert_eq!(read(&["\u{20ac} 900", "\u{20ac} 1.100,5"]), Some(vec![900.0, 1100.5]));
        assert_eq!(read(&["10 %", "5,5 %"]), Some(vec![10.0, 5.5]));
        assert_eq!(read(&["$5", "($3)", "-$4"]), Some(vec![5.0, -3.0, -4.0]));
        assert_eq!(read(&["1,234", "2,345"]), None, "a thousand or one and a bit");
        assert_eq!(read(&["10 %", "5 EUR"]), None);
        for texts in
            [&["low", "10"][..], &["A10", "A20"], &["12,34", "1,234.5"], &["5 kg", "6 kg"], &["", "1"]]
        {
            assert_eq!(read(texts), None, "{texts:?}");
        }
    }

    proptest! {
        /// What the reader of tables takes for the amounts of a column, the judge does, too.
        #[test]
        fn amounts_are_those_of_the_table_reader(
            numbers in prop::collection::vec((0..5_000_000_u32, any::<bool>()), 1..6), decimal in prop::sample::select(vec!['.', ',']),
            grouped in any::<bool>(), sign in prop::sample::select(vec!["", " %", " EUR", " \u{20ac}", " \u{20a9}", " \u{20ba}", " kr", " z\u{142}"]),
        ) {
            let texts: Vec<String> = (numbers.iter())
                .map(|(number, half)| {
                    let digits = number.to_string();
                    let mark = if decimal == '.' { ',' } else { '.' };
                    let mut whole = String::new();
                    for (at, digit) in digits.chars().enumerate() {
                        if grouped && at > 0 && (digits.len() - at) % 3 == 0 {
                            whole.push(mark);
                        }
                        whole.push(digit);
                    }
                    let fraction = if *half { format!("{decimal}25") } else { String::new() };
                    format!("{whole}{fraction}{sign}")
                })
                .collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let theirs = lookalike_table::NumberFormat::only_of(&texts.iter().copied())
                .map(|format| texts.iter().map(|text| format.parse(text).unwrap()).collect::<Vec<f64>>())
                // Plain numbers are taken for what they are, whatever else they could be.
                .or_else(|| texts.iter().map(|text| lookalike_table::parse_number(text)).collect());
            prop_assert_eq!(read(&texts), theirs, "{:?}", texts);
        }
    }
}
