//! What is told of a ledger.

use lookalike_words::{Name, Said};

lookalike_words::messages! {
    in "worker";

    /// What a ledger says.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(super) enum LedgerTold {
        /// The series.
        Series {
            /// Its random name.
            series: String,
            /// Which updates are expected.
            mode: &'static str,
            /// What takes the places of people who left.
            vacancies: &'static str,
            /// Fewest values of a class.
            m: usize,
        },
        /// Its people.
        People {
            /// How many were ever published.
            people: usize,
            /// How many of them in the last release.
            last: usize,
            /// Signatures of all releases.
            signatures: usize,
        },
        /// A release.
        Release {
            /// Its number, from 1.
            release: usize,
            /// Rows, counterfeits among them.
            rows: usize,
            /// Classes.
            classes: usize,
            /// Counterfeits.
            counterfeits: u64,
            /// The version that made it.
            version: String,
            /// BLAKE3 of its bytes.
            hash: String,
        },
        /// When a person was published.
        Person {
            /// The name.
            name: Name,
            /// First and last release of each stay.
            stays: Vec<String>,
        },
        /// It is whole.
        Whole {
            /// Releases that it names.
            releases: usize,
        },
        /// There is no list of used states beside it.
        NoList {
            /// Where it would be.
            list: String,
        },
        /// The list of used states beside it fits.
        Listed {
            /// The list.
            list: String,
            /// The first release whose state it names.
            first: usize,
            /// The last one.
            last: usize,
        },
        /// A chain fits.
        Chained {
            /// Releases that it has.
            releases: usize,
        },
        /// A release of a chain.
        Linked {
            /// Its number.
            release: usize,
            /// BLAKE3 of its table.
            table: String,
            /// What was found in all releases together; `None` if that was not asked for.
            together: Option<Said>,
            /// Its link.
            link: String,
        },
        /// What was found in all releases together.
        Together {
            /// How many releases.
            releases: usize,
            /// How many checks.
            checks: usize,
            /// Whether they were judged against their sources, too.
            sources: bool,
        },
        /// A link is one of the chain.
        HasLink {
            /// The release.
            release: usize,
            /// Whether it is the last one.
            last: bool,
        },
        /// Releases were compared with a chain, which cannot say more.
        NotJudged,
        /// A release was found.
        Found {
            /// Its number.
            release: usize,
            /// Its file.
            path: String,
        },
        /// What differs between two states.
        Differs {
            /// The release of the older state.
            from: usize,
            /// The release of the newer one.
            to: usize,
            /// People who are in the newer one alone.
            came: usize,
            /// Those of them who were published before.
            back: usize,
            /// People who are in the older one alone.
            left: usize,
            /// People in both whose value is another one.
            changed: usize,
            /// People in both with the same value.
            stayed: usize,
        },
        /// People who came.
        Came {
            /// Their names.
            names: Vec<Name>,
        },
        /// People who left.
        Left {
            /// Their names.
            names: Vec<Name>,
        },
        /// People whose value changed.
        Changed {
            /// Their names.
            names: Vec<Name>,
        },
        /// It has pseudonyms in place of names.
        Pseudonyms {
            /// People who were erased.
            erased: usize,
        },
        /// A key was written.
        KeyWritten {
            /// Its file.
            key: String,
        },
        /// The pseudonym of a name.
        Pseudonym {
            /// It.
            pseudonym: String,
            /// The name.
            name: Name,
        },
        /// People were erased.
        ErasedFrom {
            /// How many.
            people: usize,
            /// The ledger's file.
            ledger: String,
        },
        /// It has another passphrase.
        Rekeyed {
            /// The ledger's file.
            ledger: String,
            /// Where the old one is kept.
            kept: String,
        },
    }

    /// What of a list of used states does not fit the ledger beside it.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(super) enum ListMisfit {
        /// A release was made from the ledger's state.
        Used {
            /// Its number.
            release: usize,
        },
        /// The last release of the ledger was taken back.
        TakenBack {
            /// Its number.
            release: usize,
        },
        /// People were erased from the ledger's state.
        Erased,
        /// States that the list should name.
        Missing {
            /// The releases that were made from them.
            releases: Vec<usize>,
        },
        /// It names states that no release of the ledger was made from.
        More {
            /// How many.
            states: usize,
        },
        /// It names no state of the ledger.
        Foreign,
    }

    /// Why nothing can be told.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(super) enum LedgerFault {
        /// Releases that are in no file.
        Missing {
            /// Their numbers.
            releases: Vec<usize>,
            /// The folder that was looked through.
            folder: String,
        },
        /// There is no release.
        NoRelease,
        /// The list of used states beside it does not fit.
        List {
            /// The list.
            list: String,
            /// What does not.
            misfits: Vec<Said>,
        },
        /// A link that no release has.
        OtherLink {
            /// The link.
            link: String,
        },
        /// The newer ledger was made from another state than the older one.
        OtherState {
            /// The file of the older one.
            old: String,
            /// The release that was made from another one.
            release: usize,
        },
        /// The guarantee does not hold.
        Broken {
            /// Checks that fail.
            checks: usize,
        },
        /// Two ledgers that are not of one series, one after the other.
        NotLater {
            /// The file of the older one.
            old: String,
            /// The file of the newer one.
            new: String,
        },
        /// There is a file in the key's place.
        KeyThere {
            /// It.
            key: String,
        },
        /// Nobody is named.
        NoNames {
            /// The file of names.
            names: String,
        },
        /// Names that the ledger does not have.
        NotInIt {
            /// They, the first of them.
            names: Vec<Name>,
            /// Whether there are more.
            more: bool,
        },
        /// Nobody leaves the series.
        NobodyLeaves,
        /// A run was interrupted.
        Interrupted {
            /// The held ledger.
            path: String,
        },
        /// It is an old state, from which a release was made.
        OldState {
            /// The ledger's file.
            path: String,
        },
        /// The copy of another ledger is there.
        Kept {
            /// Its file.
            path: String,
        },
    }
}

impl std::error::Error for LedgerFault {}
