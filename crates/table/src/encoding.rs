//! Which encoding a file uses, and its text in UTF-8.
//!
//! UTF-8 unless a byte-order mark, the zero bytes of UTF-16 or bytes that are not UTF-8 say otherwise; then all bytes
//! are looked at (chardetng, the detector of Firefox). It knows no encoding of DOS: `words` says where its guess makes no words.

mod charset;
mod words;

use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

pub(crate) use self::charset::Charset;
use self::{
    charset::Decoder,
    words::{Instead, Words},
};
use crate::{EncodingEvidence, Error, plain::is_utf8};

/// Bytes decoded at a time.
const CHUNK: usize = 1 << 15;

/// With fewer bytes beyond ASCII the detector takes Western European names for Baltic or Turkish ones.
const FEW: usize = 20;

/// Encodings of Latin letters that share most of their places with Windows-1252.
const LATIN: [&str; 12] = [
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "windows-1250",
    "windows-1254",
    "windows-1257",
    "windows-1258",
];

/// An encoding, and why.
#[derive(Clone, Debug)]
pub(crate) struct Guess {
    pub(crate) encoding: Charset,
    pub(crate) why: EncodingEvidence,
    /// Whether other bytes further on may change it.
    pub(crate) open: bool,
}

impl Guess {
    /// The encoding of this name (a label of the WHATWG Encoding Standard, or cp850).
    pub(crate) fn chosen(label: &str) -> Result<Self, Error> {
        let encoding = Charset::named(label);
        let encoding = encoding.ok_or_else(|| Error::Encoding { label: label.into() })?;
        Ok(Self { encoding, why: EncodingEvidence::AsChosen, open: false })
    }

    /// By the beginning of the file; `None` if all of it must be looked at.
    pub(crate) fn by_beginning(bytes: &[u8]) -> Option<Self> {
        if let Some((encoding, _)) = Encoding::for_bom(bytes) {
            let encoding = Charset::Standard(encoding);
            return Some(Self { encoding, why: EncodingEvidence::ByteOrderMark, open: false });
        }
        if let Some(encoding) = utf16(bytes) {
            let encoding = Charset::Standard(encoding);
            return Some(Self { encoding, why: EncodingEvidence::ZeroBytes, open: false });
        }
        is_utf8(bytes).then_some(Self {
            encoding: Charset::UTF_8,
            why: EncodingEvidence::AllRead,
            open: true,
        })
    }

    /// By all bytes of a file that is not UTF-8.
    pub(crate) fn by_all(source: &mut dyn Read) -> Result<Self, Error> {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        let mut buffer = vec![0; CHUNK];
        let (mut high, mut western, mut words) = (0, true, Words::default());
        loop {
            let read = source.read(&mut buffer).map_err(|error| Error::from_io(&error))?;
            detector.feed(&buffer[..read], read == 0);
            for &byte in buffer[..read].iter().filter(|byte| !byte.is_ascii()) {
                high += 1;
                western &= matches!(byte, 0xc0..=0xff | 0x80 | 0x85 | 0x91..=0x97 | 0xa0 | 0xa7 | 0xb0);
            }
            buffer[..read].iter().for_each(|&byte| words.push(byte));
            if read == 0 {
                break;
            }
        }
        words.end();
        let encoding = Charset::Standard(detector.guess(None, Utf8Detection::Deny));
        let latin = LATIN.contains(&encoding.name());
        if high < FEW && western && latin {
            return Ok(Self {
                encoding: Charset::WINDOWS_1252,
                why: EncodingEvidence::MostUsual,
                open: false,
            });
        }
        if !latin && let Some(Instead { charset, read, otherwise }) = words.instead(encoding) {
            let (read, otherwise) = (read.as_str().into(), otherwise.as_str().into());
            let why = EncodingEvidence::ByWords { read, other: encoding.name(), otherwise };
            return Ok(Self { encoding: charset, why, open: false });
        }
        Ok(Self { encoding, why: EncodingEvidence::BestFit, open: false })
    }
}

/// UTF-16 without a mark: of the pairs of bytes most have a zero on the same side, since the delimiters, digits and
/// line ends do.
pub(crate) fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let zeros = |side: usize| bytes.iter().skip(side).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let enough = |zeros: usize| zeros * 8 >= bytes.len() && zeros > 0;
    if enough(odd) && even * 20 <= odd {
        Some(UTF_16LE)
    } else if enough(even) && odd * 20 <= even {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// The text of a source in UTF-8.
pub(crate) struct Decoded<R> {
    source: R,
    decoder: Decoder,
    name: &'static str,
    raw: Vec<u8>,
    /// Decoded bytes, and how many of them were handed out.
    text: Vec<u8>,
    at: usize,
    ended: bool,
}

impl<R: Read> Decoded<R> {
    pub(crate) fn new(source: R, encoding: Charset) -> Self {
        let decoder = encoding.decoder();
        let (raw, text) = (vec![0; CHUNK], Vec::new());
        Self { source, decoder, name: encoding.name(), raw, text, at: 0, ended: false }
    }

    /// Decodes the next bytes; the text may stay empty although there is more.
    fn advance(&mut self) -> io::Result<()> {
        let read = self.source.read(&mut self.raw)?;
        self.ended = read == 0;
        if !self.decoder.decode(&self.raw[..read], &mut self.text, self.ended) {
            return Err(io::Error::other(Error::Undecodable { encoding: self.name }));
        }
        self.at = 0;
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() && !self.ended {
            self.advance()?;
        }
        let size = out.len().min(self.text.len() - self.at);
        out[..size].copy_from_slice(&self.text[self.at..self.at + size]);
        self.at += size;
        Ok(size)
    }
}
