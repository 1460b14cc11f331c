//! Flags that say how a table is made m-eligible.

use lookalike_model::settings::{CounterfeitPoints, DeletionChoice, Fake, Repair, Ties};
use serde_json::{Map, Value, json};

use crate::{
    args::{List, Pairs, choice},
    exit::Failure,
    given::GivenFault,
};

/// How a table is made m-eligible.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ChangeArgs {
    /// Quasi-identifiers of counterfeits: none, or drawn from records with the same sensitive value [default: none]
    #[arg(long, value_name = "SOURCE", value_parser = choice::<CounterfeitPoints>(&["none", "drawn"]))]
    counterfeit_points: Option<CounterfeitPoints>,
    /// Which records of a too frequent value are deleted: any, or those far from others (predictable) [default: random]
    #[arg(long, value_name = "CHOICE", value_parser = choice::<DeletionChoice>(&["random", "least-loss"]))]
    delete: Option<DeletionChoice>,
    /// Sensitive values to change first among equals: Sales,?
    #[arg(long, value_name = "VALUES")]
    prefer: Option<List>,
    /// Which of several equally good hybrids is taken [default: fewest-deletions]
    #[arg(long, value_name = "CHOICE", value_parser = choice::<Ties>(&["fewest-deletions", "fewest-additions"]))]
    ties: Option<Ties>,
    /// Which values are faked: the rarest, or the most frequent that have room, for series of releases [default: rarest]
    #[arg(long, value_name = "CHOICE", value_parser = choice::<Fake>(&["rarest", "frequent"]))]
    fake: Option<Fake>,
    /// What changes cost: add=1,delete=3; delete-growth=1 makes each further deletion of one value cost 1 more;
    /// add:VALUE=5 and delete:VALUE=5 are for one value [default: 1 each]
    #[arg(long, value_name = "COSTS")]
    costs: Option<Pairs>,
}

impl ChangeArgs {
    /// What the flags say, in the shape of [`ChangeOptions`](lookalike_model::settings::ChangeOptions); `None` if they
    /// say nothing.
    pub(crate) fn given(&self) -> Result<Option<Value>, Failure> {
        let said = [
            ("counterfeit_points", self.counterfeit_points.map(|points| json!(points))),
            ("delete", self.delete.map(|choice| json!(choice))),
            ("prefer", self.prefer.as_ref().map(|values| json!(values.0))),
            ("ties", self.ties.map(|ties| json!(ties))),
            ("fake", self.fake.map(|fake| json!(fake))),
            ("costs", self.costs.as_ref().map(costs).transpose()?),
        ];
        let said: Map<String, Value> =
            said.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        Ok((!said.is_empty()).then_some(Value::Object(said)))
    }

    /// A flag that the repair makes no use of is an error, not ignored.
    pub(crate) fn check(&self, repair: Repair) -> Result<(), Failure> {
        let (adds, deletes) = (
            matches!(repair, Repair::Add | Repair::Hybrid),
            matches!(repair, Repair::Delete | Repair::Hybrid),
        );
        for (flag, given, with) in self.flags() {
            let used = match with {
                "delete|hybrid" => deletes,
                "hybrid" => adds && deletes,
                _ => adds,
            };
            if given && !used {
                return Err(Failure::input(GivenFault::FlagOfRepair { flag, with }));
            }
        }
        Ok(())
    }

    /// Each flag, whether it is given, and the repairs that make use of it.
    fn flags(&self) -> [(&'static str, bool, &'static str); 6] {
        [
            ("--counterfeit-points", self.counterfeit_points.is_some(), "add|hybrid"),
            ("--delete", self.delete.is_some(), "delete|hybrid"),
            ("--prefer", self.prefer.is_some(), "add|hybrid"),
            ("--ties", self.ties.is_some(), "hybrid"),
            ("--fake", self.fake.is_some(), "add|hybrid"),
            ("--costs", self.costs.is_some(), "add|hybrid"),
        ]
    }
}

/// Only what is said, in the shape of [`ChangeCosts`](lookalike_model::settings::ChangeCosts).
fn costs(pairs: &Pairs) -> Result<Value, Failure> {
    let mut costs = Map::new();
    for (name, value) in &pairs.0 {
        let cost: u64 = value.parse().map_err(|_| {
            Failure::input(GivenFault::Cost { what: name.as_str().into(), value: value.as_str().into() })
        })?;
        let (field, of) = match (name.as_str(), name.split_once(':')) {
            ("add", _) => ("add", None),
            ("add-growth", _) => ("add_growth", None),
            ("delete", _) => ("delete", None),
            ("delete-growth", _) => ("delete_growth", None),
            (_, Some(("add", value))) => ("add_of", Some(value)),
            (_, Some(("delete", value))) => ("delete_of", Some(value)),
            _ => return Err(Failure::input(GivenFault::NoCost { what: name.as_str().into() })),
        };
        match of {
            None => costs.insert(field.to_owned(), json!(cost)),
            Some(value) => {
                let by_value = costs.entry(field).or_insert_with(|| json!({}));
                by_value.as_object_mut().and_then(|map| map.insert(value.to_owned(), json!(cost)))
            }
        };
    }
    Ok(Value::Object(costs))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lookalike_model::settings::ChangeCosts;

    use super::*;

    fn parsed(text: &str) -> Result<ChangeCosts, Failure> {
        costs(&text.parse().unwrap()).map(|said| serde_json::from_value(said).unwrap())
    }

    #[test]
    fn costs_are_read() {
        let costs = parsed("add=2,delete=3,delete-growth=1,add:Sales=9,\"delete:a, b=4\"").unwrap();
        assert_eq!((costs.add, costs.add_growth, costs.delete, costs.delete_growth), (2, 0, 3, 1));
        assert_eq!(costs.add_of, BTreeMap::from([(String::from("Sales"), 9)]));
        assert_eq!(costs.delete_of, BTreeMap::from([(String::from("a, b"), 4)]));
        for wrong in ["add=x", "add=-1", "remove=1", "move:x=1"] {
            assert_eq!(parsed(wrong).unwrap_err().code(), 2, "{wrong}");
        }
    }
}
