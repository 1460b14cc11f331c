//! Settings as Python's arguments. They are the properties of a configuration by the same names, read by the same code;
//! `docs/interfaces.md` has the table of all doors.

use std::path::Path;

use lookalike_core::table::Edits;
use lookalike_model::settings::{Kind, Settings};
use lookalike_wire::config::{self, Draft, Fault};
use lookalike_words::{self as words, Said, Speaker};
use serde_json::{Map, Value};

use crate::failure::Failure;

/// Flags whose argument has another name than theirs with underscores, and the part of the argument that they say; empty for the
/// whole of it.
pub(crate) const NAMED_OTHERWISE: &[(&str, &str, &str)] = &[
    ("kind", "kinds", ""),
    ("order", "orders", ""),
    ("hierarchy", "hierarchies", ""),
    ("generate-hierarchy", "hierarchies", ""),
    ("domain", "domains", ""),
    ("publish-column", "publish_columns", ""),
    ("top", "coding", ""),
    ("bottom", "coding", ""),
    ("person", "rows_are", "of"),
    ("sampling-weight", "sample", "weight"),
    ("household", "sample", "household"),
    ("set", "sets", ""),
    ("missing", "missing", "markers"),
    ("missing-quasi", "missing", "quasi"),
    ("missing-sensitive", "missing", "sensitive"),
    ("missing-column", "missing", "columns"),
    ("distinct-l", "conditions", ""),
    ("entropy-l", "conditions", ""),
    ("recursive-cl", "conditions", ""),
    ("alpha", "conditions", ""),
    ("spread", "conditions", ""),
    ("t-closeness", "conditions", ""),
    ("beta", "conditions", ""),
    ("enhanced-beta", "conditions", ""),
    ("delta", "conditions", ""),
    ("suppress-price", "suppress", "price"),
    ("suppress-limit", "suppress", "limit"),
    ("counterfeit-points", "changes", "counterfeit_points"),
    ("delete", "changes", "delete"),
    ("prefer", "changes", "prefer"),
    ("ties", "changes", "ties"),
    ("fake", "changes", "fake"),
    ("costs", "changes", "costs"),
    ("min-real", "changes", "min_real"),
    ("max-belief", "changes", "max_belief"),
    ("start", "method", "start"),
    ("blocks", "method", "blocks"),
    ("swap-first", "method", "swap_first"),
    ("no-final-swap", "method", "no_final_swap"),
    ("stop-gap-percent", "method", "stop_gap_percent"),
    ("sort-order", "method", "order"),
    ("carry", "method", "carry"),
    ("carry-sets", "method", "carry"),
    ("carry-boundary", "method", "carry"),
    ("carry-bubble", "method", "carry"),
    ("carry-solver", "method", "carry"),
    ("carry-time-limit", "method", "carry"),
    ("output-delimiter", "output", "delimiter"),
    ("output-bom", "output", "bom"),
    ("output-line-ends", "output", "line_ends"),
    ("output-formulas", "output", "formulas"),
];

/// Arguments whose value is a dictionary by column.
const BY_COLUMN: [&str; 8] =
    ["kinds", "orders", "pad", "labels", "hierarchies", "domains", "publish_columns", "coding"];

/// The argument of a setting that messages name as the command line's flag, and the part of it.
fn argument(flag: &str) -> (String, &'static str) {
    let other = NAMED_OTHERWISE.iter().find(|(named, ..)| *named == flag);
    other.map_or_else(|| (flag.replace('-', "_"), ""), |(_, argument, part)| ((*argument).to_owned(), *part))
}

/// A message in English, for somebody who writes Python.
pub(crate) fn spoken(said: &Said) -> String {
    Speaker::english_for(&Arguments).words(said)
}

/// Python's arguments, as messages name them: `method="anneal"`, `kinds={"zip": "category"}`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arguments;

impl words::Settings for Arguments {
    fn words(&self, setting: &str, value: Option<&str>) -> String {
        if setting == "model" {
            return String::from(if value == Some("m-invariance") { "m" } else { "k or m" });
        }
        let (name, part) = argument(setting);
        let Some(value) = value else {
            return if part.is_empty() || setting == name { name } else { format!("{name}[\"{part}\"]") };
        };
        if let Some(column) = value.strip_prefix("events-of=") {
            return format!("{name}={}", entry("events-of", column));
        }
        if BY_COLUMN.contains(&name.as_str()) {
            // Alternatives name the column again: `{x}=real or {x}=date`.
            let pairs = value.split(" or ").map(|pair| {
                let (column, value) = pair.split_once('=').unwrap_or((pair, "..."));
                entry(column, value)
            });
            return format!("{name}={}", pairs.collect::<Vec<_>>().join(" or "));
        }
        if part.is_empty() {
            return format!("{name}={}", texts(value));
        }
        format!("{name}={}", entry(part, value))
    }
}

