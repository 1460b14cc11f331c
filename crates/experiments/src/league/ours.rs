//! Our own entrants: the default method within the budget.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use lookalike_core::pipeline::anonymize;
use lookalike_model::{
    Ctx,
    report::Report,
    settings::{Loss, Scheme, Settings, Suppress},
};
use serde_json::json;

use super::{
    PERCENT, SECONDS,
    entrant::Ours,
    field::{Condition, Loaded},
    scripts::{Handed, Order, Published},
};
use crate::cpu;

/// Part of the budget after which the search is stopped: publishing and the audit take the rest.
const SEARCH: f64 = 0.75;

/// CPU time is asked for no more often than this.
const OFTEN: Duration = Duration::from_millis(50);

/// Runs a scheme of ours within the budget.
///
/// # Errors
/// If the settings do not fit the table.
pub(super) fn run(loaded: &Loaded, condition: Condition, scheme: Ours) -> Result<Handed> {
    let settings = settings(loaded, condition, scheme)?;
    let began = cpu::used()?;
    // That it can be read was seen just now.
    let spent = || cpu::used().map_or(f64::MAX, |used| used - began);
    let asked = Cell::new((Instant::now(), false));
    let cancelled = || {
        let (when, late) = asked.get();
        if late || when.elapsed() < OFTEN {
            return late;
        }
        let late = spent() > SEARCH * f64::from(SECONDS);
        asked.set((Instant::now(), late));
        late
    };
    let outcome = match anonymize(&loaded.table, &settings, &Ctx { cancelled: &cancelled, ..Ctx::silent() }) {
        Ok(outcome) => outcome,
        Err(why) => return Ok(Handed::Failed(why.to_string())),
    };
    let seconds = spent();
    if seconds > f64::from(SECONDS) {
        return Ok(Handed::Failed(format!("not within the budget: {seconds:.0} s")));
    }
    let order = match scheme {
        Ours::Levels => Order::Lost,
        Ours::Labels | Ours::Ranges | Ours::Means => Order::Key(outcome.classes),
    };
    let gap = gap(&outcome.report);
    Ok(Handed::Published(Published { bytes: outcome.published, order, seconds, gap }))
}

/// 100 (loss - bound) / loss.
fn gap(report: &Report) -> Option<f64> {
    match &report.full_domain {
        Some(found) => {
            let gap =
                |bound: f64| if found.cost > 0.0 { 100.0 * (found.cost - bound) / found.cost } else { 0.0 };
            found.bound.map(gap)
        }
        None => report.bound.as_ref().map(|bound| bound.gap_percent),
    }
}

fn settings(loaded: &Loaded, condition: Condition, scheme: Ours) -> Result<Settings> {
    let kind = |number: bool| if number { "number" } else { "category" };
    let kinds: serde_json::Map<_, _> =
        loaded.quasi.iter().map(|quasi| (quasi.name.clone(), kind(quasi.number).into())).collect();
    let mut settings: Settings = serde_json::from_value(json!({
        "quasi": loaded.names(),
        "sensitive": loaded.sensitive,
        "kinds": kinds,
        "model": { "name": "k-anonymity", "k": condition.k },
        "loss": if scheme == Ours::Means { Loss::Sse } else { Loss::Ncp },
        "publish": match scheme {
            Ours::Labels | Ours::Levels => "hierarchy",
            Ours::Ranges => "range",
            Ours::Means => "centroid",
        },
        "seed": 1,
    }))
    .context("the settings do not fit")?;
    if let Some(l) = condition.l {
        let diversity = json!({ "name": "distinct-diversity", "l": l });
        settings.conditions = vec![serde_json::from_value(diversity).context("the condition does not fit")?];
    }
    if matches!(scheme, Ours::Labels | Ours::Levels) {
        settings.hierarchies.clone_from(&loaded.hierarchies);
    }
    if scheme == Ours::Levels {
        settings.scheme = Scheme::FullDomain;
        settings.suppress = Some(Suppress { price: Some(1.0), limit: None, share: Some(PERCENT / 100.0) });
    }
    Ok(settings)
}
