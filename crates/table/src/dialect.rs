//! Which delimiter and quotation mark a file uses.
//!
//! A consistency score in the manner of van den Burg, Nazabal, Sutton, "Wrangling messy CSV files by detecting row and
//! type patterns" (Data Mining and Knowledge Discovery 33, 2019), without the types: a delimiter is the better, the
//! more rows have as many fields as the header, and the more fields that are. The crates that do the whole of it bring
//! regular expressions and thread pools or clocks along, and take the header for no better witness than any other row.

use std::io::Read;

use crate::{Delimiter, DelimiterEvidence, Quote, delimiter::USUAL, records::Records};

/// Rows that are looked at.
const ROWS: usize = 1000;

/// Delimiters that are taken only where nothing else separates anything, and every row has as many fields as the header.
const RARE: [u8; 4] = [b'^', b'~', 0x1f, 0x01];

/// A delimiter that the header does not show must make this share of the rows equally long, in percent.
const WITHOUT_HEADER: usize = 80;

/// The form of a CSV.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// What separates fields.
    pub delimiter: u8,
    /// What quotes them.
    pub quote: Quote,
    /// How the delimiter shows.
    pub evidence: DelimiterEvidence,
}

/// Finds the dialect of a text by its beginning; `whole` if that is all of it. What is given is not questioned.
#[must_use]
pub fn detect(text: &[u8], whole: bool, delimiter: Option<u8>, quote: Option<Quote>) -> Dialect {
    let quote = quote.unwrap_or_else(|| find_quote(text, delimiter));
    if let Some(delimiter) = delimiter {
        let evidence = DelimiterEvidence::AsChosen { delimiter: Delimiter::of(delimiter) };
        return Dialect { delimiter, quote, evidence };
    }
    let best = |trials: &[Trial]| {
        let best =
            trials.iter().reduce(|best, trial| if trial.score() > best.score() { trial } else { best });
        best.filter(|best| best.score() > 0.0).map(|best| Dialect {
            delimiter: best.delimiter,
            quote,
            evidence: best.evidence(),
        })
    };
    let trials = USUAL.map(|delimiter| Trial::of(text, whole, delimiter, quote));
    let rare =
        || RARE.map(|delimiter| Trial::of(text, whole, delimiter, quote)).into_iter().find(Trial::is_plain);
    if let Some(found) = best(&trials).or_else(|| best(rare().as_slice())) {
        return found;
    }
    if let Some(trial) = row_names(text, whole, quote) {
        return Dialect { delimiter: trial.delimiter, quote, evidence: trial.evidence() };
    }
    // One column: a delimiter that no line holds, so that each line is one field.
    let single = trials.iter().find(|trial| trial.single).map_or(0x1f, |trial| trial.delimiter);
    Dialect { delimiter: single, quote, evidence: DelimiterEvidence::OneColumn }
}

/// What spaces make of the text, if R has written it: each row has one field more than the header, its name or number. The reader
/// refuses it, and says so.
fn row_names(text: &[u8], whole: bool, quote: Quote) -> Option<Trial> {
    let trial = Trial::of(text, whole, b' ', quote);
    let one_more = trial.rows > 1 && trial.frequent == trial.rows && trial.common == trial.header + 1;
    let lines = text.split(|byte| *byte == b'\n').zip(0_usize..).skip(1).take(trial.rows);
    let mut numbers = lines.map(|(line, row)| line.starts_with(format!("{row} ").as_bytes()));
    // Quoted names, as by default, or the numbers of the rows.
    (one_more && (text.starts_with(b"\"") || numbers.all(|is_number| is_number))).then_some(trial)
}

/// What a delimiter makes of the text.
struct Trial {
    delimiter: u8,
    /// Fields of the header, and of the most frequent kind of row.
    header: usize,
    common: usize,
    rows: usize,
    /// Rows as long as the header, and as long as the most frequent kind.
    fitting: usize,
    frequent: usize,
    /// Whether every line is one field.
    single: bool,
    /// Whether a space always follows the delimiter, as in prose.
    prose: bool,
}

impl Trial {
    fn of(text: &[u8], whole: bool, delimiter: u8, quote: Quote) -> Self {
        let mut text = text;
        // The same kind of source as a stream has: the code is there once.
        let source: &mut dyn Read = &mut text;
        let mut records = Records::new(source, delimiter, quote, 0);
        let mut widths = Vec::new();
        let mut prose = true;
        // What stops a reader later stops the trial here; it is reported then.
        while widths.len() <= ROWS && records.next(widths.len()).unwrap_or(false) {
            if !records.pass_blank() {
                widths.push(records.len());
                prose &= records.fields_from(1).all(|field| field.starts_with(b" "));
            }
        }
        if !whole && widths.len() <= ROWS && widths.len() > 1 {
            // Cut off in the middle.
            widths.pop();
        }
        let header = widths.first().copied().unwrap_or(1);
        let rows = widths.get(1..).unwrap_or_default();
        let mut sorted = rows.to_vec();
        sorted.sort_unstable();
        let most = sorted.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).unwrap_or_default();
        Self {
            delimiter,
            header,
            common: most.first().copied().unwrap_or(header),
            rows: rows.len(),
            fitting: rows.iter().filter(|&&width| width == header).count(),
            frequent: most.len(),
            single: widths.iter().all(|&width| width == 1),
            prose,
        }
    }

    /// Between 0 and 1. Half as much if the header does not fit: the reader will say so.
    fn score(&self) -> f64 {
        let share = |rows: usize| if self.rows == 0 { 1.0 } else { rows as f64 / self.rows as f64 };
        let gain = |width: usize| (width - 1) as f64 / width as f64;
        let fitting = if self.header > 1 { share(self.fitting) * gain(self.header) } else { 0.0 };
        let regular = self.frequent * 100 >= self.rows * WITHOUT_HEADER;
        let prose = self.header == 1 && self.prose;
        let other = if self.common > 1 && regular && !prose {
            0.5 * share(self.frequent) * gain(self.common)
        } else {
            0.0
        };
        fitting.max(other)
    }

    /// Whether it separates the header, and two rows or more, all of them alike.
    fn is_plain(&self) -> bool {
        self.header > 1 && self.rows > 1 && self.fitting == self.rows
    }

    fn evidence(&self) -> DelimiterEvidence {
        let &Self { header: fields, rows, fitting, .. } = self;
        let delimiter = Delimiter::of(self.delimiter);
        if rows == 0 {
            DelimiterEvidence::HeaderAlone { delimiter, fields }
        } else if fitting == rows {
            DelimiterEvidence::EachRow { delimiter, fields, rows }
        } else {
            DelimiterEvidence::SomeRows { delimiter, fields, fitting, rows }
        }
    }
}

