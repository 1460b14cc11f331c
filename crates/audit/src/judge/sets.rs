//! Sets of quasi-identifiers that are known without the others: each has groups of its own, which may be larger than a class.

use std::collections::BTreeMap;

use lookalike_words::{Cell, Name};

use super::{
    error::Error,
    question::Dialect,
    reader::Rows,
    row::Row,
    verdict::{Check, Grouping, Observation, Shared, Sizes, Subject, Witness},
};

/// What was found of a set of quasi-identifiers.
#[derive(Clone, Debug, PartialEq)]
pub struct SetJudged {
    /// Whether each group of rows that are alike in the set has enough of them.
    pub check: Check,
    /// Rows of the smallest group; 0 if there is none.
    pub smallest: usize,
    /// How many groups there are.
    pub groups: usize,
}

/// Judges the bytes of a release once more, for whoever knows these columns alone: whether at least `k` rows share each combination of their published
/// cells. The rows may stand in any order.
///
/// # Errors
/// [`Error::Fault`] if the bytes do not have the form of a release; [`Error::NoColumn`] for a column that it has not; [`Error::TooSmall`] for a k below
/// 2.
pub fn judge_set(
    published: &[u8],
    dialect: Dialect,
    columns: &[String],
    k: usize,
) -> Result<SetJudged, Error> {
    if k < 2 {
        return Err(Error::TooSmall { parameter: "k", value: k });
    }
    let (mut rows, header) = Rows::new(published, dialect)?;
    let place = |name: &String| {
        let at = header.iter().position(|column| column == name);
        at.ok_or_else(|| Error::NoColumn { column: Name::from(name.as_str()) })
    };
    let places: Vec<usize> = columns.iter().map(place).collect::<Result<_, _>>()?;
    // For each combination its first row, from 0, and how many there are.
    let mut groups: BTreeMap<Vec<String>, (usize, usize)> = BTreeMap::new();
    let mut row = Row::default();
    let mut at = 0;
    while rows.next(&mut row)? {
        let cells = places.iter().map(|&place| row.cell(place).to_owned()).collect();
        groups.entry(cells).or_insert((at, 0)).1 += 1;
        at += 1;
    }
    let (all, grouping) = (groups.len(), Grouping::Group);
    let smallest = groups.values().map(|(_, size)| *size).min().unwrap_or(0);
    let mut small: Vec<_> = groups.iter().filter(|(_, (_, size))| *size < k).collect();
    small.sort_by_key(|(_, (first, _))| *first);
    let sizes = match small.len() {
        0 => Sizes::Enough { grouping, all, smallest, least: k },
        short => Sizes::TooSmall { grouping, all, smallest, least: k, short },
    };
    let witnesses = small.into_iter().map(|(cells, &(first, rows))| {
        let shared = |(column, cell): (&String, &String)| Shared::Cell {
            column: column.clone(),
            cell: Cell::from(cell.as_str()),
        };
        Witness::TooSmall { of: columns.iter().zip(cells).map(shared).collect(), rows, first: first + 1 }
    });
    let columns = columns.iter().map(|name| Name::from(name.as_str())).collect();
    let check = Check::new(Subject::Set { columns, k }, Observation::Sizes(sizes), witnesses);
    Ok(SetJudged { check, smallest, groups: all })
}
