//! The release of rows of their own: no class column, another audit, and a label that says so.
//!
//! Which record's sensitive value a row shows is drawn: one of the k matchings, each with the same probability. So a
//! record's own value stands in each of its k rows with a probability of 1/k.

use lookalike_audit::judge_freeform;
use lookalike_model::{
    Ctx,
    freeform::{Freeform, covered},
    job::Answer,
    report::{FreeformReport, Seconds},
    settings::Model,
};
use lookalike_table::{ReadOptions, Table, read, write, write_as};
use lookalike_words::Message as _;
use rand::RngExt;

use super::{
    Outcome, assess,
    form::formulas,
    order,
    order::{Class, Release},
    question,
    recode::cell,
    report,
    risks::exposure,
    stated,
};
use crate::{
    Error, FreeformGuarantee, ReleaseWarning, Unusable, digest,
    prepare::{self, Outliers, Prepared, Use, published, recoded, stream},
};

/// As [`super::finish`], for an answer that was verified.
pub(super) fn finish(
    table: &Table,
    prepared: &Prepared,
    (answer, freeform): (&Answer, &Freeform),
    ctx: &Ctx,
) -> Result<Outcome, Error> {
    let began = (ctx.clock)();
    let Model::KAnonymity { k } = prepared.settings.model else {
        return Err(Unusable::RowsOfTheirOwn.into());
    };
    let groups = groups(table, prepared, freeform);
    let labelled = order::release(table, prepared, &groups);
    let plain = order::without_class(&labelled, order::sensitive_place(prepared));
    let dialect = prepared.settings.output.of(table.dialect);
    let bytes_of = |release: &Release| {
        write_as(dialect, &release.header, release.rows.iter().map(|row| row.iter().map(String::as_str)))
    };
    let bytes = bytes_of(&plain);
    let recoded = (ctx.clock)();
    let asked = question(prepared, dialect, Some(order::label(prepared)));
    let mut assessed = assess::assess((&bytes_of(&labelled), b""), &asked, table, prepared, &groups)?;
    let original = original(table, prepared)?;
    let reading = assess::reading(prepared);
    let without = lookalike_audit::Question { class: None, ..asked };
    let found = judge_freeform(&bytes, &original, &without, &reading, assessed.risk.threshold)?;
    let exposure = exposure(found.exposure);
    assessed.risk.uniques = found.uniques;
    // That is of groups, and a row of its own may be any of several records.
    assessed.risk.highest_known_disclosure = None;
    assessed.risk.highest_alike_disclosure = None;
    (assessed.risk.prosecutor, assessed.risk.journalist) = (exposure, exposure);
    assessed.risk.marketer = exposure.mean;
    let audited = (ctx.clock)();
    let seconds = Seconds {
        prepare: prepared.seconds,
        solve: answer.seconds,
        recode: recoded - began,
        audit: audited - recoded,
    };
    let Outliers { public, private } = super::outliers(table, prepared);
    let objective = super::objective(table, prepared, answer)?;
    let mut verdict = found.verdict.clone();
    let counted = stated::counted((&bytes, &bytes), &without, prepared, &groups)?;
    for check in stated::checks(table, prepared, &counted, &objective) {
        verdict.add(check);
    }
    let (verdict, of) = (&verdict, (groups.as_slice(), public.as_slice()));
    // Rows of their own have no counterfeits: all of the report can be published.
    let mut whole =
        report::report(table, prepared, (answer, objective), of, (verdict, &[]), &assessed, seconds);
    let guarantee = FreeformGuarantee::Concealment { k };
    let label = FreeformReport {
        guarantee: guarantee.said(),
        least_matches: found.least_matches,
        smallest_group: found.smallest_group,
    };
    whole.warnings.insert(0, ReleaseWarning::Freeform { guarantee }.into());
    whole.warnings.extend(formulas(&plain, dialect));
    whole.table_sha256 = Some(digest::sha256(&bytes));
    whole.freeform = Some(label);
    let columns: Vec<usize> = published(&prepared.schema).map(|c| c.index).collect();
    let first = |row| columns.iter().map(|&c| table.columns[c].cell(row).to_owned()).collect();
    Ok(Outcome {
        report: whole,
        private: report::private(table, prepared, (&groups, private), verdict, assessed),
        classes: linking_key(table, prepared, &groups),
        preview: plain.rows.iter().take(super::PREVIEW).cloned().collect(),
        before: (0..table.rows.min(super::PREVIEW)).map(first).collect(),
        class_sizes: report::sizes(&groups),
        header: plain.header,
        published: bytes,
        ledger: None,
        pinned: prepare::pinned(&prepared.settings, &prepared.schema),
        described: table.described.clone(),
    })
}

