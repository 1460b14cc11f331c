//! Boxes that fill the space of centres.

use super::{
    super::centres::{AXES, Flat, Point},
    fees::Came,
};

/// A cut is no nearer to the sides of a box than this part of its width.
const MARGIN: f64 = 0.15;

/// Sides below this part of the whole are not halved any more.
const NARROW: f64 = 1e-4;

/// A box and what it charges a kind of record, fees included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) cost: f64,
    pub(super) leaf: u32,
    /// The same without fees.
    pub(super) price: f64,
}

/// A box: a leaf, or two halves.
struct Node {
    low: Point,
    high: Point,
    halves: Option<(u32, u32)>,
    leaf: u32,
}

/// The boxes, by halving.
pub(super) struct Boxes {
    nodes: Vec<Node>,
    /// The node of each box that is not halved.
    leaves: Vec<u32>,
    /// The coordinates that occur on each axis, ascending.
    coordinates: [Vec<f64>; AXES],
    whole: Point,
}

impl Node {
    /// The squared distance of a point.
    fn apart(&self, point: &Point) -> f64 {
        let sides = self.low.iter().zip(&self.high).zip(point);
        let gaps = sides.map(|((low, high), x)| (low - x).max(x - high).max(0.0));
        gaps.map(|gap| gap * gap).sum()
    }

    /// The squared half of its diagonal.
    fn reach(&self) -> f64 {
        self.low.iter().zip(&self.high).map(|(low, high)| (high - low) * (high - low) / 4.0).sum()
    }
}

impl Boxes {
    /// One box around all points.
    pub(super) fn new(flat: &Flat, points: &[Point]) -> Self {
        let of_axis = |axis: usize| {
            let mut all: Vec<f64> = points.iter().map(|point| point[axis]).collect();
            all.sort_unstable_by(f64::total_cmp);
            all.dedup();
            all
        };
        let whole = std::array::from_fn(|axis| flat.high[axis] - flat.low[axis]);
        let root = Node { low: flat.low, high: flat.high, halves: None, leaf: 0 };
        Self { nodes: vec![root], leaves: vec![0], coordinates: std::array::from_fn(of_axis), whole }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.leaves.len()
    }

    fn node(&self, leaf: usize) -> &Node {
        &self.nodes[self.leaves[leaf] as usize]
    }

    /// What a box costs a record at a point, without fees.
    pub(super) fn price(&self, leaf: usize, point: &Point) -> f64 {
        let node = self.node(leaf);
        (0..AXES).map(|axis| (point[axis] - node.low[axis]) * (point[axis] - node.high[axis])).sum()
    }

    /// The records that lie in each box.
    pub(super) fn of_points(&self, points: &[Point], records: &[f64]) -> Vec<Came> {
        let mut came = vec![Came::default(); self.len()];
        for (point, records) in points.iter().zip(records) {
            let mut at = 0;
            while let Some((low, high)) = self.nodes[at].halves {
                let nearer = self.nodes[low as usize].apart(point) <= self.nodes[high as usize].apart(point);
                at = if nearer { low } else { high } as usize;
            }
            came[self.nodes[at].leaf as usize].add(*records, point);
        }
        came
    }

