//! SPDX licence expressions, judged against a list of accepted licences.

use anyhow::{Context, Result, bail};

/// Whether a combination of accepted licences satisfies the expression. `A/B`, the old way to write `A OR B`, is
/// understood. A licence `WITH` an exception is one name.
pub(crate) fn satisfied(expression: &str, accepted: &dyn Fn(&str) -> bool) -> Result<bool> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser { words: &words, accepted };
    let result = parser.any()?;
    if let Some(word) = parser.words.first() {
        bail!("unexpected '{word}' in the licence expression '{expression}'");
    }
    Ok(result)
}

struct Parser<'a> {
    words: &'a [&'a str],
    accepted: &'a dyn Fn(&str) -> bool,
}

impl Parser<'_> {
    fn eat(&mut self, word: &str) -> bool {
        let found = self.words.first() == Some(&word);
        if found {
            self.words = &self.words[1..];
        }
        found
    }

    /// `AND` binds tighter than `OR`.
    fn any(&mut self) -> Result<bool> {
        let mut result = self.all()?;
        while self.eat("OR") {
            result |= self.all()?;
        }
        Ok(result)
    }

    fn all(&mut self) -> Result<bool> {
        let mut result = self.one()?;
        while self.eat("AND") {
            result &= self.one()?;
        }
        Ok(result)
    }

    fn one(&mut self) -> Result<bool> {
        if self.eat("(") {
            let result = self.any()?;
            if !self.eat(")") {
                bail!("a closing parenthesis is missing in a licence expression");
            }
            return Ok(result);
        }
        let (name, rest) = self.words.split_first().context("a licence expression ends too early")?;
        if ["AND", "OR", "WITH", ")"].contains(name) {
            bail!("unexpected '{name}' in a licence expression");
        }
        self.words = rest;
        if self.eat("WITH") {
            let (exception, rest) = self.words.split_first().context("nothing stands behind WITH")?;
            self.words = rest;
            return Ok((self.accepted)(&format!("{name} WITH {exception}")));
        }
        Ok((self.accepted)(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(expression: &str) -> Result<bool> {
        satisfied(expression, &|name| ["MIT", "Apache-2.0", "Unicode-3.0", "X WITH E"].contains(&name))
    }

    #[test]
    fn expressions_are_judged() {
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0/MIT", true),
            ("Apache-2.0 / MIT", true),
            ("GPL-3.0 AND MIT", false),
            ("MIT AND Unicode-3.0", true),
            ("(GPL-3.0 OR MIT) AND Unicode-3.0", true),
            ("GPL-3.0 OR MIT AND Unicode-3.0", true),
            ("MIT OR GPL-3.0 AND GPL-2.0", true),
            ("(MIT OR GPL-3.0) AND GPL-2.0", false),
            ("X WITH E", true),
            ("X", false),
            ("MIT WITH E", false),
        ] {
            assert_eq!(judge(expression).unwrap(), expected, "{expression}");
        }
    }

    #[test]
    fn broken_expressions_are_errors() {
        for expression in ["", "MIT OR", "AND MIT", "(MIT", "MIT)", "MIT Apache-2.0", "MIT WITH", "OR"] {
            assert!(judge(expression).is_err(), "{expression}");
        }
    }
}
