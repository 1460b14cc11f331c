//! What can be wrong with what is asked of a search, and how one is carried out.

use lookalike_model::rule::Least;
use lookalike_words::{Figure, Said};

lookalike_words::messages! {
    in "optimize";

    /// What contradicts itself in what is asked of a search, or does not go with the job.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Unfit {
        /// The effort is not a number of at least 0.
        Effort {
            /// The effort.
            value: Figure,
        },
        /// The time limit is not a number of at least 0.
        TimeLimit {
            /// The seconds.
            value: Figure,
        },
        /// Column generation cannot keep the classes of new records.
        ColumnGenerationKeeps,
        /// Column generation for a series has no blocks.
        ColumnGenerationBlocks,
        /// Large neighbourhoods cannot keep the classes of new records.
        LargeNeighbourhoodKeeps,
        /// The method does not know of signatures that records keep.
        KnowsNoSignatures {
            /// Its name.
            method: &'static str,
        },
        /// Classes are too large for large neighbourhoods.
        TooLargeForNeighbourhoods {
            /// Least class size.
            least: Least,
            /// The largest least size.
            most: usize,
        },
        /// Rows of their own need enough records, all of them real.
        RecordsOfTheirOwn {
            /// The method.
            method: &'static str,
            /// k.
            k: usize,
            /// Real records.
            records: usize,
            /// Counterfeits.
            counterfeits: usize,
        },
        /// There are too many records to be compared with all rows.
        TooManyRecords {
            /// The method.
            method: &'static str,
            /// How many there are.
            records: usize,
            /// How many it takes.
            most: usize,
        },
        /// The method cannot keep conditions on how sensitive values are distributed.
        NoValues {
            /// Its name.
            method: &'static str,
        },
        /// No construction fits the job.
        NoConstruction,
        /// The job has no levels to choose from, or asks for classes of different values.
        NoLevels,
        /// There are too many choices of levels.
        TooManyLevels {
            /// Columns.
            columns: usize,
            /// The most choices.
            most: u64,
        },
        /// No choice of levels keeps the rule.
        NoLevelsKeepTheRule {
            /// Records that may be suppressed.
            most: usize,
        },
        /// None was found before the search was stopped.
        NoLevelsFound {
            /// Records that may be suppressed.
            most: usize,
        },
    }

    /// How an answer was found, by a construction with searches after it or by something else in one go.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FoundBy {
        /// One level a column.
        Levels {
            /// Choices that were looked at.
            looked_at: u64,
            /// All choices.
            nodes: u64,
            /// Different records.
            rows: usize,
        },
        /// Classes, and groups of them for each set of attributes.
        Sets {
            /// Sets.
            sets: usize,
            /// How the classes were found that it began with.
            of: Said,
        },
        /// A search that keeps conditions on values, and column generation without them.
        Relaxed {
            /// How the first found its classes.
            of: Said,
            /// How the second found its own.
            columns: Said,
            /// Whether the classes are those of the second, united until they keep the conditions.
            united: bool,
        },
        /// A construction, and searches after it.
        Searched {
            /// Records that were put into classes of equal points before.
            settled: usize,
            /// The construction.
            start: Start,
            /// Records that it had in no class when it was stopped.
            late: usize,
            /// Its sub-problems that a time limit of their own has ended.
            cut: usize,
            /// Unions of classes that conditions on sensitive values took.
            united: usize,
            /// The searches, in order.
            searches: Vec<SearchStep>,
            /// Whether a search was asked for, and the budget left nothing for it.
            nothing_left: bool,
            /// Why these, where that was not asked for.
            why: Option<Why>,
        },
        /// Column generation in blocks.
        ColumnGenerationInBlocks {
            /// Number of blocks.
            blocks: usize,
            /// Blocks that are solved to proven optimality.
            solved: usize,
            /// Blocks of which other machines say so.
            claimed: usize,
            /// Whether two-swapping came before.
            first: bool,
            /// Whether two-swapping came after.
            last: bool,
            /// How much of the loss before that could still have been gained within the blocks, in per cent.
            within: Option<Figure>,
        },
        /// Rows of their own.
        RowsOfTheirOwn {
            /// The method.
            method: &'static str,
            /// Matchings after the identity.
            matchings: usize,
            /// Matchings that were made in haste, since it was stopped.
            late: usize,
        },
    }

    /// A construction.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Start {
        /// Bucketization by recursive halving.
        Halving,
        /// Bucketization by nearest neighbours.
        Neighbours,
        /// Another one, which has a name.
        Named {
            /// Its name.
            method: &'static str,
        },
    }

    /// A search, as a step after others.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SearchStep {
        /// Simulated annealing of the whole.
        Annealing,
        /// Simulated annealing in spatial blocks.
        Spatial,
        /// Exact re-partition of neighbouring classes.
        LargeNeighbourhood,
        /// Swaps of two records.
        TwoSwap,
        /// Blocks of whole classes.
        Blocks {
            /// How many.
            count: usize,
        },
    }

    /// Why these searches.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Why {
        /// There are too many records to be annealed as a whole.
        TooMany {
            /// Records.
            records: usize,
        },
        /// There are few enough records.
        FewEnough {
            /// Records.
            records: usize,
        },
        /// There are few enough records, and classes are small enough for large neighbourhoods.
        FewEnoughAndSmall {
            /// Records.
            records: usize,
            /// Least class size.
            least: Least,
        },
    }

    /// Why no partition has a loss below a bound, where the proof leaves conditions aside.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ProvenByRelaxation {
        /// None of classes of so many records has, whatever their sensitive values.
        Sizes {
            /// Least class size.
            least: Least,
            /// Why not.
            proof: Said,
        },
        /// The groups of the sets are left aside.
        Classes {
            /// Why no classes by themselves have.
            proof: Said,
        },
        /// Each set is taken by itself, and so are the other attributes.
        Parts {
            /// How many parts.
            parts: usize,
            /// Why the first one loses no less than its bound.
            proof: Said,
        },
    }

    /// Why no choice of levels costs less than a bound.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ProvenByLevels {
        /// All that may were looked at, or are bounded by those that were.
        Bounds {
            /// Choices that were looked at.
            looked_at: u64,
            /// All choices.
            nodes: u64,
        },
    }

    /// Why no partition that keeps to the blocks has a loss below a bound.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ProvenByBlocks {
        /// Each block has a bound.
        SumOfBounds,
    }
}
