//! Jobs as compact bytes: `application/vnd.lookalike.job`, beside JSON.
//!
//! A container (`container.rs` has the layout) of the kind `LLJB`, version 1: the job as JSON with its `points` and `colours`
//! empty, then the coordinates as doubles and the colour codes as whole numbers.

use std::{borrow::Cow, collections::BTreeMap};

use lookalike_model::job::{JOB_VERSION, Job};
use serde_json::{
    Map,
    value::{RawValue, to_raw_value},
};

pub use crate::container::{Malformed, Piece, Wrong};
use crate::{
    config::before,
    container::{Kind, List, read, write},
};

/// The media type.
pub const MEDIA_TYPE: &str = "application/vnd.lookalike.job";

/// Bytes of the longest method with its options.
const LONGEST_METHOD: usize = 64 << 10;

const KIND: Kind = Kind { magic: b"LLJB", version: 1 };

/// A job as bytes.
///
/// # Errors
/// If the header cannot be written.
pub fn encode(mut job: Job) -> Result<Vec<u8>, serde_json::Error> {
    let (points, colours) = (std::mem::take(&mut job.points), std::mem::take(&mut job.colours));
    write(&KIND, &job, &[List::Doubles(&points), List::Wholes(&colours)])
}

/// The job that the bytes are. Its numbers are not judged here.
///
/// # Errors
/// If the bytes are not in this format to the last one.
pub fn decode(bytes: &[u8]) -> Result<Job, Wrong> {
    let (header, mut rest) = read(&KIND, bytes)?;
    let mut job = header_job(header)?;
    job.points = rest.array(Piece::Coordinates, f64::from_le_bytes)?;
    job.colours = rest.array(Piece::Colours, u32::from_le_bytes)?;
    rest.end(Piece::Colours)?;
    Ok(job)
}

/// The job that a JSON text is. Its numbers are not judged here.
///
/// # Errors
/// If the text is no job of this version.
pub fn from_json(text: &[u8]) -> Result<Job, Wrong> {
    /// The version, so that a job of another version is told from a broken one, and whether options stand beside the method.
    #[derive(serde::Deserialize)]
    struct Head {
        version: u32,
        search: Option<serde::de::IgnoredAny>,
    }
    let malformed = |e: serde_json::Error| Malformed::Json { why: e.to_string() };
    let Head { version, search } = serde_json::from_slice(text).map_err(malformed)?;
    if version != JOB_VERSION {
        return Err(Wrong::Version { version });
    }
    if search.is_none() {
        return Ok(serde_json::from_slice(text).map_err(malformed)?);
    }
    // Its numbers stay the text that they are: as values of any kind they would take many times its bytes.
    let mut parts: BTreeMap<String, Cow<RawValue>> = serde_json::from_slice(text).map_err(malformed)?;
    let mut settings = Map::new();
    for name in [before::SEARCH, "method"] {
        let Some(part) = parts.remove(name) else { continue };
        if part.get().len() > LONGEST_METHOD {
            return Err(Malformed::Json { why: format!("{name} is too long") }.into());
        }
        settings.insert(name.to_owned(), serde_json::from_str(part.get()).map_err(malformed)?);
    }
    before::join(&mut settings).map_err(|fault| Malformed::Json { why: fault.to_string() })?;
    for (name, value) in settings {
        parts.insert(name, Cow::Owned(to_raw_value(&value).map_err(malformed)?));
    }
    let joined = serde_json::to_vec(&parts).map_err(malformed)?;
    drop(parts);
    Ok(serde_json::from_slice(&joined).map_err(malformed)?)
}

/// The header of a job's bytes, as far as they are whole: what is read of it takes memory by its pieces.
#[must_use]
pub fn header(bytes: &[u8]) -> Option<&[u8]> {
    read(&KIND, bytes).ok().map(|(header, _)| header)
}

fn header_job(header: &[u8]) -> Result<Job, Wrong> {
    let job = from_json(header).map_err(|wrong| match wrong {
        Wrong::Malformed(Malformed::Json { why }) => Malformed::Header { why }.into(),
        other => other,
    })?;
    if !job.points.is_empty() || !job.colours.is_empty() {
        return Err(Malformed::HeaderHoldsNumbers.into());
    }
    Ok(job)
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        rule::Rule,
        settings::{Budget, DecomposeOptions, Loss, Method},
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
            method: Method::default(),
            attributes: Vec::new(),
            ranks: None,
            further: Vec::new(),
            series: None,
            budget: Budget::Effort(0.1),
            bound: lookalike_model::settings::BoundWork::Quick,
            duals: false,
            lattice: None,
            sets: Vec::new(),
            seed: u64::MAX,
        }
    }

    #[test]
    fn a_job_survives_the_way() {
        assert_eq!(decode(&encode(job()).unwrap()), Ok(job()));
    }

    #[test]
    fn options_may_stand_beside_the_method() {
        let mut json = serde_json::to_value(job()).unwrap();
        json["method"] = "decompose".into();
        json["search"] =
            serde_json::json!({ "start": null, "blocks": 3, "swap_first": true, "stop_gap_percent": null });
        let blocks = std::num::NonZeroUsize::new(3);
        let method = DecomposeOptions { blocks, swap_first: true, start: None }.into();
        assert_eq!(from_json(json.to_string().as_bytes()), Ok(Job { method, ..job() }));
        json["method"] = "mdav".into();
        let wrong = from_json(json.to_string().as_bytes()).unwrap_err();
        assert!(matches!(&wrong, Wrong::Malformed(why) if why.to_string().contains("has none")), "{wrong:?}");
    }

    #[test]
    fn every_cut_and_every_byte_more_is_noticed() {
        let bytes = encode(job()).unwrap();
        for length in 0..bytes.len() {
            assert!(matches!(decode(&bytes[..length]), Err(Wrong::Malformed(_))), "{length}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        let wrong = Malformed::Follows { left: 1, piece: Piece::Colours };
        assert_eq!(wrong.to_string(), "1 byte follows the colours");
        assert_eq!(decode(&longer), Err(wrong.into()));
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
        assert_eq!(decode(&bytes), Err(Wrong::Version { version: 9 }));
        let other = encode(Job { version: 7, ..job() }).unwrap();
        assert_eq!(decode(&other), Err(Wrong::Version { version: 7 }));
    }
}
