//! Fixed width: a layout says in which characters of a line each column stands.
//!
//! A layout is a text with a column a line, `name start width`, or a dictionary of Stata (see [`dictionary`]). Its cells become the
//! text of a CSV, without the blanks around them, and are read as any other.

mod dictionary;
mod lines;

use lookalike_words::Name;

pub(crate) use self::lines::Cells;
use crate::{Error, LayoutFault};

/// Columns of a layout, at most.
const COLUMNS: usize = 1 << 14;

/// Characters of a line that a layout may name, at most.
const LINE: usize = 1 << 20;

/// In which characters of a line each column stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    columns: Vec<LayoutColumn>,
}

/// A column of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LayoutColumn {
    name: String,
    /// Its first character, from 0, and how many it has.
    start: usize,
    width: usize,
    /// Whether its cells are labels, whatever they look like.
    is_text: bool,
}

fn fault(line: usize, column: usize, why: LayoutFault) -> Error {
    Error::Layout { line, column, why }
}

impl Layout {
    /// Reads a layout.
    ///
    /// A line of the simple form has the column's name, its first character (from 1) and its width in characters, and perhaps the word
    /// `text`, which makes its cells labels; between them stand blanks, tabs or a comma. A name with such signs stands in double quotes,
    /// in which `""` is one. Empty lines, what follows a `#`, and a first line `name start width` say nothing.
    ///
    /// # Errors
    /// [`Error::Layout`], with line and column.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if dictionary::is_one(text) {
            return dictionary::read(text);
        }
        let mut layout = Self { columns: Vec::new() };
        for (line, content) in (1..).zip(text.lines()) {
            let words = words(line, content)?;
            let is_title =
                || words.iter().map(|(_, word)| word.as_str()).take(3).eq(["name", "start", "width"]);
            if words.is_empty() || layout.columns.is_empty() && is_title() {
                continue;
            }
            let end = content.chars().count() + 1;
            let number = |place: usize, why: LayoutFault| match words.get(place) {
                Some((at, word)) => word
                    .parse()
                    .ok()
                    .filter(|number| (1..=LINE).contains(number))
                    .ok_or_else(|| fault(line, *at, why)),
                None => Err(fault(line, end, why)),
            };
            let (start, width) = (number(1, LayoutFault::Start)?, number(2, LayoutFault::Width)?);
            let is_text = match words.get(3) {
                None => false,
                Some((_, word)) if word == "text" => true,
                Some((at, _)) => return Err(fault(line, *at, LayoutFault::More)),
            };
            if let Some((at, _)) = words.get(4) {
                return Err(fault(line, *at, LayoutFault::More));
            }
            let (at, name) = &words[0];
            layout.add((line, *at), name, (start - 1, width), is_text)?;
        }
        layout.whole()
    }

    /// Adds a column that is named at this place.
    fn add(
        &mut self,
        (line, column): (usize, usize),
        name: &str,
        (start, width): (usize, usize),
        is_text: bool,
    ) -> Result<(), Error> {
        let name = name.trim();
        if name.is_empty() {
            return Err(fault(line, column, LayoutFault::NoName));
        }
        if self.columns.iter().any(|other| other.name == name) {
            return Err(fault(line, column, LayoutFault::Twice { name: Name::from(name) }));
        }
        if start + width > LINE || self.columns.len() == COLUMNS {
            return Err(fault(line, column, LayoutFault::Large));
        }
        self.columns.push(LayoutColumn { name: name.to_owned(), start, width, is_text });
        Ok(())
    }

    fn whole(self) -> Result<Self, Error> {
        if self.columns.is_empty() { Err(fault(1, 1, LayoutFault::Nothing)) } else { Ok(self) }
    }

    /// The columns whose cells are labels.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.columns.iter().filter(|column| column.is_text).map(|column| column.name.clone()).collect()
    }

    /// How many columns it has.
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }
}

/// The words of a line of the simple form, each with its first character, from 1.
fn words(line: usize, content: &str) -> Result<Vec<(usize, String)>, Error> {
    let mut words = Vec::new();
    let mut rest = (1..).zip(content.chars()).peekable();
    while let Some(&(at, c)) = rest.peek() {
        match c {
            '#' => break,
            '"' => {
                rest.next();
                let mut word = String::new();
                loop {
                    match rest.next() {
                        None => return Err(fault(line, at, LayoutFault::Quote)),
                        Some((_, '"')) if rest.next_if(|(_, c)| *c == '"').is_none() => break,
                        Some((_, c)) => word.push(c),
                    }
                }
                words.push((at, word));
            }
            c if is_between(c) => {
                rest.next();
            }
            _ => {
                let mut word = String::new();
                while let Some((_, c)) = rest.next_if(|(_, c)| !is_between(*c) && *c != '#') {
                    word.push(c);
                }
                words.push((at, word));
            }
        }
    }
    Ok(words)
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || c == ','
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> (usize, usize, LayoutFault) {
        match Layout::parse(text) {
            Err(Error::Layout { line, column, why }) => (line, column, why),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_column_a_line() {
        let text =
            "name start width\n# who\nage 1 3 # years\n\n\"post \"\"code\"\"\",4,5,text\r\nsex\t9\t1\n";
        let layout = Layout::parse(text).unwrap();
        let columns: Vec<_> = layout
            .columns
            .iter()
            .map(|column| (column.name.as_str(), column.start, column.width, column.is_text))
            .collect();
        assert_eq!(columns, [("age", 0, 3, false), ("post \"code\"", 3, 5, true), ("sex", 8, 1, false)]);
        assert_eq!((layout.texts(), layout.len()), (vec![String::from("post \"code\"")], 3));
    }

    #[test]
    fn what_is_wrong_is_said_with_line_and_column() {
        for (text, line, column, why) in [
            ("", 1, 1, LayoutFault::Nothing),
            ("age 1\n", 1, 6, LayoutFault::Width),
            ("age 1 3\nsex x 1\n", 2, 5, LayoutFault::Start),
            ("age 0 3\n", 1, 5, LayoutFault::Start),
            ("age 1 3 number\n", 1, 9, LayoutFault::More),
            ("age 1 3 text 5\n", 1, 14, LayoutFault::More),
            ("\"age 1 3\n", 1, 1, LayoutFault::Quote),
            ("\"\" 1 3\n", 1, 1, LayoutFault::NoName),
            ("age 1048576 2\n", 1, 1, LayoutFault::Large),
            ("age 1 3\n  age 4 3\n", 2, 3, LayoutFault::Twice { name: Name::from("age") }),
        ] {
            assert_eq!(told(text), (line, column, why), "{text}");
        }
    }
}
