//! From the fields to [`Settings`], or to what is wrong with the fields.

use std::collections::BTreeMap;

use lookalike_wire::{
    page::{ColumnInfo, TableInfo},
    settings::{Budget, Kind, Loss, Method, Missing, MissingPolicy, Model, SearchOptions, Settings},
};

use crate::{
    form::{BudgetChoice, Choice, Form, ModelChoice, Role, with_role},
    format::{count, counted, list},
};

/// The largest whole number that a browser holds exactly.
const MAX_SEED: u64 = 9_007_199_254_740_991;

/// A field that can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The roles of the columns.
    Roles,
    /// m.
    M,
    /// k.
    K,
    /// Policy for missing sensitive values.
    MissingSensitive,
    /// Policy for missing quasi-identifiers.
    MissingQuasi,
    /// Effort.
    Effort,
    /// Seconds.
    Seconds,
    /// Seed.
    Seed,
}

impl Field {
    /// The id of its element.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Roles => "roles",
            Self::M => "m",
            Self::K => "k",
            Self::MissingSensitive => "missing-sensitive",
            Self::MissingQuasi => "missing-quasi",
            Self::Effort => "effort",
            Self::Seconds => "seconds",
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
    let mut wrong = Wrong::default();
    let quasi = with_role(table, choices, Role::Quasi);
    let sensitive = with_role(table, choices, Role::Sensitive);
    check_roles(&quasi, &sensitive, form.model, &mut wrong);
    let model = model(table, &sensitive, form, &mut wrong);
    check_missing(table, &quasi, &sensitive, form, &mut wrong);
    let budget = budget(form, &mut wrong);
    let seed = seed(&form.seed, &mut wrong);
    let (Some(model), Some(budget), true) = (model, budget, wrong.0.is_empty()) else { return Err(wrong.0) };
    Ok(Settings {
        quasi: owned(&quasi),
        sensitive: sensitive.first().map(|&name| name.to_owned()),
        keep: owned(&with_role(table, choices, Role::Keep)),
        kinds: kinds(table, choices),
        orders: BTreeMap::new(),
        model,
        loss: Loss::default(),
        weights: BTreeMap::new(),
        method: Method::default(),
        search: SearchOptions::default(),
        publish: form.publish,
        publish_columns: BTreeMap::new(),
        hierarchies: BTreeMap::new(),
        coding: BTreeMap::new(),
        eligibility: form.eligibility,
        changes: lookalike_wire::settings::ChangeOptions::default(),
        missing: Missing {
            sensitive: form.missing_sensitive,
            quasi: form.missing_quasi,
            ..Missing::default()
        },
        budget,
        seed,
    })
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

fn column<'a>(table: &'a TableInfo, name: &str) -> Option<&'a ColumnInfo> {
    table.columns.iter().find(|c| c.name == name)
}

fn check_roles(quasi: &[&str], sensitive: &[&str], model: ModelChoice, wrong: &mut Wrong) {
    if quasi.is_empty() {
        wrong.add(
            Field::Roles,
            "No column is a quasi-identifier. Choose at least one: something that others may already know about a \
             person, such as age or postcode.",
        );
    }
    match sensitive {
        [] if model == ModelChoice::MInvariance => wrong.add(
            Field::Roles,
            "No column is sensitive. Choose the one whose values are to be protected, such as the diagnosis.",
        ),
        [] | [_] => {}
        many => wrong.add(
            Field::Roles,
            format!(
                "{} are all sensitive. Only one column can be; give the others another role.",
                list(many)
            ),
        ),
    }
}

fn model(table: &TableInfo, sensitive: &[&str], form: &Form, wrong: &mut Wrong) -> Option<Model> {
    match form.model {
        ModelChoice::MInvariance => {
            let m = at_least_two(Field::M, "m", &form.m, wrong)?;
            if let Some(known) = sensitive.first().and_then(|name| column(table, name)) {
                let own_value = form.missing_sensitive == MissingPolicy::Value && known.missing > 0;
                let values = known.distinct + usize::from(own_value);
                if m > values {
                    let values = counted(values, "different value", "different values");
                    wrong.add(Field::M, format!("{} has only {values}, so m cannot be {m}.", known.name));
                }
            }
            Some(Model::MInvariance { m })
        }
        ModelChoice::KAnonymity => {
            let k = at_least_two(Field::K, "k", &form.k, wrong)?;
            if k > table.rows {
                let rows = counted(table.rows, "row", "rows");
                wrong.add(Field::K, format!("The table has only {rows}, so k cannot be {}.", count(k)));
            }
            Some(Model::KAnonymity { k })
        }
    }
}

fn at_least_two(field: Field, name: &str, text: &str, wrong: &mut Wrong) -> Option<usize> {
    match text.trim().parse::<u32>() {
        Ok(value) if value >= 2 => Some(value as usize),
        Ok(_) => {
            wrong.add(field, format!("{name} must be at least 2; 1 protects nobody."));
            None
        }
        Err(_) => {
            wrong.add(field, format!("{name} must be a whole number of at least 2."));
            None
        }
    }
}

