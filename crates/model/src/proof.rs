//! What stands behind a bound: the work that was done, and the numbers that prove it.

use serde::{Deserialize, Serialize};

/// What column generation did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ColumnWork {
    /// Solutions of the master.
    pub rounds: u64,
    /// Different classes in the pool.
    pub columns: u64,
    /// Exact pricings that came to their end.
    pub exact_pricings: u64,
    /// Nodes and boxes of all pricings and enumerations.
    pub nodes: u64,
    /// Subset-row cuts that the bound rests on.
    pub cuts: u64,
    /// Large neighbourhoods that were searched.
    pub neighbourhoods: u64,
    /// Classes that could improve on the incumbent, if all of them were enumerated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enumerated: Option<u64>,
}

/// Duals that an exact pricing over all classes has proven feasible: numbers of single records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Duals {
    /// No class has a reduced cost below minus this.
    pub tolerance: f64,
    /// lambda, one a record, in the job's order of records.
    pub values: Vec<f64>,
    /// The cuts with their sigma.
    pub cuts: Vec<SubsetRow>,
}

/// A subset-row cut: groups of `divisor` members of one class cover at most this part of its records, rounded down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubsetRow {
    /// Its records, ascending, by their place in the job.
    pub records: Vec<u32>,
    /// 2 or 3; 2 if it is not said.
    #[serde(default = "pairs")]
    pub divisor: u32,
    /// sigma, at least 0.
    pub sigma: f64,
}

fn pairs() -> u32 {
    2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_from_before_there_were_triples_are_pairs() {
        let old = r#"{"records":[0,1,2],"sigma":0.5}"#;
        assert_eq!(serde_json::from_str::<SubsetRow>(old).unwrap().divisor, 2);
        let triples = SubsetRow { records: vec![0, 1, 2, 3, 4], divisor: 3, sigma: 0.5 };
        assert_eq!(
            serde_json::from_str::<SubsetRow>(&serde_json::to_string(&triples).unwrap()).unwrap(),
            triples
        );
    }
}
