//! Parameters of conditions, checked once: what has such a type makes sense.

use lookalike_words::Figure;
use serde::{Deserialize, Serialize};

lookalike_words::messages! {
    in "model";

    /// Why a number cannot be the parameter of a condition.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ParameterFault {
        /// A number of values below 2.
        Several {
            /// The number.
            value: usize,
        },
        /// An effective number of values that is not above 1.
        Effective {
            /// The number.
            value: Figure,
        },
        /// A share that is not above 0 and at most 1.
        Share {
            /// The number.
            value: Figure,
        },
        /// A distance that is not between 0 and 1.
        Distance {
            /// The number.
            value: Figure,
        },
        /// A ratio that is not above 0.
        Positive {
            /// The number.
            value: Figure,
        },
    }
}

impl std::error::Error for ParameterFault {}

/// A number of different values: at least 2, since one value says it all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "usize", into = "usize")]
pub struct Several(usize);

impl Several {
    /// The number.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0
    }
}

impl TryFrom<usize> for Several {
    type Error = ParameterFault;

    fn try_from(value: usize) -> Result<Self, ParameterFault> {
        if value < 2 { Err(ParameterFault::Several { value }) } else { Ok(Self(value)) }
    }
}

impl From<Several> for usize {
    fn from(number: Several) -> Self {
        number.0
    }
}

/// A finite number of a range. Equal numbers are equal bit by bit: there is no NaN, and no negative zero.
macro_rules! number {
    ($(#[$doc:meta])* $name:ident, $fault:ident, $within:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(try_from = "f64", into = "f64")]
        pub struct $name(f64);

        impl $name {
            /// The number.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }

            /// The number as it is told.
            #[must_use]
            pub fn told(self) -> Figure {
                Figure::shortest(self.0)
            }
        }

        impl TryFrom<f64> for $name {
            type Error = ParameterFault;

            fn try_from(value: f64) -> Result<Self, ParameterFault> {
                let within: fn(f64) -> bool = $within;
                if value.is_finite() && within(value) {
                    Ok(Self(value + 0.0))
                } else {
                    Err(ParameterFault::$fault { value: Figure::shortest(value) })
                }
            }
        }

        impl From<$name> for f64 {
            fn from(number: $name) -> Self {
                number.0
            }
        }

        impl Eq for $name {}

        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.0.to_bits().hash(state);
            }
        }
    };
}

number! {
    /// An effective number of values, as entropy counts them: above 1, since 1 asks for nothing.
    Effective, Effective, |x| x > 1.0
}
number! {
    /// A share of records: above 0, at most 1.
    Share, Share, |x| x > 0.0 && x <= 1.0
}
number! {
    /// A distance between two distributions: 0 to 1.
    Distance, Distance, |x| (0.0..=1.0).contains(&x)
}
number! {
    /// A ratio, or a difference of logarithms: above 0.
    Positive, Positive, |x| x > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_makes_no_sense_is_refused_with_its_reason() {
        assert_eq!(Several::try_from(1), Err(ParameterFault::Several { value: 1 }));
        assert_eq!(Several::try_from(2).map(Several::get), Ok(2));
        assert!(matches!(Effective::try_from(1.0), Err(ParameterFault::Effective { .. })));
        assert!(matches!(Share::try_from(0.0), Err(ParameterFault::Share { .. })));
        assert!(Share::try_from(1.0).is_ok());
        assert!(matches!(Distance::try_from(1.1), Err(ParameterFault::Distance { .. })));
        assert_eq!(Distance::try_from(-0.0).map(|d| d.get().to_bits()), Ok(0));
        for wrong in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            assert!(matches!(Positive::try_from(wrong), Err(ParameterFault::Positive { .. })), "{wrong}");
        }
        assert!(serde_json::from_str::<Distance>("1.5").unwrap_err().to_string().contains("1.5"));
        assert_eq!(serde_json::to_string(&Positive::try_from(0.5).unwrap()).unwrap(), "0.5");
    }
}
