//! What the page has to say later: kept as a message of a crate or as a key of the page, and put into words when it is shown, in the
//! language that the page speaks then.

use lookalike_words::Said;
use yew::{Html, html};

use super::{Key, fill, text, theirs, told};

/// Words that are not yet in a language.
#[derive(Clone, Debug, PartialEq)]
pub enum Words {
    /// A message of the crates.
    Said(Said),
    /// A message of the page, with what stands in its placeholders. `page!` makes it.
    Page(Key, Vec<(&'static str, Self)>),
    /// Sentences, one after the other.
    Several(Vec<Self>),
    /// What the browser says, or a name, in whatever language it is.
    Theirs(String),
}

impl Words {
    /// In the language of the page, marked where it is not in it.
    pub fn html(&self) -> Html {
        match self {
            Self::Said(said) => told(said),
            Self::Page(..) | Self::Several(_) => html! { { self.text() } },
            Self::Theirs(text) => theirs(text),
        }
    }

    /// The same as a sentence of its own, which begins with a capital.
    pub fn sentence(&self) -> Html {
        let text = capital(self.text());
        match self {
            Self::Said(said) if !super::is_known(said) => html! { <span lang="en">{ text }</span> },
            Self::Theirs(_) => theirs(&text),
            _ => html! { { text } },
        }
    }

    /// In the language of the page.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Said(said) => super::words(said),
            Self::Page(key, values) => {
                let message = text(*key);
                let values: Vec<(&str, String)> =
                    values.iter().map(|(name, value)| (*name, within(message, name, value.text()))).collect();
                let values: Vec<(&str, &str)> =
                    values.iter().map(|(name, text)| (*name, text.as_str())).collect();
                fill(message, &values)
            }
            Self::Several(all) => all.iter().map(Self::text).collect::<Vec<_>>().join(" "),
            Self::Theirs(text) => text.clone(),
        }
    }
}

/// With a capital at the beginning, unless a name stands there.
fn capital(text: String) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    if !word.chars().all(char::is_alphabetic) {
        return text;
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A sentence ends once, also where another one ends with it.
fn within(message: &str, name: &str, mut text: String) -> String {
    if message.contains(&format!("{{{name}}}.")) && text.ends_with('.') && !text.ends_with("..") {
        text.pop();
    }
    text
}

impl From<Said> for Words {
    fn from(said: Said) -> Self {
        Self::Said(said)
    }
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self::Theirs(text)
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        Self::Theirs(text.to_owned())
    }
}

impl From<u16> for Words {
    fn from(number: u16) -> Self {
        Self::Theirs(number.to_string())
    }
}

#[cfg(test)]
mod tests {
    use crate::texts::{Language, Speech, speak};

    #[test]
    fn words_are_in_the_language_of_the_page_when_they_are_shown() {
        let why = page!(FAILED_SERVER_ANSWERS_WITH_STATUS, status = 404_u16);
        let failed = page!(FAILED_SAMPLE_CANNOT_BE_FETCHED, name = "a.csv", why = why);
        assert_eq!(failed.text(), "The sample a.csv cannot be fetched: the server answers with status 404.");
        speak(Speech::read(Language::German, include_str!("../../texts/de.txt").to_owned()).unwrap());
        let german = failed.text();
        speak(Speech::ENGLISH);
        assert!(german.contains("404") && !german.contains("server answers"), "{german}");
    }

    #[test]
    fn a_sentence_within_a_sentence_ends_once() {
        let refused = |detail: &str| page!(FAILED_WORKER_AT_REFUSED, name = "w", detail = detail).text();
        assert_eq!(refused("No."), "The worker at w refused: No.");
        assert_eq!(refused("no"), "The worker at w refused: no.");
    }
}
