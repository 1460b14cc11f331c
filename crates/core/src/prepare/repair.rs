//! m-eligibility of the kept rows, and the repair that the user chose (Tobar 2024).

use std::{collections::BTreeSet, sync::Arc};

use lookalike_model::{
    instance::Instance,
    report::{Changes, Fate},
    settings::{CounterfeitPoints, DeletionChoice, Fake, Model, Repair, Settings},
};
use lookalike_table::{ColumnSpec, NearValue, Role, Schema, Table, is_missing, near_synonyms, near_words};
use lookalike_words::{Cell, Said};
use rand::RngExt;

use super::{
    changed::RepairWarning,
    encode,
    fate::FateReason,
    missing::missing_values,
    recoding::Recoding,
    seeds::{self, Use},
    wishes,
};
use crate::{Error, eligibility};

/// Rows after the repair, with their sensitive values as codes.
pub(crate) struct Repaired {
    /// Kept input rows, in canonical order.
    pub(crate) rows: Vec<u32>,
    /// Code of the sensitive value of each row; all 0 under k-anonymity without conditions on these.
    pub(crate) colours: Vec<u32>,
    /// Codes of the counterfeits, ascending.
    pub(crate) counterfeits: Vec<u32>,
    /// For each counterfeit the index in `rows` of the record that lends it its quasi-identifiers; empty if they have
    /// none.
    pub(crate) drawn_from: Vec<u32>,
    /// Text of each code.
    pub(crate) values: Vec<String>,
    pub(crate) changes: Changes,
    /// Deleted records of each value, by code.
    pub(crate) deleted: Vec<u64>,
    /// Name of the back end that confirmed that no changes are cheaper.
    pub(crate) backend: Option<&'static str>,
    pub(crate) warnings: Vec<Said>,
}

/// Makes the rows m-eligible, or says why they are not.
pub(crate) fn repair(
    table: &Table,
    schema: &Schema,
    recodings: &[Recoding],
    settings: &Settings,
    rows: Vec<u32>,
    fates: &mut Vec<Fate>,
) -> Result<Repaired, Error> {
    let sensitive = schema.columns.iter().find(|c| c.role == Role::Sensitive);
    let (Model::MInvariance { m }, Some(spec)) = (settings.model, sensitive) else {
        let kept = unchanged(table, schema, rows);
        return match sensitive.filter(|_| !settings.conditions.is_empty()) {
            Some(spec) => Ok(coloured(table, schema, spec, kept)),
            None => Ok(kept),
        };
    };
    let column = &table.columns[spec.index];
    let (values, code_of) = codes(column, &rows, &schema.markers, &[]);
    let colours: Vec<u32> = rows.iter().map(|&r| code_of[column.cells[r as usize] as usize]).collect();
    let counts = eligibility::count(&colours, values.len());
    let wanted = wishes::wanted(settings, &values)?;
    if settings.eligibility == Repair::Error && !eligibility::is_eligible(&counts, m as u64) {
        return Err(eligibility::explain(&counts, &values, m as u64));
    }
    let eligibility::Plan { changes: plan, backend } =
        eligibility::repair(&counts, m as u64, &wanted, eligibility::Backend::best())?;
    let mut gone = vec![false; rows.len()];
    let reason = |value: &String| FateReason::deleted(value).shared();
    let reasons: Vec<_> = values.iter().map(reason).collect();
    for i in deleted(table, schema, recodings, settings, &rows, &colours, &plan.deletions)? {
        gone[i] = true;
        let reason = Arc::clone(&reasons[colours[i] as usize]);
        fates.push(Fate { row: rows[i] as usize, reason });
    }
    let keep = |i: &usize| !gone[*i];
    let counterfeits: Vec<u32> = (plan.additions.iter().enumerate())
        .flat_map(|(code, &count)| std::iter::repeat_n(code as u32, count as usize))
        .collect();
    let kept: Vec<u32> = (0..gone.len()).filter(keep).map(|i| rows[i]).collect();
    let colours: Vec<u32> = (0..gone.len()).filter(keep).map(|i| colours[i]).collect();
    let drawn_from = match settings.changes.counterfeit_points {
        CounterfeitPoints::None => Vec::new(),
        CounterfeitPoints::Drawn => drawn(settings, &colours, &counterfeits),
    };
    let deletions = plan.deletions.iter().sum::<u64>() as usize;
    let min_real = Some(settings.changes.real_asked()).filter(|&real| real > 1 && !counterfeits.is_empty());
    Ok(Repaired {
        deleted: plan.deletions,
        rows: kept,
        colours,
        changes: Changes { counterfeits: counterfeits.len(), deletions, min_real, ..Changes::default() },
        warnings: [warnings(counterfeits.len(), deletions, settings), alike(&spec.name, &values)].concat(),
        counterfeits,
        drawn_from,
        values,
        backend,
    })
}

/// Rows that need no repair, all of one colour: under k-anonymity, and where colours are those of persons.
pub(super) fn unchanged(table: &Table, schema: &Schema, rows: Vec<u32>) -> Repaired {
    // Under k-anonymity, too, a group of values that people read as one tells them.
    let said = |spec: &ColumnSpec| {
        let (values, _) = codes(&table.columns[spec.index], &rows, &schema.markers, &[]);
        alike(&spec.name, &values)
    };
    let sensitive = schema.columns.iter().find(|c| c.role == Role::Sensitive);
    Repaired {
        warnings: sensitive.map_or_else(Vec::new, said),
        colours: vec![0; rows.len()],
        rows,
        counterfeits: Vec::new(),
        drawn_from: Vec::new(),
        values: vec![String::new()],
        changes: Changes::default(),
        deleted: Vec::new(),
        backend: None,
    }
}

