//! What a release under way must remember of its series.

use lookalike_model::{ledger::Ledger, report::SeriesUpdates};

/// What the next ledger needs of a release under way.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The ledger before this release.
    pub(crate) ledger: Ledger,
    /// Column of the individuals.
    pub(crate) id: usize,
    /// Column of the sensitive values.
    pub(crate) sensitive: usize,
    /// Text of each code of a sensitive value.
    pub(crate) values: Vec<String>,
    /// Code of each entry of the sensitive column's dictionary.
    pub(crate) code_of: Vec<u32>,
    /// What changed since the last release.
    pub(crate) updates: SeriesUpdates,
}
