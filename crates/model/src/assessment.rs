//! What the report says about risk, disclosure and utility. All of it may be published: see [`crate::report`].

use serde::{Deserialize, Serialize};

/// What an attacker reaches by re-identification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Exposure {
    /// Probability for the most exposed record.
    pub highest: f64,
    /// Mean over the records.
    pub mean: f64,
    /// Records with a probability above the threshold.
    pub at_risk: usize,
    /// Their share of the records.
    pub at_risk_share: f64,
}

/// What the repair for eligibility discloses to an attacker who knows how records are repaired, but neither who else is in the
/// class of a person nor how the classes were chosen. It follows from the published table and the published totals of
/// counterfeits and deletions, and so adds nothing to them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disclosure {
    /// 1/m: what classes without counterfeits would promise.
    pub promised: f64,
    /// Highest probability of a sensitive value of a person who is known to be in a class, in the worst source that
    /// fits what is published.
    pub present: f64,
    /// The same to an attacker who also rules out that a value is not known; `None` if every value is known, and in reports of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub present_known: Option<f64>,
    /// Published records in classes where it is above 1/m.
    pub above: usize,
    /// Sensitive values some of whose records may be counterfeits.
    pub suspects: usize,
    /// Fewest records of a class of which it is certain that they are real.
    pub certainly_real: usize,
    /// Whoever is known to be in the source, but is found in no class, held one of this many values; `null` if nothing
    /// was deleted.
    pub absent_values: Option<usize>,
}

/// How useful the published table is. Counterfeits count: sums over the real records would tell how many are in which
/// class.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Utility {
    /// The loss of the published form: sum over the published records of the mean normalised certainty penalty of their cells,
    /// as the audit reads them. All measurable columns count alike, kept ones too, and so do counterfeits; `null` if no
    /// column is measurable.
    pub ncp_total: Option<f64>,
    /// The same as a mean: the certainty penalty of a published cell, 0 to 1.
    pub gcp_mean: Option<f64>,
    /// Records / groups of equal published quasi-identifiers.
    pub average_class_size: f64,
    /// The same over k or m; 1 is best.
    pub c_avg: f64,
    /// Sum of the squared group sizes.
    pub discernibility: f64,
    /// Share of the records without the most frequent sensitive value of their group.
    pub classification_metric: Option<f64>,
    /// Error of random counting queries, to two digits; `null` if counterfeits were added.
    pub queries: Option<Queries>,
    /// Each quasi-identifier and kept column.
    pub columns: Vec<ColumnUtility>,
}

impl Utility {
    /// How many columns the mean penalty of a cell is of, and how many there are.
    #[must_use]
    pub fn measured(&self) -> (usize, usize) {
        (self.columns.iter().filter(|column| column.ncp.is_some()).count(), self.columns.len())
    }
}

/// Error of random counting queries.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Queries {
    /// Queries asked; which ones follows from the run's private seed.
    pub count: usize,
    /// Columns of each.
    pub dimensions: usize,
    /// Mean relative error.
    pub mean_error: f64,
    /// Median relative error.
    pub median_error: f64,
}

/// What one column lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnUtility {
    /// Its name.
    pub name: String,
    /// Mean normalised certainty penalty of the published records; `null` if not measurable.
    pub ncp: Option<f64>,
    /// Whether its published cells are of forms that the audit can measure. A mean is not: it has no width, and the records do
    /// not lie there.
    pub measurable: bool,
    /// 100 SSE / SST of its values, to two digits; `null` if counterfeits were added.
    pub information_loss_percent: Option<f64>,
}

/// What the repair discloses to an attacker who also knows how many records of each value were faked and deleted, but not who else
/// is in the class of a person. Private: it follows from numbers that are not published.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Informed {
    /// Highest probability of a sensitive value of a person who is known to be in a class; `null` in a later release of a series,
    /// where who left tells which records can be counterfeits.
    #[serde(default)]
    pub present: Option<f64>,
    /// The same if the number of counterfeits of each class were published: never publish it.
    pub present_with_class_counts: f64,
    /// Highest probability of a sensitive value of a person who is known to be in the source, but is found in no
    /// class; `null` if nothing was deleted.
    pub absent: Option<f64>,
}

/// How mean and variance of a column of numbers changed. Private: with the published table it gives the original's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistic {
    /// Its name.
    pub column: String,
    /// (Published mean - original mean) / original standard deviation.
    pub mean_shift: f64,
    /// Published variance / original variance.
    pub variance_ratio: f64,
}

/// What each way to m-eligibility would disclose to an attacker who knows how records are repaired and how often each value
/// occurs, but not who else is in the class; `None` where a way cannot reach m.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RepairDisclosures {
    /// Counterfeits alone.
    pub add: Option<RepairDisclosure>,
    /// Deletions alone.
    pub delete: Option<RepairDisclosure>,
    /// Both.
    pub hybrid: Option<RepairDisclosure>,
}

/// Highest probabilities of a person's sensitive value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepairDisclosure {
    /// Of a person who is known to be in a class: at most this, whatever the classes.
    pub present: f64,
    /// Of a person who is known to be in the source, but is found in no class; `None` if nothing is deleted.
    pub absent: Option<f64>,
    /// How many records of a class are real.
    #[serde(default)]
    pub real: Option<RealRecords>,
}

/// Real records of the classes, before there are classes: what is certain, and what is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RealRecords {
    /// Every class has so many at least, whatever the classes.
    pub least: u64,
    /// The most that the poorest class can have: classes exist in which each has so many.
    pub least_at_best: u64,
    /// So many classes have a single real record, whatever the classes.
    pub single: u64,
    /// In the worst case so many classes have one.
    pub single_at_most: u64,
}
