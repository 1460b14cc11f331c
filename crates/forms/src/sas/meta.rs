//! What the pieces of a `.sas7bdat` say of its rows: their number and length, names, types, formats and labels of columns.

use std::io::{Read, Seek};

use encoding_rs::Encoding;
use lookalike_table::Error;

use super::{
    header::Header,
    moments::Time,
    page::{Holds, PageHead, Piece, Says, broken},
    unpack::Packing,
    variable::{Variable, text},
};

/// Bytes of a row, at most.
const ROW: u64 = 1 << 26;

/// Bytes of a text, at most.
const TEXT: u64 = 32_767;

/// Where a text stands: the number of its piece, its first byte and its length.
type Place = [u16; 3];

/// What the pieces say, as far as it was found. Everything grows by what stands in the file, never by what it says of itself.
#[derive(Default)]
pub(super) struct Meta {
    pub(super) row_length: usize,
    /// Rows without those that are deleted.
    pub(super) rows: u64,
    /// Rows on a page that has pieces, too, at most.
    pub(super) page_rows: u64,
    /// The same of all rows, deleted ones with them.
    pub(super) all_rows: u64,
    packing: Option<Place>,
    columns: Option<u64>,
    texts: Vec<Vec<u8>>,
    names: Vec<Place>,
    attributes: Vec<Attributes>,
    formats: Vec<(Place, Place)>,
}

/// Where a column stands in a row.
struct Attributes {
    at: u64,
    width: u64,
    is_text: bool,
}

impl Meta {
    /// Reads pages until all columns are known.
    pub(super) fn read<R: Read + Seek>(source: &mut R, header: &Header) -> Result<Self, Error> {
        let mut meta = Self::default();
        let mut page = vec![0; header.page_size];
        for at in 0..header.pages {
            let head = header.page_head();
            header.page(source, at, &mut page[..head])?;
            let about = PageHead::of(header, &page);
            if matches!(about.holds, Holds::Rows | Holds::Other) {
                continue;
            }
            header.page(source, at, &mut page)?;
            // Pieces that lie over each other would be kept many times.
            let mut left = page.len();
            for piece in 0..about.pieces {
                if let Piece::Plain { from, to, is_row } = Piece::of(header, &page, piece)? {
                    let piece = &page[from..to];
                    left = left
                        .checked_sub(piece.len())
                        .ok_or_else(|| broken("pieces of a page lie over each other"))?;
                    match Says::of(header, piece) {
                        Says::Row if is_row => {}
                        says => meta.take(header, says, piece)?,
                    }
                }
            }
            if meta.is_whole() {
                break;
            }
        }
        if meta.columns.is_none_or(|columns| columns == 0) {
            return Err(broken("it has no columns"));
        }
        if meta.row_length == 0 {
            return Err(broken("it does not say how long its rows are"));
        }
        Ok(meta)
    }

    fn is_whole(&self) -> bool {
        let Some(columns) = self.columns else { return false };
        let all = |found: usize| found as u64 >= columns;
        let texts = self.names.iter().chain(self.formats.iter().flat_map(|(format, label)| [format, label]));
        let last = texts.chain(&self.packing).map(|place| usize::from(place[0])).max();
        self.row_length > 0
            && all(self.names.len())
            && all(self.attributes.len())
            && all(self.formats.len())
            && last.is_some_and(|last| last < self.texts.len())
    }

    fn take(&mut self, header: &Header, says: Says, piece: &[u8]) -> Result<(), Error> {
        // Bytes of the mark that tells what it is.
        let mark = if header.is_wide { 8 } else { 4 };
        // Entries stand between what says how many there are and what follows them.
        let entries = |width: usize| piece.len().saturating_sub(2 * mark + 12) / width;
        let place = |at: usize| [0, 2, 4].map(|part| header.u16(piece, at + part));
        match says {
            Says::RowSize => {
                if piece.len() < if header.is_wide { 250 } else { 190 } {
                    return Err(broken("what says how many rows it has is cut off"));
                }
                let length = header.size(piece, (20, 40));
                if length > ROW {
                    return Err(broken("its rows are too long"));
                }
                self.row_length = length as usize;
                self.all_rows = header.size(piece, (24, 48));
                self.page_rows = header.size(piece, (60, 120));
                let deleted = header.size(piece, (28, 56));
                let rows = self.all_rows.checked_sub(deleted);
                self.rows = rows.ok_or_else(|| broken("more rows are deleted than it has"))?;
                self.packing = Some(place(piece.len() - 118)).filter(|place| place[2] > 0);
            }
            Says::ColumnSize => self.columns = Some(header.size(piece, (4, 8))),
            Says::Text => self.texts.push(piece.get(mark..).unwrap_or_default().to_vec()),
            Says::Names => {
                self.names.extend((0..entries(8)).map(|entry| place(mark + 8 + 8 * entry)));
            }
            Says::Attributes => {
                let width = mark + 8;
                for entry in 0..entries(width) {
                    let at = mark + 8 + width * entry;
                    let is_text = match piece[at + mark + 6] {
                        1 => false,
                        2 => true,
                        _ => return Err(broken("a column has neither numbers nor texts")),
                    };
                    let width = u64::from(header.u32(piece, at + mark));
                    let at = header.size(&piece[at..], (0, 0));
                    self.attributes.push(Attributes { at, width, is_text });
                }
            }
            Says::Format => {
                let (format, label) = if header.is_wide { (46, 52) } else { (34, 40) };
                if piece.len() < label + 6 {
                    return Err(broken("what says how a column is shown is cut off"));
                }
                self.formats.push((place(format), place(label)));
            }
            Says::Other | Says::Row => {}
        }
        Ok(())
    }

    /// How rows are packed.
    pub(super) fn packing(&self) -> Packing {
        let place = self.packing.and_then(|place| self.text(place));
        if place.is_some_and(|name| name.starts_with(b"SASYZCR2")) { Packing::Copies } else { Packing::Runs }
    }

    fn text(&self, [piece, at, length]: Place) -> Option<&[u8]> {
        let at = usize::from(at);
        self.texts.get(usize::from(piece))?.get(at..at + usize::from(length))
    }

    /// The columns, each within a row.
    pub(super) fn variables(&self, encoding: &'static Encoding) -> Result<Vec<Variable>, Error> {
        let said = |place: Place| match place {
            [_, _, 0] => Ok(String::new()),
            place => match self.text(place) {
                Some(bytes) => Ok(text(bytes, encoding)),
                None => Err(broken("the name of a column does not stand where it says")),
            },
        };
        let columns = self.columns.unwrap_or_default();
        if columns > self.names.len().min(self.attributes.len()) as u64 {
            return Err(broken("it has fewer names of columns than columns"));
        }
        let mut variables = Vec::new();
        for (at, (name, about)) in self.names.iter().zip(&self.attributes).take(columns as usize).enumerate()
        {
            let (format, label) = self.formats.get(at).copied().unwrap_or_default();
            let fits = about.at.checked_add(about.width).is_some_and(|end| end <= self.row_length as u64);
            let widths = if about.is_text { 0..=TEXT } else { 1..=8 };
            if !fits || !widths.contains(&about.width) {
                return Err(broken("a column does not fit into a row"));
            }
            variables.push(Variable {
                name: said(*name)?,
                label: said(label)?,
                is_text: about.is_text,
                at: about.at as usize,
                width: about.width as usize,
                time: Time::of(&said(format)?).filter(|_| !about.is_text),
            });
        }
        Ok(variables)
    }
}
