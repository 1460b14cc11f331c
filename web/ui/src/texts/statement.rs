//! The statement in the language of the page. The engine writes it in English, as the command line does, so that both give the
//! same bytes; here the sentences between its tags are put into another language, each for itself, as elsewhere on the page
//! ([`super::engine`]). What no line of the language's file fits stays English and says so to whoever reads aloud. Names of
//! columns stay as they are, even if they are English words.

use super::{Language, engine};

/// The head of the tables whose rows are columns of the data.
const COLUMNS: &str = "Column";

/// The statement, in HTML, in the language of the page.
#[must_use]
pub fn spoken(html: &str) -> String {
    let language = super::language();
    if language == Language::English {
        return html.to_owned();
    }
    let (mut out, mut rest) = (String::with_capacity(html.len() * 5 / 4), html);
    let mut place = Place::default();
    while let Some((text, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').unwrap_or((after, ""));
        out.push_str(&place.said(text));
        out.push('<');
        out.push_str(if tag == "html lang=\"en\"" { "html lang=\"" } else { tag });
        if tag == "html lang=\"en\"" {
            out.push_str(language.code());
            out.push('"');
        }
        out.push('>');
        place.enter(tag);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Where in the document a text stands.
#[derive(Default)]
struct Place {
    /// The tag before it, with its attributes.
    tag: String,
    /// In a table whose rows are columns of the data.
    columns: bool,
}

impl Place {
    fn enter(&mut self, tag: &str) {
        tag.clone_into(&mut self.tag);
        if tag.starts_with("table") {
            self.columns = false;
        }
    }

    /// A text between two tags, in the language of the page.
    fn said(&mut self, html: &str) -> String {
        if html.trim().is_empty() || self.tag == "style" {
            return html.to_owned();
        }
        let text = plain(html);
        self.columns |= self.tag == "th scope=\"col\"" && text == COLUMNS;
        if self.columns && self.tag == "th scope=\"row\"" {
            return html.to_owned();
        }
        if text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'-')) {
            return escaped(&engine::number(&text));
        }
        match engine::translated(&text) {
            Some(text) => escaped(&text),
            // A word or two may be a name; a sentence is English.
            None if self.tag != "title" && text.split_whitespace().count() > 2 => {
                format!("<span lang=\"en\">{html}</span>")
            }
            None => html.to_owned(),
        }
    }
}

/// The entities that the statement has, and what they stand for.
const ENTITIES: [(&str, &str); 5] =
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];

fn plain(html: &str) -> String {
    ENTITIES.iter().fold(html.to_owned(), |text, (entity, c)| text.replace(entity, c))
}

