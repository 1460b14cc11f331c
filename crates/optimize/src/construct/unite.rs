//! Classes that keep their conditions on values, out of classes that need not: those that break a condition are made one with near
//! ones until all keep them.
//!
//! A union of admissible classes is admissible, and the class of all records is, or no classes are. So this ends, at the worst with one
//! class. Where there are many classes, space is cut first, by halves that are admissible as wholes, into parts that each end by
//! themselves. O(classes of a part) a union.

use lookalike_model::{
    instance::{Instance, LANE, Lane, distance2},
    partition::Partition,
    rule::{Rule, TableValues, ValueCondition},
};

/// Classes of a part, at most, unless it cannot be cut.
const MOST: usize = 1500;

/// Near classes that are looked at for one that makes a class admissible.
const NEAR: usize = 24;

/// A class, or several that became one.
struct Group {
    members: Vec<u32>,
    /// Sum of the points.
    sum: Vec<Lane>,
    /// The values in each column of which something is asked, ascending, and how often each occurs.
    counts: Vec<Counts>,
}

/// Values, ascending, and how often each occurs.
type Counts = Vec<(u32, u32)>;

/// What the conditions say of counts.
struct Wanted<'a> {
    /// Each with the place of its column among the counts, and the distribution in the whole table.
    conditions: Vec<(usize, ValueCondition, &'a TableValues)>,
}

impl Wanted<'_> {
    fn kept(&self, counts: &[Counts]) -> bool {
        (self.conditions.iter())
            .all(|(of, condition, table)| condition.holds(counts[*of].iter().copied(), table))
    }

    /// How far counts are from keeping the conditions, those that they keep not counted.
    fn missing(&self, counts: &[Counts]) -> f64 {
        let of = |(of, condition, table): &(usize, ValueCondition, &TableValues)| {
            let reached = condition.reached(counts[*of].iter().copied(), table);
            let asked = condition.parameter();
            if condition.allows(reached) { 0.0 } else { ((reached - asked).abs() / asked.max(1e-3)).min(FAR) }
        };
        self.conditions.iter().map(of).sum()
    }
}

/// What counts as far from a condition, where no number says how far.
const FAR: f64 = 1e6;

/// A partition into classes that keep the rule, and how many unions that took. The rule must be feasible for the instance.
#[must_use]
pub fn unite(instance: &Instance, rule: &Rule, start: Partition) -> (Partition, usize) {
    if !rule.has_values() {
        return (start, 0);
    }
    // Columns of which something is asked.
    let columns: Vec<usize> =
        (0..instance.values.len()).filter(|at| rule.values().any(|(of, _)| of == *at)).collect();
    let condition = |(of, condition): (usize, &ValueCondition)| {
        let place = columns.iter().position(|&at| at == of)?;
        Some((place, *condition, &*instance.values[of].table))
    };
    let wanted = Wanted { conditions: rule.values().filter_map(condition).collect() };
    let group = |members: Vec<u32>| {
        let counts = |&of: &usize| instance.values[of].counts(members.iter().copied());
        let counts = columns.iter().map(counts).collect();
        let mut sum = vec![[0.0; LANE]; instance.lanes];
        for &i in &members {
            add(&mut sum, instance.point(i));
        }
        Group { members, sum, counts }
    };
    let (mut open, mut done) = (vec![start.members().into_iter().map(group).collect::<Vec<_>>()], Vec::new());
    let mut unions = 0;
    while let Some(part) = open.pop() {
        match cut(part, &wanted, instance.lanes) {
            Ok([low, high]) => open.extend([high, low]),
            Err(part) => {
                let before = part.len();
                let part = united(part, &wanted);
                unions += before - part.len();
                done.extend(part.into_iter().map(|group| group.members));
            }
        }
    }
    (Partition::from_classes(instance.records(), &done), unions)
}

