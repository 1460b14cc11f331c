//! Reading columns that have types: each is coded by its source, and no text of a table is parsed.
//!
//! The table is the one that [`read_from`](crate::read_from) makes of the CSV of these columns, its digest included. What that reader
//! has something to say of is left to it.

use lookalike_model::dialect::Dialect;
use rustc_hash::FxHashMap;
use sha2::{Digest as _, Sha256};

use crate::{
    Dictionary, Error, HeaderRow, ReadOptions, Table, Warning,
    below::looks_of,
    coder::Coder,
    columns::Columns,
    edits::Edited,
    header::Header,
    read::spaces,
    write::{quoted, write_row},
};

/// Codes the cells of one column.
pub trait CodeCells: Send {
    /// Rows that come at once.
    type Batch: Sync;

    /// Appends the codes of the next rows, one a row.
    ///
    /// # Errors
    /// A cell that is no text, which the reader of texts is left to say.
    fn code(&mut self, batch: &Self::Batch, into: &mut Coded<'_>) -> Result<(), NoText>;
}

/// A cell holds what no text may: a NUL.
#[derive(Clone, Copy, Debug)]
pub struct NoText;

/// A column as it grows.
#[derive(Debug)]
pub struct Coded<'a> {
    pub(crate) coder: &'a mut Coder,
    pub(crate) cells: &'a mut Vec<u32>,
}

impl Coded<'_> {
    /// Appends cells, which stand in `text` at these places.
    ///
    /// # Errors
    /// A cell that is no text.
    pub fn texts(
        &mut self,
        text: &[u8],
        cells: impl Iterator<Item = (u32, u32)> + Clone,
    ) -> Result<(), NoText> {
        self.coder.append(text, cells, self.cells).map_err(|_| NoText)
    }

    /// The codes of cells, which stand in `text` at these places, behind those in `codes`; nothing is appended to the column.
    ///
    /// # Errors
    /// A cell that is no text.
    pub fn codes(
        &mut self,
        text: &[u8],
        cells: impl Iterator<Item = (u32, u32)> + Clone,
        codes: &mut Vec<u32>,
    ) -> Result<(), NoText> {
        self.coder.append(text, cells, codes).map_err(|_| NoText)
    }

    /// The codes of all rows so far, to append to.
    pub fn rows(&mut self) -> &mut Vec<u32> {
        self.cells
    }
}

/// Reads columns of these names, each coded by one of `coders`, from batches of their rows. `None` if there is anything that the reader
/// of texts has to say: then it is to read the same rows.
///
/// # Errors
/// What the batches say, and what [`read_from`](crate::read_from) says of the header.
pub fn read_coded<C: CodeCells>(
    names: &[&str],
    coders: Vec<C>,
    batches: &mut dyn Iterator<Item = Result<C::Batch, Error>>,
    options: &ReadOptions,
) -> Result<Option<Table>, Error> {
    let given = matches!(options.header, HeaderRow::Keys | HeaderRow::Present);
    let spaced = matches!(names, [only] if spaces(only.as_bytes()) > 0);
    if names.is_empty() || !given || spaced || options.names.is_some() {
        return Ok(None);
    }
    options.edits.check()?;
    let cells: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
    let mut warnings = Vec::new();
    let header = match &options.all {
        Some(all) => Header::of_some(&cells, b',', (all, options.duplicates), &mut warnings)?,
        None => Header::new(&cells, b',', options.duplicates, &mut warnings)?,
    };
    let hinted = header.whole().hint.is_some() || header.hint.is_some();
    if hinted || [&header, header.whole()].iter().any(|of| of.names.iter().any(String::is_empty)) {
        return Ok(None);
    }
    let mut columns = Columns::new(&header, (options.columns.as_deref(), options.also), &options.texts)?;
    if columns.len() != names.len() {
        return Ok(None);
    }
    let Some((rows, digest)) = coded(names, coders, batches, &mut columns)? else { return Ok(None) };
    if rows == 0 || (options.header == HeaderRow::Present && has_footer(&columns, rows)) {
        return Ok(None);
    }
    finished(&header, columns, (rows, digest), options, warnings).map(Some)
}

