//! From the fields to [`Settings`], or to what is wrong with the fields; and from settings back to the fields.

mod back;
mod cells;
mod changes;
mod check;
mod columns;
mod conditions;
mod loss;
mod number;
mod persons;
mod sample;
mod scheme;
mod search;
mod threshold;

use lookalike_model::{
    info::{ColumnInfo, TableInfo},
    settings::{ClassColumn, Missing, MissingPolicy, Model, Settings},
};

pub use back::fields;
pub use cells::cells;
pub use check::check;
pub use columns::weight;
pub use conditions::{OfColumn, conditions_asked};
pub use loss::{Unpriced, unpriced};
pub(crate) use number::decimal;
pub use persons::{key, person};
pub use threshold::threshold;

use crate::{
    form::{Choice, ConditionField, Form, ModelChoice, Role, with_role},
    format::{count, list},
};

/// A field that can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The roles of the columns.
    Roles,
    /// Which column is the secret one.
    Secret,
    /// What is said of one column, by its place.
    Column(usize),
    /// m.
    M,
    /// k.
    K,
    /// A condition on the secret column.
    Condition(ConditionField),
    /// Policy for missing sensitive values.
    MissingSensitive,
    /// Policy for missing quasi-identifiers.
    MissingQuasi,
    /// What each row is.
    RowsAre,
    /// Effort.
    Effort,
    /// The form of publication.
    Publish,
    /// The column of classes.
    ClassColumn,
    /// Seconds.
    Seconds,
    /// The method.
    Method,
    /// Number of blocks.
    Blocks,
    /// Gap at which the search may end.
    StopGap,
    /// Cost of a counterfeit.
    AddCost,
    /// Its growth.
    AddGrowth,
    /// Cost of a deletion.
    DeleteCost,
    /// Its growth.
    DeleteGrowth,
    /// Costs of counterfeits of single values.
    AddOf,
    /// Costs of deletions of single values.
    DeleteOf,
    /// Price of a record that is left out.
    Price,
    /// How many may be.
    Limit,
    /// The column with the sampling weights.
    SamplingWeight,
    /// The column with the key of households.
    Household,
    /// Sets of quasi-identifiers.
    Sets,
    /// Least number of real people in a class.
    MinReal,
    /// Largest probability of a value.
    MaxBelief,
    /// Threshold of risk.
    Threshold,
    /// Seed.
    Seed,
}

impl Field {
    /// Whether it belongs to the step that describes the columns.
    #[must_use]
    pub fn describes(self) -> bool {
        matches!(self, Self::Roles | Self::Secret | Self::Column(_))
    }

    /// Whether it is asked as a question, with its answers.
    #[must_use]
    pub fn is_question(self) -> bool {
        matches!(
            self,
            Self::Roles | Self::Secret | Self::MissingSensitive | Self::MissingQuasi | Self::RowsAre
        )
    }

    /// The id of the question about it.
    #[must_use]
    pub fn question(self) -> &'static str {
        match self {
            _ if self.describes() => "roles",
            Self::MissingSensitive => "asks-missing-sensitive",
            Self::MissingQuasi => "asks-missing-quasi",
            Self::RowsAre => "asks-rows-are",
            other => other.id(),
        }
    }

    /// Whether it stands among the expert settings only.
    #[must_use]
    pub fn is_expert(self) -> bool {
        !self.describes() && !self.is_question() && !matches!(self, Self::M | Self::K)
    }

    /// The id of its element.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Roles | Self::Secret | Self::Column(_) => "roles",
            Self::M => "m",
            Self::K => "k",
            Self::Condition(field) => field.id(),
            Self::MissingSensitive => "missing-sensitive",
            Self::MissingQuasi => "missing-quasi",
            Self::RowsAre => "rows-are",
            Self::Effort => "effort",
            Self::Publish => "publish",
            Self::ClassColumn => "class-column",
            Self::Seconds => "seconds",
            Self::Method => "method",
            Self::Blocks => "blocks",
            Self::StopGap => "stop-gap",
            Self::AddCost => "add-cost",
            Self::AddGrowth => "add-growth",
            Self::DeleteCost => "delete-cost",
            Self::DeleteGrowth => "delete-growth",
            Self::AddOf => "add-of",
            Self::DeleteOf => "delete-of",
            Self::Price => "price",
            Self::Limit => "limit",
            Self::SamplingWeight => "sampling-weight",
            Self::Household => "household",
            Self::Sets => "sets",
            Self::MinReal => "min-real",
            Self::MaxBelief => "max-belief",
            Self::Threshold => "own-threshold",
            Self::Seed => "seed",
        }
    }
}

/// What is wrong with a field, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Where.
    pub field: Field,
    /// What, and what to do.
    pub message: String,
}