/// A dictionary with one entry, as templates write braces.
fn entry(name: &str, value: &str) -> String {
    format!("{{<}}\"{name}\": {}{{>}}", texts(value))
}

/// A text of Python, or alternatives of which one is taken.
fn texts(value: &str) -> String {
    let alternatives: Vec<String> = value.split('|').map(|text| format!("\"{text}\"")).collect();
    alternatives.join(" or ")
}

/// What Python says of a run.
pub(crate) struct Given {
    pub(crate) draft: Draft,
    pub(crate) seed: Option<u64>,
}

impl Given {
    /// Reads the arguments: `settings` by their names, with `identifiers` and `seed`, over a configuration's text.
    ///
    /// # Errors
    /// What is not known, with the nearest name, or does not fit.
    pub(crate) fn read(settings: &str, configuration: Option<&str>) -> Result<Self, Failure> {
        let mut given: Map<String, Value> = serde_json::from_str(settings)?;
        let seed = match given.remove("seed") {
            None | Some(Value::Null) => None,
            Some(seed) => Some(seed.as_u64().ok_or_else(|| {
                let most = u64::MAX;
                Failure::settings(format!(
                    "seed must be a whole number from 0 to {most} (2**64 - 1), not {seed}"
                ))
            })?),
        };
        let identifiers = match given.remove("identifiers") {
            None => Vec::new(),
            Some(names) => serde_json::from_value(names)
                .map_err(|_| Failure::settings("identifiers must be a list of column names"))?,
        };
        let settings = config::told(&given).map_err(|error| unknown(&error))?;
        let own = Draft { settings, identifiers, ..Draft::default() };
        let below =
            configuration.map(config::read).transpose()?.map(|loaded| loaded.draft).unwrap_or_default();
        Ok(Self { draft: own.over(below), seed })
    }

    /// Puts in the kinds that the types of columns say, for those that an attacker may know and of which nothing else is said.
    pub(crate) fn declare(&mut self, kinds: impl IntoIterator<Item = (String, Kind)>) {
        let told = &mut self.draft.settings;
        for (column, kind) in kinds {
            let named = [&told.quasi, &told.keep].into_iter().flatten().any(|names| names.contains(&column));
            let said = told.kinds.contains_key(&column)
                || told.orders.contains_key(&column)
                || told.pad.contains_key(&column)
                || told.labels.contains_key(&column);
            if named && !said {
                told.kinds.insert(column, kind);
            }
        }
    }

    /// The settings, with a seed.
    ///
    /// # Errors
    /// If something is missing that has no default.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        let seed = match self.seed {
            Some(seed) => seed,
            None => crate::run::entropy()?,
        };
        Ok(self.draft.complete(Some(seed))?)
    }

    /// What is put in place of cells while the table is read.
    pub(crate) fn edits(&self) -> Edits {
        let told = &self.draft.settings;
        let missing: lookalike_model::settings::Missing = told.missing.clone().into();
        Edits { widths: told.pad.clone(), labels: told.labels.clone(), markers: missing.markers }
    }

    /// Reads the hierarchies that the configuration names as files, relative to its folder.
    ///
    /// # Errors
    /// If one cannot be read.
    pub(crate) fn hierarchies_from(&mut self, folder: &Path) -> Result<(), Failure> {
        for (column, file) in self.draft.linked() {
            let path = folder.join(&file);
            let bytes = std::fs::read(&path)
                .map_err(|why| Failure::settings(format!("cannot read {}: {why}", path.display())))?;
            let (hierarchy, _) = lookalike_core::table::hierarchy::Hierarchy::open(&bytes)
                .map_err(|why| Failure::settings(format!("{}: {why}", path.display())))?;
            self.draft.put_hierarchy(&column, &hierarchy.rows());
        }
        Ok(())
    }
}

/// A property that nobody knows, with the one that was meant.
fn unknown(error: &config::Error) -> Failure {
    let Fault::Unknown { known } = &error.fault else { return error.clone().into() };
    let mut names: Vec<&str> = known.clone();
    names.extend(["k", "m", "effort", "time_limit", "seed", "identifiers", "threads", "progress", "config"]);
    names.sort_unstable();
    let near = config::near(&error.path, &names);
    let meant = if near.is_empty() {
        format!("known arguments: {}", names.join(", "))
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    Failure::settings(format!("there is no argument {}: {meant}", error.path))
}
