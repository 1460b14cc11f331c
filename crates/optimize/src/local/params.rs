//! The parameters of local search, a group for each search and one for the moves of a chain.
//!
//! A value without a measurement beside it was set by hand while the method was built, on the tables of `docs/search.md`: it is
//! not the result of tuning. What lies below rounding, the number of chains, and how often a host is listened to are no
//! parameters.

use crate::params::{groups, params};

groups! {
    /// Parameters of local search.
    pub struct Params {
        /// What an effort pays for.
        work: Work;
        /// Annealing of the whole, or of a block of a decomposition.
        annealing: Annealing;
        /// Moves of annealing.
        moves: Moves;
        /// Annealing in spatial blocks.
        spatial: Spatial;
        /// Moves of annealing in spatial blocks.
        spatial_moves: SpatialMoves;
        /// Large neighbourhoods.
        neighbourhoods: Neighbourhoods;
        /// Two-swapping.
        two_swap: TwoSwap;
        /// Decomposition.
        decompose: Decompose;
    }
}

params! {
    /// What an effort pays for. An effort is a budget of moves, so that an answer does not depend on a clock.
    pub struct Work {
        /// Proposed moves for one unit of effort, all chains together.
        moves_per_effort: f64 = 1000.0, "moves a record", 1.0..=1e9;
    }
}

params! {
    /// How annealing spends its budget. Temperatures are in units of loss per record after the descent.
    pub struct Annealing {
        /// Near points that a move chooses from.
        neighbours: usize = 40_usize, "distinct points", 1.0..=1e4;
        /// The descent that sets the temperature scale, and the last one.
        descent: f64 = 60.0, "moves a record", 1.0..=1e6;
        /// Start temperatures that are tried, rising; two at a time, one a chain.
        candidates: Vec<f64> = [0.1, 0.4, 1.5, 3.0, 6.0, 12.0], "loss per record", 1e-6..=1e6;
        /// What each try gets.
        try_share: f64 = 0.03, "part of the budget", 0.0..=0.1;
        /// Of the tries that are within this of the best, the hottest is taken: tries are noisy, and what is too cold for a long
        /// cooling does well in a short one.
        near: f64 = 0.03, "part of the loss", 0.0..=1.0;
        /// What makes a try worth its while; shorter ones favour the cold too much.
        least_try: f64 = 250.0, "moves a record", 0.0..=1e9;
        /// Where the second chain starts.
        second: f64 = 0.5, "part of the start temperature", 1e-3..=1e3;
        /// End temperature.
        end: f64 = 0.01, "loss per record", 1e-9..=1e3;
        /// Temperature levels of a schedule, at least.
        levels: u64 = 400_u64, "levels", 1.0..=1e6;
        /// Moves of a slice, at most: some ten milliseconds, so that a host can listen in between.
        slice: u64 = 200_000_u64, "moves", 1000.0..=1e9;
        /// What cooling gets under a time limit; the rest is for the descent at the end.
        cooling_share: f64 = 0.96, "part of the time left", 0.01..=1.0;
        /// How long a slice should take under a time limit.
        slice_seconds: f64 = 0.03, "seconds", 1e-3..=1.0;
    }
}

params! {
    /// How often a chain tries what.
    pub struct Moves {
        /// Moves that dissolve or found a class.
        restructures: u32 = 1_u32, "of 256 moves", 0.0..=128.0;
        /// Moves that split two neighbouring classes anew.
        resplits: u32 = 2_u32, "of 256 moves", 0.0..=128.0;
        /// Moves that take along all equal records.
        regroups: u32 = 0_u32, "of 256 other moves", 0.0..=256.0;
        /// Moves that ask for a record at the edge of its class.
        extremes: u32 = 3_u32, "of ten moves", 0.0..=10.0;
        /// Members of a class among which the best is taken for a record to change places with, where the loss looks at many
        /// quickly.
        partners: usize = 16_usize, "records", 1.0..=1e4;
        /// Near points whose classes are tried for a record of a class that is dissolved.
        hosts: usize = 12_usize, "distinct points", 1.0..=1e4;
    }
}

