//! The answer.

/// Most witnesses of a check.
pub const WITNESSES: usize = 10;

/// The names of the checks, in their fixed order.
pub mod name {
    /// Whether classes could be judged at all; appears only when there is no class column.
    pub const NO_CLASS: &str = "class column";
    /// At least k or m rows in every class.
    pub const CLASS_SIZE: &str = "every class has enough rows";
    /// Equal published quasi-identifiers within a class.
    pub const CLASS_ALIKE: &str = "the rows of a class are published alike";
    /// m-unique: no sensitive value twice in a class.
    pub const CLASS_VALUES: &str = "the sensitive values of a class all differ";
    /// At least k or m rows in every group.
    pub const GROUP_SIZE: &str = "every group of equal published quasi-identifiers has enough rows";
    /// No sensitive value above 1/m of a group.
    pub const GROUP_VALUES: &str =
        "no sensitive value is above 1/m of a group of equal published quasi-identifiers";
    /// What a table of single rows is not; always holds.
    pub const NOT_GROUPS: &str = "k-anonymity of the table itself";
    /// Row order tells nothing.
    pub const SORTED: &str = "rows are sorted by published content";
    /// Class labels tell nothing.
    pub const LABELS: &str = "class labels count up in published order";
    /// m over known values, beside m; always holds.
    pub const KNOWN_VALUES: &str = "different sensitive values that are known";
    /// Sensitive values that occur once in the whole table; always holds.
    pub const RARE_VALUES: &str = "sensitive values that occur once";
    /// Sensitive values that people read as one; always holds, and is there only if there are such.
    pub const NEAR_VALUES: &str = "sensitive values that are nearly the same";
    /// Rows that belong to no class; always holds.
    pub const SUPPRESSED: &str = "suppressed rows";
    /// Whether several releases could be judged together at all.
    pub const ACROSS: &str = "the releases together";
    /// The ledger is that of these releases.
    pub const LEDGER: &str = "the ledger tells of these releases";
    /// The sources are those of these releases.
    pub const COVERED: &str = "every class covers individuals of its source";
    /// m-invariance and tau-safety.
    pub const SIGNATURES: &str = "every tuple keeps its signature";
    /// Tuples whose signature the sources do not tell; always holds.
    pub const OPEN: &str = "tuples that the sources leave open";
    /// At least m values are left of every tuple.
    pub const INTERSECTION: &str = "intersection attack";
    /// The attacker who believes that values never change; always holds.
    pub const BELIEVER: &str = "intersection over changes of value";
    /// Releases that can be compared class by class; always holds.
    pub const ONE_TABLE: &str = "releases of one table";
    /// Rows of a source that are in no class; always holds.
    pub const UNPUBLISHED: &str = "individuals that were not published";
    /// Releases of which no assignment of individuals to rows exists; always holds.
    pub const UNASSIGNED: &str = "releases without a row for everybody";
    /// Columns that the question does not name; always holds.
    pub const UNJUDGED: &str = "columns that were not judged";
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// All checks hold.
    pub passed: bool,
    /// The checks, in the order of [`name`]; those that do not apply are left out.
    pub checks: Vec<Check>,
    /// Risk figures.
    pub risk: Risk,
    /// Who read the bytes.
    pub reader: Reader,
}

/// Who made rows of the bytes that were judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The audit's own reader, which takes nothing but the form that our releases have and shares no code with what wrote
    /// them.
    Strict,
    /// The reader that also reads the program's input, which takes tables of many forms: for tables of others.
    General,
}

impl Reader {
    /// The reader in words: "read by ...".
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Strict => "the audit's own strict reader",
            Self::General => "the general reader of tables",
        }
    }
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was checked, in one line; one of [`name`].
    pub name: String,
    /// Whether it holds.
    pub passed: bool,
    /// The finding in words, with the worst case; publishable (no row numbers, no labels, no values but missing
    /// markers).
    pub finding: String,
    /// Where it fails: published row numbers, classes, values (private; at most [`WITNESSES`]).
    pub witnesses: Vec<String>,
}

impl Check {
    /// A check that holds when there are no witnesses against it.
    pub(crate) fn new(name: &str, finding: String, witnesses: impl IntoIterator<Item = String>) -> Self {
        let witnesses: Vec<String> = witnesses.into_iter().take(WITNESSES).collect();
        Self { name: name.to_owned(), passed: witnesses.is_empty(), finding, witnesses }
    }

    /// A finding that the reader should know and that fails nothing.
    pub(crate) fn note(name: &str, finding: String, witnesses: impl IntoIterator<Item = String>) -> Self {
        Self { passed: true, ..Self::new(name, finding, witnesses) }
    }
}

/// Risk figures for an attacker who knows the published quasi-identifiers of a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Risk {
    /// Size of the smallest group of equal published quasi-identifiers.
    pub smallest_group: usize,
    /// Its inverse: the most exposed record.
    pub highest_reidentification: f64,
    /// Groups / records: the mean.
    pub mean_reidentification: f64,
    /// Largest share of one sensitive value within a group.
    pub highest_attribute_disclosure: Option<f64>,
    /// Groups whose rows with a known sensitive value, one at least, all hold the same, and all groups. `None` without a sensitive column.
    pub single_valued: Option<(usize, usize)>,
}