/// The settings that the fields stand for.
///
/// # Errors
/// All that is wrong, in the order of the page.
pub fn settings(table: &TableInfo, choices: &[Choice], form: &Form) -> Result<Settings, Vec<Invalid>> {
    built(table, choices, form, true)
}

/// The same of a table that belongs to a series of releases: its individuals have one row each, or it is refused, and nothing is
/// asked about keys of persons.
///
/// # Errors
/// As [`settings`].
pub fn settings_in_series(
    table: &TableInfo,
    choices: &[Choice],
    form: &Form,
) -> Result<Settings, Vec<Invalid>> {
    built(table, choices, form, false)
}

fn built(table: &TableInfo, choices: &[Choice], form: &Form, asks: bool) -> Result<Settings, Vec<Invalid>> {
    let mut wrong = Wrong::default();
    let quasi = with_role(table, choices, Role::Quasi);
    let sensitive = with_role(table, choices, Role::Sensitive);
    check_roles(&quasi, &sensitive, form.model, &mut wrong);
    let cells = cells::checked(table, choices, form, &mut wrong);
    let mut columns = columns::columns(table, choices, form, &mut wrong);
    let model = model(table, choices, &sensitive, form, &mut wrong);
    let conditions = conditions::conditions(form, &sensitive, &mut wrong);
    columns::arranged(table, choices, (&mut columns, &conditions), &mut wrong);
    let mut conditions = conditions.into_iter();
    let rows_are = persons::rows_are(table, choices, form, asks, &mut wrong);
    check_missing(table, choices, form, &mut wrong);
    check_class_column(table, choices, form, &mut wrong);
    let risk_threshold = threshold::asked(form, &mut wrong);
    let changes = changes::changes(form, &mut wrong);
    let budget = search::budget(&form.search, &mut wrong);
    let method = search::method(&form.search, &mut wrong);
    let suppress = search::suppress(&form.search, &mut wrong);
    let seed = search::seed(&form.seed, &mut wrong);
    let sample = sample::sample(table, choices, form, &mut wrong);
    let sets = scheme::sets(&form.scheme, form.model, &quasi, &mut wrong);
    let (Some(model), Some(budget), Some(method), true) = (model, budget, method, wrong.0.is_empty()) else {
        return Err(wrong.0);
    };
    Ok(Settings {
        quasi: owned(&quasi),
        sensitive: sensitive.first().map(|&name| name.to_owned()),
        keep: owned(&with_role(table, choices, Role::Keep)),
        // The first one is published in an order of its own, the others row by row with it.
        unchanged: owned(&with_role(table, choices, Role::Unchanged))
            .into_iter()
            .chain(sensitive.iter().skip(1).map(|&name| name.to_owned()))
            .collect(),
        conditions: conditions.next().map(|of| of.1).unwrap_or_default(),
        conditions_of: conditions.collect(),
        sample,
        scheme: form.scheme.scheme,
        sets,
        loss: loss::loss(table, choices, form, rows_are.as_ref()),
        method,
        publish: form.publish,
        output: form.output,
        class_column: class_column(form),
        risk_threshold,
        suppress,
        eligibility: changes::repair(form),
        changes,
        missing: Missing {
            sensitive: form.missing_sensitive,
            quasi: form.missing_quasi,
            markers: cells.markers,
            columns: columns.missing,
        },
        pad: cells.pad,
        labels: cells.labels,
        kinds: columns.kinds,
        orders: columns.orders,
        weights: columns.weights,
        publish_columns: columns.publish,
        hierarchies: columns.hierarchies,
        coding: columns.coding,
        domains: columns.domains,
        rows_are,
        budget,
        bound: form.search.bound,
        seed,
        ..Settings::of(model)
    })
}

/// The cell contents that mean "missing".
#[must_use]
pub fn markers(form: &Form) -> Vec<String> {
    let mut markers: Vec<String> = Vec::new();
    for marker in form.markers.split('\n').map(str::trim) {
        if !markers.iter().any(|known| known == marker) {
            markers.push(marker.to_owned());
        }
    }
    markers
}

/// The column of classes; none where the field is empty.
fn class_column(form: &Form) -> ClassColumn {
    match form.class_column.trim() {
        "" => ClassColumn::None,
        name => ClassColumn::Named(name.to_owned()),
    }
}

/// Refuses a name of the column of classes that another published column has, or that a spreadsheet would run.
fn check_class_column(table: &TableInfo, choices: &[Choice], form: &Form, wrong: &mut Wrong) {
    let class = class_column(form);
    let published = [Role::Quasi, Role::Sensitive, Role::Keep];
    let mut names = published.into_iter().flat_map(|role| with_role(table, choices, role));
    if let Some(name) = names.find(|name| Some(*name) == class.name()) {
        wrong.add(Field::ClassColumn, t!(WRONG_CLASS_COLUMN, name = name));
    }
    if let Some(name) = class.name().filter(|name| begins_formula(name)) {
        wrong.add(Field::ClassColumn, t!(WRONG_CLASS_FORMULA, name = name));
    }
}

