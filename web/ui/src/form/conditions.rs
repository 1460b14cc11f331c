//! Conditions on secret columns beside k, as they were typed; an empty field asks for nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A field of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ConditionField {
    /// Different values.
    Distinct,
    /// Effective number of values, by entropy.
    Entropy,
    /// How many times as often the most frequent value may occur as all but the most frequent ones.
    RecursiveC,
    /// The first of these rarer values.
    RecursiveL,
    /// The largest share.
    Alpha,
    /// The least range of numbers.
    Spread,
    /// Distance from the whole table, all values equally far from each other.
    Equal,
    /// The same by the order of the values.
    Ordered,
    /// The same by their hierarchy.
    Hierarchical,
    /// Relative gain.
    Beta,
    /// The same, tighter for frequent values.
    EnhancedBeta,
    /// Difference of logarithms.
    Delta,
}

impl ConditionField {
    /// All of them, in the order of the page.
    pub const ALL: [Self; 12] = [
        Self::Distinct,
        Self::Entropy,
        Self::RecursiveC,
        Self::RecursiveL,
        Self::Alpha,
        Self::Spread,
        Self::Equal,
        Self::Ordered,
        Self::Hierarchical,
        Self::Beta,
        Self::EnhancedBeta,
        Self::Delta,
    ];

    /// The id of its element.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Distinct => "distinct-l",
            Self::Entropy => "entropy-l",
            Self::RecursiveC => "recursive-c",
            Self::RecursiveL => "recursive-l",
            Self::Alpha => "alpha",
            Self::Spread => "spread",
            Self::Equal => "t-equal",
            Self::Ordered => "t-ordered",
            Self::Hierarchical => "t-hierarchical",
            Self::Beta => "beta",
            Self::EnhancedBeta => "enhanced-beta",
            Self::Delta => "delta",
        }
    }
}

/// What stands in the fields: those of all secret columns, and those of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConditionsForm {
    all: BTreeMap<ConditionField, String>,
    of: BTreeMap<String, BTreeMap<ConditionField, String>>,
}

impl ConditionsForm {
    /// What was typed, of all secret columns or of this one.
    #[must_use]
    pub fn typed(&self, column: Option<&str>, field: ConditionField) -> &str {
        let fields = column.map_or(Some(&self.all), |name| self.of.get(name));
        fields.and_then(|fields| fields.get(&field)).map_or("", String::as_str)
    }

    /// Takes what was typed.
    pub fn set(&mut self, column: Option<&str>, field: ConditionField, typed: String) {
        let fields = match column {
            Some(name) => self.of.entry(name.to_owned()).or_default(),
            None => &mut self.all,
        };
        if typed.trim().is_empty() {
            fields.remove(&field);
            self.of.retain(|_, fields| !fields.is_empty());
        } else {
            fields.insert(field, typed);
        }
    }

    /// Whether something stands in a field, of all secret columns or of one.
    #[must_use]
    pub fn asks(&self, field: ConditionField) -> bool {
        self.all.contains_key(&field) || self.of.values().any(|fields| fields.contains_key(&field))
    }

    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.of.is_empty()
    }
}
