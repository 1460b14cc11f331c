//! The dialect of a published file as reports and requests have it, for the judge, which knows nothing of either.

use lookalike_model::dialect::{Dialect, Formulas, LineEnds};

use crate::judge;

impl From<Dialect> for judge::Dialect {
    fn from(dialect: Dialect) -> Self {
        let Dialect { delimiter, bom, line_ends, formulas } = dialect;
        let (crlf, defused) = (line_ends == LineEnds::Crlf, formulas == Formulas::Defuse);
        Self { delimiter: delimiter.byte(), bom, crlf, defused }
    }
}