/// Whether a spreadsheet would run this name. Of what may be a signed number the run tells.
fn begins_formula(name: &str) -> bool {
    let mut rest = name.chars();
    match rest.next() {
        Some('=' | '@' | '\u{ff1d}' | '\u{ff20}') => true,
        Some('+' | '-' | '\u{ff0b}' | '\u{ff0d}') => rest.any(char::is_alphabetic),
        _ => false,
    }
}

#[derive(Default)]
struct Wrong(Vec<Invalid>);

impl Wrong {
    fn add(&mut self, field: Field, message: impl Into<String>) {
        self.0.push(Invalid { field, message: message.into() });
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn column<'a>(
    table: &'a TableInfo,
    choices: &'a [Choice],
    name: &str,
) -> Option<(&'a ColumnInfo, &'a Choice)> {
    table.columns.iter().zip(choices).find(|(column, _)| column.name == name)
}

fn check_roles(quasi: &[&str], sensitive: &[&str], model: ModelChoice, wrong: &mut Wrong) {
    if quasi.is_empty() {
        wrong.add(Field::Roles, t!(WRONG_NO_COLUMN_QUASI_IDENTIFIER));
    }
    match sensitive {
        [] if model == ModelChoice::MInvariance => {
            wrong.add(Field::Secret, t!(WRONG_NO_COLUMN_SENSITIVE_CHOOSE));
        }
        [] | [_] => {}
        // Each under conditions, which are asked for where these are.
        _ if model == ModelChoice::KAnonymity => {}
        many => wrong.add(Field::Roles, t!(WRONG_ALL_SENSITIVE_ONLY_ONE, names = list(many))),
    }
}

fn model(
    table: &TableInfo,
    choices: &[Choice],
    sensitive: &[&str],
    form: &Form,
    wrong: &mut Wrong,
) -> Option<Model> {
    match form.model {
        ModelChoice::MInvariance => {
            let m = at_least_two(Field::M, "m", &form.m, wrong)?;
            if let Some((known, choice)) = sensitive.first().and_then(|name| column(table, choices, name)) {
                let policy = choice.missing.unwrap_or(form.missing_sensitive);
                let own_value = policy == MissingPolicy::Value && known.missing > 0;
                let values = known.distinct + usize::from(own_value);
                if m > values {
                    let values = n!(N_DIFFERENT_VALUE, values);
                    wrong.add(Field::M, t!(WRONG_HAS_ONLY_SO_M, name = known.name, values = values, m = m));
                }
            }
            Some(Model::MInvariance { m })
        }
        ModelChoice::KAnonymity => {
            let k = at_least_two(Field::K, "k", &form.k, wrong)?;
            if k > table.rows {
                let rows = n!(N_ROW, table.rows);
                wrong.add(Field::K, t!(WRONG_TABLE_HAS_ONLY_SO, rows = rows, k = count(k)));
            }
            Some(Model::KAnonymity { k })
        }
    }
}

fn at_least_two(field: Field, name: &str, text: &str, wrong: &mut Wrong) -> Option<usize> {
    match text.trim().parse::<u32>() {
        Ok(value) if value >= 2 => Some(value as usize),
        Ok(_) => {
            wrong.add(field, t!(WRONG_MUST_BE_AT_LEAST, name = name));
            None
        }
        Err(_) => {
            wrong.add(field, t!(WRONG_MUST_BE_WHOLE_NUMBER, name = name));
            None
        }
    }
}

fn check_missing(table: &TableInfo, choices: &[Choice], form: &Form, wrong: &mut Wrong) {
    let fields = [
        (Field::MissingSensitive, form.missing_sensitive, Role::Sensitive),
        (Field::MissingQuasi, form.missing_quasi, Role::Quasi),
    ];
    for (field, policy, role) in fields {
        let gaps: Vec<&ColumnInfo> = table
            .columns
            .iter()
            .zip(choices)
            .filter(|(column, choice)| {
                let policy = choice.missing.unwrap_or(policy);
                choice.role == role && column.missing > 0 && policy == MissingPolicy::Error
            })
            .map(|(column, _)| column)
            .collect();
        if gaps.is_empty() {
            continue;
        }
        let cells = n!(N_MISSING_CELL, gaps.iter().map(|c| c.missing).sum());
        let names: Vec<&str> = gaps.iter().map(|c| c.name.as_str()).collect();
        wrong.add(field, t!(WRONG_CHOOSE_WHETHER_DROP_THESE, cells = cells, names = list(&names)));
    }
}

#[cfg(test)]
mod tests;
