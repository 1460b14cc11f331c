//! The proof that no partition loses less than a given one: a search of all partitions into listed classes.
//!
//! Let B be what the duals prove, tolerance included, so that a partition with a loss below U has reduced costs that add up to less than U - B, each
//! raised by the tolerance and so no less than 0. All its classes are then among those of a raised reduced cost below U - B, which are
//! listed, and that difference is a budget for all of them together. Each record is charged its share: of all classes with it the
//! least raised reduced cost per record. A class whose cost and the shares of all other records exceed the budget is in no such
//! partition; without it shares grow, and so on. What is left is searched depth first: the kind that the fewest affordable classes
//! hold is covered by each of them in turn.

use super::{Certificate, Refusal, kinds::Kinds, listed::Class, low::Low, nodes::Nodes};

/// A class that may be in a partition.
struct Column {
    /// Its kinds, each with how many of its records, ascending.
    holds: Vec<(u32, u32)>,
    /// Number of records.
    size: f64,
    /// The raised reduced cost.
    cost: f64,
    /// At most its loss.
    loss: f64,
}

/// What the search knows.
struct Cover<'a> {
    columns: Vec<Column>,
    /// The columns of each kind, the cheapest first.
    of: Vec<Vec<u32>>,
    /// The share of a record of each kind.
    shares: Vec<f64>,
    budget: f64,
    optimum: f64,
    nodes: &'a Nodes<'a>,
}

/// Where the search stands.
struct Partial {
    /// Records of each kind that are not covered.
    open: Vec<u32>,
    /// Their number.
    count: u64,
    /// The raised reduced costs so far.
    cost: f64,
    /// The shares of those that are not covered.
    shares: f64,
    chosen: Vec<u32>,
}

/// Proves that no partition into these classes loses less than the certificate's optimum. `budget`: by how much that is above what the duals prove.
///
/// # Errors
/// [`Refusal::Better`] with a partition that does, or may after rounding; [`Refusal::Budget`].
pub(super) fn settle(
    classes: Vec<Class>,
    kinds: &Kinds,
    certificate: &Certificate,
    (optimum, budget): (f64, f64),
    nodes: &Nodes<'_>,
) -> Result<(), Refusal> {
    let column = |class: Class| {
        nodes.looked(class.kinds.iter().map(|&kind| kinds.looks(kind)).sum())?;
        let loss = loss(&class, kinds, certificate);
        let holds = class.kinds.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect();
        let cost = (class.cost + certificate.tolerance).max(0.0);
        Ok(Column { holds, size: class.kinds.len() as f64, cost, loss })
    };
    let columns = classes.into_iter().map(column).collect::<Result<Vec<Column>, Refusal>>()?;
    let count = kinds.len();
    let mut cover = Cover { columns, of: Vec::new(), shares: vec![0.0; count], budget, optimum, nodes };
    let open: Vec<u32> = (0..count as u32).map(|kind| kinds.count(kind) as u32).collect();
    if !cover.reduce(&open)? {
        return Ok(());
    }
    let records = open.iter().map(|&of| u64::from(of)).sum();
    let shares = cover.total(&open);
    let mut partial = Partial { open, count: records, cost: 0.0, shares, chosen: Vec::new() };
    cover.search(&mut partial, None)
}

/// At most the loss of a class: its reduced cost, with its duals, without what the cuts charge.
fn loss(class: &Class, kinds: &Kinds, certificate: &Certificate) -> f64 {
    let (mut value, mut mass) = (class.cost, class.cost.abs());
    for &kind in &class.kinds {
        value += kinds.dual(kind);
        mass += kinds.dual(kind).abs();
    }
    let mut touched: Vec<u32> = class.kinds.iter().flat_map(|&kind| kinds.cuts(kind)).copied().collect();
    touched.sort_unstable();
    for inside in touched.chunk_by(|a, b| a == b) {
        let cut = &certificate.cuts[inside[0] as usize];
        let charged = cut.sigma * f64::from(inside.len() as u32 / cut.divisor);
        value -= charged;
        mass += charged;
    }
    Low::new(class.kinds.len() + certificate.cuts.len()).of(value, mass)
}

