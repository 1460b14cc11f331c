//! A published cell, parsed.

use lookalike_table::Reading as Compared;

use super::range::range;
use crate::{SUPPRESSED, suppressed::is_suppressed};

/// A published cell.
///
/// In every column `{a, b}` is a set; a comma, brace or backslash in a member has a backslash before it. In a column
/// of numbers, dates or ordered labels there are
/// * `30`, `1.000,5`, `2024-01-05`, `Primary`: a value, spelled as the column is read;
/// * `[18-20]`, `[2024-01-05 - 2024-02-01]`, `[Primary - Tertiary]`: a range, both ends included;
/// * `>=90`, `<=20`: all from a value on, or up to it;
/// * `*`: any value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    /// Nothing is published.
    Suppressed,
    /// What the value may be: one atom, or the members of a set.
    OneOf(Vec<Atom>),
    /// Generalised in a form that is not known.
    Unknown,
}

/// A possible value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Atom {
    /// Not known in the original either.
    Missing,
    /// A range of numbers, day numbers or ranks: ends in order, equal for a value, infinite if open.
    Range(f64, f64),
    /// A label.
    Label(String),
}

/// How the cells of one column are read.
#[derive(Clone, Copy)]
pub(super) struct Form<'a> {
    /// How values are compared.
    pub(super) compared: &'a Compared,
    /// Whether that is known, not guessed from the published cells: then labels may look like anything.
    pub(super) sure: bool,
    /// Cells that mean "suppressed".
    pub(super) suppressed: &'a [String],
    /// Cells that mean "not known".
    pub(super) missing: &'a [String],
}

impl Form<'_> {
    /// Parses a cell.
    pub(super) fn parse(self, text: &str) -> Cell {
        let labels = *self.compared == Compared::Labels;
        if is_suppressed(text, self.suppressed) {
            return Cell::Suppressed;
        }
        let Some(members) = members(text) else { return Cell::Unknown };
        if !labels && members.iter().any(|member| member.trim() == SUPPRESSED) {
            return Cell::Suppressed;
        }
        let atoms: Option<Vec<Atom>> = members.iter().map(|member| self.atom(member)).collect();
        atoms.map_or(Cell::Unknown, Cell::OneOf)
    }

    /// Whether a cell or member says that the value is not known.
    pub(super) fn is_missing(self, text: &str) -> bool {
        lookalike_table::is_missing(text, self.missing)
    }

    fn atom(self, text: &str) -> Option<Atom> {
        if self.is_missing(text) {
            return Some(Atom::Missing);
        }
        let trimmed = text.trim();
        if *self.compared == Compared::Labels {
            let label = self.sure || !looks_generalised(trimmed);
            return label.then(|| Atom::Label(text.to_owned()));
        }
        // -0 is 0.
        let value = |text: &str| self.compared.value(text).map(|x| x + 0.0);
        if let Some(x) = value(trimmed) {
            return Some(Atom::Range(x, x));
        }
        if let Some(limit) = trimmed.strip_prefix(">=") {
            return value(limit).map(|x| Atom::Range(x, f64::INFINITY));
        }
        if let Some(limit) = trimmed.strip_prefix("<=") {
            return value(limit).map(|x| Atom::Range(f64::NEG_INFINITY, x));
        }
        let inner = trimmed.strip_prefix('[')?.strip_suffix(']')?;
        range(inner, self.compared).map(|(low, high)| Atom::Range(low, high))
    }
}

/// The members of a set, or the cell itself if it is none; `None` if a set is not well formed.
pub(super) fn members(text: &str) -> Option<Vec<String>> {
    match text.trim().strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        Some(members) => split(members),
        None => Some(vec![text.to_owned()]),
    }
}

/// Whether a label may be a generalisation in somebody's notation.
fn looks_generalised(text: &str) -> bool {
    let numbers = Compared::Numbers(lookalike_table::NumberFormat::PLAIN);
    let bound = text.trim_start_matches(['<', '>', '=', '\u{2264}', '\u{2265}']);
    let ends = |a: &[char], b: &[char]| text.starts_with(a) && text.ends_with(b);
    text.contains('*')
        || (bound.len() < text.len() && numbers.value(bound).is_some())
        || text.starts_with('[')
        || ends(&['(', ']'], &[')', ']', '['])
        || range(text, &numbers).is_some()
}

/// The members of a set without its braces; `None` if a brace is not escaped or a backslash escapes nothing.
fn split(text: &str) -> Option<Vec<String>> {
    let mut members = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let last = members.last_mut()?;
        match c {
            '\\' => last.push(chars.next().filter(|c| matches!(c, ',' | '{' | '}' | '\\'))?),
            '{' | '}' => return None,
            ',' => {
                chars.next_if_eq(&' ');
                members.push(String::new());
            }
            c => last.push(c),
        }
    }
    Some(members)
}

