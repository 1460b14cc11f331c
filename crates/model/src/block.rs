//! Blocks of a search, which others may solve. Like a job, a block is numbers without names.

use serde::{Deserialize, Serialize};

use crate::{job::Job, rule::Rule, settings::Loss};

/// A block of a search: all that its answer depends on.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "blocks are made one at a time, and nearly all are of the large kind"
)]
pub enum Block {
    /// Some classes to be annealed.
    Anneal(AnnealBlock),
    /// A problem of its own: a block of column generation, or one of a table larger than memory.
    Job(Box<Job>),
}

impl From<Job> for Block {
    fn from(job: Job) -> Self {
        Self::Job(Box::new(job))
    }
}

/// Some records of a problem, with classes that are to be annealed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnealBlock {
    /// Number of attributes d.
    pub dims: usize,
    /// The points of the real records as the search measures them, row by row: `reals * dims` finite numbers.
    pub points: Vec<f64>,
    /// Colours of all records, dense; real records first, then counterfeits.
    pub colours: Vec<u32>,
    /// Under NCP the attributes that are categories, ascending, each with what one more value costs a record.
    pub categories: Vec<(u32, f64)>,
    /// Codes of the categories, `categories.len()` each record.
    pub codes: Vec<u32>,
    /// The attributes that are leaves of a tree, ascending, each with its weight and the penalties of neighbouring leaves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hierarchies: Vec<(u32, f64, Vec<f64>)>,
    /// Under SSE the coordinate of each such attribute's second leaf; the first has 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<f64>,
    /// Place of each attribute in the order of rising variance.
    pub ranks: Vec<u32>,
    /// Which classes are admissible.
    pub rule: Rule,
    /// For each sensitive column, that of the colours first, how the values of the whole table are distributed, if the rule goes by that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<BlockValues>,
    /// What a class costs.
    pub loss: Loss,
    /// Class of each record to begin with.
    pub start: Vec<u32>,
    /// What is done with them.
    pub work: Work,
    /// Seed of the search.
    pub seed: u64,
}

/// How the values of the whole table in a sensitive column are distributed, and which the block's records have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockValues {
    /// Records of the whole table that hold each value.
    pub totals: Vec<u32>,
    /// Rank of each value, ascending.
    pub ranks: Vec<u32>,
    /// Number of ranks.
    pub rank_count: u32,
    /// How far along the order each value lies, ascending.
    pub places: Vec<f64>,
    /// For each level of the values' hierarchy above them the label of each value, a number below that of values; the last is the root's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Vec<u32>>,
    /// The value of each record of the block.
    pub of: Vec<u32>,
}

/// What is done with the classes of a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// A whole annealing, from hot to cold.
    Anneal {
        /// Its effort.
        effort: f64,
    },
    /// One round of an annealing of many blocks.
    Cool {
        /// Temperatures, one after another; 0 is descent.
        temperatures: Vec<f64>,
        /// Moves at each.
        moves: u64,
        /// Stream of random numbers.
        stream: u64,
    },
}
