//! Sheets of an XLSX workbook, cell for cell.

use std::io::{BufReader, Read, Seek};

use calamine::{Reader as _, SheetType, SheetVisible, Style, Xlsx, XlsxCellReader, XlsxError};

use super::{
    Cells, Sheet,
    cell::{Shown, shown},
    number_format::NumberFormat,
};
use crate::{Container, Damage, Error};

fn damaged(error: &XlsxError) -> Error {
    Error::Damaged { what: Container::Xlsx, why: Damage::Unpacker { says: error.to_string() } }
}

pub(super) fn open<R: Read + Seek>(source: BufReader<R>) -> Result<Xlsx<BufReader<R>>, Error> {
    Xlsx::new(source).map_err(|error| damaged(&error))
}

/// The sheets that have cells, in their order.
pub(super) fn sheets<R: Read + Seek>(workbook: &Xlsx<R>) -> Vec<Sheet> {
    let sheets = workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let sheet = |sheet: &calamine::Sheet| Sheet {
        name: sheet.name.clone(),
        is_shown: sheet.visible == SheetVisible::Visible,
    };
    sheets.map(sheet).collect()
}

pub(super) fn cells<'a, R: Read + Seek>(
    workbook: &'a mut Xlsx<R>,
    sheet: &str,
) -> Result<XlsxCells<'a, R>, Error> {
    let cells = workbook.worksheet_cells_reader(sheet).map_err(|error| damaged(&error))?;
    let code = |style: &Style| Some(NumberFormat::of(&style.number_format.as_ref()?.format_code));
    let formats = cells.styles().iter().map(|style| code(style).unwrap_or_default()).collect();
    Ok(XlsxCells { cells, formats })
}

/// The cells of a sheet.
pub(super) struct XlsxCells<'a, R: Read + Seek> {
    cells: XlsxCellReader<'a, R>,
    /// What the number formats of the workbook mean, by the numbers that cells have for them.
    formats: Vec<NumberFormat>,
}

impl<R: Read + Seek> Cells for XlsxCells<'_, R> {
    const WHAT: Container = Container::Xlsx;

    fn next(&mut self) -> Result<Option<(u32, u32, String, Shown)>, Error> {
        let next = self.cells.next_cell_with_style_id().map_err(|error| damaged(&error))?;
        Ok(next.map(|(cell, style)| {
            let (row, column) = cell.get_position();
            let (text, what) = shown(cell.get_value(), self.formats.get(style));
            (row, column, text, what)
        }))
    }
}
