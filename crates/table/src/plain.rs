//! Text in UTF-8, which needs neither decoding nor unpacking.

use std::io::{Read, Seek};

use crate::{
    EncodingEvidence, Error,
    source_form::{Consume, Form, MARK, OpenOptions, Plain, Remarks, Start, beginning, consumed, rewound},
};

/// Finds out the dialect of a text in UTF-8 and lets `consume` read it; `None` if the file is something else, or shows
/// further on that it is: then `decode` (feature `encodings`) has to look at it. Says the same as that does.
///
/// # Errors
/// What `consume` says of the text, and what the source says.
pub fn plain<R: Read + Seek, T>(
    source: &mut R,
    options: &OpenOptions,
    consume: &mut Consume<'_, T>,
) -> Result<Option<(T, Remarks)>, Error> {
    let chosen = options.encoding.as_deref();
    if options.sheet.is_some()
        || options.member.is_some()
        || !chosen.is_none_or(|label| label.eq_ignore_ascii_case(UTF_8))
    {
        return Ok(None);
    }
    let (bytes, _) = beginning(rewound(source)?)?;
    if !is_plain(&bytes) {
        return Ok(None);
    }
    let why = match chosen {
        Some(_) => EncodingEvidence::AsChosen,
        None if bytes.starts_with(MARK) => EncodingEvidence::ByteOrderMark,
        None => EncodingEvidence::AllRead,
    };
    drop(bytes);
    let start = Start::of(options.skip, &mut Plain(&mut *source))?;
    let form = Form::of_text(&start, (UTF_8, why), options)?;
    drop(start);
    match consumed(&mut Plain(source), (options.skip, options.read.ragged), form, consume) {
        Ok(done) => Ok(Some(done)),
        Err(Error::NotUtf8 { .. } | Error::Nul { .. } | Error::Utf16) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Name of the encoding.
pub(crate) const UTF_8: &str = "UTF-8";

/// Whether the first bytes of a file are text in UTF-8: other encodings and packed files have bytes that it has not, or
/// zero bytes.
fn is_plain(bytes: &[u8]) -> bool {
    is_utf8(bytes)
        && !bytes.contains(&0)
        && !bytes.starts_with(b"PK\x03\x04")
        && !bytes.starts_with(b"PK\x05\x06")
}

/// Whether bytes are UTF-8, cut off perhaps in the middle of a character.
pub(crate) fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
}
