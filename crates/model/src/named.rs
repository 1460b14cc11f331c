//! Enumerations whose variant is named by a field beside its others. To read them, the derive of serde would buffer every
//! message, which costs each part of the page 8 kB; here all fields that a variant may have are read instead.

use serde::{Deserialize, Deserializer, de::Error};

use crate::{job::Status, settings::Model};

/// All fields that a variant may have.
#[derive(Deserialize)]
struct Named {
    name: String,
    #[serde(default)]
    k: Option<usize>,
    #[serde(default)]
    m: Option<usize>,
    #[serde(default)]
    why: Option<String>,
}

fn needed<T, E: Error>(value: Option<T>, name: &'static str) -> Result<T, E> {
    value.ok_or_else(|| E::missing_field(name))
}

impl<'de> Deserialize<'de> for Model {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Named { name, k, m, .. } = Named::deserialize(deserializer)?;
        match name.as_str() {
            "m-invariance" => Ok(Self::MInvariance { m: needed(m, "m")? }),
            "k-anonymity" => Ok(Self::KAnonymity { k: needed(k, "k")? }),
            _ => Err(D::Error::unknown_variant(&name, &["m-invariance", "k-anonymity"])),
        }
    }
}

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Named { name, why, .. } = Named::deserialize(deserializer)?;
        match name.as_str() {
            "optimal" => Ok(Self::Optimal),
            "gap-reached" => Ok(Self::GapReached),
            "optimal-claimed" => Ok(Self::OptimalClaimed),
            "gap-reached-claimed" => Ok(Self::GapReachedClaimed),
            "effort-spent" => Ok(Self::EffortSpent),
            "time-limit" => Ok(Self::TimeLimit),
            "cancelled" => Ok(Self::Cancelled),
            "infeasible" => Ok(Self::Infeasible { why: needed(why, "why")? }),
            _ => Err(D::Error::unknown_variant(&name, &STATUSES)),
        }
    }
}

const STATUSES: [&str; 8] = [
    "optimal",
    "gap-reached",
    "optimal-claimed",
    "gap-reached-claimed",
    "effort-spent",
    "time-limit",
    "cancelled",
    "infeasible",
];

#[cfg(test)]
mod tests {
    use serde::{Serialize, de::DeserializeOwned};

    use super::*;

    fn round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T, json: &str) {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), *value);
    }

    #[test]
    fn what_is_written_is_read() {
        round_trip(&Model::MInvariance { m: 3 }, r#"{"name":"m-invariance","m":3}"#);
        round_trip(&Model::KAnonymity { k: 5 }, r#"{"name":"k-anonymity","k":5}"#);
        round_trip(&Status::Infeasible { why: "n < k".into() }, r#"{"name":"infeasible","why":"n < k"}"#);
        let plain = [
            Status::Optimal,
            Status::GapReached,
            Status::OptimalClaimed,
            Status::GapReachedClaimed,
            Status::EffortSpent,
            Status::TimeLimit,
            Status::Cancelled,
        ];
        for (status, name) in plain.into_iter().zip(STATUSES) {
            round_trip(&status, &format!(r#"{{"name":"{name}"}}"#));
        }
    }

    #[test]
    fn what_is_missing_or_unknown_is_said() {
        let why = |json: &str| serde_json::from_str::<Model>(json).unwrap_err().to_string();
        assert!(why(r#"{"name":"m-invariance","k":3}"#).starts_with("missing field `m`"));
        assert!(why(r#"{"name":"l-diversity"}"#).starts_with("unknown variant `l-diversity`, expected"));
        assert!(why(r#"{"k":3}"#).starts_with("missing field `name`"));
        assert!(serde_json::from_str::<Status>(r#"{"name":"infeasible"}"#).is_err());
    }
}
