//! The header row.

use lookalike_words::Cell;

use crate::{
    Delimiter, DuplicateNames, Error, Oddity, Place, Renamed, Warning, delimiter::USUAL, doubt::generated,
    names, parse_number,
};

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
    /// If the header has one field only but contains another usual delimiter: the one that was used, if it is a usual
    /// one, and the other.
    pub(crate) hint: Option<(Option<Delimiter>, Delimiter)>,
    /// The byte of that other one, and how often the header holds it.
    pub(crate) other: Option<(u8, usize)>,
    /// Whether spaces separate the fields.
    pub(crate) spaced: bool,
    /// The header of the file, where the text has some of its columns alone.
    whole: Option<Box<Self>>,
}

impl Header {
    /// Names for the columns of a file that has none.
    pub(crate) fn generated(width: usize) -> Self {
        let names = (0..width).map(generated).collect();
        let (renamed, hint, other) = (Vec::new(), None, None);
        Self { names, renamed, width, named: width, hint, other, spaced: false, whole: None }
    }

    /// The names that a person gives to the columns of a file that has none. No cell of the file is among them.
    pub(crate) fn given(names: &[String], width: usize) -> Result<Self, Error> {
        let mut names: Vec<String> = names.iter().map(|name| names::trimmed(name).to_owned()).collect();
        if names.len() != width {
            return Err(Error::NamesGiven { names: names.len(), columns: width });
        }
        if let Some(blank) = names.iter().position(String::is_empty) {
            return Err(Error::NameBlank { column: blank + 1 });
        }
        names::distinct(&mut names, DuplicateNames::Error).map_err(|error| match error {
            Error::DuplicateNames { names } => Error::NamesTwice { names },
            other => other,
        })?;
        Ok(Self { names, ..Self::generated(width) })
    }

    /// Refuses a first record that holds most of the names that are given: it is the header, no person.
    pub(crate) fn is_not<'a>(&self, first: impl Iterator<Item = &'a [u8]>) -> Result<(), Error> {
        let says = |cell: &[u8], name: &str| {
            std::str::from_utf8(cell)
                .is_ok_and(|cell| names::trimmed(cell).to_lowercase() == name.to_lowercase())
        };
        let held = self.names.iter().zip(first).filter(|(name, cell)| says(cell, name));
        let names: Vec<Cell> = held.map(|(name, _)| name.as_str().into()).collect();
        if 2 * names.len() > self.width { Err(Error::NamesInFirst { names }) } else { Ok(()) }
    }

    /// The error that these columns, counted from 1, have no name. An index that a program wrote is alone without one, and advice to take the
    /// header for a record would publish the names.
    pub(crate) fn nameless(&self, columns: Vec<usize>, title: usize) -> Error {
        let index = title == 0 && columns == [1] && self.names.iter().skip(1).any(|name| !name.is_empty());
        if index { Error::BlankFirst } else { Error::BlankNames { columns, title } }
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
            let place = Place::Header;
            if cell.contains(&0) {
                return Err(if in_pairs(cells) { Error::Utf16 } else { Error::Nul { place, column } });
            }
            let text = std::str::from_utf8(cell).map_err(|_| Error::NotUtf8 { place, column })?;
            texts.push(text);
        }
        let mut names: Vec<String> = texts.iter().map(|cell| names::trimmed(cell).to_owned()).collect();
        warn(&texts, &names, warnings);
        let renamed = names::distinct(&mut names, duplicates)?;
        warnings.extend(renamed.iter().map(Renamed::warning));
        let named = names.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let found = if let [only] = texts.as_slice() { other_delimiter(only, delimiter) } else { None };
        let hint = found.map(|(sign, _)| (Delimiter::usual(delimiter), Delimiter::of(sign)));
        let spaced = delimiter == b' ';
        Ok(Self { width: names.len(), named, names, renamed, hint, other: found, spaced, whole: None })
    }

    /// Where the text has some of the columns of its file, which are called so, alone. What is odd about their names is said of all.
    pub(crate) fn of_some(
        cells: &[&[u8]],
        delimiter: u8,
        (all, duplicates): (&[String], DuplicateNames),
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, Error> {
        let all: Vec<&[u8]> = all.iter().map(String::as_bytes).collect();
        let whole = Self::new(&all, delimiter, duplicates, warnings)?;
        let some = Self::new(cells, delimiter, duplicates, &mut Vec::new())?;
        Ok(Self { whole: Some(Box::new(whole)), hint: None, other: None, ..some })
    }

    /// The header of the file.
    pub(crate) fn whole(&self) -> &Self {
        self.whole.as_deref().unwrap_or(self)
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
    let cell = |name: &String| Cell::from(name.as_str());
    let trimmed: Vec<Cell> = names
        .iter()
        .zip(texts)
        .filter(|(name, cell)| name.len() < cell.len() && !name.is_empty())
        .map(|(name, _)| cell(name))
        .collect();
    if !trimmed.is_empty() {
        warnings.push(Warning::of(Oddity::WhiteSpace { names: trimmed }));
    }
    if names.iter().all(|name| parse_number(name).is_some()) {
        let names = names.iter().map(cell).collect();
        warnings.push(Warning::of(Oddity::HeaderOfNumbers { names }));
    }
}

/// Another usual delimiter that the only cell holds, and how often.
fn other_delimiter(only: &str, delimiter: u8) -> Option<(u8, usize)> {
    let other = USUAL.into_iter().find(|&other| other != delimiter && only.contains(char::from(other)))?;
    Some((other, only.bytes().filter(|&byte| byte == other).count()))
}
