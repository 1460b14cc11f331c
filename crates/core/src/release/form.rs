//! The form of a published table: as the audit is told it, as it is read again, and cells in it that a spreadsheet would run.

use std::collections::BTreeSet;

use lookalike_audit::Dialect as AuditDialect;
use lookalike_model::dialect::{Dialect, Formulas, LineEnds, Separator};
use lookalike_table::{ReadOptions, Table, is_formula, read, undefused};
use lookalike_words::{Name, Said};

use super::order::Release;
use crate::{Error, ReleaseWarning};

/// The form that the audit is told to expect.
#[must_use]
pub fn audit_dialect(dialect: Dialect) -> AuditDialect {
    dialect.into()
}

/// The form of the bytes, as reports have it.
pub(super) fn of_audit(dialect: AuditDialect) -> Dialect {
    Dialect {
        delimiter: Separator::of(dialect.delimiter).unwrap_or_default(),
        bom: dialect.bom,
        line_ends: if dialect.crlf { LineEnds::Crlf } else { LineEnds::Lf },
        formulas: if dialect.defused { Formulas::Defuse } else { Formulas::Keep },
    }
}

/// Reads a table that was written here.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_again(bytes: &[u8], dialect: AuditDialect) -> Result<Table, Error> {
    let options = ReadOptions { delimiter: Some(dialect.delimiter), ..ReadOptions::default() };
    let table = read(bytes, &options)?;
    Ok(if dialect.defused { undefused(table) } else { table })
}

/// Counts the published cells that a spreadsheet would run as formulas, names of columns included.
#[derive(Clone, Debug, Default)]
pub struct FormulaCells {
    cells: u64,
    columns: BTreeSet<usize>,
}

impl FormulaCells {
    /// Takes in a row, or the header.
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) {
        for (column, cell) in cells.into_iter().enumerate() {
            if is_formula(cell) {
                self.cells += 1;
                self.columns.insert(column);
            }
        }
    }

    /// How many there are, and in which columns.
    #[must_use]
    pub fn counts(&self) -> (u64, Vec<usize>) {
        (self.cells, self.columns.iter().copied().collect())
    }

    /// So many in these columns.
    #[must_use]
    pub fn of(cells: u64, columns: Vec<usize>) -> Self {
        Self { cells, columns: columns.into_iter().collect() }
    }

    /// Takes in those of other rows.
    pub fn join(&mut self, other: &Self) {
        self.cells += other.cells;
        self.columns.extend(&other.columns);
    }

    /// What is to be said of them under these names, if there are any and they are not defused.
    #[must_use]
    pub fn warning(&self, header: &[String], dialect: Dialect) -> Option<Said> {
        if self.cells == 0 || !dialect.formulas.are_kept() {
            return None;
        }
        let name = |&at: &usize| header.get(at).map(|name| Name::from(name.as_str()));
        let columns = self.columns.iter().filter_map(name).collect();
        Some(ReleaseWarning::Formulas { cells: self.cells, columns }.into())
    }
}

/// A warning of the cells of a release that a spreadsheet would run.
pub(super) fn formulas(release: &Release, dialect: Dialect) -> Option<Said> {
    let mut found = FormulaCells::default();
    for row in std::iter::once(&release.header).chain(&release.rows) {
        found.row(row.iter().map(String::as_str));
    }
    found.warning(&release.header, dialect)
}
