//! All classes met so far, and which of them the master holds.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{pricing::Request, problem::Problem};

/// A class of types with its loss.
#[derive(Clone, Debug)]
pub struct Column {
    /// The types, ascending; some may repeat.
    pub members: Vec<u32>,
    /// Its loss.
    pub cost: f64,
}

/// Columns without duplicates; a column keeps its number for ever.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    columns: Vec<Column>,
    numbers: BTreeMap<Vec<u32>, u32>,
}

impl Pool {
    /// A pool of these columns, no two of them alike, numbered in their order.
    #[must_use]
    pub fn of(columns: Vec<Column>) -> Self {
        let numbers = columns.iter().zip(0..).map(|(c, number)| (c.members.clone(), number)).collect();
        Self { columns, numbers }
    }

    /// All columns, by their numbers.
    #[must_use]
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }

    /// Number of columns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// A column.
    #[must_use]
    pub fn column(&self, number: u32) -> &Column {
        &self.columns[number as usize]
    }

    /// Whether a class (ascending types) is there.
    #[must_use]
    pub fn contains(&self, members: &[u32]) -> bool {
        self.numbers.contains_key(members)
    }

    /// The number of a class (ascending types), which is added if it is new.
    pub fn insert(&mut self, problem: &Problem, members: &[u32]) -> u32 {
        if let Some(&number) = self.numbers.get(members) {
            return number;
        }
        let number = self.columns.len() as u32;
        self.columns.push(Column { members: members.to_vec(), cost: problem.cost(members) });
        self.numbers.insert(members.to_vec(), number);
        number
    }

    /// Reduced cost of every column.
    #[must_use]
    pub fn reduced_costs(&self, request: &Request) -> Vec<f64> {
        self.columns.par_iter().map(|c| request.reduced_cost_of(c)).collect()
    }

    /// Forgets the columns for which `keep` is false; the others get new numbers, in order.
    pub fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        let mut number = 0;
        self.columns.retain(|_| {
            number += 1;
            keep(number - 1)
        });
        let numbered = self.columns.iter().zip(0..);
        self.numbers = numbered.map(|(c, number)| (c.members.clone(), number)).collect();
    }
}
