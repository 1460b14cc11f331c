//! What is said of the cells of columns, before anything else sees them: widths, and labels of codes.

use std::collections::BTreeMap;

use lookalike_model::{
    cells::{CodeLabels, width},
    info::TableInfo,
};
use lookalike_wire::page::CellsTold;
use lookalike_words::Said;

use super::{Wrong, markers};
use crate::{
    form::{Choice, Form, Role},
    settings::Field,
    texts::words,
};

/// What is said of the cells of one column; a column that nobody has given a role is left as it is.
type OfColumn = (Option<u8>, Option<BTreeMap<String, String>>);

fn of_column(name: &str, choice: &Choice) -> Result<OfColumn, Said> {
    if choice.role == Role::NotPublished {
        return Ok((None, None));
    }
    let said = |text: &'_ str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let width = said(&choice.width).map(|text| width(name, &text)).transpose().map_err(Said::from)?;
    let labels = said(&choice.labels).map(|text| text.parse::<CodeLabels>()).transpose();
    Ok((width, labels.map_err(Said::from)?.map(|labels| labels.0.into_iter().collect())))
}

/// What is said of the cells of the table; `None` while a field cannot be read.
#[must_use]
pub fn cells(table: &TableInfo, choices: &[Choice], form: &Form) -> Option<CellsTold> {
    let mut told = CellsTold { markers: markers(form), ..CellsTold::default() };
    for (column, choice) in table.columns.iter().zip(choices) {
        let (width, labels) = of_column(&column.name, choice).ok()?;
        told.pad.extend(width.map(|width| (column.name.clone(), width)));
        told.labels.extend(labels.map(|labels| (column.name.clone(), labels)));
    }
    Some(told)
}

/// The same for the settings: what cannot be read is wrong.
pub(super) fn checked(table: &TableInfo, choices: &[Choice], form: &Form, wrong: &mut Wrong) -> CellsTold {
    for (at, (column, choice)) in table.columns.iter().zip(choices).enumerate() {
        if let Err(why) = of_column(&column.name, choice) {
            wrong.add(Field::Column(at), format!("{}: {}", column.name, words(&why)));
        }
    }
    cells(table, choices, form).unwrap_or_default()
}