fn escaped(text: &str) -> String {
    ENTITIES.iter().rev().fold(text.to_owned(), |text, (entity, c)| text.replace(c, entity))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::{Speech, speak};

    fn german(html: &str) -> String {
        speak(Speech::read(Language::German, include_str!("../../texts/de.txt").to_owned()).unwrap());
        let spoken = spoken(html);
        speak(Speech::ENGLISH);
        spoken
    }

    #[test]
    fn sentences_are_translated_and_names_are_not() {
        let html = "<!doctype html>\n<html lang=\"en\">\n<style>h2{Risk}</style><h2>Risk</h2>\n\
            <table><thead><tr><th scope=\"col\">Column</th><th scope=\"col\">Role</th></tr></thead>\
            <tr><th scope=\"row\">Name</th><td>sensitive</td><td>1,234.5</td></tr>\
            <tr><th scope=\"row\">a &lt; b</th><td>sensitive</td></tr></table>\
            <table><thead><tr><th scope=\"col\">What</th></tr></thead><tr><th scope=\"row\">Seed</th><td>42</td></tr></table>\
            <p>Something that nobody has translated &amp; more.</p>";
        let spoken = german(html);
        assert!(
            spoken
                .starts_with("<!doctype html>\n<html lang=\"de\">\n<style>h2{Risk}</style><h2>Risiko</h2>\n"),
            "{spoken}"
        );
        assert!(
            spoken.contains(">Spalte</th>")
                && spoken.contains("<th scope=\"row\">Name</th><td>sensibel</td><td>1.234,5</td>")
        );
        assert!(
            spoken.contains("<th scope=\"row\">a &lt; b</th>")
                && spoken.contains("<th scope=\"row\">Startwert</th><td>42</td>")
        );
        assert!(
            spoken
                .contains("<p><span lang=\"en\">Something that nobody has translated &amp; more.</span></p>")
        );
        assert_eq!(spoken.matches('<').count() - 2, html.matches('<').count());
        assert_eq!(super::spoken(html), html, "English stays as it is");
    }

    /// What a statement says of its release, its files, and of who computed it and whom figures count.
    const SAID: [&str; 18] = [
        "m-invariance with m = 3, for a table that is released once. Every class of the published table has at least 3 records, all \
         with different sensitive values. To the attacker named below all values of a person's class are equally possible.",
        "m-invariance with m = 3, release 12 of a series. Every class of the published table has at least 3 records, all with \
         different sensitive values, counterfeits among them. To the attacker named below all values of a person's class are equally \
         possible.",
        "The guarantee holds against an attacker who knows everybody's quasi-identifiers, who is in the table, and what is published, \
         and no other column of a person.",
        "The guarantee holds against an attacker who knows everybody's quasi-identifiers, who is in the table, and what is published. \
         It does not hold against one who also reasons from how the rows were made: matches can then be excluded.",
        "The guarantee holds against an attacker who knows everybody's quasi-identifiers, who is in the table, and what is published. \
         It does not hold against one who also reasons from how the classes were chosen, with least loss: values can then be \
         excluded, in the worst case all but one.",
        "The guarantee holds against an attacker who knows everybody's quasi-identifiers, who is in the table, and what is published. \
         It does not hold against one who also reasons from how the classes and the counterfeits were chosen: values can then be \
         excluded, in the worst case all but one.",
        "The guarantee holds against an attacker who knows everybody's quasi-identifiers, who is in which release, and all releases; \
         where a person's value changes, for each value by itself. It does not hold against one who also reasons from how the classes \
         and the counterfeits were chosen: values can then be excluded, in the worst case all but one.",
        "The mode of the series is tau-safety: a person who is in several of its releases with the same sensitive value is in classes \
         with the same set of sensitive values each time.",
        "k-anonymity with k = 5, for a table that is released once. Every published record shares its published quasi-identifiers \
         with at least 4 others. Whoever knows the quasi-identifiers of a person picks that person's record with a probability of at \
         most 1/5.",
        "Whoever holds a file can compute its SHA-256: if it is the one below, it is the file of this statement, byte for byte.",
        "on a worker: numbers without names, 100,822 bytes in 1 message, were sent to https://w.example:8080 on 2026-05-01T14:02:00Z \
         (UTC)",
        "on several machines, block by block: numbers without names, 7 bytes in 12 messages, were sent to nats://queue:4222 on \
         2026-05-01T14:02:00Z (UTC)",
        "here: nothing was sent to another machine",
        "Figures by the size of groups count counterfeits as people. The poorest class holds 4 real records: an attacker who \
         recognises the counterfeits there picks a person's record with a probability of up to 1/4.",
        "Figures by the size of groups count counterfeits as people. Some classes hold 1 real record: an attacker who recognises the \
         counterfeits there knows which record is that person's.",
        "This table is released once and has no ledger: another release of the same people may give away together with it what each \
         of them hides.",
        "The next release of the same people needs the ledger after this one: two releases made apart may give away together what \
         each of them hides.",
        "at most 2.95 % of the records rightly",
    ];

    #[test]
    fn what_is_said_of_a_release_is_known_in_every_language() {
        let files = [
            (Language::German, include_str!("../../texts/de.txt")),
            (Language::Spanish, include_str!("../../texts/es.txt")),
        ];
        for (language, file) in files {
            speak(Speech::read(language, file.to_owned()).unwrap());
            let told: Vec<Option<String>> = SAID.iter().map(|said| engine::translated(said)).collect();
            speak(Speech::ENGLISH);
            for (said, told) in SAID.iter().zip(told) {
                let told = told.unwrap_or_else(|| panic!("{language:?}: {said}"));
                assert!(!told.contains(" the ") && !told.contains(" of "), "{language:?}: {told}");
            }
        }
    }

    #[test]
    fn a_sentence_keeps_its_figures() {
        let told = german(
            "<p>k-anonymity with k = 5, for a table that is released once. Every published record shares its published quasi-identifiers with at least 4 \
            others. Whoever knows the quasi-identifiers of a person picks that person&#39;s record with a probability of at most \
            1/5.</p><td>0.123400; at most 1.2500 % of the loss could be avoided; no loss is below 0</td>",
        );
        assert!(told.contains("k = 5") && told.contains("1/5") && told.contains("mindestens 4 "), "{told}");
        assert!(told.contains("0,123400") && told.contains("1,2500 %") && !told.contains("lang"), "{told}");
    }
}
