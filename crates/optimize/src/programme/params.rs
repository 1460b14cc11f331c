//! Parameters of the general programme.

use crate::params::params;

params! {
    /// The general programme of Liang 2020, solved for all records at once.
    pub struct Params {
        /// Records that it takes, at most.
        records: usize = 100_usize, "records", 2.0..=1000.0;
        /// What the search for a start gets.
        start_effort: f64 = 1.0, "effort", 0.0..=1e6;
        /// Nodes of branch and bound that a unit of effort pays for.
        nodes_per_effort: f64 = 400.0, "nodes", 1.0..=1e9;
        /// Nodes of the first call of the solver; each further one has twice as many.
        first_nodes: u32 = 250_u32, "nodes", 1.0..=1e9;
        /// Seconds of the first call where there is a time limit; each further one has twice as many.
        first_seconds: f64 = 2.0, "seconds", 0.01..=1e6;
        /// What the search for prices gets of a time limit, at most.
        price_share: f64 = 0.3, "part of the time limit", 0.01..=1.0;
    }
}
