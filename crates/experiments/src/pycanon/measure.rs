//! What both compute, and how `lookalike check` is asked for it.

use super::{definitions::fewest, tables::Tally};

/// A figure of pyCANON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    K,
    Alpha,
    DistinctL,
    EntropyL,
    /// The c of the l that is reached.
    Recursive,
    BasicBeta,
    EnhancedBeta,
    T,
    Delta,
}

/// Limits of a condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Asked {
    /// The tightest that must hold, if there is one that can be asked.
    pub(super) holds: Option<f64>,
    /// One just beyond, which must not hold.
    pub(super) fails: Option<f64>,
}

/// Figures agree to about this much; a limit so far beyond what is reached does not hold.
pub(super) const NEAR: f64 = 1e-9;

/// A limit that only fails where no limit holds.
pub(super) const ANY: f64 = 1e6;

impl Measure {
    pub(super) const ALL: [Self; 9] = [
        Self::K,
        Self::Alpha,
        Self::DistinctL,
        Self::EntropyL,
        Self::Recursive,
        Self::BasicBeta,
        Self::EnhancedBeta,
        Self::T,
        Self::Delta,
    ];

    /// As `peers/conditions.py` calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::K => "k",
            Self::Alpha => "alpha",
            Self::DistinctL => "distinct l",
            Self::EntropyL => "entropy l",
            Self::Recursive => "recursive c",
            Self::BasicBeta => "basic beta",
            Self::EnhancedBeta => "enhanced beta",
            Self::T => "t",
            Self::Delta => "delta",
        }
    }

    /// What holds if pyCANON's figure is ours, and what does not. Limits of l, alpha, beta and t are reached themselves ("at most", "at
    /// least"); of delta ("below") and c (whole numbers in pyCANON) the next larger one is.
    pub(super) fn asked(self, figure: f64) -> Asked {
        match self {
            // 1 cannot be asked: it always holds.
            Self::K | Self::DistinctL | Self::EntropyL => {
                Asked { holds: Some(figure).filter(|of| *of >= 2.0), fails: Some(figure + 1.0) }
            }
            // A group with one value keeps no c.
            Self::Recursive if figure.is_nan() => Asked { holds: None, fails: Some(ANY) },
            Self::Recursive => {
                Asked { holds: Some(figure), fails: Some(figure - 1.0).filter(|of| *of > 0.0) }
            }
            Self::Alpha | Self::T => Asked { holds: Some(figure.min(1.0)), fails: below(figure) },
            // Above 0 is what can be asked.
            Self::BasicBeta | Self::EnhancedBeta => {
                Asked { holds: Some(figure.max(NEAR)), fails: below(figure) }
            }
            Self::Delta => Asked { holds: Some(figure + NEAR), fails: below(figure) },
        }
    }

    /// Flags of `check` that ask every column for the limit: the first is the sensitive one.
    pub(super) fn flags(self, limit: f64, columns: &[(String, Tally)]) -> Vec<String> {
        let flag = match self {
            Self::K => {
                return ["--model", "k-anonymity", "--k"]
                    .map(String::from)
                    .into_iter()
                    .chain([limit.to_string()])
                    .collect();
            }
            Self::Alpha => "--alpha",
            Self::DistinctL => "--distinct-l",
            Self::EntropyL => "--entropy-l",
            Self::Recursive => "--recursive-cl",
            Self::BasicBeta => "--beta",
            Self::EnhancedBeta => "--enhanced-beta",
            Self::T => "--t-closeness",
            Self::Delta => "--delta",
        };
        let l = fewest(columns.iter().map(|column| &column.1)).max(2);
        let of = |at: usize, (name, tally): &(String, Tally)| {
            let value = match self {
                Self::Recursive => format!("{limit},{l}"),
                // pyCANON chooses the distance by what the cells are.
                Self::T if tally.numbers => format!("ordered:{limit}"),
                _ => limit.to_string(),
            };
            [flag.to_owned(), if at == 0 { value } else { format!("{name}={value}") }]
        };
        columns.iter().enumerate().flat_map(|(at, column)| of(at, column)).collect()
    }
}

/// A limit just below the figure, if it may be asked.
fn below(figure: f64) -> Option<f64> {
    Some(figure - NEAR).filter(|limit| *limit > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_that_can_be_asked() {
        let asked = |measure: Measure, figure| {
            let Asked { holds, fails } = measure.asked(figure);
            (holds, fails)
        };
        assert_eq!(asked(Measure::K, 3.0), (Some(3.0), Some(4.0)));
        assert_eq!(asked(Measure::DistinctL, 1.0), (None, Some(2.0)));
        assert_eq!(asked(Measure::Recursive, 1.0), (Some(1.0), None));
        assert_eq!(asked(Measure::Recursive, f64::NAN), (None, Some(ANY)));
        assert_eq!(asked(Measure::Alpha, 1.0), (Some(1.0), Some(1.0 - NEAR)));
        assert_eq!(asked(Measure::BasicBeta, 0.0), (Some(NEAR), None));
        assert_eq!(asked(Measure::T, 0.0), (Some(0.0), None));
        assert_eq!(asked(Measure::Delta, 0.5), (Some(0.5 + NEAR), Some(0.5 - NEAR)));
    }

    #[test]
    fn every_column_is_asked_in_its_own_way() {
        let tally = |numbers| Tally { numbers, whole: vec![1, 2, 1], groups: vec![vec![1, 2, 1]] };
        let columns = [(String::from("s1"), tally(true)), (String::from("s2"), tally(false))];
        let flags = |measure: Measure, limit| measure.flags(limit, &columns).join(" ");
        assert_eq!(flags(Measure::K, 2.0), "--model k-anonymity --k 2");
        assert_eq!(flags(Measure::T, 0.25), "--t-closeness ordered:0.25 --t-closeness s2=0.25");
        assert_eq!(flags(Measure::Recursive, 2.0), "--recursive-cl 2,3 --recursive-cl s2=2,3");
        assert_eq!(Measure::Delta.flags(1.5, &columns[..1]).join(" "), "--delta 1.5");
    }
}