impl Cover<'_> {
    /// At most the sum of shares of so many records of each kind.
    fn total(&self, open: &[u32]) -> f64 {
        let sum: f64 = self.shares.iter().zip(open).map(|(share, &of)| share * f64::from(of)).sum();
        Low::new(open.len()).of(sum, sum)
    }

    /// Drops columns that are in no partition of the budget, until none is; whether every kind still has one.
    fn reduce(&mut self, open: &[u32]) -> Result<bool, Refusal> {
        loop {
            let mut shares = vec![f64::INFINITY; open.len()];
            for column in &self.columns {
                let share = column.cost / column.size;
                for &(kind, _) in &column.holds {
                    shares[kind as usize] = shares[kind as usize].min(share);
                }
            }
            self.nodes.looked(self.columns.iter().map(|column| column.holds.len() as u64).sum())?;
            if shares.iter().zip(open).any(|(share, &of)| of > 0 && share.is_infinite()) {
                return Ok(false);
            }
            self.shares = shares;
            let (all, before) = (self.total(open), self.columns.len());
            let (shares, budget) = (&self.shares, self.budget);
            self.columns.retain(|column| {
                let fits = column.holds.iter().all(|&(kind, of)| of <= open[kind as usize]);
                fits && column.cost + beside(column, all, shares) < budget
            });
            if self.columns.len() == before {
                break;
            }
        }
        let mut of = vec![Vec::new(); open.len()];
        for (at, column) in (0..).zip(&self.columns) {
            for &(kind, _) in &column.holds {
                of[kind as usize].push(at);
            }
        }
        self.of = of;
        Ok(true)
    }

    /// Whether a column can go on with what is chosen.
    fn fits(&self, partial: &Partial, column: &Column) -> bool {
        column.holds.iter().all(|&(kind, of)| of <= partial.open[kind as usize])
            && partial.cost + column.cost + beside(column, partial.shares, &self.shares) < self.budget
    }

    /// Covers a kind by each of its columns in turn, one after another. `last`: the kind that was covered last, and by which column; its next
    /// record needs none before that.
    fn search(&self, partial: &mut Partial, last: Option<(u32, u32)>) -> Result<(), Refusal> {
        self.nodes.visit()?;
        if partial.count == 0 {
            let losses = partial.chosen.iter().map(|&at| self.columns[at as usize].loss);
            let (sum, mass) = losses.fold((0.0, 0.0), |(sum, mass), loss| (sum + loss, mass + loss.abs()));
            let loss = Low::new(partial.chosen.len()).of(sum, mass);
            // What rounding has made of a number is a refusal as well.
            return if loss >= self.optimum {
                Ok(())
            } else {
                Err(Refusal::Better { loss, claimed: self.optimum })
            };
        }
        let mut fewest: Option<(usize, u32)> = None;
        let mut looks = 0;
        for kind in (0..).zip(&partial.open).filter(|(_, of)| **of > 0).map(|(kind, _): (u32, _)| kind) {
            let most = fewest.map_or(usize::MAX, |(count, _)| count);
            let columns = self.of[kind as usize].iter().map(|&at| &self.columns[at as usize]);
            let count = columns
                .inspect(|_| looks += 1)
                .filter(|column| self.fits(partial, column))
                .take(most)
                .count();
            if count < most {
                fewest = Some((count, kind));
            }
            if count == 0 {
                break;
            }
        }
        self.nodes.looked(looks)?;
        let Some((count, kind)) = fewest else { return Ok(()) };
        if count == 0 {
            return Ok(());
        }
        let from = last.filter(|(before, _)| *before == kind).map_or(0, |(_, at)| at);
        for &at in self.of[kind as usize].iter().filter(|at| **at >= from) {
            let column = &self.columns[at as usize];
            if !self.fits(partial, column) {
                continue;
            }
            let before = (partial.cost, partial.shares);
            partial.shares = beside(column, partial.shares, &self.shares);
            partial.cost += column.cost;
            for &(kind, of) in &column.holds {
                partial.open[kind as usize] -= of;
                partial.count -= u64::from(of);
            }
            partial.chosen.push(at);
            self.search(partial, Some((kind, at)))?;
            partial.chosen.pop();
            for &(kind, of) in &column.holds {
                partial.open[kind as usize] += of;
                partial.count += u64::from(of);
            }
            (partial.cost, partial.shares) = before;
        }
        Ok(())
    }
}

/// At most the shares of the records beside a column, of all those together.
fn beside(column: &Column, all: f64, shares: &[f64]) -> f64 {
    let own: f64 = column.holds.iter().map(|&(kind, of)| shares[kind as usize] * f64::from(of)).sum();
    Low::new(column.holds.len()).of(all - own, all.abs() + own)
}
