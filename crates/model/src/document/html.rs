//! A document as one HTML file: no script, nothing from elsewhere.

use lookalike_words::{Arg, Language, Said, Speaker};

use super::{Document, Notice, Part, Table};

/// How it looks.
const STYLE: &str = "body{font:11pt/1.45 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;\
    background:#fff}h1{font-size:1.5rem;line-height:1.2}h2{font-size:1.1rem;margin:1.6rem 0 .4rem;border-bottom:1px solid #999}\
    table{border-collapse:collapse;width:100%;margin:0 0 1.2em;font-variant-numeric:tabular-nums}th,td{text-align:left;vertical-align:top;\
    padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd}td{overflow-wrap:anywhere}.verdict{border-left:.4rem solid #0b5f5f;padding:.4rem .8rem;\
    font-weight:600}.verdict.failed{border-color:#9c2f1b}.private{border:1px solid #999;padding:.4rem .8rem}\
    .sign td{height:2.6rem;width:50%}@media print{body{margin:0;max-width:none}h2,tr{break-inside:avoid;break-after:avoid}}";

/// The whole file.
pub(super) fn page(document: &Document, speaker: &Speaker<'_>) -> String {
    let title = escaped(&speaker.words(&document.title));
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{}</main>\n</body>\n</html>\n",
        speaker.language().code(),
        parts(&document.parts, speaker)
    )
}

/// The parts, with a section for each heading.
fn parts(parts: &[Part], speaker: &Speaker<'_>) -> String {
    let (mut out, mut open) = (String::new(), false);
    for part in parts {
        if matches!(part, Part::Heading(_)) {
            out.push_str(if open { "</section>\n<section>\n" } else { "<section>\n" });
            open = true;
        }
        out.push_str(&piece(part, speaker));
    }
    if open {
        out.push_str("</section>\n");
    }
    out
}

fn piece(part: &Part, speaker: &Speaker<'_>) -> String {
    let said = |text: &Said| message(text, speaker);
    match part {
        Part::Notice(notice, text) => {
            let class = match notice {
                Notice::Passed => "verdict",
                Notice::Failed => "verdict failed",
                Notice::Private => "private",
            };
            format!("<p class=\"{class}\">{}</p>\n", said(text))
        }
        Part::Heading(text) => format!("<h2>{}</h2>\n", said(text)),
        Part::Paragraph(text) => format!("<p>{}</p>\n", said(text)),
        Part::List(items) => {
            format!("<ul>\n{}</ul>\n", each(items, |item| format!("<li>{}</li>\n", said(item))))
        }
        Part::Table(content) => table(content, speaker),
        Part::Signature { name, date, signature } => format!(
            "<table class=\"sign\"><tr><td>{}</td><td>{}</td></tr><tr><td colspan=\"2\">{}</td></tr></table>\n",
            said(name),
            said(date),
            said(signature)
        ),
    }
}

fn table(table: &Table, speaker: &Speaker<'_>) -> String {
    let head = each(&table.head, |name| format!("<th scope=\"col\">{}</th>", message(name, speaker)));
    let rows = each(&table.rows, |cells| {
        let (name, others) = match cells.split_first() {
            Some((name, others)) => (cell(name, speaker), others),
            None => (String::new(), &[][..]),
        };
        let others = each(others, |other| format!("<td>{}</td>", cell(other, speaker)));
        format!("<tr><th scope=\"row\">{name}</th>{others}</tr>\n")
    });
    format!("<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
}

/// A message in words.
fn message(said: &Said, speaker: &Speaker<'_>) -> String {
    marked(&speaker.words(said), speaker.knows(said), speaker)
}

/// The content of a cell.
fn cell(arg: &Arg, speaker: &Speaker<'_>) -> String {
    marked(&speaker.shown(arg), speaker.knows_all(arg), speaker)
}

/// Text, marked as English in a document of another language if that is what it is.
fn marked(text: &str, known: bool, speaker: &Speaker<'_>) -> String {
    let text = escaped(text);
    if known || speaker.language() == Language::English {
        text
    } else {
        format!("<span lang=\"en\">{text}</span>")
    }
}

/// Text as it may stand between tags.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// One piece after the other.
fn each<T>(items: &[T], piece: impl Fn(&T) -> String) -> String {
    items.iter().map(piece).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use lookalike_words::{Catalogue, Figure, Settings};

    use super::*;

    struct Unnamed;

    impl Settings for Unnamed {
        fn words(&self, setting: &str, _: Option<&str>) -> String {
            setting.to_owned()
        }
    }

    fn said(id: &'static str) -> Said {
        Said::new(id, [])
    }

    fn document() -> Document {
        let mut table = Table::of([said("a.B.What"), said("a.B.Figure")]);
        table.row(&String::from("a < b"), &Figure::fixed(1234.5, 1));
        table.row(&said("a.B.Seed"), &1234_usize);
        Document {
            title: said("a.B.Title"),
            parts: vec![
                Part::Notice(Notice::Failed, said("a.B.Failed")),
                Part::Heading(said("a.B.What")),
                Part::Table(table),
                Part::Heading(said("a.B.Figure")),
                Part::List(vec![Said::verbatim("as it came & more")]),
            ],
        }
    }

    #[test]
    fn a_document_is_in_the_language_of_its_speaker_and_says_where_it_is_not() {
        let words = "[a.B]\nTitle = Titel\nFailed = Fehler\nWhat = Was\nFigure = Angabe\nSeed = Startwert\n";
        let catalogue = Catalogue::read(words).unwrap();
        let html = document().html(&Speaker::new(Language::German, &catalogue, &Unnamed));
        for part in [
            "<html lang=\"de\">",
            "<title>Titel</title>",
            "<main>\n<h1>Titel</h1>\n<p class=\"verdict failed\">Fehler</p>\n<section>\n<h2>Was</h2>\n<table>",
            "<th scope=\"row\">a &lt; b</th><td>1234,5</td>",
            "<th scope=\"row\">Startwert</th><td>1.234</td>",
            "</table>\n</section>\n<section>\n<h2>Angabe</h2>\n",
            "<li><span lang=\"en\">as it came &amp; more</span></li>\n</ul>\n</section>\n</main>",
        ] {
            assert!(html.contains(part), "{part} is not in {html}");
        }
    }

    #[test]
    fn a_document_travels_as_data() {
        let document = document();
        let html = document.html(&Speaker::english());
        assert!(!html.contains("<span") && html.contains("<html lang=\"en\">") && html.contains("1234.5"));
        let json = serde_json::to_string(&document).unwrap();
        assert_eq!(serde_json::from_str::<Document>(&json).unwrap().html(&Speaker::english()), html);
    }
}
