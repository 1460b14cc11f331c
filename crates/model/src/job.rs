//! The pseudonymised numeric problem, and its answer.
//!
//! A job holds no column name, no label, no identifier and no row order: records are sorted canonically,
//! attributes and colour codes are permuted at random. What remains are encoded numbers.

use std::{collections::BTreeMap, sync::Arc};

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use crate::{
    freeform::Freeform,
    lattice::{FullDomain, Lattice},
    proof::{ColumnWork, Duals},
    rule::Rule,
    sets::AttributeSet,
    settings::{BoundWork, Budget, Loss, Method},
};

/// Version of [`Job`] and [`Answer`]; a worker refuses others.
pub const JOB_VERSION: u32 = 1;

/// One partitioning problem: n records with points in R^d and colours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Job {
    /// [`JOB_VERSION`].
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1))]
    pub version: u32,
    /// Number of attributes d of a point; at least 1.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub dims: usize,
    /// The points of the real records, row by row: `reals * dims` finite numbers. Under SSE already multiplied by the
    /// square root of the attribute weights; under NCP numbers as parts of their whole range, 0 to 1.
    pub points: Vec<f64>,
    /// Colour codes of all records, `0..colours`, dense; real records first, then counterfeits without a point.
    /// All 0 when the rule has no colours.
    pub colours: Vec<u32>,
    /// Which classes are admissible.
    pub rule: Rule,
    /// What a class costs.
    pub loss: Loss,
    /// How classes are found, and what the method is told.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::settings::MethodForm))]
    pub method: Method,
    /// How long to search.
    pub budget: Budget,
    /// What each attribute of a point is, `dims` entries. Needed by NCP; without it every attribute is a number and
    /// the order of variances is that of the points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Attribute>,
    /// The order of the colours, for conditions that go by it; `None` if they have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<Ranks>,
    /// Further sensitive columns, whose values conditions of the rule are about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<FurtherValues>,
    /// What earlier releases ask of the classes, in a series of releases; `None` for a table by itself. Only with
    /// classes of different colours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// How much work a bound is worth that comes beside the search; `quick` if not said.
    #[serde(default, skip_serializing_if = "BoundWork::is_usual")]
    pub bound: BoundWork,
    /// Whether the answer is to bring the duals behind its bound, whatever the method.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub duals: bool,
    /// The levels of the columns, where each is published at one of them; `None` for classes. It never leaves this machine.
    #[serde(skip)]
    pub lattice: Option<Arc<Lattice>>,
    /// Sets of attributes with groups larger than a class, without a common attribute; none is usual. They never leave this machine.
    #[serde(skip)]
    pub sets: Vec<AttributeSet>,
    /// Seed of the search (not the user's seed: one cannot be computed from the other).
    pub seed: u64,
}

impl Job {
    /// Records with these points, row by row `dims` numbers each, to be partitioned under a rule: by the sum of squared errors,
    /// with the method, budget and seed of those who say nothing. Without colours; a rule that asks for different ones needs
    /// [`Job::colours`], one a record.
    #[must_use]
    pub fn of(dims: usize, points: Vec<f64>, rule: Rule) -> Self {
        let colours = vec![0; points.len().checked_div(dims).unwrap_or(0)];
        Self {
            version: JOB_VERSION,
            dims,
            points,
            colours,
            rule,
            loss: Loss::default(),
            method: Method::default(),
            budget: Budget::default(),
            attributes: Vec::new(),
            ranks: None,
            further: Vec::new(),
            series: None,
            bound: BoundWork::default(),
            duals: false,
            lattice: None,
            sets: Vec::new(),
            seed: 0,
        }
    }

    /// Whether the answer is to bring the duals behind its bound.
    #[must_use]
    pub const fn wants_duals(&self) -> bool {
        self.duals || self.method.wants_duals()
    }
}

/// What earlier releases ask of the classes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Series {
    /// Signatures that records were published with: sets of at least `m` colours, ascending.
    pub signatures: Vec<Vec<u32>>,
    /// For each real record 1 + the place of its signature, or 0 if it has none. A record that has one is published in
    /// a class of exactly these colours.
    pub bound: Vec<u32>,
    /// Whether the search leaves the signatures of the other classes as the construction has made them.
    pub keep: bool,
}

/// The values of the records in a sensitive column beside the colours.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FurtherValues {
    /// Code of each record's value, dense, from 0.
    pub values: Vec<u32>,
    /// The order of the codes, for conditions that go by it; `None` if they have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<Ranks>,
}

/// The order of the colours, and their hierarchy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ranks {
    /// Rank of each colour, below `count`; colours may share one.
    pub colours: Vec<u32>,
    /// Number of ranks, of which some may have no colour.
    pub count: u32,
    /// How far along the order each colour lies, for conditions that go by distances; empty where ranks are as far apart as each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<f64>,
    /// Their hierarchy, for conditions that go by it: for each level above the colours the label of each colour, a number below that of colours.
    /// Colours of one label have one at each coarser level, and all have one at the last. Empty if they have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Vec<u32>>,
}

