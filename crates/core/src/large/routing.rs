//! The second look at all rows: each one's leaf.

use std::collections::BTreeMap;

use lookalike_table::{Column, Reading, Role, Table, is_missing};
use lookalike_wire::{job::Rule, settings::Model};

use super::{
    block::Blocks,
    merge::{Group, blocks},
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
    tree: Tree,
    /// Sensitive values by text, as colours; the missing ones are one more.
    colours: BTreeMap<String, u32>,
    leaves: Vec<Group>,
    /// Squared distances from the means.
    squares: Vec<Sum>,
}

impl Routing {
    pub(super) fn new(survey: Survey, tree: Tree) -> Self {
        let leaf = |leaf| Group { leaves: vec![leaf], ..Group::default() };
        Self {
            colours: (0..).zip(survey.colours.keys()).map(|(code, text)| (text.clone(), code)).collect(),
            leaves: (0..tree.leaves() as u32).map(leaf).collect(),
            squares: survey.quasi.iter().map(|_| Sum::default()).collect(),
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

    /// Takes in a part; for each of its rows that is kept, `each` gets the leaf and the row (from 0, in the part).
    ///
    /// # Errors
    /// [`Error::Input`] if the rows are not those that were surveyed.
    pub fn add(&mut self, part: &Table, mut each: impl FnMut(u32, usize)) -> Result<(), Error> {
        let survey = &self.survey;
        let Kept { rows, .. } = keep(part, &survey.schema)?;
        let mut values = Vec::with_capacity(survey.quasi.len());
        for (seen, squares) in survey.quasi.iter().zip(&mut self.squares) {
            let column = part.columns.get(seen.spec.index).ok_or_else(changed)?;
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
        for &row in &rows {
            let at = row as usize;
            let leaf = self.tree.leaf(|column| values[column].0[values[column].1[at] as usize]);
            let colour = cells.get(at).map_or(0, |&cell| colours[cell as usize]);
            let group = &mut self.leaves[leaf as usize];
            group.rows += 1;
            *group.colours.entry(colour).or_insert(0) += 1;
            each(leaf, at);
        }
        Ok(())
    }

    /// The colour of each dictionary entry, and the cells; none of either under k-anonymity.
    fn colours_of<'a>(&self, part: &'a Table) -> Result<(Vec<u32>, &'a [u32]), Error> {
        let schema = &self.survey.schema;
        let Some(spec) = schema.columns.iter().find(|c| c.role == Role::Sensitive) else {
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
    /// [`Error::Input`] if there were other rows than the first time.
    pub fn merge(mut self) -> Result<Blocks, Error> {
        let rows: u64 = self.leaves.iter().map(|leaf| leaf.rows).sum();
        if rows != self.survey.kept {
            return Err(changed());
        }
        for (seen, squares) in self.survey.quasi.iter_mut().zip(&self.squares) {
            seen.whole.variance = squares.value() / seen.whole.known.max(1) as f64;
        }
        let rule = match self.survey.settings.model {
            Model::MInvariance { m } => Rule::Distinct { m },
            Model::KAnonymity { k } => Rule::MinSize { k },
        };
        let groups = blocks(&self.tree, &self.leaves, rule);
        let short = groups.iter().any(|group| !group.admits(rule));
        if short {
            return Err(changed());
        }
        Ok(Blocks::new(self.survey, groups))
    }
}

impl Survey {
    /// What the cuts compare: numbers as they are coded, minus infinity for missing ones, ranks of labels.
    fn values(&self, seen: &Seen, column: &Column) -> Result<Vec<f64>, Error> {
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
    Error::Input(String::from(
        "the table changed between the two times it was read: run again while nobody writes to it",
    ))
}
