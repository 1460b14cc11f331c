//! Why a programme was not solved.

use lookalike_words::Figure;

use crate::{
    eligibility::EligibilityFault, general::GeneralFault, master::MasterFault, partition::PartitionFault,
};

lookalike_words::messages! {
    in "lp";

    /// Why a programme was not solved.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Error {
        /// The programme contradicts itself or its numbers are too large to be solved exactly.
        Input {
            /// What contradicts itself.
            fault: Fault,
        },
        /// No solution exists.
        Infeasible,
        /// The limit was reached, or the caller stopped it, before there was an answer.
        Stopped,
        /// The back end gave up, or its answer does not hold.
        Backend {
            /// Which back end.
            backend: &'static str,
            /// What it said, or what is wrong with its answer.
            why: Failure,
        },
    }

    /// What contradicts itself in a programme.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Fault {
        /// A restricted master.
        Master(MasterFault),
        /// k-anonymity as one programme.
        General(GeneralFault),
        /// Set partitioning.
        Partition(PartitionFault),
        /// Eligibility.
        Eligibility(EligibilityFault),
        /// A clique of fewer than two records.
        NoPair {
            /// Its records.
            records: usize,
        },
    }

    /// Why a back end failed.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Failure {
        /// It says so.
        Says {
            /// Its words.
            words: String,
        },
        /// It ended in a state that is no answer.
        Ended {
            /// The name of the state.
            status: String,
        },
        /// It answers a call by this.
        Answers {
            /// The name of the answer.
            status: String,
        },
        /// It does not take an option.
        RefusesOption {
            /// The name of the option.
            option: &'static str,
        },
        /// Its model is gone.
        ModelLost,
        /// It does not come to a solution that is accurate enough.
        NotConverging,
        /// It gave up before the optimum was proven.
        Unproven,
        /// Its answer became cheaper each time that it was solved again.
        StillImproving {
            /// How often.
            rounds: usize,
        },
        /// A count of its answer is not a whole number.
        NoCount {
            /// The number.
            value: Figure,
        },
        /// A number of changes is negative.
        Changes {
            /// The number.
            amount: Figure,
        },
        /// Its answer deletes more records of a value than there are.
        DeletesTooMany,
        /// Its answer makes changes of a kind that was ruled out.
        NotAllowed,
        /// Its answer deletes every record.
        DeletesAll,
        /// Its answer is not m-eligible.
        NotEligible,
        /// A class of its answer is too small.
        SmallClass {
            /// Its records.
            records: usize,
        },
        /// Two records of its class may not be together.
        Apart {
            /// One.
            one: usize,
            /// The other.
            other: usize,
        },
        /// Its class has not as many records as were asked for.
        ClassSize {
            /// The records it chose.
            chosen: usize,
            /// The records asked for.
            records: usize,
        },
    }
}

impl std::error::Error for Error {}

impl Error {
    /// What contradicts itself.
    pub(crate) fn input(fault: impl Into<Fault>) -> Self {
        Self::Input { fault: fault.into() }
    }

    /// What a back end says.
    pub(crate) fn says(backend: &'static str, words: &impl ToString) -> Self {
        Self::Backend { backend, why: Failure::Says { words: words.to_string() } }
    }
}

impl From<MasterFault> for Fault {
    fn from(fault: MasterFault) -> Self {
        Self::Master(fault)
    }
}

impl From<GeneralFault> for Fault {
    fn from(fault: GeneralFault) -> Self {
        Self::General(fault)
    }
}

impl From<PartitionFault> for Fault {
    fn from(fault: PartitionFault) -> Self {
        Self::Partition(fault)
    }
}

impl From<EligibilityFault> for Fault {
    fn from(fault: EligibilityFault) -> Self {
        Self::Eligibility(fault)
    }
}
