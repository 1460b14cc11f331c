//! What is asked of a published table.

use lookalike_model::settings::Repair;
use lookalike_wire::check::{AttackSettings, Fakes, Notion};

use super::{ConditionsForm, SampleForm};

/// What a column of a published table is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckRole {
    /// Nothing.
    #[default]
    Other,
    /// Somebody may know it about a person.
    Quasi,
    /// The same, and its digits are codes.
    QuasiCodes,
    /// To be protected.
    Sensitive,
}

/// What diversity is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VariantChoice {
    /// Number of different values.
    #[default]
    Distinct,
    /// Their entropy.
    Entropy,
    /// (c, l).
    Recursive,
}

/// The fields. Numbers are kept as they were typed; a model is not asked for while its field is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckForm {
    /// One entry a column.
    pub roles: Vec<CheckRole>,
    /// k-anonymity.
    pub k: String,
    /// m-uniqueness.
    pub m: String,
    /// l-diversity.
    pub l: String,
    /// What diversity is.
    pub variant: VariantChoice,
    /// The c of recursive diversity.
    pub c: String,
    /// t-closeness.
    pub t: String,
    /// Whether the sensitive values have an order.
    pub ordered: bool,
    /// That order, one value a line; empty if they are numbers.
    pub order: String,
    /// Conditions on the secret columns.
    pub conditions: ConditionsForm,
    /// The column whose conditions are shown; empty for those of all secret columns.
    pub conditions_of: String,
    /// Sets of quasi-identifiers with a larger k: `20 = age, sex`, one a line.
    pub sets: String,
    /// What a row stands for in the population.
    pub sample: SampleForm,
    /// What has to hold between the table and its original.
    pub notions: Vec<Notion>,
    /// All missing sensitive values together count as one value.
    pub missing_as_value: bool,
    /// People of whom the table is a sample.
    pub population: String,
    /// How the table was made m-eligible.
    pub repair: Repair,
    /// Which values were faked.
    pub fakes: Fakes,
    /// Published number of counterfeits.
    pub counterfeits: String,
    /// Published number of deletions.
    pub deletions: String,
    /// Column of the original with the key of a person; empty if each row is one.
    pub person: String,
    /// Attacks on the table.
    pub attacks: AttackForm,
}

/// The fields of attacks, which need the original.
#[derive(Clone, Debug, PartialEq)]
pub struct AttackForm {
    /// Whether they are tried.
    pub tried: bool,
    /// The column that is to be inferred; empty if it is the protected one.
    pub secret: String,
    /// How often each attack is tried.
    pub number: String,
    /// What attackers draw follows from it.
    pub seed: String,
}

impl Default for AttackForm {
    fn default() -> Self {
        let AttackSettings { number, seed, .. } = AttackSettings::default();
        Self { tried: false, secret: String::new(), number: number.to_string(), seed: seed.to_string() }
    }
}

impl CheckForm {
    /// The fields for a table with so many columns.
    #[must_use]
    pub fn of(columns: usize) -> Self {
        Self {
            roles: vec![CheckRole::default(); columns],
            k: String::from("5"),
            c: String::from("2"),
            ..Self::default()
        }
    }
}
