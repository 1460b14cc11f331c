//! A condition that the whole table does not keep, and the nearest one that it does.

use lookalike_words::{Arg, Said};

use super::{FailedAt, State};
use crate::{
    form::{ConditionField, ConditionsForm, Form, Role, with_role},
    settings::decimal,
    texts::{Words, language},
};

/// A condition of the first secret column, or of one by its number among them.
const VALUES: &str = "model.Infeasible.Values";

/// A condition of a further secret column, by its name.
const CONDITION: &str = "core.Impossible.Condition";

/// The condition for which the last run was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    /// The secret column.
    pub column: String,
    /// The field of its number.
    pub field: ConditionField,
    /// The nearest number that is possible, as the language of the page writes it, with the form that has it; `None` where there is
    /// none, or the field says something else by now.
    pub best: Option<(String, Box<Form>)>,
}

impl State {
    /// The condition for which the last run was refused, if one was.
    #[must_use]
    pub fn nearest(&self) -> Option<Nearest> {
        let failure = self.failure.as_ref().filter(|failure| failure.at == FailedAt::Solving)?;
        let Words::Said(why) = &failure.message else { return None };
        let secret = with_role(self.table.as_ref()?, &self.choices, Role::Sensitive);
        let column = column(why, &secret)?;
        let Some(Arg::Said(asked)) = why.arg("asked") else { return None };
        let (field, number) = number(asked)?;
        let best = why.arg("best").and_then(figure).and_then(|best| {
            let mut form = self.form.clone();
            let slot = (column.as_str(), field);
            loosen(&mut form.conditions, &secret, slot, (&number, &best)).then(|| (best, Box::new(form)))
        });
        Some(Nearest { column, field, best })
    }
}

/// The column that the condition is of: those after the first are in the order of their names.
fn column(why: &Said, secret: &[&str]) -> Option<String> {
    match (why.id(), why.arg("of"), why.arg("column")) {
        (VALUES, Some(Arg::Count(0)), _) => secret.first().map(|name| (*name).to_owned()),
        (VALUES, Some(Arg::Count(of)), _) => {
            let further = secret.get(1..)?;
            let before = |name: &str| further.iter().filter(|other| **other < name).count() as u64 + 1;
            further.iter().find(|name| before(name) == *of).map(|name| (*name).to_owned())
        }
        (CONDITION, _, Some(Arg::Name { name })) => Some(name.clone()),
        _ => None,
    }
}

/// The field of a condition, and the number that was asked for.
fn number(asked: &Said) -> Option<(ConditionField, String)> {
    use ConditionField as Of;
    let is = |name: &str| matches!(asked.arg(name), Some(Arg::Count(1)));
    let (field, parameter) = match asked.id() {
        "model.Asked.DistinctDiversity" => (Of::Distinct, "l"),
        "model.Asked.EntropyDiversity" => (Of::Entropy, "l"),
        "model.Asked.RecursiveDiversity" => (Of::RecursiveC, "c"),
        "model.Asked.Frequency" => (Of::Alpha, "alpha"),
        "model.Asked.Spread" => (Of::Spread, "least"),
        "model.Asked.TCloseness" if is("ordered") => (Of::Ordered, "t"),
        "model.Asked.TCloseness" => (Of::Equal, "t"),
        "model.Asked.HierarchicalCloseness" => (Of::Hierarchical, "t"),
        "model.Asked.BetaLikeness" if is("enhanced") => (Of::EnhancedBeta, "beta"),
        "model.Asked.BetaLikeness" => (Of::Beta, "beta"),
        "model.Asked.DeltaDisclosure" => (Of::Delta, "delta"),
        _ => return None,
    };
    Some((field, figure(asked.arg(parameter)?)?))
}

/// A number as it is typed in the language of the page.
fn figure(arg: &Arg) -> Option<String> {
    let digits = match arg {
        Arg::Figure { figure } => figure.clone(),
        Arg::Count(count) => count.to_string(),
        _ => return None,
    };
    Some(digits.replace('.', language().decimal_mark().encode_utf8(&mut [0; 4])))
}

/// Sets the field of this column from one number to another, whether it is of all columns or of this one; the others keep what was
/// asked of all. Whether there was something to set.
fn loosen(
    form: &mut ConditionsForm,
    secret: &[&str],
    (column, field): (&str, ConditionField),
    (from, to): (&str, &str),
) -> bool {
    let bits = |text: &str| decimal(text).map(f64::to_bits);
    let has =
        |form: &ConditionsForm, of| bits(form.typed(of, field)).is_some_and(|now| Some(now) == bits(from));
    let own = has(form, Some(column));
    if own {
        form.set(Some(column), field, to.to_owned());
    }
    let all = has(form, None);
    if all {
        // Both numbers of recursive diversity belong together.
        let fields: &[ConditionField] = match field {
            ConditionField::RecursiveC => &[field, ConditionField::RecursiveL],
            _ => &[field],
        };
        let free =
            |form: &ConditionsForm, of: &str| fields.iter().all(|f| form.typed(Some(of), *f).is_empty());
        for other in secret.iter().filter(|name| **name != column) {
            if free(form, other) {
                for field in fields {
                    form.set(Some(other), *field, form.typed(None, *field).to_owned());
                }
            }
        }
        form.set(None, field, to.to_owned());
    }
    own || all
}

