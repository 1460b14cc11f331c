//! The statement as data, made of what the printed one is made of, so that the two cannot differ.

use lookalike_model::{
    finding::{Finding, finding},
    report::{Private, Report, Risk},
    statement::{
        ByHand, Computed, ConditionsOf, Counts, Criteria, Exposed, File, Files, Found, Guarantee, Lost,
        Record, RiskFigures, Role, SCHEMA_VERSION, Technique, Threshold, Variable,
    },
    threshold::ThresholdSource,
};
use lookalike_words::Message as _;

use super::{
    Made, NamedFile,
    data::{self, StatementForm, StatementRole, Weight},
    guarantee, series, three,
};
use crate::digest::salted;

/// The statement of a run as data, of the report with all figures. `made` says what only the caller knows.
#[must_use]
pub fn record(report: &Report, private: &Private, made: &Made) -> Record {
    let classes = private.settings.class_column.name().is_some();
    let further = report.further.iter();
    Record {
        notice: String::from("the figures are exact and of the source, too: for the data holder's files"),
        schema_version: SCHEMA_VERSION,
        by_hand: ByHand::default(),
        finding: found(finding(report, &private.settings), report),
        guarantee: Guarantee {
            model: report.model,
            conditions: report.conditions.clone(),
            conditions_of: further
                .map(|of| ConditionsOf { column: of.column.clone(), conditions: of.conditions.clone() })
                .collect(),
            sets: report.sets.clone(),
            words: guarantee::words(report, classes),
            series: report.series,
        },
        series: series::facts(report, private),
        size: report.input,
        variables: variables(report, private),
        changes: report.changes,
        threshold: Threshold {
            probability: report.risk.threshold,
            source: ThresholdSource::of(report.risk.threshold).said(),
        },
        risk: exposed(report, private),
        criteria: criteria(report, private),
        attacks: made.attacks.clone(),
        residual: three::residual(report, private),
        utility: Lost {
            loss: report.loss,
            reached: report.objective.value,
            information_loss_percent: report.objective.information_loss_percent,
            certainty_penalty: report.utility.gcp_mean,
            gap_percent: report.bound.as_ref().map(|bound| bound.gap_percent),
        },
        files: files(private, made),
        computed: Computed {
            at: made.at.clone(),
            program: made.program,
            version: report.version.clone(),
            revision: report.revision,
            method: report.method.name.name().to_owned(),
            explanation: report.method.explanation.clone(),
            reproducible: report.reproducible,
            place: report.searched,
            sent: private.sent.iter().chain(&private.sent_before).cloned().collect(),
        },
    }
}

fn found(finding: Finding, report: &Report) -> Found {
    let Finding { passed, sentence, why, against, against_not, published, .. } = finding;
    Found { passed, sentence, why, against, against_not, published, checks: report.audit.checks.clone() }
}

fn exposed(report: &Report, private: &Private) -> Exposed {
    let figures = |risk: &Risk| RiskFigures {
        smallest: risk.smallest_group,
        alone: risk.uniques,
        highest: risk.prosecutor.highest,
        mean: risk.prosecutor.mean,
        at_risk: risk.prosecutor.at_risk,
        at_risk_share: risk.prosecutor.at_risk_share,
    };
    let mut after = figures(&report.risk);
    if let Some(freeform) = &report.freeform {
        after.smallest = freeform.least_matches;
    }
    Exposed {
        counts: if report.persons.is_some() { Counts::Persons } else { Counts::Records },
        before: private.source_risk.as_ref().map(figures),
        after,
        journalist: (report.risk.sample_fraction < 1.0).then_some(report.risk.journalist.highest),
        highest_attribute_disclosure: report.risk.highest_attribute_disclosure,
    }
}

fn criteria(report: &Report, private: &Private) -> Vec<Criteria> {
    let of = |row: three::Reached| {
        let three::Reached { criterion, risk, words: reached, figures, attacker } = row;
        Criteria { criterion, risk, reached, figures, attacker }
    };
    three::reached(report, private).into_iter().map(of).collect()
}

fn files(private: &Private, made: &Made) -> Files {
    let file = |of: &NamedFile| File { name: of.name.clone(), sha256: Some(of.sha256.clone()) };
    Files {
        source: File { name: made.source.clone(), sha256: private.source.as_ref().and_then(salted) },
        table: file(&made.release),
        report: made.report.as_ref().map(file),
        ledger: made.ledger.as_ref().map(file),
        code: made.code(private),
    }
}

/// All columns, in the order of the printed statement.
fn variables(report: &Report, private: &Private) -> Vec<Variable> {
    let missing = |name: &str| report.missing.columns.iter().find(|column| column.column == name);
    let level = |name: &str| {
        let levels = report.full_domain.as_ref()?;
        levels.columns.iter().find(|of| of.column == name).map(|of| of.level)
    };
    let of = |column: data::Variable<'_>| {
        let name = column.name.as_str();
        let (technique, levels) = column.form.as_ref().map_or((Technique::Removed, None), technique);
        let (words, missing) = (column.words(), missing(name));
        Variable {
            name: name.to_owned(),
            role: role(&column.role),
            technique,
            levels,
            words,
            level: level(name),
            coding: column.coding,
            weight: match column.weight {
                Weight::Own(weight) => Some(weight),
                Weight::None | Weight::Alike => None,
            },
            missing: missing.map(|of| of.policy),
            missing_rows: missing.map(|of| of.rows),
        }
    };
    data::variables(report, private).into_iter().map(of).collect()
}

fn role(role: &StatementRole) -> Role {
    match role {
        StatementRole::Quasi => Role::QuasiIdentifier,
        StatementRole::Sensitive | StatementRole::FurtherSensitive => Role::Sensitive,
        StatementRole::Kept => Role::Kept,
        StatementRole::Unchanged => Role::Unchanged,
        StatementRole::Unpublished => Role::NotPublished,
    }
}

/// What a form means, and the levels of its hierarchy.
fn technique(form: &StatementForm) -> (Technique, Option<usize>) {
    match form {
        StatementForm::AsIs => (Technique::None, None),
        StatementForm::Hierarchy { levels } => (Technique::Hierarchy, Some(*levels)),
        StatementForm::Ranges => (Technique::Ranges, None),
        StatementForm::Ends => (Technique::RangeEnds, None),
        StatementForm::EndsAndMiddle => (Technique::RangeEndsAndMiddle, None),
        StatementForm::Sets => (Technique::Sets, None),
        StatementForm::Means => (Technique::Means, None),
    }
}
