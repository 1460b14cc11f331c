//! The nodes of a lattice of levels: a number each, and what all records lose there.

use lookalike_model::lattice::Lattice;

/// Most nodes: what is kept of each takes 13 bytes, and 16 while they are put into order.
pub const MOST_NODES: u64 = 1 << 23;

/// All choices of one level a column. The number of a node has a digit for each column, the level; the last column's changes first.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    columns: Vec<Column>,
    /// How many nodes there are.
    pub(super) count: u32,
}

#[derive(Clone, Debug)]
struct Column {
    /// What a step to the next level adds to a node's number.
    step: u32,
    levels: u32,
    /// What all records lose in this column at each level.
    losses: Vec<f64>,
}

impl Nodes {
    /// Of a sound lattice of so many nodes that [`MOST_NODES`] are not exceeded; `None` of more.
    pub(super) fn new(lattice: &Lattice) -> Option<Self> {
        let mut step = 1_u64;
        let mut columns = Vec::with_capacity(lattice.columns.len());
        for column in lattice.columns.iter().rev() {
            let mut records = vec![0_u32; column.levels.first().map_or(0, |level| level.node.len())];
            for &leaf in &column.leaf {
                records[leaf as usize] += 1;
            }
            // Sums over the same leaves in the same order: rounding keeps what never falls from falling.
            let loss = |costs: &[f64]| -> f64 {
                records.iter().zip(costs).map(|(&records, cost)| f64::from(records) * cost).sum()
            };
            let levels = column.levels.len() as u32;
            columns.push(Column {
                step: step as u32,
                levels,
                losses: column.levels.iter().map(|level| loss(&level.cost)).collect(),
            });
            step = step.checked_mul(u64::from(levels)).filter(|step| *step <= MOST_NODES)?;
        }
        columns.reverse();
        Some(Self { columns, count: step as u32 })
    }

    /// The node of the coarsest levels.
    pub(super) fn top(&self) -> u32 {
        self.count - 1
    }

    /// The level of each column.
    pub(super) fn levels(&self, node: u32) -> Vec<u32> {
        self.columns.iter().map(|column| column.level(node)).collect()
    }

    /// What all records lose there. It never falls from a node to a coarser one.
    pub(super) fn loss(&self, node: u32) -> f64 {
        self.columns.iter().map(|column| column.losses[column.level(node) as usize]).sum()
    }

    /// How many steps it takes from the finest levels to there.
    pub(super) fn height(&self, node: u32) -> u32 {
        self.columns.iter().map(|column| column.level(node)).sum()
    }

    /// The nodes that are one step coarser.
    pub(super) fn coarser(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let rises = move |column: &&Column| column.level(node) + 1 < column.levels;
        self.columns.iter().filter(rises).map(move |column| node + column.step)
    }

    /// The nodes that are one step finer.
    pub(super) fn finer(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let falls = move |column: &&Column| column.level(node) > 0;
        self.columns.iter().filter(falls).map(move |column| node - column.step)
    }

    /// All nodes by what is lost there, those of equal loss by height and then by number.
    pub(super) fn by_loss(&self) -> Vec<u32> {
        let mut all: Vec<(f64, u32)> = (0..self.count).map(|node| (self.loss(node), node)).collect();
        let height = |node: u32| (self.height(node), node);
        all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then_with(|| height(a.1).cmp(&height(b.1))));
        all.into_iter().map(|(_, node)| node).collect()
    }
}

impl Column {
    fn level(&self, node: u32) -> u32 {
        node / self.step % self.levels
    }
}
