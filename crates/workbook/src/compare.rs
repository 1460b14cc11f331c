//! A workbook against the bytes that were judged.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use lookalike_audit::{Dialect, cells};

use crate::{WorkbookCheck, WorkbookFault};

/// Reads a workbook back, and compares its cells with those of the judged bytes, as the audit's strict reader reads them.
pub(super) fn compare(
    workbook: &[u8],
    judged: &[u8],
    dialect: Dialect,
) -> Result<WorkbookCheck, WorkbookFault> {
    let unread = |says: String| WorkbookFault::Unread { says };
    let mut book = Xlsx::new(Cursor::new(workbook)).map_err(|why| unread(why.to_string()))?;
    let names = book.sheet_names();
    let [name] = names.as_slice() else { return Err(unread(names.join(", "))) };
    let formulas = book.worksheet_formula(name).map_err(|why| unread(why.to_string()))?;
    if let Some((row, column, _)) = formulas.used_cells().find(|(_, _, formula)| !formula.is_empty()) {
        // Places count from the first cell with a formula.
        let (top, left) = formulas.start().unwrap_or_default();
        return Err(WorkbookFault::Differs {
            row: row + top as usize + 1,
            column: column + left as usize + 1,
        });
    }
    let sheet = book.worksheet_range(name).map_err(|why| unread(why.to_string()))?;
    let (mut rows, mut columns, mut all, mut differs) = (0, 0, 0, None);
    let mut row = |cells: &[&str]| {
        for (column, cell) in (0..).zip(cells) {
            if !says(sheet.get_value((rows, column)), cell) {
                differs.get_or_insert((rows as usize + 1, column as usize + 1));
            }
        }
        (rows, columns, all) = (rows + 1, cells.len(), all + cells.len());
    };
    let mut is_header = true;
    cells(judged, dialect, &mut |names, cells| {
        if std::mem::take(&mut is_header) {
            row(&names.iter().map(String::as_str).collect::<Vec<_>>());
        }
        row(cells);
    })
    .map_err(|why| unread(why.to_string()))?;
    let rows = rows as usize;
    if let Some((row, column)) = differs {
        return Err(WorkbookFault::Differs { row, column });
    }
    match sheet.end() {
        Some((bottom, right)) if bottom as usize >= rows || right as usize >= columns => {
            Err(WorkbookFault::Size { rows, columns })
        }
        _ => Ok(WorkbookCheck::Same { cells: all, rows }),
    }
}

/// Whether a cell of a workbook holds this text, or the number that is spelled so. An empty cell is not there.
fn says(data: Option<&Data>, cell: &str) -> bool {
    match data {
        None | Some(Data::Empty) => cell.is_empty(),
        Some(Data::String(text)) => text == cell,
        Some(Data::Float(number)) => number.to_string() == cell,
        Some(Data::Int(number)) => number.to_string() == cell,
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use rust_xlsxwriter::{Workbook, Worksheet, XlsxError};

    use super::*;
    use crate::write;

    const CSV: &[u8] =
        b"age_min,zip,note,class\n18,01067,=1+1,1\n18,01067,,1\n20.5,10115,\"a\nb, <&> \"\"_x0041_\"\"\",2\n";

    fn compared(workbook: &[u8]) -> Result<WorkbookCheck, WorkbookFault> {
        compare(workbook, CSV, Dialect::PLAIN)
    }

    #[test]
    fn what_was_judged_is_read_back() {
        let book = write::workbook(CSV, Dialect::PLAIN).unwrap();
        assert_eq!(compared(&book), Ok(WorkbookCheck::Same { cells: 16, rows: 4 }));
        assert_eq!(book, write::workbook(CSV, Dialect::PLAIN).unwrap(), "no time of day in it");
        let mut read = Xlsx::new(Cursor::new(&book)).unwrap();
        let sheet = read.worksheet_range("Sheet1").unwrap();
        assert_eq!(sheet.get_value((1, 0)), Some(&Data::Float(18.0)), "a column of numbers");
        assert_eq!(
            sheet.get_value((3, 1)),
            Some(&Data::String(String::from("10115"))),
            "a column with leading zeros"
        );
        assert_eq!(sheet.get_value((1, 2)), Some(&Data::String(String::from("=1+1"))), "text, not a formula");
    }

    /// A workbook of these cells, but for what is altered.
    fn altered(alter: impl FnOnce(&mut Worksheet) -> Result<&mut Worksheet, XlsxError>) -> Vec<u8> {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        let rows = [
            ["age_min", "zip", "note", "class"],
            ["18", "01067", "=1+1", "1"],
            ["18", "01067", "", "1"],
            ["20.5", "10115", "a\nb, <&> \"_x0041_\"", "2"],
        ];
        for (row, cells) in (0..).zip(rows) {
            for (column, cell) in (0..).zip(cells) {
                sheet.write_string(row, column, cell).unwrap();
            }
        }
        alter(sheet).unwrap();
        book.save_to_buffer().unwrap()
    }

    #[test]
    fn another_workbook_is_refused() {
        assert!(compared(&altered(|sheet| sheet.write_string(0, 3, "class"))).is_ok());
        let differs = |row, column| Err(WorkbookFault::Differs { row, column });
        assert_eq!(compared(&altered(|sheet| sheet.write_string(0, 1, "ZIP"))), differs(1, 2));
        assert_eq!(compared(&altered(|sheet| sheet.write_number(1, 1, 1067))), differs(2, 2));
        assert_eq!(compared(&altered(|sheet| sheet.write_string(2, 2, "x"))), differs(3, 3));
        assert_eq!(compared(&altered(|sheet| sheet.write_boolean(1, 3, true))), differs(2, 4));
        assert_eq!(compared(&altered(|sheet| sheet.write_formula(1, 2, "=1+1"))), differs(2, 3));
        let size = Err(WorkbookFault::Size { rows: 4, columns: 4 });
        assert_eq!(compared(&altered(|sheet| sheet.write_string(4, 0, "more"))), size);
        assert_eq!(compared(&altered(|sheet| sheet.write_string(0, 4, "more"))), size);
        assert!(matches!(compared(b"PK"), Err(WorkbookFault::Unread { .. })));
    }
}
