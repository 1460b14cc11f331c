//! m-eligibility of the kept rows, and the repair that the user chose (paper 2).

use lookalike_lp::Backend;
use lookalike_table::{Role, Schema, Table};
use lookalike_wire::{
    report::{Changes, Fate},
    settings::{Model, Repair, Settings},
};

use super::{
    missing::missing_values,
    seeds::{self, Use},
};
use crate::{
    Error,
    eligibility::{self, Plan},
};

/// Rows after the repair, with their sensitive values as codes.
pub(crate) struct Repaired {
    /// Kept input rows, in canonical order.
    pub(crate) rows: Vec<u32>,
    /// Code of the sensitive value of each row; all 0 under k-anonymity.
    pub(crate) colours: Vec<u32>,
    /// Codes of the counterfeits, ascending.
    pub(crate) counterfeits: Vec<u32>,
    /// Text of each code.
    pub(crate) values: Vec<String>,
    pub(crate) changes: Changes,
    /// Deleted records of each value, by code.
    pub(crate) deleted: Vec<u64>,
    pub(crate) lp_backend: Option<String>,
    pub(crate) warnings: Vec<String>,
}

/// Makes the rows m-eligible, or says why they are not. Deleted rows are drawn at random among those with the value.
pub(crate) fn repair(
    table: &Table,
    schema: &Schema,
    settings: &Settings,
    rows: Vec<u32>,
    fates: &mut Vec<Fate>,
) -> Result<Repaired, Error> {
    let sensitive = schema.columns.iter().find(|c| c.role == Role::Sensitive);
    let (Model::MInvariance { m }, Some(spec)) = (settings.model, sensitive) else {
        return Ok(Repaired {
            colours: vec![0; rows.len()],
            rows,
            counterfeits: Vec::new(),
            values: vec![String::new()],
            changes: Changes::default(),
            deleted: Vec::new(),
            lp_backend: None,
            warnings: Vec::new(),
        });
    };
    let column = &table.columns[spec.index];
    let (values, code_of) = codes(column, &rows, &schema.markers);
    let colours: Vec<u32> = rows.iter().map(|&r| code_of[column.cells[r as usize] as usize]).collect();
    let mut counts = vec![0u64; values.len()];
    for &c in &colours {
        counts[c as usize] += 1;
    }
    if settings.eligibility == Repair::Error && !eligibility::is_eligible(&counts, m as u64) {
        return Err(eligibility::explain(&counts, &values, m as u64));
    }
    let Plan { changes: plan, backend } =
        eligibility::repair(&counts, m as u64, settings.eligibility, Backend::best())?;
    let mut gone = vec![false; rows.len()];
    let mut rng = seeds::stream(settings.seed.unwrap_or(0), Use::Deletion);
    for i in eligibility::rows_to_delete(&colours, &plan.deletions, &mut rng) {
        gone[i] = true;
        let value = &values[colours[i] as usize];
        let reason = format!("deleted for eligibility: \"{value}\" is held by too many");
        fates.push(Fate { row: rows[i] as usize, reason });
    }
    let keep = |i: &usize| !gone[*i];
    let rows = (0..gone.len()).filter(keep).map(|i| rows[i]).collect();
    let colours = (0..gone.len()).filter(keep).map(|i| colours[i]).collect();
    let counterfeits: Vec<u32> = (plan.additions.iter().enumerate())
        .flat_map(|(code, &count)| std::iter::repeat_n(code as u32, count as usize))
        .collect();
    let deletions = plan.deletions.iter().sum::<u64>() as usize;
    let mut warnings = Vec::new();
    if !counterfeits.is_empty() {
        warnings.push(format!(
            "{} counterfeit records were added. Only rare values are faked, so whoever knows the method can discount \
             rare values somewhat; and a record is hidden among the records of its class, some of which are nobody",
            counterfeits.len()
        ));
    }
    if deletions > 0 {
        warnings.push(format!(
            "{deletions} records were deleted, drawn at random among the most frequent values. A person known to be \
             in the table, but found in no class, had one of these values"
        ));
    }
    Ok(Repaired {
        rows,
        colours,
        changes: Changes { counterfeits: counterfeits.len(), deletions, suppressed: 0 },
        deleted: plan.deletions,
        counterfeits,
        values,
        lp_backend: backend.map(String::from),
        warnings,
    })
}

/// Codes of the sensitive values that occur in `rows`, by sorted text; all missing markers are one value. Returns the
/// text of each code and the code of each dictionary entry.
fn codes(column: &lookalike_table::Column, rows: &[u32], markers: &[String]) -> (Vec<String>, Vec<u32>) {
    let missing = missing_values(&column.values, markers);
    let mut occurs = vec![false; column.values.len()];
    for &r in rows {
        occurs[column.cells[r as usize] as usize] = true;
    }
    let mut order: Vec<usize> = (0..occurs.len()).filter(|&v| occurs[v]).collect();
    order.sort_by(|&a, &b| column.values[a].cmp(&column.values[b]));
    let mut values: Vec<String> = Vec::new();
    let mut code_of = vec![0; column.values.len()];
    let mut absent = None;
    for v in order {
        let code = if missing[v] { *absent.get_or_insert(values.len()) } else { values.len() };
        if code == values.len() {
            values.push(column.values[v].clone());
        }
        code_of[v] = code as u32;
    }
    (values, code_of)
}
