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
    let items: Vec<String> = items.iter().map(|item| format!("<li>{}</li>\n", escaped(item))).collect();
    format!("<ul>\n{}</ul>\n", items.concat())
}

/// A table of texts; the first cell of a row is its name.
pub(super) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> =
        header.iter().map(|name| format!("<th scope=\"col\">{}</th>", escaped(name))).collect();
    let row = |cells: &Vec<String>| {
        let cells = cells.iter().enumerate().map(|(at, cell)| match at {
            0 => format!("<th scope=\"row\">{}</th>", escaped(cell)),
            _ => format!("<td>{}</td>", escaped(cell)),
        });
        format!("<tr>{}</tr>\n", cells.collect::<Vec<_>>().concat())
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    let (head, rows) = (head.concat(), rows.concat());
    format!("<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
}
