//! One history, release by release.

use anyhow::{Context, Result, ensure};
use lookalike_core::{
    pipeline::finish,
    republish::{
        series::{Options, prepare},
        ways::Way,
    },
};
use lookalike_model::{
    Ctx,
    ledger::{Ledger, Mode, Signatures, Vacancies},
    settings::{Budget, Fake, MethodName as Search, Model, Repair, Settings},
};
use lookalike_optimize::solve::solve;

use super::history::{QUASI, Source};

/// Effort of our searches.
const EFFORT: f64 = 0.3;

/// A way to make releases.
#[derive(Clone, Copy)]
pub(super) struct Method {
    pub(super) name: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// The bound that no release goes below.
    Bound,
    /// Counterfeits as the literature has them, classes by a construction.
    Literature(Way, Search),
    /// Ours.
    Ours(Signatures),
}

pub(super) static METHODS: [Method; 5] = [
    Method { name: "least possible", kind: Kind::Bound },
    Method { name: "Anjum 2017", kind: Kind::Literature(Way::Tau, Search::Tau) },
    Method { name: "Classic", kind: Kind::Literature(Way::Classic, Search::Classic) },
    Method { name: "Tobar 2024", kind: Kind::Literature(Way::Tobar2024, Search::Tau) },
    Method { name: "ours", kind: Kind::Ours(Signatures::Free) },
];

/// Ours with other signatures.
pub(super) static SIGNATURES: [Method; 2] = [
    Method { name: "few", kind: Kind::Ours(Signatures::Few) },
    Method { name: "smallest", kind: Kind::Ours(Signatures::Smallest) },
];

/// Counterfeits of each release, and its information loss in per cent.
pub(super) fn release_by_release(
    source: &Source,
    attribute: &str,
    m: usize,
    method: Method,
    seed: u64,
) -> Result<Vec<(u64, Option<f64>)>> {
    let tables = source.tables(attribute, seed)?;
    let (way, search, signatures, effort) = match method.kind {
        Kind::Bound => {
            let bound = |most: usize, rows: usize| ((m * most).saturating_sub(rows) as u64, None);
            return Ok(tables.iter().map(|(table, most)| bound(*most, table.rows)).collect());
        }
        Kind::Literature(way, search) => (way, search, Signatures::Free, 0.0),
        Kind::Ours(signatures) => (Way::Fewest, Search::Auto, signatures, EFFORT),
    };
    let mut settings = Settings {
        quasi: QUASI.map(String::from).to_vec(),
        sensitive: Some(attribute.to_owned()),
        method: search.into(),
        eligibility: Repair::Add,
        budget: Budget::Effort(effort),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed: Some(seed),
        ..Settings::of(Model::MInvariance { m })
    };
    settings.changes.fake = Fake::Frequent;
    let ctx = Ctx::silent();
    let mut ledger: Option<Ledger> = None;
    let mut found = Vec::new();
    for (table, most) in &tables {
        let options = Options {
            id: String::from("id"),
            mode: Mode::MInvariance,
            ledger: ledger.take(),
            signatures,
            exact_names: false,
            key: None,
            vacancies: Some(Vacancies::NewRecords),
            way,
            more: 0,
        };
        let prepared = prepare(table, &settings, &options, &ctx)?;
        let outcome = finish(table, &prepared, &solve(prepared.job(), &ctx)?, &ctx)?;
        ensure!(outcome.report.audit.passed, "the audit failed");
        let counterfeits = outcome.report.changes.counterfeits;
        ensure!(counterfeits >= (m * most).saturating_sub(table.rows), "fewer than can be");
        found.push((counterfeits as u64, outcome.exact().objective.information_loss_percent));
        ledger = Some(outcome.ledger.context("a release has no ledger")?);
    }
    Ok(found)
}
