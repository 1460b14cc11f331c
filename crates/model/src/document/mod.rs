//! A document whose words are messages: it is made once, travels as data, and is put into words by whoever shows it.

mod html;

use lookalike_words::{Arg, AsArg, Said, Speaker};
use serde::{Deserialize, Serialize};

/// A document: a title and its parts, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its title.
    pub title: Said,
    /// What stands below it.
    pub parts: Vec<Part>,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// A paragraph that is set apart.
    Notice(Notice, Said),
    /// The heading of a sheet of paper; what stands before the first is a sheet, too.
    Sheet(Said),
    /// The heading of what follows, up to the next.
    Heading(Said),
    /// A paragraph.
    Paragraph(Said),
    /// A list.
    List(Vec<Said>),
    /// A table.
    Table(Table),
    /// Lines for the hand of the person who signs, and what is written on each.
    Signature(Vec<Said>),
    /// Questions that are answered by hand, each with room below.
    Blanks(Vec<Said>),
}

/// Why a paragraph is set apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notice {
    /// It says that all is well.
    Passed,
    /// It says that something is wrong.
    Failed,
    /// It says who may see the document.
    Private,
}

/// A table. A cell is a message, a number, or a text of the data, which no language changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// What its columns are called; nothing where rows of names and values explain themselves.
    pub head: Vec<Said>,
    /// Its rows; the first cell of a row is its name.
    pub rows: Vec<Vec<Arg>>,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn of<const N: usize>(head: [impl Into<Said>; N]) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row of two cells: what a value is, and the value.
    pub fn row(&mut self, name: &impl AsArg, value: &impl AsArg) {
        self.rows.push(vec![name.as_arg(), value.as_arg()]);
    }
}

impl Document {
    /// As one HTML file that needs nothing else, in the language of the speaker. What it lacks words for stands in English, marked
    /// as that.
    #[must_use]
    pub fn html(&self, speaker: &Speaker<'_>) -> String {
        html::page(self, speaker)
    }
}
