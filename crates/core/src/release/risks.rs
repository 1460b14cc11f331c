//! Risks of re-identification, from the audit's form to the report's.

use lookalike_audit::{Exposure as AuditExposure, Risks};
use lookalike_model::{assessment::Exposure, report::Risk};

/// As the report has them; what depends on sensitive values is left open.
pub(super) fn of_risks(found: &Risks) -> Risk {
    Risk {
        smallest_group: found.smallest_group,
        highest_reidentification: found.prosecutor.highest,
        mean_reidentification: found.prosecutor.mean,
        uniques: found.uniques,
        prosecutor: exposure(found.prosecutor),
        journalist: exposure(found.journalist),
        marketer: found.marketer,
        sample_fraction: found.sample_fraction,
        threshold: found.threshold,
        ..Risk::default()
    }
}

/// As the report has it.
pub(crate) fn exposure(e: AuditExposure) -> Exposure {
    Exposure { highest: e.highest, mean: e.mean, at_risk: e.at_risk, at_risk_share: e.at_risk_share }
}
