//! Above which probability of being found a record counts as at risk.

use super::{Field, Wrong, number::decimal};
use crate::form::{Form, ThresholdChoice};

/// The number; none where the user's is no probability.
#[must_use]
pub fn threshold(form: &Form) -> Option<f64> {
    form.threshold.number().or_else(|| decimal(&form.own_threshold).filter(|number| *number <= 1.0))
}

/// As settings have it: nothing is said of what is usual.
pub(super) fn asked(form: &Form, wrong: &mut Wrong) -> Option<f64> {
    let number = threshold(form);
    if number.is_none() {
        wrong.add(Field::Threshold, t!(WRONG_THRESHOLD));
    }
    number.filter(|_| form.threshold != ThresholdChoice::Usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_a_probability() {
        let own = |number: &str| Form {
            threshold: ThresholdChoice::Own,
            own_threshold: number.to_owned(),
            ..Form::default()
        };
        assert_eq!(threshold(&Form::default()), Some(0.2));
        assert_eq!(
            [threshold(&own("0.1")), threshold(&own("1")), threshold(&own("0"))],
            [Some(0.1), Some(1.0), Some(0.0)]
        );
        for number in ["", "1.1", "-0.1", "a fifth"] {
            let mut wrong = Wrong::default();
            assert_eq!(asked(&own(number), &mut wrong), None);
            assert_eq!(wrong.0.iter().map(|w| w.field).collect::<Vec<_>>(), [Field::Threshold], "{number}");
        }
        let mut wrong = Wrong::default();
        assert_eq!(asked(&Form::default(), &mut wrong), None);
        assert_eq!(asked(&own("0.2"), &mut wrong), Some(0.2));
        let named = Form { threshold: ThresholdChoice::OfTwenty, ..Form::default() };
        assert_eq!((asked(&named, &mut wrong), wrong.0.len()), (Some(0.05), 0));
    }
}
