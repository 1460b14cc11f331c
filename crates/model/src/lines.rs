//! An account in lines.

use std::fmt;

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

/// A line of an account: what it says, and how far it stands to the right. `Display` is English.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Spaces before it.
    pub indent: usize,
    /// What it says; `None` for a blank line.
    pub said: Option<Said>,
}

impl Line {
    /// A line at the margin.
    #[must_use]
    pub fn new(said: impl Into<Said>) -> Self {
        Self::indented(0, said)
    }

    /// A line after so many spaces.
    #[must_use]
    pub fn indented(indent: usize, said: impl Into<Said>) -> Self {
        Self { indent, said: Some(said.into()) }
    }

    /// A blank line.
    #[must_use]
    pub const fn blank() -> Self {
        Self { indent: 0, said: None }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.said {
            Some(said) => write!(f, "{:1$}{said}", "", self.indent),
            None => Ok(()),
        }
    }
}

/// The lines as a text in English, each with its line end.
#[must_use]
pub fn text(lines: &[Line]) -> String {
    let mut text: Vec<String> = lines.iter().map(ToString::to_string).collect();
    text.push(String::new());
    text.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_indents() {
        let lines = [Line::new(Said::verbatim("a")), Line::blank(), Line::indented(2, Said::verbatim("b"))];
        assert_eq!(text(&lines), "a\n\n  b\n");
    }
}
