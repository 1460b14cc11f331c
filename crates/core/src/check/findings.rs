//! What is asked of a table, and what is found.

use lookalike_audit::{
    Assessment, Check, Inquiry, SampleRisk, Sampled,
    consistency::Notion,
    disclosure::{Disclosure, Known},
    measure::{Ends, Figures, Reading, Utility},
};
use lookalike_model::report::Reader;
use lookalike_table::Table;

use super::{DeclaredColumns, PersonsFound};
use crate::release::reader;

/// What is asked of a table.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Columns, models, attacker. Without a class column, that of a table of ours is taken, unless there is none.
    pub inquiry: Inquiry,
    /// The table is known to have no class column, whatever its columns are called.
    pub no_class: bool,
    /// What has to hold between the table and its original, with its k.
    pub notions: Vec<(Notion, usize)>,
    /// How published cells are read; the original, where it is known, says more.
    pub reading: Reading,
    /// What is declared of columns.
    pub declared: DeclaredColumns,
    /// What is known of a repair, if anything.
    pub known: Option<Known>,
    /// Column of the original with the key of a person, if a person may have several rows.
    pub person: Option<String>,
    /// What a row stands for in the population.
    pub sampled: Sampled,
    /// Seed and number of the random counting queries.
    pub queries: (u64, usize),
}

/// All that was found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Name of the class column that was used.
    pub class: Option<String>,
    /// Columns whose ranges stand in two columns, which are measured as one.
    pub ends: Vec<(String, Ends)>,
    /// The models, notes on how the table was written, risks.
    pub assessment: Assessment,
    /// Persons, where they may have several rows and it is known whose these are.
    pub persons: Option<PersonsFound>,
    /// Whether the linking key fits the table, if there is one.
    pub key: Option<Check>,
    /// Whether each class has the sensitive values of the original's rows that the linking key puts there, if there are such values.
    pub values: Option<Check>,
    /// What the published table tells of its loss.
    pub figures: Figures,
    /// Risk in the population, and that of households, if either was asked for, with the columns that say what a row stands for.
    pub sampled: Option<(Sampled, SampleRisk)>,
    /// What it lost of its original, if that is known.
    pub utility: Option<Utility>,
    /// What the repair discloses.
    pub repair: Repair,
    /// What holds between the table and its original.
    pub notions: Vec<Noted>,
}

/// What was found about a notion.
#[derive(Clone, Debug)]
pub struct Noted {
    /// Which.
    pub notion: Notion,
    /// The largest k that holds.
    pub reached: usize,
    /// Whether what was asked for holds.
    pub check: Check,
}

/// What a table was made of.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a> {
    /// The original.
    pub original: &'a Table,
    /// classes.csv: which original row is in which class.
    pub classes: Option<&'a Table>,
}

/// What a repair discloses.
#[derive(Clone, Debug)]
pub enum Repair {
    /// Nobody asked.
    NotNamed,
    /// No source leads to this table by the repair that was named.
    Otherwise,
    /// This.
    Discloses(Disclosure),
}

impl Findings {
    /// Who read the published table.
    #[must_use]
    pub fn reader(&self) -> Reader {
        reader(self.assessment.reader)
    }

    /// Number of checks that do not hold.
    #[must_use]
    pub fn broken(&self) -> usize {
        let Assessment { findings, notes, .. } = &self.assessment;
        let notions = self.notions.iter().map(|noted| &noted.check);
        let checks = findings.iter().map(|finding| &finding.check).chain(notes).chain(notions);
        let checks = checks.chain(&self.figures.domains).chain(&self.key).chain(&self.values);
        let few = self.persons.as_ref().is_some_and(|persons| !persons.are_enough());
        let split = self.persons.as_ref().is_some_and(|persons| !persons.are_whole());
        let owners = self.persons.as_ref().and_then(|persons| persons.owners.as_ref());
        let shared = owners.is_some_and(|owners| !owners.holds());
        checks.filter(|check| !check.passed).count()
            + usize::from(few)
            + usize::from(split)
            + usize::from(shared)
    }
}
