//! Persons with several rows: which rows are whose, and one record of the job for each person.
//!
//! All rows of a person are in one class. If they were spread over several, an attacker who knows that somebody has rows in
//! two classes would be left with those who have rows in both, however many persons each class has.
//!
//! The point of a person is the mean of the points of its rows, and counts once: a person with fifty rows pulls a class no
//! more than one with a single row. Under m-invariance the colour of a person is the group of its sensitive values
//! (`linked.rs`). The search sees records as ever, and no key. O(n log n) for n rows.

use lookalike_model::{
    report::LinkedValues,
    settings::{RowsAre, Settings},
};
use lookalike_table::{ColumnSpec, Dictionary, Role, Schema, Table};
use rustc_hash::FxHashMap;

use super::{
    encode::Encoded,
    misfit::Misfit,
    roles::{known, published},
};
use crate::{Error, persons::folded};

/// Whose rows are whose.
#[derive(Clone, Debug)]
pub(crate) struct Persons {
    /// The column with the key.
    pub(crate) key: usize,
    /// The rows of each person; input rows in the order of the job once there is one, before that their places among the
    /// canonical rows.
    pub(crate) rows: Vec<Vec<u32>>,
    /// Persons who were suppressed for their price.
    pub(crate) suppressed: usize,
    /// How their sensitive values are linked, under m-invariance.
    pub(crate) linked: Option<LinkedValues>,
}

impl Persons {
    /// The persons of canonical `rows`, in an order that follows from what is published of them; `None` if each row is a
    /// person.
    ///
    /// # Errors
    /// If there is no column with the key.
    pub(super) fn of(
        table: &Table,
        schema: &Schema,
        settings: &Settings,
        rows: &[u32],
    ) -> Result<Option<Self>, Error> {
        let Some(RowsAre::EventsOf(name)) = &settings.rows_are else { return Ok(None) };
        let whose = whose(table, name)?;
        let key = table.columns.iter().position(|column| column.name == *name).unwrap_or_default();
        let others = ranks(table, published(schema).filter(|spec| spec.role != Role::Unchanged), rows);
        let all = ranks(table, published(schema), rows);
        let mut persons: Vec<Vec<u32>> = vec![Vec::new(); table.columns[key].values.len()];
        for (place, &row) in (0..).zip(rows) {
            persons[whose[row as usize] as usize].push(place);
        }
        persons.retain(|places| !places.is_empty());
        let content = |ranks: &[u32], places: &[u32]| {
            places.iter().map(|&place| ranks[place as usize]).collect::<Vec<_>>()
        };
        // Columns that are published unchanged come last: classes do not depend on them. Persons of equal content are
        // interchangeable: their rows decide.
        persons.sort_by_cached_key(|places| {
            (content(&others, places), content(&all, places), rows[places[0] as usize])
        });
        Ok(Some(Self { key, rows: persons, suppressed: 0, linked: None }))
    }

    /// How many persons there are.
    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    /// All rows, person by person.
    pub(crate) fn flat(&self) -> Vec<u32> {
        self.rows.concat()
    }

    /// Whose each row of [`Self::flat`] is, by the places of the persons.
    pub(crate) fn owners(&self) -> Vec<u32> {
        self.spread(&(0..self.count() as u32).collect::<Vec<u32>>())
    }

    /// What is said of each person, once for each of its rows.
    pub(crate) fn spread(&self, of_persons: &[u32]) -> Vec<u32> {
        let each = self.rows.iter().zip(of_persons);
        each.flat_map(|(rows, &label)| std::iter::repeat_n(label, rows.len())).collect()
    }

    /// The persons in this order, with the input rows that stand at the places among `rows`.
    pub(super) fn placed(&self, order: &[u32], rows: &[u32]) -> Self {
        let of_person = |&i: &u32| {
            let mut own: Vec<u32> = self.rows[i as usize].iter().map(|&place| rows[place as usize]).collect();
            own.sort_unstable();
            own
        };
        Self { rows: order.iter().map(of_person).collect(), ..self.clone() }
    }

    /// One point a person, of one point a row: the mean of those at its places.
    ///
    /// # Errors
    /// [`Misfit::TooManyLabels`] if the points have no mean.
    pub(crate) fn means(&self, encoded: &Encoded) -> Result<Encoded, Misfit> {
        if let Some(why) = &encoded.without_mean {
            return Err(why.clone());
        }
        let mean = |column: &Vec<f64>| {
            let of_person =
                |places: &Vec<u32>| mean(places.iter().map(|&place| column[place as usize]).collect());
            self.rows.iter().map(of_person).collect()
        };
        Ok(Encoded { columns: encoded.columns.iter().map(mean).collect(), ..encoded.clone() })
    }

    /// The same persons by the places of their rows in [`Self::flat`].
    pub(crate) fn by_place(&self) -> Self {
        let mut next = 0..;
        let places = |rows: &Vec<u32>| next.by_ref().take(rows.len()).collect();
        Self { rows: self.rows.iter().map(places).collect(), ..self.clone() }
    }
}

/// The mean of at least one value, whatever their order; that of equal values is the value itself.
fn mean(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let least = values.first().copied().unwrap_or(0.0);
    least + values.iter().map(|x| x - least).sum::<f64>() / values.len().max(1) as f64
}

/// For each row of the table its person, by the key in this column.
///
/// # Errors
/// If there is no such column.
pub(crate) fn whose(table: &Table, key: &str) -> Result<Vec<u32>, Error> {
    let column = known(table, key)?;
    let names = names(&column.values);
    Ok(column.cells.iter().map(|&code| names[code as usize]).collect())
}

/// The person of each dictionary entry: keys that people read as one are one person's.
fn names(values: &Dictionary) -> Vec<u32> {
    let mut known: FxHashMap<String, u32> = FxHashMap::default();
    let name = |(code, cell): (u32, &str)| *known.entry(folded(cell)).or_insert(code);
    (0..).zip(values.iter()).map(name).collect()
}

/// Ranks of canonical rows by their content in these columns: equal for rows of equal content.
fn ranks<'a>(table: &Table, of: impl Iterator<Item = &'a ColumnSpec>, rows: &[u32]) -> Vec<u32> {
    let columns: Vec<&[u32]> = of.map(|spec| table.columns[spec.index].cells.as_slice()).collect();
    let differ = |a: u32, b: u32| columns.iter().any(|cells| cells[a as usize] != cells[b as usize]);
    let mut rank = 0;
    let mut ranks = Vec::with_capacity(rows.len());
    for (at, &row) in rows.iter().enumerate() {
        rank += u32::from(at > 0 && differ(rows[at - 1], row));
        ranks.push(rank);
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_have_their_own_point_as_mean() {
        assert_eq!(mean(vec![0.1; 3]).to_bits(), 0.1_f64.to_bits());
        assert_eq!(mean(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(mean(vec![0.3, 0.1, 0.7]).to_bits(), mean(vec![0.7, 0.3, 0.1]).to_bits());
    }

    #[test]
    fn what_is_said_of_persons_holds_for_their_rows() {
        let rows = vec![vec![4, 9], vec![2], vec![0, 1, 3]];
        let persons = Persons { key: 0, rows, suppressed: 0, linked: None };
        assert_eq!(persons.flat(), [4, 9, 2, 0, 1, 3]);
        assert_eq!(persons.spread(&[7, 5, 7]), [7, 7, 5, 7, 7, 7]);
        assert_eq!(persons.owners(), [0, 0, 1, 2, 2, 2]);
        assert_eq!(persons.by_place().rows, [vec![0, 1], vec![2], vec![3, 4, 5]]);
    }
}
