//! What holds between a table and its original: (1,k), (k,1), (k,k) and k-concealment.

use lookalike_core::{
    audit::{
        self,
        consistency::{Consistency, Notion},
        measure::Reading,
    },
    table::Table,
};
use serde_json::{Value, json};

use crate::exit::Failure;

/// What was found about one notion.
pub(super) struct Noted {
    notion: Notion,
    /// The largest k that holds.
    reached: usize,
    pub(super) check: audit::Check,
}

/// Judges the notions that are asked for.
pub(super) fn judge(
    table: &Table,
    original: Option<&Table>,
    asked: &[(Notion, usize)],
    quasi: &[String],
    reading: &Reading,
) -> Result<Vec<Noted>, Failure> {
    let (Some(original), false) = (original, asked.is_empty()) else { return Ok(Vec::new()) };
    let wrong = |error: audit::Error| Failure::Input(error.to_string());
    let consistency = Consistency::new(table, original, quasi, reading).map_err(wrong)?;
    let judge = |&(notion, k): &(Notion, usize)| {
        let (check, reached) = consistency.check(notion, k).map_err(wrong)?;
        Ok(Noted { notion, reached, check })
    };
    asked.iter().map(judge).collect()
}

/// For programs.
pub(super) fn json(noted: &Noted) -> Value {
    json!({
        "model": noted.notion.name(),
        "reached": noted.reached,
        "passed": noted.check.passed,
        "finding": noted.check.finding,
        "witnesses": noted.check.witnesses,
    })
}
