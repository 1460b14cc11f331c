//! A job out of the bytes that came: unpacked, read and looked through.

use std::io::Read as _;

use axum::http::{HeaderMap, header};
use clap::ValueEnum;
use flate2::bufread::GzDecoder;
use lookalike_model::{
    instance::Instance,
    job::{JOB_VERSION, Job},
    settings::Budget,
};
use lookalike_wire::{
    binary::{self, Wrong},
    http::Problem,
};
use lookalike_words::Figure;
use ruzstd::decoding::StreamingDecoder;

use super::super::problem::{self, Detail};

/// Numbers and lists that a text may have however small a job may be.
const LEAST_PIECES: usize = 4096;

/// Beyond these a budget is a mistake: 30 years, and what no search ever reaches.
const SECONDS: f64 = 1e9;
const EFFORT: f64 = 1e12;

/// How the job is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// `application/json`.
    Json,
    /// [`binary::MEDIA_TYPE`].
    Binary,
}

/// How the body is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Packing {
    /// Not at all.
    None,
    /// `Content-Encoding: gzip`.
    Gzip,
    /// `Content-Encoding: zstd`.
    Zstd,
}

impl Packing {
    /// The packing that the headers name.
    ///
    /// # Errors
    /// A problem if it is not known here.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let Some(name) = headers.get(header::CONTENT_ENCODING) else { return Ok(Self::None) };
        match name.as_bytes().to_ascii_lowercase().as_slice() {
            b"identity" => Ok(Self::None),
            b"gzip" => Ok(Self::Gzip),
            b"zstd" => Ok(Self::Zstd),
            _ => Err(problem::MEDIA_TYPE.because(Detail::Packing)),
        }
    }

    /// The bytes that were packed, at most `largest`.
    ///
    /// # Errors
    /// A problem if there are more, or they were not packed so.
    pub(crate) fn open(self, bytes: Vec<u8>, largest: usize) -> Result<Vec<u8>, Problem> {
        let broken = |why: String| problem::INVALID.because(Detail::Unpacking { why });
        let mut unpacked = Vec::new();
        // One more than allowed, to see that there are more.
        let most = largest as u64 + 1;
        let rest = match self {
            Self::None => return Ok(bytes),
            Self::Gzip => {
                let mut decoder = GzDecoder::new(bytes.as_slice());
                decoder.by_ref().take(most).read_to_end(&mut unpacked).map_err(|e| broken(e.to_string()))?;
                decoder.into_inner()
            }
            Self::Zstd => {
                let mut decoder =
                    StreamingDecoder::new(bytes.as_slice()).map_err(|e| broken(e.to_string()))?;
                decoder.by_ref().take(most).read_to_end(&mut unpacked).map_err(|e| broken(e.to_string()))?;
                decoder.into_inner()
            }
        };
        if unpacked.len() > largest {
            return Err(too_large(largest));
        }
        if !rest.is_empty() {
            return Err(problem::INVALID.because(Detail::Frames));
        }
        Ok(unpacked)
    }
}

/// The problem of more bytes than a job may have.
pub(crate) fn too_large(largest: usize) -> Problem {
    problem::TOO_LARGE.because(Detail::TooLarge { largest })
}

