//! What a finding says, as messages.

use lookalike_words::{Figure, Said, messages};

messages! {
    in "model";

    /// Names and odds within the sentences.
    pub(crate) enum Named {
        /// A column as one says somebody's value in it: `the diagnosis`; other languages take the name alone.
        Value {
            /// The column.
            name: String,
        },
        /// Several names.
        All {
            /// All of them.
            names: Vec<String>,
        },
        /// Several names, and how many more there are.
        Some {
            /// The first.
            names: Vec<String>,
            /// How many more.
            more: usize,
        },
        /// One in so many.
        Odds {
            /// How many.
            of: Figure,
        },
        /// No odds at all.
        NoOdds,
        /// One text beside another.
        Beside {
            /// The first.
            one: Said,
            /// The second.
            two: Said,
        },
        /// Rows of a table.
        Rows {
            /// How many.
            rows: usize,
        },
    }

    /// Among whom a person is hidden: the beginning of a sentence.
    pub(crate) enum Among {
        /// People, each a row.
        People {
            /// How many.
            n: usize,
        },
        /// The same of those in the table.
        PeopleInTable {
            /// How many.
            n: usize,
        },
        /// Real people.
        Real {
            /// How many.
            n: usize,
        },
        /// The same of those in the table.
        RealInTable {
            /// How many.
            n: usize,
        },
        /// Persons with several rows.
        Persons {
            /// All of them.
            all: usize,
            /// How many.
            n: usize,
        },
        /// The same of those in the table.
        PersonsInTable {
            /// All of them.
            all: usize,
            /// How many.
            n: usize,
        },
        /// Rows of their own.
        Rows {
            /// How many.
            n: usize,
        },
        /// The same of those in the table.
        RowsInTable {
            /// How many.
            n: usize,
        },
        /// Made-up records alone, perhaps.
        Nobody,
    }

    /// What holds.
    pub(crate) enum Holds {
        /// A sentence.
        One {
            /// It.
            one: Said,
        },
        /// A sentence and another one.
        Two {
            /// The first, without its full stop.
            one: Said,
            /// The second.
            two: Said,
        },
        /// The best guess of a sensitive value.
        Guess {
            /// Among whom a person is hidden.
            hidden: Said,
            /// How many guesses are right.
            odds: Said,
            /// Of what.
            of: Said,
            /// In which releases.
            together: Option<Earlier>,
        },
        /// The same for one who knows one person and cannot count the real people of a group.
        GuessOfOne {
            /// Among whom a person is hidden.
            hidden: Said,
            /// How many guesses are right.
            odds: Said,
            /// Of what.
            of: Said,
        },
        /// The same where people were left out.
        GuessInTable {
            /// Among whom a person is hidden.
            hidden: Said,
            /// How many guesses are right.
            odds: Said,
            /// In which releases.
            together: Option<Earlier>,
        },
        /// A value is certain.
        Certain {
            /// The column.
            sensitive: String,
        },
        /// How many people are alike for somebody who knows some of the quasi-identifiers alone.
        Set {
            /// These.
            columns: Said,
            /// How many, at least.
            among: usize,
        },
        /// The best guess of a value of a further sensitive column.
        Further {
            /// The column.
            column: String,
            /// How many guesses are right.
            odds: Said,
        },
        /// Such a value is certain.
        FurtherCertain {
            /// The column.
            column: String,
        },
        /// What the first sensitive value tells of a further one.
        FurtherTold {
            /// Of how many people.
            n: usize,
            /// The further column.
            column: String,
            /// The first.
            sensitive: String,
        },
        /// Nothing is promised.
        Nothing {
            /// About what.
            sensitive: String,
        },
        /// The same, with groups of one value.
        NothingGroups {
            /// About what.
            sensitive: String,
            /// How many groups.
            single: usize,
            /// Of how many.
            groups: usize,
        },
        /// The same among known values.
        NothingKnown {
            /// About what.
            sensitive: String,
            /// How many groups.
            single: usize,
            /// Of how many.
            groups: usize,
        },
        /// The same of persons with several rows.
        NothingPersons {
            /// About what.
            sensitive: String,
            /// How many groups.
            single: usize,
            /// Of how many.
            groups: usize,
        },
        /// The same of at least one group.
        NothingOne {
            /// About what.
            sensitive: String,
        },
        /// The same among known values.
        NothingOneKnown {
            /// About what.
            sensitive: String,
        },
        /// The same of at least one person.
        NothingSome {
            /// About what.
            sensitive: String,
        },
        /// The same with odds.
        NothingOdds {
            /// About what.
            sensitive: String,
            /// How many guesses are right.
            odds: Said,
        },
        /// The value of those who were left out is certain.
        AbsentCertain {
            /// How many people.
            n: usize,
            /// The column.
            sensitive: String,
        },
        /// It is one of several.
        AbsentOneOf {
            /// How many people.
            n: usize,
            /// The column.
            sensitive: String,
            /// How many values.
            values: usize,
        },
        /// It is one of the most frequent.
        Absent {
            /// How many people.
            n: usize,
            /// The column.
            sensitive: String,
        },
        /// A column as it is.
        AsIs {
            /// The column.
            columns: Said,
            /// How many people stand alone.
            n: usize,
        },
        /// Columns as they are.
        AsIsTogether {
            /// The columns.
            columns: Said,
            /// How many people stand alone.
            n: usize,
        },
        /// Nobody stands alone by them.
        AsIsOdds {
            /// The columns.
            columns: Said,
            /// How many guesses are right.
            odds: Said,
        },
        /// There is no figure.
        AsIsOpen {
            /// The columns.
            columns: Said,
        },
        /// Values that such an attacker knows.
        AsIsTold {
            /// Of how many people.
            n: usize,
            /// The column.
            sensitive: String,
        },
        /// The audit failed.
        Failed {
            /// How many checks.
            n: usize,
            /// Of how many.
            checks: usize,
        },
    }

    /// In which releases a guess is as good.
    pub(crate) enum Earlier {
        /// In this one and those before.
        Releases {
            /// How many before.
            n: usize,
        },
    }

    /// Why it is no more.
    pub(crate) enum Why {
        /// Values that are spelt differently may be one.
        Alike {
            /// The odds.
            odds: Said,
            /// The odds as they are spelt.
            without: Said,
            /// The column.
            sensitive: String,
        },
        /// Values of people are not known.
        People {
            /// The odds.
            odds: Said,
            /// The odds if "not known" were a value.
            without: Said,
            /// How many people.
            n: usize,
            /// The column.
            sensitive: String,
        },
        /// Values of rows are not known.
        Rows {
            /// The odds.
            odds: Said,
            /// The odds if "not known" were a value.
            without: Said,
            /// How many rows.
            n: usize,
            /// The column.
            sensitive: String,
        },
        /// Values of some are not known.
        Some {
            /// The odds.
            odds: Said,
            /// The odds if "not known" were a value.
            without: Said,
            /// The column.
            sensitive: String,
        },
        /// Records are made up.
        MadeUp {
            /// How many.
            n: usize,
            /// Of how many.
            records: usize,
        },
        /// There is no figure for who knows how.
        MadeUpOpen,
        /// What one reaches who knows everybody, or tells made-up records from real ones.
        ToldApart {
            /// How many guesses are right.
            odds: Said,
        },
        /// The same where it is certain.
        ToldApartCertain,
        /// What one reaches who knows everybody and tells made-up records from real ones.
        Recognised {
            /// How many guesses are right.
            odds: Said,
        },
        /// The same where it is certain.
        RecognisedCertain,
        /// People above the threshold of risk.
        AtRisk {
            /// How many.
            n: usize,
            /// Of how many.
            of: usize,
            /// The probability.
            threshold: Figure,
        },
        /// Somebody above it, among real people only.
        AtRiskSome {
            /// The probability.
            threshold: Figure,
        },
        /// The number of rows is not hidden.
        RowsNotHidden,
        /// There is no table.
        NoTable,
    }

    /// Against whom it holds, and against whom not.
    pub(crate) enum Attacker {
        /// Against one who knows these columns.
        Against {
            /// The columns.
            columns: Said,
        },
        /// Knows one person; others might count who is real.
        AgainstOne {
            /// The quasi-identifiers.
            columns: Said,
        },
        /// The same, who has all releases.
        AgainstSeries {
            /// The columns.
            columns: Said,
        },
        /// Not against one who knows more.
        OtherColumn,
        /// Not against one who reasons from how rows were made.
        RowsMade,
        /// Not against one who reasons from how groups were chosen.
        Chosen,
        /// Not against one who reasons from how groups and made-up records were chosen.
        MadeUp,
        /// Not against one who knows how many rows a person has.
        Counted,
        /// The same, and how many stand alone.
        CountedAlone {
            /// How many.
            n: usize,
        },
        /// Not against one who believes that values never change.
        Changed,
    }

    /// Who is published, and what the checks found.
    pub(crate) enum Published {
        /// So many people.
        People {
            /// How many.
            n: usize,
        },
        /// So many people with several rows.
        Persons {
            /// How many.
            n: usize,
            /// Their rows.
            rows: Said,
        },
        /// People were left out.
        LeftOut {
            /// How many.
            n: usize,
        },
        /// All checks passed.
        Passed {
            /// How many.
            n: usize,
        },
        /// Some did not.
        Failed {
            /// How many.
            n: usize,
            /// Of how many.
            checks: usize,
        },
    }
}
