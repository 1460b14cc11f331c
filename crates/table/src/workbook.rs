//! A sheet of an XLSX or ODS workbook, as the text of a CSV.
//!
//! The cells pass one row at a time; an XLSX workbook's own list of different texts is in memory.

mod cell;
mod number_format;
mod open_document;
mod open_document_cell;
mod xlsx;

use std::{
    collections::VecDeque,
    io::{self, BufReader, Read, Seek},
};

use lookalike_words::Name;
use zip::ZipArchive;

use self::cell::{Shown, place};
use crate::{
    Container, Damage, Error, Note, Oddity, SheetEvidence, Skip, Unfit, Warning,
    skip::Skipped,
    source_form::{Consume, Form, OpenOptions, Remarks, rewound},
    unpack::check_size,
    write::write_row,
};

/// Bytes that a workbook may unpack to, unless told otherwise: its texts are kept in memory.
const LIMIT: u64 = 1 << 30;

/// Rows and columns of the largest sheet there is.
const ROWS: u32 = 1 << 20;
const COLUMNS: u32 = 1 << 14;

/// The cells of a sheet that are not empty, in their order.
trait Cells {
    const WHAT: Container;

    /// The next one: row, column, text, and what is to be said of it.
    fn next(&mut self) -> Result<Option<(u32, u32, String, Shown)>, Error>;
}

/// A sheet of cells.
struct Sheet {
    name: String,
    is_shown: bool,
}

/// Refuses what only a text has.
fn refuse_choices(options: &OpenOptions) -> Result<(), Error> {
    if options.encoding.is_some() || options.read.delimiter.is_some() || options.read.quote.is_some() {
        return Err(Error::Unfit(Unfit::DialectOfWorkbook));
    }
    if options.layout.is_some() {
        return Err(Error::Unfit(Unfit::LayoutOfNoText));
    }
    if options.json_lines {
        return Err(Error::Unfit(Unfit::WorkbookAsJson));
    }
    Ok(())
}

/// Lets the sheet of an XLSX workbook be read that is asked for, or the first that is shown.
pub(crate) fn read<R: Read + Seek, T>(
    mut packed: ZipArchive<BufReader<R>>,
    options: &OpenOptions,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    refuse_choices(options)?;
    check_size(&mut packed, options.unpacked.unwrap_or(LIMIT))?;
    let mut source = packed.into_inner();
    rewound(&mut source)?;
    let mut workbook = xlsx::open(source)?;
    let chosen = Chosen::of(xlsx::sheets(&workbook), options.sheet.as_deref(), Container::Xlsx)?;
    let cells = xlsx::cells(&mut workbook, &chosen.name)?;
    let note = Note::Workbook { sheet: Name(chosen.name.clone()), why: chosen.why };
    consumed(cells, (chosen, note), options, consume)
}

/// The same of an ODS workbook.
pub(crate) fn read_open_document<R: Read + Seek, T>(
    mut packed: ZipArchive<BufReader<R>>,
    options: &OpenOptions,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    refuse_choices(options)?;
    if open_document::is_locked(&mut packed) {
        return Err(Error::LockedWorkbook);
    }
    let limit = options.unpacked.unwrap_or(LIMIT);
    check_size(&mut packed, limit)?;
    let sheets = open_document::sheets(&mut packed)?;
    let chosen = Chosen::of(sheets, options.sheet.as_deref(), Container::Ods)?;
    let cells = open_document::Table::new(&mut packed, chosen.at, limit)?;
    let note = Note::OpenDocument { sheet: Name(chosen.name.clone()), why: chosen.why };
    consumed(cells, (chosen, note), options, consume)
}

