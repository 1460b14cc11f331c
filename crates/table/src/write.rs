//! Writing CSV.

use lookalike_model::dialect::{Dialect, LineEnds};

use crate::{
    formula::{APOSTROPHE, is_marked},
    separator,
    source_form::MARK,
};

/// Writes a header and rows as CSV (comma, LF, quotes only where needed), UTF-8.
///
/// Quoted are cells with a comma, a quote or a line break, and three that would get lost otherwise: an empty cell that
/// is alone in its row (it would be a blank line), a byte-order mark at the very start, and a lone name there that would
/// be taken for Excel's line that names the delimiter (`sep=;`). Cells are never altered.
pub fn write<'a, R>(header: &[String], rows: impl IntoIterator<Item = R>) -> Vec<u8>
where
    R: IntoIterator<Item = &'a str>,
{
    write_as(Dialect::PLAIN, header, rows)
}

/// The same in another form. Quoted are cells with that form's delimiter in place of the comma; line breaks within cells
/// stay as they are. Where formulas are defused, an apostrophe stands before them and before each cell that begins with one.
pub fn write_as<'a, R>(dialect: Dialect, header: &[String], rows: impl IntoIterator<Item = R>) -> Vec<u8>
where
    R: IntoIterator<Item = &'a str>,
{
    let (mut out, mut writer) = (Vec::new(), Writer::new(dialect));
    writer.row(&mut out, header.iter().map(String::as_str));
    for row in rows {
        writer.row(&mut out, row);
    }
    out
}

/// Appends one row as [`write()`] does. Something must stand in `out` already unless the row is the table's first: two
/// marks are told apart by that.
pub fn write_row<'a>(out: &mut Vec<u8>, cells: impl IntoIterator<Item = &'a str>) {
    let begins = out.is_empty();
    row(out, Dialect::PLAIN, begins, cells);
}

/// Writes a table a row at a time; [`write_as`] is this.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    dialect: Dialect,
    /// Whether no row was written yet.
    begins: bool,
}

impl Writer {
    /// For a table of this form.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, begins: true }
    }

    /// Appends the next row; the header is the first.
    pub fn row<'a>(&mut self, out: &mut Vec<u8>, cells: impl IntoIterator<Item = &'a str>) {
        if self.begins && self.dialect.bom {
            out.extend_from_slice(MARK);
        }
        row(out, self.dialect, self.begins, cells);
        self.begins = false;
    }
}

fn row<'a>(out: &mut Vec<u8>, dialect: Dialect, begins: bool, cells: impl IntoIterator<Item = &'a str>) {
    let (start, delimiter) = (out.len(), dialect.delimiter.byte());
    for (column, cell) in cells.into_iter().enumerate() {
        if column > 0 {
            out.push(delimiter);
        }
        let apostrophe = is_marked(cell, dialect.formulas);
        let marked = begins
            && column == 0
            && (cell.starts_with('\u{feff}') || separator::named(cell.as_bytes()).is_some());
        if marked || must_be_quoted(cell, delimiter) {
            write_quoted(out, cell, apostrophe);
        } else {
            out.extend(apostrophe.then_some(APOSTROPHE));
            out.extend_from_slice(cell.as_bytes());
        }
    }
    if out.len() == start {
        out.extend_from_slice(b"\"\"");
    }
    if dialect.line_ends == LineEnds::Crlf {
        out.push(b'\r');
    }
    out.push(b'\n');
}

/// Whether a cell would be others, or end its row, without quotes.
fn must_be_quoted(cell: &str, delimiter: u8) -> bool {
    cell.bytes().any(|b| b == delimiter || matches!(b, b'"' | b'\n' | b'\r'))
}

/// A cell of a row after the first as [`write()`] has it, if it stands in quotes there.
pub(crate) fn quoted(cell: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    must_be_quoted(cell, b',').then(|| write_quoted(&mut out, cell, false))?;
    Some(out)
}

fn write_quoted(out: &mut Vec<u8>, cell: &str, apostrophe: bool) {
    out.push(b'"');
    out.extend(apostrophe.then_some(APOSTROPHE));
    for byte in cell.bytes() {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use lookalike_model::dialect::Separator;

    use super::*;

    #[test]
    fn quotes_only_where_needed() {
        let header = ["a b", "c"].map(String::from);
        let bytes = write(&header, [["1,5", "say \"hi\""], ["x\ny", "=1+1"], ["", " "]]);
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "a b,c\n\"1,5\",\"say \"\"hi\"\"\"\n\"x\ny\",=1+1\n, \n"
        );
    }

    #[test]
    fn each_form_quotes_what_it_must() {
        let german = Dialect {
            delimiter: Separator::Semicolon,
            bom: true,
            line_ends: LineEnds::Crlf,
            ..Dialect::PLAIN
        };
        let bytes = write_as(german, &["a".to_owned(), "b;".to_owned()], [["1,5", "x\ny"], ["\u{feff}", ""]]);
        assert_eq!(String::from_utf8(bytes).unwrap(), "\u{feff}a;\"b;\"\r\n1,5;\"x\ny\"\r\n\u{feff};\r\n");
        let tabs = Dialect { delimiter: Separator::Tab, ..Dialect::PLAIN };
        assert_eq!(write_as(tabs, &["sep=;".to_owned()], [["a\tb"], ["a|b"]]), b"\"sep=;\"\n\"a\tb\"\na|b\n");
    }

    #[test]
    fn rows_after_the_first_are_none_though_nothing_stands_before_them() {
        let (mut out, mut writer) = (Vec::new(), Writer::new(Dialect { bom: true, ..Dialect::PLAIN }));
        writer.row(&mut out, ["a"]);
        out.clear();
        writer.row(&mut out, ["sep=;"]);
        assert_eq!(out, b"sep=;\n");
    }

    #[test]
    fn keeps_a_lonely_empty_cell() {
        assert_eq!(write(&["a".to_owned()], [[""], ["1"]]), b"a\n\"\"\n1\n");
        assert_eq!(write(&["sep=;".to_owned()], [["sep=;"]]), b"\"sep=;\"\nsep=;\n");
    }
}
