//! What column generation asks of a loss: what classes of types cost, and how they are priced. One file a loss.

mod ncp;
pub(crate) mod ranges;
mod sse;

use std::{fmt::Debug, sync::Arc};

use lookalike_lp::general::Attribute;
use lookalike_model::{instance::Instance, loss::Loss};

use super::{pricing::Pricer, problem::Problem};

/// A loss that column generation can price. It never grows when a class is split into two admissible ones.
pub trait Priceable: Loss {
    /// The loss over types, given by their records.
    fn measure(&self, instance: &Instance, types: &[Vec<u32>]) -> Arc<dyn Measure>;

    /// The attributes and the values of the general programme of Liang 2020 with this loss, if it is a sum of ranges.
    fn programme(&self, _: &Instance) -> Option<(Vec<Attribute>, Vec<f64>)> {
        None
    }
}

/// A loss over types.
pub trait Measure: Debug + Send + Sync {
    /// How far apart two types are: the order of their loss as a class of two.
    fn distance(&self, problem: &Problem, t: u32, u: u32) -> f64;

    /// A dual that no class exceeds whatever the others are, for a record whose nearest partners these distances have: the entry
    /// at q is the sum of the q least, and there is one for each of fewer than the least size of a class (docs/bounds.md).
    fn neighbour_dual(&self, sums: &[f64]) -> f64;

    /// Loss of a class of types, ascending.
    fn cost(&self, problem: &Problem, members: &[u32]) -> f64;

    /// A heuristic pricing.
    fn heuristic(&self) -> Box<dyn Pricer>;

    /// An exact pricing that carries cuts, and lists all classes below a threshold.
    fn combinatorial(&self) -> Box<dyn Pricer>;

    /// An exact pricing with cuts for where that one has too many nodes, if there is one.
    fn by_boxes(&self, _: &Problem) -> Option<Box<dyn Pricer>> {
        None
    }

    /// The best exact pricing as long as there are no cuts.
    fn without_cuts(&self, problem: &Problem) -> Box<dyn Pricer>;
}