fn consumed<C: Cells, T>(
    cells: C,
    (chosen, note): (Chosen, Note),
    options: &OpenOptions,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    let mut rows = Rows::new(cells, options.skip);
    // As `Rows` writes it.
    let (delimiter, notes) = (b',', vec![note]);
    let (sheet, sheets) = (Some(chosen.name), chosen.names);
    let form = Form { delimiter, sheet, sheets, notes, cut: options.skip, ..Form::default() };
    let done = consume(&form, &mut rows)?;
    let errors = rows.errors.map(|(cells, (row, column))| {
        Warning::of(Oddity::FormulaErrors { cells, row: row + 1, column: column + 1 })
    });
    let clocks = rows
        .clocks
        .map(|(cells, (row, column))| Warning::of(Oddity::TimesAlone { cells, cell: place(row, column) }));
    let mut notes = form.notes;
    let moved = rows.corner.filter(|corner| *corner != (0, 0));
    notes.extend(moved.map(|(row, column)| Note::TableBegins { cell: place(row, column) }));
    notes.extend(
        rows.zeros.map(|(cells, (row, column))| Note::ZerosShown { cells, cell: place(row, column) }),
    );
    let warnings = rows.skipped.into_warnings().into_iter().chain(errors).chain(clocks).collect();
    Ok((done, Remarks { notes, warnings, ..Remarks::default() }))
}

/// The sheet that is read.
struct Chosen {
    name: String,
    /// Its place among all of them.
    at: usize,
    /// The names of all, those that are shown first.
    names: Vec<String>,
    why: SheetEvidence,
}

impl Chosen {
    fn of(sheets: Vec<Sheet>, wanted: Option<&str>, what: Container) -> Result<Self, Error> {
        let mut sheets: Vec<(usize, Sheet)> = sheets.into_iter().enumerate().collect();
        // The first that is shown before those that are not.
        sheets.sort_by_key(|(_, sheet)| !sheet.is_shown);
        let found = sheets.iter().find(|(_, sheet)| wanted.is_none_or(|wanted| sheet.name == wanted));
        let found = found.map(|(at, sheet)| (*at, sheet.name.clone()));
        let names: Vec<String> = sheets.into_iter().map(|(_, sheet)| sheet.name).collect();
        let Some((at, name)) = found else {
            let none = Error::Damaged { what, why: Damage::NoSheet };
            let sheets = || names.into_iter().map(Name).collect();
            return Err(wanted.map_or(none, |name| Error::NoSheet { name: name.into(), sheets: sheets() }));
        };
        let why = match names.len() {
            _ if wanted.is_some() => SheetEvidence::AsChosen,
            1 => SheetEvidence::Only,
            sheets => SheetEvidence::First { sheets },
        };
        Ok(Self { name, at, names, why })
    }
}

/// Writes the cells of a sheet as CSV, row for row: blank rows are blank lines, so that a line is a row of the sheet.
struct Rows<C> {
    cells: C,
    /// The cell that begins the next row.
    ahead: Option<(u32, u32, String)>,
    /// Cells of the header; later rows are filled up to it.
    width: usize,
    /// Where the table begins: the first cell of the header, by row and column.
    corner: Option<(u32, u32)>,
    /// Whether the last cell was read.
    exhausted: bool,
    /// 0-based row that is written next.
    row: u32,
    text: Vec<u8>,
    at: usize,
    ended: bool,
    /// Rows of the sheet that are left out, what of them is to be said, and the rows that may be among the last ones:
    /// each with its place and the blank rows before it.
    skip: Skip,
    skipped: Skipped,
    held: VecDeque<(u32, Vec<u8>)>,
    /// How many cells hold errors, and where the first stands, by row and column.
    errors: Option<(usize, (u32, u32))>,
    /// The same of cells that are read with the zeros of their format, and of those that hold a time without a date.
    zeros: Option<(usize, (u32, u32))>,
    clocks: Option<(usize, (u32, u32))>,
}

impl<C: Cells> Rows<C> {
    fn new(cells: C, skip: Skip) -> Self {
        Self {
            cells,
            ahead: None,
            width: 0,
            corner: None,
            exhausted: false,
            row: 0,
            text: Vec::new(),
            at: 0,
            ended: false,
            skip,
            skipped: Skipped::default(),
            held: VecDeque::new(),
            errors: None,
            zeros: None,
            clocks: None,
        }
    }

