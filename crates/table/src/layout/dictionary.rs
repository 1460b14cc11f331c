//! A dictionary of Stata (`.dct`) as a layout: `infile dictionary` with columns of a width, or `infix dictionary`.
//!
//! ```text
//! infile dictionary using survey.raw {         infix dictionary {
//!     _column(1)  int  age  %3f  "Age"             age 1-3
//!     _column(5)  str5 zip  %5s                    str zip 5-9
//! }                                            }
//! ```
//!
//! What is read there and changes what a cell means (records of several lines, decimal places that are implied) is refused.

use super::{Layout, fault};
use crate::{Error, LayoutFault};

/// Types of numbers.
const NUMBERS: [&str; 5] = ["byte", "int", "long", "float", "double"];

/// Whether a text begins as a dictionary does, after remarks.
pub(super) fn is_one(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('*'));
    let mut words = first.unwrap_or_default().split_whitespace();
    matches!(words.next(), Some("infile" | "infix" | "dictionary"))
        && first
            .is_some_and(|line| line.split(|c: char| !c.is_alphanumeric()).any(|word| word == "dictionary"))
}

/// Where the next column begins, and what the columns are read by.
struct Reading {
    layout: Layout,
    next: usize,
    by_places: bool,
}

pub(super) fn read(text: &str) -> Result<Layout, Error> {
    let mut reading = Reading { layout: Layout { columns: Vec::new() }, next: 0, by_places: false };
    let mut within = false;
    for (line, content) in (1..).zip(text.lines()) {
        let start = content.len() - content.trim_start().len();
        let column = content[..start].chars().count() + 1;
        let content = content.trim();
        if content.is_empty() || content.starts_with('*') || content.starts_with("//") {
            continue;
        }
        if !within {
            reading.by_places = content.starts_with("infix");
            let Some(open) = content.find('{') else {
                // The brace may stand in a line of its own.
                continue;
            };
            within = true;
            let rest = content[open + 1..].trim();
            if !rest.is_empty() {
                return Err(fault(line, column, LayoutFault::Dictionary { what: rest.to_owned() }));
            }
            continue;
        }
        if content.starts_with('}') {
            return reading.layout.whole();
        }
        if reading.by_places {
            reading.place((line, column), content)?;
        } else {
            reading.format((line, column), content)?;
        }
    }
    Err(fault(text.lines().count().max(1), 1, LayoutFault::Open))
}

impl Reading {
    /// A line of `infix`: `[type] name from[-to]`.
    fn place(&mut self, at: (usize, usize), content: &str) -> Result<(), Error> {
        let unknown = || fault(at.0, at.1, LayoutFault::Dictionary { what: content.to_owned() });
        let mut words: Vec<&str> = content.split_whitespace().collect();
        let is_text = words.first().is_some_and(|word| word.starts_with("str"));
        if words.len() == 3 && (is_text || NUMBERS.contains(&words[0])) {
            words.remove(0);
        }
        let [name, places] = words[..] else { return Err(unknown()) };
        let (from, to) = places.split_once('-').unwrap_or((places, places));
        let (Ok(from @ 1..), Ok(to)) = (from.parse::<usize>(), to.parse::<usize>()) else {
            return Err(unknown());
        };
        let Some(more) = to.checked_sub(from) else { return Err(unknown()) };
        self.layout.add(at, name, (from - 1, more.saturating_add(1)), is_text)
    }

