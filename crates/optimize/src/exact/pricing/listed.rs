//! Pricing by looking through a list that is known to hold every class that matters.
//!
//! Let U be the loss of an incumbent, and lambda, sigma proven feasible with value L. The reduced costs of the classes
//! of a partition sum up to its loss less L at most, and none is negative: so a partition better than U has only
//! classes of reduced cost below U - L. Once these are enumerated, duals that are feasible for *them* bound every
//! partition better than U, and cuts cost nothing more to price.

use std::sync::Arc;

use super::{Best, Found, Parts, Pricing, Request};
use crate::exact::pool::Column;

/// Columns of a part.
const CHUNK: usize = 4096;

/// Looks through a list of columns.
#[derive(Clone, Debug)]
pub struct Listed(pub Arc<Vec<Column>>);

impl Pricing for Listed {
    fn name(&self) -> &'static str {
        "a list of all classes that can improve on the incumbent, enumerated by branch and bound"
    }

    fn exact(&self) -> bool {
        true
    }

    fn parts(&self, _: &Request) -> Box<dyn Parts> {
        Box::new(self.clone())
    }
}

impl Parts for Listed {
    fn count(&self) -> usize {
        self.0.len().div_ceil(CHUNK)
    }

    fn run(&self, request: &Request, part: usize) -> Found {
        let chunk = &self.0[part * CHUNK..((part + 1) * CHUNK).min(self.0.len())];
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
                for &t in &column.members {
                    duals[t as usize] += reduced_cost / column.members.len() as f64;
                }
                lowered.extend(&column.members);
            }
        }
        lowered.sort_unstable();
        lowered.dedup();
        Found {
            columns: best.into_sorted(),
            lowered: lowered.into_iter().map(|t| (t, duals[t as usize])).collect(),
            complete: true,
            nodes: chunk.len() as u64 / 16,
        }
    }
}
