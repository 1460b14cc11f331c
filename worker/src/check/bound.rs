//! `lookalike check --certificate`: whether the bound of a certificate holds for a table.
//!
//! The settings say what the columns mean; the points, and all that follows from them, are computed by the audit.

use std::path::{Path, PathBuf};

use lookalike_core::{
    audit::certificate::{Certificate, Loss as Certified, Refusal, Rule},
    certify,
    table::{Noun, Table, text::counted},
};
use lookalike_model::settings::{Model, Settings};
use lookalike_wire::config::Draft;
use lookalike_words::Message as _;
use serde_json::{Value, json};

use super::{Check, fault::CheckFault};
use crate::{
    anonymize::{AuditFault, edits},
    certificate::LossNoun,
    column_flags,
    configuration::{self, File},
    exit::Failure,
    files,
    flag_values::Pairs,
    summary::at_least_to,
};

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct BoundArgs {
    /// Verify the bound of this certificate, as `lookalike anonymize` writes it; the table is the one that was
    /// anonymized, and columns are described as they were then
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "model", "original", "repair", "order", "set", "distinct_l", "entropy_l", "recursive_cl", "alpha", "spread",
            "t_closeness", "beta", "enhanced_beta", "delta", "sampling_weight", "household",
        ],
        help_heading = "Certificate"
    )]
    pub(super) certificate: Option<PathBuf>,
    /// Weights of the quasi-identifiers, which sum to 1 [default: equal]
    #[arg(long, value_name = "COLUMN=WEIGHT", requires = "certificate", help_heading = "Certificate")]
    weights: Option<Pairs>,
    /// Most nodes of the search for a class that refutes the bound
    #[arg(
        long,
        value_name = "NUMBER",
        requires = "certificate",
        default_value_t = 100_000_000,
        help_heading = "Certificate"
    )]
    nodes: u64,
}

/// All that is told.
pub(crate) struct BoundCheck {
    pub(crate) checked: certify::Checked,
    table: Table,
}

/// Runs the command.
pub(super) fn run(args: &Check) -> Result<(), Failure> {
    let Some(path) = &args.bound.certificate else { return Ok(()) };
    let found = judged(args, path)?;
    let told = if args.json { found.json()? } else { found.text() };
    files::tell(&told)?;
    match found.checked.verdict {
        Ok(_) => Ok(()),
        Err(_) => Err(Failure::audit(AuditFault::NoBound)),
    }
}

/// Judges the certificate in a file.
///
/// # Errors
/// If it, or the table, cannot be read.
pub(crate) fn judged(args: &Check, path: &Path) -> Result<BoundCheck, Failure> {
    let bytes = files::read(path)?;
    let unreadable = |refusal: Refusal| Failure::in_file(path, refusal.said());
    let certificate = Certificate::from_json(&String::from_utf8_lossy(&bytes)).map_err(unreadable)?;
    let file = args.config.as_deref().map(configuration::read).transpose()?;
    let settings = settings(args, &certificate, file.as_ref())?;
    let needed = if file.is_some() { None } else { Some(configuration::columns(&settings)) };
    let table = args.table.read(needed, edits(&settings))?;
    configuration::check(file.as_ref(), &table)?;
    let checked = certify::check(&table, &settings, certificate, args.bound.nodes)?;
    Ok(BoundCheck { checked, table })
}

/// What the flags and the configuration say; the guarantee is the certificate's unless they say another.
fn settings(args: &Check, certificate: &Certificate, file: Option<&File>) -> Result<Settings, Failure> {
    let mut draft = Draft::default();
    let model = match (args.k, args.m, certificate.rule) {
        (Some(_), Some(_), _) => {
            return Err(Failure::input(CheckFault::TwoModels));
        }
        (Some(k), None, _) => Some(Model::KAnonymity { k }),
        (None, Some(m), _) => Some(Model::MInvariance { m }),
        _ if file.is_some_and(|file| file.model().is_some()) => None,
        (None, None, Rule::MinSize { k }) => Some(Model::KAnonymity { k }),
        (None, None, Rule::Distinct { m }) => Some(Model::MInvariance { m }),
    };
    if let Some(model) = model {
        draft.settings.model = Some(model);
    }
    if let Some(quasi) = &args.quasi {
        draft.settings.quasi = Some(quasi.0.clone());
    }
    if let Some(sensitive) = &args.sensitive {
        draft.settings.sensitive = Some(sensitive.clone());
    }
    if let Some(weights) = &args.bound.weights {
        draft.settings.weights = column_flags::weights(weights)?;
    }
    args.cells.said(&mut draft)?;
    draft.settings.pad = args.table.widths()?;
    draft.settings.labels = args.table.labels()?;
    let draft = configuration::merge(draft, file)?;
    let told = draft.settings.loss.is_some();
    let settings = draft.complete(None).map_err(Failure::input)?;
    if told && certify::loss(settings.loss) != certificate.loss {
        let [asked, certified] = [format!("{:?}", settings.loss), format!("{:?}", certificate.loss)];
        return Err(Failure::input(CheckFault::OtherLoss { asked, certified }));
    }
    let model = settings.model;
    Ok(Settings { model, ..certify::of(settings, certificate) })
}

