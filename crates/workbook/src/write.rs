//! Writing a workbook.

use lookalike_audit::Dialect;
use lookalike_table::{Column, ReadOptions, Table, read, undefused};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};

use crate::WorkbookFault;

/// Most digits that a spreadsheet keeps of a number.
const DIGITS: usize = 15;

/// The cells of a published table as a workbook with one sheet. A column is one of numbers if each of its cells is a number as a
/// spreadsheet spells it, or empty; else all its cells are text, so that leading zeros and long digits stay. Nothing is a formula.
pub(super) fn workbook(published: &[u8], dialect: Dialect) -> Result<Vec<u8>, WorkbookFault> {
    let options = ReadOptions { delimiter: Some(dialect.delimiter), ..ReadOptions::default() };
    let table = read(published, &options).map_err(|why| unwritten(&why))?;
    let table = if dialect.defused { undefused(table) } else { table };
    bytes(&table).map_err(|why| unwritten(&why))
}

fn unwritten(why: &impl ToString) -> WorkbookFault {
    WorkbookFault::Unwritten { says: why.to_string().trim_end_matches('.').to_owned() }
}

fn bytes(table: &Table) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    // Else the time of the run.
    workbook
        .set_properties(&DocProperties::new().set_creation_datetime(&ExcelDateTime::from_ymd(2000, 1, 1)?));
    let sheet = workbook.add_worksheet();
    for (at, column) in table.columns.iter().enumerate() {
        let place = u16::try_from(at).map_err(|_| XlsxError::RowColumnLimitError)?;
        sheet.write_string(0, place, &column.name)?;
        let numbers = numbers(column);
        for (row, &code) in (1..).zip(&column.cells) {
            let code = code as usize;
            let text = &column.values[code];
            if let Some(numbers) = &numbers {
                if let Some(number) = numbers[code] {
                    sheet.write_number(row, place, number)?;
                }
            } else if !text.is_empty() {
                sheet.write_string(row, place, text)?;
            }
        }
    }
    workbook.save_to_buffer()
}

/// The numbers of the different cells of a column, nothing for an empty one; `None` if the column is not one of numbers.
fn numbers(column: &Column) -> Option<Vec<Option<f64>>> {
    let number = |cell: &str| match cell {
        "" => Some(None),
        cell => spelled(cell).map(Some),
    };
    column.values.iter().map(number).collect()
}

/// The number that a spreadsheet spells like this.
fn spelled(cell: &str) -> Option<f64> {
    let number: f64 = cell.parse().ok()?;
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    let stays = number.is_finite() && digits <= DIGITS && number.to_string() == cell;
    // A spreadsheet has no -0.
    (stays && (number != 0.0 || number.is_sign_positive())).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_stay_as_they_are_spelled() {
        for text in ["0", "18", "-5", "1.5", "0.001", "123456789012345"] {
            assert!(spelled(text).is_some(), "{text}");
        }
        for text in [
            "01067",
            "1.50",
            "+5",
            "1e3",
            "-0",
            " 1",
            "1 ",
            "1,5",
            "NaN",
            "inf",
            "1234567890123456",
            ".5",
            "5.",
        ] {
            assert_eq!(spelled(text), None, "{text}");
        }
    }
}
