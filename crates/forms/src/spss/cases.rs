//! The data of a file: a row is so many pieces of 8 bytes.

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use flate2::bufread::ZlibDecoder;
use lookalike_table::Error;

use super::{
    broken,
    dictionary::{Dictionary, Packing},
    short,
};
use crate::form::rewound;

/// Codes of packed bytes; those between are small numbers.
const PADDING: u8 = 0;
const END: u8 = 252;
const AS_IT_IS: u8 = 253;
const BLANK: u8 = 254;
const MISSING: u8 = 255;

/// The rows.
pub(super) struct Cases<'a> {
    source: Box<dyn BufRead + 'a>,
    packing: Packing,
    is_little: bool,
    bias: f64,
    missing: f64,
    /// Rows that are still to come; `None` if the file does not say.
    left: Option<u64>,
    /// Codes that were read, and the one that is next.
    codes: [u8; 8],
    next: usize,
    case: Vec<u8>,
}

impl<'a> Cases<'a> {
    pub(super) fn new<R: Read + Seek>(source: &'a mut R, dictionary: &Dictionary) -> Result<Self, Error> {
        rewound(source)?.seek(SeekFrom::Start(dictionary.data)).map_err(|error| short(&error))?;
        let mut source = BufReader::new(source);
        let is_little = dictionary.is_little;
        let source: Box<dyn BufRead + 'a> = if dictionary.packing == Packing::Zlib {
            let mut header = [0; 24];
            source.read_exact(&mut header).map_err(|error| short(&error))?;
            let number = |at: usize| dictionary.u64(&header[at..at + 8]);
            let (begin, end) = (number(0), number(8));
            let length = end.checked_sub(begin).and_then(|length| length.checked_sub(24));
            let (Some(length), true) = (length, begin == dictionary.data) else {
                return Err(broken("its packed data do not stand where it says"));
            };
            Box::new(BufReader::new(Streams(Some(ZlibDecoder::new(source.take(length))))))
        } else {
            Box::new(source)
        };
        Ok(Self {
            source,
            packing: dictionary.packing,
            is_little,
            bias: dictionary.bias,
            missing: dictionary.missing,
            left: dictionary.cases,
            codes: [0; 8],
            next: 8,
            case: vec![0; 8 * dictionary.pieces],
        })
    }

    /// The bytes of the next row; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, Error> {
        if self.left == Some(0) {
            return Ok(None);
        }
        for piece in 0..self.case.len() / 8 {
            if let Some(bytes) = self.piece(piece == 0)? {
                self.case[8 * piece..8 * piece + 8].copy_from_slice(&bytes);
            } else if piece == 0 && self.left.is_none() {
                return Ok(None);
            } else {
                return Err(broken("it has fewer rows than it says, or its last one is not whole"));
            }
        }
        self.left = self.left.map(|left| left - 1);
        Ok(Some(&self.case))
    }

    /// The next 8 bytes, unpacked; none at the end, where `first` says that a row may begin.
    fn piece(&mut self, first: bool) -> Result<Option<[u8; 8]>, Error> {
        if self.packing == Packing::No {
            return self.bytes(first);
        }
        loop {
            if self.next == self.codes.len() {
                match self.bytes(first)? {
                    Some(codes) => (self.codes, self.next) = (codes, 0),
                    None => return Ok(None),
                }
            }
            let code = self.codes[self.next];
            self.next += 1;
            return Ok(Some(match code {
                PADDING => continue,
                END => return Ok(None),
                AS_IT_IS => match self.bytes(false)? {
                    Some(bytes) => bytes,
                    None => return Ok(None),
                },
                BLANK => [b' '; 8],
                MISSING => self.number(self.missing),
                small => self.number(f64::from(small) - self.bias),
            }));
        }
    }

    fn number(&self, number: f64) -> [u8; 8] {
        if self.is_little { number.to_le_bytes() } else { number.to_be_bytes() }
    }

    /// The next 8 bytes of the source; none at its end.
    fn bytes(&mut self, first: bool) -> Result<Option<[u8; 8]>, Error> {
        if first && self.source.fill_buf().map_err(|error| short(&error))?.is_empty() {
            return Ok(None);
        }
        let mut bytes = [0; 8];
        self.source.read_exact(&mut bytes).map_err(|error| short(&error))?;
        Ok(Some(bytes))
    }
}

/// Packed streams, one after the other, as one.
struct Streams<R>(Option<ZlibDecoder<R>>);

impl<R: BufRead> Read for Streams<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        while let Some(stream) = &mut self.0 {
            let read = stream.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            let mut rest = self.0.take().map(ZlibDecoder::into_inner);
            if let Some(rest) = rest.take_if(|rest| rest.fill_buf().is_ok_and(|bytes| !bytes.is_empty())) {
                self.0 = Some(ZlibDecoder::new(rest));
            }
        }
        Ok(0)
    }
}
