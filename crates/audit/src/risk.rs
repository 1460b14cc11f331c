//! Risk of re-identification of a table that is held in memory, published or raw.

use std::collections::BTreeMap;

use lookalike_table::{Column, Table};
use lookalike_words::Name;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    Attacker, Error, Risks,
    groups::Groups,
    judge::{of_each, of_sizes},
    suppressed::kept_rows,
};

/// The figures for a table, published or raw, whose columns `quasi` an attacker knows. Rows all of whose cells there are
/// among `suppressed` belong to no group. Linear in the cells.
///
/// # Errors
/// If `quasi` is empty, a column is missing, or the attacker makes no sense, as with a population smaller than the table.
pub fn risks(
    table: &Table,
    quasi: &[String],
    suppressed: &[String],
    attacker: &Attacker,
) -> Result<Risks, Error> {
    attacker.validate()?;
    attacker.fits(table.rows)?;
    let columns = known(table, quasi)?;
    let keep = kept_rows(table.rows, &columns, None, suppressed);
    let left_out = keep.iter().filter(|kept| !**kept).count();
    Ok(risks_of(&Groups::among(&keep, columns), left_out, attacker))
}

/// How many look like each row and like each person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alike {
    /// For each row how many rows have its cells, itself included; where persons may have several, how many persons have such a row.
    pub rows: Vec<u32>,
    /// The least of these of each person's rows, persons by their first rows; `None` if each row is a person.
    pub persons: Option<Vec<u32>>,
}

impl Alike {
    /// For each person how many are left to an attacker who knows the cells of the row that has the fewest like it.
    #[must_use]
    pub fn people(&self) -> &[u32] {
        self.persons.as_deref().unwrap_or(&self.rows)
    }
}

/// How many look like each row in the columns `quasi`. `persons`: whose each row is, if persons may have several. Linear in the cells.
///
/// # Errors
/// If `quasi` is empty or a column is missing.
pub fn alike(table: &Table, quasi: &[String], persons: Option<&[u32]>) -> Result<Alike, Error> {
    let groups = Groups::by(table.rows, known(table, quasi)?);
    let Some(persons) = persons else {
        let rows = groups.of.iter().map(|&group| groups.sizes[group as usize] as u32).collect();
        return Ok(Alike { rows, persons: None });
    };
    let mut sizes = vec![0_u32; groups.sizes.len()];
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    for (&group, &person) in groups.of.iter().zip(persons) {
        sizes[group as usize] += u32::from(seen.insert((group, person)));
    }
    let rows: Vec<u32> = groups.of.iter().map(|&group| sizes[group as usize]).collect();
    let mut places: FxHashMap<u32, usize> = FxHashMap::default();
    let mut least: Vec<u32> = Vec::new();
    for (&alike, &person) in rows.iter().zip(persons) {
        let place = *places.entry(person).or_insert(least.len());
        match least.get_mut(place) {
            Some(known) => *known = alike.min(*known),
            None => least.push(alike),
        }
    }
    Ok(Alike { rows, persons: Some(least) })
}

/// The figures for persons who may have several rows: `people` are as many as each is among at worst. No row is suppressed.
///
/// # Errors
/// If the attacker makes no sense.
pub fn risks_of_people(people: &[u32], attacker: &Attacker) -> Result<Risks, Error> {
    attacker.validate()?;
    attacker.fits(people.len())?;
    let mut sizes = BTreeMap::new();
    for &among in people {
        *sizes.entry(among as usize).or_insert(0) += 1;
    }
    Ok(of_each(&sizes, attacker))
}

/// The columns that an attacker knows.
fn known<'a>(table: &'a Table, quasi: &[String]) -> Result<Vec<&'a Column>, Error> {
    if quasi.is_empty() {
        return Err(Error::NoQuasi);
    }
    let column = |name: &String| {
        table.column(name).ok_or_else(|| Error::NoColumn { column: Name::from(name.as_str()) })
    };
    quasi.iter().map(column).collect()
}

/// The figures for groups of these sizes, with the number of groups of each, as a judge has counted them.
///
/// # Errors
/// If the attacker makes no sense.
pub fn risks_of_sizes(sizes: &BTreeMap<usize, usize>, attacker: &Attacker) -> Result<Risks, Error> {
    attacker.validate()?;
    attacker.fits(sizes.iter().map(|(size, count)| size * count).sum())?;
    Ok(of_sizes(sizes, 0, attacker))
}

pub(crate) fn risks_of(groups: &Groups, suppressed: usize, attacker: &Attacker) -> Risks {
    let mut sizes = BTreeMap::new();
    for &size in &groups.sizes {
        *sizes.entry(size).or_insert(0) += 1;
    }
    of_sizes(&sizes, suppressed, attacker)
}
