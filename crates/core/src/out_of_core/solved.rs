//! A solved block as it is handed on: its classes, each by itself, and what the reports need of it.

use std::collections::BTreeMap;

use lookalike_model::{
    job::{Answer, Bound},
    report::Objective,
};

use super::{
    block::{BlockClass, Solved},
    bytes::{In, Out, no_result},
};
use crate::Error;

/// What the bytes of a class and of a block's totals begin with.
const CLASS: u32 = 4;
const TOTALS: u32 = 7;

/// What is added up of the blocks, and some of the classes, by which the classes of all blocks are cut into ranges.
#[derive(Clone, Debug)]
pub struct BlockTotals {
    pub(super) block: usize,
    /// Class sizes, and how many classes have each.
    pub(super) sizes: BTreeMap<usize, usize>,
    pub(super) objective: Objective,
    /// Rows that say "missing", by published column.
    pub(super) missing: Vec<usize>,
    /// The answer without its classes.
    pub(super) answer: Answer,
    /// What the records lose at least in any classes of the whole table.
    pub(super) whole: Option<Bound>,
    /// The cells of every so many-th class.
    pub(super) sampled: Vec<Vec<String>>,
}

impl BlockTotals {
    pub(super) fn of(
        block: usize,
        classes: &[BlockClass],
        objective: Objective,
        missing: Vec<usize>,
        (answer, whole): (Answer, Option<Bound>),
    ) -> Self {
        let mut sizes = BTreeMap::new();
        for class in classes {
            *sizes.entry(class.rows.len()).or_insert(0) += 1;
        }
        let answer = Answer { labels: Vec::new(), duals: None, freeform: None, ..answer };
        Self { block, sizes, objective, missing, answer, whole, sampled: Vec::new() }
    }

    /// The number of the block.
    #[must_use]
    pub fn block(&self) -> usize {
        self.block
    }

    /// As bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Out::new(TOTALS);
        out.size(self.block);
        out.each(self.sizes.iter(), |out, (&size, &count)| {
            out.size(size);
            out.size(count);
        });
        out.each(self.missing.iter(), |out, &rows| out.size(rows));
        out.each(self.sampled.iter(), |out, cells| out.each(cells.iter(), |out, cell| out.text(cell)));
        // Both are records as they stand in reports and files.
        out.bytes(&serde_json::to_vec(&self.objective).unwrap_or_default());
        out.bytes(&serde_json::to_vec(&self.answer).unwrap_or_default());
        out.bytes(&serde_json::to_vec(&self.whole).unwrap_or_default());
        out.end()
    }

    /// From such bytes.
    ///
    /// # Errors
    /// [`Error::Large`] if they are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut read = In::new(bytes, TOTALS)?;
        let block = read.size()?;
        let sizes = read.each(|read| Ok((read.size()?, read.size()?)))?.into_iter().collect();
        let missing = read.each(In::size)?;
        let sampled = read.each(|read| read.each(|read| Ok(read.text()?.to_owned())))?;
        let objective = serde_json::from_slice(read.bytes()?).map_err(|_| no_result())?;
        let answer = serde_json::from_slice(read.bytes()?).map_err(|_| no_result())?;
        let whole = serde_json::from_slice(read.bytes()?).map_err(|_| no_result())?;
        read.end()?;
        Ok(Self { block, sizes, objective, missing, answer, whole, sampled })
    }
}

impl Solved {
    /// What is added up of it, with the cells of every `stride`-th class.
    #[must_use]
    pub fn totals(&self, stride: usize) -> BlockTotals {
        let sampled = self.classes.iter().step_by(stride.max(1)).map(|class| class.cells.clone());
        BlockTotals { sampled: sampled.collect(), ..self.totals.clone() }
    }
}

impl BlockClass {
    /// As bytes, without its rows, whose numbers an engine does not know.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Out::new(CLASS);
        for texts in [&self.cells, &self.values] {
            out.each(texts.iter(), |out, text| out.text(text));
        }
        out.end()
    }

    /// From such bytes.
    ///
    /// # Errors
    /// [`Error::Large`] if they are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut read = In::new(bytes, CLASS)?;
        let cells = read.each(|read| Ok(read.text()?.to_owned()))?;
        let values = read.each(|read| Ok(read.text()?.to_owned()))?;
        read.end()?;
        Ok(Self { cells, values, rows: Vec::new() })
    }
}
