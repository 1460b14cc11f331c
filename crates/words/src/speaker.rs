//! Puts messages into words.

use crate::{
    Arg, Catalogue, Language, Said,
    arg::Args,
    catalogue::english_catalogue,
    flags::Flags,
    template::{self, Join, Part},
};

/// How an interface names its settings.
pub trait Settings {
    /// The words for a setting, or for a value of it. Both may have arguments of the message in braces, as the
    /// catalogue has them.
    fn words(&self, setting: &str, value: Option<&str>) -> String;

    /// A name or a cell as one gives it to the setting; `pair` says that it is the name of a `NAME=VALUE`.
    fn item(&self, _setting: &str, _pair: bool, text: &str) -> String {
        text.to_owned()
    }

    /// A word of the value, with its arguments filled in, as one gives it; `literal` is the same word without them.
    fn word(&self, filled: String, _literal: &str) -> String {
        filled
    }
}

/// How names and cells are written.
#[derive(Clone, Copy)]
enum Marks<'a> {
    /// In the quotation marks of the language.
    Quoted,
    /// As one gives them to a setting.
    Given { setting: &'a str, pair: bool },
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

    /// Speaks English to the users of the command line.
    #[must_use]
    pub fn english() -> Self {
        Self::english_for(&Flags)
    }

    /// The language it speaks.
    #[must_use]
    pub const fn language(&self) -> Language {
        self.language
    }

    /// A message in words. What the catalogue does not have is said as it came.
    #[must_use]
    pub fn words(&self, said: &Said) -> String {
        match self.catalogue.template(said.id()) {
            Some(template) => self.filled(template, said.args(), Marks::Quoted),
            None => said.text().unwrap_or(said.id()).to_owned(),
        }
    }

    /// What a message may be about, by itself, as in the cell of a table.
    #[must_use]
    pub fn shown(&self, arg: &Arg) -> String {
        self.value(arg, Join::Commas, Marks::Quoted)
    }

    /// Whether it has the words of a message and of all messages within, so that nothing is said in another language.
    #[must_use]
    pub fn knows(&self, said: &Said) -> bool {
        self.catalogue.template(said.id()).is_some() && said.args().values().all(|arg| self.knows_all(arg))
    }

    /// Whether it has the words of all messages in an argument.
    #[must_use]
    pub fn knows_all(&self, arg: &Arg) -> bool {
        match arg {
            Arg::Said(said) => self.knows(said),
            Arg::List(items) => items.iter().all(|item| self.knows_all(item)),
            _ => true,
        }
    }

    fn filled(&self, template: &str, args: &Args, marks: Marks<'_>) -> String {
        let mut words = String::with_capacity(template.len() + 32);
        // A test reads all templates: what has no form is shown as it stands.
        for part in template::parts(template).unwrap_or_else(|_| vec![Part::Text(template)]) {
            match part {
                Part::Text(text) => words.push_str(text),
                Part::Brace(brace) => words.push(brace),
                Part::Setting { setting, value } => {
                    words.push_str(&self.setting(setting, &self.settings.words(setting, value), args));
                }
                Part::Value { name, join } => {
                    if let Some(arg) = args.get(name) {
                        words.push_str(&self.value(arg, join, marks));
                    }
                }
                Part::Present { name, then, otherwise } => {
                    let there = args.get(name).is_some_and(|arg| !arg.is_empty());
                    words.push_str(&self.filled(if there { then } else { otherwise }, args, marks));
                }
                Part::Counted { name, forms } => {
                    let form = match (args.get(name).and_then(Arg::count), forms.as_slice()) {
                        (Some(1), [one, _] | [_, one, _]) => one,
                        (Some(0), [none, _, _]) => none,
                        (_, [.., many]) => many,
                        (_, []) => "",
                    };
                    words.push_str(&self.filled(form, args, marks));
                }
            }
        }
        words
    }

    /// A setting, of whose value each word with an argument is written as one gives it.
    fn setting(&self, setting: &str, template: &str, args: &Args) -> String {
        let words = template::words(template).into_iter().map(|word| {
            let pair = word.contains("}=");
            let filled = self.filled(word, args, Marks::Given { setting, pair });
            match template::literal(word) {
                Some(literal) => self.settings.word(filled, &literal),
                None => filled,
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn value(&self, arg: &Arg, join: Join, marks: Marks<'_>) -> String {
        match arg {
            Arg::Count(count) => self.language.count(*count),
            Arg::Text(text) => text.clone(),
            Arg::Said(said) => self.words(said),
            Arg::Figure { figure } => self.language.figure(figure),
            Arg::Name { name: text } | Arg::Cell { cell: text } => match (arg, marks) {
                (_, Marks::Given { setting, pair }) => self.settings.item(setting, pair, text),
                (Arg::Cell { .. }, Marks::Quoted) => format!("'{text}'"),
                (_, Marks::Quoted) => {
                    let (open, close) = self.language.quotation_marks();
                    format!("{open}{text}{close}")
                }
            },
            Arg::List(items) => {
                let words: Vec<String> = items.iter().map(|item| self.value(item, join, marks)).collect();
                match (words.split_last(), join) {
                    (Some((last, head)), Join::And) if !head.is_empty() => {
                        format!("{}{}{last}", head.join(", "), self.language.and())
                    }
                    (_, Join::Semicolons) => words.join("; "),
                    _ => words.join(", "),
                }
            }
        }
    }
}

/// A message in English, with the flags of the command line.
pub(crate) fn english(said: &Said) -> String {
    Speaker::english().words(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Name};

    fn english(template: &str, arg: &impl crate::AsArg) -> String {
        let catalogue = Catalogue::read(&format!("[a.B]\nC = {template}\n")).unwrap();
        Speaker::new(Language::English, &catalogue, &Flags).words(&Said::new("a.B.C", [("x", arg.as_arg())]))
    }

    #[test]
    fn lists_are_joined_and_counted() {
        let names = |all: &[&str]| all.iter().map(|name| Name::from(*name)).collect::<Vec<_>>();
        assert_eq!(english("{x;}", &names(&["a", "b, c"])), "\"a\"; \"b, c\"");
        assert_eq!(english("{x&}", &names(&["a", "b", "c"])), "\"a\", \"b\" and \"c\"");
        let counted = "{x|no column|column {x}|columns {x&}}";
        let said = [&[][..], &["a"], &["a", "b"]].map(|all| english(counted, &names(all)));
        assert_eq!(said, ["no column", "column \"a\"", "columns \"a\" and \"b\""]);
    }

    #[test]
    fn what_one_types_has_no_marks() {
        assert_eq!(
            english("{x} ({@kind {x}=real or {x}=date})", &Name::from("age")),
            "\"age\" (--kind age=real or age=date)"
        );
        assert_eq!(english("{@order {x}}", &Cell::from("low")), "--order low");
    }

    #[test]
    fn what_one_types_in_a_shell_is_quoted_where_it_must_be() {
        let birth = Name::from("date of birth");
        assert_eq!(english("{@kind {x}=date}", &birth), "--kind \"date of birth=date\"");
        assert_eq!(
            english("({@kind {x}=real or {x}=date})", &birth),
            "(--kind \"date of birth=real\" or \"date of birth=date\")"
        );
        assert_eq!(english("{@person {x}}", &birth), "--person \"date of birth\"");
        assert_eq!(english("{@order {x}=low<high}", &Name::from("a")), "--order \"a=low<high\"");
        // Alternatives are for the reader, not for the shell.
        assert_eq!(english("{@kind {x}=real|date}", &Name::from("a")), "--kind a=real|date");
        assert_eq!(english("{@kind {x}=date}", &Name::from("a|b")), "--kind \"a|b=date\"");
        // A name that holds a sign of the flag's own form stands in double quotes there.
        assert_eq!(english("{@kind {x}=date}", &Name::from("city, state")), "--kind '\"city, state\"=date'");
        assert_eq!(english("{@quasi {x}}", &Name::from("a,b")), "--quasi '\"a,b\"'");
        assert_eq!(english("{@person {x}}", &Name::from("a,b")), "--person a,b");
        assert_eq!(english("{@person {x}}", &Name::from("it's $5")), "--person 'it'\\''s $5'");
    }
}
