//! Conditions on the secret column beside k, from the fields and back.

use lookalike_model::{
    rule::{Ground, ParameterFault},
    settings::ValueCondition,
};
use lookalike_words::Message as _;

use super::{Field, Wrong, number::decimal};
use crate::{
    form::{ConditionField, ConditionsForm, Form, ModelChoice},
    texts::words,
};

/// The conditions that are asked for; none under m-invariance, which has no fields for them.
pub(super) fn conditions(form: &Form, sensitive: &[&str], wrong: &mut Wrong) -> Vec<ValueCondition> {
    if form.model != ModelChoice::KAnonymity || form.conditions.is_empty() {
        return Vec::new();
    }
    if sensitive.is_empty() {
        wrong.add(Field::Secret, t!(WRONG_CONDITION_NEEDS_SECRET));
    }
    let mut asked = Asked { form: &form.conditions, wrong };
    let recursive = match (asked.number(ConditionField::RecursiveC), asked.whole(ConditionField::RecursiveL))
    {
        (Some(c), Some(l)) => Some(ValueCondition::RecursiveDiversity { c, l }),
        (None, None) => None,
        (c, _) => {
            let missing = if c.is_some() { ConditionField::RecursiveL } else { ConditionField::RecursiveC };
            // What was typed and is no number is wrong already.
            if form.conditions.typed(missing).is_empty() {
                asked.wrong.add(Field::Condition(missing), t!(WRONG_CONDITION_BOTH));
            }
            None
        }
    };
    let all = [
        asked.whole(ConditionField::Distinct).map(|l| ValueCondition::DistinctDiversity { l }),
        asked.number(ConditionField::Entropy).map(|l| ValueCondition::EntropyDiversity { l }),
        recursive,
        asked.number(ConditionField::Alpha).map(|alpha| ValueCondition::Frequency { alpha }),
        (asked.number(ConditionField::Equal))
            .map(|t| ValueCondition::TCloseness { t, distance: Ground::Equal }),
        (asked.number(ConditionField::Ordered))
            .map(|t| ValueCondition::TCloseness { t, distance: Ground::Ordered }),
        asked.number(ConditionField::Beta).map(|beta| ValueCondition::BasicBetaLikeness { beta }),
        asked.number(ConditionField::EnhancedBeta).map(|beta| ValueCondition::EnhancedBetaLikeness { beta }),
        asked.number(ConditionField::Delta).map(|delta| ValueCondition::DeltaDisclosure { delta }),
    ];
    all.into_iter().flatten().collect()
}

/// The conditions of the fields, whatever else is open; `None` where one of them is wrong.
#[must_use]
pub fn conditions_asked(form: &Form) -> Option<Vec<ValueCondition>> {
    let mut wrong = Wrong::default();
    // Which column they are of is asked elsewhere.
    let asked = conditions(form, &[""], &mut wrong);
    wrong.0.is_empty().then_some(asked)
}

struct Asked<'a> {
    form: &'a ConditionsForm,
    wrong: &'a mut Wrong,
}

impl Asked<'_> {
    fn number<T: TryFrom<f64, Error = ParameterFault>>(&mut self, field: ConditionField) -> Option<T> {
        self.parsed(field, decimal)
    }

    fn whole<T: TryFrom<usize, Error = ParameterFault>>(&mut self, field: ConditionField) -> Option<T> {
        self.parsed(field, |text| text.trim().parse::<u32>().ok().map(|number| number as usize))
    }

    fn parsed<X, T: TryFrom<X, Error = ParameterFault>>(
        &mut self,
        field: ConditionField,
        read: impl Fn(&str) -> Option<X>,
    ) -> Option<T> {
        let typed = self.form.typed(field);
        if typed.is_empty() {
            return None;
        }
        let parsed = match read(typed).map(T::try_from) {
            Some(Ok(number)) => return Some(number),
            Some(Err(fault)) => words(&fault.said()),
            None => String::from(t!(WRONG_CONDITION_NUMBER)),
        };
        self.wrong.add(Field::Condition(field), parsed);
        None
    }
}

/// What stands in the fields for these conditions.
pub(super) fn typed(conditions: &[ValueCondition]) -> ConditionsForm {
    let mut form = ConditionsForm::default();
    for condition in conditions {
        let (field, number) = match *condition {
            ValueCondition::DistinctDiversity { l } => (ConditionField::Distinct, l.get().to_string()),
            ValueCondition::EntropyDiversity { l } => (ConditionField::Entropy, l.get().to_string()),
            ValueCondition::RecursiveDiversity { c, l } => {
                form.set(ConditionField::RecursiveC, c.get().to_string());
                (ConditionField::RecursiveL, l.get().to_string())
            }
            ValueCondition::Frequency { alpha } => (ConditionField::Alpha, alpha.get().to_string()),
            ValueCondition::TCloseness { t, distance: Ground::Equal } => {
                (ConditionField::Equal, t.get().to_string())
            }
            ValueCondition::TCloseness { t, distance: Ground::Ordered } => {
                (ConditionField::Ordered, t.get().to_string())
            }
            ValueCondition::BasicBetaLikeness { beta } => (ConditionField::Beta, beta.get().to_string()),
            ValueCondition::EnhancedBetaLikeness { beta } => {
                (ConditionField::EnhancedBeta, beta.get().to_string())
            }
            ValueCondition::DeltaDisclosure { delta } => (ConditionField::Delta, delta.get().to_string()),
        };
        form.set(field, number);
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(typed: &[(ConditionField, &str)]) -> Form {
        let mut form = Form { model: ModelChoice::KAnonymity, ..Form::default() };
        for (field, text) in typed {
            form.conditions.set(*field, (*text).to_owned());
        }
        form
    }

    fn asked(typed: &[(ConditionField, &str)]) -> (Vec<ValueCondition>, Vec<(Field, String)>) {
        let mut wrong = Wrong::default();
        let conditions = conditions(&form(typed), &["disease"], &mut wrong);
        (conditions, wrong.0.into_iter().map(|wrong| (wrong.field, wrong.message)).collect())
    }

    #[test]
    fn every_field_is_a_condition_and_every_condition_a_field() {
        let all: Vec<(ConditionField, &str)> = ConditionField::ALL
            .into_iter()
            .zip(["2", "1.5", "3", "2", "0.5", "0.25", "0.3", "4", "2.5", "1"])
            .collect();
        let (conditions, wrong) = asked(&all);
        assert_eq!((conditions.len(), wrong), (9, Vec::new()));
        assert_eq!(typed(&conditions), form(&all).conditions);
        let ids: std::collections::BTreeSet<&str> =
            ConditionField::ALL.iter().map(|field| field.id()).collect();
        assert_eq!(ids.len(), 10);
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
}
