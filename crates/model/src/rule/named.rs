//! How a rule is written in a job: by a name and its number, `{"name": "distinct", "m": 3}`.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::Error as _};

use super::{Condition, Rule, ValueCondition};

/// Which classes are admissible.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
enum Named {
    /// At least `k` records.
    MinSize {
        /// Least class size.
        #[cfg_attr(feature = "openapi", schema(minimum = 2))]
        k: usize,
    },
    /// At least `m` records, all of different colours, at least `real` of them real.
    Distinct {
        /// Least class size.
        #[cfg_attr(feature = "openapi", schema(minimum = 2))]
        m: usize,
        /// Fewest real records of a class.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        #[cfg_attr(feature = "openapi", schema(minimum = 1))]
        real: usize,
    },
    /// At least `k` records that keep conditions on how their colours are distributed.
    Values {
        /// Least class size.
        #[cfg_attr(feature = "openapi", schema(minimum = 2))]
        k: usize,
        /// The conditions on the colours, all of which hold.
        conditions: Vec<ValueCondition>,
        /// The conditions on the further sensitive columns, in the order of the job; at least one condition in all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        further: Vec<Vec<ValueCondition>>,
    },
}

/// Every class has a real record.
const fn one() -> usize {
    1
}

/// Whether that is all that is asked.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes what it skips by reference")]
const fn is_one(real: &usize) -> bool {
    *real == 1
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.min_real != 1 && !self.distinct() {
            return Err(S::Error::custom("only classes of different colours have a number of real records"));
        }
        match self.conditions.as_slice() {
            [] => Named::MinSize { k: self.min_size },
            [Condition::Different] => Named::Distinct { m: self.min_size, real: self.min_real },
            conditions if !self.distinct() => {
                debug_assert_eq!(self.values().count(), conditions.len());
                let of = |column: usize| {
                    self.values().filter(|(of, _)| *of == column).map(|(_, condition)| *condition).collect()
                };
                let last = self.values().map(|(of, _)| of).max().unwrap_or(0);
                Named::Values { k: self.min_size, conditions: of(0), further: (1..=last).map(of).collect() }
            }
            // A condition that is not written would not be kept by whoever reads the job.
            _ => return Err(S::Error::custom("these conditions together have no name")),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Named::deserialize(deserializer)? {
            Named::MinSize { k } => Self::at_least(k),
            Named::Distinct { real: 0, .. } => return Err(D::Error::custom("a class has a real record")),
            Named::Distinct { m, real } if real > m => {
                return Err(D::Error::custom("more real records than records of a class"));
            }
            Named::Distinct { m, real } => Self::all_different(m).with_real(real),
            Named::Values { k, conditions, further } => {
                let columns = std::iter::once(conditions).chain(further).enumerate();
                let all = columns.flat_map(|(of, conditions)| conditions.into_iter().map(move |c| (of, c)));
                let rule = Self::with_columns(k, all);
                if !rule.has_values() {
                    return Err(D::Error::custom("no condition is named"));
                }
                rule
            }
        })
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Rule {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        Named::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Rule {
    fn name() -> std::borrow::Cow<'static, str> {
        "Rule".into()
    }

    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>) {
        Named::schemas(schemas);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_written_by_name_and_read_again() {
        for (rule, json) in [
            (Rule::at_least(5), r#"{"name":"min-size","k":5}"#),
            (Rule::all_different(3), r#"{"name":"distinct","m":3}"#),
            (Rule::all_different(3).with_real(2), r#"{"name":"distinct","m":3,"real":2}"#),
        ] {
            assert_eq!(serde_json::to_string(&rule).unwrap(), json);
            assert_eq!(serde_json::from_str::<Rule>(json).unwrap(), rule);
        }
        let twice = Rule { conditions: vec![Condition::Different; 2], ..Rule::at_least(3) };
        assert!(serde_json::to_string(&twice).is_err(), "no condition is left out silently");
        let values = [
            r#"{"name":"t-closeness","t":0.2,"distance":"ordered"}"#,
            r#"{"name":"recursive-diversity","c":3.5,"l":2}"#,
        ]
        .map(|json| serde_json::from_str::<ValueCondition>(json).unwrap());
        let several = Rule::with_values(4, &values);
        let json = serde_json::to_string(&several).unwrap();
        assert_eq!(serde_json::from_str::<Rule>(&json).unwrap(), several);
        let columns = Rule::with_columns(4, [(0, values[0]), (2, values[1])]);
        let json = serde_json::to_string(&columns).unwrap();
        assert!(
            json.ends_with(r#""further":[[],[{"name":"recursive-diversity","c":3.5,"l":2}]]}"#),
            "{json}"
        );
        assert_eq!(serde_json::from_str::<Rule>(&json).unwrap(), columns);
        assert!(
            serde_json::to_string(&Rule {
                conditions: [several.conditions, vec![Condition::Different]].concat(),
                ..Rule::at_least(3)
            })
            .is_err()
        );
        for wrong in [
            r#"{"name":"values","k":3,"conditions":[]}"#,
            r#"{"name":"values","k":3,"conditions":[{"name":"t-closeness","t":2}]}"#,
            r#"{"name":"values","k":3,"conditions":[{"name":"distinct-diversity","l":1}]}"#,
            r#"{"name":"distinct"}"#,
            r#"{"name":"distinct","k":3}"#,
            r#"{"name":"distinct","m":3,"real":0}"#,
            r#"{"name":"distinct","m":3,"real":4}"#,
            r#"{"name":"other","k":3}"#,
        ] {
            assert!(serde_json::from_str::<Rule>(wrong).is_err(), "{wrong}");
        }
    }
}
