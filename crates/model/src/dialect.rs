//! The form of a published table as a file: what stands between its cells, how its lines end, how it begins, and whether it has
//! a column of classes.

use serde::{Deserialize, Serialize};

lookalike_words::messages! {
    in "model";

    /// What stands between two cells of a row.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Separator {
        /// `,`
        #[default]
        Comma,
        /// `;`
        Semicolon,
        /// A tab.
        Tab,
        /// `|`
        Bar,
    }

    /// The form in words.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DialectWords {
        /// The form of a table.
        Form {
            /// What stands between two cells.
            separator: Separator,
            /// Whether lines end in CRLF; in LF otherwise.
            crlf: bool,
            /// Whether the file begins with a byte-order mark.
            bom: bool,
            /// Whether an apostrophe stands before what a spreadsheet would run as a formula.
            defused: bool,
        },
    }
}

impl Separator {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Comma, Self::Semicolon, Self::Tab, Self::Bar];

    /// The character.
    #[must_use]
    pub fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
            Self::Bar => b'|',
        }
    }

    /// The separator that is this character.
    #[must_use]
    pub fn of(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|separator| separator.byte() == byte)
    }
}

/// What ends each line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineEnds {
    /// A line feed.
    #[default]
    Lf,
    /// A carriage return and a line feed.
    Crlf,
}

/// What happens to cells that a spreadsheet would run as a formula when it opens the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Formulas {
    /// They stay as they are.
    #[default]
    Keep,
    /// An apostrophe stands before them, which makes them text, and before every cell that begins with one, so that a reader
    /// knows which to take away.
    Defuse,
}

impl Formulas {
    /// Whether this is [`Formulas::Keep`].
    #[must_use]
    pub fn are_kept(&self) -> bool {
        *self == Self::Keep
    }
}

/// The form of a table as a file in UTF-8. Cells are quoted by `"` where they must be and nowhere else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialect {
    /// What stands between two cells.
    pub delimiter: Separator,
    /// Whether the file begins with a byte-order mark.
    pub bom: bool,
    /// What ends each line.
    pub line_ends: LineEnds,
    /// What happens to cells that would be run as a formula.
    #[serde(default, skip_serializing_if = "Formulas::are_kept")]
    pub formulas: Formulas,
}

impl Dialect {
    /// Commas, no byte-order mark, line feeds, cells as they are.
    pub const PLAIN: Self =
        Self { delimiter: Separator::Comma, bom: false, line_ends: LineEnds::Lf, formulas: Formulas::Keep };

    /// Whether this is [`Dialect::PLAIN`].
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::PLAIN
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> DialectWords {
        let crlf = self.line_ends == LineEnds::Crlf;
        let defused = !self.formulas.are_kept();
        DialectWords::Form { separator: self.delimiter, crlf, bom: self.bom, defused }
    }
}

/// The form that is asked for. What is `None` is as in the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Output {
    /// What stands between two cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<Separator>,
    /// Whether the file begins with a byte-order mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bom: Option<bool>,
    /// What ends each line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_ends: Option<LineEnds>,
    /// What happens to cells that would be run as a formula; they are kept where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formulas: Option<Formulas>,
}

impl Output {
    /// Whether everything is as in the input.
    #[must_use]
    pub fn is_as_input(&self) -> bool {
        *self == Self::default()
    }

    /// The form of what is published of an input of this form.
    #[must_use]
    pub fn of(self, input: Dialect) -> Dialect {
        Dialect {
            delimiter: self.delimiter.unwrap_or(input.delimiter),
            bom: self.bom.unwrap_or(input.bom),
            line_ends: self.line_ends.unwrap_or(input.line_ends),
            formulas: self.formulas.unwrap_or(input.formulas),
        }
    }

    /// This before another: what both say is taken from this one.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        Self {
            delimiter: self.delimiter.or(below.delimiter),
            bom: self.bom.or(below.bom),
            line_ends: self.line_ends.or(below.line_ends),
            formulas: self.formulas.or(below.formulas),
        }
    }
}

/// The column with the class labels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassColumn {
    /// It has this name.
    Named(String),
    /// There is none: equal published quasi-identifiers are all that a reader has.
    None,
}

impl ClassColumn {
    /// The name it has where nothing is said.
    pub const USUAL: &str = "class";

    /// Its name, if there is one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            Self::None => None,
        }
    }

    /// Whether it is what it is where nothing is said.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        self.name() == Some(Self::USUAL)
    }
}

impl Default for ClassColumn {
    fn default() -> Self {
        Self::Named(String::from(Self::USUAL))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_asked_for_is_as_in_the_input() {
        let input = Dialect {
            delimiter: Separator::Semicolon,
            bom: true,
            line_ends: LineEnds::Crlf,
            ..Dialect::PLAIN
        };
        assert_eq!(Output::default().of(input), input);
        let plain: Output =
            serde_json::from_str(r#"{"delimiter":"comma","bom":false,"line_ends":"lf"}"#).unwrap();
        assert_eq!(plain.of(input), Dialect::PLAIN);
        let tabs = Output { delimiter: Some(Separator::Tab), ..Output::default() };
        assert_eq!(tabs.of(input), Dialect { delimiter: Separator::Tab, ..input });
        assert_eq!(tabs.over(plain), Output { delimiter: Some(Separator::Tab), ..plain });
        let defused: Output = serde_json::from_str(r#"{"formulas":"defuse"}"#).unwrap();
        assert_eq!(defused.of(input).formulas, Formulas::Defuse);
    }

    #[test]
    fn a_form_is_said_in_words() {
        let words = |dialect: Dialect| dialect.words().to_string();
        assert_eq!(words(Dialect::PLAIN), "commas between cells, LF at the end of lines, no byte-order mark");
        let german = Dialect {
            delimiter: Separator::Semicolon,
            bom: true,
            line_ends: LineEnds::Crlf,
            formulas: Formulas::Defuse,
        };
        assert_eq!(
            words(german),
            "semicolons between cells, CRLF at the end of lines, a byte-order mark, formulas made text by an apostrophe"
        );
    }
}
