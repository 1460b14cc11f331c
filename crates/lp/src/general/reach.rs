//! Which records can share a class of a solution that is no worse than the known one: the fixing of variables by reduced costs.
//!
//! If no class costs less than the prices of its records, no solution costs less than the sum of all prices, and one that has
//! a class of cost c costs at least c - (the prices of that class) more than that. So only classes up to the gap matter.

use super::columns::Column;

/// A size that a class can have, with the least and the largest width of such classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    pub(super) records: usize,
    pub(super) least: f64,
    pub(super) most: f64,
}

/// What can be in a class of which a record is the first.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// The records after it, ascending.
    pub(super) members: Vec<usize>,
    /// The sizes, ascending.
    pub(super) sizes: Vec<Size>,
    /// Whether two of the records can both be in it, row by row of all records; the lower one first. `None` is any two.
    together: Option<Vec<bool>>,
    records: usize,
}

impl Reach {
    /// Whether both of two records after the first, the lower one first, can be in a class of it.
    pub(super) fn together(&self, one: usize, other: usize) -> bool {
        self.together.as_ref().is_none_or(|all| all[one * self.records + other])
    }

    /// All that the sizes allow.
    fn anything(columns: &[Column], first: usize, k: usize) -> Self {
        let records = columns.first().map_or(0, |c| c.values.len());
        let most = columns
            .iter()
            .map(|c| {
                let x = c.values[first];
                let later = &c.values[first + 1..];
                let up = later.iter().fold(0.0, |far: f64, &other| far.max(other - x));
                let down = later.iter().fold(0.0, |far: f64, &other| far.max(x - other));
                c.high * up + c.low * down
            })
            .sum();
        let sizes = (k..2 * k).filter(|&size| first + size <= records);
        Self {
            members: (first + 1..records).collect(),
            sizes: sizes.map(|size| Size { records: size, least: 0.0, most }).collect(),
            together: None,
            records,
        }
    }
}

/// What was found for all records.
pub(super) struct Reached {
    pub(super) of: Vec<Reach>,
    /// The least that a class costs beyond its prices, of those that were looked at.
    pub(super) least: f64,
}

/// For each record as the first of a class what can be in it, if classes of k to 2k - 1 records may cost up to `gap` more
/// than their prices; after so many nodes of the search, everything.
pub(super) fn reach(columns: &[Column], prices: &[f64], k: usize, gap: f64, nodes: u64) -> Reached {
    let records = prices.len();
    let mut walk =
        Walk { columns, prices, best: best_sums(prices, 2 * k - 1), k, gap, nodes, least: f64::INFINITY };
    let of = (0..records).map(|first| walk.from(first)).collect();
    Reached { of, least: walk.least }
}

/// `[p][m]`: the m largest prices of the records from p on, summed; minus infinity if they are fewer.
fn best_sums(prices: &[f64], most: usize) -> Vec<Vec<f64>> {
    let mut sums = vec![vec![0.0]; prices.len() + 1];
    let mut seen: Vec<f64> = Vec::new();
    for p in (0..=prices.len()).rev() {
        if let Some(&price) = prices.get(p) {
            let at = seen.partition_point(|&other| other >= price);
            seen.insert(at, price);
        }
        let mut sum = 0.0;
        for m in 0..most {
            sum += seen.get(m).copied().unwrap_or(f64::NEG_INFINITY);
            sums[p].push(sum);
        }
    }
    sums
}

struct Walk<'a> {
    columns: &'a [Column],
    prices: &'a [f64],
    best: Vec<Vec<f64>>,
    k: usize,
    gap: f64,
    /// Nodes that are left.
    nodes: u64,
    least: f64,
}

/// A class that grows, with the ends of its ranges.
#[derive(Clone)]
struct Class {
    members: Vec<usize>,
    ends: Vec<(f64, f64)>,
    price: f64,
}

