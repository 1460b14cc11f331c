//! What is said of the general programme.

lookalike_words::messages! {
    in "optimize";

    /// Why the general programme does not go with a job.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ProgrammeFault {
        /// It is about widths of ranges.
        NeedsNcp,
        /// It knows no generalisation hierarchies.
        Hierarchies,
        /// It knows no sensitive values, counterfeits or series.
        OnlyK,
        /// There are too many records.
        TooManyRecords {
            /// How many there are.
            records: usize,
            /// How many it takes.
            most: usize,
        },
    }

    /// How the general programme found its answer.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FoundByProgramme {
        /// It had nothing to spend: the answer is what it starts from.
        Start,
        /// It was solved, or searched.
        Searched {
            /// Calls of the solver.
            calls: u32,
            /// Pairs of records that could share a class of a better solution at the end.
            together: usize,
            /// All pairs.
            pairs: usize,
            /// What solved it.
            backend: &'static str,
            /// Why that failed, if it did.
            failure: Option<lookalike_lp::Error>,
        },
    }

    /// Why no partition has a loss below a bound of the general programme.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ProvenByProgramme {
        /// No class costs less than the prices of its records, and this is their sum.
        Prices,
        /// A solver's search: its relaxation, its cuts, or its branches.
        Solver {
            /// Which solver.
            backend: &'static str,
        },
    }
}
