//! Which counterfeit of a value gets which of the points that were drawn for that value.
//!
//! The search sees counterfeits without points, and counterfeits of one value are interchangeable to it. So their points
//! may be dealt afterwards: each class that needs a counterfeit of a value gets one that lies near its centroid.

use lookalike_model::job::Answer;

use crate::prepare::Prepared;

/// The input row that lends each counterfeit (by its place in the job) its quasi-identifiers; empty if they have none.
///
/// A heuristic: the classes and the drawn points of a value are halved together along the attribute in which the
/// points are widest, again and again, until they are matched one to one. O(k log^2 k) for k counterfeits of a value.
pub(crate) fn of_counterfeits(prepared: &Prepared, answer: &Answer) -> Vec<u32> {
    if prepared.drawn_from.is_empty() {
        return Vec::new();
    }
    let mut deal = Deal {
        dims: prepared.job.dims,
        points: &prepared.job.points,
        centroids: &centroids(prepared, answer),
        classes: &answer.labels[prepared.rows.len()..],
        lender: prepared.drawn_from.clone(),
    };
    let ids: Vec<usize> = (0..prepared.drawn_from.len()).collect();
    for of_value in ids.chunk_by(|&a, &b| prepared.counterfeits[a] == prepared.counterfeits[b]) {
        let mut lenders: Vec<u32> = of_value.iter().map(|&id| prepared.drawn_from[id]).collect();
        deal.halve(&mut of_value.to_vec(), &mut lenders);
    }
    deal.lender.iter().map(|&place| prepared.rows[place as usize]).collect()
}

/// Deals lenders to counterfeits.
struct Deal<'a> {
    dims: usize,
    points: &'a [f64],
    centroids: &'a [f64],
    /// Class of each counterfeit.
    classes: &'a [u32],
    /// The answer: lender of each counterfeit, by its place in the job.
    lender: Vec<u32>,
}

impl Deal<'_> {
    fn point(&self, lender: u32, j: usize) -> f64 {
        self.points[lender as usize * self.dims + j]
    }

    fn centroid(&self, counterfeit: usize, j: usize) -> f64 {
        self.centroids[self.classes[counterfeit] as usize * self.dims + j]
    }

    /// Halves both sides along the widest attribute of the lenders until one is left of each.
    fn halve(&mut self, counterfeits: &mut [usize], lenders: &mut [u32]) {
        if let ([counterfeit], [lender]) = (&*counterfeits, &*lenders) {
            self.lender[*counterfeit] = *lender;
            return;
        }
        let extent = |j: usize| {
            let (low, high) = lenders.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &i| {
                (low.min(self.point(i, j)), high.max(self.point(i, j)))
            });
            high - low
        };
        let widest =
            (0..self.dims).map(|j| (j, extent(j))).fold((0, -1.0), |a, b| if b.1 > a.1 { b } else { a }).0;
        counterfeits
            .sort_by(|&a, &b| self.centroid(a, widest).total_cmp(&self.centroid(b, widest)).then(a.cmp(&b)));
        lenders.sort_by(|&a, &b| self.point(a, widest).total_cmp(&self.point(b, widest)).then(a.cmp(&b)));
        let half = counterfeits.len() / 2;
        let ((low, high), (near, far)) = (counterfeits.split_at_mut(half), lenders.split_at_mut(half));
        for (counterfeits, lenders) in [(low, near), (high, far)] {
            if !lenders.is_empty() {
                self.halve(counterfeits, lenders);
            }
        }
    }
}

/// Mean point of the real records of each class, class by class.
fn centroids(prepared: &Prepared, answer: &Answer) -> Vec<f64> {
    let dims = prepared.job.dims;
    let classes = answer.labels.iter().map(|&l| l as usize + 1).max().unwrap_or(0);
    let (mut sums, mut sizes) = (vec![0.0; classes * dims], vec![0usize; classes]);
    for (point, &label) in prepared.job.points.chunks_exact(dims).zip(&answer.labels) {
        sizes[label as usize] += 1;
        for (sum, x) in sums[label as usize * dims..].iter_mut().zip(point) {
            *sum += x;
        }
    }
    for (sum, size) in sums.chunks_exact_mut(dims).zip(sizes) {
        for x in sum {
            *x /= size.max(1) as f64;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_gets_the_point_near_it() {
        // Four classes at the corners of a square, wide in the first attribute; the drawn points lie beside them.
        let points = [0.0, 0.0, 0.5, 4.0, 9.0, 0.5, 10.0, 5.0];
        let mut deal = Deal {
            dims: 2,
            points: &points,
            centroids: &[10.0, 4.0, 0.0, 5.0, 0.0, 0.0, 10.0, 0.0],
            classes: &[0, 1, 2, 3],
            lender: vec![0, 1, 2, 3],
        };
        deal.halve(&mut [0, 1, 2, 3], &mut [0, 1, 2, 3]);
        assert_eq!(deal.lender, [3, 1, 0, 2]);
    }
}
