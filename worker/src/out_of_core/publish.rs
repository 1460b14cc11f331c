//! The published table and the linking key, from the classes of all blocks.

use std::path::PathBuf;

use lookalike_core::{
    model::dialect::Dialect,
    out_of_core::{BlockClass, Blocks},
    table::Writer,
};
use lookalike_words::Said;

use super::{runs, spill::Spill};
use crate::{exit::Failure, files::Staged};

/// Rows whose classes are sorted in memory.
const ROWS: usize = 1 << 18;

/// Bytes of the output that are kept before they are written.
const HELD: usize = 1 << 16;

/// What there is to publish.
pub(super) struct Published<'a> {
    pub(super) blocks: &'a Blocks,
    /// The form of the table.
    pub(super) dialect: Dialect,
    /// Rows of the input.
    pub(super) rows: u64,
    /// The classes of each block.
    pub(super) classes: Vec<PathBuf>,
}

/// Writes the published table, and, where it is asked for, the linking key, each to its staged file. The answer is what a
/// spreadsheet would run of the table.
pub(super) fn write(
    published: Published,
    spill: &Spill,
    staged: &mut [Staged],
    (table, key): (usize, Option<usize>),
) -> Result<Option<Said>, Failure> {
    let mut rows = published.blocks.class_rows(0);
    let (mut links, mut linked) = (Vec::new(), Vec::new());
    let mut out = Csv::new(&mut staged[table], published.dialect);
    out.row(rows.header().iter().map(String::as_str))?;
    runs::merge(spill, published.classes, &mut |mut class: BlockClass| {
        if key.is_some() {
            let label = rows.label() + 1;
            links.extend(class.rows.drain(..).map(|row| (row, label)));
        }
        if links.len() >= ROWS {
            linked.push(run(spill, &mut links)?);
        }
        rows.class(class, &mut |cells| out.row(cells.iter().copied()))
    })?;
    rows.end(&mut |cells| out.row(cells.iter().copied()))?;
    out.end()?;
    let warning = rows.formulas().warning(rows.header(), published.dialect);
    let Some(key) = key else { return Ok(warning) };
    linked.push(run(spill, &mut links)?);
    let mut out = Csv::new(&mut staged[key], Dialect::PLAIN);
    out.row(["row", "class"])?;
    let mut next = 0;
    runs::merge(spill, linked, &mut |(row, label): (u64, u64)| {
        // Rows between are those that were dropped.
        (next..row).try_for_each(|row| out.row([row.to_string().as_str(), ""]))?;
        next = row + 1;
        out.row([row.to_string().as_str(), label.to_string().as_str()])
    })?;
    (next..published.rows).try_for_each(|row| out.row([row.to_string().as_str(), ""]))?;
    out.end()?;
    Ok(warning)
}

/// Sorts rows with their classes, and writes them to a run.
fn run(spill: &Spill, links: &mut Vec<(u64, u64)>) -> Result<PathBuf, Failure> {
    let mut links = std::mem::take(links);
    links.sort_unstable();
    runs::write(spill, &links)
}

/// A staged table that grows.
struct Csv<'a> {
    staged: &'a mut Staged,
    held: Vec<u8>,
    writer: Writer,
}

impl<'a> Csv<'a> {
    fn new(staged: &'a mut Staged, dialect: Dialect) -> Self {
        Self { staged, held: Vec::with_capacity(2 * HELD), writer: Writer::new(dialect) }
    }

    fn row<'b>(&mut self, cells: impl IntoIterator<Item = &'b str>) -> Result<(), Failure> {
        self.writer.row(&mut self.held, cells);
        if self.held.len() >= HELD {
            self.end()?;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Failure> {
        self.staged.fill(&self.held)?;
        self.held.clear();
        Ok(())
    }
}
