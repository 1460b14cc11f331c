//! A hierarchy of sensitive values, and how far the values of some rows are from the table's in it.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_words::{Cell, Name};

use super::{super::error::Error, Table, Values};

/// For each level above the values, from fine to coarse, the label of each value; the last level has one label for all.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// By level, then by the value's code.
    labels: Vec<Vec<usize>>,
}

impl Tree {
    /// Of the known values of a column.
    ///
    /// # Errors
    /// [`Error::NoHierarchy`], [`Error::HierarchyLacks`] for a value without a row or a row without all labels, [`Error::HierarchyTorn`] if one label
    /// leads to two coarser ones.
    pub(super) fn of(values: &Values, rows: Option<&[Vec<String>]>, column: &str) -> Result<Self, Error> {
        let rows = rows.ok_or_else(|| Error::NoHierarchy { column: Name::from(column) })?;
        let height = rows.iter().map(Vec::len).max().unwrap_or(0).saturating_sub(1);
        let found: BTreeMap<&str, &Vec<String>> =
            rows.iter().filter_map(|row| Some((row.first()?.trim(), row))).collect();
        let codes = values.rows().count();
        // Above the coarsest labels stands one for all.
        let mut labels = vec![vec![0; codes]; height + 1];
        let mut numbers: Vec<BTreeMap<&str, (usize, &str)>> = vec![BTreeMap::new(); height];
        for (code, _) in values.rows().filter(|(code, _)| !values.is_missing(*code)) {
            let text = values.text(code);
            let lacks = || Error::HierarchyLacks { column: Name::from(column), value: Cell::from(text) };
            let row = found.get(text.trim()).filter(|row| row.len() == height + 1).ok_or_else(lacks)?;
            for (level, label) in row[1..].iter().enumerate() {
                let coarser = row.get(level + 2).map_or("", String::as_str);
                let next = numbers[level].len();
                let (number, parent) = *numbers[level].entry(label).or_insert((next, coarser));
                if parent != coarser {
                    let (column, label) = (Name::from(column), Cell::from(label.as_str()));
                    return Err(Error::HierarchyTorn { column, label });
                }
                labels[level][code as usize] = number;
            }
        }
        let coarsest: BTreeSet<Option<&String>> = rows.iter().map(|row| row.last()).collect();
        if height > 0 && coarsest.len() <= 1 {
            labels.pop();
        }
        Ok(Self { labels })
    }

    /// The earth mover's distance between `n` rows, of which each value has so many, and the table, where values are as far apart as the lowest level with
    /// one label for both is high, over the height. Below each label moves what some of the labels under it have too much, as far as
    /// the others have too little (Li et al. 2007, 4.2).
    pub(super) fn moved(&self, counts: &[(u32, usize)], n: usize, table: &Table) -> f64 {
        let values = table.values;
        let mut extra: BTreeMap<usize, i128> = BTreeMap::new();
        for (code, rows) in values.rows().filter(|(code, _)| !values.is_missing(*code)) {
            *extra.entry(code as usize).or_default() -= rows as i128 * n as i128;
        }
        for &(code, count) in counts {
            *extra.entry(code as usize).or_default() += count as i128 * table.rows as i128;
        }
        // A value that stands for each label of the level below.
        let mut stands: BTreeMap<usize, usize> = extra.keys().map(|&code| (code, code)).collect();
        let mut work = 0_i128;
        for (level, labels) in (1..).zip(&self.labels) {
            let mut sides: BTreeMap<usize, (i128, i128)> = BTreeMap::new();
            let mut above = BTreeMap::new();
            for (of, more) in &extra {
                let value = stands[of];
                let label = labels[value];
                let (positive, negative) = sides.entry(label).or_default();
                *positive += more.max(&0);
                *negative += (-more).max(0);
                above.insert(label, value);
            }
            work += level * sides.values().map(|(more, less)| more.min(less)).sum::<i128>();
            extra = sides.into_iter().map(|(label, (more, less))| (label, more - less)).collect();
            stands = above;
        }
        work as f64 / (n as f64 * table.rows as f64) / self.labels.len().max(1) as f64
    }
}
