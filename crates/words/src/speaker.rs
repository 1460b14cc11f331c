//! Puts messages into words.

use crate::{
    Arg, Catalogue, Language, Said,
    arg::Args,
    catalogue::english_catalogue,
    template::{self, Part},
};

/// How an interface names its settings.
pub trait Settings {
    /// The words for a setting, or for a value of it.
    fn words(&self, setting: &str, value: Option<&str>) -> String;
}

/// The command line: `--rows-are people`.
struct Flags;

impl Settings for Flags {
    fn words(&self, setting: &str, value: Option<&str>) -> String {
        match value {
            None => format!("--{setting}"),
            Some(value) => format!("--{setting} {value}"),
        }
    }
}

/// A language with its words, and an interface with its names of settings.
pub struct Speaker<'a> {
    language: Language,
    catalogue: &'a Catalogue,
    settings: &'a dyn Settings,
}

impl<'a> Speaker<'a> {
    /// Speaks a language to the users of an interface.
    #[must_use]
    pub fn new(language: Language, catalogue: &'a Catalogue, settings: &'a dyn Settings) -> Self {
        Self { language, catalogue, settings }
    }

    /// Speaks English to the users of an interface.
    #[must_use]
    pub fn english_for(settings: &'a dyn Settings) -> Self {
        Self::new(Language::English, english_catalogue(), settings)
    }

    pub(crate) fn english() -> Self {
        Self::english_for(&Flags)
    }

    /// A message in words. What the catalogue does not have is said as it came.
    #[must_use]
    pub fn words(&self, said: &Said) -> String {
        match self.catalogue.template(said.id()) {
            Some(template) => self.filled(template, said.args()),
            None => said.text().unwrap_or(said.id()).to_owned(),
        }
    }

    /// Whether it has the words of a message and of all messages within, so that nothing is said in another language.
    #[must_use]
    pub fn knows(&self, said: &Said) -> bool {
        fn each(speaker: &Speaker<'_>, arg: &Arg) -> bool {
            match arg {
                Arg::Said(said) => speaker.knows(said),
                Arg::List(items) => items.iter().all(|item| each(speaker, item)),
                _ => true,
            }
        }
        self.catalogue.template(said.id()).is_some() && said.args().values().all(|arg| each(self, arg))
    }

    fn filled(&self, template: &str, args: &Args) -> String {
        let mut words = String::with_capacity(template.len() + 32);
        // A test reads all templates: what has no form is shown as it stands.
        for part in template::parts(template).unwrap_or_else(|_| vec![Part::Text(template)]) {
            match part {
                Part::Text(text) => words.push_str(text),
                Part::Brace(brace) => words.push(brace),
                Part::Setting { setting, value } => words.push_str(&self.settings.words(setting, value)),
                Part::Value { name, and } => {
                    if let Some(arg) = args.get(name) {
                        words.push_str(&self.value(arg, and));
                    }
                }
                Part::Present { name, then, otherwise } => {
                    let there = args.get(name).is_some_and(|arg| !arg.is_empty());
                    words.push_str(&self.filled(if there { then } else { otherwise }, args));
                }
                Part::Counted { name, forms } => {
                    let form = match (args.get(name), forms.as_slice()) {
                        (Some(Arg::Count(1)), [one, _] | [_, one, _]) => one,
                        (Some(Arg::Count(0)), [none, _, _]) => none,
                        (_, [.., many]) => many,
                        (_, []) => "",
                    };
                    words.push_str(&self.filled(form, args));
                }
            }
        }
        words
    }

    fn value(&self, arg: &Arg, and: bool) -> String {
        match arg {
            Arg::Count(count) => self.language.count(*count),
            Arg::Text(text) => text.clone(),
            Arg::Said(said) => self.words(said),
            Arg::Figure { figure } => self.language.figure(figure),
            Arg::Name { name } => {
                let (open, close) = self.language.quotation_marks();
                format!("{open}{name}{close}")
            }
            Arg::Cell { cell } => format!("'{cell}'"),
            Arg::List(items) => {
                let words: Vec<String> = items.iter().map(|item| self.value(item, and)).collect();
                match words.split_last() {
                    Some((last, head)) if and && !head.is_empty() => {
                        format!("{}{}{last}", head.join(", "), self.language.and())
                    }
                    _ => words.join(", "),
                }
            }
        }
    }
}

/// A message in English, for the command line.
#[must_use]
pub fn english(said: &Said) -> String {
    Speaker::english().words(said)
}