    /// The axis on which a box is too wide for what came to it, and by how much, times the records; `None` if on none: with the middle
    /// of what came at e from that of the box, h being half its width, h^2 - e^2 for each record.
    pub(super) fn widest(&self, leaf: usize, axes: usize, came: &Came) -> Option<(usize, f64)> {
        let node = self.node(leaf);
        let middle = came.middle()?;
        let gain = |axis: usize| {
            let (low, high) = (node.low[axis], node.high[axis]);
            let wide = high - low > NARROW * self.whole[axis];
            let gain = (middle[axis] - low).max(0.0) * (high - middle[axis]).max(0.0);
            if wide { gain * came.records } else { 0.0 }
        };
        let all = (0..axes).map(|axis| (axis, gain(axis)));
        all.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).filter(|(_, gain)| *gain > 0.0)
    }

    /// Halves a box, through a coordinate that occurs as long as one is inside: there a box costs nothing at its side. The number of the
    /// new box.
    pub(super) fn halve(&mut self, leaf: u32, axis: usize, came: &Came) -> u32 {
        let node = self.node(leaf as usize);
        let (low, high) = (node.low[axis], node.high[axis]);
        let (nearest, farthest) = (low + (high - low) * MARGIN, high - (high - low) * MARGIN);
        let middle =
            came.middle().map_or(f64::midpoint(low, high), |middle| middle[axis]).clamp(nearest, farthest);
        let inside = |x: f64| x > low + (high - low) * NARROW && x < high - (high - low) * NARROW;
        let all = &self.coordinates[axis];
        let place = all.partition_point(|&x| x < middle);
        let near = [place.checked_sub(1).map(|at| all[at]), all.get(place).copied()];
        let near = near.into_iter().flatten().filter(|&x| inside(x));
        let cut = near.min_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs())).unwrap_or(middle);
        let (mut below, mut above) = (node.high, node.low);
        (below[axis], above[axis]) = (cut, cut);
        let new = self.leaves.len() as u32;
        let halves = [
            Node { low: node.low, high: below, halves: None, leaf },
            Node { low: above, high: node.high, halves: None, leaf: new },
        ];
        let first = self.nodes.len() as u32;
        let parent = self.leaves[leaf as usize] as usize;
        self.nodes[parent].halves = Some((first, first + 1));
        self.nodes.extend(halves);
        self.leaves[leaf as usize] = first;
        self.leaves.push(first + 1);
        new
    }

    /// For each node the least of what its boxes add to the squared distance of a record.
    pub(super) fn least(&self, fee: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut least = vec![f64::INFINITY; self.nodes.len()];
        // Halves stand behind what they are halves of.
        for at in (0..self.nodes.len()).rev() {
            least[at] = match self.nodes[at].halves {
                Some((low, high)) => least[low as usize].min(least[high as usize]),
                None => fee(self.nodes[at].leaf as usize) - self.nodes[at].reach(),
            };
        }
        least
    }

    /// What the cheapest box costs, the cheapest ones, ascending, and how many nodes were looked at.
    pub(super) fn cheapest(&self, least: &[f64], point: &Point, count: usize) -> (f64, Vec<Found>, u64) {
        let mut search =
            Cheapest { boxes: self, least, point, count, found: Vec::with_capacity(count + 1), looks: 0 };
        search.below(0);
        (search.found.first().map_or(0.0, |first| first.cost), search.found, search.looks)
    }
}

/// A search for the cheapest boxes.
struct Cheapest<'a> {
    boxes: &'a Boxes,
    least: &'a [f64],
    point: &'a Point,
    count: usize,
    found: Vec<Found>,
    looks: u64,
}

impl Cheapest<'_> {
    fn wants(&self, cost: f64) -> bool {
        self.found.len() < self.count || self.found.last().is_none_or(|last| cost < last.cost)
    }

    fn below(&mut self, at: usize) {
        self.looks += 1;
        let node = &self.boxes.nodes[at];
        let Some((low, high)) = node.halves else {
            let price = self.boxes.price(node.leaf as usize, self.point);
            let cost = price + self.least[at] + node.reach();
            if self.wants(cost) {
                let place = self.found.partition_point(|held| held.cost <= cost);
                self.found.insert(place, Found { cost, leaf: node.leaf, price });
                self.found.truncate(self.count);
            }
            return;
        };
        let bound = |half: u32| self.boxes.nodes[half as usize].apart(self.point) + self.least[half as usize];
        let (of_low, of_high) = (bound(low), bound(high));
        let order = if of_low <= of_high {
            [(low, of_low), (high, of_high)]
        } else {
            [(high, of_high), (low, of_low)]
        };
        for (half, bound) in order {
            if self.wants(bound) {
                self.below(half as usize);
            }
        }
    }
}
