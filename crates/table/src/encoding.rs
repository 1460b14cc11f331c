//! Which encoding a file uses, and its text in UTF-8.
//!
//! UTF-8 unless a byte-order mark, the zero bytes of UTF-16 or bytes that are not UTF-8 say otherwise; then all bytes
//! are looked at (chardetng, the detector of Firefox).

use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

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
    pub(crate) encoding: &'static Encoding,
    pub(crate) why: EncodingEvidence,
    /// Whether other bytes further on may change it.
    pub(crate) open: bool,
}

impl Guess {
    /// The encoding of this name (a label of the WHATWG Encoding Standard).
    pub(crate) fn chosen(label: &str) -> Result<Self, Error> {
        let encoding = Encoding::for_label(label.as_bytes());
        let encoding = encoding.ok_or_else(|| Error::Encoding { label: label.into() })?;
        Ok(Self { encoding, why: EncodingEvidence::AsChosen, open: false })
    }

    /// By the beginning of the file; `None` if all of it must be looked at.
    pub(crate) fn by_beginning(bytes: &[u8]) -> Option<Self> {
        if let Some((encoding, _)) = Encoding::for_bom(bytes) {
            return Some(Self { encoding, why: EncodingEvidence::ByteOrderMark, open: false });
        }
        if let Some(encoding) = utf16(bytes) {
            return Some(Self { encoding, why: EncodingEvidence::ZeroBytes, open: false });
        }
        is_utf8(bytes).then_some(Self { encoding: UTF_8, why: EncodingEvidence::AllRead, open: true })
    }

    /// By all bytes of a file that is not UTF-8.
    pub(crate) fn by_all(source: &mut dyn Read) -> Result<Self, Error> {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        let mut buffer = vec![0; CHUNK];
        let (mut high, mut western) = (0, true);
        loop {
            let read = source.read(&mut buffer).map_err(|error| Error::from_io(&error))?;
            detector.feed(&buffer[..read], read == 0);
            for &byte in buffer[..read].iter().filter(|byte| !byte.is_ascii()) {
                high += 1;
                western &= matches!(byte, 0xc0..=0xff | 0x80 | 0x85 | 0x91..=0x97 | 0xa0 | 0xa7 | 0xb0);
            }
            if read == 0 {
                break;
            }
        }
        let encoding = detector.guess(None, Utf8Detection::Deny);
        if high < FEW && western && LATIN.contains(&encoding.name()) {
            return Ok(Self { encoding: WINDOWS_1252, why: EncodingEvidence::MostUsual, open: false });
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
    pub(crate) fn new(source: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        let (raw, text) = (vec![0; CHUNK], Vec::new());
        Self { source, decoder, name: encoding.name(), raw, text, at: 0, ended: false }
    }

    /// Decodes the next bytes; the text may stay empty although there is more.
    fn advance(&mut self) -> io::Result<()> {
        let read = self.source.read(&mut self.raw)?;
        self.ended = read == 0;
        let malformed = || io::Error::other(Error::Undecodable { encoding: self.name });
        let room = self.decoder.max_utf8_buffer_length_without_replacement(read).unwrap_or(4 * CHUNK);
        self.text.resize(room, 0);
        let (result, _, written) =
            self.decoder.decode_to_utf8_without_replacement(&self.raw[..read], &mut self.text, self.ended);
        if !matches!(result, DecoderResult::InputEmpty) {
            return Err(malformed());
        }
        self.text.truncate(written);
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
