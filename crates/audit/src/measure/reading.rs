//! How the cells of each column are read.

use std::collections::BTreeMap;

use lookalike_table::{
    Column, Declared, Question, Reading as Compared, Table, Undeclarable, declare, hierarchy::Hierarchy,
    infer, usual_markers,
};
use lookalike_words::Cell;

use super::{Ends, cell::members, range::ends};
use crate::{CellKind, SUPPRESSED, Unmeasurable};

/// How cells are read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Cells that mean "suppressed".
    pub suppressed: Vec<String>,
    /// Cells that mean "not known".
    pub missing: Vec<String>,
    /// What is known of single columns; others are guessed from their cells.
    pub columns: BTreeMap<String, ColumnReading>,
    /// Generalisation hierarchies of columns whose cells may be their labels.
    pub hierarchies: BTreeMap<String, Hierarchy>,
    /// The values that columns may have, where they are declared: the denominators of the certainty penalty.
    pub domains: BTreeMap<String, Domain>,
    /// The number at which open ends of a column end, below and above, if that is known.
    pub limits: BTreeMap<String, (Option<f64>, Option<f64>)>,
    /// Columns whose ranges are published in columns of their own.
    pub ends: BTreeMap<String, Ends>,
}

/// The values that a column may have.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Least and greatest number, day number or rank.
    Numbers(f64, f64),
    /// Labels.
    Labels(Vec<String>),
}

/// What is known of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnReading {
    /// Its kind; the cells tell the format.
    Declared(Declared),
    /// All.
    As(Compared),
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            suppressed: vec![SUPPRESSED.to_owned()],
            missing: usual_markers(),
            columns: BTreeMap::new(),
            hierarchies: BTreeMap::new(),
            domains: BTreeMap::new(),
            limits: BTreeMap::new(),
            ends: BTreeMap::new(),
        }
    }
}

impl Reading {
    /// The same, knowing of these columns what the original's cells tell.
    #[must_use]
    pub fn with_original(&self, original: &Table, columns: &[String]) -> Self {
        let mut known = self.clone();
        for column in columns.iter().filter_map(|name| original.column(name)) {
            if let Ok(compared) = self.original(column) {
                known.columns.insert(column.name.clone(), ColumnReading::As(compared));
            }
        }
        known
    }

    /// How original cells are compared; or why nobody can say.
    pub(super) fn original(&self, column: &Column) -> Result<Compared, Unmeasurable> {
        match self.columns.get(&column.name) {
            Some(ColumnReading::As(compared)) => Ok(compared.clone()),
            Some(ColumnReading::Declared(declared)) => declare(column, &self.missing, declared)
                .map(|(_, compared)| compared)
                .map_err(|why| match why {
                    Undeclarable::Question(question) => open(question),
                    Undeclarable::LongNumber { cell, .. } => {
                        Unmeasurable::LongNumber { cell: Cell::from(cell.as_str()) }
                    }
                    Undeclarable::Cell { cell, .. } => {
                        Unmeasurable::NotAsDeclared { cell: Cell::from(cell.as_str()), kind: said(declared) }
                    }
                }),
            None => {
                let inferred = infer(column, &self.missing);
                inferred.question.map_or(Ok(inferred.reading), |question| Err(open(question)))
            }
        }
    }

    /// How published cells are compared: as is known, else as the values of the hierarchy suggest, or without one their values,
    /// the ends of their ranges and the members of their sets.
    ///
    /// # Errors
    /// If nobody can say.
    pub fn published(&self, column: &Column) -> Result<Compared, Unmeasurable> {
        if let Some(ColumnReading::As(compared)) = self.columns.get(&column.name) {
            return Ok(compared.clone());
        }
        if let Some(hierarchy) = self.hierarchies.get(&column.name) {
            let values = (0..hierarchy.len()).map(|value| hierarchy.label(value, 0).to_owned());
            return self.original(&of_values(column, values.collect()));
        }
        let (mut values, mut ranges) = (Vec::new(), false);
        for cell in column.values.iter().filter(|cell| !self.suppressed.iter().any(|s| s == cell.trim())) {
            for member in members(cell).unwrap_or_default() {
                let trimmed = member.trim();
                let limit = trimmed.strip_prefix(">=").or_else(|| trimmed.strip_prefix("<="));
                if trimmed == SUPPRESSED {
                } else if let Some((low, high)) = ends(trimmed) {
                    ranges = true;
                    values.extend([low.to_owned(), high.to_owned()]);
                } else {
                    values.push(limit.unwrap_or(&member).to_owned());
                }
            }
        }
        let values = of_values(column, values);
        let compared = self.original(&values)?;
        // Digits that would be codes are numbers if there are ranges of them.
        if compared == Compared::Labels && ranges {
            let numbers = declare(&values, &self.missing, &Declared::Number);
            return Ok(numbers.map_or(compared, |(_, numbers)| numbers));
        }
        Ok(compared)
    }