    /// A line of `infile`: `[_column(n)] [_skip(n)] [type] name [:labels] %format ["what it is"]`.
    fn format(&mut self, at: (usize, usize), content: &str) -> Result<(), Error> {
        let what = |what: &str| fault(at.0, at.1, LayoutFault::Dictionary { what: what.to_owned() });
        // What describes the column may hold anything.
        let content = content.split_once('"').map_or(content, |(before, _)| before);
        let (mut is_text, mut name, mut width) = (false, None, None);
        for word in content.split_whitespace() {
            let argument = |of: &str| {
                let within = word.strip_prefix(of)?.strip_prefix('(')?.strip_suffix(')')?;
                within.trim().parse::<usize>().ok()
            };
            if let Some(first @ 1..) = argument("_column") {
                self.next = first - 1;
            } else if word == "_skip" || argument("_skip").is_some() {
                self.next = self.next.saturating_add(argument("_skip").unwrap_or(1));
            } else if word.starts_with('_') && name.is_none() && word.contains('(') {
                return Err(what(word));
            } else if let Some(format) = word.strip_prefix('%') {
                width = Some(format.trim_start_matches('-')).and_then(of_format);
                if width.is_none() {
                    return Err(what(word));
                }
            } else if word.starts_with(':') {
                // A set of labels, which stands elsewhere.
            } else if name.is_none()
                && word.starts_with("str")
                && word[3..].bytes().all(|c| c.is_ascii_digit())
            {
                is_text = true;
            } else if name.is_none() && NUMBERS.contains(&word) {
            } else if name.is_none() {
                name = Some(word);
            } else {
                return Err(what(word));
            }
        }
        let Some(name) = name else {
            // A place alone.
            return if width.is_none() { Ok(()) } else { Err(what(content)) };
        };
        let Some(width) = width else {
            return Err(fault(at.0, at.1, LayoutFault::NoWidth { name: name.into() }));
        };
        self.layout.add(at, name, (self.next, width), is_text)?;
        self.next = self.next.saturating_add(width);
        Ok(())
    }
}

/// The width of a format such as `8s`, `3f` or `9.0g`; `None` if it implies decimal places or has no width.
fn of_format(format: &str) -> Option<usize> {
    let digits = format.strip_suffix(['s', 'S', 'f', 'g', 'e'])?;
    let (width, places) = digits.split_once('.').unwrap_or((digits, "0"));
    (places.bytes().all(|c| c == b'0')).then_some(())?;
    width.parse().ok().filter(|width| *width > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(text: &str) -> Vec<(String, usize, usize, bool)> {
        let layout = Layout::parse(text).unwrap();
        let of = |column: &super::super::LayoutColumn| {
            (column.name.clone(), column.start, column.width, column.is_text)
        };
        layout.columns.iter().map(of).collect()
    }

    #[test]
    fn dictionaries_with_formats_and_with_places() {
        let wanted = [
            (String::from("age"), 0, 3, false),
            (String::from("zip"), 4, 5, true),
            (String::from("income"), 9, 8, false),
        ];
        let formats = "* A survey\ninfile dictionary using survey.raw {\n  _column(1) int age %3f \"Age, in % of {\"\n\
                       _column(5) str5 zip :places %5s\n double income %8.0g\n}\n1 2 3\n";
        assert_eq!(columns(formats), wanted);
        let places = "infix dictionary {\n  age 1-3\n str zip 5-9\n  double income 10-17\n}\n";
        assert_eq!(columns(places), wanted);
        assert_eq!(columns("dictionary {\n_skip(2) x %1s\n}\n"), [(String::from("x"), 2, 1, false)]);
    }

    #[test]
    fn what_changes_the_meaning_of_cells_is_refused() {
        for (text, line, column) in [
            ("infile dictionary {\n  _column(1) age %5.2f\n}\n", 2, 3),
            ("infile dictionary {\n _newline(2)\n}\n", 2, 2),
            ("infile dictionary {\n _column(1) age\n}\n", 2, 2),
            ("infix dictionary {\n age 3-1\n}\n", 2, 2),
            ("infix dictionary {\n 2 lines\n}\n", 2, 2),
            ("infile dictionary {\n _column(1) age %3f\n", 2, 1),
        ] {
            match Layout::parse(text) {
                Err(Error::Layout { line: at, column: of, .. }) => {
                    assert_eq!((at, of), (line, column), "{text}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
