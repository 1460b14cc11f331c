//! How a `.sas7bdat` begins: order and width of its numbers, sizes of its pages, encoding.

use std::io::{Read, Seek, SeekFrom};

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use lookalike_table::Error;
use lookalike_words::Name;

use super::page::{broken, short};
use crate::{FormFault, form::rewound};

/// Bytes that the header and a page have at least and at most.
const SIZES: std::ops::RangeInclusive<u64> = 1_024..=1 << 24;

/// What the header says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) is_little: bool,
    /// Whether numbers of places and lengths have 8 bytes.
    pub(super) is_wide: bool,
    /// Bytes of it.
    size: u64,
    pub(super) page_size: usize,
    pub(super) pages: u64,
    /// The number of its encoding.
    encoding: u8,
    /// Whether SAS has not written it, but a program that aligns rows in its own way.
    pub(super) is_foreign: bool,
}

impl Header {
    pub(super) fn read<R: Read + Seek>(source: &mut R) -> Result<Self, Error> {
        let length = source.seek(SeekFrom::End(0)).map_err(|why| short(&why))?;
        let mut bytes = [0; 288];
        rewound(source)?.read_exact(&mut bytes).map_err(|why| short(&why))?;
        let is_little = match bytes[37] {
            0 => false,
            1 => true,
            _ => return Err(broken("its header has no order of bytes")),
        };
        let aligned = |at: usize| bytes[at] == b'3';
        let (is_wide, shift) = (aligned(32), if aligned(35) { 4 } else { 0 });
        let number = |at: usize| u64::from(u32_at(&bytes, at + shift, is_little));
        let (size, page_size) = (number(196), number(200));
        let pages = if is_wide { u64_at(&bytes, 204 + shift, is_little) } else { number(204) };
        if !SIZES.contains(&size) || !SIZES.contains(&page_size) {
            return Err(broken("its header or its pages have a size that none has"));
        }
        let end = pages.checked_mul(page_size).and_then(|all| all.checked_add(size));
        if end.is_none_or(|end| end > length) {
            return Err(broken("it ends before its last page"));
        }
        // Such as `9.0401M3`.
        let release = 216 + shift + if is_wide { 4 } else { 0 };
        let is_foreign = bytes[release + 2..release + 6] == *b"0000" && bytes[release + 7] == b'0';
        let page_size = page_size as usize;
        Ok(Self { is_little, is_wide, size, page_size, pages, encoding: bytes[70], is_foreign })
    }

    /// Reads a page from its beginning on, as much of it as fits.
    pub(super) fn page<R: Read + Seek>(
        &self,
        source: &mut R,
        page: u64,
        into: &mut [u8],
    ) -> Result<(), Error> {
        let at = self.size + page * self.page_size as u64;
        source.seek(SeekFrom::Start(at)).map_err(|why| short(&why))?;
        source.read_exact(into).map_err(|why| short(&why))
    }

    /// Bytes before what a page holds.
    pub(super) fn page_head(&self) -> usize {
        if self.is_wide { 40 } else { 24 }
    }

    /// A number of 2 bytes at this place; 0 beyond the end, as of the other widths.
    pub(super) fn u16(&self, bytes: &[u8], at: usize) -> u16 {
        let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
        if self.is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) }
    }

    pub(super) fn u32(&self, bytes: &[u8], at: usize) -> u32 {
        u32_at(bytes, at, self.is_little)
    }

    /// A place or a length: of 4 bytes at the first place, or of 8 at the second.
    pub(super) fn size(&self, bytes: &[u8], at: (usize, usize)) -> u64 {
        if self.is_wide { u64_at(bytes, at.1, self.is_little) } else { self.u32(bytes, at.0).into() }
    }

    /// The encoding of its texts.
    pub(super) fn encoding(&self) -> Result<&'static Encoding, Error> {
        let label = match self.encoding {
            // Not said, or any.
            0 | 204 => return Ok(WINDOWS_1252),
            20 => return Ok(UTF_8),
            28 => String::from("us-ascii"),
            29..=38 => format!("iso-8859-{}", self.encoding - 28),
            39 | 51 => String::from("windows-874"),
            40 => String::from("iso-8859-15"),
            41 => String::from("cp437"),
            42 => String::from("cp850"),
            43 => String::from("cp852"),
            44 => String::from("cp857"),
            45 => String::from("cp858"),
            49 => String::from("ibm866"),
            60..=68 => format!("windows-125{}", self.encoding - 60),
            69 => String::from("macintosh"),
            76 | 246 => String::from("x-mac-cyrillic"),
            118 | 123 => String::from("big5"),
            125 | 205 => String::from("gb18030"),
            126 => String::from("gbk"),
            134 => String::from("euc-jp"),
            136 | 138 | 248 => String::from("shift_jis"),
            140..=142 => String::from("euc-kr"),
            167 => String::from("iso-2022-jp"),
            227 => String::from("iso-8859-14"),
            242 => String::from("iso-8859-13"),
            other => format!("SAS {other}"),
        };
        let found = Encoding::for_label(label.as_bytes());
        found.ok_or_else(|| FormFault::Encoding { label: Name::from(label.as_str()) }.into())
    }
}

fn u32_at(bytes: &[u8], at: usize, is_little: bool) -> u32 {
    let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
    if is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
}

fn u64_at(bytes: &[u8], at: usize, is_little: bool) -> u64 {
    let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
    if is_little { u64::from_le_bytes(bytes) } else { u64::from_be_bytes(bytes) }
}
