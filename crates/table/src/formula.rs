//! Cells that a spreadsheet runs when it opens a file of them.

use lookalike_model::dialect::Formulas;

use crate::{Dictionary, Table};

/// Stands before a cell that is to be text.
pub(crate) const APOSTROPHE: u8 = b'\'';

/// Whether a spreadsheet that opens a file would run this cell as a formula: it begins with `=`, `+`, `-` or `@`, in
/// their wide forms, too, or with a tab or a carriage return, behind which some look for one. A signed number and a sign by
/// itself are none.
#[must_use]
pub fn is_formula(cell: &str) -> bool {
    let mut rest = cell.chars();
    match rest.next() {
        Some('=' | '@' | '\t' | '\r' | '\u{ff1d}' | '\u{ff20}') => true,
        Some('+' | '-' | '\u{ff0b}' | '\u{ff0d}') => !is_number(rest.as_str()),
        _ => false,
    }
}

/// Whether nothing follows a sign but a number as people write it, or nothing at all.
fn is_number(text: &str) -> bool {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let within = |c: char| {
        c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '\u{2019}' | ' ' | '\u{a0}' | '\u{202f}' | '%')
    };
    text.is_empty()
        || (mantissa.contains(|c: char| c.is_ascii_digit())
            && mantissa.chars().all(within)
            && !exponent.is_empty()
            && exponent.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether an apostrophe is written before a cell.
pub(crate) fn is_marked(cell: &str, formulas: Formulas) -> bool {
    formulas == Formulas::Defuse && (is_formula(cell) || plain(cell) != cell)
}

/// A table that was written with defused formulas and read again, with the cells that it had.
#[must_use]
pub fn undefused(mut table: Table) -> Table {
    for column in &mut table.columns {
        if column.values.iter().any(|cell| plain(cell) != cell) {
            column.values = column.values.iter().map(plain).collect::<Dictionary>();
        }
        column.name = plain(&column.name).to_owned();
    }
    for name in &mut table.header {
        *name = plain(name).to_owned();
    }
    table
}

fn plain(cell: &str) -> &str {
    cell.strip_prefix(char::from(APOSTROPHE)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use lookalike_model::dialect::Dialect;
    use proptest::prelude::*;

    use super::*;
    use crate::{ReadOptions, read, write_as};

    #[test]
    fn signed_numbers_are_no_formulas() {
        for cell in [
            "=1+1",
            "=",
            "@SUM(A1)",
            "-1+2",
            "+cmd|' /C calc'!A0",
            "-x",
            "--1",
            "\t=1",
            "\r1",
            "-e5",
            "-1e",
            "\u{ff1d}1",
        ] {
            assert!(is_formula(cell), "{cell}");
        }
        for cell in [
            "-",
            "+",
            "-5",
            "+1,234.50",
            "-1.5e-3",
            "-12 %",
            "-1\u{202f}000",
            "",
            "'=1",
            "a=b",
            " =1",
            "[-5-3]",
            "1+1",
        ] {
            assert!(!is_formula(cell), "{cell}");
        }
    }

    proptest! {
        /// What is defused is read as it was, no cell of it is a formula, and all else stays as it is.
        #[test]
        fn defused_cells_come_back(cells in proptest::collection::vec("[-+=@'\ta1. ]{0,4}", 1..20)) {
            let defused = Dialect { formulas: Formulas::Defuse, ..Dialect::PLAIN };
            let names = ["'a".to_owned(), "=b".to_owned()];
            let bytes = write_as(defused, &names, cells.iter().map(|cell| [cell.as_str(), "x"]));
            let again = read(&bytes, &ReadOptions::default()).unwrap();
            for (row, cell) in cells.iter().enumerate() {
                let written = again.columns[0].cell(row);
                prop_assert!(!is_formula(written), "{written}");
                prop_assert!(written == cell || written.strip_prefix('\'') == Some(cell));
            }
            let table = undefused(again);
            let back: Vec<&str> = (0..table.rows).map(|row| table.columns[0].cell(row)).collect();
            prop_assert_eq!(back, cells);
            prop_assert_eq!([table.columns[0].name.as_str(), table.columns[1].name.as_str()], ["'a", "=b"]);
        }
    }
}