params! {
    /// How annealing in spatial blocks spends its budget. Temperatures are in units of loss per record after the descent.
    pub struct Spatial {
        /// Most records of a block: its data fit the caches.
        block: usize = 6000_usize, "records", 10.0..=1e9;
        /// Near points that a move chooses from.
        neighbours: usize = 12_usize, "distinct points", 1.0..=1e4;
        /// The descents at both ends.
        descent: f64 = 60.0, "moves a record", 1.0..=1e6;
        /// A round, about: many rounds, since what a boundary parts waits for the next; but fewer moves would not repay looking
        /// for neighbours.
        round: f64 = 125.0, "moves a record", 1.0..=1e9;
        /// Rounds of cooling, at least.
        least_rounds: usize = 4_usize, "rounds", 1.0..=1e6;
        /// Rounds of cooling, at most.
        most_rounds: usize = 80_usize, "rounds", 1.0..=1e6;
        /// End temperature.
        end: f64 = 0.03, "loss per record", 1e-9..=1e3;
        /// The start temperature is that of the loss at so many moves a record, and grows with their root: the more there are,
        /// the hotter a start repays.
        as_hot: f64 = 1000.0, "moves a record", 1.0..=1e9;
        /// But the start is at least as hot as this.
        coolest: f64 = 0.5, "start temperature of the loss", 1e-3..=1e3;
        /// And at most as hot as this.
        hottest: f64 = 3.0, "start temperature of the loss", 1e-3..=1e3;
        /// Temperatures within a round.
        levels: usize = 6_usize, "levels", 2.0..=1e4;
        /// Where a block is cut; one a round, so that boundaries wander.
        cuts: Vec<f64> = [0.5, 0.36, 0.61, 0.43, 0.57], "part of its classes", 0.01..=0.99;
        /// Moves of a block in one step, so that a host can listen in between.
        slice: u64 = 50_000_u64, "moves", 1000.0..=1e9;
        /// What is planned for under a time limit.
        time_share: f64 = 0.95, "part of the time left", 0.01..=1.0;
    }
}

params! {
    /// How often a chain tries what among many records, of which many are equal. The larger classes are, the less a record by
    /// itself can change, and the more the time that a split takes is worth; and the fewer of their records stand at an edge. In
    /// large classes nearly every record has its equals, and to move them all together gains nothing.
    pub struct SpatialMoves {
        /// Moves that dissolve or found a class.
        restructures: u32 = 1_u32, "of 256 moves", 0.0..=128.0;
        /// There is one split of two classes in 256 moves for so many records of the least class size.
        size_per_resplit: usize = 5_usize, "records", 1.0..=1e6;
        /// But at least so many.
        least_resplits: usize = 2_usize, "of 256 moves", 0.0..=128.0;
        /// And at most so many.
        most_resplits: usize = 16_usize, "of 256 moves", 0.0..=128.0;
        /// Moves that take along all equal records.
        regroups: u32 = 16_u32, "of 256 other moves", 0.0..=256.0;
        /// Least class size from which there are none of these.
        regroups_to: usize = 50_usize, "records", 0.0..=1e9;
        /// Moves that ask for a record at the edge of its class.
        extremes: u32 = 3_u32, "of ten moves", 0.0..=10.0;
        /// The same from a least class size of `large` on.
        extremes_of_large: u32 = 6_u32, "of ten moves", 0.0..=10.0;
        /// Least class size that is large.
        large: usize = 20_usize, "records", 0.0..=1e9;
        /// As in annealing of the whole.
        partners: usize = 16_usize, "records", 1.0..=1e4;
        /// As in annealing of the whole.
        hosts: usize = 12_usize, "distinct points", 1.0..=1e4;
    }
}

params! {
    /// Large neighbourhoods: a few neighbouring classes are partitioned anew, exactly.
    pub struct Neighbourhoods {
        /// Largest k or m: above, two classes already have too many sub-classes.
        largest_class: usize = 7_usize, "records", 2.0..=8.0;
        /// Near points that lead to neighbouring classes.
        neighbours: usize = 24_usize, "distinct points", 1.0..=1e4;
        /// Draws of a near point for a neighbourhood.
        draws: usize = 96_usize, "draws", 1.0..=1e6;
        /// Classes that are enumerated at most; fewer where a neighbourhood of two classes has more than that.
        classes: usize = 8000_usize, "classes", 1.0..=1e7;
        /// Nodes of branch and bound before a neighbourhood is given up.
        nodes: u32 = 20_000_u32, "nodes", 1.0..=1e9;
        /// What a step of the enumeration counts for, about what it costs.
        cost: u64 = 3_u64, "moves", 1.0..=1e6;
        /// A smaller gain is not taken: it is rounding.
        least_gain: f64 = 1e-9, "loss", 0.0..=1e6;
    }
}

params! {
    /// Two-swapping (Tobar 2023, section IV), which has no more to choose.
    pub struct TwoSwap {
        /// A smaller gain is not taken: it is rounding.
        least_gain: f64 = 1e-10, "loss", 0.0..=1e6;
    }
}

params! {
    /// Decomposition (Tobar 2023, section IV).
    pub struct Decompose {
        /// Records of a block, where the number of blocks is not said.
        block: usize = 500_usize, "records", 2.0..=1e9;
        /// What the blocks get.
        blocks_share: f64 = 0.8, "part of the budget", 0.0..=1.0;
        /// What two-swapping after the blocks gets.
        swap_share: f64 = 0.2, "part of the budget", 0.0..=1.0;
        /// What two-swapping before the blocks gets, where it is asked for.
        first_share: f64 = 0.2, "part of the budget", 0.0..=1.0;
    }
}
