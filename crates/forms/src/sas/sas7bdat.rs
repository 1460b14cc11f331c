//! A `.sas7bdat`. Nobody but SAS has written down what it is; this follows "SAS7BDAT Database Binary Format" by Matt Shotwell and what
//! `ReadStat` has found out since.

use std::{
    cell::RefCell,
    io::{Read, Seek},
    sync::Arc,
};

use arrow_schema::{Schema, SchemaRef};
use encoding_rs::Encoding;
use lookalike_model::described::Described;
use lookalike_table::{Error, Note};

use super::{
    header::Header,
    meta::Meta,
    numbers::Numbers,
    page::{Holds, PageHead, Piece, Says, broken},
    rows::{About, Lines, Rows},
    variable::Variable,
};
use crate::{
    FormName, FormNote,
    columns::{Batches, Columns, chosen_encoding, damaged},
    labelled::{self, Tally},
};

/// A file.
pub(crate) struct SasFile<R> {
    source: R,
    header: Header,
    meta: Meta,
    encoding: &'static Encoding,
    variables: Vec<Variable>,
    schema: SchemaRef,
    tallies: RefCell<Vec<Tally>>,
}

impl<R: Read + Seek> SasFile<R> {
    pub(crate) fn open(mut source: R, encoding: Option<&str>) -> Result<Self, Error> {
        let header = Header::read(&mut source)?;
        let encoding = match chosen_encoding(encoding)? {
            Some(encoding) => encoding,
            None => header.encoding()?,
        };
        let meta = Meta::read(&mut source, &header)?;
        let variables = meta.variables(encoding)?;
        let schema = Arc::new(Schema::new(variables.iter().map(Variable::field).collect::<Vec<_>>()));
        let tallies = RefCell::new(vec![Tally::default(); variables.len()]);
        Ok(Self { source, header, meta, encoding, variables, schema, tallies })
    }
}

impl<R: Read + Seek> Columns for SasFile<R> {
    fn form(&self) -> FormName {
        FormName::Sas
    }

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn batches(&mut self, columns: &[usize]) -> Result<Batches<'_>, Error> {
        let schema = self.schema.project(columns).map_err(|why| damaged(FormName::Sas, &why))?;
        let about = About {
            form: FormName::Sas,
            numbers: Numbers::Ieee { is_little: self.header.is_little },
            encoding: self.encoding,
            variables: &self.variables,
            tallies: &self.tallies,
        };
        let pages = Pages {
            source: &mut self.source,
            header: &self.header,
            meta: &self.meta,
            page: vec![0; self.header.page_size],
            head: None,
            next_page: 0,
            next: 0,
            left: self.meta.rows,
            other: Vec::new(),
            other_page: None,
            row: Vec::new(),
        };
        Ok(Box::new(Rows::new(pages, about, schema, columns)))
    }

    fn is_text(&self, column: usize) -> bool {
        self.variables[column].is_text
    }

    fn takes_encoding(&self) -> bool {
        true
    }

    fn notes(&self, columns: &[usize]) -> Vec<Note> {
        let tallies = self.tallies.borrow();
        let about = columns
            .iter()
            .map(|&at| (self.variables[at].name.as_str(), self.variables[at].label.as_str(), &tallies[at]));
        let encoding = FormNote::Encoding { encoding: self.encoding.name() }.into();
        std::iter::once(encoding).chain(labelled::notes(about)).collect()
    }

    fn described(&self, columns: &[usize]) -> Vec<Described> {
        let variables = columns.iter().map(|&at| &self.variables[at]);
        labelled::described(variables.map(|of| (of.name.as_str(), of.label.as_str(), false)), None)
    }
}

/// The rows of a file, page for page.
struct Pages<'a, R> {
    source: &'a mut R,
    header: &'a Header,
    meta: &'a Meta,
    page: Vec<u8>,
    /// What the page holds; none before the first one is read, and after the last of each.
    head: Option<PageHead>,
    next_page: u64,
    /// The piece, or the row behind the pieces, that is next.
    next: usize,
    /// Rows that are still to come.
    left: u64,
    /// The page that a moved row stands in.
    other: Vec<u8>,
    other_page: Option<u64>,
    /// A row that was packed.
    row: Vec<u8>,
}

/// Where a row was found.
enum Found {
    Page { from: usize },
    Other { from: usize },
    Unpacked,
}

impl<R: Read + Seek> Lines for Pages<'_, R> {
    fn next(&mut self) -> Result<Option<&[u8]>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        let found = loop {
            let Some(head) = self.head else {
                if self.next_page == self.header.pages {
                    return Err(broken("it has fewer rows than it says"));
                }
                self.header.page(self.source, self.next_page, &mut self.page)?;
                self.head = Some(PageHead::of(self.header, &self.page));
                (self.next_page, self.next) = (self.next_page + 1, 0);
                continue;
            };
            let pieces = if matches!(head.holds, Holds::Both | Holds::Pieces) { head.pieces } else { 0 };
            let found = if self.next < pieces {
                self.next += 1;
                self.piece(self.next - 1)?
            } else {
                match self.row_beside(head, pieces)? {
                    Beside::Row(from) => Some(Found::Page { from }),
                    Beside::Deleted => None,
                    Beside::End => {
                        self.head = None;
                        None
                    }
                }
            };
            if let Some(found) = found {
                break found;
            }
        };
        self.left -= 1;
        let length = self.meta.row_length;
        Ok(Some(match found {
            Found::Page { from } => &self.page[from..from + length],
            Found::Other { from } => &self.other[from..from + length],
            Found::Unpacked => &self.row,
        }))
    }
}

