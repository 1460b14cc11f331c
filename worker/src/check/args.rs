//! The flags of `lookalike check`, and what they mean.

use std::path::{Path, PathBuf};

use clap::Args;
use lookalike_core::{
    audit::{
        Attacker, Distance, Diversity, Inquiry, Model, Population, Sampled,
        consistency::Notion,
        disclosure::{Choice, Known, RepairUsed},
    },
    check::{Asked, has_column},
    table::{Edits, Table},
};
use lookalike_model::settings::{ClassColumn, RowsAre};
use lookalike_wire::config::Reading;

use crate::{
    column_flags::{labels, widths},
    exit::Failure,
    flag_values::{Labels, List, Pairs, class_column, rows_are},
    input::{MOST_SKIPPED, ORIGINAL, TableArgs},
};

use super::{
    attacks::AttackArgs,
    beside::{Beside, BesideArgs},
    bound::BoundArgs,
    cells::CellArgs,
    config::{FromConfiguration, TableBefore},
    fault::CheckFault,
    series::SeriesArgs,
};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(super) table: TableArgs,
    #[command(flatten)]
    pub(super) series: SeriesArgs,

    /// Columns that an attacker may know
    #[arg(long, value_name = "COLUMNS", required_unless_present_any = ["config", "ledger"], help_heading = "Columns")]
    pub(super) quasi: Option<List>,
    /// The column whose values are protected
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    pub(super) sensitive: Option<String>,
    /// Configuration that the table was anonymized with: its columns, kinds, orders, hierarchies and guarantee; flags
    /// overrule it
    #[arg(long, value_name = "FILE", help_heading = "Columns")]
    pub(super) config: Option<PathBuf>,
    /// Column with class labels, judged in addition to the groups of equal quasi-identifiers; `none` says that there is none
    /// [default: the configuration's; without one `class`, if there is one]
    #[arg(long, value_name = "COLUMN", value_parser = class_column, help_heading = "Columns")]
    pub(super) class: Option<ClassColumn>,
    #[command(flatten)]
    pub(super) cells: CellArgs,
    /// Count all missing sensitive values together as one value; otherwise they add no diversity
    #[arg(long, help_heading = "Columns")]
    missing_as_value: bool,
    /// What to check; several may be named [default: the configuration's]
    #[arg(
        long,
        required_unless_present_any = [
            "certificate", "config", "distinct_l", "entropy_l", "recursive_cl", "alpha", "t_closeness", "beta",
            "enhanced_beta", "delta", "spread", "set", "attacks",
        ],
        value_name = "MODEL",
        value_delimiter = ',',
        value_parser = [
            "k-anonymity", "l-diversity", "t-closeness", "m-uniqueness",
            "1-k-anonymity", "k-1-anonymity", "k-k-anonymity", "k-concealment", "m-invariance", "tau-safety",
        ],
        help_heading = "Models"
    )]
    pub(super) model: Vec<String>,
    /// Least number of rows of a group (k-anonymity); of the other table (1-k-, k-1-, k-k-anonymity and k-concealment, which
    /// need --original)
    #[arg(long, help_heading = "Models")]
    pub(super) k: Option<usize>,
    /// Least diversity of a group (l-diversity)
    #[arg(long, help_heading = "Models")]
    l: Option<usize>,
    /// Kind of diversity [default: distinct]
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
    #[command(flatten)]
    beside: BesideArgs,
    /// Least number of different sensitive values of a class (m-uniqueness), or that are left over several releases
    /// (m-invariance, tau-safety)
    #[arg(long, help_heading = "Models")]
    pub(super) m: Option<usize>,

    /// Column with the number of people in the population that a row stands for (sampling weight): gives the risk in the
    /// population
    #[arg(long, value_name = "COLUMN", help_heading = "Risk")]
    sampling_weight: Option<String>,
    /// Column with the key of a row's household: gives the risk that a household is found by one of its members
    #[arg(long, value_name = "COLUMN", help_heading = "Risk")]
    household: Option<String>,
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
    /// Which values the repair faked: the rarest, the most frequent, or those that cost least [default: rarest]
    #[arg(long, value_name = "VALUES", value_parser = ["rarest", "frequent", "cheapest"], requires = "repair", help_heading = "Risk")]
    fake: Option<String>,
    /// Number of counterfeits, if it is published
    #[arg(long, value_name = "NUMBER", requires = "repair", help_heading = "Risk")]
    counterfeits: Option<u64>,
    /// Number of deleted records, if it is published
    #[arg(long, value_name = "NUMBER", requires = "repair", help_heading = "Risk")]
    deletions: Option<u64>,

    /// The table before it was anonymized: shows what was lost (with --classes); the notions between both tables, and attacks,
    /// need no classes
    #[arg(long, value_name = "IN.csv", help_heading = "Utility")]
    pub(super) original: Option<PathBuf>,
    /// Whether the first row of --original, and of each of --sources, is its header [default: yes, unless a cell of it may
    /// be a value]
    #[arg(long, value_name = "ANSWER", value_parser = ["yes", "no"], help_heading = "Utility")]
    original_header: Option<String>,
    /// Lines above the header of --original, and of each of --sources, that are not part of the table [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=MOST_SKIPPED), help_heading = "Utility")]
    original_skip_rows: Option<u16>,
    /// The same at the end of their files [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=MOST_SKIPPED), help_heading = "Utility")]
    original_skip_last_rows: Option<u16>,
    /// Digits to which cells of --original, and of each of --sources, are filled up on the left with zeros, as --pad does with the
    /// table that is checked [default: the configuration's]
    #[arg(long, value_name = "COLUMN=WIDTH", help_heading = "Utility")]
    original_pad: Option<Pairs>,
    /// Labels in place of the codes of --original, and of each of --sources, as --labels has them in the table that is checked
    /// [default: the configuration's]
    #[arg(long, value_name = "COLUMN=CODE:LABEL", help_heading = "Utility")]
    original_labels: Vec<Labels>,
    /// What each row of --original is: `events-of=COLUMN` says that it is an event of a person, whose key is in this column;
    /// classes must then hold k persons, and --classes says whose rows are in which [default: as --config says, else a person]
    #[arg(long, value_name = "WHAT", value_parser = rows_are, requires = "original", help_heading = "Utility")]
    rows_are: Option<RowsAre>,
    /// Which original row is in which class, as `lookalike anonymize` writes it
    #[arg(long, value_name = "FILE", requires = "original", help_heading = "Utility")]
    pub(super) classes: Option<PathBuf>,
    /// Number of random counting queries
    #[arg(long, value_name = "NUMBER", default_value_t = 200, help_heading = "Utility")]
    queries: usize,
    /// Seed of the queries
    #[arg(long, value_name = "SEED", default_value_t = 1, help_heading = "Utility")]
    query_seed: u64,

    #[command(flatten)]
    pub(super) attacks: AttackArgs,

    #[command(flatten)]
    pub(super) bound: BoundArgs,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl Check {
    /// Reads a table that a published one was made of, as flags and the configuration say.
    pub(super) fn original_table(&self, path: &Path, told: &TableBefore) -> Result<Table, Failure> {
        let said = self.original_pad.as_ref().map(widths).transpose()?.unwrap_or_default();
        let mut edits = Edits { markers: self.cells.markers(), ..told.edits.clone() };
        edits.widths.extend(said);
        edits.labels.extend(labels(&self.original_labels)?);
        edits.markers.extend_from_slice(&told.edits.markers);
        let (skip_rows, skip_last_rows) = (self.original_skip_rows, self.original_skip_last_rows);
        // A header that the file is said to have names its columns itself.
        let names = told.names.clone().filter(|_| self.original_header.as_deref() != Some("yes"));
        let reading = Reading { skip_rows, skip_last_rows, names };
        self.table.read_beside(path, ORIGINAL, self.original_header.as_deref(), (reading, edits))
    }

    /// A flag that is about a single table, if one is given.
    pub(super) fn about_one_table(&self) -> Option<&'static str> {
        let flags = [
            ("--k", self.k.is_some()),
            ("--l", self.l.is_some()),
            ("--variant", self.variant.is_some()),
            ("--c", self.c.is_some()),
            ("--t", self.t.is_some()),
            ("--distance", self.distance.is_some()),
            ("--missing-as-value", self.missing_as_value),
            ("--sampling-weight", self.sampling_weight.is_some()),
            ("--household", self.household.is_some()),
            ("--population", self.population.is_some()),
            ("--sample-fraction", self.sample_fraction.is_some()),
            ("--repair", self.repair.is_some()),
            ("--domain", self.cells.has_domains()),
            ("--rows-are", self.rows_are.is_some()),
            ("--attacks", self.attacks.attacks),
            ("--original", self.original.is_some()),
            ("--config", self.config.is_some()),
        ];
        flags.into_iter().find_map(|(flag, given)| given.then_some(flag)).or_else(|| self.beside.given())
    }

    /// What to ask of the audit: what the configuration has `told` but for what the flags say.
    pub(super) fn asked(&self, table: &Table, told: FromConfiguration) -> Result<Asked, Failure> {
        let present = |name: &String| {
            let columns = || table.columns.iter().map(|column| column.name.as_str().into()).collect();
            if has_column(table, name) {
                return Ok(());
            }
            Err(Failure::input(CheckFault::NoColumn { name: name.as_str().into(), columns: columns() }))
        };
        let quasi = self.quasi.as_ref().map_or(told.quasi, |list| list.0.clone());
        // A guarantee without sensitive values may be published without their column.
        let kept = told.sensitive.filter(|name| table.column(name).is_some());
        let sensitive = self.sensitive.clone().or(kept);
        let mut notions = self.consistency()?;
        if let (true, Some((method, k))) = (self.model.is_empty(), told.own_rows) {
            if self.original.is_none() {
                return Err(Failure::input(CheckFault::OwnRows { method: method.to_string() }));
            }
            notions.extend(Notion::ALL.map(|notion| (notion, k)));
        }
        let beside = self.beside.over(told.beside, sensitive.as_deref(), &self.cells.trees()?)?;
        let mut models = self.models(&beside, sensitive.as_deref())?;
        models.extend(told.model.filter(|_| self.model.is_empty()));
        models.extend(beside.models());
        if models.is_empty() && notions.is_empty() && self.model.is_empty() && !self.attacks.attacks {
            return Err(Failure::input(CheckFault::NoGuarantee));
        }
        let class = self.class.as_ref().and_then(ClassColumn::name).map(str::to_owned);
        let of_sets = models.iter().flat_map(|model| match model {
            Model::Set { columns, .. } => columns.as_slice(),
            _ => &[],
        });
        let named = quasi.iter().chain(&sensitive).chain(&class).chain(of_sets);
        let named = named.chain(&self.sampling_weight).chain(&self.household);
        named.chain(self.cells.columns()).try_for_each(present)?;
        if self.original.is_some() && self.classes.is_none() && notions.is_empty() && !self.attacks.attacks {
            return Err(Failure::input(CheckFault::OriginalAlone));
        }
        let person = match self.rows_are.clone() {
            Some(RowsAre::EventsOf(column)) => Some(column),
            Some(RowsAre::People | RowsAre::Of(_)) => None,
            None => told.person,
        };
        if let Some(column) = &person
            && (self.original.is_none() || self.classes.is_none())
        {
            return Err(Failure::input(CheckFault::PersonsNeedOriginal { column: column.as_str().into() }));
        }
        // A class column of the configuration that was taken out since is no column of the table; no other one takes its place.
        let theirs = told.class.as_ref().and_then(ClassColumn::name);
        let theirs = theirs.filter(|name| self.class.is_none() && table.column(name).is_some());
        let class = class.or_else(|| theirs.map(str::to_owned));
        let no_class = class.is_none() && (self.class.is_some() || told.class.is_some());
        let known = self.known(sensitive.is_some())?;
        let declared = self.cells.declared(told.declared, &quasi)?;
        let missing = self.cells.missing_values(&told.reading);
        let inquiry = Inquiry {
            missing,
            quasi,
            sensitive,
            class,
            models,
            suppressed: self.cells.suppressed(),
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
        let (weight, household) = (self.sampling_weight.clone(), self.household.clone());
        Ok(Asked {
            sampled: Sampled {
                weight: weight.or(told.sample.weight),
                household: household.or(told.sample.household),
            },
            inquiry,
            no_class,
            notions,
            reading: self.cells.reading(told.reading)?,
            declared,
            known,
            person,
            queries: (self.query_seed, self.queries),
        })
    }

    /// The models that are named.
    fn models(&self, beside: &Beside, sensitive: Option<&str>) -> Result<Vec<Model>, Failure> {
        let asked = |name: &str| self.model.iter().any(|model| model == name);
        let owners = [
            ("--k", self.k.is_some(), "k-anonymity"),
            ("--l", self.l.is_some(), "l-diversity"),
            ("--variant", self.variant.is_some(), "l-diversity"),
            ("--c", self.c.is_some(), "l-diversity"),
            ("--t", self.t.is_some(), "t-closeness"),
            ("--distance", self.distance.is_some(), "t-closeness"),
            ("--order", self.beside.orders_sensitive(sensitive), "t-closeness"),
        ];
        let notions = self.notions().next().is_some();
        let astray = |flag: &str, model: &str| {
            !(asked(model) || flag == "--k" && notions || flag == "--order" && beside.orders_sensitive())
        };
        if let Some((flag, _, model)) =
            owners.into_iter().find(|(flag, given, model)| *given && astray(flag, model))
        {
            let (flag, model) = (flag.to_owned(), model.to_owned());
            return Err(Failure::input(CheckFault::OtherModel { flag, model }));
        }
        if self.m.is_some() && self.repair.is_none() && !asked("m-uniqueness") {
            let [flag, model] = ["--m", "m-uniqueness"].map(String::from);
            return Err(Failure::input(CheckFault::OtherModel { flag, model }));
        }
        let mut names: Vec<&String> = Vec::new();
        for name in &self.model {
            if !names.contains(&name) && !self.notions().any(|notion| notion.name() == name) {
                names.push(name);
            }
        }
        names.into_iter().map(|name| self.one_model(name, beside, sensitive)).collect()
    }

    /// The notions between the table and its original that are asked for.
    fn notions(&self) -> impl Iterator<Item = Notion> {
        Notion::ALL.into_iter().filter(|notion| self.model.iter().any(|model| model == notion.name()))
    }

    /// The notions with their k.
    fn consistency(&self) -> Result<Vec<(Notion, usize)>, Failure> {
        let with_k = |notion: Notion| match (self.k, &self.original) {
            (Some(k), Some(_)) => Ok((notion, k)),
            (None, _) => Err(Failure::input(CheckFault::Needs { model: notion.to_string(), flag: "--k" })),
            (_, None) => Err(Failure::input(CheckFault::NeedsOriginal { notion: notion.to_string() })),
        };
        self.notions().map(with_k).collect()
    }

    fn one_model(&self, name: &str, beside: &Beside, sensitive: Option<&str>) -> Result<Model, Failure> {
        let needs = |flag: &'static str| Failure::input(CheckFault::Needs { model: name.to_owned(), flag });
        match name {
            "k-anonymity" => Ok(Model::KAnonymity { k: self.k.ok_or_else(|| needs("--k"))? }),
            "m-uniqueness" => Ok(Model::MUniqueness { m: self.m.ok_or_else(|| needs("--m"))? }),
            "l-diversity" => {
                let kind = match (self.variant.as_deref(), self.c) {
                    (Some("recursive"), Some(c)) => Diversity::Recursive { c },
                    (Some("recursive"), None) => return Err(needs("--c with --variant recursive")),
                    (_, Some(_)) => {
                        return Err(Failure::input(CheckFault::OfVariant));
                    }
                    (Some("entropy"), None) => Diversity::Entropy,
                    (_, None) => Diversity::Distinct,
                };
                Ok(Model::Diversity { l: self.l.ok_or_else(|| needs("--l"))?, kind })
            }
            _ => {
                // An order may be that of a condition beside it.
                let astray = self.beside.orders_sensitive(sensitive) && !beside.orders_sensitive();
                let distance = match self.distance.as_deref() {
                    Some("ordered") => Distance::Ordered { order: beside.order().cloned() },
                    _ if astray => return Err(Failure::input(CheckFault::OfDistance)),
                    _ => Distance::Equal,
                };
                Ok(Model::TCloseness { t: self.t.ok_or_else(|| needs("--t"))?, distance })
            }
        }
    }

    /// What is known of a repair, if one is named.
    fn known(&self, sensitive: bool) -> Result<Option<Known>, Failure> {
        let (Some(repair), Some(m)) = (self.repair.as_deref(), self.m) else { return Ok(None) };
        if !sensitive {
            return Err(Failure::input(CheckFault::RepairWithoutSensitive));
        }
        let way = match repair {
            "add" => RepairUsed::Add,
            "delete" => RepairUsed::Delete,
            _ => RepairUsed::Hybrid,
        };
        let (counterfeits, deletions) = (self.counterfeits, self.deletions);
        let choice = match self.fake.as_deref() {
            Some("frequent") => Choice::Frequent,
            Some("cheapest") => Choice::Cheapest,
            _ => Choice::Rarest,
        };
        Ok(Some(Known { m: m as u64, way, choice, counterfeits, deletions }))
    }
}
