//! Pieces of HTML.

/// Text as it may stand between tags and in attributes.
pub(super) fn escaped(text: &str) -> String {
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

/// A section with its heading; `content` is HTML.
pub(super) fn section(title: &str, content: &str) -> String {
    format!("<section>\n<h2>{}</h2>\n{content}</section>\n", escaped(title))
}

/// A paragraph of text.
pub(super) fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escaped(text))
}

/// A list of texts.
pub(super) fn list(items: &[String]) -> String {
    format!("<ul>\n{}</ul>\n", each(items, |item| format!("<li>{}</li>\n", escaped(item))))
}

/// A table of texts; the first cell of a row is its name.
pub(super) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let head = each(header, |name| format!("<th scope=\"col\">{}</th>", escaped(name)));
    let rows = each(rows, |cells| {
        let (name, others) = cells.split_first().map_or(("", &[][..]), |(name, others)| (name, others));
        let others = each(others, |cell| format!("<td>{}</td>", escaped(cell)));
        format!("<tr><th scope=\"row\">{}</th>{others}</tr>\n", escaped(name))
    });
    format!("<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
}

/// One piece after the other.
fn each<T>(items: &[T], piece: impl Fn(&T) -> String) -> String {
    items.iter().map(piece).collect::<Vec<_>>().concat()
}
