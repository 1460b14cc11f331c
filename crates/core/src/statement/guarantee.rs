//! The guarantee of a statement: its exact words, against whom it holds, and its limits.

use lookalike_model::{
    report::{FreeformReport, Report, SeriesPlace},
    settings::Model,
};
use lookalike_table::text::counted;

use super::html::paragraph;

/// The guarantee's exact words and its limits.
pub(super) fn guarantee(report: &Report) -> String {
    if let (Some(freeform), Model::KAnonymity { k }) = (&report.freeform, report.model) {
        return concealment(report, freeform, k);
    }
    let mut paragraphs = match report.model {
        Model::KAnonymity { k } => vec![k_anonymity(report, k)],
        Model::MInvariance { m } => {
            let mut told = vec![m_invariance(report, m)];
            told.extend(report.series.map(over_releases));
            told
        }
    };
    paragraphs.push(report.against.to_string());
    paragraphs.push(String::from(match report.model {
        Model::KAnonymity { .. } => {
            "It promises nothing about the sensitive values: if all records of a group have the same one, it is known."
        }
        Model::MInvariance { .. } => {
            "It promises nothing against an attacker who can rule out values for a person by other knowledge."
        }
    }));
    paragraphs.iter().map(|text| paragraph(text)).collect::<Vec<_>>().concat()
}

fn k_anonymity(report: &Report, k: usize) -> String {
    let place = place(report.series);
    format!(
        "k-anonymity with k = {k}, {place}. Every published record shares its published quasi-identifiers with at least {} others. \
         Whoever knows the quasi-identifiers of a person picks that person's record with a probability of at most 1/{k}.",
        k - 1
    )
}

fn m_invariance(report: &Report, m: usize) -> String {
    let among = if report.changes.counterfeits > 0 { ", counterfeits among them" } else { "" };
    format!(
        "m-invariance with m = {m}, {}. Every class of the published table has at least {m} records, all with different sensitive \
         values{among}. To the attacker named below all values of a person's class are equally possible.",
        place(report.series)
    )
}

fn place(series: Option<SeriesPlace>) -> String {
    series.map_or_else(
        || String::from("for a table that is released once"),
        |series| format!("release {} of a series", series.release),
    )
}

fn over_releases(series: SeriesPlace) -> String {
    format!(
        "The mode of the series is {}: a person who is in several of its releases with the same sensitive value is in classes \
         with the same set of sensitive values each time.",
        series.mode.name()
    )
}

/// The guarantee of rows of their own.
fn concealment(report: &Report, freeform: &FreeformReport, k: usize) -> String {
    let promise = format!(
        "This table is not k-anonymous: rows are generalised one by one, and some are published alike with {} only. What \
         holds is k-concealment with k = {k}: every record may be any of at least {} published rows, even for an attacker \
         who knows the quasi-identifiers of all records, and every row may be any of at least {k} records.",
        match freeform.smallest_group {
            1 => String::from("no other"),
            rows => counted(rows - 1, "other", "others"),
        },
        freeform.least_matches
    );
    let limit = "It promises nothing about the sensitive values: if all rows that may be a person have the same one, it is \
         known. Whoever knows the rows of some persons may rule these rows out for others.";
    format!("{}{}{}", paragraph(&promise), paragraph(&report.against.to_string()), paragraph(limit))
}
