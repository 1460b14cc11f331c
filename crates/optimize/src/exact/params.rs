//! The parameters of column generation, a group for each of its parts.
//!
//! Measurements are those of `docs/column-generation.md`. A value without one was set by hand while the method was built: it is
//! not the result of tuning. Work is counted in nodes: one node or box of an exact pricing.

use crate::params::{groups, params};

groups! {
    /// Parameters of column generation.
    pub struct Params {
        /// What work is counted as.
        work: Work;
        /// Annealing, at the start and in between.
        annealing: Annealing;
        /// Duals before the first master.
        first_duals: FirstDuals;
        /// The restricted master.
        master: Master;
        /// Rounds of pricing.
        pricing: Pricing;
        /// The pricers.
        pricers: Pricers;
        /// Rounds of cuts.
        separation: Separation;
        /// Odd-set cuts.
        odd_sets: OddSets;
        /// Subset-row cuts of triples.
        triples: Triples;
        /// Enumeration of all classes that can improve on the incumbent.
        enumeration: Enumeration;
        /// The integer master over enumerated classes.
        integer_master: IntegerMaster;
        /// Large neighbourhoods.
        neighbourhoods: Neighbourhoods;
        /// Branching over enumerated classes.
        branching: Branching;
    }
}

params! {
    /// What work is counted as. An effort is a budget of nodes, so that an answer does not depend on a clock.
    pub struct Work {
        /// What one unit of effort pays for.
        nodes_per_effort: f64 = 4e6, "nodes", 1.0..=1e12;
        /// What a core visits in a second, to turn a time limit into nodes.
        nodes_per_second: f64 = 3e6, "nodes", 1.0..=1e12;
        /// Moves of annealing that take as long as a node.
        moves_per_node: f64 = 4.0, "moves", 1e-3..=1e6;
        /// Node evaluations of a search for covers that take as long as a node.
        evaluations_per_node: f64 = 200.0, "node evaluations", 1e-3..=1e6;
        /// A class of a list that is looked through.
        listed_class: f64 = 0.0625, "nodes", 0.0..=1e6;
        /// An entry of the master's matrix, each time the master is solved.
        master_entry: f64 = 10.0, "nodes", 0.0..=1e6;
        /// A column of an integer programme.
        integer_column: f64 = 100.0, "nodes", 0.0..=1e6;
        /// A record of a rounded partition.
        rounded_record: f64 = 100.0, "nodes", 0.0..=1e6;
        /// A column of the fractional solution that cuts are separated from.
        separated_column: f64 = 300.0, "nodes", 0.0..=1e6;
    }
}

params! {
    /// Annealing: short runs at the start, whose partitions are columns, and long ones while they lower the loss. With long runs
    /// a sample of 1,500 records of Adult, m = 5, ends at gaps of 0.2 to 0.5 % instead of 1.0 to 1.5 % after a minute.
    pub struct Annealing {
        /// Runs at the start with an effort below 1.
        at_start_hurried: Vec<f64> = [0.2], "annealing's effort, one a run", 0.0..=1e4;
        /// Runs at the start with a time limit below two seconds.
        at_start_brief: Vec<f64> = [0.5], "annealing's effort, one a run", 0.0..=1e4;
        /// Runs at the start for small classes.
        at_start_small: Vec<f64> = [1.0, 1.0, 2.0, 6.0], "annealing's effort, one a run", 0.0..=1e4;
        /// Runs at the start for large classes, which are for annealing more than for anything else.
        at_start_large: Vec<f64> = [2.0, 4.0, 40.0], "annealing's effort, one a run", 0.0..=1e4;
        /// Least size of a class that is large.
        large_class: usize = 5_usize, "records", 2.0..=1e6;
        /// What the runs at the start may take of a time limit.
        start_share: f64 = 0.25, "part of the budget", 0.0..=1.0;
        /// What a single run at the start takes of that, where most records are in classes of equal ones.
        cooled_share: f64 = 0.3, "part of what runs at the start may take", 0.01..=1.0;
        /// What a long run takes of what is left of the budget.
        long_share: f64 = 0.5, "part of what is left", 0.0..=1.0;
        /// What cuts may take before a long run: where they close the gap they do so soon.
        cuts_share: f64 = 0.08, "part of the budget", 0.0..=1.0;
        /// Gap above which a long run is worth its while: below, neighbourhoods are better at it.
        least_gap: f64 = 4e-3, "part of the loss", 0.0..=1.0;
        /// A run that lowers the loss by more than this is followed by another.
        falling: f64 = 1e-3, "part of the loss", 0.0..=1.0;
        /// Least effort of a long run: what is shorter was there at the start.
        least_effort: f64 = 40.0, "annealing's effort", 0.0..=1e6;
        /// Least share of a time limit for a long run.
        least_share: f64 = 0.02, "part of the budget", 0.0..=1.0;
    }
}

