//! What the tests of column generation share.

mod job;
mod relaxation;

pub(crate) use job::job;
pub(crate) use relaxation::full_relaxation;
