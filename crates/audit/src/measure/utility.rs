//! Figures that need the original rows and the class of each.

use std::collections::BTreeMap;

use lookalike_table::{Column, Table};
use lookalike_words::Name;

use super::{
    Reading,
    pair::{Linked, Pair},
    queries::{self, QueryError},
};
use crate::{Error, Unlinked, Unmeasurable};

/// What the original's records lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Utility {
    /// Original rows that are published.
    pub published_rows: usize,
    /// Original rows that are not.
    pub unpublished_rows: usize,
    /// Published rows that are no original row: counterfeits.
    pub added_rows: usize,
    /// One entry a quasi-identifier.
    pub columns: Vec<ColumnUtility>,
    /// Sum over the published original rows of the mean NCP of their columns; `None` if none is measurable.
    pub ncp_total: Option<f64>,
    /// Its mean a row.
    pub gcp_mean: Option<f64>,
    /// Sum of squared errors within classes, over the columns that vary, each of total variance 1.
    pub sse: f64,
    /// The same of the whole table as one class.
    pub sst: f64,
    /// 100 sse / sst; 0 if sst is 0.
    pub information_loss_percent: f64,
    /// Error of random counting queries; `None` if no column is measurable.
    pub queries: Option<QueryError>,
}

/// What one column lost.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnUtility {
    /// Its name.
    pub name: String,
    /// Mean NCP of the published original rows, the domain being the original's; or why it cannot be measured.
    pub ncp: Result<f64, Unmeasurable>,
    /// 100 SSE / SST of the original values within the classes; 0 if all are equal.
    pub information_loss_percent: f64,
    /// Published original rows whose published cell does not say their value: none with ranges and sets, most with
    /// centroids. `None` if not measurable.
    pub uncovered: Option<usize>,
    /// Of a column of numbers. Not publishable: with the published table it gives the original's mean and variance.
    pub statistic: Option<Statistic>,
}

/// How a column's mean and variance changed. A published range counts as uniformly spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistic {
    /// (Published mean - original mean) / original standard deviation.
    pub mean_shift: f64,
    /// Published variance / original variance.
    pub variance_ratio: f64,
}

/// The class of each original row, from `classes.csv`: columns `row` (from 0) and `class`, empty for a row that is not
/// published. Rows `+0`, `+1`, ... are counterfeits and left out.
///
/// # Errors
/// [`Error::Links`] if a column is missing, a row number is none, is named twice, or is beyond `rows`.
pub fn link(classes: &Table, rows: usize) -> Result<Vec<Option<String>>, Error> {
    let refuse = |why: Unlinked| Error::Links { why };
    let (row_of, class_of) = columns_of_key(classes)?;
    let mut links: Vec<Option<Option<String>>> = vec![None; rows];
    for line in 0..classes.rows {
        let (row, class) = (row_of.cell(line).trim(), class_of.cell(line).trim());
        if row.starts_with('+') {
            continue;
        }
        let place = row.parse::<usize>().ok().and_then(|row| links.get_mut(row));
        let Some(place) = place else {
            let (row, last) = (Name::from(row), rows.saturating_sub(1));
            return Err(refuse(Unlinked::NoSuchRow { line: line + 1, row, last }));
        };
        if place.is_some() {
            return Err(refuse(Unlinked::Twice { row: row.to_owned() }));
        }
        *place = Some((!class.is_empty()).then(|| class.to_owned()));
    }
    match links.iter().position(Option::is_none) {
        Some(row) => Err(refuse(Unlinked::Lacks { row })),
        None => Ok(links.into_iter().flatten().collect()),
    }
}

/// The columns `row` and `class` of a linking key.
pub(super) fn columns_of_key(key: &Table) -> Result<(&Column, &Column), Error> {
    let column = |name: &str| {
        let why = Unlinked::NoColumn { column: Name::from(name) };
        key.column(name).ok_or(Error::Links { why })
    };
    Ok((column("row")?, column("class")?))
}

/// What the published table lost of the original. `links` holds the class of each original row, a label of the column
/// `class`. `seed` decides which `queries` are asked: see `docs/checks.md`.
///
/// Sums run over sorted values: the order of the original's rows does not matter.
///
/// # Errors
/// If a column is missing, or a link names a class that the published table does not have.
pub fn utility(
    published: &Table,
    original: &Table,
    links: &[Option<String>],
    quasi: &[String],
    class: &str,
    reading: &Reading,
    (seed, queries): (u64, usize),
) -> Result<Utility, Error> {
    let column = |name: &String| {
        published.column(name).ok_or_else(|| Error::NoColumn { column: Name::from(name.as_str()) })
    };
    let labels = column(&class.to_owned())?;
    let mut first_row: BTreeMap<&str, usize> = BTreeMap::new();
    for row in 0..published.rows {
        first_row.entry(labels.cell(row)).or_insert(row);
    }
    let mut rows = Vec::new();
    for (row, label) in links.iter().enumerate() {
        let Some(label) = label else { continue };
        let Some(&at) = first_row.get(label.as_str()) else {
            let why = Unlinked::NoSuchClass { row, class: Name::from(label.as_str()) };
            return Err(Error::Links { why });
        };
        rows.push(Linked { row, at });
    }
    let mut found = Utility {
        published_rows: rows.len(),
        unpublished_rows: links.len() - rows.len(),
        added_rows: published.rows.saturating_sub(rows.len()),
        columns: Vec::new(),
        ncp_total: None,
        gcp_mean: None,
        sse: 0.0,
        sst: 0.0,
        information_loss_percent: 0.0,
        queries: None,
    };
    let mut parsed_pairs = Vec::new();
    for name in quasi {
        let before = original
            .column(name)
            .ok_or_else(|| Error::NoOriginalColumn { column: Name::from(name.as_str()) })?;
        let pair = Pair::new(before, column(name)?, reading);
        let (sse, sst) = pair.squared_errors(&rows);
        (found.sse, found.sst) = (found.sse + sse, found.sst + sst);
        found.columns.push(pair.column_utility(name, &rows, sse, sst));
        parsed_pairs.push(pair);
    }
    let measured: Vec<f64> = found.columns.iter().filter_map(|c| c.ncp.as_ref().ok().copied()).collect();
    if !measured.is_empty() {
        let mean = measured.iter().sum::<f64>() / measured.len() as f64;
        (found.gcp_mean, found.ncp_total) = (Some(mean), Some(mean * rows.len() as f64));
    }
    if found.sst > 0.0 {
        found.information_loss_percent = 100.0 * found.sse / found.sst;
    }
    found.queries = queries::error(&parsed_pairs, original.rows, published.rows, seed, queries);
    Ok(found)
}
