//! The flags of `lookalike check`, and what they mean.

use std::path::PathBuf;

use clap::Args;
use lookalike_core::{
    audit::{
        Attacker, Distance, Diversity, Inquiry, Model, Population, SUPPRESSED,
        disclosure::{Known, Way},
        measure::Reading,
    },
    check::Asked,
    table::Kind,
};

use crate::{
    args::{List, Pairs},
    exit::Failure,
    input::TableArgs,
};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(super) table: TableArgs,

    /// Columns that an attacker may know
    #[arg(long, value_name = "COLUMNS", help_heading = "Columns")]
    quasi: List,
    /// The column whose values are protected
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    sensitive: Option<String>,
    /// Column with class labels, judged beside the groups of equal quasi-identifiers [default: `class`, if there is one]
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    class: Option<String>,
    /// Cells that mean "suppressed"; a row with nothing else in its quasi-identifiers is no class
    #[arg(long, value_name = "LIST", default_value = SUPPRESSED, help_heading = "Columns")]
    suppressed: List,
    /// Count all missing sensitive values together as one value; otherwise they are no diversity
    #[arg(long, help_heading = "Columns")]
    missing_as_value: bool,
    /// Kinds of columns, where the guess is wrong: zip=category,score=number
    #[arg(long, value_name = "COLUMN=KIND", help_heading = "Columns")]
    kind: Option<Pairs>,

    /// What to check; several may be named
    #[arg(
        long,
        required = true,
        value_name = "MODEL",
        value_delimiter = ',',
        value_parser = ["k-anonymity", "l-diversity", "t-closeness", "m-uniqueness"],
        help_heading = "Models"
    )]
    model: Vec<String>,
    /// Least number of rows of a group (k-anonymity)
    #[arg(long, help_heading = "Models")]
    k: Option<usize>,
    /// Least diversity of a group (l-diversity)
    #[arg(long, help_heading = "Models")]
    l: Option<usize>,
    /// What diversity is [default: distinct]
    #[arg(long, value_parser = ["distinct", "entropy", "recursive"], help_heading = "Models")]
    variant: Option<String>,
    /// The c of recursive (c,l)-diversity
    #[arg(long, help_heading = "Models")]
    c: Option<f64>,
    /// Largest distance of a group from the whole table, 0 to 1 (t-closeness)
    #[arg(long, help_heading = "Models")]
    t: Option<f64>,
    /// Distance of two sensitive values; ordered needs numbers or --order [default: equal]
    #[arg(long, value_parser = ["equal", "ordered"], help_heading = "Models")]
    distance: Option<String>,
    /// The sensitive values in order, for the ordered distance
    #[arg(long, value_name = "LIST", help_heading = "Models")]
    order: Option<List>,
    /// Least number of different sensitive values of a class (m-uniqueness)
    #[arg(long, help_heading = "Models")]
    m: Option<usize>,

    /// The table is a random sample of a population of this size
    #[arg(long, value_name = "PEOPLE", conflicts_with = "sample_fraction", help_heading = "Risk")]
    population: Option<usize>,
    /// The table is a random sample of this share of its population
    #[arg(long, value_name = "SHARE", help_heading = "Risk")]
    sample_fraction: Option<f64>,
    /// A record is at risk if the probability of its re-identification is above this
    #[arg(long, value_name = "PROBABILITY", default_value_t = Attacker::default().threshold, help_heading = "Risk")]
    risk_threshold: f64,
    /// How the table was made m-eligible: says what that discloses (with --m)
    #[arg(long, value_name = "REPAIR", value_parser = ["add", "delete", "hybrid"], requires = "m", help_heading = "Risk")]
    repair: Option<String>,
    /// Number of counterfeits, if it is published
    #[arg(long, value_name = "NUMBER", requires = "repair", help_heading = "Risk")]
    counterfeits: Option<u64>,
    /// Number of deleted records, if it is published
    #[arg(long, value_name = "NUMBER", requires = "repair", help_heading = "Risk")]
    deletions: Option<u64>,

    /// The table as it was before: says what was lost (with --classes)
    #[arg(long, value_name = "IN.csv", requires = "classes", help_heading = "Utility")]
    pub(super) original: Option<PathBuf>,
    /// Which original row is in which class, as `lookalike anonymize` writes it
    #[arg(long, value_name = "FILE", requires = "original", help_heading = "Utility")]
    pub(super) classes: Option<PathBuf>,
    /// Number of random counting queries
    #[arg(long, value_name = "NUMBER", default_value_t = 200, help_heading = "Utility")]
    queries: usize,
    /// Seed of the queries
    #[arg(long, value_name = "SEED", default_value_t = 1, help_heading = "Utility")]
    query_seed: u64,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl Check {
    /// What to ask of the audit.
    pub(super) fn asked(&self) -> Result<Asked, Failure> {
        let inquiry = Inquiry {
            quasi: self.quasi.0.clone(),
            sensitive: self.sensitive.clone(),
            class: self.class.clone(),
            models: self.models()?,
            suppressed: self.suppressed.0.clone(),
            missing_is_value: self.missing_as_value,
            attacker: Attacker {
                population: match (self.population, self.sample_fraction) {
                    (Some(size), _) => Population::Size(size),
                    (None, Some(fraction)) => Population::Fraction(fraction),
                    (None, None) => Population::Table,
                },
                threshold: self.risk_threshold,
            },
        };
        let (reading, known) = (self.reading()?, self.known()?);
        Ok(Asked { inquiry, reading, known, queries: (self.query_seed, self.queries) })
    }

    fn models(&self) -> Result<Vec<Model>, Failure> {
        let asked = |name: &str| self.model.iter().any(|model| model == name);
        let owners = [
            ("--k", self.k.is_some(), "k-anonymity"),
            ("--l", self.l.is_some(), "l-diversity"),
            ("--variant", self.variant.is_some(), "l-diversity"),
            ("--c", self.c.is_some(), "l-diversity"),
            ("--t", self.t.is_some(), "t-closeness"),
            ("--distance", self.distance.is_some(), "t-closeness"),
            ("--order", self.order.is_some(), "t-closeness"),
        ];
        if let Some((flag, _, model)) = owners.into_iter().find(|(_, given, model)| *given && !asked(model)) {
            return Err(Failure::Input(format!(
                "{flag} belongs to {model}: add --model {model}, or leave it out"
            )));
        }
        if self.m.is_some() && self.repair.is_none() && !asked("m-uniqueness") {
            return Err(Failure::Input(String::from(
                "--m belongs to m-uniqueness: add --model m-uniqueness, or leave it out",
            )));
        }
        let mut names: Vec<&String> = Vec::new();
        for name in &self.model {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.into_iter().map(|name| self.one_model(name)).collect()
    }

    fn one_model(&self, name: &str) -> Result<Model, Failure> {
        let needs = |flag: &str| Failure::Input(format!("{name} needs {flag}"));
        match name {
            "k-anonymity" => Ok(Model::KAnonymity { k: self.k.ok_or_else(|| needs("--k"))? }),
            "m-uniqueness" => Ok(Model::MUniqueness { m: self.m.ok_or_else(|| needs("--m"))? }),
            "l-diversity" => {
                let kind = match (self.variant.as_deref(), self.c) {
                    (Some("recursive"), Some(c)) => Diversity::Recursive { c },
                    (Some("recursive"), None) => return Err(needs("--c with --variant recursive")),
                    (_, Some(_)) => {
                        return Err(Failure::Input(String::from("--c belongs to --variant recursive")));
                    }
                    (Some("entropy"), None) => Diversity::Entropy,
                    (_, None) => Diversity::Distinct,
                };
                Ok(Model::Diversity { l: self.l.ok_or_else(|| needs("--l"))?, kind })
            }
            _ => {
                let distance = match (self.distance.as_deref(), &self.order) {
                    (Some("ordered"), order) => Distance::Ordered { order: order.clone().map(|l| l.0) },
                    (_, Some(_)) => {
                        return Err(Failure::Input(String::from("--order belongs to --distance ordered")));
                    }
                    (_, None) => Distance::Equal,
                };
                Ok(Model::TCloseness { t: self.t.ok_or_else(|| needs("--t"))?, distance })
            }
        }
    }

    /// How published cells are read.
    fn reading(&self) -> Result<Reading, Failure> {
        let mut reading = Reading { suppressed: self.suppressed.0.clone(), ..Reading::default() };
        for (name, value) in self.kind.iter().flat_map(|p| &p.0) {
            let kind = match value.as_str() {
                "number" => Kind::Real,
                "category" => Kind::Category,
                other => {
                    return Err(Failure::Input(format!(
                        "the kind of {name:?} is {other:?}; a kind is number or category"
                    )));
                }
            };
            reading.kinds.insert(name.clone(), kind);
        }
        Ok(reading)
    }

    /// What is known of a repair, if one is named.
    fn known(&self) -> Result<Option<Known>, Failure> {
        let (Some(repair), Some(m)) = (self.repair.as_deref(), self.m) else { return Ok(None) };
        if self.sensitive.is_none() {
            return Err(Failure::Input(String::from(
                "--repair is about sensitive values: name their column (--sensitive)",
            )));
        }
        let way = match repair {
            "add" => Way::Add,
            "delete" => Way::Delete,
            _ => Way::Hybrid,
        };
        let (counterfeits, deletions) = (self.counterfeits, self.deletions);
        Ok(Some(Known { m: m as u64, way, counterfeits, deletions }))
    }
}
