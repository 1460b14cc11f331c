//! Risk of re-identification of a table that is held in memory, published or raw.

use std::collections::BTreeMap;

use lookalike_table::{Column, Table};
use lookalike_words::Name;

use crate::{Attacker, Error, Risks, groups::Groups, judge::of_sizes, suppressed::kept_rows};

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

/// How many rows have the cells of each row in the columns `quasi`, itself included. Linear in the cells.
///
/// # Errors
/// If `quasi` is empty or a column is missing.
pub fn alike(table: &Table, quasi: &[String]) -> Result<Vec<u32>, Error> {
    let groups = Groups::by(table.rows, known(table, quasi)?);
    Ok(groups.of.iter().map(|&group| groups.sizes[group as usize] as u32).collect())
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
