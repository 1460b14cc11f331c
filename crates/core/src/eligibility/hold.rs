//! Waiting instead of changing: records that stay unpublished until the next release.

use super::{Changes, deletions, distinct, is_eligible};
use crate::Error;

/// What happens to the records that a release could not place in a class of their own values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// All can be published as they are.
    None,
    /// So many of each value wait; the others are m-eligible.
    Some(Vec<u64>),
    /// All wait: fewer than `m` values occur among them, so that deleting leaves nothing.
    All,
}

/// The fewest records that must wait until the next release so that the others are m-eligible, without any
/// counterfeit. Unlike [`deletions`] this may be all of them, since nobody is lost.
///
/// # Errors
/// [`Error::NotEligible`] if the domain itself has fewer than `m` values: then waiting is in vain.
pub fn hold(counts: &[u64], m: u64) -> Result<Held, Error> {
    super::check_domain(counts, m)?;
    if is_eligible(counts, m) {
        return Ok(Held::None);
    }
    if distinct(counts) < m {
        return Ok(Held::All);
    }
    let Changes { deletions, .. } = deletions(counts, m)?;
    Ok(Held::Some(deletions))
}