#[cfg(test)]
mod tests {
    use lookalike_table::{DateFormat, DateOrder, NumberFormat};
    use proptest::prelude::*;

    use super::*;

    const PLAIN: Compared = Compared::Numbers(NumberFormat::PLAIN);
    const COMMA: Compared = Compared::Numbers(NumberFormat::new(',', Some('.')));

    fn parse_as(compared: &Compared, sure: bool, text: &str) -> Cell {
        let (suppressed, missing) = ([String::from("*")], [String::new(), String::from("?")]);
        Form { compared, sure, suppressed: &suppressed, missing: &missing }.parse(text)
    }

    fn labels(text: &str) -> Cell {
        parse_as(&Compared::Labels, false, text)
    }

    fn label(text: &str) -> Atom {
        Atom::Label(text.to_owned())
    }

    fn point(x: f64) -> Atom {
        Atom::Range(x, x)
    }

    #[track_caller]
    fn is(compared: &Compared, text: &str, atoms: &[Atom]) {
        assert_eq!(parse_as(compared, true, text), Cell::OneOf(atoms.to_vec()), "{text}");
    }

    const INF: f64 = f64::INFINITY;

    #[test]
    fn numbers() {
        is(&PLAIN, "30", &[point(30.0)]);
        is(&PLAIN, "-1.50", &[point(-1.5)]);
        is(&PLAIN, "[18-20]", &[Atom::Range(18.0, 20.0)]);
        is(&PLAIN, "[-5--2]", &[Atom::Range(-5.0, -2.0)]);
        is(&PLAIN, "[-5-2]", &[Atom::Range(-5.0, 2.0)]);
        is(&PLAIN, "[1e-5-2.5]", &[Atom::Range(1e-5, 2.5)]);
        is(&PLAIN, "{1, 2.0}", &[point(1.0), point(2.0)]);
        is(&PLAIN, "{?, [18-20]}", &[Atom::Missing, Atom::Range(18.0, 20.0)]);
        is(&PLAIN, "?", &[Atom::Missing]);
        assert_eq!(parse_as(&PLAIN, true, "{?, *}"), Cell::Suppressed);
    }

    #[test]
    fn coded_ends() {
        is(&PLAIN, ">=90", &[Atom::Range(90.0, INF)]);
        is(&PLAIN, "<=-0.5", &[Atom::Range(-INF, -0.5)]);
        is(&PLAIN, "{<=20, 25, >=90}", &[Atom::Range(-INF, 20.0), point(25.0), Atom::Range(90.0, INF)]);
        is(&PLAIN, "{?, >=90}", &[Atom::Missing, Atom::Range(90.0, INF)]);
        is(&COMMA, ">=10.000", &[Atom::Range(1e4, INF)]);
        is(&COMMA, r"{<=0\,5, 1.000\,25}", &[Atom::Range(-INF, 0.5), point(1000.25)]);
    }

    #[test]
    fn local_numbers() {
        is(&COMMA, "2.000,5", &[point(2000.5)]);
        is(&COMMA, "[1,25-2.000,5]", &[Atom::Range(1.25, 2000.5)]);
        is(&COMMA, r"{1\,25, 2.000\,5}", &[point(1.25), point(2000.5)]);
        let spaced = Compared::Numbers(NumberFormat::new('.', Some('\u{202f}')));
        is(&spaced, "[-1\u{202f}000-2\u{202f}000]", &[Atom::Range(-1000.0, 2000.0)]);
        // A decimal point is no sign between thousands.
        assert_eq!(parse_as(&COMMA, true, "[1.25-2.5]"), Cell::Unknown);
    }

    /// Percent signs, currencies and parentheses are the column's; the numbers between them are compared.
    #[test]
    fn amounts() {
        let of = |cells: &[&str]| {
            let column = lookalike_table::Column {
                name: String::from("x"),
                texts: false,
                values: cells.iter().collect(),
                cells: (0..cells.len() as u32).collect(),
            };
            lookalike_table::infer(&column, &[]).reading
        };
        let percent = of(&["5 %", "12.5 %"]);
        is(&percent, "[5 %-12.5 %]", &[Atom::Range(5.0, 12.5)]);
        is(&percent, "{5 %, -7.5 %}", &[point(5.0), point(-7.5)]);
        is(&percent, ">=90 %", &[Atom::Range(90.0, INF)]);
        assert_eq!(parse_as(&percent, true, "[5-12.5]"), Cell::Unknown);
        let euros = of(&["\u{20ac} 1.234,50", "-\u{20ac} 2,00"]);
        is(&euros, "[-\u{20ac} 2,00-\u{20ac} 1.234,50]", &[Atom::Range(-2.0, 1234.5)]);
        let dollars = of(&["$-5.50", "$7.25"]);
        is(&dollars, "[$-5.50-$-2.25]", &[Atom::Range(-5.5, -2.25)]);
        let accounts = of(&["(1,234.5)", "17"]);
        is(&accounts, "[(1,234.5)-17]", &[Atom::Range(-1234.5, 17.0)]);
    }