params! {
    /// Duals raised from the classes of annealing before the first master, where that is large. Whole Adult, m = 5, has 7,025 types:
    /// its master was not solved once in 70 CPU seconds.
    pub struct FirstDuals {
        /// Fewest types: the masters of smaller tables are solved in seconds.
        types: usize = 3_000_usize, "types", 0.0..=1e9;
        /// What it may take.
        share: f64 = 0.2, "part of the budget", 0.0..=1.0;
        /// Looks of it that take as long as a node.
        looks_per_node: f64 = 50.0, "looks", 1e-3..=1e6;
        /// Classes that it gives to the master.
        columns: usize = 5_usize, "columns a type", 0.0..=1e6;
    }
}

params! {
    /// The restricted master, its columns and the box around its duals (boxstep; Marsten, Hogan and Blankenship 1975).
    pub struct Master {
        /// Columns of annealing that it starts with.
        first_columns: usize = 5_usize, "columns a type", 0.0..=1e6;
        /// Columns that enter in one round.
        columns_per_round: usize = 3_usize, "columns a type", 1.0..=1e6;
        /// Columns above which the half that is furthest from being used leaves for the pool.
        most_columns: usize = 20_usize, "columns a type", 1.0..=1e6;
        /// The ceiling above is for so many types at least.
        least_types: usize = 500_usize, "types", 1.0..=1e6;
        /// The master is solved again before any pricing when more columns of the pool enter than one for so many types.
        types_per_pool_column: usize = 10_usize, "types", 1.0..=1e6;
        /// Half-width of the box at first, beside the mean dual of a type.
        box_width: f64 = 0.5, "mean duals", 1e-6..=1e6;
        /// Growth of a box that holds the duals back without a better bound.
        box_growth: f64 = 4.0, "factor", 1.000_001..=1e6;
        /// Gap below which there is a box: duals far from the best ones are a bad place for it, it would move in small steps.
        box_gap: f64 = 0.05, "part of the loss", 0.0..=1.0;
        /// Duals start between plus and minus this.
        first_box: f64 = 10.0, "times the loss", 1.0..=1e6;
        /// Least size of classes for an interior point method: there the simplex method stalls for degeneracy.
        interior_size: usize = 6_usize, "records", 2.0..=1e9;
        /// Most colours for an interior point method.
        interior_colours: usize = 50_usize, "colours", 0.0..=1e9;
        /// Fewest types for an interior point method.
        interior_types: usize = 400_usize, "types", 0.0..=1e9;
    }
}

params! {
    /// Rounds of pricing. With the small classes of m = 3 the tree is the quicker pricing with cuts; of Adult-1500, m = 5, with
    /// 100 cuts a sweep by boxes takes a million nodes, where the tree takes 16 million.
    pub struct Pricing {
        /// Columns that a start of the heuristic pricing reports.
        heuristic_columns: usize = 3_usize, "columns", 1.0..=1e6;
        /// Columns that a part of the exact pricing reports.
        exact_columns: usize = 3_usize, "columns", 1.0..=1e6;
        /// Columns that a part of a list reports: parts of a list are larger.
        listed_columns: usize = 300_usize, "columns", 1.0..=1e6;
        /// There is no exact pricing in a round whose heuristic pricing finds more columns than one for so many types.
        types_per_heuristic_column: usize = 20_usize, "types", 1.0..=1e6;
        /// But in every such round there is one.
        exact_every: u64 = 8_u64, "rounds", 1.0..=1e6;
        /// Nodes of the tree above which pricing with cuts goes by boxes for good: their sweeps hardly depend on the cuts.
        tree_nodes: u64 = 150_000_u64, "nodes", 0.0..=1e15;
        /// Nodes of a sweep above which cuts are given up, at least.
        cut_nodes: u64 = 1_500_000_u64, "nodes", 0.0..=1e15;
        /// The same, where that is more.
        cut_share: f64 = 0.05, "part of the budget", 0.0..=1.0;
        /// A round that leaves less than this of the gap to the master is tailing off.
        tail: f64 = 1e-3, "part of the gap", 0.0..=1.0;
        /// Small problems go on to the end.
        small: usize = 300_usize, "types", 0.0..=1e9;
    }
}