    /// How a column's cells are compared, if that is known and not to be guessed from them.
    pub(super) fn known(&self, column: &str) -> Option<Compared> {
        match self.columns.get(column) {
            Some(ColumnReading::As(compared)) => Some(compared.clone()),
            _ => None,
        }
    }

    /// Whether it is known how a column's cells are compared, not guessed.
    pub(super) fn knows(&self, column: &str) -> bool {
        self.columns.contains_key(column)
    }
}

/// A column of the same name with these cells.
fn of_values(column: &Column, values: Vec<String>) -> Column {
    let cells = (0..values.len() as u32).collect();
    Column { name: column.name.clone(), texts: column.texts, values: values.into_iter().collect(), cells }
}

fn open(question: Question) -> Unmeasurable {
    Unmeasurable::Open { question: question.into() }
}

/// What a cell of a declared column has to be.
fn said(declared: &Declared) -> CellKind {
    match declared {
        Declared::Number | Declared::Real => CellKind::Number,
        Declared::Integer => CellKind::Whole,
        Declared::Date(_) | Declared::DateAs(_) => CellKind::Date,
    }
}

/// What a cell has to be that is compared so.
pub(crate) fn kind(compared: &Compared) -> CellKind {
    match compared {
        Compared::Labels => CellKind::Label,
        Compared::Numbers(_) => CellKind::Number,
        Compared::Dates(_) => CellKind::Date,
        Compared::Ranks(_) => CellKind::Ordered,
    }
}

#[cfg(test)]
mod tests {
    use lookalike_table::{DateFormat, NumberFormat};

    use super::*;

    fn guess(cells: &[&str]) -> Result<Compared, Unmeasurable> {
        let values: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
        let cells = (0..values.len() as u32).collect();
        Reading::default().published(&Column {
            name: String::from("x"),
            texts: false,
            values: values.into_iter().collect(),
            cells,
        })
    }

    #[test]
    fn the_cells_tell_numbers_and_dates() {
        let plain = Compared::Numbers(NumberFormat::PLAIN);
        assert_eq!(guess(&["[18-20]", "{21, 22.5}", ">=90", "?", "*"]), Ok(plain.clone()));
        assert_eq!(guess(&["[01067-02000]", "03000"]), Ok(plain));
        assert_eq!(guess(&["01067", "03000"]), Ok(Compared::Labels), "codes");
        let comma = Compared::Numbers(NumberFormat::new(',', Some('.')));
        assert_eq!(guess(&["[1,25-2.000,5]", "<=0,5"]), Ok(comma));
        for (cells, value) in [
            (&["[5 %-12.5 %]", "{7 %, 9 %}", ">=90 %"][..], ("12.5 %", 12.5)),
            (&["[-$5.00-$1,234.50]", "$7.00"], ("-$5.00", -5.0)),
            (&["[\u{20ac} 1.234,50-\u{20ac} 2.000,25]"], ("\u{20ac} 1.234,50", 1234.5)),
            (&["[(1,234.5)-17]", "(2)"], ("(1,234.5)", -1234.5)),
        ] {
            let compared = guess(cells).unwrap();
            assert_eq!(compared.value(value.0), Some(value.1), "{cells:?}: {compared:?}");
        }
        let iso = Compared::Dates(DateFormat::iso());
        assert_eq!(guess(&["[2024-01-05 - 2024-02-01]", "{?, 2024-03-01}"]), Ok(iso));
        assert_eq!(guess(&["{FLU, HIV}", "FLU"]), Ok(Compared::Labels));
        assert_eq!(guess(&["[Primary - Tertiary]", "Primary"]), Ok(Compared::Labels));
        assert!(guess(&["[1,234-2,345]"]).unwrap_err().to_string().contains("may be 1234"));
    }
}