/// The same with the sensitive values of the rows, for conditions on these.
fn coloured(table: &Table, schema: &Schema, spec: &ColumnSpec, kept: Repaired) -> Repaired {
    let column = &table.columns[spec.index];
    let (values, code_of) = codes(column, &kept.rows, &schema.markers, &[]);
    let colours = kept.rows.iter().map(|&r| code_of[column.cells[r as usize] as usize]).collect();
    Repaired { colours, values, ..kept }
}

/// Places of the rows to delete: so many of each colour.
pub(crate) fn deleted(
    table: &Table,
    schema: &Schema,
    recodings: &[Recoding],
    settings: &Settings,
    rows: &[u32],
    colours: &[u32],
    deletions: &[u64],
) -> Result<Vec<usize>, Error> {
    if deletions.iter().all(|&d| d == 0) {
        return Ok(Vec::new());
    }
    if let (DeletionChoice::LeastLoss, Model::MInvariance { m }) = (settings.changes.delete, settings.model) {
        let encoded = encode::encode(table, schema, recodings, rows, false)?;
        let instance = Instance::from_columns(&encoded.columns, &encoded.attributes, colours)?;
        return Ok(eligibility::farthest_rows(&instance, deletions, m));
    }
    let mut rng = seeds::stream(settings.seed.unwrap_or(0), Use::Deletion);
    Ok(eligibility::rows_to_delete(colours, deletions, &mut rng))
}

/// For each counterfeit a record with its sensitive value, drawn at random with replacement. There is one: the values
/// are those that occur, and a value that is faked loses no record.
fn drawn(settings: &Settings, colours: &[u32], counterfeits: &[u32]) -> Vec<u32> {
    let mut rng = seeds::stream(settings.seed.unwrap_or(0), Use::CounterfeitPoints);
    let mut of_colour: Vec<Vec<u32>> = Vec::new();
    for (i, &colour) in (0..).zip(colours) {
        let colour = colour as usize;
        if colour >= of_colour.len() {
            of_colour.resize(colour + 1, Vec::new());
        }
        of_colour[colour].push(i);
    }
    counterfeits
        .iter()
        .filter_map(|&colour| of_colour.get(colour as usize).filter(|lenders| !lenders.is_empty()))
        .map(|lenders| lenders[rng.random_range(0..lenders.len())])
        .collect()
}

/// Values that people read as one: they count as different ones.
pub(crate) fn alike(column: &str, values: &[String]) -> Vec<Said> {
    let groups = near_synonyms(values.iter().map(String::as_str));
    let words = near_words(&groups, |at| NearValue::Value { value: Cell::from(values[at].as_str()) });
    let alike = words.map(|near| RepairWarning::Alike { column: column.into(), near });
    alike.into_iter().map(Into::into).collect()
}

/// What a reader of the report should know of the changes.
fn warnings(counterfeits: usize, deletions: usize, settings: &Settings) -> Vec<Said> {
    let added = match settings.changes.fake {
        Fake::Rarest => RepairWarning::FakedRarest { counterfeits },
        Fake::Frequent => RepairWarning::FakedFrequent { counterfeits },
    };
    let gone = match settings.changes.delete {
        DeletionChoice::Random => RepairWarning::DeletedAtRandom { deletions },
        DeletionChoice::LeastLoss => RepairWarning::DeletedFarthest { deletions },
    };
    let (added, gone) = ((counterfeits > 0).then_some(added), (deletions > 0).then_some(gone));
    added.into_iter().chain(gone).map(Into::into).collect()
}

/// Codes of the sensitive values that occur in `rows` or are `known`, by sorted text; all missing markers are one value.
/// Returns the text of each code and the code of each dictionary entry (0 for one that does not occur).
pub(crate) fn codes(
    column: &lookalike_table::Column,
    rows: &[u32],
    markers: &[String],
    known: &[String],
) -> (Vec<String>, Vec<u32>) {
    let missing = missing_values(&column.values, markers);
    let mut occurs = vec![false; column.values.len()];
    for &r in rows {
        occurs[column.cells[r as usize] as usize] = true;
    }
    let occurring = || (0..occurs.len()).filter(|&v| occurs[v]);
    let absent = known
        .iter()
        .find(|text| is_missing(text, markers))
        .map(String::as_str)
        .or_else(|| occurring().filter(|&v| missing[v]).map(|v| &column.values[v]).min());
    let text = |v: usize| if missing[v] { absent.unwrap_or("") } else { &column.values[v] };
    let all: BTreeSet<&str> = occurring().map(text).chain(known.iter().map(String::as_str)).collect();
    let values: Vec<String> = all.into_iter().map(String::from).collect();
    let code = |v: usize| values.binary_search_by(|value| value.as_str().cmp(text(v))).unwrap_or(0) as u32;
    let code_of = (0..occurs.len()).map(|v| if occurs[v] { code(v) } else { 0 }).collect();
    (values, code_of)
}