fn check_missing(table: &TableInfo, quasi: &[&str], sensitive: &[&str], form: &Form, wrong: &mut Wrong) {
    let fields = [
        (Field::MissingSensitive, form.missing_sensitive, sensitive),
        (Field::MissingQuasi, form.missing_quasi, quasi),
    ];
    for (field, policy, names) in fields {
        let gaps: Vec<_> =
            names.iter().filter_map(|name| column(table, name)).filter(|c| c.missing > 0).collect();
        if policy != MissingPolicy::Error || gaps.is_empty() {
            continue;
        }
        let cells = counted(gaps.iter().map(|c| c.missing).sum(), "missing cell", "missing cells");
        let names: Vec<&str> = gaps.iter().map(|c| c.name.as_str()).collect();
        wrong.add(
            field,
            format!(
                "{} in {}: choose whether to drop these rows or to treat \"missing\" as a value.",
                cells,
                list(&names)
            ),
        );
    }
}

fn budget(form: &Form, wrong: &mut Wrong) -> Option<Budget> {
    match form.budget {
        BudgetChoice::Effort => match decimal(&form.effort) {
            Some(effort) => return Some(Budget::Effort(effort)),
            _ => wrong.add(Field::Effort, "Effort must be a number of at least 0; 5 is usual."),
        },
        BudgetChoice::Seconds => match decimal(&form.seconds) {
            Some(seconds) if seconds > 0.0 => return Some(Budget::Seconds(seconds)),
            _ => wrong.add(Field::Seconds, "Seconds must be a number above 0."),
        },
    }
    None
}

/// The number that plain decimal digits stand for, exactly rounded: `5`, `2.5`, `.5`. The standard library's parser
/// would cost the page 12 kB.
fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{part}");
    // Up to 15 digits, mantissa and power of ten are exact, so that the quotient is rounded once.
    if digits.is_empty() || digits.len() > 15 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let power = part.bytes().fold(1.0, |power, _| power * 10.0);
    Some(digits.parse::<u64>().ok()? as f64 / power)
}

fn seed(text: &str, wrong: &mut Wrong) -> Option<u64> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let seed = text.parse().ok().filter(|seed| *seed <= MAX_SEED);
    if seed.is_none() {
        wrong.add(
            Field::Seed,
            "A seed is a whole number from 0 to 9007199254740991. Leave it empty for a random one.",
        );
    }
    seed
}

fn kinds(table: &TableInfo, choices: &[Choice]) -> BTreeMap<String, Kind> {
    table
        .columns
        .iter()
        .zip(choices)
        .filter(|(_, choice)| choice.as_category && choice.role == Role::Quasi)
        .map(|(column, _)| (column.name.clone(), Kind::Category))
        .collect()
}

#[cfg(test)]
mod tests {
    use lookalike_wire::settings::{Publish, Repair};

    use super::*;

    fn info(name: &str, distinct: usize, missing: usize) -> ColumnInfo {
        ColumnInfo {
            name: name.to_owned(),
            kind: String::from("integer"),
            evidence: String::new(),
            distinct,
            missing,
            suggestion: None,
            question: None,
        }
    }

    fn table() -> TableInfo {
        TableInfo {
            rows: 100,
            columns: vec![
                info("name", 100, 0),
                info("age", 50, 2),
                info("zip", 20, 0),
                info("disease", 4, 3),
            ],
            preview: Vec::new(),
            warnings: Vec::new(),
        }
    }

    fn choices(roles: [Role; 4]) -> Vec<Choice> {
        roles.map(|role| Choice { role, as_category: false }).to_vec()
    }

    fn usual() -> Vec<Choice> {
        choices([Role::Identifier, Role::Quasi, Role::Quasi, Role::Sensitive])
    }

    fn dropping() -> Form {
        Form { missing_sensitive: MissingPolicy::Drop, missing_quasi: MissingPolicy::Drop, ..Form::default() }
    }

    fn fields(choices: &[Choice], form: &Form) -> Vec<Field> {
        settings(&table(), choices, form).err().unwrap_or_default().iter().map(|w| w.field).collect()
    }

    #[test]
    fn the_fields_become_settings() {
        let mut choices = usual();
        choices[0].role = Role::Keep;
        choices[2].as_category = true;
        // A kind only counts for a quasi-identifier.
        choices[3].as_category = true;
        let form = Form {
            m: String::from(" 4 "),
            eligibility: Repair::Add,
            publish: Publish::Set,
            budget: BudgetChoice::Seconds,
            seconds: String::from("2.5"),
            seed: String::from("7"),
            ..dropping()
        };
        let expected = Settings {
            quasi: vec![String::from("age"), String::from("zip")],
            sensitive: Some(String::from("disease")),
            keep: vec![String::from("name")],
            kinds: BTreeMap::from([(String::from("zip"), Kind::Category)]),
            orders: BTreeMap::new(),
            model: Model::MInvariance { m: 4 },
            loss: Loss::Sse,
            weights: BTreeMap::new(),
            method: Method::Auto,
            search: SearchOptions::default(),
            publish: Publish::Set,
            publish_columns: BTreeMap::new(),
            hierarchies: BTreeMap::new(),
            coding: BTreeMap::new(),
            eligibility: Repair::Add,
            changes: lookalike_wire::settings::ChangeOptions::default(),
            missing: Missing {
                sensitive: MissingPolicy::Drop,
                quasi: MissingPolicy::Drop,
                ..Missing::default()
            },
            budget: Budget::Seconds(2.5),
            seed: Some(7),
        };
        assert_eq!(settings(&table(), &choices, &form), Ok(expected));
    }