#[cfg(test)]
mod tests {
    use lookalike_model::rule::Infeasible;
    use lookalike_model::settings::ValueCondition;
    use lookalike_words::{Figure, Message as _};

    use super::*;
    use crate::{
        form::ModelChoice,
        state::{Action, reduce, tests::solving},
    };

    /// A run that was refused since a frequency of 0.2 cannot be kept.
    fn refused(of: usize, best: Option<f64>) -> State {
        let mut state = solving();
        state.form.model = ModelChoice::KAnonymity;
        state.form.conditions.set(None, ConditionField::Alpha, String::from("0.20"));
        let asked = ValueCondition::Frequency { alpha: 0.2.try_into().unwrap() }.asked();
        let why = Infeasible::Values { of, asked, best: best.map(Figure::shortest), without: None };
        reduce(state, Action::Failed(why.said().into()))
    }

    #[test]
    fn the_nearest_number_that_is_possible_can_be_set() {
        let nearest = refused(0, Some(0.25)).nearest().unwrap();
        assert_eq!((nearest.column.as_str(), nearest.field), ("disease", ConditionField::Alpha));
        let (best, form) = nearest.best.unwrap();
        assert_eq!((best.as_str(), form.conditions.typed(None, ConditionField::Alpha)), ("0.25", "0.25"));
        // Without such a number the column is named all the same.
        assert_eq!(refused(0, None).nearest().unwrap().best, None);
        assert_eq!(refused(7, Some(0.25)).nearest(), None, "there is no such column");
        // Once it is set, it is not offered again.
        let set = reduce(refused(0, Some(0.25)), Action::Edit(form));
        assert!(set.nearest().is_none_or(|nearest| nearest.best.is_none()));
        assert_eq!(reduce(solving(), Action::Failed("lost".into())).nearest(), None);
        // Further columns are in the order of their names.
        let of = |of: usize| {
            let asked = ValueCondition::Frequency { alpha: 0.2.try_into().unwrap() }.asked();
            let why = Infeasible::Values { of, asked, best: None, without: None };
            column(&why.said(), &["ill", "pay", "gone"])
        };
        assert_eq!([of(0), of(1), of(2), of(3)].map(Option::unwrap_or_default), ["ill", "gone", "pay", ""]);
    }

    #[test]
    fn what_was_asked_of_all_columns_stays_asked_of_the_others() {
        use ConditionField::{Alpha, RecursiveC, RecursiveL};
        let mut form = ConditionsForm::default();
        form.set(None, Alpha, String::from("0.2"));
        assert!(loosen(&mut form, &["ill", "pay"], ("ill", Alpha), ("0.2", "0.25")));
        assert_eq!((form.typed(None, Alpha), form.typed(Some("pay"), Alpha)), ("0.25", "0.2"));
        assert_eq!(form.typed(Some("ill"), Alpha), "");
        // A field of the column alone is set alone; another number is none that was refused.
        let mut form = ConditionsForm::default();
        form.set(Some("ill"), Alpha, String::from("0.2"));
        assert!(!loosen(&mut form, &["ill", "pay"], ("ill", Alpha), ("0.3", "0.25")));
        assert!(loosen(&mut form, &["ill", "pay"], ("ill", Alpha), ("0.2", "0.25")));
        assert_eq!((form.typed(Some("ill"), Alpha), form.typed(Some("pay"), Alpha)), ("0.25", ""));
        let mut form = ConditionsForm::default();
        form.set(None, RecursiveC, String::from("1"));
        form.set(None, RecursiveL, String::from("3"));
        assert!(loosen(&mut form, &["ill", "pay"], ("ill", RecursiveC), ("1", "2")));
        assert_eq!((form.typed(Some("pay"), RecursiveC), form.typed(Some("pay"), RecursiveL)), ("1", "3"));
        assert_eq!((form.typed(None, RecursiveC), form.typed(None, RecursiveL)), ("2", "3"));
    }

    #[test]
    fn every_condition_has_its_field() {
        let asked = |condition: ValueCondition| number(&condition.asked().said()).unwrap();
        let distinct = ValueCondition::DistinctDiversity { l: 3.try_into().unwrap() };
        assert_eq!(asked(distinct), (ConditionField::Distinct, String::from("3")));
        let t = 0.1.try_into().unwrap();
        for (distance, field) in [
            (lookalike_model::rule::Ground::Equal, ConditionField::Equal),
            (lookalike_model::rule::Ground::Ordered, ConditionField::Ordered),
            (lookalike_model::rule::Ground::Hierarchical, ConditionField::Hierarchical),
        ] {
            assert_eq!(asked(ValueCondition::TCloseness { t, distance }), (field, String::from("0.1")));
        }
        let beta = 1.5.try_into().unwrap();
        assert_eq!(asked(ValueCondition::BasicBetaLikeness { beta }).0, ConditionField::Beta);
        assert_eq!(asked(ValueCondition::EnhancedBetaLikeness { beta }).0, ConditionField::EnhancedBeta);
    }
}
