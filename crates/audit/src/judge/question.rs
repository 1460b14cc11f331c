//! What to judge.

use lookalike_words::Name;

use super::{
    conditions::{self, Arrangement, Condition},
    error::Error,
};

/// The guarantee to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// At least `k` records share each combination of published quasi-identifiers (and each class).
    KAnonymity {
        /// Least group size.
        k: usize,
    },
    /// By class: at least `m` records, all sensitive values different. By equal published quasi-identifiers: at
    /// least `m` records, no value held by more than 1/m of them (Tobar 2023, Definition II.1).
    MUnique {
        /// Least number of different values.
        m: usize,
    },
}

impl Guarantee {
    /// The least number of rows of a class or group.
    pub(crate) fn least(self) -> usize {
        match self {
            Self::KAnonymity { k } => k,
            Self::MUnique { m } => m,
        }
    }
}

/// The form that the bytes of a release have; see [`crate::judge_stream`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// What separates two cells: an ASCII character that is no quotation mark and ends no line.
    pub delimiter: u8,
    /// Whether the bytes begin with a byte-order mark.
    pub bom: bool,
    /// Whether rows end in a carriage return and a line feed; in a line feed alone otherwise.
    pub crlf: bool,
    /// Whether an apostrophe stands before each cell that a spreadsheet would run as a formula, and before each that begins
    /// with one. It is no part of the cell.
    pub defused: bool,
}

impl Dialect {
    /// Commas, no byte-order mark, line feeds, cells as they are.
    pub const PLAIN: Self = Self { delimiter: b',', bom: false, crlf: false, defused: false };
}

impl Default for Dialect {
    fn default() -> Self {
        Self::PLAIN
    }
}

/// What every class and group is to keep beside the guarantee.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// The conditions, all of which must hold.
    pub all: Vec<Condition>,
    /// How the sensitive values lie to each other, for conditions that go by it.
    pub arranged: Arrangement,
}

/// What to judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Columns that an attacker may know, kept columns included.
    pub quasi: Vec<String>,
    /// The protected column; needed by [`Guarantee::MUnique`].
    pub sensitive: Option<String>,
    /// The guarantee.
    pub guarantee: Guarantee,
    /// Conditions on the sensitive values of each class and group.
    pub conditions: Conditions,
    /// Name of the column with the class labels; without it, or if the table has no such column, only equal
    /// quasi-identifiers are judged, and the verdict says so.
    pub class: Option<String>,
    /// Cells of the sensitive column that mean "not known", white space around them and case not counted.
    pub markers: Vec<String>,
    /// The form of the bytes; means nothing for rows that another reader made.
    pub dialect: Dialect,
}

impl Question {
    /// Refuses questions that make no sense, whatever the table.
    pub(crate) fn validate(&self) -> Result<(), Error> {
        let parameter = match self.guarantee {
            Guarantee::KAnonymity { .. } => "k",
            Guarantee::MUnique { .. } => "m",
        };
        let value = self.guarantee.least();
        if value < 2 {
            return Err(Error::TooSmall { parameter, value });
        }
        let delimiter = self.dialect.delimiter;
        if !delimiter.is_ascii() || matches!(delimiter, b'"' | b'\r' | b'\n' | 0) {
            return Err(Error::Delimiter);
        }
        if self.quasi.is_empty() {
            return Err(Error::NoQuasi);
        }
        if matches!(self.guarantee, Guarantee::MUnique { .. }) && self.sensitive.is_none() {
            return Err(Error::NoSensitive);
        }
        conditions::validate(&self.conditions.all, self.sensitive.is_some())?;
        let mut named: Vec<&String> = self.quasi.iter().chain(&self.sensitive).chain(&self.class).collect();
        named.sort_unstable();
        match named.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Error::RoleTwice { column: Name::from(pair[0].as_str()) }),
            None => Ok(()),
        }
    }
}
