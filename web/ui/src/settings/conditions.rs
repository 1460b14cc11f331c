//! Conditions on the secret column beside k, from the fields and back.

use lookalike_model::{
    rule::{Ground, ParameterFault},
    settings::{Settings, ValueCondition},
};
use lookalike_words::Message as _;

use super::{Field, Wrong, number::signed};
use crate::{
    form::{ConditionField, ConditionsForm, Form, ModelChoice},
    format::list,
    texts::words,
};

/// What is asked of a column.
pub type OfColumn = (String, Vec<ValueCondition>);

/// The conditions that are asked for, by secret column in their order; none under m-invariance, which has no fields for them.
pub(super) fn conditions(form: &Form, sensitive: &[&str], wrong: &mut Wrong) -> Vec<OfColumn> {
    if form.model != ModelChoice::KAnonymity {
        return Vec::new();
    }
    if form.conditions.is_empty() {
        if sensitive.len() > 1 {
            wrong.add(Field::Roles, t!(WRONG_SEVERAL_SECRET, names = list(sensitive)));
        }
        return Vec::new();
    }
    if sensitive.is_empty() {
        wrong.add(Field::Secret, t!(WRONG_CONDITION_NEEDS_SECRET));
    }
    let all = Asked { form: &form.conditions, of: None, wrong }.conditions();
    let mut found = Vec::new();
    let mut without = Vec::new();
    for &name in sensitive {
        let before = wrong.0.len();
        let own = Asked { form: &form.conditions, of: Some(name), wrong }.conditions();
        let conditions: Vec<ValueCondition> = all.iter().copied().chain(own).collect();
        if conditions.is_empty() && sensitive.len() > 1 && wrong.0.len() == before {
            without.push(name);
        }
        found.push((name.to_owned(), conditions));
    }
    // Where nothing is wrong yet, as a number that is none.
    if !without.is_empty() && wrong.0.iter().all(|wrong| !matches!(wrong.field, Field::Condition(_))) {
        wrong.add(Field::Roles, t!(WRONG_SECRET_WITHOUT, names = list(&without)));
    }
    found
}

/// The conditions of the fields by secret column, whatever else is open; `None` where one of them is wrong.
#[must_use]
pub fn conditions_asked(form: &Form, sensitive: &[&str]) -> Option<Vec<OfColumn>> {
    let mut wrong = Wrong::default();
    // Which column they are of is asked elsewhere.
    let asked = conditions(form, sensitive, &mut wrong);
    wrong.0.iter().all(|wrong| !matches!(wrong.field, Field::Condition(_))).then_some(asked)
}

struct Asked<'a> {
    form: &'a ConditionsForm,
    /// The column whose fields are read; `None` for those of all.
    of: Option<&'a str>,
    wrong: &'a mut Wrong,
}

impl Asked<'_> {
    fn conditions(&mut self) -> Vec<ValueCondition> {
        let recursive =
            match (self.number(ConditionField::RecursiveC), self.whole(ConditionField::RecursiveL)) {
                (Some(c), Some(l)) => Some(ValueCondition::RecursiveDiversity { c, l }),
                (None, None) => None,
                (c, _) => {
                    let missing =
                        if c.is_some() { ConditionField::RecursiveL } else { ConditionField::RecursiveC };
                    // What was typed and is no number is wrong already.
                    if self.form.typed(self.of, missing).is_empty() {
                        self.refuse(missing, t!(WRONG_CONDITION_BOTH));
                    }
                    None
                }
            };
        let all = [
            self.whole(ConditionField::Distinct).map(|l| ValueCondition::DistinctDiversity { l }),
            self.number(ConditionField::Entropy).map(|l| ValueCondition::EntropyDiversity { l }),
            recursive,
            self.number(ConditionField::Alpha).map(|alpha| ValueCondition::Frequency { alpha }),
            self.number(ConditionField::Spread).map(|least| ValueCondition::Spread { least }),
            (self.number(ConditionField::Equal))
                .map(|t| ValueCondition::TCloseness { t, distance: Ground::Equal }),
            (self.number(ConditionField::Ordered))
                .map(|t| ValueCondition::TCloseness { t, distance: Ground::Ordered }),
            (self.number(ConditionField::Hierarchical))
                .map(|t| ValueCondition::TCloseness { t, distance: Ground::Hierarchical }),
            self.number(ConditionField::Beta).map(|beta| ValueCondition::BasicBetaLikeness { beta }),
            self.number(ConditionField::EnhancedBeta)
                .map(|beta| ValueCondition::EnhancedBetaLikeness { beta }),
            self.number(ConditionField::Delta).map(|delta| ValueCondition::DeltaDisclosure { delta }),
        ];
        all.into_iter().flatten().collect()
    }

    /// The fields of a column that is not shown may be wrong: so it is named.
    fn refuse(&mut self, field: ConditionField, why: &str) {
        let said = match self.of {
            Some(name) => t!(WRONG_CONDITION_OF, name = name, why = why),
            None => why.to_owned(),
        };
        self.wrong.add(Field::Condition(field), said);
    }

    fn number<T: TryFrom<f64, Error = ParameterFault>>(&mut self, field: ConditionField) -> Option<T> {
        self.parsed(field, signed, t!(WRONG_CONDITION_NUMBER))
    }

    fn whole<T: TryFrom<usize, Error = ParameterFault>>(&mut self, field: ConditionField) -> Option<T> {
        let read = |text: &str| text.trim().parse::<u32>().ok().map(|number| number as usize);
        self.parsed(field, read, t!(WRONG_CONDITION_WHOLE))
    }

    fn parsed<X, T: TryFrom<X, Error = ParameterFault>>(
        &mut self,
        field: ConditionField,
        read: impl Fn(&str) -> Option<X>,
        unread: &str,
    ) -> Option<T> {
        let typed = self.form.typed(self.of, field);
        if typed.is_empty() {
            return None;
        }
        let why = match read(typed).map(T::try_from) {
            Some(Ok(number)) => return Some(number),
            Some(Err(fault)) => words(&fault.said()),
            None => unread.to_owned(),
        };
        self.refuse(field, &why);
        None
    }
}