/// The rows, those that are published alike together, in published order. The records of each are those whose sensitive
/// values it shows.
fn groups(table: &Table, prepared: &Prepared, freeform: &Freeform) -> Vec<Class> {
    let seed = prepared.settings.seed.unwrap_or(0);
    let drawn = stream(seed, Use::Matching).random_range(0..freeform.matchings.len());
    let mut record = vec![0; prepared.rows.len()];
    for (i, &row) in freeform.matchings[drawn].iter().enumerate() {
        record[row as usize] = prepared.rows[i];
    }
    let recoded: Vec<_> = recoded(&prepared.schema).collect();
    let mut rows: Vec<Class> = covered(freeform)
        .into_iter()
        .zip(record)
        .map(|(covers, record)| {
            let covered: Vec<u32> = covers.iter().map(|&i| prepared.rows[i as usize]).collect();
            let published = |spec: &&lookalike_table::ColumnSpec| {
                let (column, recoding) = (&table.columns[spec.index], &prepared.recodings[spec.index]);
                cell(column, spec, recoding, &covered, &prepared.schema.markers)
            };
            Class {
                rows: vec![record],
                counterfeits: Vec::new(),
                cells: recoded.iter().map(published).collect(),
                counterfeit_ids: Vec::new(),
                drawn_from: Vec::new(),
                covered,
                groups: Vec::new(),
            }
        })
        .collect();
    rows.sort_by(|a, b| order::compare_all(&a.cells, &b.cells).then_with(|| a.rows.cmp(&b.rows)));
    let mut groups: Vec<Class> = Vec::new();
    for row in rows {
        match groups.last_mut() {
            Some(last) if last.cells == row.cells => {
                last.rows.extend(row.rows);
                last.covered.extend(row.covered);
            }
            _ => groups.push(row),
        }
    }
    groups
}

/// The published records as they were.
fn original(table: &Table, prepared: &Prepared) -> Result<Table, Error> {
    let columns: Vec<_> = published(&prepared.schema).collect();
    let header: Vec<String> = columns.iter().map(|c| c.name.clone()).collect();
    let cells = |row: &u32| {
        let row = *row as usize;
        columns.iter().map(move |c| table.columns[c.index].cell(row)).collect::<Vec<_>>()
    };
    Ok(read(&write(&header, prepared.rows.iter().map(cells)), &ReadOptions::default())?)
}

/// `classes.csv`: for each input row the published row, counted from 1, that shows its sensitive value.
fn linking_key(table: &Table, prepared: &Prepared, groups: &[Class]) -> Vec<u8> {
    let mut of_row = vec![String::new(); table.rows];
    let mut next = 1;
    for group in groups {
        for row in order::by_value(table, prepared, &group.rows) {
            of_row[row as usize] = next.to_string();
            next += 1;
        }
    }
    let header = [String::from("row"), String::from("published")];
    let numbers: Vec<String> = (0..table.rows).map(|row| row.to_string()).collect();
    write(&header, numbers.iter().zip(&of_row).map(|(row, place)| [row.as_str(), place.as_str()]))
}
