//! The programme written so that its bound can be proven: a class is named by its first record.
//!
//! The `v_il` of the paper leave all n records of a class on a par, and their relaxation says nearly nothing. Here `x_ir` says
//! that record i is in the class whose first record is r (asymmetric representatives: Campelo 2008), so that
//! `v_il = 1` if and only if `x_ir = x_lr = 1` for some r; `s_rq` says that this class has q records, and `R_rq` is its width
//! then, which each of its records costs:
//!
//! ```text
//! min  sum_rq q R_rq
//! s.t. sum_r x_ir = 1,   x_ir <= x_rr
//!      sum_q s_rq = x_rr,   sum_i x_ir = sum_q q s_rq                        q from k to 2k - 1
//!      sum_q R_rq >= sum over columns and sides, steps t, of length_t u_rt,   u_rt >= x_ir if i lies beyond step t of r
//!      least_rq s_rq <= R_rq <= most_rq s_rq
//!      sum_q q R_rq >= sum_i price_i x_ir                                    a price cut
//! ```
//!
//! A larger class than 2k - 1 can be split at no cost. Prices are such that no class of these sizes costs less than its
//! records' prices, so that a price cut cuts no solution off: it is a Fenchel cut of the convex hull of the classes of one r
//! (Boyd 1994), and prices from the linear relaxation over all classes lift the bound to that of the Dantzig-Wolfe
//! reformulation (Vanderbeck 2006). By the same prices variables are fixed ([`super::reach`]).

use super::{
    GeneralFault, Limits, Programme, check,
    columns::{Column, columns},
    reach::{Reach, Reached, reach, width},
};
use crate::{
    Backend, Error, Failure,
    integer::{self, Integer},
};

/// Nodes of the search for what can be together.
const REACH_NODES: u64 = 3_000_000;

/// What rounding may take off a price.
const ROUNDING: f64 = 1e-9;

/// The best solution that was found, if it is better than none or the known one, and what is proven of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proven {
    /// The class of each record; `None` if no better solution than the known one was found.
    pub labels: Option<Vec<u32>>,
    /// No solution costs less, within the back end's tolerances, or none less than the known one if that costs less;
    /// infinity if none is better than the known one, minus infinity if nothing is proven.
    pub bound: f64,
    /// Whether the search came to its end.
    pub complete: bool,
    /// Pairs of records that can share a class, of all.
    pub together: usize,
}

/// Proves what the programme's optimum is, or a bound of it. `prices` are one a record, at least one of which may be negative;
/// no class of k to 2k - 1 records may cost less than the sum of theirs. Zeros always do.
///
/// # Errors
/// As [`super::solve`], and [`Error::Input`] for prices that are not one a record, not finite, or too high.
pub fn prove(
    programme: &Programme,
    prices: &[f64],
    backend: Backend,
    limits: Limits,
) -> Result<Proven, Error> {
    check(programme)?;
    let records = programme.values.len() / programme.attributes.len();
    if prices.len() != records || !prices.iter().all(|price| price.is_finite()) {
        return Err(Error::input(GeneralFault::Prices));
    }
    // Records of high prices first: their classes are the dear ones, and few.
    let mut order: Vec<usize> = (0..records).collect();
    order.sort_by(|&a, &b| prices[b].total_cmp(&prices[a]).then(a.cmp(&b)));
    let mut columns = columns(programme);
    for column in &mut columns {
        column.values = order.iter().map(|&i| column.values[i]).collect();
    }
    let prices: Vec<f64> = order.iter().map(|&i| prices[i]).collect();
    let known = (!programme.start.is_empty()).then(|| classes(order.iter().map(|&i| programme.start[i])));
    let gap = known.as_ref().map_or(f64::INFINITY, |known| {
        let loss: f64 = known.iter().map(|class| class.len() as f64 * class_width(&columns, class)).sum();
        (loss - prices.iter().sum::<f64>()).max(0.0) + ROUNDING * loss.max(1.0)
    });
    let nodes = if gap.is_finite() { REACH_NODES } else { 0 };
    let Reached { of: reach, least } = reach(&columns, &prices, programme.k, gap, nodes);
    let size: f64 = prices.iter().map(|price| price.abs()).sum();
    if least < -ROUNDING * size.max(1.0) {
        return Err(Error::input(GeneralFault::Prices));
    }
    let together = pairs(&reach);
    let model = Model::new(&columns, &prices, programme.k, &reach, known.as_deref().unwrap_or_default());
    let asked = integer::Limits { seconds: limits.seconds, nodes: limits.nodes };
    let answer = model.programme.solve(backend, asked)?;
    let labels = match &answer.values {
        Some(values) => Some(model.labels(values, &order, programme.k, backend)?),
        None => None,
    };
    let bound = match (answer.complete, &labels) {
        (true, None) => f64::INFINITY,
        _ if answer.bound.is_nan() => f64::NEG_INFINITY,
        _ => answer.bound,
    };
    Ok(Proven { labels, bound, complete: answer.complete, together })
}

