//! Jobs as compact bytes: `application/vnd.lookalike.job`, beside JSON.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `LLJB` |
//! | 4 | version of this format, 1 |
//! | 4 | length of the header, h |
//! | h | the job as JSON, its `points` and `colours` empty |
//! | 8 | number of coordinates, p |
//! | 8 p | the coordinates, IEEE 754 doubles |
//! | 8 | number of colours, c |
//! | 4 c | the colour codes |
//!
//! Everything is little-endian; nothing may follow.

use lookalike_model::job::{JOB_VERSION, Job};

/// The media type.
pub const MEDIA_TYPE: &str = "application/vnd.lookalike.job";

const MAGIC: &[u8; 4] = b"LLJB";
const VERSION: u32 = 1;

/// Why bytes are no job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The format or the job has a version that is not known here.
    Version(u32),
    /// Anything else: what, and where.
    Malformed(String),
}

/// A job as bytes.
///
/// # Errors
/// If the header cannot be written.
pub fn encode(mut job: Job) -> Result<Vec<u8>, serde_json::Error> {
    let (points, colours) = (std::mem::take(&mut job.points), std::mem::take(&mut job.colours));
    let header = serde_json::to_vec(&job)?;
    let mut bytes = Vec::with_capacity(28 + header.len() + 8 * points.len() + 4 * colours.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&header);
    bytes.extend_from_slice(&(points.len() as u64).to_le_bytes());
    bytes.extend(points.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend_from_slice(&(colours.len() as u64).to_le_bytes());
    bytes.extend(colours.iter().flat_map(|c| c.to_le_bytes()));
    Ok(bytes)
}

/// The job that the bytes are. Its numbers are not judged here.
///
/// # Errors
/// If the bytes are not in this format to the last one.
pub fn decode(bytes: &[u8]) -> Result<Job, Wrong> {
    let mut rest = Rest::new(bytes);
    if rest.take(4, "the first four bytes")? != MAGIC {
        return Err(Wrong::Malformed(String::from("it does not begin with LLJB")));
    }
    let version = rest.u32("the version")?;
    if version != VERSION {
        return Err(Wrong::Version(version));
    }
    let length = rest.u32("the length of the header")?;
    let header = rest.take(u64::from(length), "the header")?;
    let mut job = header_job(header)?;
    job.points = rest.array("the coordinates", f64::from_le_bytes)?;
    job.colours = rest.array("the colours", u32::from_le_bytes)?;
    rest.end("the colours")?;
    Ok(job)
}

/// The job that a JSON text is. Its numbers are not judged here.
///
/// # Errors
/// If the text is no job of this version.
pub fn from_json(text: &[u8]) -> Result<Job, Wrong> {
    /// The version alone, so that a job of another version is told from a broken one.
    #[derive(serde::Deserialize)]
    struct Version {
        version: u32,
    }
    let malformed = |e: serde_json::Error| Wrong::Malformed(e.to_string());
    let Version { version } = serde_json::from_slice(text).map_err(malformed)?;
    if version != JOB_VERSION {
        return Err(Wrong::Version(version));
    }
    serde_json::from_slice(text).map_err(malformed)
}

fn header_job(header: &[u8]) -> Result<Job, Wrong> {
    let job = from_json(header).map_err(|wrong| match wrong {
        Wrong::Malformed(why) => Wrong::Malformed(format!("the header: {why}")),
        version @ Wrong::Version(_) => version,
    })?;
    if !job.points.is_empty() || !job.colours.is_empty() {
        return Err(Wrong::Malformed(String::from("the header holds points or colours: they follow it")));
    }
    Ok(job)
}

/// What has not been read yet.
pub(crate) struct Rest<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Rest<'a> {
    /// Nothing is read yet.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Nothing may follow behind `what`.
    pub(crate) fn end(self, what: &str) -> Result<(), Wrong> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            left => Err(Wrong::Malformed(format!("{left} bytes follow {what}"))),
        }
    }

    /// So many bytes.
    pub(crate) fn take(&mut self, length: u64, what: &str) -> Result<&'a [u8], Wrong> {
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

    /// A number of four bytes.
    pub(crate) fn u32(&mut self, what: &str) -> Result<u32, Wrong> {
        Ok(u32::from_le_bytes(self.number(what)?))
    }

    /// A number of eight bytes.
    pub(crate) fn u64(&mut self, what: &str) -> Result<u64, Wrong> {
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

#[cfg(test)]
mod tests {
    use lookalike_model::{
        rule::Rule,
        settings::{Budget, Loss, Method, SearchOptions},
    };

    use super::*;

    fn job() -> Job {
        Job {
            version: JOB_VERSION,
            dims: 2,
            points: vec![0.1, -2.5, f64::MIN_POSITIVE, 1e300],
            colours: vec![0, 1, 2],
            rule: Rule::all_different(2),
            loss: Loss::Sse,
            method: Method::Auto,
            search: SearchOptions::default(),
            attributes: Vec::new(),
            series: None,
            budget: Budget::Effort(0.1),
            seed: u64::MAX,
        }
    }

    #[test]
    fn a_job_survives_the_way() {
        assert_eq!(decode(&encode(job()).unwrap()), Ok(job()));
    }

    #[test]
    fn every_cut_and_every_byte_more_is_noticed() {
        let bytes = encode(job()).unwrap();
        for length in 0..bytes.len() {
            assert!(matches!(decode(&bytes[..length]), Err(Wrong::Malformed(_))), "{length}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert_eq!(decode(&longer), Err(Wrong::Malformed(String::from("1 bytes follow the colours"))));
    }

    #[test]
    fn huge_counts_are_refused_without_memory_for_them() {
        let mut bytes = encode(job()).unwrap();
        let at = bytes.len() - 3 * 4 - 8;
        bytes[at..at + 8].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(matches!(decode(&bytes), Err(Wrong::Malformed(_))));
    }

    #[test]
    fn other_versions_are_told_apart() {
        let mut bytes = encode(job()).unwrap();
        bytes[4] = 9;
        assert_eq!(decode(&bytes), Err(Wrong::Version(9)));
        let other = encode(Job { version: 7, ..job() }).unwrap();
        assert_eq!(decode(&other), Err(Wrong::Version(7)));
    }
}
