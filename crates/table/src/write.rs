//! Writing CSV.

use crate::separator;

/// Writes a header and rows as CSV (comma, LF, quotes only where needed), UTF-8.
///
/// Quoted are cells with a comma, a quote or a line break, and three that would get lost otherwise: an empty cell that
/// is alone in its row (it would be a blank line), a byte-order mark at the very start, and a lone name there that would
/// be taken for Excel's line that names the delimiter (`sep=;`). Cells are never altered.
pub fn write<'a, R>(header: &[String], rows: impl IntoIterator<Item = R>) -> Vec<u8>
where
    R: IntoIterator<Item = &'a str>,
{
    let mut out = Vec::new();
    write_row(&mut out, header.iter().map(String::as_str));
    for row in rows {
        write_row(&mut out, row);
    }
    out
}

/// Appends one row, for tables that are written a piece at a time; [`write()`] is rows of this. Something must stand in
/// `out` already unless the row is the table's first: two marks are told apart by that.
pub fn write_row<'a>(out: &mut Vec<u8>, cells: impl IntoIterator<Item = &'a str>) {
    let start = out.len();
    for (column, cell) in cells.into_iter().enumerate() {
        if column > 0 {
            out.push(b',');
        }
        let marked =
            out.is_empty() && (cell.starts_with('\u{feff}') || separator::named(cell.as_bytes()).is_some());
        if marked || cell.bytes().any(|b| matches!(b, b',' | b'"' | b'\n' | b'\r')) {
            write_quoted(out, cell);
        } else {
            out.extend_from_slice(cell.as_bytes());
        }
    }
    if out.len() == start {
        out.extend_from_slice(b"\"\"");
    }
    out.push(b'\n');
}

fn write_quoted(out: &mut Vec<u8>, cell: &str) {
    out.push(b'"');
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
    fn keeps_a_lonely_empty_cell() {
        assert_eq!(write(&["a".to_owned()], [[""], ["1"]]), b"a\n\"\"\n1\n");
        assert_eq!(write(&["sep=;".to_owned()], [["sep=;"]]), b"\"sep=;\"\nsep=;\n");
    }
}