/// What stands in the fields for the conditions of these settings: in those of all columns, where there is one.
pub(super) fn typed(settings: &Settings) -> ConditionsForm {
    let mut form = ConditionsForm::default();
    let first = settings.sensitive.as_deref().filter(|_| !settings.conditions_of.is_empty());
    fill(&mut form, first, &settings.conditions);
    for (column, conditions) in &settings.conditions_of {
        fill(&mut form, Some(column), conditions);
    }
    form
}

fn fill(form: &mut ConditionsForm, column: Option<&str>, conditions: &[ValueCondition]) {
    for condition in conditions {
        let (field, number) = match *condition {
            ValueCondition::DistinctDiversity { l } => (ConditionField::Distinct, l.get().to_string()),
            ValueCondition::EntropyDiversity { l } => (ConditionField::Entropy, l.get().to_string()),
            ValueCondition::RecursiveDiversity { c, l } => {
                form.set(column, ConditionField::RecursiveC, c.get().to_string());
                (ConditionField::RecursiveL, l.get().to_string())
            }
            ValueCondition::Frequency { alpha } => (ConditionField::Alpha, alpha.get().to_string()),
            ValueCondition::Spread { least } => (ConditionField::Spread, least.get().to_string()),
            ValueCondition::TCloseness { t, distance: Ground::Equal } => {
                (ConditionField::Equal, t.get().to_string())
            }
            ValueCondition::TCloseness { t, distance: Ground::Ordered } => {
                (ConditionField::Ordered, t.get().to_string())
            }
            ValueCondition::TCloseness { t, distance: Ground::Hierarchical } => {
                (ConditionField::Hierarchical, t.get().to_string())
            }
            ValueCondition::BasicBetaLikeness { beta } => (ConditionField::Beta, beta.get().to_string()),
            ValueCondition::EnhancedBetaLikeness { beta } => {
                (ConditionField::EnhancedBeta, beta.get().to_string())
            }
            ValueCondition::DeltaDisclosure { delta } => (ConditionField::Delta, delta.get().to_string()),
        };
        form.set(column, field, number);
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::settings::Model;

    use super::*;

    fn form(typed: &[(ConditionField, &str)]) -> Form {
        let mut form = Form { model: ModelChoice::KAnonymity, ..Form::default() };
        for (field, text) in typed {
            form.conditions.set(None, *field, (*text).to_owned());
        }
        form
    }

    fn asked(typed: &[(ConditionField, &str)]) -> (Vec<ValueCondition>, Vec<(Field, String)>) {
        let mut wrong = Wrong::default();
        let conditions = conditions(&form(typed), &["disease"], &mut wrong);
        let of_disease = conditions.into_iter().flat_map(|of| of.1).collect();
        (of_disease, wrong.0.into_iter().map(|wrong| (wrong.field, wrong.message)).collect())
    }

    fn settings(sensitive: &str, conditions: Vec<ValueCondition>) -> Settings {
        let sensitive = Some(sensitive.to_owned());
        Settings { sensitive, conditions, ..Settings::of(Model::KAnonymity { k: 2 }) }
    }

    #[test]
    fn every_field_is_a_condition_and_every_condition_a_field() {
        let all: Vec<(ConditionField, &str)> = ConditionField::ALL
            .into_iter()
            .zip(["2", "1.5", "3", "2", "0.5", "0.1", "0.25", "0.3", "0.2", "4", "2.5", "1"])
            .collect();
        let (conditions, wrong) = asked(&all);
        assert_eq!((conditions.len(), wrong), (11, Vec::new()));
        assert_eq!(typed(&settings("disease", conditions)), form(&all).conditions);
        let ids: std::collections::BTreeSet<&str> =
            ConditionField::ALL.iter().map(|field| field.id()).collect();
        assert_eq!(ids.len(), 12);
    }

    #[test]
    fn what_makes_no_sense_is_wrong_where_it_stands() {
        use ConditionField::{Alpha, Distinct, Entropy, Equal, RecursiveC, RecursiveL};
        for (field, text) in
            [(Distinct, "1"), (Distinct, "2.5"), (Entropy, "1"), (Alpha, "0"), (Alpha, "1.5"), (Equal, "x")]
        {
            let (conditions, wrong) = asked(&[(field, text)]);
            assert!(conditions.is_empty() && wrong.len() == 1, "{field:?} {text}: {wrong:?}");
            assert_eq!(wrong[0].0, Field::Condition(field));
        }
        // A number out of its range is a number all the same.
        let why = |field, text| asked(&[(field, text)]).1[0].1.clone();
        assert_eq!(why(Alpha, "-1"), "-1 is not a share: take a number above 0, at most 1");
        assert_eq!(why(Distinct, "1.5"), "This must be a whole number, 2 or more.");
        assert_eq!(why(Distinct, "-2"), "This must be a whole number, 2 or more.");
        assert_eq!(why(Equal, "x"), "This must be a number.");
        // Recursive diversity has two numbers.
        assert_eq!(asked(&[(RecursiveC, "3")]).1[0].0, Field::Condition(RecursiveL));
        assert_eq!(asked(&[(RecursiveL, "2")]).1[0].0, Field::Condition(RecursiveC));
        // Nothing can be asked of no column, and under m-invariance nothing is.
        let mut wrong = Wrong::default();
        conditions(&form(&[(Equal, "0.2")]), &[], &mut wrong);
        assert_eq!(wrong.0[0].field, Field::Secret);
        let other = Form { model: ModelChoice::MInvariance, ..form(&[(Equal, "0.2")]) };
        assert!(conditions(&other, &["disease"], &mut Wrong::default()).is_empty());
    }

    #[test]
    fn several_secret_columns_have_conditions_of_all_and_of_their_own() {
        use ConditionField::{Alpha, Distinct};
        let mut form = form(&[(Alpha, "0.5")]);
        form.conditions.set(Some("pay"), Distinct, String::from("3"));
        form.conditions.set(Some("gone"), Distinct, String::from("x"));
        let mut wrong = Wrong::default();
        let found = conditions(&form, &["ill", "pay"], &mut wrong);
        assert!(wrong.0.is_empty(), "{:?}", wrong.0);
        let counts: Vec<(&str, usize)> = found.iter().map(|of| (of.0.as_str(), of.1.len())).collect();
        assert_eq!(counts, [("ill", 1), ("pay", 2)]);
        // Settings say them column by column, and so do the fields that come of them.
        let mut settings = settings("ill", found[0].1.clone());
        settings.conditions_of.insert(found[1].0.clone(), found[1].1.clone());
        let back = Form { conditions: typed(&settings), ..form.clone() };
        let sorted = |all: Vec<OfColumn>| -> Vec<Vec<String>> {
            let said = |of: &OfColumn| {
                let mut said: Vec<String> =
                    of.1.iter().map(|condition| format!("{} {condition:?}", of.0)).collect();
                said.sort();
                said
            };
            all.iter().map(said).collect()
        };
        let again = conditions(&back, &["ill", "pay"], &mut Wrong::default());
        assert_eq!(sorted(again), sorted(found));

        // Each needs one; a number that is none is told with its column.
        form.conditions.set(None, Alpha, String::new());
        let mut wrong = Wrong::default();
        conditions(&form, &["ill", "pay"], &mut wrong);
        assert!(
            matches!(&wrong.0[..], [one] if one.field == Field::Roles && one.message.contains("ill")),
            "{:?}",
            wrong.0
        );
        form.conditions.set(Some("pay"), Distinct, String::from("x"));
        let mut wrong = Wrong::default();
        conditions(&form, &["ill", "pay"], &mut wrong);
        assert!(matches!(&wrong.0[..], [one] if one.message.starts_with("pay:")), "{:?}", wrong.0);
        assert_eq!(conditions_asked(&form, &["ill", "pay"]), None);
    }
}
