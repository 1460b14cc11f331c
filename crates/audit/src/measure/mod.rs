//! How useful a published table is.
//!
//! [`figures`] need the published bytes alone; [`utility()`] needs the original rows and which class each is in. Cells are
//! parsed here, independently of what wrote them (see [`Cell`]); a form that is not known makes its column "not
//! measurable", never a guess.
//!
//! Definitions, papers and worked examples: `docs/checks.md`.

mod cell;
mod column;
mod figures;
mod pair;
mod queries;
mod utility;

use std::collections::BTreeMap;

use lookalike_table::Kind;

pub use cell::{Atom, Cell, parse_cell};
pub use figures::{ColumnFigure, Figures, figures};
pub use queries::QueryError;
pub use utility::{ColumnUtility, Statistic, Utility, link, utility};

use crate::SUPPRESSED;

/// How cells are read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Cells that mean "suppressed".
    pub suppressed: Vec<String>,
    /// Cells that mean "not known".
    pub missing: Vec<String>,
    /// Kinds of columns where the guess from the published cells would be wrong: digits that are codes.
    pub kinds: BTreeMap<String, Kind>,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            suppressed: vec![SUPPRESSED.to_owned()],
            missing: ["", "?", "NA", "N/A", "null"].map(String::from).to_vec(),
            kinds: BTreeMap::new(),
        }
    }
}
