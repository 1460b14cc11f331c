//! Pages of a Parquet file, from anything that can be read at any place; those of Zstandard are unpacked here, without C.

use std::{
    io::{BufReader, Read, Seek, SeekFrom},
    iter,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use parquet::{
    arrow::arrow_reader::RowGroups,
    basic::Compression,
    column::page::{Page, PageIterator, PageMetadata, PageReader},
    errors::{ParquetError, Result},
    file::{
        metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData},
        reader::{ChunkReader, Length},
        serialized_reader::SerializedPageReader,
    },
};
use ruzstd::decoding::StreamingDecoder;

/// Most bytes of a page: the form counts them in 32 bits.
const LARGEST: u64 = i32::MAX as u64;

/// Bytes that are read at any place.
pub(crate) struct Source<R> {
    bytes: Arc<Mutex<R>>,
    length: u64,
}

impl<R: Read + Seek> Source<R> {
    pub(crate) fn new(mut bytes: R) -> std::io::Result<Self> {
        let length = bytes.seek(SeekFrom::End(0))?;
        Ok(Self { bytes: Arc::new(Mutex::new(bytes)), length })
    }
}

impl<R> Length for Source<R> {
    fn len(&self) -> u64 {
        self.length
    }
}

impl<R: Read + Seek + Send> ChunkReader for Source<R> {
    type T = BufReader<At<R>>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::new(At { bytes: Arc::clone(&self.bytes), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let mut bytes = vec![0; within(start, length, self.length)?];
        At { bytes: Arc::clone(&self.bytes), at: start }.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// Bytes from a place on.
pub(crate) struct At<R> {
    bytes: Arc<Mutex<R>>,
    at: u64,
}

impl<R: Read + Seek> Read for At<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.seek(SeekFrom::Start(self.at))?;
        let read = bytes.read(into)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Most bytes of a column that are read in one go, and of all columns together: they are read in turns, and each keeps what it has
/// read ahead.
const MOST_AHEAD: usize = 1 << 20;
const ALL_AHEAD: usize = 16 << 20;
const LEAST_AHEAD: usize = 16 << 10;

/// The bytes of a column in one row group, read by ranges within them.
struct Chunk<R> {
    window: Arc<Mutex<Window<R>>>,
    length: u64,
}

/// The bytes that were read last.
struct Window<R> {
    source: At<R>,
    begin: u64,
    bytes: Vec<u8>,
    /// Where the column ends, and how many bytes are read in one go.
    end: u64,
    ahead: usize,
}

impl<R: Read + Seek> Window<R> {
    fn read(&mut self, at: u64, into: &mut [u8]) -> std::io::Result<usize> {
        let inside = |begin: u64, length: usize| {
            at.checked_sub(begin).and_then(|at| usize::try_from(at).ok()).filter(|at| *at < length)
        };
        if inside(self.begin, self.bytes.len()).is_none() {
            let left = self.end.saturating_sub(at);
            // Beyond its end, as some writers count it, there is only what is asked for.
            let size =
                if left == 0 { into.len().min(self.ahead) as u64 } else { left.min(self.ahead as u64) };
            self.bytes.clear();
            (self.begin, self.source.at) = (at, at);
            (&mut self.source).take(size).read_to_end(&mut self.bytes)?;
        }
        let Some(inside) = inside(self.begin, self.bytes.len()) else { return Ok(0) };
        let size = into.len().min(self.bytes.len() - inside);
        into[..size].copy_from_slice(&self.bytes[inside..inside + size]);
        Ok(size)
    }
}

/// The bytes of a column from a place on.
struct Part<R> {
    window: Arc<Mutex<Window<R>>>,
    at: u64,
}

impl<R: Read + Seek> Read for Part<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        let read = window.read(self.at, into)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl<R> Length for Chunk<R> {
    fn len(&self) -> u64 {
        self.length
    }
}

impl<R: Read + Seek + Send> ChunkReader for Chunk<R> {
    type T = BufReader<Part<R>>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::new(Part { window: Arc::clone(&self.window), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let mut bytes = vec![0; within(start, length, self.length)?];
        Part { window: Arc::clone(&self.window), at: start }.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// A number of bytes that the file has there.
fn within(start: u64, length: usize, all: u64) -> Result<usize> {
    match start.checked_add(length as u64).filter(|&end| end <= all) {
        Some(_) => Ok(length),
        None => Err(ParquetError::EOF(format!("{length} bytes from {start} of {all}"))),
    }
}

/// A row group.
pub(crate) struct Group<R> {
    pub(crate) source: Arc<Source<R>>,
    pub(crate) metadata: Arc<ParquetMetaData>,
    pub(crate) index: usize,
    /// How many of its columns are read.
    pub(crate) columns: usize,
}

impl<R> Group<R> {
    fn about(&self) -> &RowGroupMetaData {
        self.metadata.row_group(self.index)
    }

    fn chunk(&self, column: &ColumnChunkMetaData) -> Chunk<R> {
        let (begin, length) = column.byte_range();
        let ahead = (ALL_AHEAD / self.columns.max(1)).clamp(LEAST_AHEAD, MOST_AHEAD);
        let source = At { bytes: Arc::clone(&self.source.bytes), at: begin };
        let (end, all) = (begin.saturating_add(length), self.source.length);
        let window = Window { source, begin, bytes: Vec::new(), end: end.min(all), ahead };
        Chunk { window: Arc::new(Mutex::new(window)), length: all }
    }
}

impl<R: Read + Seek + Send + 'static> RowGroups for Group<R> {
    fn num_rows(&self) -> usize {
        usize::try_from(self.about().num_rows()).unwrap_or_default()
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        let chunk = self.about().column(column);
        let source = Arc::new(self.chunk(chunk));
        let reader: Box<dyn PageReader> = if let Compression::ZSTD(_) = chunk.compression() {
            let limit = u64::try_from(chunk.uncompressed_size()).unwrap_or_default().min(LARGEST);
            // Pages are handed out as they are packed.
            let raw = chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
            let pages = SerializedPageReader::new(source, &raw, self.num_rows(), None)?;
            Box::new(Zstandard { pages: Box::new(pages), limit })
        } else {
            Box::new(SerializedPageReader::new(source, chunk, self.num_rows(), None)?)
        };
        Ok(Box::new(Once(Some(reader))))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(iter::once(self.about()))
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// The pages of a column in one row group.
struct Once(Option<Box<dyn PageReader>>);

impl Iterator for Once {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(Ok)
    }
}

impl PageIterator for Once {}

/// Pages that are packed by Zstandard.
struct Zstandard {
    pages: Box<dyn PageReader>,
    limit: u64,
}

impl Zstandard {
    /// The bytes behind these first ones, which are not packed.
    fn unpacked(&self, bytes: &Bytes, first: usize) -> Result<Bytes> {
        let (levels, packed) = bytes
            .split_at_checked(first)
            .ok_or_else(|| ParquetError::EOF(String::from("levels of a page")))?;
        let mut all = levels.to_vec();
        if packed.is_empty() {
            return Ok(all.into());
        }
        let broken = |why: &dyn std::fmt::Display| ParquetError::General(format!("Zstandard: {why}"));
        let reader = StreamingDecoder::new(packed).map_err(|why| broken(&why))?;
        let read = reader.take(self.limit + 1).read_to_end(&mut all).map_err(|why| broken(&why))?;
        if read as u64 > self.limit {
            return Err(broken(&"a page is larger than its column"));
        }
        Ok(all.into())
    }
}

impl Iterator for Zstandard {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Zstandard {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(mut page) = self.pages.get_next_page()? else { return Ok(None) };
        match &mut page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => *buf = self.unpacked(buf, 0)?,
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, is_compressed, .. } => {
                if *is_compressed {
                    *buf = self.unpacked(buf, (*def_levels_byte_len + *rep_levels_byte_len) as usize)?;
                }
            }
        }
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}