/// A row that stands beside others.
enum Beside {
    Row(usize),
    Deleted,
    End,
}

impl<R: Read + Seek> Pages<'_, R> {
    /// The row that a piece is, if it is one.
    fn piece(&mut self, at: usize) -> Result<Option<Found>, Error> {
        match Piece::of(self.header, &self.page, at)? {
            Piece::Plain { from, to, is_row: true }
                if Says::of(self.header, &self.page[from..to]) == Says::Row =>
            {
                self.whole(from, to)?;
                Ok(Some(Found::Page { from }))
            }
            Piece::Packed { from, to } => unpacked(self.meta, &self.page[from..to], &mut self.row).map(Some),
            Piece::Moved { page, piece } => self.moved(page, piece).map(Some),
            Piece::Plain { .. } | Piece::Nothing | Piece::Arrived { .. } => Ok(None),
        }
    }

    fn whole(&self, from: usize, to: usize) -> Result<(), Error> {
        if to - from == self.meta.row_length {
            Ok(())
        } else {
            Err(broken("a row is longer or shorter than others"))
        }
    }

    /// A row that stands on another page than where it belongs.
    fn moved(&mut self, page: u64, piece: u64) -> Result<Found, Error> {
        let nowhere = || broken("a row that was moved does not stand where it says");
        if page >= self.header.pages {
            return Err(nowhere());
        }
        if self.other_page != Some(page) {
            self.other_page = None;
            self.other.resize(self.header.page_size, 0);
            self.header.page(self.source, page, &mut self.other)?;
            self.other_page = Some(page);
        }
        let head = PageHead::of(self.header, &self.other);
        if matches!(head.holds, Holds::Rows | Holds::Other) || piece >= head.pieces as u64 {
            return Err(nowhere());
        }
        match Piece::of(self.header, &self.other, piece as usize)? {
            Piece::Arrived { from, to, is_packed: false } => {
                self.whole(from, to)?;
                Ok(Found::Other { from })
            }
            Piece::Arrived { from, to, is_packed: true } => {
                unpacked(self.meta, &self.other[from..to], &mut self.row)
            }
            _ => Err(nowhere()),
        }
    }

    /// The next row of those that stand side by side.
    fn row_beside(&mut self, head: PageHead, pieces: usize) -> Result<Beside, Error> {
        let (rows, start) = match head.holds {
            Holds::Rows => (head.rows as u64, self.header.page_head()),
            Holds::Both => (self.meta.page_rows.min(self.meta.all_rows), self.behind(pieces)),
            Holds::Pieces | Holds::Other => return Ok(Beside::End),
        };
        let row = (self.next - pieces) as u64;
        if row >= rows {
            return Ok(Beside::End);
        }
        self.next += 1;
        let length = self.meta.row_length as u64;
        let place = |rows: u64| rows.checked_mul(length).and_then(|bytes| bytes.checked_add(start as u64));
        let within = |end: Option<u64>| end.filter(|end| *end <= self.page.len() as u64);
        let Some(end) = within(place(row + 1)) else {
            return Err(broken("a page has more rows than it has place for"));
        };
        if head.has_deleted {
            // A bit for each row, behind the rows and what is left over.
            let over = self.header.size(&self.page, (12, 24));
            let bits = place(rows).and_then(|end| end.checked_add(over)?.checked_add(row / 8));
            let byte = bits.and_then(|at| self.page.get(usize::try_from(at).ok()?));
            let Some(byte) = byte else {
                return Err(broken("a page does not say which of its rows are deleted"));
            };
            if byte >> (7 - row % 8) & 1 == 1 {
                return Ok(Beside::Deleted);
            }
        }
        Ok(Beside::Row(end as usize - self.meta.row_length))
    }

    /// Where the rows behind the pieces of a page begin: on a boundary of 8 bytes, but for files of other programs, which may not pad.
    fn behind(&self, pieces: usize) -> usize {
        let end = self.header.page_head() + pieces * if self.header.is_wide { 24 } else { 12 };
        let padding = self.page.get(end..end + 4);
        let is_padded =
            !self.header.is_foreign || padding.is_some_and(|four| four == [0; 4] || four == *b"    ");
        if end % 8 == 4 && is_padded { end + 4 } else { end }
    }
}

fn unpacked(meta: &Meta, packed: &[u8], row: &mut Vec<u8>) -> Result<Found, Error> {
    if meta.packing().unpack(packed, meta.row_length, row) {
        Ok(Found::Unpacked)
    } else {
        Err(broken("a row does not unpack to the length of a row"))
    }
}
