//! The chain of a series' releases (docs/republish.md, "The chain"): what may be known of each, and the link before, under one digest. Nothing of
//! people is in it, nor a digest of it, with which guesses could be tried.
//!
//! `lookalike_wire::chain` computes the same on its own where a chain is verified.

use lookalike_model::{
    ledger::{Chained, Ledger, Release},
    settings::Model,
};

/// Links the last release to those before; `None` if there is none.
pub(super) fn chain(ledger: &mut Ledger) -> Option<Chained> {
    let head = head(ledger);
    let mut link = None;
    for (release, number) in ledger.releases.iter().zip(1..) {
        link = Some(next(&head, number, link.as_deref(), release));
    }
    let last = ledger.releases.last_mut()?;
    last.link.clone_from(&link);
    let audit = last.audit;
    let tables = ledger.releases.iter().map(|release| release.hash.clone()).collect();
    Some(Chained { tables, link: link?, audit })
}

/// What all releases of a series have.
fn head(ledger: &Ledger) -> String {
    let (Model::MInvariance { m } | Model::KAnonymity { k: m }) = ledger.settings.model;
    let (mode, vacancies) = (ledger.mode.name(), ledger.vacancies.name());
    format!("lookalike chain 1\nseries {}\nmode {mode}\nvacancies {vacancies}\nm {m}\n", ledger.series)
}

/// The link of a release.
fn next(head: &str, number: usize, before: Option<&str>, release: &Release) -> String {
    let Release { hash, rows, version, audit, .. } = release;
    let audit = audit.map_or_else(
        || String::from("none"),
        |audit| {
            let passed = if audit.passed { "passed" } else { "failed" };
            let sources = if audit.sources { "sources" } else { "ledger" };
            format!("{passed} {} {} {sources}", audit.releases, audit.checks)
        },
    );
    let before = before.unwrap_or("none");
    let text = format!(
        "{head}release {number}\nbefore {before}\ntable {hash}\nrows {rows}\nversion {version}\naudit {audit}\n"
    );
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
