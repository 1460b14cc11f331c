//! Which of the violated sets that were found become cuts.

use crate::exact::{cuts::SubsetRow, problem::Problem};

/// What is wanted.
pub(super) struct Wanted {
    /// At most so many.
    pub(super) most: usize,
    /// At most so many that hold one type.
    pub(super) per_type: usize,
    /// The cuts' divisor.
    pub(super) divisor: u32,
}

/// The sets with the largest violation for their size, as cuts. `found` has sets of types with their violation.
pub(super) fn select(problem: &Problem, mut found: Vec<(f64, Vec<u32>)>, wanted: &Wanted) -> Vec<SubsetRow> {
    let rank = |f: &(f64, Vec<u32>)| f.0 / (f.1.len() as f64).sqrt();
    found.sort_by(|a, b| a.1.cmp(&b.1).then(b.0.total_cmp(&a.0)));
    found.dedup_by(|a, b| a.1 == b.1);
    found.sort_by(|a, b| rank(b).total_cmp(&rank(a)).then_with(|| a.1.cmp(&b.1)));
    let Wanted { most, per_type, divisor } = *wanted;
    let mut used = vec![0; problem.types()];
    let mut cuts = Vec::new();
    for (_, members) in found {
        if cuts.len() == most {
            break;
        }
        if members.iter().any(|&t| used[t as usize] >= per_type) {
            continue;
        }
        for &t in &members {
            used[t as usize] += 1;
        }
        let records: usize = members.iter().map(|&t| problem.multiplicity(t as usize)).sum();
        cuts.push(SubsetRow { members, divisor, limit: (records / divisor as usize) as f64, sigma: 0.0 });
    }
    cuts
}
