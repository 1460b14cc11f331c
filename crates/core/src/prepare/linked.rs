//! The colours of persons with several rows under m-invariance: groups of linked sensitive values.
//!
//! No value of a class may be held by two of its persons. A search knows one colour a record, so the colour of a person is
//! the connected component of its values: values that one person holds are linked, and two persons of different components
//! have no value in common. The converse does not hold: persons of one component are kept apart whether they have a value
//! in common or not. So every partition by these colours keeps the promise, and a partition of less loss that does, too,
//! may be none of them. If everybody has one value, colours are values. Union and find, near linear in the rows.

use std::collections::BTreeMap;

use lookalike_model::{
    report::LinkedValues,
    settings::{Missing, MissingPolicy, Model, Settings},
    survey::Survey,
};
use lookalike_table::{Column, Role, Schema, Table, is_missing};

use super::{Persons, persons::whose, repair::codes, roles::known, wishes::wanted};
use crate::{Error, eligibility::NotEligible};

/// The colour of each person, whose rows stand at places among these `rows`; all 0 under k-anonymity. Says in `persons` how
/// values are linked.
///
/// # Errors
/// [`NotEligible::LinkedTooFrequent`] if the values of a component are held by more than one in m persons.
pub(super) fn colours(
    table: &Table,
    schema: &Schema,
    settings: &Settings,
    persons: &mut Persons,
    rows: &[u32],
) -> Result<Vec<u32>, Error> {
    let sensitive = schema.columns.iter().find(|spec| spec.role == Role::Sensitive);
    let (Model::MInvariance { m }, Some(spec)) = (settings.model, sensitive) else {
        return Ok(vec![0; persons.count()]);
    };
    let Linked { values, colours, sizes, holders } =
        Linked::of(&table.columns[spec.index], rows, &schema.markers, &persons.rows);
    // Nothing is changed, so nothing can be preferred.
    wanted(settings, &values)?;
    persons.linked = Some(LinkedValues {
        values: values.len(),
        groups: sizes.iter().filter(|&&size| size > 0).count(),
        largest: sizes.iter().max().copied().unwrap_or(0),
    });
    let (most, of_all, m) = (holders.iter().max().copied().unwrap_or(0), colours.len() as u64, m as u64);
    if u128::from(most) * u128::from(m) <= u128::from(of_all) {
        return Ok(colours);
    }
    let worst = holders.iter().position(|&count| count == most).unwrap_or(0);
    let linked = sizes.get(worst).copied().unwrap_or(0);
    Err(NotEligible::LinkedTooFrequent {
        column: spec.name.as_str().into(),
        value: values.get(worst).filter(|_| linked == 1).map(|value| value.as_str().into()),
        linked,
        held: most,
        persons: of_all,
        m,
        at_most: of_all / m.max(1),
        largest: of_all / most.max(1),
    }
    .into())
}

/// How the values of persons are linked, and by how many they are held.
struct Linked {
    /// Different values, ascending.
    values: Vec<String>,
    /// The component of each person's values.
    colours: Vec<u32>,
    /// How many values each component has.
    sizes: Vec<usize>,
    /// How many persons hold a value of each component.
    holders: Vec<u64>,
}

impl Linked {
    /// Of persons whose rows stand at places among these `rows`.
    fn of(column: &Column, rows: &[u32], markers: &[String], persons: &[Vec<u32>]) -> Self {
        let (values, code_of) = codes(column, rows, markers, &[]);
        let code = |place: u32| code_of[column.cells[rows[place as usize] as usize] as usize];
        let held = |places: &Vec<u32>| places.iter().map(|&place| code(place)).collect::<Vec<u32>>();
        let components = Components::of(values.len(), persons.iter().map(held));
        let group = |places: &Vec<u32>| components.of_value(places.first().map_or(0, |&place| code(place)));
        let colours: Vec<u32> = persons.iter().map(group).collect();
        let mut holders = vec![0_u64; values.len()];
        for &colour in &colours {
            holders[colour as usize] += 1;
        }
        Self { values, colours, sizes: components.sizes(), holders }
    }
}

