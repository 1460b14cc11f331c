//! The parameters of the constructions that have some.

use crate::params::{groups, params};

groups! {
    /// Parameters of constructions.
    pub struct Params {
        /// V-MDAV.
        v_mdav: VMdav;
        /// Split & Carry.
        split_and_carry: SplitAndCarry;
    }
}

params! {
    /// V-MDAV (Solanas and Martinez-Balleste 2006).
    pub struct VMdav {
        /// Gamma: a class takes one record more if that is nearer to it than this. The default is that of the paper for
        /// scattered data.
        gamma: f64 = 0.2, "part of the distance to the nearest other record", 0.0..=100.0;
    }
}

params! {
    /// How Split & Carry solves a sub-problem by set partitioning.
    pub struct SplitAndCarry {
        /// Classes that are enumerated, at most; above, they are generated.
        classes: usize = 60_000_usize, "classes", 0.0..=1e9;
        /// Nodes of the search for the best of the enumerated classes.
        nodes: u32 = 20_000_u32, "nodes", 1.0..=1e9;
        /// What column generation gets: some hundred records take no more than what they need.
        effort: f64 = 0.9, "column generation's effort", 0.0..=1e6;
    }
}