/// The single quote only if fields begin and end with it equally often, on half of the lines at least, and none begins
/// with a double quote.
fn find_quote(text: &[u8], delimiter: Option<u8>) -> Quote {
    let edge = |byte: Option<&u8>| match byte {
        None | Some(b'\n' | b'\r') => true,
        Some(byte) => delimiter.map_or_else(|| USUAL.contains(byte), |d| d == *byte),
    };
    let before = |at: usize| edge(at.checked_sub(1).map(|at| &text[at]));
    let (mut opened, mut closed, mut lines) = (0, 0, 1);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'"' if before(at) => return Quote::default(),
            b'\'' => {
                opened += usize::from(before(at));
                closed += usize::from(edge(text.get(at + 1)));
            }
            b'\n' | b'\r' => lines += 1,
            _ => {}
        }
    }
    if opened == closed && opened * 2 >= lines { Quote::Mark(b'\'') } else { Quote::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> (char, Quote) {
        let dialect = detect(text.as_bytes(), true, None, None);
        (char::from(dialect.delimiter), dialect.quote)
    }

    #[test]
    fn usual_files() {
        let double = Quote::default();
        for (text, delimiter) in [
            ("a,b\n1,2\n", ','),
            ("a;b;c\n1,5;2,5;x\n1,5;2,5;y\n", ';'),
            ("name;income, gross;age\nx;1,5;30\ny;2,5;40\n", ';'),
            ("a\tb\nx, y\t1\nz, y\t2\n", '\t'),
            ("a|b|c\n1|2|3\n", '|'),
            ("name,note\n\"Smith; J\",\"a;b|c\"\n\"Doe, J\",\"x;y\"\n", ','),
            ("\"x, y\";\"z\"\n\"1, 2\";\"3\"\n\"1\";\"3, 4\"\n", ';'),
            ("a,b,c\n1,2,3\n1,2\n4,5,6\n", ','),
            ("a;b\n", ';'),
            ("a^b c\n1^2\n3^4\n", '^'),
            ("a~b\n1~2\n3~4\n", '~'),
            // Row names without a name of their own, and a title above the table: the reader refuses them.
            ("a,b\n1,2,3\n4,5,6\n", ','),
            ("Report\na,b\n1,2\n3,4\n5,6\n7,8\n", ','),
        ] {
            assert_eq!(found(text), (delimiter, double), "{text:?}");
        }
    }

    #[test]
    fn one_column() {
        assert_eq!(found("city\nBerlin\nParis\n").0, ',');
        assert_eq!(found("city\n\"Paris, France\"\n\"Rome, Italy\"\n").0, ',');
        assert_eq!(found("name\nSmith, John\nDoe, Jane\n").0, ';');
        assert_eq!(found("note\nno commas\none, two, three; four\nwords\n").0, '\t');
        assert_eq!(found("x\n").0, ',');
        assert_eq!(found("x^2\n1\n4\n").0, ',');
        assert_eq!(found("x^2\n1^2\n").0, ',');
        assert_eq!(found("").0, ',');
    }

    #[test]
    fn tables_that_r_writes_with_row_names() {
        for text in [
            "\"age\" \"ill\"\n\"1\" 20 \"a\"\n\"2\" 30 \"b\"\n",
            "\"mpg\"\n\"Mazda RX4\" 21\n\"Fiat\" 20\n",
            "age ill\n1 20 a\n2 30 b\n",
        ] {
            assert_eq!(found(text).0, ' ', "{text:?}");
        }
        for text in [
            "full name\nAnna Maria Berg\nOtto Karl Lang\n",
            "age ill\n20 a\n30 b\n",
            "\"full name\"\n\"Anna Berg\"\n\"Otto Lang\"\n",
        ] {
            assert_ne!(found(text).0, ' ', "{text:?}");
        }
    }

    #[test]
    fn single_quotes() {
        assert_eq!(found("a,b\n'1,5','x'\n'2,5','it''s'\n"), (',', Quote::Mark(b'\'')));
        assert_eq!(found("a,b\n'70s,rock 'n'\nx,y\nx,y\n"), (',', Quote::default()));
    }

    #[test]
    fn evidence() {
        let dialect = detect(b"a;b\n1;2\n3;4\n5;", false, None, None);
        assert_eq!(
            dialect.evidence.to_string(),
            "semicolon, 2 fields in the header and in each of the first 2 rows"
        );
        assert_eq!(detect(b"a;b\n", true, Some(b','), None).evidence.to_string(), "comma, as chosen");
    }
}
