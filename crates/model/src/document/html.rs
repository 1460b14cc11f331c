//! A document as one HTML file: no script, nothing from elsewhere.

use lookalike_words::{Arg, Language, Said, Speaker};

use super::{Document, Notice, Part, Table};

/// How it looks on a screen. A long name or digest is broken rather than cut off.
const STYLE: &str = "body{font:11pt/1.45 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;\
    background:#fff;overflow-wrap:anywhere}h1{font-size:1.5rem;line-height:1.2}h2{font-size:1.25rem;line-height:1.2}\
    h3,.part{font-size:1.05rem;margin:1.4rem 0 .4rem;border-bottom:1px solid #999}table{border-collapse:collapse;width:100%;margin:0 0 1.2em;\
    font-variant-numeric:tabular-nums}th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd}\
    th{overflow-wrap:break-word}.facts th{width:28%}.sheet+.sheet{border-top:2px solid #1b1b1b;margin-top:3rem}\
    .verdict{border-left:.4rem solid #0b5f5f;padding:.4rem .8rem;font-weight:600}.verdict.failed{border-color:#9c2f1b}\
    .private{border:1px solid #999;padding:.4rem .8rem}.sign{display:grid;grid-template-columns:1fr 1fr;gap:0 2rem}\
    .sign p{border-top:1px solid #1b1b1b;margin:3.2rem 0 0;font-size:.85em}.blanks{display:grid;grid-template-columns:1fr 1fr;gap:0 2rem}\
    .blanks p{border-bottom:1px solid #1b1b1b;margin:0 0 .8rem;padding-bottom:2.4rem}\
    @media(max-width:30rem){th{overflow-wrap:anywhere}.sign,.blanks{grid-template-columns:1fr}}";

/// How it looks on paper, A4 or Letter: a sheet begins a page, and what belongs together is not broken.
const PRINT: &str = "@page{margin:13mm 17mm}@media print{body{margin:0;padding:0;max-width:none;font-size:8.5pt;line-height:1.3}h1{font-size:15pt;\
    margin:0 0 .6rem}h2{font-size:13pt;margin:0 0 .6rem}h3,.part{font-size:10pt;margin:.7rem 0 .25rem}p{margin:.3rem 0}table{margin-bottom:.5em}\
    th,td{padding:.1rem .6rem .1rem 0}.sheet+.sheet{break-before:page;border:0;margin:0}h1,h2,h3,thead{break-after:avoid}\
    p,li,table,tr,.sign,.blanks{break-inside:avoid}p{orphans:3;widows:3}thead{display:table-header-group}.sign p{margin-top:11mm}\
    .blanks p{padding-bottom:9mm;margin-bottom:.4rem}}";

/// The whole file.
pub(super) fn page(document: &Document, speaker: &Speaker<'_>) -> String {
    let title = escaped(&speaker.words(&document.title));
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}{PRINT}</style>\n</head>\n<body>\n<main>\n<section class=\"sheet\">\n<h1>{title}</h1>\n{}</section>\n</main>\n</body>\n</html>\n",
        speaker.language().code(),
        parts(&document.parts, speaker)
    )
}

/// The parts, with a section for each sheet and each heading.
fn parts(parts: &[Part], speaker: &Speaker<'_>) -> String {
    let (mut out, mut open, mut first) = (String::new(), false, true);
    for part in parts {
        let (ends, begins) = match part {
            Part::Sheet(_) => (open, "</section>\n<section class=\"sheet\">\n"),
            Part::Heading(_) => (open, "<section>\n"),
            _ => (false, ""),
        };
        if ends {
            out.push_str("</section>\n");
        }
        out.push_str(begins);
        open = match part {
            Part::Sheet(_) => false,
            Part::Heading(_) => true,
            _ => open,
        };
        first &= !matches!(part, Part::Sheet(_));
        let text = match part {
            // The first sheet has the document's own heading, and no level may be left out.
            Part::Heading(text) if first => format!("<h2 class=\"part\">{}</h2>\n", message(text, speaker)),
            part => piece(part, speaker),
        };
        out.push_str(&text);
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
        Part::Sheet(text) => format!("<h2>{}</h2>\n", said(text)),
        Part::Heading(text) => format!("<h3>{}</h3>\n", said(text)),
        Part::Paragraph(text) => format!("<p>{}</p>\n", said(text)),
        Part::List(items) => {
            format!("<ul>\n{}</ul>\n", each(items, |item| format!("<li>{}</li>\n", said(item))))
        }
        Part::Table(content) => table(content, speaker),
        Part::Signature(lines) => {
            format!("<div class=\"sign\">{}</div>\n", each(lines, |line| format!("<p>{}</p>", said(line))))
        }
        Part::Blanks(questions) => format!(
            "<div class=\"blanks\">{}</div>\n",
            each(questions, |question| format!("<p>{}</p>", said(question)))
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
    if table.head.is_empty() {
        return format!("<table class=\"facts\">\n<tbody>\n{rows}</tbody>\n</table>\n");
    }
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
                Part::Sheet(said("a.B.Sheet")),
                Part::Heading(said("a.B.What")),
                Part::Table(table),
                Part::Heading(said("a.B.Figure")),
                Part::Signature(vec![said("a.B.Seed")]),
                Part::Blanks(vec![said("a.B.What")]),
                Part::List(vec![Said::verbatim("as it came & more")]),
            ],
        }
    }

    #[test]
    fn a_document_is_in_the_language_of_its_speaker_and_says_where_it_is_not() {
        let words = "[a.B]\nTitle = Titel\nFailed = Fehler\nWhat = Was\nFigure = Angabe\nSeed = Startwert\nSheet = Blatt\n";
        let catalogue = Catalogue::read(words).unwrap();
        let html = document().html(&Speaker::new(Language::German, &catalogue, &Unnamed));
        for part in [
            "<html lang=\"de\">",
            "<title>Titel</title>",
            "<main>\n<section class=\"sheet\">\n<h1>Titel</h1>\n<p class=\"verdict failed\">Fehler</p>\n</section>\n\
             <section class=\"sheet\">\n<h2>Blatt</h2>\n<section>\n<h3>Was</h3>\n<table>",
            "<th scope=\"row\">a &lt; b</th><td>1234,5</td>",
            "<th scope=\"row\">Startwert</th><td>1.234</td>",
            "</table>\n</section>\n<section>\n<h3>Angabe</h3>\n<div class=\"sign\"><p>Startwert</p></div>\n\
             <div class=\"blanks\"><p>Was</p></div>\n",
            "<li><span lang=\"en\">as it came &amp; more</span></li>\n</ul>\n</section>\n</section>\n</main>",
        ] {
            assert!(html.contains(part), "{part} is not in {html}");
        }
    }

    #[test]
    fn a_document_travels_as_data() {
        let document = document();
        let html = document.html(&Speaker::english());
        assert!(!html.contains("<span") && html.contains("<html lang=\"en\">") && html.contains("1234.5"));
        assert_eq!(html.matches("<section").count(), html.matches("</section>").count());
        let json = serde_json::to_string(&document).unwrap();
        assert_eq!(serde_json::from_str::<Document>(&json).unwrap().html(&Speaker::english()), html);
    }
}
