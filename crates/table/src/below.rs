//! Whether the last rows of a table are its footer: totals, a source. A spreadsheet writes these with as many fields as the header
//! has, so that they fit.

use std::io::Read;

use lookalike_words::Cell;

use crate::{
    Oddity, Warning,
    header::Header,
    ragged::FOOTER,
    records::{Records, is_blank},
};

/// Rows that a message shows.
const SHOWN: usize = 3;

/// What totals, notes and sources begin with, in English, German, Spanish and French; small letters.
const WORDS: [&str; 42] = [
    "total",
    "totals",
    "subtotal",
    "sum",
    "sums",
    "grand total",
    "source",
    "sources",
    "note",
    "notes",
    "footnote",
    "gesamt",
    "gesamtsumme",
    "insgesamt",
    "summe",
    "zwischensumme",
    "quelle",
    "quellen",
    "anmerkung",
    "anmerkungen",
    "hinweis",
    "stand",
    "totales",
    "suma",
    "fuente",
    "fuentes",
    "nota",
    "notas",
    "total general",
    "somme",
    "remarque",
    "total général",
    "mean",
    "average",
    "median",
    "mittelwert",
    "durchschnitt",
    "promedio",
    "mediana",
    "moyenne",
    "médiane",
    "std",
];

/// Characters of the longest of them, and of what may stand around it.
const LONGEST: usize = 24;

/// The last rows so far that look like a footer.
#[derive(Default)]
pub(crate) struct Below {
    /// How many, the line of the first, and how the first of them begin.
    rows: usize,
    line: usize,
    shown: Vec<Cell>,
    /// What rows further up begin with that look the same way: a value of the table.
    values: Vec<Cell>,
}

/// Values that are remembered.
const VALUES: usize = 32;

impl Below {
    /// Takes the newest record, which fits the header.
    pub(crate) fn row<R: Read>(&mut self, records: &Records<R>) {
        match looks(records) {
            None if self.rows == 0 => {}
            None => {
                let mut values = std::mem::take(&mut self.values);
                values.extend(self.shown.drain(..).take(VALUES - values.len().min(VALUES)));
                *self = Self { values, ..Self::default() };
            }
            Some(text) => {
                if self.rows == 0 {
                    self.line = records.line();
                }
                self.rows += 1;
                if self.shown.len() < SHOWN {
                    self.shown.push(Cell::from(text));
                }
            }
        }
    }

    /// What is odd about the last of `rows` rows of a file with so many `lines`.
    pub(crate) fn warning(self, rows: usize, lines: usize, header: &Header) -> Option<Warning> {
        let Self { rows: last, line, shown, values } = self;
        // What most rows look like is what the table is.
        let is_footer = last > 0
            && last <= FOOTER
            && rows > 2 * last
            && header.width > 1
            && !shown.iter().any(|text| values.contains(text));
        is_footer.then(|| Warning::of(Oddity::Footer { rows: last, lines: lines + 1 - line, shown }))
    }
}

/// The text of a row that looks like one of a footer: a sentence and nothing else, or the word of a total or a source in
/// front.
fn looks<R: Read>(records: &Records<R>) -> Option<&str> {
    looks_of(records.fields_from(0))
}

/// The same of the cells of a row.
pub(crate) fn looks_of<'a>(cells: impl Iterator<Item = &'a [u8]>) -> Option<&'a str> {
    let mut filled = cells.filter(|cell| !is_blank(cell));
    let text = std::str::from_utf8(filled.next()?).ok()?.trim();
    let alone = filled.next().is_none();
    (begins_with_word(text, alone) || (alone && is_sentence(text))).then_some(text)
}

/// Whether one of the words is all of a cell but for signs; of one that stands alone, its beginning.
fn begins_with_word(text: &str, alone: bool) -> bool {
    if !alone && text.len() > LONGEST {
        return false;
    }
    let end = |at: char| at == ':' || (alone && !at.is_alphanumeric() && at != ' ');
    let word = text.split(end).next().unwrap_or_default().trim();
    let after_word = text.len() > word.len() + 1;
    let first = word.split(' ').next().unwrap_or_default();
    is_word(word) && (alone || !after_word) || (alone && is_word(first))
}

/// Whether this is one of the words, in letters of any size. It is asked of every row.
fn is_word(word: &str) -> bool {
    let Some(first) = word.bytes().next().map(|first| first.to_ascii_lowercase()) else { return false };
    let small = || word.chars().flat_map(char::to_lowercase);
    WORDS.iter().any(|known| known.as_bytes().first() == Some(&first) && small().eq(known.chars()))
}

/// Whether a cell is a remark: more than one word, and not a value that begins with a digit.
fn is_sentence(text: &str) -> bool {
    let begins = |c: char| c.is_alphabetic() || matches!(c, '*' | '(' | '[' | '\u{a9}' | '\u{b9}' | '\u{b2}');
    text.starts_with(begins) && text.split_whitespace().count() > 2
}
