//! What the user has said about the columns and the guarantee, as it stands in the fields.

mod changes;
mod check;
mod choice;
mod conditions;
mod sample;
mod scheme;
mod search;
mod threshold;

use lookalike_model::{
    info::TableInfo,
    settings::{ClassColumn, Missing, MissingPolicy, Model, Output, Publish, Repair},
};

use serde::{Deserialize, Serialize};

pub use changes::ChangesForm;
pub use check::{AttackForm, CheckForm, CheckRole, VariantChoice};
pub use choice::{Choice, Decided, HierarchyKind, Making, Rows};
pub use conditions::{ConditionField, ConditionsForm};
pub use sample::SampleForm;
pub use scheme::SchemeForm;
pub use search::{BudgetChoice, LossChoice, SearchForm, Unseen};
pub use threshold::ThresholdChoice;

/// What a column is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Nobody has decided; the column is not published. Never silently anything else.
    #[default]
    NotPublished,
    /// Names a person; not published.
    Identifier,
    /// Somebody may know it about a person.
    Quasi,
    /// To be protected.
    Sensitive,
    /// Published by class, and audited as if somebody knew it.
    Keep,
    /// Published cell by cell as it is; the guarantee is for attackers who do not know it.
    Unchanged,
}

impl Role {
    /// All roles, in the order of the menu and of their keys, 1 to 6.
    pub const ALL: [Self; 6] =
        [Self::Quasi, Self::Sensitive, Self::Unchanged, Self::NotPublished, Self::Keep, Self::Identifier];

    /// The value in the menu.
    #[must_use]
    pub fn value(self) -> &'static str {
        match self {
            Self::NotPublished => "drop",
            Self::Identifier => "identifier",
            Self::Quasi => "quasi",
            Self::Sensitive => "sensitive",
            Self::Keep => "keep",
            Self::Unchanged => "unchanged",
        }
    }

    /// The text in the menu.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::NotPublished => t!(FORM_NOT_PUBLISHED),
            Self::Identifier => t!(FORM_IDENTIFIER),
            Self::Quasi => t!(FORM_QUASI_IDENTIFIER),
            Self::Sensitive => t!(FORM_SENSITIVE),
            Self::Keep => t!(FORM_KEEP),
            Self::Unchanged => t!(FORM_UNCHANGED),
        }
    }

    /// What it means.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::NotPublished => t!(DESCRIBE_NOT_PUBLISHED),
            Self::Identifier => t!(DESCRIBE_NAMES_PERSON_NOT_PUBLISHED),
            Self::Quasi => t!(DESCRIBE_SOMEBODY_MAY_KNOW_ABOUT),
            Self::Sensitive => t!(DESCRIBE_BE_PROTECTED_DIAGNOSIS_INCOME),
            Self::Keep => t!(DESCRIBE_PUBLISHED_BY_CLASS_LIKE),
            Self::Unchanged => t!(DESCRIBE_PUBLISHED_UNCHANGED),
        }
    }
}

/// Which guarantee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ModelChoice {
    /// First release of an m-invariant series.
    #[default]
    MInvariance,
    /// k-anonymity.
    KAnonymity,
}

/// What each row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowsChoice {
    /// Nobody has said it.
    #[default]
    Unsaid,
    /// A person each.
    People,
    /// A person each, whose key a column holds.
    Keyed,
    /// One of several that a person may have, whose key a column holds.
    OfPersons,
}

/// The fields of the third step. Numbers are kept as they were typed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Form {
    /// Which guarantee.
    pub model: ModelChoice,
    /// Least number of different sensitive values in a class.
    pub m: String,
    /// Least class size.
    pub k: String,
    /// Conditions on the secret column beside k.
    #[serde(default)]
    pub conditions: ConditionsForm,
    /// What to do when the table is not m-eligible.
    pub eligibility: Repair,
    /// Rows without a sensitive value.
    pub missing_sensitive: MissingPolicy,
    /// Rows with a missing quasi-identifier.
    pub missing_quasi: MissingPolicy,
    /// How a class is published.
    pub publish: Publish,
    /// The form of the published table as a file.
    pub output: Output,
    /// Name of the column with the class labels; empty for none.
    pub class_column: String,
    /// Above which probability of being found a record counts as at risk.
    pub threshold: ThresholdChoice,
    /// The same as a number of the user's.
    pub own_threshold: String,
    /// How the search goes, and how it is limited.
    pub search: SearchForm,
    /// What a record stands for in the population.
    #[serde(default)]
    pub sample: SampleForm,
    /// What is generalised alike.
    #[serde(default)]
    pub scheme: SchemeForm,
    /// How the table is made m-eligible.
    pub changes: ChangesForm,
    /// Cell contents that mean "missing", one a line.
    pub markers: String,
    /// What each row is.
    pub rows_are: RowsChoice,
    /// The column with the key of a person; empty for the one that looks like it.
    pub person: String,
    /// Seed; empty for random bits.
    pub seed: String,
}

impl Default for Form {
    fn default() -> Self {
        Self {
            model: ModelChoice::default(),
            m: String::from("3"),
            k: String::from("5"),
            conditions: ConditionsForm::default(),
            eligibility: Repair::default(),
            missing_sensitive: MissingPolicy::default(),
            missing_quasi: MissingPolicy::default(),
            publish: Publish::default(),
            output: Output::default(),
            class_column: String::from(ClassColumn::USUAL),
            threshold: ThresholdChoice::default(),
            own_threshold: String::new(),
            search: SearchForm::default(),
            sample: SampleForm::default(),
            scheme: SchemeForm::default(),
            changes: ChangesForm::default(),
            markers: Missing::default().markers.join("\n"),
            rows_are: RowsChoice::default(),
            person: String::new(),
            seed: String::new(),
        }
    }
}

/// The names of the columns that have this role, in the table's order.
#[must_use]
pub fn with_role<'a>(table: &'a TableInfo, choices: &[Choice], role: Role) -> Vec<&'a str> {
    table
        .columns
        .iter()
        .zip(choices)
        .filter(|(_, choice)| choice.role == role)
        .map(|(column, _)| column.name.as_str())
        .collect()
}

/// The guarantee in a few words.
#[must_use]
pub fn guarantee(model: &Model) -> String {
    match model {
        Model::MInvariance { m } => t!(FORM_M_INVARIANCE_M, m = m),
        Model::KAnonymity { k } => t!(FORM_K_ANONYMITY_K, k = k),
    }
}
