//! Published order: rows and class labels tell nothing but what is published.

use std::{cmp::Ordering, sync::Arc};

use lookalike_model::job::Answer;
use lookalike_table::{ColumnSpec, Role, Table, is_missing, parse_number, write};

use super::{cells::cells, points, sets};
use crate::prepare::{CLASS, Prepared, published, recoded};

/// One class, in published order; its label is its place, counted from 1.
pub(crate) struct Class {
    /// Input rows of its real records, ascending.
    pub(crate) rows: Vec<u32>,
    /// Sensitive values of its counterfeits.
    pub(crate) counterfeits: Vec<String>,
    /// Published cells of the columns that are recoded, in the table's order; a column whose ranges are published in two columns has
    /// as many.
    pub(crate) cells: Vec<String>,
    /// Counterfeits by their place in the job.
    pub(crate) counterfeit_ids: Vec<usize>,
    /// Input rows that lend the counterfeits their quasi-identifiers, in the same order; empty if they have none.
    pub(crate) drawn_from: Vec<u32>,
    /// Input rows that the cells cover, where these are not those of the class: rows of their own.
    pub(crate) covered: Vec<u32>,
    /// Of each column in a set of quasi-identifiers the input rows that its cell covers: those of its group, which may be larger than
    /// the class.
    pub(crate) groups: Vec<(usize, Arc<[u32]>)>,
}

impl Class {
    /// The input rows that the cell of a column covers, but for counterfeits.
    pub(crate) fn covers(&self, column: usize) -> &[u32] {
        let group = self.groups.iter().find(|(of, _)| *of == column);
        group.map_or(self.rows.as_slice(), |(_, rows)| rows)
    }
}

