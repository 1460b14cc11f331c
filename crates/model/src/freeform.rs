//! Answers without classes: each record is published as a generalised row of its own.

use serde::{Deserialize, Serialize};

/// Matchings of records and published rows, no two of which share a pair. The row of a record covers all records that some
/// matching gives it, so each row covers as many records as there are matchings, and each record is covered by as many
/// rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Freeform {
    /// For each matching and record, in the job's order, the row it is matched with; the first matching is the identity.
    pub matchings: Vec<Vec<u32>>,
}
