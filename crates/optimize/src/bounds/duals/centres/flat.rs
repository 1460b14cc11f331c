//! Records as points of as few coordinates as hold their distances.

use lookalike_model::instance::Instance;

use super::super::super::kinds::Kinds;

/// Coordinates that a search over centres can have: a box has two to their power of corners.
pub(in super::super) const AXES: usize = 4;

/// Lengths below this part of the largest are none.
const SMALL: f64 = 1e-9;

/// What sums of squares over coordinates may be off by, as a part of the largest squared distance.
const ROUNDING: f64 = 1e-12;

/// A point; coordinates that are not used are 0.
pub(in super::super) type Point = [f64; AXES];

/// The points of the kinds in the smallest space that holds them, whatever attributes they came from: two indicators of one
/// label are one coordinate.
pub(in super::super) struct Flat {
    /// Coordinates that are used.
    pub(in super::super) axes: usize,
    /// Point of each kind.
    pub(in super::super) points: Vec<Point>,
    pub(in super::super) low: Point,
    pub(in super::super) high: Point,
    /// What a mean reduced cost may be off by for rounding.
    pub(super) rounding: f64,
}

impl Flat {
    /// `None` where squared distances are not those of points, or these need more coordinates. O(n d^2).
    pub(in super::super) fn new(instance: &Instance, kinds: &Kinds) -> Option<Self> {
        if !instance.hierarchies.is_empty() || !instance.categories.is_empty() {
            return None;
        }
        let dims = instance.dims;
        let origin = *kinds.heads.first()?;
        let coordinate =
            |head: u32, axis: usize| instance.coordinate(head, axis) - instance.coordinate(origin, axis);
        // What the axes found so far leave of each point.
        let mut left: Vec<Vec<f64>> =
            kinds.heads.iter().map(|&head| (0..dims).map(|axis| coordinate(head, axis)).collect()).collect();
        let mut found = vec![[0.0; AXES]; left.len()];
        let length2 = |vector: &[f64]| vector.iter().map(|x| x * x).sum::<f64>();
        let (mut axes, mut largest) = (0, 0.0);
        loop {
            let lengths = left.iter().map(|vector| length2(vector)).enumerate();
            let Some((at, most)) = lengths.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))) else {
                break;
            };
            largest = if axes == 0 { most } else { largest };
            if most <= SMALL * SMALL * largest {
                break;
            }
            if axes == AXES {
                return None;
            }
            let axis: Vec<f64> = left[at].iter().map(|x| x / most.sqrt()).collect();
            for (vector, found) in left.iter_mut().zip(&mut found) {
                let along: f64 = vector.iter().zip(&axis).map(|(x, a)| x * a).sum();
                found[axes] = along;
                for (x, a) in vector.iter_mut().zip(&axis) {
                    *x -= along * a;
                }
            }
            axes += 1;
        }
        let points: Vec<Point> = kinds.all.iter().map(|kind| found[kind.point as usize]).collect();
        let (mut low, mut high) = ([0.0; AXES], [0.0; AXES]);
        for point in &found {
            for axis in 0..AXES {
                low[axis] = point[axis].min(low[axis]);
                high[axis] = point[axis].max(high[axis]);
            }
        }
        let widest: f64 = low.iter().zip(&high).map(|(low, high)| (high - low) * (high - low)).sum();
        Some(Self { axes, points, low, high, rounding: ROUNDING * widest })
    }
}

/// The squared distance of two points.
#[inline]
pub(super) fn apart(a: &Point, b: &Point) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