impl Format {
    /// The format that the headers name.
    ///
    /// # Errors
    /// A problem if they name none of the two. That is also a guard: a page of another origin can send neither without
    /// asking first (CORS preflight).
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        match kind.split(';').next().map(str::trim) {
            Some("application/json") => Ok(Self::Json),
            Some(binary::MEDIA_TYPE) => Ok(Self::Binary),
            _ => Err(problem::MEDIA_TYPE.because(Detail::MediaType { bytes: binary::MEDIA_TYPE })),
        }
    }

    /// A job in the right version with consistent numbers.
    ///
    /// # Errors
    /// A problem that says what is wrong with it, and where; a job whose records, the counterfeits too, would take more
    /// than `largest` bytes for their points.
    pub(crate) fn parse(self, bytes: &[u8], largest: usize) -> Result<Job, Problem> {
        let text = match self {
            Self::Json => bytes,
            Self::Binary => binary::header(bytes).unwrap_or_default(),
        };
        guard(text, largest)?;
        let job = match self {
            Self::Json => binary::from_json(bytes),
            Self::Binary => binary::decode(bytes),
        };
        let job = job.map_err(|wrong| match wrong {
            Wrong::Version { version } => {
                problem::VERSION.because(Detail::Version { version, known: JOB_VERSION })
            }
            Wrong::Malformed(why) => problem::INVALID.because(why),
        })?;
        // Counterfeits come without points, so a small body could ask for much memory.
        let points = job.colours.len().saturating_mul(job.dims).saturating_mul(size_of::<f64>());
        if job.dims <= job.points.len() && points > largest {
            let (records, attributes) = (job.colours.len(), job.dims);
            return Err(problem::TOO_LARGE.because(Detail::Points {
                records,
                attributes,
                bytes: points,
                largest,
            }));
        }
        Instance::from_job(&job).map_err(|e| problem::of(&e.into()))?;
        sensible(&job)?;
        Ok(job)
    }
}

/// What is read takes memory by its pieces, not by its letters: more numbers than any job may have, or more lists, are not read
/// at all. So what a text becomes takes at most 3 times `largest` bytes: 8 for each number, 64 for each list.
fn guard(text: &[u8], largest: usize) -> Result<(), Problem> {
    let (mut numbers, mut lists) = (0_usize, 0_usize);
    for byte in text {
        match byte {
            b',' => numbers += 1,
            b'[' | b'{' => lists += 1,
            _ => {}
        }
    }
    if numbers > largest / 4 + LEAST_PIECES {
        return Err(too_large(largest));
    }
    if lists > largest / 64 + LEAST_PIECES {
        return Err(problem::TOO_LARGE.because(Detail::TooMany { largest }));
    }
    Ok(())
}

/// What no search would begin, or end.
fn sensible(job: &Job) -> Result<(), Problem> {
    let wrong = |why: Detail| Err(problem::INVALID.because(why));
    if job.rule.min_size < 2 {
        return wrong(Detail::TooSmall { parameter: if job.rule.distinct() { "m" } else { "k" } });
    }
    match job.budget {
        Budget::Effort(effort) if !(0.0..=EFFORT).contains(&effort) => {
            wrong(Detail::Effort { most: format!("{EFFORT:e}"), effort: Figure::shortest(effort) })
        }
        Budget::Seconds(seconds) if !(0.0..=SECONDS).contains(&seconds) => {
            wrong(Detail::Seconds { most: format!("{SECONDS:e}"), seconds: Figure::shortest(seconds) })
        }
        Budget::Effort(_) | Budget::Seconds(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_numbers_than_allowed_are_not_read() {
        // Not even JSON: who read it would say that.
        let reply = Format::Json.parse(&vec![b','; 20_000], 40_000).unwrap_err();
        assert_eq!(reply.kind, problem::TOO_LARGE.code);
        assert_eq!(Format::Json.parse(&vec![b','; 10_000], 40_000).unwrap_err().kind, problem::INVALID.code);
    }

    #[test]
    fn more_lists_than_allowed_are_not_read_in_any_form() {
        let largest = 1 << 20;
        let lists = |count: usize| format!("[{}]", vec!["[]"; count].join(","));
        let binary = |header: &str| {
            let mut bytes = b"LLJB\x01\0\0\0".to_vec();
            bytes.extend((header.len() as u32).to_le_bytes());
            bytes.extend(header.as_bytes());
            bytes
        };
        let many = lists(largest / 64 + LEAST_PIECES);
        for (format, bytes) in [(Format::Json, many.clone().into_bytes()), (Format::Binary, binary(&many))] {
            let reply = format.parse(&bytes, largest).unwrap_err();
            assert_eq!(reply.kind, problem::TOO_LARGE.code, "{format:?}");
        }
        // Fewer are read, and are no job.
        let few = lists(100);
        assert_eq!(Format::Json.parse(few.as_bytes(), largest).unwrap_err().kind, problem::INVALID.code);
        assert_eq!(Format::Binary.parse(&binary(&few), largest).unwrap_err().kind, problem::INVALID.code);
    }
}
