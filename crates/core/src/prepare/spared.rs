//! Rows that no classes can have: where the table as a whole breaks conditions on its values, and records may be left out, the fewest that
//! make it keep them, of the most frequent values.

use std::{collections::BTreeMap, sync::Arc};

use lookalike_model::{
    report::Fate,
    rule::ValueCondition,
    settings::{Model, Scheme, Settings},
};
use lookalike_table::{Role, Schema, Table};

use super::{
    fate::FateReason,
    repair::codes,
    seeds::{self, Use},
};
use crate::eligibility;

/// Rounds over all columns with conditions, at most: leaving rows out for one may break those on another.
const ROUNDS: usize = 8;

/// The rows that stay, and how many do not; all of them where they keep the conditions, where too few may be left out, or where no choice
/// helps. Which rows of a value go is drawn. Conditions that compare with the table are kept by all of it.
pub(super) fn spared(
    table: &Table,
    schema: &Schema,
    settings: &Settings,
    rows: Vec<u32>,
    fates: &mut Vec<Fate>,
) -> (Vec<u32>, usize) {
    let (Model::KAnonymity { k }, Some(asked), Scheme::Classes) =
        (settings.model, settings.suppress, settings.scheme)
    else {
        return (rows, 0);
    };
    let limit = asked.most(rows.len());
    let mut left = rows.clone();
    let mut gone: BTreeMap<u32, Arc<_>> = BTreeMap::new();
    let mut rng = seeds::stream(settings.seed.unwrap_or(0), Use::Deletion);
    for _ in 0..ROUNDS {
        let before = left.len();
        for (name, conditions) in of_columns(schema, settings) {
            let Some(column) = table.column(name) else { continue };
            let (values, code_of) = codes(column, &left, &schema.markers, &[]);
            let held: Vec<u32> =
                left.iter().map(|&row| code_of[column.cells[row as usize] as usize]).collect();
            let mut counts = vec![0_u32; values.len()];
            for &value in &held {
                counts[value as usize] += 1;
            }
            let Some(stay) = ValueCondition::left(conditions, k, &counts) else { return (rows, 0) };
            let go: Vec<u64> = counts.iter().zip(&stay).map(|(all, stay)| u64::from(all - stay)).collect();
            if go.iter().all(|go| *go == 0) {
                continue;
            }
            for at in eligibility::rows_to_delete(&held, &go, &mut rng) {
                gone.insert(left[at], FateReason::deleted(&values[held[at] as usize]).shared());
            }
            left.retain(|row| !gone.contains_key(row));
            if gone.len() > limit {
                return (rows, 0);
            }
        }
        if left.len() == before {
            break;
        }
    }
    fates.extend(gone.iter().map(|(&row, reason)| Fate { row: row as usize, reason: Arc::clone(reason) }));
    (left, gone.len())
}

/// Each sensitive column with the conditions on it.
fn of_columns<'a>(
    schema: &'a Schema,
    settings: &'a Settings,
) -> impl Iterator<Item = (&'a String, &'a [ValueCondition])> {
    let sensitive = schema.columns.iter().find(|spec| spec.role == Role::Sensitive).map(|spec| &spec.name);
    let first = sensitive.map(|name| (name, settings.conditions.as_slice()));
    let further = settings.conditions_of.iter().map(|(name, of)| (name, of.as_slice()));
    first.into_iter().chain(further).filter(|(_, of)| !of.is_empty())
}
