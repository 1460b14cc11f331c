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

/// Why bytes are not what they should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The format or the job has a version that is not known here.
    Version(u32),
    /// Anything else: what, and where.
    Malformed(String),
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
    if rest.take(4, "the first four bytes")? != kind.magic {
        let magic = String::from_utf8_lossy(kind.magic);
        return Err(Wrong::Malformed(format!("it does not begin with {magic}")));
    }
    let version = rest.u32("the version")?;
    if version != kind.version {
        return Err(Wrong::Version(version));
    }
    let length = rest.u32("the length of the header")?;
    Ok((rest.take(u64::from(length), "the header")?, rest))
}

/// What has not been read yet.
pub(crate) struct Rest<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Rest<'a> {
    /// Nothing may follow behind `what`.
    pub(crate) fn end(self, what: &str) -> Result<(), Wrong> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            left => Err(Wrong::Malformed(format!("{left} bytes follow {what}"))),
        }
    }

    fn take(&mut self, length: u64, what: &str) -> Result<&'a [u8], Wrong> {
        let left = &self.bytes[self.at..];
        let taken = usize::try_from(length).ok().and_then(|length| left.get(..length)).ok_or_else(|| {
            Wrong::Malformed(format!(
                "{what} should have {length} bytes at byte {}; {} are left",
                self.at,
                left.len()
            ))
        })?;
        self.at += taken.len();
        Ok(taken)
    }

    fn number<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Wrong> {
        let taken = self.take(N as u64, what)?;
        taken.try_into().map_err(|_| Wrong::Malformed(format!("{what} cannot be read")))
    }

    fn u32(&mut self, what: &str) -> Result<u32, Wrong> {
        Ok(u32::from_le_bytes(self.number(what)?))
    }

    fn u64(&mut self, what: &str) -> Result<u64, Wrong> {
        Ok(u64::from_le_bytes(self.number(what)?))
    }

    /// A count, then as many numbers of `N` bytes.
    pub(crate) fn array<const N: usize, T>(
        &mut self,
        what: &str,
        number: fn([u8; N]) -> T,
    ) -> Result<Vec<T>, Wrong> {
        let count = self.u64(what)?;
        // More than 2^64 bytes are more than there are.
        let bytes = self.take(count.saturating_mul(N as u64), what)?;
        let (numbers, _) = bytes.as_chunks::<N>();
        Ok(numbers.iter().map(|bytes| number(*bytes)).collect())
    }
}