/// A loss, as a partition has it.
pub(crate) fn noun(loss: Certified) -> LossNoun {
    match loss {
        Certified::Sse => LossNoun::Sse,
        Certified::Ncp => LossNoun::Ncp,
        Certified::NcpBinary => LossNoun::NcpBinary,
    }
}

impl BoundCheck {
    fn rule(&self) -> String {
        match self.checked.certificate.rule {
            Rule::MinSize { k } => format!("at least {k} records"),
            Rule::Distinct { m } => format!("at least {m} records with different sensitive values"),
        }
    }

    /// Name, noun and weight of each column that counts.
    fn columns(&self) -> impl Iterator<Item = (&str, Noun, f64)> {
        let name = |index: usize| self.table.columns.get(index).map_or("", |column| column.name.as_str());
        self.checked.meaning.attributes.iter().map(move |a| (name(a.column), a.reading.noun(), a.weight))
    }

    fn text(&self) -> String {
        let columns: Vec<String> = self
            .columns()
            .map(|(name, noun, weight)| format!("{name} (each cell a {noun}, weight {weight:.4})"))
            .collect();
        let records = self.checked.certificate.duals.len();
        let bound = self.checked.certificate.claim();
        let part = match (self.checked.sst, self.checked.certificate.loss) {
            (Some(sst), _) if sst > 0.0 => {
                format!(", an information loss of {} %", at_least_to(100.0 * bound / sst, 4.0))
            }
            (_, Certified::Sse) => String::new(),
            _ => format!(", {} a record", at_least_to(bound / records.max(1) as f64, 6.0)),
        };
        let least = at_least_to(bound, 6.0);
        let searched = match self.checked.certificate.optimum {
            Some(_) => ", all partitions that the duals leave possible among them",
            None => "",
        };
        let verdict = match &self.checked.verdict {
            Ok(verified) => format!(
                "holds  no partition of {} of {} into classes of {} has {} below {least}{part}; {} nodes{searched}",
                counted(records, "record", "records"),
                counted(self.table.rows, "row", "rows"),
                self.rule(),
                noun(self.checked.certificate.loss),
                verified.nodes,
            ),
            Err(refusal) => format!("FAILS  the bound of {least}: {refusal}"),
        };
        format!("losses computed anew from {}\n\n{verdict}\n", columns.join(", "))
    }

    fn json(&self) -> Result<String, Failure> {
        let percent = self
            .checked
            .sst
            .filter(|sst| *sst > 0.0)
            .map(|sst| 100.0 * self.checked.certificate.claim() / sst);
        let columns: Vec<Value> = self
            .columns()
            .map(|(name, noun, weight)| json!({ "name": name, "cells": noun.to_string(), "weight": weight }))
            .collect();
        let answer = json!({
            "passed": self.checked.verdict.is_ok(),
            "rule": self.checked.certificate.rule,
            "loss": self.checked.certificate.loss,
            "bound": self.checked.certificate.claim(),
            "bound_of_duals": self.checked.certificate.bound,
            "proven": self.checked.verdict.as_ref().ok().map(|v| v.bound),
            "information_loss_percent": percent,
            "records": self.checked.certificate.duals.len(),
            "rows": self.table.rows,
            "cuts": self.checked.certificate.cuts.len(),
            "nodes": self.checked.verdict.as_ref().ok().map(|v| v.nodes),
            "refusal": self.checked.verdict.as_ref().err().map(ToString::to_string),
            "columns": columns,
        });
        let text = serde_json::to_string_pretty(&answer);
        Ok(text.map_err(|e| Failure::json(&e))? + "\n")
    }
}
