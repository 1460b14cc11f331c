//! The findings for programs.

use lookalike_core::{
    audit::{
        Check, Exposure, Finding, Grouping, Risks,
        disclosure::Disclosure,
        measure::{Figures, Utility},
    },
    check::{Findings, Noted, PersonsFound, Repair, sample_record},
};
use lookalike_words::{Message, Said};
use serde_json::{Value, json};

use crate::exit::Failure;

/// All that was found, and of attacks, if any were asked for.
pub(super) fn tell(found: &Findings, attacks: Option<&Value>) -> Result<String, Failure> {
    let assessment = &found.assessment;
    let answer = json!({
        "passed": found.broken() == 0,
        "class_column": found.class,
        "reader": found.reader(),
        "persons": found.persons.as_ref().map(persons),
        "linking_key": found.key.as_ref().map(check),
        "sensitive_values": found.values.as_ref().map(check),
        "findings": assessment.findings.iter().map(finding).collect::<Vec<_>>(),
        "against_original": found.notions.iter().map(noted).collect::<Vec<_>>(),
        "domains": found.figures.domains.as_ref().map(check),
        "notes": assessment.notes.iter().map(check).collect::<Vec<_>>(),
        "risk": risk(&assessment.risks),
        "sample": sample_record(found),
        "figures": figures(&found.figures),
        "utility": found.utility.as_ref().map(utility),
        "disclosure": match &found.repair {
            Repair::NotNamed => Value::Null,
            Repair::Otherwise => json!({ "fits": false }),
            Repair::Discloses(found) => disclosure(found),
        },
        "attacks": attacks,
    });
    let text = serde_json::to_string_pretty(&answer);
    Ok(text.map_err(|e| Failure::json(&e))? + "\n")
}

fn persons(found: &PersonsFound) -> Value {
    json!({
        "column": found.column,
        "count": found.count,
        "least_in_class": found.least_in_class,
        "least_in_group": found.least_in_group,
        "in_several_classes": found.split,
        "needed": found.k,
        "passed": found.holds(),
        "values": found.owners.map(|owners| json!({
            "m": owners.m,
            "classes": owners.classes,
            "classes_with_a_shared_value": owners.shared,
            "groups_with_a_frequent_value": owners.frequent,
            "classes_with_other_values": owners.differ,
            "passed": owners.holds(),
        })),
        "prosecutor": { "highest": found.highest_risk(), "mean": found.mean_risk },
    })
}

fn noted(noted: &Noted) -> Value {
    json!({
        "model": noted.notion.name(),
        "reached": noted.reached,
        "passed": noted.check.passed,
        "finding": noted.check.finding.said(),
        "witnesses": said(&noted.check.witnesses),
    })
}

pub(super) fn check(check: &Check) -> Value {
    json!({
        "name": check.name.said(),
        "passed": check.passed,
        "finding": check.finding.said(),
        "witnesses": said(&check.witnesses),
    })
}

pub(super) fn finding(finding: &Finding) -> Value {
    json!({
        "model": finding.model.to_string(),
        "column": finding.model.column(),
        "grouping": match finding.grouping {
            Grouping::Class => "class",
            Grouping::Group => "equal quasi-identifiers",
        },
        // Infinity, "no c will do", is null as well; `passed` tells.
        "reached": finding.reached,
        "passed": finding.check.passed,
        "finding": finding.check.finding.said(),
        "witnesses": said(&finding.check.witnesses),
    })
}

/// Messages by identity and arguments, and in English.
fn said(messages: &[impl Message]) -> Vec<Said> {
    messages.iter().map(Message::said).collect()
}

fn exposure(exposure: &Exposure) -> Value {
    json!({
        "highest": exposure.highest,
        "mean": exposure.mean,
        "at_risk": exposure.at_risk,
        "at_risk_share": exposure.at_risk_share,
    })
}

fn risk(risks: &Risks) -> Value {
    json!({
        "records": risks.records,
        "suppressed": risks.suppressed,
        "groups": risks.groups,
        "smallest_group": risks.smallest_group,
        "uniques": risks.uniques,
        "unique_share": risks.unique_share,
        "prosecutor": exposure(&risks.prosecutor),
        "journalist": exposure(&risks.journalist),
        "marketer": risks.marketer,
        "sample_fraction": risks.sample_fraction,
        "threshold": risks.threshold,
    })
}

fn figures(figures: &Figures) -> Value {
    json!({
        "average_group_size": figures.average_group_size,
        "c_avg": figures.c_avg,
        "discernibility": figures.discernibility,
        "classification_metric": figures.classification_metric,
        "ncp_total": figures.ncp_total,
        "gcp_mean": figures.gcp_mean,
        "columns": figures.columns.iter().map(|c| json!({
            "name": c.name,
            "ncp": c.ncp.as_ref().ok(),
            "not_measurable": c.ncp.as_ref().err().map(Message::said),
        })).collect::<Vec<_>>(),
    })
}

fn utility(utility: &Utility) -> Value {
    json!({
        "published_rows": utility.published_rows,
        "unpublished_rows": utility.unpublished_rows,
        "added_rows": utility.added_rows,
        "ncp_total": utility.ncp_total,
        "gcp_mean": utility.gcp_mean,
        "sse": utility.sse,
        "sst": utility.sst,
        "information_loss_percent": utility.information_loss_percent,
        "queries": utility.queries.map(|q| json!({
            "count": q.queries,
            "dimensions": q.dimensions,
            "mean_error": q.mean,
            "median_error": q.median,
        })),
        "columns": utility.columns.iter().map(|c| json!({
            "name": c.name,
            "ncp": c.ncp.as_ref().ok(),
            "not_measurable": c.ncp.as_ref().err().map(Message::said),
            "information_loss_percent": c.information_loss_percent,
            "uncovered": c.uncovered,
            "mean_shift": c.statistic.map(|s| s.mean_shift),
            "variance_ratio": c.statistic.map(|s| s.variance_ratio),
        })).collect::<Vec<_>>(),
    })
}

fn disclosure(disclosure: &Disclosure) -> Value {
    json!({
        "fits": true,
        "promised": disclosure.promised,
        "present": disclosure.present,
        "above": disclosure.above,
        "suspects": disclosure.suspects,
        "certainly_real": disclosure.certainly_real,
        "absent_values": disclosure.absent_values,
    })
}
