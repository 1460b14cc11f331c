//! The pool: all classes met so far. The master holds some of them.

use std::{collections::BTreeMap, sync::Arc};

use rayon::prelude::*;

use super::{column::Column, pricing::Request, problem::Problem};

/// Columns without duplicates; a column keeps its number for ever.
#[derive(Clone, Debug, Default)]
pub struct ColumnPool {
    columns: Arc<Vec<Column>>,
    numbers: BTreeMap<Vec<u32>, u32>,
}

impl ColumnPool {
    /// A pool of these columns, no two of them alike, numbered in their order.
    #[must_use]
    pub fn of(columns: Vec<Column>) -> Self {
        let numbers = columns.iter().zip(0..).map(|(c, number)| (c.members.clone(), number)).collect();
        Self { columns: Arc::new(columns), numbers }
    }

    /// All columns, by their numbers.
    #[must_use]
    pub(crate) fn columns(&self) -> Arc<Vec<Column>> {
        Arc::clone(&self.columns)
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
        // In place, unless a pricing still holds them.
        Arc::make_mut(&mut self.columns)
            .push(Column { members: members.to_vec(), cost: problem.cost(members) });
        self.numbers.insert(members.to_vec(), number);
        number
    }

    /// Reduced cost of every column.
    #[must_use]
    pub fn reduced_costs(&self, request: &Request) -> Vec<f64> {
        self.columns.par_iter().map(|c| request.reduced_cost_of(c)).collect()
    }
}