/// The records of each class, ascending.
fn classes(labels: impl Iterator<Item = u32>) -> Vec<Vec<usize>> {
    let mut classes: Vec<(u32, Vec<usize>)> = Vec::new();
    for (i, label) in labels.enumerate() {
        match classes.iter_mut().find(|class| class.0 == label) {
            Some(class) => class.1.push(i),
            None => classes.push((label, vec![i])),
        }
    }
    classes.into_iter().map(|class| class.1).collect()
}

fn class_width(columns: &[Column], class: &[usize]) -> f64 {
    let ends = |column: &Column| {
        let values = class.iter().map(|&i| column.values[i]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        width(column, class[0], low, high)
    };
    columns.iter().map(ends).sum()
}

/// Pairs that can share a class.
fn pairs(reach: &[Reach]) -> usize {
    let mut all = std::collections::BTreeSet::new();
    for (first, reach) in reach.iter().enumerate() {
        for (at, &one) in reach.members.iter().enumerate() {
            all.insert((first, one));
            all.extend(
                reach.members[at + 1..].iter().filter(|&&l| reach.together(one, l)).map(|&l| (one, l)),
            );
        }
    }
    all.len()
}

/// The programme, and its variables by record and first record.
struct Model {
    programme: Integer,
    x: Vec<Vec<(usize, integer::Column)>>,
}

impl Model {
    fn new(columns: &[Column], prices: &[f64], k: usize, reach: &[Reach], known: &[Vec<usize>]) -> Self {
        let mut model = Self { programme: Integer::default(), x: vec![Vec::new(); prices.len()] };
        let mut taken = 0;
        for (first, reach) in reach.iter().enumerate() {
            if reach.members.len() + 1 < k || reach.sizes.is_empty() {
                continue;
            }
            let class = known.iter().find(|class| class[0] == first).filter(|class| {
                class[1..].iter().all(|i| reach.members.contains(i))
                    && reach.sizes.iter().any(|size| size.records == class.len())
            });
            taken += usize::from(class.is_some());
            model.class(columns, prices, (first, reach), class.map_or(&[][..], Vec::as_slice));
        }
        for of in &model.x {
            model.programme.equal(1.0, of.iter().map(|&(_, x)| (x, 1.0)).collect());
        }
        if known.is_empty() || taken < known.len() {
            model.programme.without_start();
        }
        model
    }

    /// The variables and rows of the class of a first record; `known` is that class in the known solution, or empty.
    fn class(
        &mut self,
        columns: &[Column],
        prices: &[f64],
        (first, reach): (usize, &Reach),
        known: &[usize],
    ) {
        let begins = |yes: bool| f64::from(u8::from(yes));
        let programme = &mut self.programme;
        let head = programme.binary(0.0, begins(!known.is_empty()));
        let members: Vec<(usize, integer::Column)> =
            reach.members.iter().map(|&i| (i, programme.binary(0.0, begins(known.contains(&i))))).collect();
        for (at, &(i, x)) in members.iter().enumerate() {
            programme.at_most(0.0, vec![(x, 1.0), (head, -1.0)]);
            for &(l, other) in &members[at + 1..] {
                if !reach.together(i, l) {
                    programme.at_most(0.0, vec![(x, 1.0), (other, 1.0), (head, -1.0)]);
                }
            }
        }
        // Steps of the ranges away from the first record, to both sides.
        let mut steps = Vec::new();
        for column in columns {
            for (side, unit) in [(1.0, column.high), (-1.0, column.low)] {
                let beyond = |i: usize| side * (column.values[i] - column.values[first]);
                let mut far: Vec<f64> = members.iter().map(|m| beyond(m.0)).filter(|&d| d > 0.0).collect();
                far.sort_by(f64::total_cmp);
                far.dedup();
                let mut before: Option<(f64, integer::Column)> = None;
                for distance in far.into_iter().filter(|_| unit > 0.0) {
                    let u = programme.number(0.0, 1.0, begins(known.iter().any(|&i| beyond(i) >= distance)));
                    for &(i, x) in &members {
                        // Those farther out are held by the next step, which is no more than this one.
                        if beyond(i) == distance {
                            programme.at_most(0.0, vec![(x, 1.0), (u, -1.0)]);
                        }
                    }
                    if let Some((_, last)) = before {
                        programme.at_most(0.0, vec![(u, 1.0), (last, -1.0)]);
                    }
                    steps.push((u, unit * (distance - before.map_or(0.0, |b| b.0))));
                    before = Some((distance, u));
                }
            }
        }
        let span = if known.is_empty() { 0.0 } else { class_width(columns, known) };
        let (mut sizes, mut counts, mut costs) = (vec![(head, -1.0)], vec![(head, 1.0)], Vec::new());
        for size in &reach.sizes {
            let (records, is) = (size.records as f64, size.records == known.len());
            // All such classes are equally wide: there is nothing to decide.
            if size.least == size.most {
                let s = programme.binary(records * size.least, begins(is));
                sizes.push((s, 1.0));
                counts.push((s, -records));
                steps.push((s, -size.least));
                costs.push((s, -records * size.least));
                continue;
            }
            let s = programme.binary(0.0, begins(is));
            let r = programme.number(records, size.most.max(0.0), if is { span } else { 0.0 });
            programme.at_most(0.0, vec![(r, 1.0), (s, -size.most)]);
            programme.at_most(0.0, vec![(s, size.least), (r, -1.0)]);
            sizes.push((s, 1.0));
            counts.push((s, -records));
            steps.push((r, -1.0));
            costs.push((r, -records));
        }
        programme.equal(0.0, sizes);
        counts.extend(members.iter().map(|&(_, x)| (x, 1.0)));
        programme.equal(0.0, counts);
        programme.at_most(0.0, steps);
        costs.push((head, prices[first]));
        costs.extend(members.iter().map(|&(i, x)| (x, prices[i])));
        programme.at_most(0.0, costs);
        self.x[first].push((first, head));
        for (i, x) in members {
            self.x[i].push((first, x));
        }
    }

    /// The class of each record in its own order.
    fn labels(&self, values: &[f64], order: &[usize], k: usize, backend: Backend) -> Result<Vec<u32>, Error> {
        let mut labels = vec![0; order.len()];
        let mut sizes = vec![0; order.len()];
        for (at, of) in self.x.iter().enumerate() {
            let of =
                of.iter().max_by(|a, b| integer::value(values, a.1).total_cmp(&integer::value(values, b.1)));
            let first = of.map_or(at, |of| of.0);
            labels[order[at]] = first as u32;
            sizes[first] += 1;
        }
        match sizes.into_iter().find(|&size| size > 0 && size < k) {
            Some(records) => {
                Err(Error::Backend { backend: backend.name(), why: Failure::SmallClass { records } })
            }
            None => Ok(labels),
        }
    }
}
