//! Why there is no run, or no release of it.

use lookalike_words::{Figure, Said};

lookalike_words::messages! {
    in "worker";

    /// Why settings of the command line make no run.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum AnonymizeFault {
        /// An effort that is not finite.
        Effort {
            /// What is given.
            effort: Figure,
        },
        /// No guarantee.
        NoModel,
        /// A repair where nothing can be repaired.
        NoRepair,
        /// More than one sensitive column.
        TwoSensitive {
            /// Which.
            columns: Vec<String>,
        },
        /// m or k without its model.
        ParameterWithoutModel,
        /// m-invariance takes m.
        TakesM {
            /// The file that names the model.
            file: Option<String>,
        },
        /// k-anonymity takes k.
        TakesK {
            /// The file that names the model.
            file: Option<String>,
        },
        /// One level for a whole column, with a worker.
        LevelsElsewhere,
        /// Sets of quasi-identifiers, with a worker.
        SetsElsewhere,
        /// No column that is to be protected.
        NoSensitive,
    }

    /// What an audit or a check has found.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum AuditFault {
        /// The audit of a release failed.
        Failed {
            /// The checks that failed.
            checks: Vec<FailedCheck>,
        },
        /// The audit of all releases of a series failed.
        Together {
            /// How many there are.
            releases: usize,
            /// The checks that failed.
            checks: Vec<FailedCheck>,
        },
        /// The audit of the demonstration failed.
        Demo,
        /// Checks do not hold.
        Checks {
            /// How many.
            broken: usize,
        },
        /// A bound that is not verified.
        NoBound,
        /// Numbers of counterfeits would tell too much.
        Exposure {
            /// The probability.
            with: Figure,
            /// The one that is accepted.
            accepted: Figure,
        },
    }

    /// A check of the audit that failed.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum FailedCheck {
        /// It, with what was found.
        Check {
            /// What was checked.
            name: Said,
            /// What was found.
            finding: Said,
        },
    }
}
