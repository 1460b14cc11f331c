//! Ranges in two columns of a table that is checked: for privacy each column counts, for what is measured they are one.

use std::borrow::Cow;

use lookalike_audit::{
    Inquiry,
    measure::{Ends, Reading, joined},
};
use lookalike_table::Table;

use crate::Error;

/// Whether a table has a column of this name, or one for each end of its ranges.
#[must_use]
pub fn has_column(table: &Table, name: &str) -> bool {
    let Ends { min, max, .. } = Ends::named(name, false);
    table.column(name).is_some() || (table.column(&min).is_some() && table.column(&max).is_some())
}

/// A table as it is measured.
pub(super) struct Measured<'a> {
    pub(super) table: Cow<'a, Table>,
    /// With one name for the ends of a range.
    pub(super) quasi: Vec<String>,
    pub(super) reading: Reading,
}

/// The question with all columns that there are, and the table with ranges in two columns as one. Such are those of a column that is
/// asked about and not there, `age`, where `age_min` and `age_max` are; and two that are asked about, unless the table or its original
/// has none of these names for itself.
pub(super) fn measured<'a>(
    table: &'a Table,
    inquiry: &Inquiry,
    mut reading: Reading,
    original: Option<&Table>,
) -> Result<(Inquiry, Measured<'a>), Error> {
    let (mut asked, mut quasi): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for name in &inquiry.quasi {
        let whole = match ["_min", "_max", "_mid"].iter().find_map(|end| name.strip_suffix(end)) {
            _ if table.column(name).is_none() => Some(name.as_str()),
            Some(whole) => {
                let is_asked =
                    |end: &str| inquiry.quasi.iter().any(|other| *other == format!("{whole}_{end}"));
                let both = is_asked("min") && is_asked("max") && table.column(whole).is_none();
                let apart = original.is_some_and(|original| original.column(name).is_some());
                (both && !apart).then_some(whole)
            }
            None => None,
        };
        let known = whole.and_then(|whole| {
            if !reading.ends.contains_key(whole) {
                reading = reading.with_ends(table, whole)?;
            }
            let ends = reading.ends.get(whole)?;
            let is_one = whole == name || ends.names().any(|end| end == name);
            is_one.then(|| (whole, ends.clone()))
        });
        match known {
            // A name for both, for which the columns are taken.
            Some((whole, ends)) if whole == name => {
                asked.extend(ends.names().cloned());
                quasi.push(name.clone());
            }
            Some((whole, _)) => {
                asked.push(name.clone());
                if !quasi.iter().any(|other| other == whole) {
                    quasi.push(whole.to_owned());
                }
            }
            None => {
                asked.push(name.clone());
                quasi.push(name.clone());
            }
        }
    }
    let table =
        if reading.ends.is_empty() { Cow::Borrowed(table) } else { Cow::Owned(joined(table, &reading)?) };
    Ok((Inquiry { quasi: asked, ..inquiry.clone() }, Measured { table, quasi, reading }))
}