    /// Passes the first rows, and notes what they begin with.
    fn pass_first(&mut self) -> Result<(), Error> {
        let first = u32::try_from(self.skip.first).unwrap_or(ROWS).min(ROWS);
        while self.row < first {
            let cell = match self.ahead.take() {
                Some(cell) => Some(cell),
                None => self.cell()?,
            };
            let Some((row, column, text)) = cell else { break };
            for _ in self.row..row.min(first) {
                self.skipped.above(b"");
            }
            if row >= first {
                (self.row, self.ahead) = (first, Some((row, column, text)));
                break;
            }
            self.skipped.above(text.as_bytes());
            self.row = row + 1;
            // What else stands in this row.
            loop {
                match self.cell()? {
                    Some(next) if next.0 == row => {}
                    next => {
                        self.ahead = next;
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// The text of the next row that is none of the last ones.
    fn next_row(&mut self) -> Result<(), Error> {
        if self.row == 0 {
            self.pass_first()?;
        }
        (self.at, self.ended) = (0, true);
        let last = u32::try_from(self.skip.last).unwrap_or(ROWS);
        loop {
            if let Some((row, _)) = self.held.front()
                && row.saturating_add(last) < self.row
                && let Some((_, text)) = self.held.pop_front()
            {
                (self.text, self.ended) = (text, false);
                return Ok(());
            }
            self.text.clear();
            if !self.advance()? {
                break;
            }
            if last == 0 {
                self.ended = false;
                return Ok(());
            }
            self.held.push_back((self.row - 1, std::mem::take(&mut self.text)));
        }
        let mut lines = Vec::new();
        for (_, text) in &self.held {
            let blank = text.iter().take_while(|byte| **byte == b'\n').count();
            lines.extend(std::iter::repeat_n(&b""[..], blank));
            lines.push(&text[blank..]);
        }
        for line in &lines[lines.len().saturating_sub(self.skip.last)..] {
            self.skipped.below(line);
        }
        self.held.clear();
        Ok(())
    }

    /// The next cell that is not empty: row, column, text.
    fn cell(&mut self) -> Result<Option<(u32, u32, String)>, Error> {
        while !self.exhausted {
            let Some((row, column, text, what)) = self.cells.next()? else {
                self.exhausted = true;
                break;
            };
            if row < self.row || row >= ROWS || column >= COLUMNS {
                let why = Damage::CellOutside { row: u64::from(row) + 1, column: u64::from(column) + 1 };
                return Err(Error::Damaged { what: C::WHAT, why });
            }
            let counted = match what {
                Shown::Error => Some(&mut self.errors),
                Shown::Zeros => Some(&mut self.zeros),
                Shown::Clock => Some(&mut self.clocks),
                Shown::Plain => None,
            };
            if let Some(counted) = counted {
                counted.get_or_insert((0, (row, column))).0 += 1;
            }
            if !text.is_empty() {
                return Ok(Some((row, column, text)));
            }
        }
        Ok(None)
    }

    /// Writes the next row that has a cell, and the blank ones before it; false at the end.
    fn advance(&mut self) -> Result<bool, Error> {
        let first = match self.ahead.take() {
            Some(cell) => Some(cell),
            None => self.cell()?,
        };
        let Some((row, mut column, mut text)) = first else { return Ok(false) };
        let blank = (row - self.row) as usize;
        self.row = row;
        let mut fields = vec![String::new(); self.width];
        let (top, left) = *self.corner.get_or_insert((row, column));
        loop {
            let Some(column_at) = column.checked_sub(left) else {
                return Err(Error::Beside { cell: place(row, column), corner: place(top, left) });
            };
            let column_at = column_at as usize;
            fields.resize(fields.len().max(column_at + 1), String::new());
            fields[column_at] = text;
            match self.cell()? {
                Some(next) if next.0 == row => (column, text) = (next.1, next.2),
                next => {
                    self.ahead = next;
                    break;
                }
            }
        }
        if self.width == 0 {
            self.width = fields.len();
        }
        write_row(&mut self.text, fields.iter().map(String::as_str));
        self.text.splice(0..0, std::iter::repeat_n(b'\n', blank));
        self.row += 1;
        Ok(true)
    }
}

impl<C: Cells> Read for Rows<C> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() && !self.ended {
            self.next_row().map_err(io::Error::other)?;
        }
        let size = out.len().min(self.text.len() - self.at);
        out[..size].copy_from_slice(&self.text[self.at..self.at + size]);
        self.at += size;
        Ok(size)
    }
}
