//! The words of all messages in a language.

use std::{
    collections::{BTreeSet, HashMap},
    sync::OnceLock,
};

use crate::{Variant, template};

/// The catalogue of each language: its code and file.
pub const TEXTS: [(&str, &str); 3] = [
    ("en", include_str!("../texts/en.txt")),
    ("de", include_str!("../texts/de.txt")),
    ("es", include_str!("../texts/es.txt")),
];

/// The same of what only the command line and the worker say: modules of the page do without.
#[cfg(feature = "terminal")]
pub const TERMINAL: [(&str, &str); 3] = [
    ("en", include_str!("../texts/terminal/en.txt")),
    ("de", include_str!("../texts/terminal/de.txt")),
    ("es", include_str!("../texts/terminal/es.txt")),
];
#[cfg(not(feature = "terminal"))]
const TERMINAL: [(&str, &str); 3] = [("en", ""), ("de", ""), ("es", "")];

/// The words of a language, by the identity of the message.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    templates: HashMap<String, String>,
}

impl Catalogue {
    /// Reads the file of a language.
    ///
    /// # Errors
    ///
    /// A line that is neither a comment, a section nor a message of one, or a message that stands twice.
    pub fn read(file: &str) -> Result<Self, String> {
        let mut catalogue = Self::default();
        catalogue.add(file)?;
        Ok(catalogue)
    }

    /// The words of two files of one language. The files are named by the caller: a place among the languages that is known at run
    /// time alone would have all of them in each module of the page.
    fn of(texts: &str, terminal: &str) -> Result<Self, String> {
        let mut catalogue = Self::read(texts)?;
        catalogue.add(terminal)?;
        Ok(catalogue)
    }

    fn add(&mut self, file: &str) -> Result<(), String> {
        for (id, template) in entries(file)? {
            if self.templates.insert(id.clone(), template.to_owned()).is_some() {
                return Err(format!("{id} stands twice"));
            }
        }
        Ok(())
    }

    /// The words of a message as the file has them.
    #[must_use]
    pub fn template(&self, id: &str) -> Option<&str> {
        self.templates.get(id).map(String::as_str)
    }
}

fn entries(file: &str) -> Result<Vec<(String, &str)>, String> {
    let mut found = Vec::new();
    let mut section = "";
    for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name;
        } else if let Some((variant, template)) = line.split_once(" = ").filter(|_| !section.is_empty()) {
            found.push((format!("{section}.{variant}"), template));
        } else {
            return Err(format!("{line:?} is neither a section nor a message of one"));
        }
    }
    Ok(found)
}

/// English, which is always there.
pub(crate) fn english_catalogue() -> &'static Catalogue {
    static ENGLISH: OnceLock<Catalogue> = OnceLock::new();
    // A test reads the file: here nothing can be wrong with it.
    ENGLISH.get_or_init(|| Catalogue::of(TEXTS[0].1, TERMINAL[0].1).unwrap_or_default())
}

/// What the catalogues lack for these messages, a line each: words in a language, or the same arguments.
#[must_use]
pub fn shortcomings(variants: &[Variant]) -> Vec<String> {
    let mut found = Vec::new();
    for ((code, texts), (_, terminal)) in TEXTS.into_iter().zip(TERMINAL) {
        let catalogue = match Catalogue::of(texts, terminal) {
            Ok(catalogue) => catalogue,
            Err(why) => return vec![format!("{code}: {why}")],
        };
        for (id, args) in variants.iter().filter(|(id, _)| !id.is_empty()) {
            let Some(template) = catalogue.template(id) else {
                found.push(format!("{code}: {id} has no words"));
                continue;
            };
            match template::arguments(template) {
                Err(why) => found.push(format!("{code}: {id}: {why}")),
                Ok(named) => {
                    let args: BTreeSet<&str> = args.iter().copied().collect();
                    found.extend(
                        named.difference(&args).map(|name| format!("{code}: {id} has no argument {name}")),
                    );
                    found.extend(
                        args.difference(&named)
                            .map(|name| format!("{code}: {id} does not say its argument {name}")),
                    );
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_the_same_messages_in_the_same_order_with_the_same_settings() {
        for texts in [TEXTS, TERMINAL] {
            let english = entries(texts[0].1).unwrap();
            for (code, file) in &texts[1..] {
                let other = entries(file).unwrap();
                let ids = |all: &[(String, &str)]| all.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
                assert_eq!(ids(&english), ids(&other), "{code}");
                for ((id, one), (_, two)) in english.iter().zip(&other) {
                    assert_eq!(template::settings(one), template::settings(two), "{code}: {id}");
                    assert_eq!(two.trim(), *two, "{code}: {id}");
                    assert!(!two.is_empty(), "{code}: {id}");
                }
            }
        }
        let files = TEXTS.iter().zip(&TERMINAL);
        assert!(files.map(|(texts, terminal)| Catalogue::of(texts.1, terminal.1)).all(|read| read.is_ok()));
    }

    #[test]
    fn what_a_catalogue_lacks_is_told() {
        let lacking =
            shortcomings(&[("words.Wheel.Spokes", &["missing", "broken"]), ("words.Wheel.Tyre", &[])]);
        assert_eq!(lacking.len(), 6, "{lacking:?}");
        assert_eq!(lacking[0], "en: words.Wheel.Spokes does not say its argument broken");
        assert_eq!(lacking[5], "es: words.Wheel.Tyre has no words");
        assert!(!shortcomings(&[("words.Wheel.Spokes", &[])]).is_empty());
    }

    #[test]
    fn a_line_out_of_form_is_told() {
        for wrong in ["Spokes = few", "[a.B]\nSpokes few", "[a.B]\nX = 1\nX = 2"] {
            assert!(Catalogue::read(wrong).is_err(), "{wrong}");
        }
    }
}
