//! What Split & Carry and its relatives are told (Liang 2020, section 3.1 and the future work of section 6).

use serde::{Deserialize, Serialize};

/// The order of the list that variance-sort, Greedy Search and Split & Carry go down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SortOrder {
    /// Attributes of rising weighted variance (Liang 2020, section 2.3 and (36)).
    #[default]
    Variance,
    /// Attributes of falling weighted variance.
    VarianceDescending,
    /// Attributes with few different values first.
    Values,
    /// As [`SortOrder::Variance`], each attribute rising and falling in turns, so that neighbours in the list differ little
    /// where an earlier attribute steps on.
    Snake,
}

/// How a sub-problem is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SubSolver {
    /// Set partitioning over its classes, exactly: enumerated, or by column generation where there are too many.
    #[default]
    SetPartitioning,
    /// The general programme (21)-(28) of Liang 2020, with the best back end there is; for NCP.
    Programme,
}

/// What is carried of the classes that hold records of the boundary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Carried {
    /// k records of each, and all others that could not stand alone.
    #[default]
    Classes,
    /// Of a class with r records more than k, the r records that contribute least to its loss; no others.
    Subset,
}

/// Sub-problems of one size, of which some classes are kept (Liang 2020, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Bubble {
    /// P, the number of records of a sub-problem, at least 2k.
    pub size: usize,
    /// A, the number of classes of least loss that are kept of each; at least 1.
    pub keep: usize,
}

/// What Split & Carry is told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CarryOptions {
    /// S, how many k-sets of the list a sub-problem takes; at least 2. With as many as there are, the only sub-problem is
    /// the whole problem.
    pub sets: usize,
    /// l, the number of records at the end of a sub-problem whose classes are carried to the next; `None` is k.
    pub boundary: Option<usize>,
    /// What is carried of these classes.
    pub carried: Carried,
    /// Sub-problems of one size instead; then the three above do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bubble: Option<Bubble>,
    /// How a sub-problem is solved.
    pub solver: SubSolver,
    /// Early termination: the seconds that the programme may take for a sub-problem; with a limit the result is not
    /// reproducible. `None` is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl Default for CarryOptions {
    fn default() -> Self {
        Self {
            sets: 3,
            boundary: None,
            carried: Carried::default(),
            bubble: None,
            solver: SubSolver::default(),
            seconds: None,
        }
    }
}