/// The two halves of a part along its widest coordinate, if it is large and both can be made admissible by themselves.
fn cut(mut part: Vec<Group>, wanted: &Wanted, lanes: usize) -> Result<[Vec<Group>; 2], Vec<Group>> {
    if part.len() <= MOST {
        return Err(part);
    }
    let at = |group: &Group, axis: usize| group.sum[axis / LANE][axis % LANE] / group.members.len() as f64;
    let width = |axis: usize| {
        let places = part.iter().map(|group| at(group, axis));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        high - low
    };
    let mut axes: Vec<(f64, usize)> = (0..lanes * LANE).map(|axis| (width(axis), axis)).collect();
    axes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for &(_, axis) in axes.iter().filter(|(width, _)| *width > 0.0).take(4) {
        part.sort_by(|a, b| at(a, axis).total_cmp(&at(b, axis)).then(a.members[0].cmp(&b.members[0])));
        let none = vec![Counts::new(); part[0].counts.len()];
        let counts =
            |groups: &[Group]| groups.iter().fold(none.clone(), |sum, group| joint(&sum, &group.counts));
        let middle = part.len() / 2;
        if wanted.kept(&counts(&part[..middle])) && wanted.kept(&counts(&part[middle..])) {
            let high = part.split_off(middle);
            return Ok([part, high]);
        }
    }
    Err(part)
}

/// Makes groups one until all are admissible: of those that are not, the smallest goes to a near one that makes it so, or else to the
/// one that brings it nearest to that.
fn united(mut part: Vec<Group>, wanted: &Wanted) -> Vec<Group> {
    let mut broken: Vec<bool> = part.iter().map(|group| !wanted.kept(&group.counts)).collect();
    while part.len() > 1 {
        let worst = (0..part.len()).filter(|&at| broken[at]);
        let Some(worst) = worst.min_by_key(|&at| (part[at].members.len(), part[at].members[0])) else {
            break;
        };
        let with = partner(&part, worst, wanted);
        // The one that is taken out leaves its place to the last.
        let other = part.swap_remove(worst.max(with));
        broken.swap_remove(worst.max(with));
        let group = &mut part[worst.min(with)];
        group.counts = joint(&group.counts, &other.counts);
        add(&mut group.sum, &other.sum);
        group.members.extend(other.members);
        group.members.sort_unstable();
        broken[worst.min(with)] = !wanted.kept(&group.counts);
    }
    part
}

/// The group that another is made one with.
fn partner(part: &[Group], of: usize, wanted: &Wanted) -> usize {
    let centre = |group: &Group| -> Vec<Lane> {
        let n = group.members.len() as f64;
        group.sum.iter().map(|lane| lane.map(|x| x / n)).collect()
    };
    let here = centre(&part[of]);
    let others = (0..part.len()).filter(|&at| at != of);
    let mut near: Vec<(f64, usize)> = others.map(|at| (distance2(&here, &centre(&part[at])), at)).collect();
    let order = |a: &(f64, usize), b: &(f64, usize)| {
        a.0.total_cmp(&b.0).then(part[a.1].members[0].cmp(&part[b.1].members[0]))
    };
    if near.len() > NEAR {
        near.select_nth_unstable_by(NEAR, order);
        near.truncate(NEAR);
    }
    near.sort_by(order);
    let mut best = (f64::INFINITY, near[0].1);
    for (_, at) in near {
        let missing = wanted.missing(&joint(&part[of].counts, &part[at].counts));
        if missing < best.0 {
            best = (missing, at);
        }
        if missing <= 0.0 {
            break;
        }
    }
    best.1
}

/// The counts of both, column by column.
fn joint(a: &[Counts], b: &[Counts]) -> Vec<Counts> {
    a.iter().zip(b).map(|(a, b)| together(a, b)).collect()
}

/// The counts of both.
fn together(a: &[(u32, u32)], b: &[(u32, u32)]) -> Counts {
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x.0 == y.0 => {
                let both = (x.0, x.1 + y.1);
                a.next();
                b.next();
                both
            }
            (Some(x), Some(y)) if x.0 > y.0 => {
                let y = *y;
                b.next();
                y
            }
            (Some(_), _) => match a.next() {
                Some(x) => x,
                None => break,
            },
            (None, _) => match b.next() {
                Some(y) => y,
                None => break,
            },
        };
        sum.push(next);
    }
    sum
}

fn add(sum: &mut [Lane], other: &[Lane]) {
    for (lane, other) in sum.iter_mut().zip(other) {
        for (x, y) in lane.iter_mut().zip(other) {
            *x += y;
        }
    }
}
