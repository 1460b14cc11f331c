//! What a run has come to.

use lookalike_words::{Figure, Name, Said};

use crate::certificate::LossNoun;

lookalike_words::messages! {
    in "worker";

    /// What a run has come to, a line each.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Summary {
        /// More warnings of the input.
        MoreWarnings {
            /// How many.
            more: usize,
        },
        /// A seed that is found by trying.
        SmallSeed {
            /// The seed.
            seed: u64,
            /// Another machine searches, and is sent numbers in place of values.
            elsewhere: bool,
        },
        /// Figures that are for the data holder alone.
        Exact,
        /// Another machine searched.
        Elsewhere {
            /// Bytes that were sent.
            bytes: u64,
            /// In how many messages.
            messages: u64,
            /// To whom.
            to: String,
        },
        /// Rows of their own instead of classes.
        Freeform {
            /// Rows.
            rows: usize,
            /// Matches of a record, at least.
            matches: usize,
            /// Rows alike, at least.
            alike: usize,
        },
        /// Classes of m-invariance.
        MInvariance {
            /// m.
            m: usize,
            /// What is published.
            records: Records,
            /// Classes.
            classes: usize,
            /// Records of the smallest.
            least: usize,
            /// Records of the largest.
            most: usize,
        },
        /// Classes of k-anonymity.
        KAnonymity {
            /// k.
            k: usize,
            /// What is published.
            records: Records,
            /// Classes.
            classes: usize,
            /// Records of the smallest.
            least: usize,
            /// Records of the largest.
            most: usize,
        },
        /// Classes of k-anonymity of persons who may have several rows.
        KAnonymityOfPersons {
            /// k.
            k: usize,
            /// Persons.
            persons: usize,
            /// Their rows.
            rows: usize,
            /// Classes.
            classes: usize,
            /// Persons of the smallest.
            least: usize,
            /// Persons of the largest.
            most: usize,
        },
        /// Classes of m-invariance of persons who may have several rows.
        MInvarianceOfPersons {
            /// m.
            m: usize,
            /// Persons.
            persons: usize,
            /// Their rows.
            rows: usize,
            /// Classes.
            classes: usize,
            /// Persons of the smallest.
            least: usize,
            /// Persons of the largest.
            most: usize,
        },
        /// How far the number of rows of a person tells who it is.
        ToldByRows {
            /// Most rows of a person.
            rows: usize,
            /// Largest share of a class that is one person's, in per cent.
            percent: Figure,
            /// Persons whose number of rows nobody else in their group has.
            alone: usize,
            /// All persons.
            persons: usize,
        },
        /// The loss, and why the search stopped.
        Reached {
            /// The loss.
            loss: Reached,
            /// Why the search stopped.
            ended: Option<Ended>,
        },
        /// The loss of what is published, as the audit measures it.
        PublishedForm {
            /// The mean penalty of a cell.
            mean: Figure,
            /// Columns that are measured.
            measured: usize,
            /// All columns.
            columns: usize,
        },
        /// No column can be measured.
        PublishedFormOpen,
        /// No bound, though one was sought.
        Unproven,
        /// A bound on the whole problem.
        Bound {
            /// How far the loss may be from the best.
            far: FromTheBest,
            /// The loss that it bounds.
            loss: LossNoun,
            /// The bound.
            least: Figure,
            /// How it is proven.
            proof: Said,
        },
        /// The level of each column.
        Levels {
            /// The columns with their levels.
            columns: Vec<AtLevel>,
        },
        /// What is proven of the levels.
        LevelsProven {
            /// What was minimised.
            cost: Figure,
            /// Suppressed records, whose price it has.
            suppressed: usize,
            /// What no choice costs less than; `None` if nothing is proven.
            least: Option<Figure>,
            /// Choices of levels.
            nodes: u64,
            /// Choices that were looked at.
            looked_at: u64,
        },
        /// A bound on the decomposed problem.
        BlockBound {
            /// The loss that it bounds.
            loss: LossNoun,
            /// The bound.
            least: Figure,
            /// The gap in per cent.
            gap: Figure,
        },
        /// A bound that a worker claims.
        Claimed {
            /// Whether it is about the whole problem.
            whole: bool,
            /// The loss that it bounds.
            loss: LossNoun,
            /// The bound.
            least: Figure,
            /// Whether it can be checked.
            checkable: bool,
        },
        /// Records that were added or left out.
        Changed {
            /// What.
            what: Vec<Change>,
        },
        /// A column that is published unchanged, or all of them.
        Unchanged {
            /// Its name; of all of them together without.
            column: Option<Name>,
            /// Published records.
            records: usize,
            /// Those that are unique in the source.
            before: usize,
            /// Those that are unique as they are published.
            after: usize,
            /// The largest match probability.
            highest: Figure,
            /// Its mean.
            mean: Figure,
            /// Its largest mean of a class.
            worst: Figure,
            /// Classes with a record that is matched with certainty.
            certain: usize,
            /// All classes.
            classes: usize,
            /// Records whose sensitive value is told, if there is a sensitive column.
            told: Option<Told>,
        },
        /// The same where persons may have several rows.
        UnchangedOfPersons {
            /// Its name; of all of them together without.
            column: Option<Name>,
            /// Published persons.
            persons: usize,
            /// Those with a cell that no other person has with the same quasi-identifiers in the source.
            before: usize,
            /// Those with a cell that no other person of the class has.
            after: usize,
            /// The largest match probability.
            highest: Figure,
            /// Its mean.
            mean: Figure,
            /// Its largest mean of a class.
            worst: Figure,
            /// Classes with a person of whom a row is found with certainty.
            certain: usize,
            /// All classes.
            classes: usize,
            /// Persons of whom a sensitive value is told, if there is a sensitive column.
            told: Option<Told>,
        },
        /// Records that are alone by unchanged cells.
        Minimal {
            /// By how many of them.
            sizes: Vec<Alone>,
            /// Columns of the largest sets.
            largest: usize,
        },
        /// The audit.
        Audit {
            /// Checks that passed.
            passed: usize,
            /// Of how many.
            checks: usize,
            /// Who read the bytes.
            reader: Said,
        },
        /// The form of the published table, where it is not the usual one.
        Form {
            /// In words.
            form: Said,
        },
    }

    /// A column at its level.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum AtLevel {
        /// One of several.
        Column {
            /// Its name.
            column: Name,
            /// Its level: 0 is the values themselves.
            level: usize,
            /// The coarsest level.
            highest: usize,
        },
    }

    /// Records whose sensitive value is told to an attacker who knows unchanged cells.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Told {
        /// With certainty.
        Certain {
            /// How many records.
            records: usize,
        },
        /// The same, of persons who may have several rows.
        OfPersons {
            /// How many persons.
            persons: usize,
        },
    }

    /// Records that are alone by unchanged cells.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Alone {
        /// By so many columns, and by no fewer of these.
        By {
            /// How many records.
            records: usize,
            /// How many columns.
            columns: usize,
        },
        /// The same, of persons who may have several rows.
        PersonsBy {
            /// How many persons.
            persons: usize,
            /// How many columns.
            columns: usize,
        },
    }

    /// What is published; counterfeits are no records of anybody.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Records {
        /// Records of people alone.
        All {
            /// How many.
            records: usize,
        },
        /// With counterfeits.
        Real {
            /// Records of people.
            real: usize,
            /// Counterfeits.
            counterfeits: usize,
        },
    }

    /// The loss that was asked for.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Reached {
        /// Information loss.
        Information {
            /// 100 SSE / SST.
            percent: Figure,
            /// SSE.
            sse: Figure,
            /// SST.
            sst: Figure,
        },
        /// Information loss over persons who may have several rows.
        InformationOfPersons {
            /// 100 SSE / SST.
            percent: Figure,
            /// SSE.
            sse: Figure,
            /// SST.
            sst: Figure,
            /// SSE of their rows.
            of_rows: Figure,
            /// SST of their rows.
            all_rows: Figure,
        },
        /// SSE alone.
        Sse {
            /// SSE.
            sse: Figure,
        },
        /// The certainty penalty of the published table.
        Ncp {
            /// NCP.
            ncp: Figure,
            /// NCP a record.
            mean: Figure,
        },
        /// The same of the real records: counterfeits have points of their own, and the published ranges are wider.
        NcpReal {
            /// NCP.
            ncp: Figure,
        },
        /// With labels that are equal or not.
        NcpBinary {
            /// NCP.
            ncp: Figure,
            /// NCP a record.
            mean: Figure,
            /// Whether it is that of the real records.
            real: bool,
        },
    }

    /// Why a search stopped; `claimed` is the word of another machine for it.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Ended {
        /// Nothing better exists.
        Optimal,
        /// Nothing better exists of choices of one level a column.
        OptimalOfLevels,
        /// Nothing better exists of partitions by groups of linked sensitive values.
        OptimalOfLinked,
        /// The gap that was asked for.
        GapReached,
        /// Another machine says that nothing better exists.
        OptimalClaimed,
        /// Another machine says that the gap is reached.
        GapReachedClaimed,
        /// A search has used its budget.
        EffortSpent {
            /// By the account of another machine.
            claimed: bool,
        },
        /// A method has come to its end.
        ByTheMethod {
            /// By the account of another machine.
            claimed: bool,
        },
        /// The time limit.
        TimeUp {
            /// By the account of another machine.
            claimed: bool,
        },
        /// It was stopped.
        Cancelled {
            /// By the account of another machine.
            claimed: bool,
        },
        /// There is no solution.
        Infeasible {
            /// Why.
            why: Said,
        },
    }

    /// Records that were added or left out.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Change {
        /// Counterfeits.
        Counterfeits {
            /// How many.
            count: usize,
        },
        /// Deleted records.
        Deletions {
            /// How many.
            count: usize,
        },
        /// Rows without their values.
        Missing {
            /// How many.
            count: usize,
        },
        /// Records that would have cost too much.
        Suppressed {
            /// How many.
            count: usize,
        },
        /// Records that are in no group at the levels of the columns.
        InNoGroup {
            /// How many.
            count: usize,
        },
        /// Persons that would have cost too much, with all their rows.
        SuppressedPersons {
            /// How many.
            persons: usize,
            /// Their rows.
            rows: usize,
        },
        /// Classes with a single real record.
        SingleReal {
            /// How many.
            count: usize,
        },
    }

    /// How far a loss is from the best possible one.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum FromTheBest {
        /// A gap in per cent.
        AtMost {
            /// Per cent of the loss.
            gap: Figure,
        },
    }
}
