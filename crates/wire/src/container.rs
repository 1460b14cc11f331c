//! The one binary form of numbers that travel: what they belong to as JSON, and long lists of numbers behind it.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | what it is: `LLJB`, a job ([`binary`](crate::binary)); `LLBK`, a block; `LLRG`, a row group ([`block`](crate::block)) |
//! | 4 | version of this kind |
//! | 4 | length of the header, h |
//! | h | the header, JSON |
//! | 8, then 8 n or 4 n | for each list how many numbers it has, and these: IEEE 754 doubles or whole numbers |
//!
//! Everything is little-endian; nothing may follow. Which lists there are, the kind says.

use serde::Serialize;

lookalike_words::messages! {
    in "wire";

    /// Why bytes are not what they should be.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Wrong {
        /// The format or the job has a version that is not known here.
        Version {
            /// Its version.
            version: u32,
        },
        /// Anything else.
        Malformed(Malformed),
    }

    /// What is wrong with bytes of a known version, and where.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Malformed {
        /// They are not JSON of this form.
        Json {
            /// Why and where.
            why: String,
        },
        /// Their header is not JSON of this form.
        Header {
            /// Why and where.
            why: String,
        },
        /// They are of another kind.
        Magic {
            /// How bytes of this one begin.
            magic: String,
        },
        /// They end too soon.
        Short {
            /// Within which piece.
            piece: Piece,
            /// Bytes that it has.
            length: u64,
            /// Where it begins.
            at: usize,
            /// Bytes that there are.
            left: usize,
        },
        /// Bytes follow the last piece.
        Follows {
            /// How many.
            left: usize,
            /// That piece.
            piece: Piece,
        },
        /// The header holds numbers that stand behind it.
        HeaderHoldsNumbers,
    }

    /// A piece of the bytes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Piece {
        /// The first four bytes, which say what it is.
        Magic,
        /// The version.
        Version,
        /// The length of the header.
        HeaderLength,
        /// The header.
        Header,
        /// Coordinates of points.
        Coordinates,
        /// Codes of sensitive values.
        Colours,
        /// Codes of categories.
        Codes,
        /// The classes that a search starts from.
        Start,
    }
}

impl std::error::Error for Wrong {}

impl From<Malformed> for Wrong {
    fn from(why: Malformed) -> Self {
        Self::Malformed(why)
    }
}

/// A kind of content.
pub(crate) struct Kind {
    /// The first four bytes.
    pub(crate) magic: &'static [u8; 4],
    /// Its version.
    pub(crate) version: u32,
}

/// A list of numbers.
pub(crate) enum List<'a> {
    Doubles(&'a [f64]),
    Wholes(&'a [u32]),
}

/// A header and its lists as bytes.
///
/// # Errors
/// If the header cannot be written.
pub(crate) fn write(
    kind: &Kind,
    header: &impl Serialize,
    lists: &[List],
) -> Result<Vec<u8>, serde_json::Error> {
    let header = serde_json::to_vec(header)?;
    let size = |list: &List| match list {
        List::Doubles(numbers) => 8 + 8 * numbers.len(),
        List::Wholes(numbers) => 8 + 4 * numbers.len(),
    };
    let mut bytes = Vec::with_capacity(12 + header.len() + lists.iter().map(size).sum::<usize>());
    bytes.extend_from_slice(kind.magic);
    bytes.extend_from_slice(&kind.version.to_le_bytes());
    bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&header);
    for list in lists {
        match list {
            List::Doubles(numbers) => {
                bytes.extend_from_slice(&(numbers.len() as u64).to_le_bytes());
                bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
            }
            List::Wholes(numbers) => {
                bytes.extend_from_slice(&(numbers.len() as u64).to_le_bytes());
                bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
            }
        }
    }
    Ok(bytes)
}

/// The header of bytes of this kind, and what follows it.
///
/// # Errors
/// If the bytes are of another kind or version, or end before.
pub(crate) fn read<'a>(kind: &Kind, bytes: &'a [u8]) -> Result<(&'a [u8], Rest<'a>), Wrong> {
    let mut rest = Rest { bytes, at: 0 };
    if rest.take(4, Piece::Magic)? != kind.magic {
        let magic = String::from_utf8_lossy(kind.magic).into_owned();
        return Err(Malformed::Magic { magic }.into());
    }
    let version = rest.u32(Piece::Version)?;
    if version != kind.version {
        return Err(Wrong::Version { version });
    }
    let length = rest.u32(Piece::HeaderLength)?;
    Ok((rest.take(u64::from(length), Piece::Header)?, rest))
}

/// What has not been read yet.
pub(crate) struct Rest<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Rest<'a> {
    /// Nothing may follow behind this piece.
    pub(crate) fn end(self, piece: Piece) -> Result<(), Wrong> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            left => Err(Malformed::Follows { left, piece }.into()),
        }
    }

    fn take(&mut self, length: u64, piece: Piece) -> Result<&'a [u8], Wrong> {
        let left = &self.bytes[self.at..];
        let taken = usize::try_from(length)
            .ok()
            .and_then(|length| left.get(..length))
            .ok_or(Malformed::Short { piece, length, at: self.at, left: left.len() })?;
        self.at += taken.len();
        Ok(taken)
    }

    fn number<const N: usize>(&mut self, piece: Piece) -> Result<[u8; N], Wrong> {
        let (at, left) = (self.at, self.bytes.len() - self.at);
        let taken = self.take(N as u64, piece)?;
        taken.try_into().map_err(|_| Malformed::Short { piece, length: N as u64, at, left }.into())
    }

    fn u32(&mut self, piece: Piece) -> Result<u32, Wrong> {
        Ok(u32::from_le_bytes(self.number(piece)?))
    }

    fn u64(&mut self, piece: Piece) -> Result<u64, Wrong> {
        Ok(u64::from_le_bytes(self.number(piece)?))
    }

    /// A count, then as many numbers of `N` bytes.
    pub(crate) fn array<const N: usize, T>(
        &mut self,
        piece: Piece,
        number: fn([u8; N]) -> T,
    ) -> Result<Vec<T>, Wrong> {
        let count = self.u64(piece)?;
        // More than 2^64 bytes are more than there are.
        let bytes = self.take(count.saturating_mul(N as u64), piece)?;
        let (numbers, _) = bytes.as_chunks::<N>();
        Ok(numbers.iter().map(|bytes| number(*bytes)).collect())
    }
}
