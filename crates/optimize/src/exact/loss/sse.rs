//! Sums of squared errors over types.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    loss::{Loss as _, Sse},
};

use super::{Measure, Priceable};
use crate::exact::{
    pricing::{Pricer, alternate::Alternate, box_tree::BoxTree, boxes::Boxes, tree::Tree},
    problem::Problem,
};

impl Priceable for Sse {
    fn measure(&self, _: &Instance, _: &[Vec<u32>]) -> Arc<dyn Measure> {
        Arc::new(Squares)
    }
}

/// All is in the problem's distances.
#[derive(Debug)]
struct Squares;

impl Measure for Squares {
    fn distance(&self, problem: &Problem, t: u32, u: u32) -> f64 {
        let record = |t: u32| problem.records[t as usize][0];
        Sse.distance(&problem.instance, record(t), record(u))
    }

    fn neighbour_dual(&self, sums: &[f64]) -> f64 {
        sums.last().map_or(0.0, |all| all / (2 * sums.len()) as f64)
    }

    /// The sum over pairs of squared distances, divided by the number of real members. Pairs of differences do not suffer
    /// from coordinates far from 0.
    fn cost(&self, problem: &Problem, members: &[u32]) -> f64 {
        let reals = members.iter().filter(|&&t| problem.real[t as usize]).count();
        let mut sum = 0.0;
        for (at, &t) in members.iter().enumerate() {
            let row = problem.distances(t);
            for &u in &members[..at] {
                sum += row.to(u);
            }
        }
        sum / reals.max(1) as f64
    }

    fn heuristic(&self) -> Box<dyn Pricer> {
        Box::new(Alternate)
    }

    fn combinatorial(&self) -> Box<dyn Pricer> {
        Box::new(Tree)
    }

    fn by_boxes(&self, problem: &Problem) -> Option<Box<dyn Pricer>> {
        BoxTree::fits(problem).then(|| Box::new(BoxTree) as Box<dyn Pricer>)
    }

    fn without_cuts(&self, problem: &Problem) -> Box<dyn Pricer> {
        if Boxes::fits(problem) { Box::new(Boxes) } else { Box::new(Tree) }
    }
}
