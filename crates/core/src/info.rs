//! What a table looks like before anything is decided.

use lookalike_model::info::{ColumnInfo, TableInfo};
use lookalike_table::{Column, Kind, Table, Warning, infer_all};
use lookalike_words::Said;

use crate::{
    histogram::bars,
    persons::keys,
    prepare,
    suggest::{by_weight, propose, suggest, unknown_codes},
};

/// Kinds with evidence, suggested roles with reasons, distinct and missing counts, the first `preview` rows, warnings. A cell that equals one of
/// `markers` after trimming is missing.
#[must_use]
pub fn table_info(table: &Table, markers: &[String], preview: usize) -> TableInfo {
    let rows =
        (0..table.rows.min(preview)).map(|r| table.columns.iter().map(|c| c.cell(r).to_owned()).collect());
    TableInfo {
        rows: table.rows,
        columns: columns(table, markers),
        preview: rows.collect(),
        warnings: table.warnings.iter().map(Warning::said).collect(),
    }
}

/// Why a run stops at a column of which nothing is declared, if it does: it can be read in two ways, or a cell is not like the
/// others.
#[must_use]
pub fn stops(column: &Column, markers: &[String]) -> Option<Said> {
    prepare::stops(column, markers)
}

/// What [`table_info`] says of the columns.
#[must_use]
pub fn columns(table: &Table, markers: &[String]) -> Vec<ColumnInfo> {
    let of = table.columns.iter().zip(infer_all(table, markers)).zip(keys(table, markers));
    let columns = of.map(|((column, inferred), key)| {
        let weight = table.described.iter().any(|said| said.weight && said.column == column.name);
        // What the file says of it is surer than its name.
        let suggestion = if weight { Some(by_weight()) } else { suggest(column, &inferred, markers) };
        let proposal = propose(column, &inferred, markers);
        let unknown = unknown_codes(column, &inferred, markers);
        let bars = bars(column, &inferred, markers);
        ColumnInfo {
            name: column.name.clone(),
            kind: match inferred.kind {
                Kind::Integer => "integer",
                Kind::Real => "real",
                Kind::Date => "date",
                Kind::Category => "category",
                Kind::Ordinal => "ordinal",
                Kind::Identifier => "identifier",
            }
            .to_owned(),
            evidence: inferred.evidence.into(),
            distinct: inferred.distinct,
            missing: inferred.missing,
            suggestion,
            question: inferred.question.map(Into::into),
            proposal,
            unknown,
            weight,
            key,
            bars,
        }
    });
    columns.collect()
}
