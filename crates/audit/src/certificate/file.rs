//! The file.

use lookalike_words::Name;
use serde::{Deserialize, Serialize};

use super::{Misfit, Misread, Refusal};

/// The format's name.
const FORMAT: &str = "lookalike-certificate";

/// The format's version.
const VERSION: u32 = 1;

/// What stands first in the file.
const WARNING: &str = "the numbers below belong to single records";

lookalike_words::messages! {
    in "audit";

    /// Which classes are admissible.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", tag = "kind")]
    pub enum Rule {
        /// At least `k` records.
        MinSize {
            /// The least size.
            k: usize,
        },
        /// At least `m` records, all of different colours.
        Distinct {
            /// The least size.
            m: usize,
        },
    }

    /// What a class costs.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Loss {
        /// The sum of squared distances to its mean.
        #[default]
        Sse,
        /// The normalised certainty penalty.
        Ncp,
        /// The same, c >= 2 labels of d costing c / d instead of (c - 1) / d.
        NcpBinary,
    }
}

impl Loss {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
    fn is_sse(&self) -> bool {
        *self == Self::Sse
    }
}

impl Rule {
    /// The least number of records in a class.
    #[must_use]
    pub fn least(self) -> usize {
        match self {
            Self::MinSize { k } => k,
            Self::Distinct { m } => m,
        }
    }
}

/// A set of records of which groups of so many members of one class can cover at most that part, rounded down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubsetRow {
    /// Its records, each once.
    pub records: Vec<u32>,
    /// p, at least 2; 2 if it is not said.
    #[serde(default = "pairs", skip_serializing_if = "is_pairs")]
    pub divisor: u32,
    /// sigma, at least 0.
    pub sigma: f64,
}

fn pairs() -> u32 {
    2
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_pairs(divisor: &u32) -> bool {
    *divisor == pairs()
}

/// A lower bound and what proves it. Private: the duals belong to single records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    #[serde(rename = "do not publish")]
    warning: String,
    format: String,
    version: u32,
    /// Which classes are admissible.
    pub rule: Rule,
    /// What a class costs; squared errors if it is not said.
    #[serde(default, skip_serializing_if = "Loss::is_sse")]
    pub loss: Loss,
    /// The lower bound that is claimed.
    pub bound: f64,
    /// A loss that no partition is below, by a search of all partitions into the classes whose reduced costs the difference to what the
    /// duals prove can pay for. A little less than the loss of the best partition, for rounding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimum: Option<f64>,
    /// How far below 0 the reduced cost of a class may be; above what rounding takes, such as 1e-9 of the largest dual.
    pub tolerance: f64,
    /// The 0-based rows of the table that are the records, ascending; none stands for all rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<u32>,
    /// lambda, one a record, in the records' order.
    pub duals: Vec<f64>,
    /// The cuts.
    pub cuts: Vec<SubsetRow>,
}

impl Certificate {
    /// A certificate of the current version.
    #[must_use]
    pub fn new(rule: Rule, bound: f64, tolerance: f64, duals: Vec<f64>, cuts: Vec<SubsetRow>) -> Self {
        Self {
            warning: WARNING.to_owned(),
            format: FORMAT.to_owned(),
            version: VERSION,
            rule,
            loss: Loss::Sse,
            bound,
            optimum: None,
            tolerance,
            rows: Vec::new(),
            duals,
            cuts,
        }
    }

    /// A certificate with the largest bound that the numbers prove if no class has a reduced cost below `-tolerance`,
    /// about these rows of a table.
    #[must_use]
    pub fn largest(
        rule: Rule,
        tolerance: f64,
        rows: Vec<u32>,
        duals: Vec<f64>,
        cuts: Vec<SubsetRow>,
    ) -> Self {
        let mut this = Self { rows, ..Self::new(rule, 0.0, tolerance, duals, cuts) };
        this.bound = super::verify::bound(&this, this.duals.len() / rule.least().max(1));
        this
    }

    /// The same about another loss; a new one is about squared errors.
    #[must_use]
    pub fn under(self, loss: Loss) -> Self {
        Self { loss, ..self }
    }

    /// The same with an optimum that is claimed.
    #[must_use]
    pub fn optimal(self, optimum: f64) -> Self {
        Self { optimum: Some(optimum), ..self }
    }

    /// What it claims that no loss is below: the optimum where it has one, which is no less than the bound of the duals.
    #[must_use]
    pub fn claim(&self) -> f64 {
        self.optimum.map_or(self.bound, |optimum| optimum.max(self.bound))
    }

    /// The 0-based rows of a table with so many rows that are the records.
    ///
    /// # Errors
    /// [`Refusal::Mismatch`] if they are not in the table, not ascending, or not as many as the duals.
    pub fn records(&self, rows: usize) -> Result<Vec<u32>, Refusal> {
        let records: Vec<u32> =
            if self.rows.is_empty() { (0..rows as u32).collect() } else { self.rows.clone() };
        let ascending = records.windows(2).all(|w| w[0] < w[1]);
        if !ascending || records.last().is_some_and(|&row| row as usize >= rows) {
            return Err(Refusal::Mismatch(Misfit::Rows { rows }));
        }
        if records.len() != self.duals.len() {
            let (duals, records) = (self.duals.len(), records.len());
            return Err(Refusal::Mismatch(Misfit::Records { duals, records }));
        }
        Ok(records)
    }

    /// Reads a certificate.
    ///
    /// # Errors
    /// [`Refusal::Unreadable`] if the text is no certificate or of another version.
    pub fn from_json(text: &str) -> Result<Self, Refusal> {
        let this: Self = serde_json::from_str(text).map_err(|why| not_json(&why))?;
        if this.format != FORMAT {
            let (format, known) = (Name(this.format), Name::from(FORMAT));
            return Err(Refusal::Unreadable(Misread::Format { format, known }));
        }
        if this.version != VERSION {
            let version = this.version;
            return Err(Refusal::Unreadable(Misread::Version { version, known: VERSION }));
        }
        Ok(this)
    }

    /// Writes it; every number comes back bit for bit.
    ///
    /// # Errors
    /// [`Refusal::Unreadable`] if a number is not finite, which JSON cannot say.
    pub fn to_json(&self) -> Result<String, Refusal> {
        let sigmas = self.cuts.iter().map(|cut| &cut.sigma);
        let others = [&self.bound, &self.tolerance].into_iter().chain(&self.optimum);
        if !self.duals.iter().chain(sigmas).chain(others).all(|v| v.is_finite()) {
            return Err(Refusal::Unreadable(Misread::NotFinite));
        }
        serde_json::to_string(self).map_err(|why| not_json(&why))
    }
}

fn not_json(why: &serde_json::Error) -> Refusal {
    Refusal::Unreadable(Misread::Json { why: why.to_string() })
}
