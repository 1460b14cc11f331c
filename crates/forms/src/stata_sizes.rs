//! Lengths in files of Stata: their reader allocates what the bytes say before it looks whether there is so much.

use std::io::{Read, Seek, SeekFrom};

use dta::stata::dta::{
    byte_order::ByteOrder, header::Header, release::Release, schema::Schema, variable_type::VariableType,
};
use lookalike_table::Error;

use crate::{FormFault, FormName};

/// Where the map of a file is looked for, and how it begins.
const BEGINNING: u64 = 2_048;
const MAP: &[u8] = b"<map>";

/// Places of the map that are used here: characteristics, long texts, labels of values.
const CHARACTERISTICS: usize = 8;
const LONG_TEXTS: usize = 10;
const LABELS: usize = 11;

/// The lengths of a file.
pub(crate) struct Lengths<'a, R> {
    source: &'a mut R,
    length: u64,
    is_little: bool,
    release: Release,
}

fn broken(says: &str) -> Error {
    FormFault::Damaged { form: FormName::Stata, says: says.to_owned() }.into()
}

impl<'a, R: Read + Seek> Lengths<'a, R> {
    /// Of a file with this header.
    pub(crate) fn new(source: &'a mut R, header: &Header) -> Result<Self, Error> {
        let length = source.seek(SeekFrom::End(0)).map_err(|error| Error::from_io(&error))?;
        let is_little = header.byte_order() == ByteOrder::LittleEndian;
        let release = header.release();
        // Each has a type and a name at the least.
        if u64::from(header.variable_count()) > length / 8 {
            return Err(broken("it says that it has more columns than bytes"));
        }
        Ok(Self { source, length, is_little, release })
    }

    /// Checks all that follows the schema, which ends here in files before release 117.
    pub(crate) fn check(&mut self, header: &Header, schema: &Schema, schema_ends: u64) -> Result<(), Error> {
        if self.release.is_xml_like() {
            return self.check_map();
        }
        let data = self.expansions(schema_ends)?;
        let width: u64 = schema.variables().iter().map(|variable| width(variable.variable_type())).sum();
        let labels = header.observation_count().checked_mul(width).and_then(|size| data.checked_add(size));
        let labels = labels.filter(|&labels| labels <= self.length);
        let labels = labels.ok_or_else(|| broken("it has fewer rows than it says"))?;
        if self.release < Release::V108 {
            // Their numbers have 16 bits.
            return Ok(());
        }
        let name = if self.release < Release::V110 { 9 } else { 33 };
        let mut at = labels;
        while at < self.length {
            at = self.counted(at, name + 3)?;
        }
        Ok(())
    }

    fn check_map(&mut self) -> Result<(), Error> {
        let beginning = self.at(0, BEGINNING.min(self.length))?;
        let map = beginning.windows(MAP.len()).position(|bytes| bytes == MAP);
        let map = map.ok_or_else(|| broken("it has no map"))? as u64 + MAP.len() as u64;
        let mut places = [0; LABELS + 1];
        for (at, place) in (0..).zip(&mut places) {
            *place = self.u64(map + 8 * at)?;
        }
        let name = if self.release < Release::V118 { 33 } else { 129 };
        // Behind the marks that begin each part.
        self.tagged(places[CHARACTERISTICS].saturating_add(17), b"<ch>", 0, 5)?;
        self.tagged(places[LABELS].saturating_add(14), b"<lbl>", name + 3, 6)?;
        let mut at = places[LONG_TEXTS].saturating_add(7);
        let before = if self.release < Release::V118 { 3 + 8 + 1 } else { 3 + 12 + 1 };
        while self.begins(at, b"GSO") {
            at = self.counted(at + before, 0)?;
        }
        Ok(())
    }

    /// Passes parts that begin so, have a length, so many bytes more than it says, and a mark at their end.
    fn tagged(&mut self, mut at: u64, mark: &[u8], more: u64, end: u64) -> Result<(), Error> {
        while self.begins(at, mark) {
            at = self.counted(at + mark.len() as u64, more)? + end;
        }
        Ok(())
    }

    /// Passes what belongs to the data set rather than to its rows.
    fn expansions(&mut self, mut at: u64) -> Result<u64, Error> {
        if self.release < Release::V105 {
            return Ok(at);
        }
        loop {
            let kind = self.at(at, 1)?;
            let (length, next) = if self.release < Release::V110 {
                let bytes = self.at(at + 1, 2)?;
                let bytes = bytes.first_chunk().copied().unwrap_or_default();
                let length =
                    if self.is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) };
                (u64::from(length), at + 3)
            } else {
                (u64::from(self.u32(at + 1)?), at + 5)
            };
            if kind == [0] && length == 0 {
                return Ok(next);
            }
            at = next + length;
            if at > self.length {
                return Err(broken("it ends within a record"));
            }
        }
    }

    /// The end of bytes whose number stands here, with so many more between.
    fn counted(&mut self, at: u64, more: u64) -> Result<u64, Error> {
        let length = u64::from(self.u32(at)?);
        let end = at + 4 + more + length;
        if end > self.length { Err(broken("it ends within a record")) } else { Ok(end) }
    }

    fn begins(&mut self, at: u64, with: &[u8]) -> bool {
        self.at(at, with.len() as u64).is_ok_and(|bytes| bytes == with)
    }

    fn at(&mut self, at: u64, length: u64) -> Result<Vec<u8>, Error> {
        if at.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(broken("it ends within a record"));
        }
        let mut bytes = vec![0; length as usize];
        self.source.seek(SeekFrom::Start(at)).map_err(|error| Error::from_io(&error))?;
        self.source.read_exact(&mut bytes).map_err(|error| Error::from_io(&error))?;
        Ok(bytes)
    }

    fn u32(&mut self, at: u64) -> Result<u32, Error> {
        let bytes = self.at(at, 4)?.first_chunk().copied().unwrap_or_default();
        Ok(if self.is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    fn u64(&mut self, at: u64) -> Result<u64, Error> {
        let bytes = self.at(at, 8)?.first_chunk().copied().unwrap_or_default();
        Ok(if self.is_little { u64::from_le_bytes(bytes) } else { u64::from_be_bytes(bytes) })
    }
}

/// Bytes of a cell.
fn width(of: VariableType) -> u64 {
    match of {
        VariableType::Byte => 1,
        VariableType::Int => 2,
        VariableType::Long | VariableType::Float => 4,
        VariableType::Double | VariableType::LongString => 8,
        VariableType::FixedString(width) => width.into(),
    }
}

/// Counts where a reader is.
pub(crate) struct Counted<'a, R> {
    pub(crate) source: R,
    pub(crate) at: &'a std::cell::Cell<u64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.source.read(into)?;
        self.at.set(self.at.get() + read as u64);
        Ok(read)
    }
}
