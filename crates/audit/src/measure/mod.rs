//! How useful a published table is.
//!
//! [`figures`] need the published bytes alone; [`utility()`] needs the original rows and which class each is in. Cells are
//! parsed here, independently of what wrote them (`docs/checks.md` lists the forms); a form that is not known makes its column "not
//! measurable", never a guess.
//!
//! Definitions, papers and worked examples: `docs/checks.md`.

mod cell;
mod column;
mod correlation;
mod covering;
mod ends;
mod exact;
mod figures;
mod intervals;
mod leaves;
mod linked;
mod linked_values;
mod numbers;
mod pair;
mod penalty;
mod queries;
mod range;
mod reading;
mod spread;
mod squared;
mod utility;

pub use correlation::{Correlation, correlations};
pub(crate) use covering::Covering;
pub use ends::{Ends, EndsSource, ends, joined};
pub(crate) use exact::{Entries, NOT_KNOWN};
pub use figures::{ColumnFigure, Figures, figures};
pub(crate) use intervals::Intervals;
pub use linked::linked;
pub use linked_values::{ValuesOf, same_values};
pub(crate) use numbers::{Numbers, Part};
pub use penalty::{
    CellsPart, ColumnPart, ColumnPenalty, Open, Stated, cell_penalties, domains, penalties,
    penalties_of_parts, penalties_part, stated,
};
pub use queries::QueryError;
pub(crate) use reading::kind;
pub use reading::{ColumnReading, Domain, Reading};
pub use spread::{Bin, spread};
pub use utility::{ColumnUtility, Statistic, Utility, link, utility};
