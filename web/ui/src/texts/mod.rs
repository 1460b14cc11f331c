//! What the page says, in several languages. All messages stand in `texts/`, a file a language, a line a message: `KEY =
//! message`. English is compiled in and has the keys; the other files have the same keys in the same order and are loaded
//! when somebody wants them.
//!
//! * `{name}` in a message is a placeholder; `t!(KEY, name = value)` fills it.
//! * ` || ` separates the forms for one and for several; `n!(KEY, n)` takes one of them and fills `{n}`.
//!
//! * The section `[setting]` at the end says how the page names a setting, or a value of it, where a message of the crates
//!   names one.
//!
//! What the crates say is data ([`Said`]); [`told`] puts it into words by the catalogue of `lookalike_words`, which follows the
//! page's messages in the file of a language. What is said later is kept as [`Words`] until then.

pub mod example;
#[cfg(test)]
mod tests;

use std::{cell::Cell, sync::OnceLock};

use lookalike_model::{document::Document, lines::Line};
use lookalike_words::{Catalogue, Said, Settings, Speaker};
use yew::{Html, html};

pub use lookalike_words::Language;
pub use words::Words;

use crate::format::count;

/// Names a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(u16);

/// The keys, by the build script.
pub(crate) mod k {
    include!(concat!(env!("OUT_DIR"), "/keys.rs"));
}

/// The English messages, in the order of their keys.
const ENGLISH: Messages = include!(concat!(env!("OUT_DIR"), "/english.rs"));

/// All messages of a language, in the order of their keys.
pub type Messages = &'static [&'static str];

/// How the page names settings in English.
const SETTINGS: &str = include_str!(concat!(env!("OUT_DIR"), "/settings.txt"));

/// A language and its messages.
#[derive(Clone, Copy, Debug)]
pub struct Speech {
    language: Language,
    messages: Messages,
    /// The words of the crates' messages, and the names of settings; `None` for English, which is compiled in.
    catalogue: Option<&'static Catalogue>,
}

impl Speech {
    /// English, which is always there.
    pub const ENGLISH: Self = Self { language: Language::English, messages: ENGLISH, catalogue: None };

    /// A language by its file, which stays in memory as long as the page: there are two such files. `None` if its messages are
    /// not those of this page.
    #[must_use]
    pub fn read(language: Language, file: String) -> Option<Self> {
        let file: &'static str = file.leak();
        let (file, catalogue) = file.split_at(file.find("\n[")? + 1);
        let catalogue = Catalogue::read(catalogue).ok()?;
        let lines = file.lines().filter(|line| !line.starts_with('#'));
        let messages: Vec<_> = lines.filter_map(|line| Some(line.split_once(" = ")?.1)).collect();
        (messages.len() == ENGLISH.len()).then(|| Self {
            language,
            messages: messages.leak(),
            catalogue: Some(Box::leak(Box::new(catalogue))),
        })
    }
}

thread_local! {
    static CURRENT: Cell<Speech> = const { Cell::new(Speech::ENGLISH) };
}

/// A message, with its placeholders filled if there are any.
macro_rules! t {
    ($key:ident) => { $crate::texts::text($crate::texts::k::$key) };
    ($key:ident, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::texts::fill(t!($key), &[$((stringify!($name), $value.to_string().as_str())),+])
    };
}

/// A message of the page for later, with its placeholders filled if there are any.
macro_rules! page {
    ($key:ident $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::texts::Words::Page(
            $crate::texts::k::$key,
            vec![$((stringify!($name), $crate::texts::Words::from($value))),*],
        )
    };
}

/// The form of a message for a number, with `{n}` and the other placeholders filled.
macro_rules! n {
    ($key:ident, $n:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::texts::counted(t!($key), $n, &[$((stringify!($name), $value.to_string().as_str())),*])
    };
}

// After the macros, which its tests use.
mod words;

/// The language of the page.
#[must_use]
pub fn language() -> Language {
    CURRENT.get().language
}

/// The page speaks this language from now on.
pub fn speak(speech: Speech) {
    CURRENT.set(speech);
}

/// The page's names of settings.
struct Fields;

impl Settings for Fields {
    fn words(&self, setting: &str, value: Option<&str>) -> String {
        static ENGLISH: OnceLock<Catalogue> = OnceLock::new();
        let english = || ENGLISH.get_or_init(|| Catalogue::read(SETTINGS).unwrap_or_default());
        let named = CURRENT.get().catalogue.unwrap_or_else(english);
        let of = |name: &str| named.template(&format!("setting.{name}")).map(str::to_owned);
        let alone = || of(setting).unwrap_or_else(|| setting.to_owned());
        match value {
            None => alone(),
            Some(value) => {
                of(&format!("{setting} {value}")).unwrap_or_else(|| format!("{}: {value}", alone()))
            }
        }
    }
}

fn with_speaker<T>(then: impl FnOnce(&Speaker<'_>) -> T) -> T {
    let speech = CURRENT.get();
    then(&match speech.catalogue {
        None => Speaker::english_for(&Fields),
        Some(catalogue) => Speaker::new(speech.language, catalogue, &Fields),
    })
}

/// A message of the crates in the language of the page.
#[must_use]
pub fn words(said: &Said) -> String {
    with_speaker(|speaker| speaker.words(said))
}

/// A message of the crates in the language of the page, marked as English where it is that.
pub(crate) fn told(said: &Said) -> Html {
    if said.id().is_empty() {
        return theirs(&said.to_string());
    }
    let (words, known) = with_speaker(|speaker| (speaker.words(said), speaker.knows(said)));
    if known {
        html! { { words } }
    } else {
        html! { <span lang="en">{ words }</span> }
    }
}

/// Whether there are words for a message in the language of the page; the words of the crates that have no name are English.
pub(crate) fn is_known(said: &Said) -> bool {
    !said.id().is_empty() && with_speaker(|speaker| speaker.knows(said))
}

/// A document in the language of the page, as one HTML file.
pub(crate) fn written(document: &Document) -> String {
    with_speaker(|speaker| document.html(speaker))
}

pub(crate) fn text(key: Key) -> &'static str {
    CURRENT.get().messages.get(usize::from(key.0)).copied().unwrap_or_default()
}

/// Puts values where their names stand in braces.
pub(crate) fn fill(message: &str, values: &[(&str, &str)]) -> String {
    let (mut filled, mut rest) = (String::with_capacity(message.len() + 16), message);
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let named = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, after))
        });
        if let Some((value, after)) = named {
            filled.push_str(value);
            rest = after;
        } else {
            filled.push('{');
            rest = after;
        }
    }
    filled.push_str(rest);
    filled
}

pub(crate) fn counted(message: &str, n: usize, values: &[(&str, &str)]) -> String {
    let (one, many) = message.split_once(" || ").unwrap_or((message, message));
    let number = count(n);
    let mut all = vec![("n", number.as_str())];
    all.extend_from_slice(values);
    fill(if n == 1 { one } else { many }, &all)
}

/// Lines of the engine in the language of the page, each where it stands.
pub(crate) fn told_lines(lines: &[Line]) -> Html {
    let line = |line: &Line| {
        let indent = " ".repeat(line.indent);
        html! { <>{ indent }{ for line.said.iter().map(told) }{ "\n" }</> }
    };
    html! { <>{ for lines.iter().map(line) }</> }
}

/// A text that nobody has put into words of the page: marked as English.
pub(crate) fn theirs(text: &str) -> Html {
    if language() == Language::English {
        return html! { { text } };
    }
    html! { <span lang="en">{ text }</span> }
}
