//! Parameters of the algorithms: each has a name, a default, a unit and a range, and can be read from a file.
//!
//! A group of them is a struct that [`params!`] or [`groups!`] writes: with `serde` (what is not named keeps its default, and
//! names that do not exist are refused), with a check of the ranges, and with what differs from the defaults. That every
//! number is registered with a text and a range follows SCIP. What a proof rests on (allowances for rounding) is no parameter.

use std::ops::RangeInclusive;

use lookalike_words::Figure;

lookalike_words::messages! {
    in "optimize";

    /// What is wrong with a parameter.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum OutOfRange {
        /// It is outside of its range.
        Parameter {
            /// Its name, with those of the groups that it is in: `exact.master.box_width`.
            name: String,
            /// What it was given.
            value: String,
            /// The least value that it takes.
            least: Figure,
            /// The largest value that it takes.
            most: Figure,
        },
    }
}

impl std::error::Error for OutOfRange {}

/// A parameter as it stands in a group.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name, with those of the groups that it is in.
    pub name: String,
    /// Its value, as text.
    pub value: String,
    /// Whether that is the default.
    pub is_default: bool,
    /// Whether that is within the range.
    pub is_within: bool,
    /// The range.
    pub range: RangeInclusive<f64>,
}

/// A group of parameters.
pub trait Parameters: Default {
    /// Shows every parameter. `path` is the name of the group, empty for that of all.
    fn visit(&self, default: &Self, path: &str, see: &mut dyn FnMut(Parameter));

    /// Whether all are within their ranges.
    ///
    /// # Errors
    /// [`OutOfRange`] for the first one that is not.
    fn check(&self) -> Result<(), OutOfRange> {
        let mut first = None;
        self.visit(&Self::default(), "", &mut |p| {
            if !p.is_within && first.is_none() {
                let [least, most] = [p.range.start(), p.range.end()].map(|end| Figure::shortest(*end));
                first = Some(OutOfRange::Parameter { name: p.name, value: p.value, least, most });
            }
        });
        first.map_or(Ok(()), Err)
    }

    /// What differs from the defaults, as names and values.
    fn changes(&self) -> Vec<(String, String)> {
        let mut changes = Vec::new();
        self.visit(&Self::default(), "", &mut |p| {
            if !p.is_default {
                changes.push((p.name, p.value));
            }
        });
        changes
    }
}

/// The name of something in a group.
pub(crate) fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// What a parameter can be.
pub(crate) trait Value {
    /// As it is told.
    fn text(&self) -> String;

    /// Whether all its numbers are within.
    fn is_within(&self, range: &RangeInclusive<f64>) -> bool;
}

impl Value for u32 {
    fn text(&self) -> String {
        self.to_string()
    }

    fn is_within(&self, range: &RangeInclusive<f64>) -> bool {
        range.contains(&f64::from(*self))
    }
}

impl Value for u64 {
    fn text(&self) -> String {
        self.to_string()
    }

    fn is_within(&self, range: &RangeInclusive<f64>) -> bool {
        range.contains(&(*self as f64))
    }
}

impl Value for usize {
    fn text(&self) -> String {
        self.to_string()
    }

    fn is_within(&self, range: &RangeInclusive<f64>) -> bool {
        range.contains(&(*self as f64))
    }
}

impl Value for f64 {
    fn text(&self) -> String {
        self.to_string()
    }

    fn is_within(&self, range: &RangeInclusive<f64>) -> bool {
        range.contains(self)
    }
}

impl Value for Vec<f64> {
    fn text(&self) -> String {
        format!("{self:?}")
    }

    fn is_within(&self, range: &RangeInclusive<f64>) -> bool {
        self.iter().all(|x| range.contains(x))
    }
}

/// Writes a group of numbers: `name: type = default, "unit", range;`, each with its text above it.
macro_rules! params {
    ($(#[$about:meta])* pub struct $group:ident {
        $($(#[$text:meta])* $name:ident: $type:ty = $default:expr, $unit:literal, $range:expr;)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $group {
            $(
                $(#[$text])*
                #[doc = concat!(
                    "\n\nDefault `", stringify!($default), "`, in ", $unit, "; range `", stringify!($range), "`."
                )]
                pub $name: $type,
            )*
        }

        impl Default for $group {
            fn default() -> Self {
                Self { $($name: $default.into()),* }
            }
        }

        impl $crate::params::Parameters for $group {
            fn visit(&self, default: &Self, path: &str, see: &mut dyn FnMut($crate::params::Parameter)) {
                use $crate::params::Value as _;
                $({
                    let range = $range;
                    see($crate::params::Parameter {
                        name: $crate::params::below(path, stringify!($name)),
                        value: self.$name.text(),
                        is_default: self.$name == default.$name,
                        is_within: self.$name.is_within(&range),
                        range,
                    });
                })*
            }
        }
    };
}

/// Writes a group of groups.
macro_rules! groups {
    ($(#[$about:meta])* pub struct $group:ident { $($(#[$text:meta])* $name:ident: $type:ty;)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $group {
            $($(#[$text])* pub $name: $type,)*
        }

        impl $crate::params::Parameters for $group {
            fn visit(&self, default: &Self, path: &str, see: &mut dyn FnMut($crate::params::Parameter)) {
                $(self.$name.visit(&default.$name, &$crate::params::below(path, stringify!($name)), see);)*
            }
        }
    };
}

pub(crate) use {groups, params};