params! {
    /// The pricers.
    pub struct Pricers {
        /// Parts that run side by side from the same duals: fixed, so that the answer does not depend on the number of threads.
        batch: usize = 16_usize, "parts", 1.0..=1e6;
        /// Nearest types among which heuristic pricings choose.
        nearest: usize = 120_usize, "types", 1.0..=1e6;
        /// Nearest types that are sorted at once: more are needed only where colours recur.
        sorted: usize = 4_usize, "times the largest class", 1.0..=1e6;
        /// Starts of a part of a heuristic pricing.
        starts: usize = 16_usize, "types", 1.0..=1e6;
        /// Rounds of alternation, at most.
        alternations: usize = 8_usize, "rounds", 1.0..=1e6;
        /// Cells that the bounding box is cut into before a search by boxes, each a part.
        cells: usize = 128_usize, "boxes", 1.0..=1e6;
        /// Boxes without cuts: duals are repaired once the second-order term is below this.
        repair: f64 = 0.08, "part of the violation", 1e-9..=1.0;
        /// Boxes without cuts: those with so few classes are closed by enumeration.
        enumerated_classes: f64 = 400.0, "classes", 0.0..=1e9;
        /// Boxes with trees: no box is halved once the second-order term is below this.
        fine: f64 = 0.5, "part of what its bound lacks", 1e-9..=1.0;
        /// Boxes with trees: candidates with which a tree is tried, at most.
        candidates: usize = 64_usize, "types", 1.0..=1e6;
        /// Boxes with trees: nodes of a tree that is only tried.
        tried_nodes: u64 = 400_u64, "nodes", 0.0..=1e15;
        /// Classes of a part of a list.
        listed_part: usize = 4096_usize, "classes", 1.0..=1e9;
    }
}

params! {
    /// Rounds of cuts.
    pub struct Separation {
        /// New cuts of one separator in a round, at most.
        cuts_per_round: usize = 250_usize, "cuts", 0.0..=1e6;
        /// Least violation of a cut.
        violation: f64 = 0.02, "left side less right side", 1e-6..=1e3;
        /// Least violation when there are none of that.
        slight_violation: f64 = 1e-3, "left side less right side", 1e-6..=1e3;
        /// Rounds in a row that may gain nearly nothing.
        stalled_rounds: u32 = 3_u32, "rounds", 0.0..=1e6;
        /// The same while the gap is wide, where nothing else raises the bound.
        stalled_rounds_wide: u32 = 10_u32, "rounds", 0.0..=1e6;
        /// A gap above this is wide.
        wide: f64 = 0.01, "part of the loss", 0.0..=1.0;
        /// A round that raises the bound by less gains nearly nothing.
        gain: f64 = 2e-3, "part of the gap", 0.0..=1.0;
    }
}

params! {
    /// Odd-set cuts: tabu search from every fractional type.
    pub struct OddSets {
        /// Flips of a search.
        flips: usize = 14_usize, "flips", 0.0..=1e6;
        /// For how many flips a flipped type stays as it is: the search goes on from local optima.
        tabu: usize = 4_usize, "types", 0.0..=1e6;
        /// Most types of a set.
        largest: usize = 15_usize, "types", 2.0..=1e6;
        /// Most new cuts that hold one type.
        per_type: usize = 3_usize, "cuts", 1.0..=1e6;
        /// Single types are not enough as starts if they lead to fewer sets than this.
        few: usize = 300_usize, "sets", 0.0..=1e9;
        /// Unions of columns that are tried as starts, at most.
        unions: usize = 4000_usize, "sets", 0.0..=1e9;
        /// Types around a set that may be flipped.
        around: usize = 60_usize, "types", 1.0..=1e6;
    }
}

params! {
    /// Subset-row cuts of triples: 1,000 records of ACS, m = 5, seed 2, end at a gap of 1.8 % with odd sets alone, and at 0.03 %
    /// with both in the same time; Adult-1500 hardly gains.
    pub struct Triples {
        /// Swaps of a search for one size.
        swaps: usize = 8_usize, "swaps", 0.0..=1e6;
        /// What a swap has to gain: more than rounding.
        swap_gain: f64 = 1e-9, "left side less right side", 0.0..=1.0;
        /// Most new cuts that hold one type.
        per_type: usize = 4_usize, "cuts", 1.0..=1e6;
        /// Types from which on a set does not grow any more.
        largest: usize = 11_usize, "types", 3.0..=1e6;
        /// What a column counts that lacks two types.
        lacking_two: f64 = 0.3, "columns that lack one", 0.0..=1.0;
    }
}

