//! Whether each row is a person: asked where a column tells that a person may have several.

use lookalike_model::{
    info::{ColumnInfo, PersonKey, TableInfo},
    settings::RowsAre,
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
        RowsChoice::OfPersons => {
            let named = table.columns.iter().find(|column| column.name == form.person);
            let Some(column) = named.or(found) else {
                wrong.add(Field::RowsAre, t!(WRONG_NO_KEY));
                return None;
            };
            if column.distinct < table.rows {
                let (values, rows) = numbers(column);
                wrong.add(
                    Field::RowsAre,
                    t!(WRONG_KEY_REFUSED, name = column.name, values = values, rows = rows),
                );
            }
            Some(RowsAre::Of(column.name.clone()))
        }
    }
}
