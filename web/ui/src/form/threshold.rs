//! Above which probability of being found a record counts as at risk.

use lookalike_model::threshold::{THIRD, USUAL};
use serde::{Deserialize, Serialize};

/// Which threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThresholdChoice {
    /// Groups of five.
    #[default]
    Usual,
    /// Groups of three.
    OfThree,
    /// That of published clinical reports.
    OfClinicalReports,
    /// Groups of 20.
    OfTwenty,
    /// A number of the user's.
    Own,
}

impl ThresholdChoice {
    /// The number; none where it is the user's.
    #[must_use]
    pub const fn number(self) -> Option<f64> {
        match self {
            Self::Usual => Some(USUAL),
            Self::OfThree => Some(THIRD),
            Self::OfClinicalReports => Some(0.09),
            Self::OfTwenty => Some(0.05),
            Self::Own => None,
        }
    }

    /// The one that stands for a number.
    #[must_use]
    pub fn of(number: f64) -> Self {
        let named = [Self::Usual, Self::OfThree, Self::OfClinicalReports, Self::OfTwenty];
        named.into_iter().find(|choice| choice.number() == Some(number)).unwrap_or(Self::Own)
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::threshold::ThresholdSource;

    use super::*;

    #[test]
    fn what_is_offered_by_name_has_a_source() {
        use ThresholdChoice::{OfClinicalReports, OfThree, OfTwenty, Own, Usual};
        for choice in [Usual, OfThree, OfClinicalReports, OfTwenty] {
            let number = choice.number().unwrap();
            assert_eq!(ThresholdChoice::of(number), choice);
            assert_ne!(ThresholdSource::of(number), ThresholdSource::Own, "{choice:?}");
        }
        assert_eq!((ThresholdChoice::of(0.1), Own.number()), (Own, None));
    }
}
