//! What a release under way must remember of its series.

use lookalike_model::{
    ledger::{Ledger, Mode, Vacancies},
    report::SeriesUpdates,
};
use lookalike_table::{Column, Table};

/// What the next ledger needs of a release under way.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The ledger before this release.
    pub(crate) ledger: Ledger,
    /// Column of the individuals.
    pub(crate) id: usize,
    /// The same with pseudonyms, where the ledger has these in place of names.
    pub(crate) pseudonyms: Option<Column>,
    /// Random digits of the next ledger, where it has pseudonyms.
    pub(crate) nonce: Option<String>,
    /// Column of the sensitive values.
    pub(crate) sensitive: usize,
    /// Text of each code of a sensitive value.
    pub(crate) values: Vec<String>,
    /// Code of each entry of the sensitive column's dictionary.
    pub(crate) code_of: Vec<u32>,
    /// What changed since the last release.
    pub(crate) updates: SeriesUpdates,
}

impl Part {
    /// The column of the individuals, as the ledger names them.
    pub(crate) fn names<'a>(&'a self, table: &'a Table) -> &'a Column {
        self.pseudonyms.as_ref().unwrap_or(&table.columns[self.id])
    }

    /// Whether how old classes are made is the same for every order of their values. Where values change, the orders in which
    /// somebody's old value is the new one are excluded.
    pub(crate) fn keeps_apart(&self) -> bool {
        self.ledger.vacancies == Vacancies::Counterfeits && self.ledger.mode != Mode::TauSafety
    }
}
