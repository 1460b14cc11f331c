//! What a statement says of records that were added and left out.

use lookalike_model::{
    document::{Part, Table},
    report::Report,
};
use lookalike_words::{AsArg as _, messages};

use super::StatementColumn;

messages! {
    in "core";

    /// Records that were added or left out.
    enum StatementChange {
        /// Counterfeits.
        Counterfeits,
        /// Deleted for eligibility.
        Deletions,
        /// Left out for their loss.
        ForLoss,
        /// Left out for the levels of the columns.
        ForLevels,
        /// Left out for another reason.
        Suppressed,
        /// Fewest real records of a class.
        FewestReal,
        /// How many each was to have.
        AskedReal,
        /// A figure that is not told.
        NotTold,
    }
}

/// Added and left out.
pub(super) fn changes(report: &Report) -> Vec<Part> {
    let changes = &report.changes;
    let mut table = Table::of([StatementColumn::What, StatementColumn::Figure]);
    table.row(&StatementChange::Counterfeits, &changes.counterfeits);
    table.row(&StatementChange::Deletions, &changes.deletions);
    let reason =
        if report.full_domain.is_some() { StatementChange::ForLevels } else { StatementChange::ForLoss };
    table.row(&reason, &changes.suppressed_for_loss);
    table.row(&StatementChange::Suppressed, &changes.suppressed);
    let fewest = report.classes.min_real.map_or_else(|| StatementChange::NotTold.as_arg(), |n| n.as_arg());
    table.rows.push(vec![StatementChange::FewestReal.as_arg(), fewest]);
    if let Some(asked) = changes.min_real {
        table.row(&StatementChange::AskedReal, &asked);
    }
    vec![Part::Table(table)]
}