impl Walk<'_> {
    fn from(&mut self, first: usize) -> Reach {
        let records = self.prices.len();
        let mut found = Reach {
            members: Vec::new(),
            sizes: Vec::new(),
            together: Some(vec![false; records * records]),
            records,
        };
        let ends = self.columns.iter().map(|c| (c.values[first], c.values[first])).collect();
        self.grow(&Class { members: vec![first], ends, price: self.prices[first] }, &mut found);
        if self.nodes == 0 {
            return Reach::anything(self.columns, first, self.k);
        }
        found.sizes.sort_by_key(|size| size.records);
        found.members.sort_unstable();
        found
    }

    fn grow(&mut self, class: &Class, found: &mut Reach) {
        self.nodes = self.nodes.saturating_sub(1);
        if self.nodes == 0 {
            return;
        }
        let width: f64 = self
            .columns
            .iter()
            .zip(&class.ends)
            .map(|(c, (low, high))| width(c, class.members[0], *low, *high))
            .sum();
        let (size, next) = (class.members.len(), class.members[class.members.len() - 1] + 1);
        if size >= self.k {
            let beyond = size as f64 * width - class.price;
            self.least = self.least.min(beyond);
            if beyond <= self.gap {
                note(found, &class.members, width);
            }
        }
        let fits = |z: usize| z as f64 * width - class.price - self.best[next][z - size] <= self.gap;
        if !(self.k.max(size + 1)..2 * self.k).any(fits) {
            return;
        }
        for i in next..self.prices.len() {
            let mut more = class.clone();
            more.members.push(i);
            more.price += self.prices[i];
            for (column, (low, high)) in self.columns.iter().zip(&mut more.ends) {
                (*low, *high) = (low.min(column.values[i]), high.max(column.values[i]));
            }
            self.grow(&more, found);
        }
    }
}

/// What the range from `low` to `high` costs each record of a class with this record.
pub(super) fn width(column: &Column, record: usize, low: f64, high: f64) -> f64 {
    let x = column.values[record];
    column.high * (high - x) + column.low * (x - low)
}

fn note(found: &mut Reach, class: &[usize], width: f64) {
    for (at, &one) in class.iter().enumerate().skip(1) {
        if let Err(place) = found.members.binary_search(&one) {
            found.members.insert(place, one);
        }
        for &other in &class[at + 1..] {
            if let Some(all) = &mut found.together {
                all[one * found.records + other] = true;
            }
        }
    }
    match found.sizes.iter_mut().find(|size| size.records == class.len()) {
        Some(size) => (size.least, size.most) = (size.least.min(width), size.most.max(width)),
        None => found.sizes.push(Size { records: class.len(), least: width, most: width }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_together_by_hand() {
        // 0, 1, 8, 9 in pairs or threes. Prices of 1 each: {0, 1} and {8, 9} cost what they are paid, any other pair or three
        // much more; so with a gap of 1 each of them can only be with its neighbour.
        let column =
            Column { values: vec![0., 1., 8., 9.], lower: 0., upper: 9., whole: false, high: 1., low: 1. };
        let Reached { of, least } = reach(&[column], &[1.0; 4], 2, 1.0, 1000);
        assert_eq!(least, 0.0);
        assert_eq!(of[0].members, [1]);
        assert_eq!(of[0].sizes, [Size { records: 2, least: 1.0, most: 1.0 }]);
        assert!(of[1].members.is_empty() && of[1].sizes.is_empty() && of[3].sizes.is_empty());
        assert_eq!(of[2].members, [3]);
    }

    #[test]
    fn after_its_nodes_everything_can_be_together() {
        let column =
            Column { values: vec![0., 1., 8., 9.], lower: 0., upper: 9., whole: false, high: 1., low: 1. };
        let Reached { of, .. } = reach(&[column], &[1.0; 4], 2, 1.0, 1);
        assert_eq!(of[0].members, [1, 2, 3]);
        let most = Size { records: 2, least: 0.0, most: 9.0 };
        assert_eq!(of[0].sizes, [most, Size { records: 3, ..most }]);
        // Only two are left for a class of the third.
        assert_eq!(of[2].sizes, [Size { records: 2, least: 0.0, most: 1.0 }]);
        assert!(of[3].sizes.is_empty() && of[0].together(2, 3));
    }
}
