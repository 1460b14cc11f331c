//! The sensitive column as ranks: its known values, in order where there is one.

use std::collections::BTreeMap;

use lookalike_table::{Column, is_missing, parse_number};
use lookalike_words::{Cell, Name};

use super::inquiry::{Distance, Inquiry, Model};
use crate::{
    Error,
    groups::{Groups, Tally},
};

/// The sensitive column.
pub(crate) struct Secret<'a> {
    pub(crate) column: &'a Column,
    /// Per dictionary entry its value, `None` if it is missing and missing is no value.
    value_of: Vec<Option<u32>>,
    /// Number of different values of the table.
    pub(crate) values: usize,
    /// Rank of each value, if somebody asked for ordered distance.
    pub(crate) ranks: Option<Vec<u32>>,
    /// Number of ranks; an order given may hold values that do not occur.
    pub(crate) rank_count: usize,
    /// Known rows of each value, in the whole table.
    pub(crate) totals: Vec<usize>,
}

impl<'a> Secret<'a> {
    pub(crate) fn new(column: &'a Column, inquiry: &Inquiry) -> Result<Self, Error> {
        let mut missing_value = None;
        let mut texts: Vec<&str> = Vec::new();
        let value_of: Vec<Option<u32>> = column
            .values
            .iter()
            .map(|text| {
                let missing = is_missing(text, &inquiry.missing);
                if missing && !inquiry.missing_is_value {
                    return None;
                }
                if let (true, Some(value)) = (missing, missing_value) {
                    return Some(value);
                }
                texts.push(text);
                let value = texts.len() as u32 - 1;
                if missing {
                    missing_value = Some(value);
                }
                Some(value)
            })
            .collect();
        let mut totals = vec![0; texts.len()];
        for &code in &column.cells {
            if let Some(value) = value_of[code as usize] {
                totals[value as usize] += 1;
            }
        }
        let asked = inquiry.models.iter().find_map(|m| match m {
            Model::TCloseness { distance: Distance::Ordered { order }, .. } => Some(order),
            _ => None,
        });
        let ranked = match asked {
            None => None,
            Some(Some(order)) => Some(ranks_given(&column.name, &texts, order)?),
            Some(None) => Some(ranks_of_numbers(&column.name, &texts)?),
        };
        let (ranks, rank_count) = match ranked {
            Some((ranks, count)) => (Some(ranks), count),
            None => (None, 0),
        };
        Ok(Self { column, value_of, values: texts.len(), ranks, rank_count, totals })
    }

    /// How often each value occurs in each group, by group: only where it does.
    pub(crate) fn counts(&self, groups: &Groups) -> Vec<Vec<(u32, usize)>> {
        let mut counts: Vec<BTreeMap<u32, usize>> = vec![BTreeMap::new(); groups.sizes.len()];
        for Tally { group, code, count } in groups.tallies(self.column) {
            if let Some(value) = self.value_of[code as usize] {
                *counts[group as usize].entry(value).or_insert(0) += count;
            }
        }
        counts.into_iter().map(|counts| counts.into_iter().collect()).collect()
    }
}

fn ranks_given(column: &str, texts: &[&str], order: &[String]) -> Result<(Vec<u32>, usize), Error> {
    let mut rank: BTreeMap<&str, u32> = BTreeMap::new();
    for (at, value) in order.iter().enumerate() {
        if rank.insert(value.trim(), at as u32).is_some() {
            return Err(Error::OrderTwice { column: Name::from(column), value: Cell::from(value.as_str()) });
        }
    }
    let lacks = |text: &str| Error::OrderLacks { column: Name::from(column), value: Cell::from(text) };
    let ranks = texts.iter().map(|text| rank.get(text.trim()).copied().ok_or_else(|| lacks(text)));
    Ok((ranks.collect::<Result<_, _>>()?, order.len()))
}

/// Numbers by value: "2" and "2.0" share a rank.
fn ranks_of_numbers(column: &str, texts: &[&str]) -> Result<(Vec<u32>, usize), Error> {
    let none = |text: &str| Error::NoOrder { column: Name::from(column), value: Cell::from(text) };
    let numbers = texts.iter().map(|text| parse_number(text).map(|x| x + 0.0).ok_or_else(|| none(text)));
    let numbers: Vec<f64> = numbers.collect::<Result<_, _>>()?;
    let mut sorted = numbers.clone();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    let rank = |x: &f64| sorted.partition_point(|y| y < x) as u32;
    Ok((numbers.iter().map(rank).collect(), sorted.len()))
}