params! {
    /// Enumeration of all classes that can improve on the incumbent. Before the first cuts there is a preliminary one: small
    /// tables need nothing else.
    pub struct Enumeration {
        /// Classes above which it is given up.
        classes: usize = 400_000_usize, "classes", 0.0..=1e9;
        /// Nodes above which it is given up.
        nodes: u64 = 20_000_000_u64, "nodes", 0.0..=1e15;
        /// Classes above which the preliminary one is given up.
        preliminary_classes: usize = 20_000_usize, "classes", 0.0..=1e9;
        /// Nodes of one seed above which the preliminary one is given up; all together may have as many as pricing had, and ten
        /// times as many as one seed in any case.
        preliminary_seed_nodes: u64 = 20_000_u64, "nodes", 0.0..=1e15;
        /// It is tried again once the gap is below this.
        retry: f64 = 0.8, "part of the gap at the last attempt", 0.0..=1.0;
    }
}

params! {
    /// The integer master over enumerated classes. Tables of some hundred records are settled by reduced costs in milliseconds,
    /// where the integer programme takes seconds.
    pub struct IntegerMaster {
        /// Classes above which it is not tried.
        classes: usize = 20_000_usize, "classes", 0.0..=1e9;
        /// Node evaluations of the search by reduced costs; with a time limit twice as many at each new attempt.
        evaluations: u64 = 60_000_000_u64, "node evaluations", 0.0..=1e15;
        /// Nodes of the integer programme after it; with a time limit twice as many at each new attempt.
        nodes: u32 = 2000_u32, "nodes", 0.0..=1e6;
        /// How many times both are doubled at most.
        doublings: u32 = 10_u32, "doublings", 0.0..=10.0;
        /// What an attempt may take of the time left.
        time_share: f64 = 0.2, "part of the time left", 0.0..=1.0;
    }
}

params! {
    /// Large neighbourhoods: the classes around one are taken apart and put together anew.
    pub struct Neighbourhoods {
        /// Classes of the first one, about; the number grows while they are easy.
        classes: f64 = 40.0, "classes", 2.0..=1e6;
        /// Fewest classes, about.
        least_classes: f64 = 12.0, "classes", 2.0..=1e6;
        /// Growth after one that was solved to the end.
        growth: f64 = 1.1, "factor", 1.0..=100.0;
        /// Shrinkage after one that was not.
        shrinkage: f64 = 0.8, "factor", 0.01..=1.0;
        /// Neighbourhoods in a row without improvement before something else is tried.
        failures: u32 = 25_u32, "neighbourhoods", 1.0..=1e6;
        /// Columns enumerated, at most: above, the threshold is halved.
        enumerated: usize = 60_000_usize, "columns", 0.0..=1e9;
        /// Nodes of an enumeration, at most: above, the threshold is halved.
        enumeration_nodes: u64 = 600_000_u64, "nodes", 0.0..=1e15;
        /// Nodes of a seed, at most: above, the threshold is halved.
        seed_nodes: u64 = 20_000_u64, "nodes", 0.0..=1e15;
        /// Columns of a seed, at most.
        seed_columns: usize = 2000_usize, "columns", 1.0..=1e9;
        /// Halvings of the threshold, at most.
        halvings: u32 = 8_u32, "enumerations", 1.0..=1e3;
        /// Columns kept of each type, at least.
        per_type: usize = 20_usize, "columns", 1.0..=1e6;
        /// Columns kept in all.
        columns: usize = 4000_usize, "columns", 1.0..=1e9;
        /// Node evaluations of the search by reduced costs.
        evaluations: u64 = 10_000_000_u64, "node evaluations", 0.0..=1e15;
        /// Nodes of the integer programme after it.
        nodes: u32 = 200_u32, "nodes", 0.0..=1e9;
        /// Time of the integer programme, with a time limit.
        seconds: f64 = 4.0, "seconds", 0.0..=1e6;
    }
}

params! {
    /// Branching over enumerated classes. Children are tried before a pair is chosen (strong branching).
    pub struct Branching {
        /// Columns that the master of a node starts with.
        first_columns: usize = 5_usize, "columns a type", 1.0..=1e6;
        /// Columns that enter it at once.
        columns_per_round: usize = 3_usize, "columns a type", 1.0..=1e6;
        /// Node evaluations for settling the classes of a node, each time.
        evaluations: u64 = 4_000_000_u64, "node evaluations", 0.0..=1e15;
        /// Pairs that a node looks at, at most; with 1 it takes the pair nearest to half, untried.
        candidates: usize = 8_usize, "pairs", 1.0..=1e6;
        /// Pairs in a row that are no better than the best one before the node looks at no more.
        lookahead: usize = 4_usize, "pairs", 1.0..=1e6;
        /// Trials of a pair after which the mean of its gains stands in for another one.
        reliable: u32 = 4_u32, "trials", 1.0..=1e6;
        /// An entry of the master's matrix, each time a child is tried from the basis of its parent.
        trial_entry: f64 = 1.0, "nodes", 0.0..=1e6;
    }
}