/// The table to be published.
pub(crate) struct Release {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// The classes of an answer, recoded and in published order: by their published cells, then by the cells of their rows that
/// are not recoded. Classes that are equal in both are interchangeable.
pub(crate) fn classes(table: &Table, prepared: &Prepared, answer: &Answer) -> Vec<Class> {
    let count = answer.labels.iter().map(|&l| l as usize + 1).max().unwrap_or(0);
    let mut classes: Vec<Class> = (0..count)
        .map(|_| Class {
            rows: Vec::new(),
            counterfeits: Vec::new(),
            cells: Vec::new(),
            counterfeit_ids: Vec::new(),
            drawn_from: Vec::new(),
            covered: Vec::new(),
            groups: Vec::new(),
        })
        .collect();
    let drawn_from = points::of_counterfeits(prepared, answer);
    for (i, &label) in answer.labels.iter().enumerate() {
        let class = &mut classes[label as usize];
        if let Some(&row) = prepared.rows.get(i) {
            class.rows.push(row);
        } else {
            let id = i - prepared.rows.len();
            class.counterfeits.push(prepared.counterfeits[id].clone());
            class.counterfeit_ids.push(id);
            class.drawn_from.extend(drawn_from.get(id));
        }
    }
    let recoded: Vec<_> = recoded(&prepared.schema).collect();
    for (label, of_set) in sets::groups(prepared, answer) {
        classes[label as usize].groups.extend(of_set);
    }
    for class in &mut classes {
        class.rows.sort_unstable();
        // Counterfeits that have quasi-identifiers are covered like anybody.
        let covered: Vec<u32> = class.rows.iter().chain(&class.drawn_from).copied().collect();
        class.cells = recoded
            .iter()
            .flat_map(|spec| {
                let (column, recoding) = (&table.columns[spec.index], &prepared.recodings[spec.index]);
                let covers = if class.groups.is_empty() { &covered } else { class.covers(spec.index) };
                cells(column, spec, recoding, covers, &prepared.schema.markers)
            })
            .collect();
    }
    let mut keyed: Vec<_> = classes
        .into_iter()
        .map(|class| {
            let rows = own_cells(table, prepared, &class);
            (class, rows)
        })
        .collect();
    // Equal ones stay in the order of the job, which does not depend on the order of the input's rows: so their numbers of
    // counterfeits, which the ledger has, do not either.
    keyed.sort_by(|(a, x), (b, y)| compare_all(&a.cells, &b.cells).then_with(|| compare_rows(x, y)));
    keyed.into_iter().map(|(class, _)| class).collect()
}

/// The name of the column of classes; where there is none, one that no published column has.
pub(crate) fn label(prepared: &Prepared) -> String {
    let taken = |name: &str| {
        published(&prepared.schema).any(|column| {
            column.name == name || names(prepared, column).iter().any(|published| published == name)
        })
    };
    let mut name = prepared.settings.class_column.name().unwrap_or(CLASS).to_owned();
    while taken(&name) {
        name.push('_');
    }
    name
}

/// The names under which a column is published.
pub(crate) fn names(prepared: &Prepared, spec: &ColumnSpec) -> Vec<String> {
    match spec.role {
        Role::Sensitive | Role::Unchanged => vec![spec.name.clone()],
        _ => prepared.recodings[spec.index].names(spec),
    }
}

/// The table without its last column, the class. Rows whose other cells are alike stand in the order of their sensitive
/// values: the order of classes would tell them apart.
pub(crate) fn without_class(labelled: &Release, sensitive: Option<usize>) -> Release {
    let cut = |cells: &Vec<String>| cells[..cells.len().saturating_sub(1)].to_vec();
    let mut rows: Vec<Vec<String>> = labelled.rows.iter().map(cut).collect();
    rows.sort_by(|a, b| {
        let columns = (0..a.len()).filter(|at| Some(*at) != sensitive).chain(sensitive);
        columns.map(|at| compare(&a[at], &b[at])).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
    Release { header: cut(&labelled.header), rows }
}

/// The place of the sensitive column among the published ones.
pub(crate) fn sensitive_place(prepared: &Prepared) -> Option<usize> {
    let mut columns =
        published(&prepared.schema).flat_map(|spec| names(prepared, spec).into_iter().map(|_| spec.role));
    columns.position(|role| role == Role::Sensitive)
}

/// The published table: columns in the input's order, then the class; rows sorted by published content only.
pub(crate) fn release(table: &Table, prepared: &Prepared, classes: &[Class]) -> Release {
    let columns: Vec<_> = published(&prepared.schema).collect();
    let mut header: Vec<String> = columns.iter().flat_map(|c| names(prepared, c)).collect();
    header.push(label(prepared));
    let roles: Vec<Role> =
        columns.iter().flat_map(|c| names(prepared, c).into_iter().map(|_| c.role)).collect();
    let mut rows = Vec::new();
    for (at, class) in classes.iter().enumerate() {
        let label = (at + 1).to_string();
        for own in own_cells(table, prepared, class) {
            let (mut recoded, mut own) = (class.cells.iter().cloned(), own.into_iter());
            let mut row: Vec<String> = roles
                .iter()
                .map(|role| match role {
                    Role::Sensitive | Role::Unchanged => own.next(),
                    _ => recoded.next(),
                })
                .map(Option::unwrap_or_default)
                .collect();
            row.push(label.clone());
            rows.push(row);
        }
    }
    Release { header, rows }
}

/// `classes.csv`: for each input row its published class, empty if it is not published; then the counterfeits.
pub(crate) fn linking_key(table: &Table, prepared: &Prepared, classes: &[Class]) -> Vec<u8> {
    let mut of_row = vec![String::new(); table.rows];
    let mut fake = vec![(String::new(), String::new()); prepared.counterfeits.len()];
    for (at, class) in classes.iter().enumerate() {
        for &row in &class.rows {
            of_row[row as usize] = (at + 1).to_string();
        }
        for (&id, value) in class.counterfeit_ids.iter().zip(&class.counterfeits) {
            fake[id] = ((at + 1).to_string(), value.clone());
        }
    }
    let with_counterfeits = !fake.is_empty();
    let mut header = vec![String::from("row"), String::from("class")];
    if with_counterfeits {
        header.push(String::from("sensitive"));
    }
    let mut rows: Vec<Vec<String>> = of_row
        .into_iter()
        .enumerate()
        .map(|(row, class)| {
            let mut line = vec![row.to_string(), class];
            line.extend(with_counterfeits.then(String::new));
            line
        })
        .collect();
    rows.extend(
        fake.into_iter().enumerate().map(|(id, (class, value))| vec![format!("+{id}"), class, value]),
    );
    write(&header, rows.iter().map(|r| r.iter().map(String::as_str)))
}

/// The cells of each row of a class that are not recoded, in the table's order of columns and in published order of rows.
/// Counterfeits have a sensitive value alone: there are none where columns are published unchanged.
fn own_cells(table: &Table, prepared: &Prepared, class: &Class) -> Vec<Vec<String>> {
    let own = |spec: &&ColumnSpec| matches!(spec.role, Role::Sensitive | Role::Unchanged);
    let columns: Vec<usize> = prepared.schema.columns.iter().filter(own).map(|spec| spec.index).collect();
    let of = |row: &u32| columns.iter().map(|&c| own_cell(table, prepared, c, *row).to_owned()).collect();
    let fakes = class.counterfeits.iter().map(|value| vec![value.clone()]);
    let mut rows: Vec<Vec<String>> = class.rows.iter().map(of).chain(fakes).collect();
    rows.sort_by(|a, b| compare_all(a, b));
    rows
}

/// A cell that is published as it is. Sensitive values that are not known have one spelling where others of them are of nobody, or of
/// people in other releases: by spellings of their own a counterfeit, or whose value it was before, would be known.
fn own_cell<'a>(table: &'a Table, prepared: &'a Prepared, column: usize, row: u32) -> &'a str {
    let cells = &table.columns[column];
    let own = cells.cell(row as usize);
    let sensitive = || prepared.schema.columns.iter().any(|c| c.index == column && c.role == Role::Sensitive);
    let unknown = |text: &str| is_missing(text, &prepared.schema.markers);
    if !unknown(own) || !sensitive() {
        return own;
    }
    let shared = match &prepared.series {
        Some(part) => part
            .code_of
            .get(cells.cells[row as usize] as usize)
            .and_then(|&code| part.values.get(code as usize)),
        None => prepared.counterfeits.iter().find(|value| unknown(value)),
    };
    shared.map_or(own, String::as_str)
}

/// Sensitive values of a class, counterfeits among them, in published order; empty texts if no sensitive column is
/// published.
pub(crate) fn values(table: &Table, prepared: &Prepared, class: &Class) -> Vec<String> {
    let spec = prepared.schema.columns.iter().find(|c| c.role == Role::Sensitive);
    let of =
        |row: &u32| spec.map_or_else(String::new, |s| own_cell(table, prepared, s.index, *row).to_owned());
    let mut values: Vec<String> =
        class.rows.iter().map(of).chain(class.counterfeits.iter().cloned()).collect();
    values.sort_by(|a, b| compare(a, b));
    values
}

/// Records in the order in which their sensitive values are published; among equals by row.
pub(super) fn by_value(table: &Table, prepared: &Prepared, rows: &[u32]) -> Vec<u32> {
    let spec = prepared.schema.columns.iter().find(|c| c.role == Role::Sensitive);
    let value = |row: u32| spec.map_or("", |s| own_cell(table, prepared, s.index, row));
    let mut rows = rows.to_vec();
    rows.sort_by(|&a, &b| compare(value(a), value(b)).then(a.cmp(&b)));
    rows
}

/// The order of published cells: numbers before texts, numbers by value and then by text, texts by bytes.
fn compare(a: &str, b: &str) -> Ordering {
    match (parse_number(a), parse_number(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

fn compare_rows(a: &[Vec<String>], b: &[Vec<String>]) -> Ordering {
    let rows = a.iter().zip(b).map(|(x, y)| compare_all(x, y));
    rows.into_iter().find(|o| o.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
}

pub(crate) fn compare_all(a: &[String], b: &[String]) -> Ordering {
    a.iter().zip(b).map(|(x, y)| compare(x, y)).find(|o| o.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
}
