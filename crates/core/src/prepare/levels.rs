//! The levels of each quasi-identifier, where one is chosen for the whole column.
//!
//! Level 0 is the values as the hierarchy spells them, level 1 the first column of labels beside them, and so on, as in the file: every
//! value has a label at every level, so that a level is one generalisation of the whole column. A column of labels without a
//! hierarchy has two levels, its values and [`ANY`].

use std::collections::BTreeSet;

use lookalike_model::{
    lattice::{Lattice, LatticeSet, Level, Levels},
    settings::{QuasiSet, Settings},
};
use lookalike_table::{
    Column, ColumnSpec, Reading, Role, Schema, Table,
    hierarchy::{ANY, Hierarchy},
    is_missing,
};

use super::{
    interval_labels::widths, leaves::penalised, misfit::Misfit, missing::missing_values, recoding::Recoding,
};
use crate::{Error, pipeline::MOST_TO_LOSE};

/// The hierarchy of a column of labels for which none was given.
///
/// # Errors
/// [`Misfit::NoLevels`] of a column that is read otherwise.
pub(super) fn of_labels(column: &Column, reading: &Reading, markers: &[String]) -> Result<Hierarchy, Misfit> {
    let name = || column.name.as_str().into();
    if *reading != Reading::Labels {
        return Err(Misfit::NoLevels { name: name() });
    }
    let mut occurs = vec![false; column.values.len()];
    for &code in &column.cells {
        occurs[code as usize] = true;
    }
    let known: BTreeSet<&str> = (0..occurs.len())
        .filter(|&code| occurs[code])
        .map(|code| column.values[code].trim())
        .filter(|value| !is_missing(value, markers))
        .collect();
    let rows: Vec<Vec<String>> = known.into_iter().map(|value| vec![value.into(), ANY.into()]).collect();
    Hierarchy::new(&rows).map_err(|why| Misfit::Hierarchy { name: name(), why })
}

/// The columns that have levels.
pub(crate) fn quasi(schema: &Schema) -> impl Iterator<Item = &ColumnSpec> {
    schema.columns.iter().filter(|spec| spec.role == Role::QuasiIdentifier)
}

/// What the labels of a column cost.
pub(crate) struct LevelCosts {
    sizes: Vec<Vec<usize>>,
    widths: Option<Vec<Vec<f64>>>,
    values: usize,
}

impl LevelCosts {
    /// Of the labels of this column.
    ///
    /// # Errors
    /// As [`penalised`].
    pub(crate) fn new(spec: &ColumnSpec, hierarchy: &Hierarchy) -> Result<Self, Misfit> {
        let sizes = penalised(&spec.name, hierarchy, &spec.reading)?;
        Ok(Self { sizes, widths: widths(hierarchy, &spec.reading), values: hierarchy.len() })
    }

    /// What a record loses that is published by the label at this node of a level, without the weight.
    pub(crate) fn of(&self, level: usize, node: usize) -> f64 {
        match &self.widths {
            Some(widths) => widths[level][node],
            None => (self.sizes[level][node] - 1) as f64 / (self.values - 1).max(1) as f64,
        }
    }
}

/// The lattice of these rows.
///
/// # Errors
/// [`Misfit::MissingLevel`] of a column that is missing in some of them; as [`penalised`].
pub(super) fn lattice(
    table: &Table,
    schema: &Schema,
    recodings: &[Recoding],
    rows: &[u32],
    settings: &Settings,
) -> Result<Lattice, Error> {
    let columns = quasi(schema)
        .map(|spec| {
            let name = || spec.name.as_str().into();
            let recoding = &recodings[spec.index];
            let hierarchy = recoding.published_by().ok_or_else(|| Misfit::NoLevels { name: name() })?;
            levels(&table.columns[spec.index], spec, hierarchy, (rows, &schema.markers))
        })
        .collect::<Result<Vec<Levels>, Misfit>>()?;
    let place = |name: &String| quasi(schema).position(|spec| spec.name == *name);
    let set = |set: &QuasiSet| {
        let mut columns: Vec<usize> = set.columns.iter().filter_map(place).collect();
        columns.sort_unstable();
        LatticeSet { columns, least: set.k }
    };
    let sets = settings.sets.iter().map(set).collect();
    let mut lattice = Lattice { columns, price: MOST_TO_LOSE, most: 0, sets };
    if let Some(suppress) = settings.suppress {
        lattice.price = suppress.price.unwrap_or(MOST_TO_LOSE);
        lattice.most = suppress.most(rows.len());
    }
    // Weights add up to 1 but for rounding.
    lattice.price = lattice.price.max(lattice.most_to_lose());
    Ok(lattice)
}

/// A column of these rows: its leaves are the values that occur, in the order of the hierarchy.
fn levels(
    column: &Column,
    spec: &ColumnSpec,
    hierarchy: &Hierarchy,
    (rows, markers): (&[u32], &[String]),
) -> Result<Levels, Misfit> {
    let missing = missing_values(&column.values, markers);
    let costs = LevelCosts::new(spec, hierarchy)?;
    let place = |row: &u32| {
        let code = column.cells[*row as usize] as usize;
        let found = hierarchy.find(&column.values[code]).filter(|_| !missing[code]);
        found.ok_or_else(|| Misfit::MissingLevel { name: spec.name.as_str().into() })
    };
    let places: Vec<usize> = rows.iter().map(place).collect::<Result<_, _>>()?;
    let mut used = places.clone();
    used.sort_unstable();
    used.dedup();
    let leaf = places.iter().map(|place| used.partition_point(|other| other < place) as u32).collect();
    let level = |level: usize| {
        let nodes: Vec<usize> = used.iter().map(|&value| hierarchy.node(value, level)).collect();
        let mut numbers = nodes.clone();
        numbers.sort_unstable();
        numbers.dedup();
        Level {
            node: nodes.iter().map(|node| numbers.partition_point(|other| other < node) as u32).collect(),
            cost: nodes.iter().map(|&node| spec.weight * costs.of(level, node)).collect(),
        }
    };
    Ok(Levels { leaf, levels: (0..=hierarchy.height()).map(level).collect() })
}
