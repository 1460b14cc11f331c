//! A page of a `.sas7bdat`: rows that stand side by side, or pointers to pieces of it (rows and what says what rows mean), or both.

use lookalike_table::Error;

use super::header::Header;
use crate::{FormFault, FormName};

/// What is wrong with the bytes.
pub(super) fn broken(says: impl Into<String>) -> Error {
    FormFault::Damaged { form: FormName::Sas, says: says.into() }.into()
}

/// A source that ends too early, or what the system says.
pub(super) fn short(error: &std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => broken("it ends within a page"),
        std::io::ErrorKind::InvalidData | std::io::ErrorKind::InvalidInput => broken(error.to_string()),
        _ => Error::from_io(error),
    }
}

/// What a page holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Rows.
    Rows,
    /// Pieces, and rows behind them.
    Both,
    /// Pieces.
    Pieces,
    /// What nobody reads.
    Other,
}

/// What stands before what a page holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageHead {
    pub(super) holds: Holds,
    /// Whether a bit for each row says whether it is deleted.
    pub(super) has_deleted: bool,
    /// Rows, of a page that holds nothing else.
    pub(super) rows: usize,
    pub(super) pieces: usize,
}

impl PageHead {
    pub(super) fn of(header: &Header, page: &[u8]) -> Self {
        let end = header.page_head();
        let of = header.u16(page, end - 8);
        let holds = match of & 0x0f00 {
            0x0100 => Holds::Rows,
            _ if of & 0x9000 != 0 => Holds::Other,
            0x0200 => Holds::Both,
            _ => Holds::Pieces,
        };
        Self {
            holds,
            has_deleted: of & 0x0080 != 0,
            rows: header.u16(page, end - 6).into(),
            pieces: header.u16(page, end - 4).into(),
        }
    }
}

/// What a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Nothing that is read: it is cut off, deleted, or a row that is pointed to from where it belongs.
    Nothing,
    /// Bytes of the page, from and to: a row as it is, or what the first bytes of it say.
    Plain { from: usize, to: usize, is_row: bool },
    /// A packed row.
    Packed { from: usize, to: usize },
    /// A row that was moved: the page where it stands now, and its place among the pieces there.
    Moved { page: u64, piece: u64 },
    /// The same where it stands.
    Arrived { from: usize, to: usize, is_packed: bool },
}

impl Piece {
    /// That of a page at this place.
    pub(super) fn of(header: &Header, page: &[u8], at: usize) -> Result<Self, Error> {
        let width = if header.is_wide { 24 } else { 12 };
        let at = header.page_head() + at * width;
        let Some(pointer) = page.get(at..at + width) else {
            return Err(broken("a page has more pieces than it has place for"));
        };
        let (offset, length) = (header.size(pointer, (0, 0)), header.size(pointer, (4, 8)));
        let (packing, is_row) = (pointer[width * 2 / 3], pointer[width * 2 / 3 + 1] != 0);
        if length == 0 || matches!(packing, 1 | 5) {
            return Ok(Self::Nothing);
        }
        if packing == 3 {
            let place = |number: u64| number.checked_sub(1).ok_or_else(|| broken("a row was moved nowhere"));
            return Ok(Self::Moved { page: place(offset)?, piece: place(length)? });
        }
        let end = offset.checked_add(length).filter(|end| *end <= page.len() as u64);
        let Some(to) = end else { return Err(broken("a piece of a page ends beyond it")) };
        let (from, to) = (offset as usize, to as usize);
        Ok(match packing {
            0 => Self::Plain { from, to, is_row },
            4 => Self::Packed { from, to },
            2 => Self::Arrived { from, to, is_packed: false },
            6 => Self::Arrived { from, to, is_packed: true },
            9 | 13 => Self::Nothing,
            _ => return Err(broken("a row is packed in an unknown way")),
        })
    }
}

/// What a piece that is no row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    RowSize,
    ColumnSize,
    Text,
    Names,
    Attributes,
    Format,
    Other,
    /// It says nothing: it is a row.
    Row,
}

impl Says {
    /// By its first bytes.
    pub(super) fn of(header: &Header, piece: &[u8]) -> Self {
        let first = header.u32(piece, 0);
        if !header.is_wide {
            return Self::by(first);
        }
        let second = header.u32(piece, 4);
        // The 32 bits that tell, and the other ones, which are all set beside all but the two sizes.
        let (tells, other) = if header.is_little { (first, second) } else { (second, first) };
        match (first, tells) {
            (0xf7f7_f7f7, _) if !header.is_little || other == 0 => Self::RowSize,
            (0xf6f6_f6f6, _) if !header.is_little || other == 0 => Self::ColumnSize,
            (_, tells) if other == u32::MAX => Self::by(tells),
            _ => Self::Row,
        }
    }

    fn by(signature: u32) -> Self {
        match signature {
            0xf7f7_f7f7 => Self::RowSize,
            0xf6f6_f6f6 => Self::ColumnSize,
            0xffff_fffd => Self::Text,
            0xffff_ffff => Self::Names,
            0xffff_fffc => Self::Attributes,
            0xffff_fbfe => Self::Format,
            0xffff_fc00 | 0xffff_fff8.. => Self::Other,
            _ => Self::Row,
        }
    }
}
