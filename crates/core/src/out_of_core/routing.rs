//! The second look at all rows: the leaf of each row, and how often each colour occurs in each leaf.

use std::collections::BTreeMap;

use lookalike_model::{rule::Rule, settings::Model};
use lookalike_table::{Column, Reading, Role, Table, is_missing};

use super::{
    block::Blocks,
    merge::{Group, blocks},
    misfit::LargeMisfit,
    sums::Sum,
    survey::{Seen, Survey, counts},
    tree::Tree,
};
use crate::{
    Error,
    prepare::{Kept, keep, published},
};

/// The cuts, and what fell where so far.
pub struct Routing {
    pub(super) survey: Survey,
    pub(super) tree: Tree,
    /// Sensitive values by text, as colours; the missing ones are one more.
    colours: BTreeMap<String, u32>,
    /// Rows of the table so far.
    pub(super) rows: usize,
    pub(super) leaves: Vec<Group>,
    /// Squared distances from the means.
    pub(super) squares: Vec<Sum>,
}

impl Routing {
    /// Ends the first look and fixes the cuts, for leaves of at most about `most` rows.
    ///
    /// # Errors
    /// [`Error::Impossible`] if the guarantee cannot be given without changes; [`Error::Misfit`] if the table has columns
    /// that cannot be computed with.
    pub fn of(survey: Survey, most: usize) -> Result<Self, Error> {
        let (survey, tree) = survey.cut(most)?;
        Ok(Self::begin(survey, tree))
    }

    /// Nothing is counted yet.
    pub(super) fn begin(survey: Survey, tree: Tree) -> Self {
        let leaf = |leaf| Group { leaves: vec![leaf], ..Group::default() };
        Self {
            colours: (0..).zip(survey.colours.keys()).map(|(code, text)| (text.clone(), code)).collect(),
            leaves: (0..tree.leaves() as u32).map(leaf).collect(),
            squares: survey.quasi.iter().map(|_| Sum::default()).collect(),
            rows: 0,
            tree,
            survey,
        }
    }

