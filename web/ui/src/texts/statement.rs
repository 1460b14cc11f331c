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

    #[test]
    fn a_sentence_keeps_its_figures() {
        let told = german(
            "<p>k-anonymity with k = 5. Every published record shares its published quasi-identifiers with at least 4 \
            others. Whoever knows the quasi-identifiers of a person picks that person&#39;s record with a probability of at most \
            1/5.</p><td>0.123400; at most 1.2500 % of the loss could be avoided; no loss is below 0</td>",
        );
        assert!(told.contains("k = 5") && told.contains("1/5") && told.contains("mindestens 4 "), "{told}");
        assert!(told.contains("0,123400") && told.contains("1,2500 %") && !told.contains("lang"), "{told}");
    }
}
