//! Why the next release of a series cannot be made, and what the data holder is told of one that was.

use lookalike_words::{Figure, Said};

lookalike_words::messages! {
    in "worker";

    /// Why the next release of a series cannot be made.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum SeriesFault {
        /// A series is made in memory.
        OutOfCore,
        /// No file for the release.
        NoOutput,
        /// The run made no ledger.
        NoLedger,
        /// An output is the ledger.
        OutputIsLedger {
            /// The file.
            path: String,
        },
        /// The first release needs the column of individuals.
        FirstNeedsId {
            /// The ledger's file.
            ledger: String,
            /// Whether it exists.
            there: bool,
        },
        /// The first release needs its mode.
        FirstNeedsMode {
            /// The ledger's file.
            ledger: String,
            /// Whether it exists.
            there: bool,
        },
        /// A run was interrupted.
        Interrupted {
            /// Its number.
            release: u32,
        },
        /// Another file than the one it wrote.
        NotInterrupted {
            /// The file that is named.
            path: Option<String>,
        },
        /// No run was interrupted.
        NothingToRecover,
        /// Not as many sources as releases.
        Sources {
            /// Sources that are named.
            sources: usize,
            /// Earlier releases.
            releases: usize,
        },
        /// The table comes from standard input, and would be read twice.
        SourceOnce,
        /// There is no ledger, and nobody said that a series begins.
        NotBegun {
            /// The ledger's file.
            ledger: String,
        },
        /// A series is to begin whose ledger exists.
        BegunAlready {
            /// The ledger's file.
            ledger: String,
        },
        /// The list of used states is something else.
        UnknownUsed {
            /// The list.
            list: String,
        },
        /// The list of used states is not the one that was sealed.
        ForgedUsed {
            /// The list.
            list: String,
        },
        /// A sealed ledger has no list of used states beside it.
        NoUsed {
            /// The list.
            list: String,
        },
        /// There is no release.
        NothingToReplace,
        /// People were erased since the last release: the state before it is not known any more.
        ErasedSince,
        /// An erasure was interrupted.
        ErasureInterrupted,
        /// The output would overwrite a release.
        Overwrites {
            /// The file.
            path: String,
            /// The release in it.
            release: usize,
            /// Whether it is the last one.
            last: bool,
        },
        /// A release before the first one.
        NoPrevious {
            /// The file.
            path: String,
        },
        /// The release before is not there.
        PreviousGone {
            /// The file.
            path: String,
        },
        /// It is not the release before.
        OtherPrevious {
            /// The file.
            path: String,
            /// What it is.
            why: Said,
        },
        /// The state has a release already.
        Spent {
            /// What became of it.
            why: Spent,
            /// The list that says so.
            list: String,
        },
    }

    /// What became of a state that has a release already.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum Spent {
        /// The ledger is gone.
        Gone {
            /// The ledger's file.
            ledger: String,
        },
        /// Several releases were made since.
        Outrun {
            /// The release that was made.
            release: u32,
            /// The ledger's file.
            ledger: String,
        },
        /// One release was made since.
        Used {
            /// The release that was made.
            release: u32,
            /// The ledger's file.
            ledger: String,
        },
        /// People were erased from it.
        Erased {
            /// The ledger's file.
            ledger: String,
        },
        /// Its last release was taken back.
        TakenBack {
            /// The release.
            release: u32,
            /// The ledger's file.
            ledger: String,
        },
    }

    /// What a data holder is told of a release of a series.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum SeriesTold {
        /// An interrupted run is finished.
        Complete {
            /// Its number.
            release: u32,
            /// The ledger's file.
            ledger: String,
        },
        /// All releases hold together.
        Together {
            /// How many.
            releases: usize,
            /// Checks that hold.
            checks: usize,
            /// Whether they were judged against their sources, too.
            sources: bool,
        },
        /// Nothing was written, as was asked for.
        DryRun {
            /// The seed.
            seed: String,
        },
        /// Temporary files of a run that was killed are gone.
        Removed {
            /// Them.
            paths: Vec<String>,
        },
        /// Temporary files that may be another run's.
        Left {
            /// Them.
            paths: Vec<String>,
        },
        /// Where the ledger is.
        Keep {
            /// The ledger's file.
            ledger: String,
        },
        /// The ledger lies beside the release.
        SameFolder,
        /// What the numbers of counterfeits would tell.
        Exposure {
            /// The probability.
            with: Figure,
        },
        /// Nobody was published before.
        Nobody,
        /// The list of used states is sealed from now on.
        ListSealed {
            /// The list.
            list: String,
        },
        /// A ledger with releases has no list of used states beside it.
        NoList {
            /// Where it would be.
            list: String,
        },
        /// Counterfeits for people who left.
        Balancing {
            /// How many.
            counterfeits: usize,
        },
        /// What is left to who believes that nothing changes.
        Believer {
            /// How many values of the most exposed person.
            left: usize,
            /// People whose value changed.
            changed: usize,
            /// Those of them of whom one value is left.
            one: usize,
        },
        /// How many signatures there are.
        Signatures {
            /// Classes.
            classes: usize,
            /// Signatures.
            different: usize,
            /// Whether later releases need counterfeits.
            few: bool,
        },
    }
}