    #[test]
    fn no_role_is_taken_for_granted() {
        assert_eq!(fields(&choices([Role::NotPublished; 4]), &dropping()), [Field::Roles, Field::Roles]);
        let k = Form { model: ModelChoice::KAnonymity, ..dropping() };
        assert_eq!(fields(&choices([Role::NotPublished; 4]), &k), [Field::Roles]);
        assert_eq!(
            fields(&choices([Role::NotPublished, Role::Quasi, Role::NotPublished, Role::NotPublished]), &k),
            []
        );
    }

    #[test]
    fn two_sensitive_columns_are_named() {
        let two = choices([Role::Quasi, Role::NotPublished, Role::Sensitive, Role::Sensitive]);
        let wrong = settings(&table(), &two, &dropping()).unwrap_err();
        assert_eq!(wrong.len(), 1);
        assert!(wrong[0].message.contains("zip and disease"), "{}", wrong[0].message);
    }

    #[test]
    fn m_is_a_whole_number_between_2_and_the_distinct_values() {
        for (m, missing, ok) in [
            ("2", MissingPolicy::Drop, true),
            ("4", MissingPolicy::Drop, true),
            ("5", MissingPolicy::Drop, false),
            ("5", MissingPolicy::Value, true),
            ("1", MissingPolicy::Drop, false),
            ("", MissingPolicy::Drop, false),
            ("2.5", MissingPolicy::Drop, false),
            ("-3", MissingPolicy::Drop, false),
        ] {
            let form = Form { m: m.to_owned(), missing_sensitive: missing, ..dropping() };
            let expected: &[Field] = if ok { &[] } else { &[Field::M] };
            assert_eq!(fields(&usual(), &form), expected, "m = {m:?}");
        }
    }

    #[test]
    fn k_is_a_whole_number_between_2_and_the_rows() {
        for (k, ok) in [("2", true), ("100", true), ("101", false), ("1", false), ("x", false)] {
            let form = Form { model: ModelChoice::KAnonymity, k: k.to_owned(), ..dropping() };
            let expected: &[Field] = if ok { &[] } else { &[Field::K] };
            assert_eq!(fields(&usual(), &form), expected, "k = {k:?}");
        }
    }

    #[test]
    fn missing_cells_need_a_decision_only_where_they_matter() {
        let form = Form::default();
        assert_eq!(fields(&usual(), &form), [Field::MissingSensitive, Field::MissingQuasi]);
        let without_gaps = choices([Role::Quasi, Role::NotPublished, Role::Sensitive, Role::NotPublished]);
        assert_eq!(fields(&without_gaps, &form), []);
        let wrong = settings(&table(), &usual(), &form).unwrap_err();
        assert!(wrong[1].message.starts_with("2 missing cells in age"), "{}", wrong[1].message);
    }

    #[test]
    fn decimals_are_what_the_standard_library_reads() {
        for text in ["0", "5", "2.5", ".5", "5.", "0.1", "123456789012.345", "3.14159265358979", "000.70"] {
            assert_eq!(decimal(text), text.parse().ok(), "{text}");
        }
        for text in ["", ".", "-1", "1e3", "1.2.3", "inf", "NaN", "1,5", "0x1", "1234567890123456"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn budget_and_seed() {
        let seconds = Form { budget: BudgetChoice::Seconds, ..dropping() };
        for (form, expected) in [
            (Form { effort: String::from("0"), ..dropping() }, None),
            (Form { effort: String::from("-1"), ..dropping() }, Some(Field::Effort)),
            (Form { effort: String::from("inf"), ..dropping() }, Some(Field::Effort)),
            (Form { effort: String::new(), ..dropping() }, Some(Field::Effort)),
            (Form { seconds: String::from("0"), ..seconds.clone() }, Some(Field::Seconds)),
            (Form { seconds: String::from("1e1"), ..seconds.clone() }, Some(Field::Seconds)),
            // The field that is not shown does not matter.
            (Form { effort: String::from("x"), ..seconds }, None),
            (Form { seed: String::from("9007199254740991"), ..dropping() }, None),
            (Form { seed: String::from("9007199254740992"), ..dropping() }, Some(Field::Seed)),
            (Form { seed: String::from("-1"), ..dropping() }, Some(Field::Seed)),
        ] {
            assert_eq!(fields(&usual(), &form), Vec::from_iter(expected), "{form:?}");
        }
    }
}
