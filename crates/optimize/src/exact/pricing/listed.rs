//! Pricing by looking through a list that is known to hold every class that matters.
//!
//! Let U be the loss of an incumbent, and lambda, sigma proven feasible with value L. The reduced costs of the classes
//! of a partition sum up to its loss less L at most, and none is negative: so a partition better than U has only
//! classes of reduced cost below U - L. Once these are enumerated, duals that are feasible for *them* bound every
//! partition better than U, and cuts cost nothing more to price.

use std::sync::Arc;

use super::{Best, PartResult, PreparedPricer, Pricer, PricerName, Request, different};
use crate::exact::column::Column;

/// Looks through a list of columns.
#[derive(Clone, Debug)]
pub struct Listed(pub Arc<Vec<Column>>);

impl Pricer for Listed {
    fn name(&self) -> PricerName {
        PricerName::Listed
    }

    fn exact(&self) -> bool {
        true
    }

    fn parts(&self, request: &Request) -> Box<dyn PreparedPricer> {
        Box::new(Parted { columns: Arc::clone(&self.0), each: request.problem.params.listed_part })
    }
}

/// A part is a run of columns.
struct Parted {
    columns: Arc<Vec<Column>>,
    /// Columns of a part.
    each: usize,
}

impl PreparedPricer for Parted {
    fn count(&self) -> usize {
        self.columns.len().div_ceil(self.each)
    }

    fn run(&self, request: &Request, part: usize) -> PartResult {
        let chunk = &self.columns[part * self.each..((part + 1) * self.each).min(self.columns.len())];
        let mut best = Best::new(request);
        let mut lowered: Vec<u32> = Vec::new();
        let mut duals = Vec::new();
        for column in chunk {
            let lambda: &[f64] = if lowered.is_empty() { request.duals } else { &duals };
            let sum: f64 = column.members.iter().map(|&t| lambda[t as usize]).sum();
            // Charges are not negative, so most columns need not be looked at further.
            if column.cost - sum >= request.threshold {
                continue;
            }
            let reduced_cost = column.cost - sum + request.cuts.charge(&column.members);
            best.offer(column.members.clone(), reduced_cost);
            if reduced_cost < -request.tolerance {
                if lowered.is_empty() {
                    duals = request.duals.to_vec();
                }
                for t in different(&column.members) {
                    duals[t as usize] += reduced_cost / column.members.len() as f64;
                }
                lowered.extend(&column.members);
            }
        }
        lowered.sort_unstable();
        lowered.dedup();
        PartResult {
            columns: best.into_sorted(),
            lowered: lowered.into_iter().map(|t| (t, duals[t as usize])).collect(),
            complete: true,
            nodes: chunk.len() as u64 / 16,
        }
    }
}