    /// Number of leaves.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.tree.leaves()
    }

    /// Names of the columns that are published, in the order of [`Self::published`].
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        published(&self.survey.schema).map(|spec| spec.name.clone()).collect()
    }

    /// The places of these columns in a part.
    #[must_use]
    pub fn published(&self) -> Vec<usize> {
        published(&self.survey.schema).map(|spec| spec.index).collect()
    }

    /// Takes in the next part of the table: the leaf of each row that is kept, by its number in the part, ascending. Takes
    /// O(n (h + log n)) for n rows and a tree of height h.
    ///
    /// # Errors
    /// [`Error::Large`] if the rows are not those that were surveyed, or a number would be taken for another one.
    pub fn place(&mut self, part: &Table) -> Result<Vec<(u32, u32)>, Error> {
        let survey = &self.survey;
        let Kept { rows, .. } = keep(part, &survey.schema)?;
        let mut values = Vec::with_capacity(survey.quasi.len());
        for (seen, squares) in survey.quasi.iter().zip(&mut self.squares) {
            let column = part.columns.get(seen.spec.index).ok_or_else(changed)?;
            seen.tell_apart(self.rows, column, &survey.schema.markers)?;
            let of_entries = survey.values(seen, column)?;
            if seen.spec.reading != Reading::Labels {
                let known = of_entries.iter().zip(counts(column, &rows)).filter(|(x, _)| x.is_finite());
                for (x, count) in known {
                    let off = x - seen.whole.mean;
                    squares.add(off * off, count);
                }
            }
            values.push((of_entries, &column.cells));
        }
        let (colours, cells) = self.colours_of(part)?;
        let leaf = |row: u32| {
            self.tree.leaf(|at| {
                let (of_entries, cells) = &values[at];
                of_entries[cells[row as usize] as usize]
            })
        };
        let placed: Vec<(u32, u32)> = rows.iter().map(|&row| (row, leaf(row))).collect();
        let colour = |row: u32| cells.get(row as usize).map_or(0, |&cell| colours[cell as usize]);
        let mut pairs: Vec<(u32, u32)> = placed.iter().map(|&(row, leaf)| (leaf, colour(row))).collect();
        pairs.sort_unstable();
        for same in pairs.chunk_by(|a, b| a == b) {
            let ((leaf, colour), rows) = (same[0], same.len() as u64);
            let leaf = &mut self.leaves[leaf as usize];
            leaf.rows += rows;
            *leaf.colours.entry(colour).or_insert(0) += rows;
        }
        self.rows += part.rows;
        Ok(placed)
    }

    /// The colour of each dictionary entry, and the cells; none of either under k-anonymity, which counts rows alone.
    fn colours_of<'a>(&self, part: &'a Table) -> Result<(Vec<u32>, &'a [u32]), Error> {
        let schema = &self.survey.schema;
        let sensitive = schema.columns.iter().find(|c| c.role == Role::Sensitive);
        let Some(spec) = sensitive.filter(|_| self.counts_colours()) else {
            return Ok((Vec::new(), &[]));
        };
        let column = part.columns.get(spec.index).ok_or_else(changed)?;
        // Missing ones, and texts of rows that are dropped.
        let absent = self.colours.len() as u32;
        let codes = column.values.iter().map(|text| self.colours.get(text).copied().unwrap_or(absent));
        Ok((codes.collect(), &column.cells))
    }

    /// Ends the second look: puts leaves together until each block admits classes.
    ///
    /// # Errors
    /// [`Error::Large`] if other rows were counted than the first time.
    pub fn merge(mut self) -> Result<Blocks, Error> {
        if self.counted() != self.expected() {
            return Err(changed());
        }
        for (seen, squares) in self.survey.quasi.iter_mut().zip(&self.squares) {
            seen.whole.variance = squares.value() / seen.whole.known.max(1) as f64;
        }
        let rule = match self.survey.settings.model {
            Model::MInvariance { m } => Rule::all_different(m),
            Model::KAnonymity { k } => Rule::at_least(k),
        };
        let groups = blocks(&self.tree, &self.leaves, &rule);
        let short = groups.iter().any(|group| !group.admits(&rule));
        if short {
            return Err(changed());
        }
        Ok(Blocks::new(self.survey, self.tree, groups))
    }
}

impl Routing {
    fn counts_colours(&self) -> bool {
        matches!(self.survey.settings.model, Model::MInvariance { .. })
    }

    /// Rows of each colour, as the leaves have them.
    fn counted(&self) -> BTreeMap<u32, u64> {
        let mut all = BTreeMap::new();
        for (&colour, rows) in self.leaves.iter().flat_map(|leaf| &leaf.colours) {
            *all.entry(colour).or_insert(0) += rows;
        }
        all
    }

    /// The same, as the first look had them.
    fn expected(&self) -> BTreeMap<u32, u64> {
        let Survey { colours, colourless, kept, .. } = &self.survey;
        if !self.counts_colours() {
            return BTreeMap::from([(0, *kept)]);
        }
        let rows = colours.values().copied().chain([colourless.0]);
        (0..).zip(rows).filter(|(_, rows)| *rows > 0).collect()
    }
}

impl Survey {
    /// What the cuts compare: numbers as they are coded, minus infinity for missing ones, ranks of labels.
    pub(super) fn values(&self, seen: &Seen, column: &Column) -> Result<Vec<f64>, Error> {
        let recoding = &self.recodings[seen.spec.index];
        let markers = &self.schema.markers;
        let value = |text: &str| match &seen.spec.reading {
            // Labels of rows that are dropped have no rank, and need none.
            Reading::Labels => Some(seen.rank(text).unwrap_or(0) as f64),
            _ if is_missing(text, markers) => Some(f64::NEG_INFINITY),
            reading => reading.value(text).map(|x| recoding.code(x)),
        };
        column.values.iter().map(|text| value(text).ok_or_else(changed)).collect()
    }
}

fn changed() -> Error {
    LargeMisfit::Changed.into()
}