/// What an attribute of a point is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Attribute {
    /// Weight in NCP, at least 0; the attributes' weights need not sum to 1. SSE does not look at it.
    pub weight: f64,
    /// `None` for a number; for a category under NCP the size of its domain, and its coordinates are codes
    /// `0..levels`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<u32>,
    /// For an attribute whose coordinates are places of the leaves of a tree, `0..=joins.len()`, in an order in which the
    /// leaves of each node are neighbours, one number for each two neighbours. Under NCP, of an attribute that is
    /// published by its generalisation hierarchy: what a record loses that is published by the lowest label above both,
    /// before weighting, from 0 (itself) to 1 (the root). Under SSE, of a category with many values: the squared distance
    /// of both, weight included. What two other leaves cost is the largest number between them. Not together with `levels`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joins: Option<Vec<f64>>,
    /// Place in the order of rising Var/weight^2 of the original values (Liang 2020, (36)); attributes of one column
    /// share it.
    pub rank: u32,
}

/// The answer to a [`Job`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answer {
    /// Class of each record, `0..classes`, dense, in the job's order of records.
    pub labels: Vec<u32>,
    /// Total loss over the real records.
    pub loss: f64,
    /// Why the search stopped and what is proven.
    pub status: Status,
    /// A proven lower bound on the loss, if there is one.
    pub bound: Option<Bound>,
    /// What other machines say of this search and the one that hands out the answer has not checked; `None` if no other machine
    /// took part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed: Option<Claimed>,
    /// What column generation did; `None` for other methods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<ColumnWork>,
    /// The best duals that are feasible for all classes, if they were asked for and there are any. What they prove may be
    /// less than the bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duals: Option<Duals>,
    /// In place of classes, where the method makes rows of their own ([`Method::is_freeform`]); each record is then in a
    /// class by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freeform: Option<Freeform>,
    /// The levels that were chosen, where the job has such: classes are then the groups of records that are alike at these, the
    /// suppressed ones included. No machine but this one has such jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub full_domain: Option<FullDomain>,
    /// For each set of attributes of the job ([`Job::sets`]) its groups, as labels of the records like those of the classes: each
    /// group is a union of classes. No machine but this one has such jobs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub coarser: Vec<Vec<u32>>,
    /// How the answer was found, for the report ("bucketization, then annealing: ...").
    pub method: Said,
    /// The parameters of the search that are not the defaults: name and value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// Moves that were proposed.
    pub moves: u64,
    /// Number of different threads that took part.
    pub threads: usize,
    /// Seconds the search took, by the solver's clock.
    pub seconds: f64,
}

/// Why a search stopped, and what is proven.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Status {
    /// Proven optimal.
    Optimal,
    /// The gap asked for is reached.
    GapReached,
    /// Proven optimal, says the machine that searched; this one has not checked it.
    OptimalClaimed,
    /// The gap asked for is reached, says the machine that searched; this one has not checked it.
    GapReachedClaimed,
    /// The effort asked for was spent; nothing is proven.
    EffortSpent,
    /// A time limit ran out, of the whole search or of a part of it; nothing is proven.
    TimeLimit,
    /// Stopped from outside; the best so far is returned.
    Cancelled,
    /// There is no admissible partition.
    Infeasible {
        /// The reason and the nearest feasible value.
        why: Said,
    },
}

/// What another machine says of its search and this one has not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Claimed {
    /// No partition has a loss below this, it says; `None` if it says nothing of the kind, or if it was checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// What that is a bound of.
    #[serde(default)]
    pub of: BoundOf,
}

/// A proven lower bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Bound {
    /// No partition (of those that `of` names) has a loss below this.
    pub value: f64,
    /// The proof.
    pub proven_by: Said,
    /// What it is a bound of.
    #[serde(default)]
    pub of: BoundOf,
}

/// What a bound is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum BoundOf {
    /// The job as it is.
    #[default]
    WholeProblem,
    /// The partitions that keep to the blocks of a decomposition; others may lose less.
    DecomposedProblem,
}

impl BoundOf {
    /// In words, as the report has it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::WholeProblem => "whole problem",
            Self::DecomposedProblem => "decomposed problem",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_written_by_name_and_read_again() {
        for (status, json) in [
            (Status::Optimal, r#"{"name":"optimal"}"#),
            (Status::GapReachedClaimed, r#"{"name":"gap-reached-claimed"}"#),
            (
                Status::Infeasible { why: Said::verbatim("n < k") },
                r#"{"name":"infeasible","why":{"id":"","args":{},"text":"n < k"}}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&status).unwrap(), json);
            assert_eq!(serde_json::from_str::<Status>(json).unwrap(), status);
        }
        let earlier = serde_json::from_str::<Status>(r#"{"name":"infeasible","why":"n < k"}"#).unwrap();
        assert_eq!(earlier, Status::Infeasible { why: Said::verbatim("n < k") });
        assert!(serde_json::from_str::<Status>(r#"{"name":"infeasible"}"#).is_err());
    }
}