/// For which m a table of persons with several rows can be published, whose key the column `person` holds; nothing is ever changed
/// there. Persons count, and groups of linked values. Rows with a missing value count only if "missing" is a value of its own.
///
/// # Errors
/// If a column is missing; [`NotEligible::NoChoiceOfPeople`] if fewer than two groups of values are left.
pub fn survey(table: &Table, sensitive: &str, person: &str, missing: &Missing) -> Result<Survey, Error> {
    let column = known(table, sensitive)?;
    let absent: Vec<bool> = column.values.iter().map(|cell| is_missing(cell, &missing.markers)).collect();
    let keeps = missing.sensitive == MissingPolicy::Value;
    let counts = |row: &u32| keeps || !absent[column.cells[*row as usize] as usize];
    let rows: Vec<u32> = (0..table.rows as u32).filter(counts).collect();
    let whose = whose(table, person)?;
    let mut persons: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (place, &row) in (0..).zip(&rows) {
        persons.entry(whose[row as usize]).or_default().push(place);
    }
    let persons: Vec<Vec<u32>> = persons.into_values().collect();
    let Linked { holders, .. } = Linked::of(column, &rows, &missing.markers, &persons);
    let values = holders.iter().filter(|&&held| held > 0).count() as u64;
    let (people, most) = (persons.len() as u64, holders.iter().max().copied().unwrap_or(0));
    if values < 2 {
        return Err(NotEligible::NoChoiceOfPeople { column: sensitive.into(), values, people }.into());
    }
    Ok(Survey {
        sensitive: sensitive.to_owned(),
        rows: people,
        dropped: (table.rows - rows.len()) as u64,
        values,
        largest_m_without_changes: people / most.max(1),
        warnings: Vec::new(),
        survey: Vec::new(),
        published: Vec::new(),
    })
}

/// Codes of values and which of them are linked; a component is known by the least of its codes.
struct Components {
    root: Vec<u32>,
}

impl Components {
    /// Of so many values, where the values of each of `sets` are linked.
    fn of(values: usize, sets: impl Iterator<Item = Vec<u32>>) -> Self {
        let mut parent: Vec<u32> = (0..values as u32).collect();
        for set in sets {
            for pair in set.windows(2) {
                let (one, other) = (find(&mut parent, pair[0]), find(&mut parent, pair[1]));
                parent[one.max(other) as usize] = one.min(other);
            }
        }
        Self { root: (0..values as u32).map(|value| find(&mut parent, value)).collect() }
    }

    /// The component of a value.
    fn of_value(&self, value: u32) -> u32 {
        self.root.get(value as usize).copied().unwrap_or(0)
    }

    /// How many values the component of each code has; 0 for codes that no component is known by.
    fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.root.len()];
        for &root in &self.root {
            sizes[root as usize] += 1;
        }
        sizes
    }
}

/// The root of a value; halves the way to it.
fn find(parent: &mut [u32], mut value: u32) -> u32 {
    while parent[value as usize] != value {
        parent[value as usize] = parent[parent[value as usize] as usize];
        value = parent[value as usize];
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_one_person_holds_are_linked_and_so_are_those_linked_to_them() {
        let sets = [vec![5, 3], vec![0], vec![4, 4], vec![1, 5], vec![2]];
        let components = Components::of(6, sets.into_iter());
        assert_eq!(components.root, [0, 1, 2, 1, 4, 1]);
        assert_eq!(components.sizes(), [1, 3, 1, 0, 1, 0]);
    }

    #[test]
    fn with_one_value_each_components_are_values() {
        let components = Components::of(4, (0..4).map(|value| vec![value; 3]));
        assert_eq!(components.root, [0, 1, 2, 3]);
    }
}
