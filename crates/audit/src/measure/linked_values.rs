//! Whether the classes of a published table have the sensitive values of the original's rows, as a linking key puts these there.

use std::collections::BTreeMap;

use lookalike_table::{Column, Table, is_missing, parse_number};
use lookalike_words::{Cell, Name};

use super::utility::{columns_of_key, link};
use crate::{Check, Error, Observation, Shared, Subject, Witness};

/// What is compared, and how.
#[derive(Clone, Copy, Debug)]
pub struct ValuesOf<'a> {
    /// The published column with the labels of classes.
    pub class: &'a str,
    /// The sensitive column, of the published table and of the original.
    pub sensitive: &'a str,
    /// Labels that mean "suppressed", which are not classes.
    pub suppressed: &'a [String],
    /// What means "not known": one value, however it is spelled.
    pub missing: &'a [String],
    /// Persons are counted, so that nothing is added.
    pub persons: bool,
}

/// A sensitive value as it is compared. Where all values that are known are numbers, they are compared as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value<'a> {
    Missing,
    /// By its bits.
    Number(u64),
    Text(&'a str),
}

/// How often a class publishes a value, and how often it is linked to the class.
#[derive(Clone, Copy, Debug)]
struct Times<'a> {
    cell: &'a str,
    published: usize,
    /// The first published row, from 1; 0 if there is none.
    first_published: usize,
    linked: usize,
    /// The first row of the original, from 1.
    first_linked: Option<usize>,
}

/// A class, as it is published and as it is linked.
#[derive(Debug, Default)]
struct Class<'a> {
    published: usize,
    /// Rows that are linked with a value.
    linked: usize,
    values: BTreeMap<Value<'a>, Times<'a>>,
}

impl<'a> Class<'a> {
    fn times(&mut self, value: Value<'a>, cell: &'a str) -> &mut Times<'a> {
        let none = Times { cell, published: 0, first_published: 0, linked: 0, first_linked: None };
        self.values.entry(value).or_insert(none)
    }
}

/// Whether each published class has the sensitive values of the original's rows that the linking key puts there, each as often, those
/// of the counterfeits that it lists included. Where persons are not counted and the key does not say the values of counterfeits
/// (column `sensitive`), a class with more rows than are linked to it may have others beside these.
///
/// # Errors
/// If a column is missing, or as [`link`].
pub fn same_values(
    published: &Table,
    (original, key): (&Table, &Table),
    of: &ValuesOf,
) -> Result<Check, Error> {
    let there =
        |name: &str| published.column(name).ok_or_else(|| Error::NoColumn { column: Name::from(name) });
    let (labels, released) = (there(of.class)?, there(of.sensitive)?);
    let source = original
        .column(of.sensitive)
        .ok_or_else(|| Error::NoOriginalColumn { column: Name::from(of.sensitive) })?;
    let links = link(key, original.rows)?;
    let (row_of, class_of) = columns_of_key(key)?;
    let added = key.column("sensitive");
    let value = reading([Some(released), Some(source), added].into_iter().flatten(), of.missing);
    let mut classes: BTreeMap<&str, Class> = BTreeMap::new();
    for row in 0..published.rows {
        let class = classes.entry(labels.cell(row).trim()).or_default();
        class.published += 1;
        let cell = released.cell(row);
        let times = class.times(value(cell), cell);
        times.published += 1;
        if times.first_published == 0 {
            times.first_published = row + 1;
        }
    }
    let of_source = links
        .iter()
        .enumerate()
        .filter_map(|(row, label)| Some((Some(row + 1), label.as_deref()?, source.cell(row))));
    let of_added = (0..key.rows).filter_map(|line| {
        let cell = added?.cell(line);
        row_of.cell(line).trim().starts_with('+').then(|| (None, class_of.cell(line).trim(), cell))
    });
    for (row, label, cell) in of_source.chain(of_added) {
        let class = classes.entry(label).or_default();
        class.linked += 1;
        let times = class.times(value(cell), cell);
        times.linked += 1;
        times.first_linked = times.first_linked.or(row);
    }
    classes.retain(|label, _| !label.is_empty() && !of.suppressed.iter().any(|cell| cell.trim() == *label));
    Ok(check(&classes, of, of.persons || added.is_some()))
}

/// What differs; `complete` if the key knows the value of each row.
fn check(classes: &BTreeMap<&str, Class>, of: &ValuesOf, complete: bool) -> Check {
    let (mut odd, mut rows, mut unknown) = (0, 0, 0);
    let mut witnesses = Vec::new();
    for (label, class) in classes {
        let exact = complete || class.published <= class.linked;
        let mut broken = false;
        for times in class.values.values() {
            let Times { cell, published, linked, .. } = *times;
            if published >= linked && (published == linked || !exact) {
                continue;
            }
            broken = true;
            let value = Cell::from(cell);
            let class = vec![Shared::Cell { column: of.class.to_owned(), cell: Cell::from(*label) }];
            witnesses.push(if published > linked {
                Witness::ForeignValue { of: class, value, published, linked, first: times.first_published }
            } else {
                Witness::LostValue { of: class, value, published, linked, first: times.first_linked }
            });
        }
        odd += usize::from(broken);
        rows += class.linked;
        unknown += if exact { 0 } else { class.published - class.linked };
    }
    let classes = classes.len();
    let finding = match odd {
        0 => Observation::SameValues { classes, rows, unknown },
        odd => Observation::OtherValues { classes, odd },
    };
    Check::new(Subject::KeyValues, finding, witnesses)
}

/// How the cells of these columns are compared.
fn reading<'a>(
    columns: impl Iterator<Item = &'a Column>,
    missing: &'a [String],
) -> impl Fn(&'a str) -> Value<'a> {
    let is_known = |cell: &&str| !cell.trim().is_empty() && !is_missing(cell, missing);
    let mut known = columns.flat_map(|column| column.values.iter()).filter(is_known);
    let numbers = known.all(|cell| parse_number(cell).is_some());
    move |cell| match parse_number(cell).filter(|_| numbers) {
        _ if is_missing(cell, missing) => Value::Missing,
        // -0 is 0.
        Some(number) => Value::Number((number + 0.0).to_bits()),
        // Apostrophes before a cell keep spreadsheets from running it as a formula.
        None => Value::Text(cell.trim().trim_start_matches('\'')),
    }
}
