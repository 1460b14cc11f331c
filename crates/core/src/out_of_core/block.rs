//! A block: a part of the table that is solved by itself.

use std::{cmp::Ordering, collections::BTreeMap};

use lookalike_model::{
    Ctx,
    job::{Answer, Bound},
    report::MissingColumn,
    settings::{BoundWork, Repair, Settings},
    verify::verify,
};
use lookalike_table::{Column, ColumnSpec, Dictionary, Reading, Role, Schema, Table};
use rand::Rng as _;

use super::{merge::Group, misfit::LargeMisfit, solved::BlockTotals, survey::Survey, tree::Tree};
use crate::{
    Error,
    prepare::{
        Chosen, Prepared, Use, canonical_rows, pinned, published, ready, recoding::Recoding, repair, stream,
    },
    release::{classes, compare_all, missing_columns, missing_rows, objective, values},
};

/// The blocks of a table.
pub struct Blocks {
    pub(super) survey: Survey,
    /// The cuts.
    #[cfg_attr(
        not(feature = "optimize"),
        expect(dead_code, reason = "it is for a bound, which is a search's")
    )]
    pub(super) tree: Tree,
    /// Published columns alone, numbered anew.
    pub(super) schema: Schema,
    pub(super) recodings: Vec<Recoding>,
    /// The labels of each published column that has them as a quasi-identifier.
    pub(super) labels: Vec<Option<Dictionary>>,
    settings: Settings,
    pub(super) groups: Vec<Group>,
    seeds: Vec<u64>,
}

/// A class of a block, as it is published.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockClass {
    /// Its cells of the recoded columns, in their order.
    pub cells: Vec<String>,
    /// The sensitive values, in published order; empty texts if there is no such column.
    pub values: Vec<String>,
    /// Its rows in the input, from 0, ascending.
    pub rows: Vec<u64>,
}

impl BlockClass {
    /// The order in which classes are published: by their cells, then by their values. Classes that are equal in both
    /// are published alike.
    #[must_use]
    pub fn published_order(&self, other: &Self) -> Ordering {
        compare_all(&self.cells, &other.cells).then_with(|| compare_all(&self.values, &other.values))
    }

    /// Takes the sensitive values of another class that is published alike: without a column of classes nothing may tell which
    /// of them belong together.
    pub fn absorb(&mut self, values: Vec<String>) {
        self.values.extend(values);
        self.values.sort_by(|a, b| compare_all(std::slice::from_ref(a), std::slice::from_ref(b)));
    }
}

/// A solved block.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The classes in published order.
    pub classes: Vec<BlockClass>,
    pub(super) totals: BlockTotals,
}

impl Blocks {
    pub(super) fn new(mut survey: Survey, tree: Tree, groups: Vec<Group>) -> Self {
        let seed = survey.settings.seed.unwrap_or(0);
        let mut rng = stream(seed, Use::Blocks);
        let mut recodings = Vec::new();
        let mut labels = Vec::new();
        let mut columns: Vec<ColumnSpec> = Vec::new();
        for spec in published(&survey.schema) {
            let mut recoding = survey.recodings[spec.index].clone();
            let seen = survey.quasi.iter().find(|seen| seen.spec.index == spec.index);
            recoding.whole = seen.map(|seen| seen.whole.clone());
            let of_labels = seen.filter(|seen| seen.spec.reading == Reading::Labels);
            labels.push(of_labels.map(|seen| seen.labels().collect()));
            recodings.push(recoding);
            columns.push(ColumnSpec { index: columns.len(), ..spec.clone() });
        }
        let markers = survey.schema.markers.clone();
        // What a block loses in classes of its own says nothing of the whole: no work is spent on it.
        let settings =
            Settings { eligibility: Repair::Error, bound: BoundWork::Off, ..survey.settings.clone() };
        survey.colours.clear();
        Self {
            survey,
            tree,
            schema: Schema { columns, markers },
            recodings,
            labels,
            settings,
            seeds: groups.iter().map(|_| rng.next_u64()).collect(),
            groups,
        }
    }

    /// Number of blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The leaves of a block, ascending.
    ///
    /// # Panics
    /// If there is no such block; so do the others.
    #[must_use]
    pub fn leaves(&self, block: usize) -> &[u32] {
        &self.groups[block].leaves
    }

    /// The block of each leaf that has rows, by the number of the leaf.
    #[must_use]
    pub fn of_leaves(&self) -> BTreeMap<u32, usize> {
        let of = |(block, group): (usize, &Group)| {
            group.leaves.iter().map(move |&leaf| (leaf, block)).collect::<Vec<_>>()
        };
        self.groups.iter().enumerate().flat_map(of).collect()
    }

