//! Flags that say how a table is made m-eligible.

use std::collections::BTreeMap;

use lookalike_model::settings::{CounterfeitPoints, DeletionChoice, Fake, Repair, Share, Ties};
use lookalike_wire::config::{ChangesTold, CostsTold};

use crate::{
    column_flags::GivenFault,
    condition_flags::real,
    exit::Failure,
    flag_values::{List, Pairs, choice},
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
    /// Fewest real people in each class beside counterfeits, at most m [default: 1]
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u64).range(1..))]
    min_real: Option<u64>,
    /// The largest probability that a value may have for a person, even to an attacker who recognises every counterfeit, and for a
    /// person who was deleted; at least 1/m
    #[arg(long, value_name = "P", value_parser = real::<Share>)]
    max_belief: Option<Share>,
}

impl ChangeArgs {
    /// What the flags say.
    pub(crate) fn given(&self) -> Result<ChangesTold, Failure> {
        Ok(ChangesTold {
            counterfeit_points: self.counterfeit_points,
            delete: self.delete,
            prefer: self.prefer.as_ref().map(|values| values.0.clone()),
            ties: self.ties,
            fake: self.fake,
            costs: self.costs.as_ref().map(costs).transpose()?.unwrap_or_default(),
            min_real: self.min_real.map(|real| usize::try_from(real).unwrap_or(usize::MAX)),
            max_belief: self.max_belief,
        })
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
                "add|delete|hybrid" => adds || deletes,
                _ => adds,
            };
            if given && !used {
                return Err(Failure::input(GivenFault::FlagOfRepair { flag, with }));
            }
        }
        Ok(())
    }

    /// Each flag, whether it is given, and the repairs that make use of it.
    fn flags(&self) -> [(&'static str, bool, &'static str); 8] {
        [
            ("--counterfeit-points", self.counterfeit_points.is_some(), "add|hybrid"),
            ("--delete", self.delete.is_some(), "delete|hybrid"),
            ("--prefer", self.prefer.is_some(), "add|hybrid"),
            ("--ties", self.ties.is_some(), "hybrid"),
            ("--fake", self.fake.is_some(), "add|hybrid"),
            ("--costs", self.costs.is_some(), "add|hybrid"),
            ("--min-real", self.min_real.is_some(), "add|hybrid"),
            ("--max-belief", self.max_belief.is_some(), "add|delete|hybrid"),
        ]
    }
}

/// What is said of costs.
fn costs(pairs: &Pairs) -> Result<CostsTold, Failure> {
    let mut costs = CostsTold::default();
    for (name, value) in &pairs.0 {
        let cost: u64 = value.parse().map_err(|_| {
            Failure::input(GivenFault::Cost { what: name.as_str().into(), value: value.as_str().into() })
        })?;
        let of = |values: &mut Option<BTreeMap<String, u64>>, value: &str| {
            values.get_or_insert_default().insert(value.to_owned(), cost);
        };
        match (name.as_str(), name.split_once(':')) {
            ("add", _) => costs.add = Some(cost),
            ("add-growth", _) => costs.add_growth = Some(cost),
            ("delete", _) => costs.delete = Some(cost),
            ("delete-growth", _) => costs.delete_growth = Some(cost),
            (_, Some(("add", value))) => of(&mut costs.add_of, value),
            (_, Some(("delete", value))) => of(&mut costs.delete_of, value),
            _ => return Err(Failure::input(GivenFault::NoCost { what: name.as_str().into() })),
        }
    }
    Ok(costs)
}

#[cfg(test)]
mod tests {
    use lookalike_model::settings::{ChangeCosts, ChangeOptions};

    use super::*;

    fn parsed(text: &str) -> Result<ChangeCosts, Failure> {
        costs(&text.parse().unwrap())
            .map(|costs| ChangeOptions::from(ChangesTold { costs, ..ChangesTold::default() }).costs)
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