/// Codes all rows, and hashes the text that they would be; their number and the hash.
fn coded<C: CodeCells>(
    names: &[&str],
    mut coders: Vec<C>,
    batches: &mut dyn Iterator<Item = Result<C::Batch, Error>>,
    columns: &mut Columns,
) -> Result<Option<(usize, [u8; 32])>, Error> {
    let (mut lines, mut rows) = (Lines::new(names), 0);
    let mut ready = batches.next().transpose()?;
    while let Some(batch) = ready {
        let done = columns.code(&mut coders, &batch, &mut |columns| lines.append(columns, rows), || {
            batches.next().transpose()
        });
        let (Ok(all), next) = done else { return Ok(None) };
        rows = all;
        if rows > u32::MAX as usize {
            return Ok(None);
        }
        ready = next?;
    }
    Ok(Some((rows, lines.digest())))
}

/// Whether the last row is one that ends a table of a spreadsheet.
fn has_footer(columns: &Columns, rows: usize) -> bool {
    let last = (0..columns.len()).map(|at| {
        let (values, cells) = columns.at(at);
        values[cells[rows - 1] as usize].as_bytes()
    });
    columns.len() > 1 && looks_of(last).is_some()
}

fn finished(
    header: &Header,
    columns: Columns,
    (rows, digest): (usize, [u8; 32]),
    options: &ReadOptions,
    warnings: Vec<Warning>,
) -> Result<Table, Error> {
    let (mut columns, mut edited) = (columns.finish(), Edited::default());
    options.edits.apply(&mut columns, 0, &mut edited)?;
    Ok(Table {
        header: header.whole().names.clone(),
        columns,
        rows,
        first_row: options.header,
        renamed: header.whole().renamed.clone(),
        warnings,
        notes: edited.notes(&options.edits),
        described: Vec::new(),
        dialect: Dialect::PLAIN,
        digest,
    })
}

/// The lines that a CSV of the rows has, on their way into a hash.
struct Lines {
    hasher: Sha256,
    buffer: Vec<u8>,
    /// By column how many of its values were looked at, and those that stand in quotes.
    quoted: Vec<(usize, FxHashMap<u32, Vec<u8>>)>,
}

/// Bytes that are hashed at once.
const PIECE: usize = 1 << 16;

impl Lines {
    fn new(names: &[&str]) -> Self {
        let mut buffer = Vec::with_capacity(PIECE);
        write_row(&mut buffer, names.iter().copied());
        Self { hasher: Sha256::new(), buffer, quoted: vec![Default::default(); names.len()] }
    }

    /// Appends the rows from one on.
    fn append(&mut self, columns: &Columns, from: usize) {
        for (at, (looked, quoted_values)) in self.quoted.iter_mut().enumerate() {
            let (values, _) = columns.at(at);
            for code in *looked..values.len() {
                if let Some(quoted) = quoted(&values[code]) {
                    quoted_values.insert(code as u32, quoted);
                }
            }
            *looked = values.len();
        }
        let columns: Vec<(&Dictionary, &[u32])> = (0..columns.len()).map(|at| columns.at(at)).collect();
        let rows = columns.first().map_or(0, |(_, cells)| cells.len());
        for row in from..rows {
            let start = self.buffer.len();
            for (at, ((values, cells), (_, quoted))) in columns.iter().zip(&self.quoted).enumerate() {
                if at > 0 {
                    self.buffer.push(b',');
                }
                let code = cells[row];
                let in_quotes = if quoted.is_empty() { None } else { quoted.get(&code) };
                let text = in_quotes.map_or_else(|| values[code as usize].as_bytes(), Vec::as_slice);
                self.buffer.extend_from_slice(text);
            }
            if self.buffer.len() == start {
                // An empty cell that is alone in its row.
                self.buffer.extend_from_slice(b"\"\"");
            }
            self.buffer.push(b'\n');
            if self.buffer.len() >= PIECE {
                self.hasher.update(&self.buffer);
                self.buffer.clear();
            }
        }
    }

    fn digest(mut self) -> [u8; 32] {
        self.hasher.update(&self.buffer);
        self.hasher.finalize().into()
    }
}
