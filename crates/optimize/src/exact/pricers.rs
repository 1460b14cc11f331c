//! The pricers of a problem: those of its loss, or in a series those of all its families.

use std::sync::Arc;

use super::{
    families::{Family, families},
    loss::Priceable,
    pricing::{
        Pricer,
        by_family::{ByFamily, Kind},
    },
    problem::Problem,
};
use crate::Error;

/// The pricers of a problem.
#[derive(Clone, Debug)]
pub struct Pricers {
    /// In a series of releases the families that make up all classes; else none.
    families: Arc<Vec<Family>>,
}

impl Pricers {
    /// Those of a problem with this loss.
    ///
    /// # Errors
    /// [`Error::Exact`] for a series with too many records that fit its signatures.
    pub fn new(problem: &Problem, loss: &impl Priceable) -> Result<Self, Error> {
        let families = match &problem.instance.series {
            Some(series) => families(problem, loss, series)?,
            None => Vec::new(),
        };
        Ok(Self { families: Arc::new(families) })
    }

    /// A pricer of all families, if there are any.
    fn by_family(&self, kind: Kind) -> Option<Box<dyn Pricer>> {
        let all = ByFamily { families: Arc::clone(&self.families), kind };
        (!self.families.is_empty()).then(|| Box::new(all) as Box<dyn Pricer>)
    }

    /// A heuristic pricer.
    #[must_use]
    pub fn heuristic(&self, problem: &Problem) -> Box<dyn Pricer> {
        self.by_family(Kind::Heuristic).unwrap_or_else(|| problem.measure().heuristic())
    }

    /// The exact pricer that carries cuts and lists classes below a threshold.
    #[must_use]
    pub fn combinatorial(&self, problem: &Problem) -> Box<dyn Pricer> {
        self.by_family(Kind::Combinatorial).unwrap_or_else(|| problem.measure().combinatorial())
    }

    /// An exact pricer with cuts for where that one has too many nodes, if there is one.
    #[must_use]
    pub fn by_boxes(&self, problem: &Problem) -> Option<Box<dyn Pricer>> {
        let boxes = problem.measure().by_boxes(problem)?;
        Some(self.by_family(Kind::Boxes).unwrap_or(boxes))
    }

    /// The best exact pricer as long as there are no cuts.
    #[must_use]
    pub fn without_cuts(&self, problem: &Problem) -> Box<dyn Pricer> {
        self.by_family(Kind::WithoutCuts).unwrap_or_else(|| problem.measure().without_cuts(problem))
    }
}
