//! Whether each row is a person: asked where a column tells that a person may have several.

use lookalike_model::{
    info::{ColumnInfo, PersonKey, TableInfo},
    settings::{MissingPolicy, RowsAre},
};

use super::{Field, Wrong};
use crate::form::{Choice, Form, Role, RowsChoice};

/// The column that tells that a person may have several rows, if there is one. The sensitive column is not asked about: its
/// values are what is protected.
#[must_use]
pub fn key<'a>(table: &'a TableInfo, choices: &[Choice]) -> Option<&'a ColumnInfo> {
    let asked = |(column, choice): &(&ColumnInfo, &Choice)| match (column.key, choice.role) {
        (_, Role::Sensitive) | (PersonKey::None, _) => false,
        (PersonKey::Repeats, _) => true,
        (PersonKey::IfIdentifier, role) => role == Role::Identifier,
    };
    table.columns.iter().zip(choices).find(asked).map(|(column, _)| column)
}

/// What each row is, as far as it is said. `asks`: whether it must be said where a column tells.
pub(super) fn rows_are(
    table: &TableInfo,
    choices: &[Choice],
    form: &Form,
    asks: bool,
    wrong: &mut Wrong,
) -> Option<RowsAre> {
    let found = key(table, choices);
    let numbers = |column: &ColumnInfo| {
        let rows = table.rows.saturating_sub(column.missing);
        (n!(N_DIFFERENT_VALUE, column.distinct), n!(N_ROW, rows))
    };
    match form.rows_are {
        RowsChoice::People => Some(RowsAre::People),
        RowsChoice::Unsaid => {
            if let Some(column) = found.filter(|_| asks) {
                let (values, rows) = numbers(column);
                wrong.add(
                    Field::RowsAre,
                    t!(WRONG_KEY_REPEATS, name = column.name, values = values, rows = rows),
                );
            }
            None
        }
        RowsChoice::Keyed => {
            let column = named(table, choices, form, wrong)?;
            if column.distinct < table.rows {
                let (values, rows) = numbers(column);
                wrong.add(
                    Field::RowsAre,
                    t!(WRONG_KEY_REFUSED, name = column.name, values = values, rows = rows),
                );
            }
            complete(column, table, choices, form, wrong);
            Some(RowsAre::Of(column.name.clone()))
        }
        RowsChoice::OfPersons => {
            let column = named(table, choices, form, wrong)?;
            let is_published = |(other, choice): (&ColumnInfo, &Choice)| {
                let published = [Role::Quasi, Role::Sensitive, Role::Keep, Role::Unchanged];
                other.name == column.name && published.contains(&choice.role)
            };
            if table.columns.iter().zip(choices).any(is_published) {
                wrong.add(Field::RowsAre, t!(WRONG_KEY_PUBLISHED, name = column.name));
            }
            complete(column, table, choices, form, wrong);
            Some(RowsAre::EventsOf(column.name.clone()))
        }
    }
}

/// Nothing tells whose a row without a key is. Where rows are left out for something else that is missing, these may be among them:
/// then the run finds out.
fn complete(column: &ColumnInfo, table: &TableInfo, choices: &[Choice], form: &Form, wrong: &mut Wrong) {
    let left_out = |(other, choice): (&ColumnInfo, &Choice)| {
        let policy = match choice.role {
            Role::Sensitive => form.missing_sensitive,
            Role::Quasi => form.missing_quasi,
            _ => return false,
        };
        other.missing > 0 && choice.missing.unwrap_or(policy) == MissingPolicy::Drop
    };
    if column.missing > 0 && !table.columns.iter().zip(choices).any(left_out) {
        let rows = n!(N_ROW, column.missing);
        wrong.add(Field::RowsAre, t!(WRONG_KEY_MISSING, name = column.name, rows = rows));
    }
}

/// The column with the key of a person: the one that is chosen, or else the one that looks like it; `None` if there is neither.
#[must_use]
pub fn person<'a>(table: &'a TableInfo, choices: &[Choice], form: &Form) -> Option<&'a ColumnInfo> {
    table.columns.iter().find(|column| column.name == form.person).or_else(|| key(table, choices))
}

/// The same; it is wrong to have none.
fn named<'a>(
    table: &'a TableInfo,
    choices: &[Choice],
    form: &Form,
    wrong: &mut Wrong,
) -> Option<&'a ColumnInfo> {
    let column = person(table, choices, form);
    if column.is_none() {
        wrong.add(Field::RowsAre, t!(WRONG_NO_KEY));
    }
    column
}
