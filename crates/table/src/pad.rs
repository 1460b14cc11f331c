//! Leading zeros that a spreadsheet has eaten: cells of digits are filled up again to a width that the user declares.
//!
//! Zeros are put on the left only: 1067 of five digits is 01067, and never 10670, which would be another place.

use crate::{PadFault, is_missing};

/// Most digits that a column is filled up to.
pub const WIDEST: usize = 64;

/// The digits of a code: those of a cell made of digits, also with `.0` behind them, as programs write whole numbers in a column
/// that has blanks ("1067.0").
#[must_use]
pub fn code_digits(cell: &str) -> Option<&str> {
    let cell = cell.trim();
    let digits = cell.strip_suffix(".0").unwrap_or(cell);
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

/// A value with its zeros; `None` if it has its width, or is missing.
pub(crate) fn fill(value: &str, width: usize, markers: &[String]) -> Result<Option<String>, PadFault> {
    let cell = value.trim();
    if cell.is_empty() || is_missing(value, markers) {
        return Ok(None);
    }
    let digits = code_digits(cell).ok_or(PadFault::NotDigits)?;
    match width.checked_sub(digits.len()) {
        None => Err(PadFault::TooLong { digits: digits.len() }),
        Some(0) if digits.len() == cell.len() => Ok(None),
        Some(zeros) => Ok(Some("0".repeat(zeros) + digits)),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Edits, ReadOptions, Table, read, read_parts};

    fn pad(width: u8) -> ReadOptions {
        let widths = [(String::from("zip"), width)].into();
        let edits = Edits { widths, markers: vec![String::from("k.A.")], ..Edits::default() };
        ReadOptions { edits, ..ReadOptions::default() }
    }

    fn cells(table: &Table) -> Vec<&str> {
        (0..table.rows).map(|row| table.columns[0].cell(row)).collect()
    }

    #[test]
    fn zeros_are_put_on_the_left() {
        let text = "zip,n\n1067,1\n10115,2\n01067,3\n 99 ,4\nk.a.,5\n,6\n0,7\n1067,8\n";
        let table = read(text.as_bytes(), &pad(5)).unwrap();
        let expected = ["01067", "10115", "01067", "00099", "k.a.", "", "00000", "01067"];
        assert_eq!(cells(&table), expected);
        // One value has one code, however it was spelled.
        assert_eq!(table.columns[0].values.len(), 6, "{:?}", table.columns[0].values);
        assert_eq!(table.columns[1].cell(3), "4");
        let notes: Vec<String> = table.notes.iter().map(ToString::to_string).collect();
        assert_eq!(notes, ["\"zip\" filled up on the left with zeros to 5 digits, as asked (4 cells)"]);
    }

    /// As pandas writes a column of whole numbers with blanks: what is behind the point is no digit of a code.
    #[test]
    fn decimals_of_zero_are_taken_off() {
        let table = read(&b"zip,n\n1067.0,1\n10115.0,2\n,3\n1067,4\n0.0,5\n"[..], &pad(5)).unwrap();
        assert_eq!(cells(&table), ["01067", "10115", "", "01067", "00000"]);
        let notes: Vec<String> = table.notes.iter().map(ToString::to_string).collect();
        assert!(notes[0].contains("'.0'") && notes[0].contains("3 cells"), "{notes:?}");
        assert!(notes.len() == 2 && notes[1].contains("(1 cell)"), "{notes:?}");
    }

    #[test]
    fn what_cannot_be_filled_up_is_named() {
        for (text, width, says) in [
            ("zip\n1067\n101155\n10115\n", 5, "row 2: '101155' has 6 digits"),
            ("zip\n1067\nA-1010\n", 5, "row 2: 'A-1010' is not made of digits only"),
            ("zip\n1067.5\n", 5, "row 1: '1067.5' is not made of digits only"),
            ("zip\n1067.00\n", 5, "row 1: '1067.00' is not made of digits only"),
            ("zip\n.0\n", 5, "row 1: '.0' is not made of digits only"),
            ("zip\n101155.0\n", 5, "row 1: '101155.0' has 6 digits"),
            ("zip\n-1\n", 5, "row 1: '-1' is not made of digits only"),
            ("zip\n1,067\n", 5, "row 1: '1"),
            ("zip\n1067\n", 0, "1 to 64"),
            ("zip\n1067\n", 65, "1 to 64"),
        ] {
            let text = text.replace("1,067", "\"1,067\"");
            let error = read(text.as_bytes(), &pad(width)).unwrap_err().to_string();
            assert!(error.contains(says) && error.contains("\"zip\""), "{error}");
        }
    }

    /// In parts, rows and cells are counted over all of them.
    #[test]
    fn parts_are_filled_up_alike() {
        let rows: Vec<String> = (0..20_000).map(|at| (1000 + at % 90_000).to_string()).collect();
        let text = |rows: &[String]| format!("zip\n{}\n", rows.join("\n"));
        let mut all = Vec::new();
        let mut parts = 0;
        let read = read_parts(text(&rows).as_bytes(), &pad(5), 1000, &mut |_, part| {
            parts += 1;
            all.extend(cells(&part).into_iter().map(String::from));
            true
        })
        .unwrap();
        let expected: Vec<String> = rows.iter().map(|cell| format!("{cell:0>5}")).collect();
        assert!(parts > 1 && all == expected);
        assert!(read.notes[0].to_string().contains("9,000 cells"), "{}", read.notes[0]);
        let mut rows = rows;
        rows[17_000] = String::from("x");
        let error = read_parts(text(&rows).as_bytes(), &pad(5), 1000, &mut |_, _| true).unwrap_err();
        assert!(error.to_string().contains("row 17,001"), "{error}");
    }
}