    /// Rows of all blocks.
    #[must_use]
    pub fn all_rows(&self) -> u64 {
        self.groups.iter().map(|group| group.rows).sum()
    }

    /// Number of rows of a block.
    #[must_use]
    pub fn rows(&self, block: usize) -> u64 {
        self.groups[block].rows
    }

    /// Makes a block ready to be solved. `table` holds its rows, in the published columns.
    ///
    /// # Errors
    /// As [`crate::pipeline::prepare`]; [`Error::Large`] if these are not the rows of the block.
    pub fn prepare(&self, block: usize, table: &mut Table, ctx: &Ctx) -> Result<Prepared, Error> {
        let began = (ctx.clock)();
        if table.rows as u64 != self.rows(block) || table.columns.len() != self.schema.columns.len() {
            return Err(other_rows());
        }
        for (column, labels) in table.columns.iter_mut().zip(&self.labels) {
            if let Some(labels) = labels {
                *column = relabelled(column, labels)?;
            }
        }
        let rows = canonical_rows(table, &self.schema, (0..table.rows as u32).collect(), None);
        let mut fates = Vec::new();
        let repaired = repair(table, &self.schema, &self.recodings, &self.settings, rows, &mut fates)?;
        let chosen = Chosen {
            schema: self.schema.clone(),
            recodings: self.recodings.clone(),
            repaired,
            persons: None,
            fates,
            suppressed: 0,
            series: None,
        };
        ready(table, &self.settings, self.seeds[block], chosen, (began, ctx))
    }

    /// The classes of an answer, which is verified. `rows` are the rows of the block in the input, in the table's order.
    ///
    /// # Errors
    /// [`Error::Model`] if the answer does not fit.
    pub fn finish(
        &self,
        block: usize,
        table: &Table,
        prepared: &Prepared,
        answer: Answer,
        rows: &[u64],
    ) -> Result<Solved, Error> {
        verify(prepared.job(), &answer)?;
        let found = classes(table, prepared, &answer);
        let missing = missing_rows(table, prepared, &found);
        let published = found.iter().map(|class| BlockClass {
            cells: class.cells.clone(),
            values: values(table, prepared, class),
            rows: class.rows.iter().map(|&row| rows[row as usize]).collect(),
        });
        let mut published: Vec<BlockClass> = published.collect();
        for class in &mut published {
            class.rows.sort_unstable();
        }
        let objective = objective(table, prepared, &answer)?;
        let whole = self.whole(table, prepared)?;
        let totals = BlockTotals::of(block, &published, objective, missing, (answer, whole));
        Ok(Solved { classes: published, totals })
    }

    /// What the records of a block lose at least in any classes of the whole table, if that is asked for.
    #[cfg(feature = "optimize")]
    fn whole(&self, table: &Table, prepared: &Prepared) -> Result<Option<Bound>, Error> {
        if self.survey.settings.bound == BoundWork::Off {
            return Ok(None);
        }
        let borders = self.borders(table, prepared)?;
        Ok(lookalike_optimize::bounds::neighbour_bound_of_part(prepared.job(), &borders)?)
    }

    /// Without a search there is no bound.
    #[cfg(not(feature = "optimize"))]
    #[allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "with the feature there is one")]
    fn whole(&self, _: &Table, _: &Prepared) -> Result<Option<Bound>, Error> {
        Ok(None)
    }

    /// What the report says of missing cells, with these numbers of rows.
    pub(super) fn missing_columns(&self, rows: &[usize]) -> Vec<MissingColumn> {
        missing_columns(&self.schema, rows)
    }

    /// The settings, and the kind of each quasi-identifier as it was read: what reads the next delivery alike.
    #[must_use]
    pub fn pinned(&self) -> Settings {
        pinned(&self.survey.settings, &self.schema)
    }

    /// Header of the published table, but for the class, and which of its columns is the sensitive one.
    #[must_use]
    pub fn header(&self) -> (Vec<String>, Option<usize>) {
        let names = self.schema.columns.iter().map(|c| c.name.clone()).collect();
        (names, self.schema.columns.iter().position(|c| c.role == Role::Sensitive))
    }
}

/// A column with the dictionary of the whole.
fn relabelled(column: &Column, labels: &Dictionary) -> Result<Column, Error> {
    let all: Vec<&str> = labels.iter().collect();
    let code = |text: &str| all.binary_search(&text).map(|at| at as u32).map_err(|_| other_rows());
    let codes = column.values.iter().map(code).collect::<Result<Vec<u32>, _>>()?;
    Ok(Column {
        name: column.name.clone(),
        texts: column.texts,
        values: labels.clone(),
        cells: column.cells.iter().map(|&cell| codes[cell as usize]).collect(),
    })
}

pub(super) fn other_rows() -> Error {
    LargeMisfit::OtherRows.into()
}