    #[test]
    fn dates() {
        let iso = Compared::Dates(DateFormat::iso());
        // Days 4 and 31 of 1970, from 0.
        is(&iso, "1970-01-05", &[point(4.0)]);
        is(&iso, "[1970-01-05 - 1970-02-01]", &[Atom::Range(4.0, 31.0)]);
        is(&iso, "{?, [1970-01-05 - 1970-02-01]}", &[Atom::Missing, Atom::Range(4.0, 31.0)]);
        is(&iso, "{1970-01-01, 1970-01-05}", &[point(0.0), point(4.0)]);
        let german = Compared::Dates(DateFormat::days(DateOrder::Dmy, Some('.'), false));
        is(&german, "[5.1.1970 - 1.2.1970]", &[Atom::Range(4.0, 31.0)]);
        let slashes = Compared::Dates(DateFormat::days(DateOrder::Mdy, Some('/'), true));
        is(&slashes, "[01/05/1970 - 02/01/1970]", &[Atom::Range(4.0, 31.0)]);
        for text in ["[1970-02-01 - 1970-01-05]", "[1970-01-05]", "1970-01", "[1970-01-05-1970-02-01-]"] {
            assert_eq!(parse_as(&iso, true, text), Cell::Unknown, "{text}");
        }
    }

    #[test]
    fn ordered_labels() {
        let order = ["- none", "Primary", "a - b", "Tertiary"].map(String::from).to_vec();
        let ranks = Compared::Ranks(order);
        is(&ranks, "a - b", &[point(2.0)]);
        is(&ranks, "[Primary - Tertiary]", &[Atom::Range(1.0, 3.0)]);
        is(&ranks, r"[\- none - a \- b]", &[Atom::Range(0.0, 2.0)]);
        is(&ranks, "{Primary, Tertiary}", &[point(1.0), point(3.0)]);
        for text in ["Secondary", "[Primary - Secondary]", "[Tertiary - Primary]", "[a - b - Tertiary]"] {
            assert_eq!(parse_as(&ranks, true, text), Cell::Unknown, "{text}");
        }
    }

    #[test]
    fn labels_and_sets() {
        let one = |text: &str, atom: Atom| assert_eq!(labels(text), Cell::OneOf(vec![atom]), "{text}");
        one("FLU", label("FLU"));
        one("Married-civ-spouse", label("Married-civ-spouse"));
        one("<=50K", label("<=50K"));
        one("?", Atom::Missing);
        assert_eq!(labels("*"), Cell::Suppressed);
        assert_eq!(labels("{FLU, HIV}"), Cell::OneOf(vec![label("FLU"), label("HIV")]));
        let told = [label("a, b"), label("{c}"), label(r"d\")];
        assert_eq!(labels(r"{a\, b, \{c\}, d\\}"), Cell::OneOf(told.to_vec()));
    }

    #[test]
    fn unknown_forms() {
        let doubtful =
            ["[2024-01-05 - 2024-02-01]", ">=90", "<20", "20-30", "2207*", "[20, 30[", "(1,2]", "{a, 2*}"];
        for text in doubtful {
            assert_eq!(labels(text), Cell::Unknown, "{text}");
            assert_ne!(parse_as(&Compared::Labels, true, text), Cell::Unknown, "known to be labels: {text}");
        }
        for text in ["[20-10]", "[a-b]", "[1-2-3]", "<20", "20-30", "[20, 30[", "2207*", "old", ">=", "[]"] {
            assert_eq!(parse_as(&PLAIN, true, text), Cell::Unknown, "{text}");
        }
        for text in ["{a{b}", r"{a\b}"] {
            assert_eq!(parse_as(&Compared::Labels, true, text), Cell::Unknown, "{text}");
        }
    }

    proptest! {
        /// Whatever labels a set is made of, they come back.
        #[test]
        fn sets_come_back(all in prop::collection::vec("[a-z,{}\\\\]{1,6}", 1..5)) {
            let escaped: Vec<String> = all
                .iter()
                .map(|l| l.chars().flat_map(|c| match c {
                    ',' | '{' | '}' | '\\' => vec!['\\', c],
                    c => vec![c],
                }).collect())
                .collect();
            let text = format!("{{{}}}", escaped.join(", "));
            let atoms: Vec<Atom> = all.iter().map(|l| label(l)).collect();
            prop_assert_eq!(labels(&text), Cell::OneOf(atoms));
        }

        #[test]
        fn never_panics(text in any::<String>()) {
            for compared in [Compared::Labels, PLAIN, COMMA] {
                let _ = parse_as(&compared, false, &text);
            }
        }
    }
}
