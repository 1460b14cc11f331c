//! Sizes in files and streams of Arrow: their reader allocates what the bytes say before it looks whether there is so much.

use std::io::{Read, Seek, SeekFrom};

use arrow_ipc::{Block, Message, RecordBatch, root_as_footer, root_as_message};
use lookalike_table::Error;

use crate::{FormFault, FormName};

/// The mark before the length of a message.
const MARK: u32 = u32::MAX;

/// The mark at both ends of a file.
const MAGIC: &[u8; 6] = b"ARROW1";

/// Bytes before the first message of a file, and those of mark and length at its end.
const FIRST: u64 = 8;
const LAST: u64 = 10;

/// LZ4 makes at most so many bytes of one.
const MOST_OF_ONE: i64 = 255;

/// Bytes that are checked.
struct Bytes<'a, R> {
    source: &'a mut R,
    length: u64,
    form: FormName,
}

/// Checks the messages that a file lists.
pub(crate) fn check_file<R: Read + Seek>(source: &mut R) -> Result<(), Error> {
    let mut bytes = Bytes::new(source, FormName::Arrow)?;
    let end = bytes.length.checked_sub(LAST).ok_or_else(|| bytes.broken("it is too short"))?;
    let last = bytes.at(end, LAST)?;
    let Some((length, magic)) = last.split_first_chunk::<4>() else {
        return Err(bytes.broken("it is too short"));
    };
    if magic != MAGIC {
        return Err(bytes.broken("it does not end as such files do"));
    }
    let length = u64::from(u32::from_le_bytes(*length));
    let begin = end.checked_sub(length).filter(|&begin| begin >= FIRST);
    let begin = begin.ok_or_else(|| bytes.broken("its list of contents is too long"))?;
    let footer = bytes.at(begin, length)?;
    let footer = root_as_footer(&footer).map_err(|why| bytes.broken(&why.to_string()))?;
    for blocks in [footer.dictionaries(), footer.recordBatches()].into_iter().flatten() {
        for block in blocks {
            bytes.block(block)?;
        }
    }
    Ok(())
}

/// Checks the messages of a stream.
pub(crate) fn check_stream<R: Read + Seek>(source: &mut R) -> Result<(), Error> {
    let mut bytes = Bytes::new(source, FormName::ArrowStream)?;
    let mut at = 0;
    while at < bytes.length {
        let length = bytes.message_length(at)?;
        if length == 0 {
            break;
        }
        at = bytes.message(at + 8, length)?;
    }
    Ok(())
}

impl<'a, R: Read + Seek> Bytes<'a, R> {
    fn new(source: &'a mut R, form: FormName) -> Result<Self, Error> {
        let length = source.seek(SeekFrom::End(0)).map_err(|error| Error::from_io(&error))?;
        Ok(Self { source, length, form })
    }

    fn broken(&self, says: &str) -> Error {
        FormFault::Damaged { form: self.form, says: says.to_owned() }.into()
    }

    /// So many bytes from a place on.
    fn at(&mut self, at: u64, length: u64) -> Result<Vec<u8>, Error> {
        if at.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(self.broken("it ends within a message"));
        }
        let mut bytes = vec![0; length as usize];
        self.source.seek(SeekFrom::Start(at)).map_err(|error| Error::from_io(&error))?;
        self.source.read_exact(&mut bytes).map_err(|error| Error::from_io(&error))?;
        Ok(bytes)
    }

    /// The length of the message whose mark stands here; 0 at the end of a stream.
    fn message_length(&mut self, at: u64) -> Result<u64, Error> {
        let head = self.at(at, 8)?;
        let word = |at: usize| head[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        if word(0) != MARK {
            return Err(self.broken("a message has no mark"));
        }
        Ok(word(4).into())
    }

    /// Checks the message with this length, and says where it ends.
    fn message(&mut self, at: u64, length: u64) -> Result<u64, Error> {
        let about = self.at(at, length)?;
        let message = root_as_message(&about).map_err(|why| self.broken(&why.to_string()))?;
        let body = u64::try_from(message.bodyLength()).ok();
        let begin = at + length;
        let end = body.and_then(|body| begin.checked_add(body)).filter(|&end| end <= self.length);
        let end = end.ok_or_else(|| self.broken("it ends within a message"))?;
        if let Some(batch) = batch(&message) {
            self.buffers(&batch, begin, end)?;
        }
        Ok(end)
    }

    /// Checks a message of a file.
    fn block(&mut self, block: &Block) -> Result<(), Error> {
        let place = u64::try_from(block.offset()).ok().filter(|&at| at >= FIRST);
        let lengths = u64::try_from(block.metaDataLength()).ok().zip(u64::try_from(block.bodyLength()).ok());
        let (Some(at), Some((about, body))) = (place, lengths) else {
            return Err(self.broken("its list of contents has lengths below 0"));
        };
        let end = at.checked_add(about).and_then(|begin| begin.checked_add(body));
        if about < 8 || end.is_none_or(|end| end > self.length) {
            return Err(self.broken("it ends within a message"));
        }
        let length = self.message_length(at)?;
        if length + 8 > about {
            return Err(self.broken("a message is longer than the list of contents says"));
        }
        let about_it = self.at(at + 8, length)?;
        let message = root_as_message(&about_it).map_err(|why| self.broken(&why.to_string()))?;
        match batch(&message) {
            Some(batch) => self.buffers(&batch, at + about, at + about + body),
            None => Ok(()),
        }
    }

    /// Checks that the buffers of a batch stand in its body, and how large packed ones say that they are.
    fn buffers(&mut self, batch: &RecordBatch<'_>, begin: u64, end: u64) -> Result<(), Error> {
        let packed = batch.compression().is_some();
        for buffer in batch.buffers().into_iter().flatten() {
            let (offset, length) = (buffer.offset(), buffer.length());
            let place = u64::try_from(offset).ok().and_then(|offset| begin.checked_add(offset));
            let size = u64::try_from(length).ok();
            let place =
                place.zip(size).filter(|(at, size)| at.checked_add(*size).is_some_and(|to| to <= end));
            let Some((at, _)) = place else {
                return Err(self.broken("a column does not stand in its message"));
            };
            if packed && length >= 8 {
                let prefix = self.at(at, 8)?;
                let unpacked = prefix.first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
                // -1 says that it is not packed.
                if unpacked < -1 || unpacked / MOST_OF_ONE > length {
                    return Err(self.broken("a column is larger than it can be"));
                }
            }
        }
        Ok(())
    }
}

fn batch<'a>(message: &Message<'a>) -> Option<RecordBatch<'a>> {
    let own = message.header_as_record_batch();
    own.or_else(|| message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data()))
}
