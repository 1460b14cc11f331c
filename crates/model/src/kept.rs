//! What a worker keeps of a search that is under way, so that an interruption does not cost it.

use serde::{Deserialize, Serialize};

use crate::job::Answer;

/// A finished part of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// A block that column generation solved.
    Solved(Box<Answer>),
    /// A block that was annealed.
    Annealed(Annealed),
    /// Rounds over all blocks that are done.
    Rounds(Rounds),
}

/// A block that was annealed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Annealed {
    /// Class of each of its records.
    pub labels: Vec<u32>,
    /// Moves that were proposed.
    pub moves: u64,
}

/// Rounds of annealing in spatial blocks that are done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rounds {
    /// How many, the descent at the beginning not counted.
    pub done: u32,
    /// Loss per record after the descent.
    pub unit: f64,
    /// Class of each record after the last of them, numbered in the order in which the next one takes them.
    pub labels: Vec<u32>,
    /// Loss of these classes, summed in the order of the blocks.
    pub value: f64,
    /// Class of each record in the best partition so far; `None` if that is the last one.
    pub best: Option<Vec<u32>>,
    /// Its loss.
    pub best_loss: f64,
    /// Moves that were proposed.
    pub moves: u64,
}
