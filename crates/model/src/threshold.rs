//! Above which probability of being found a record counts as at risk, and who goes by that number.
//!
//! The sizes of groups are the precedents that El Emam collects (Guide to the De-Identification of Personal Health Information, 2013,
//! "Cell size precedents"): most data holders go by five, some by three; patient data published in Canada and the United States went by
//! 20. 0.09 is what the guidance to policy 0070 of the European Medicines Agency and Health Canada's guidance on the public release of
//! clinical information name; 1/11 is above it, so that groups of 12 are the smallest that are not.

use lookalike_words::messages;

/// Where nothing else is said: groups of fewer than five.
pub const USUAL: f64 = 0.2;

messages! {
    in "model";

    /// Who goes by a threshold of risk.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ThresholdSource {
        /// Groups of 20.
        OfTwenty,
        /// Clinical reports that are published.
        OfClinicalReports,
        /// Groups of five.
        OfFive,
        /// Groups of three.
        OfThree,
        /// The user alone.
        Own,
    }
}

impl ThresholdSource {
    /// Who goes by this threshold.
    #[must_use]
    pub fn of(threshold: f64) -> Self {
        let known = [
            (0.05, Self::OfTwenty),
            (0.09, Self::OfClinicalReports),
            (USUAL, Self::OfFive),
            (THIRD, Self::OfThree),
        ];
        let is = |known: f64| (threshold - known).abs() < 1e-9;
        known.into_iter().find(|(known, _)| is(*known)).map_or(Self::Own, |(_, source)| source)
    }
}

/// Groups of three are not above it.
pub const THIRD: f64 = 1.0 / 3.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_named_for_what_it_says_and_for_nothing_else() {
        assert_eq!(ThresholdSource::of(0.05), ThresholdSource::OfTwenty);
        assert_eq!(ThresholdSource::of(0.09), ThresholdSource::OfClinicalReports);
        assert_eq!(ThresholdSource::of(0.2), ThresholdSource::OfFive);
        assert_eq!(ThresholdSource::of(1.0 / 3.0), ThresholdSource::OfThree);
        for own in [0.0, 0.1, 1.0 / 11.0, 0.33, 0.21, 1.0, f64::NAN] {
            assert_eq!(ThresholdSource::of(own), ThresholdSource::Own, "{own}");
        }
    }
}
