//! What the user says of a column's cells.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, Visitor},
};

/// Overrules the inferred kind of a column. Written down as its name; a date of a format of its own as `date:%d.%m.%Y`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Cells are whole numbers; a comma or point in them stands between thousands.
    Integer,
    /// Cells are numbers; if one kind of mark occurs, comma or point, it is the decimal sign.
    Real,
    /// Cells are numbers, whole or not as they have it; distance is their difference.
    Number,
    /// Cells are dates; distance is in days, with fractions where there is a time of day, or in months or quarters where
    /// there is no day.
    Date,
    /// Cells are dates, the day before the month.
    DateDmy,
    /// Cells are dates, the month before the day.
    DateMdy,
    /// Cells are dates of this format, in the letters of strftime.
    DateAs(Box<str>),
    /// Cells are labels; two are equal or not.
    Category,
    /// Cells are labels with an order, which [`Settings::orders`](crate::settings::Settings::orders) gives; distance is
    /// that of ranks.
    Ordinal,
}

/// What stands before a format.
const DATE: &str = "date:";

/// The names of the kinds that have no format.
const NAMES: &[&str] = &["integer", "real", "number", "date", "date-dmy", "date-mdy", "category", "ordinal"];

impl Kind {
    /// The kind of a name; `None` if there is none such.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "integer" => Self::Integer,
            "real" => Self::Real,
            "number" => Self::Number,
            "date" => Self::Date,
            "date-dmy" => Self::DateDmy,
            "date-mdy" => Self::DateMdy,
            "category" => Self::Category,
            "ordinal" => Self::Ordinal,
            other => Self::DateAs(other.strip_prefix(DATE)?.trim().into()),
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Integer => "integer",
            Self::Real => "real",
            Self::Number => "number",
            Self::Date => "date",
            Self::DateDmy => "date-dmy",
            Self::DateMdy => "date-mdy",
            Self::DateAs(format) => return write!(f, "{DATE}{format}"),
            Self::Category => "category",
            Self::Ordinal => "ordinal",
        })
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Named;
        impl Visitor<'_> for Named {
            type Value = Kind;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Kind, E> {
                Kind::named(name).ok_or_else(|| E::unknown_variant(name, NAMES))
            }
        }
        deserializer.deserialize_str(Named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_read_as_it_is_written() {
        for name in NAMES.iter().copied().chain(["date:%d %b %Y %H:%M", "date:%d.%m.%y from 1930"]) {
            let kind = Kind::named(name).unwrap();
            assert_eq!(kind.to_string(), name);
            let written = serde_json::to_string(&kind).unwrap();
            assert_eq!(written, format!("\"{name}\""));
            assert_eq!(serde_json::from_str::<Kind>(&written).unwrap(), kind);
        }
        assert_eq!(Kind::named("dates"), None);
        assert!(serde_json::from_str::<Kind>("\"dates\"").unwrap_err().to_string().contains("date-dmy"));
    }
}
