//! The header row.

use crate::{DuplicateNames, Error, Renamed, Warning, doubt::generated, names, parse_number, text};

/// The header row.
pub(crate) struct Header {
    /// Trimmed; blank for a column without a name.
    pub(crate) names: Vec<String>,
    /// Columns that got another name.
    pub(crate) renamed: Vec<Renamed>,
    /// Fields of the header.
    pub(crate) width: usize,
    /// Fields up to the last one with a name.
    pub(crate) named: usize,
    /// If the header has one field only but contains another usual delimiter: what to do.
    pub(crate) hint: Option<String>,
}

impl Header {
    /// Names for the columns of a file that has none.
    pub(crate) fn generated(width: usize) -> Self {
        let names = (0..width).map(generated).collect();
        Self { names, renamed: Vec::new(), width, named: width, hint: None }
    }

    /// Trims the header cells, warns if that changed something or if they look like data, and refuses or numbers duplicates.
    pub(crate) fn new(
        cells: &[&[u8]],
        delimiter: u8,
        duplicates: DuplicateNames,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, Error> {
        let mut texts = Vec::with_capacity(cells.len());
        for (cell, column) in cells.iter().zip(1..) {
            let place = || String::from("the header");
            if cell.contains(&0) {
                return Err(if in_pairs(cells) {
                    Error::Utf16
                } else {
                    Error::Nul { place: place(), column }
                });
            }
            let text = std::str::from_utf8(cell).map_err(|_| Error::NotUtf8 { place: place(), column })?;
            texts.push(text);
        }
        let mut names: Vec<String> = texts.iter().map(|cell| cell.trim().to_owned()).collect();
        warn(&texts, &names, warnings);
        let renamed = names::distinct(&mut names, duplicates)?;
        warnings.extend(renamed.iter().map(Renamed::warning));
        let named = names.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let hint = if let [only] = texts.as_slice() { delimiter_hint(only, delimiter) } else { None };
        Ok(Self { width: names.len(), named, names, renamed, hint })
    }
}

/// Whether it begins with the mark of UTF-16, or nearly every other byte is zero.
fn in_pairs(cells: &[&[u8]]) -> bool {
    let marked =
        cells.first().is_some_and(|cell| cell.starts_with(b"\xff\xfe") || cell.starts_with(b"\xfe\xff"));
    let zeros = cells.iter().flat_map(|cell| cell.iter()).filter(|byte| **byte == 0).count();
    marked || (zeros > 1 && zeros * 3 >= cells.iter().map(|cell| cell.len()).sum::<usize>())
}

fn warn(texts: &[&str], names: &[String], warnings: &mut Vec<Warning>) {
    let trimmed: Vec<&str> = names
        .iter()
        .zip(texts)
        .filter(|(name, cell)| name.len() < cell.len() && !name.is_empty())
        .map(|(name, _)| name.as_str())
        .collect();
    let mut warn = |message: String| warnings.push(Warning { row: None, message });
    if !trimmed.is_empty() {
        warn(format!("white space around column names was removed: {}", quoted(&trimmed)));
    }
    if names.iter().all(|name| parse_number(name).is_some()) {
        warn(format!(
            "the header row holds numbers only ({}): the names of the columns seem to be missing",
            quoted(names)
        ));
    }
}

fn delimiter_hint(only: &str, delimiter: u8) -> Option<String> {
    let usual = || text::DELIMITERS.into_iter().map(|(byte, name, _)| (byte, name));
    let name = |byte| usual().find(|(other, _)| *other == byte).map_or("delimiter", |(_, name)| name);
    let (other, _) = usual().find(|&(other, _)| other != delimiter && only.contains(char::from(other)))?;
    let (used, other) = (name(delimiter), name(other));
    Some(format!(
        "the header has no {used} but a {other}; if a {other} separates the columns, choose it as the delimiter"
    ))
}

fn quoted<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<String> = names.iter().map(|name| text::quoted(name.as_ref())).collect();
    text::list(&names)
}
