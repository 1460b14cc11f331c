//! Why a column may have a role.

use lookalike_words::{Name, Said, messages};

messages! {
    in "core";

    /// Why a column may have a role.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SuggestedBy {
        /// Its cells have a format.
        Format {
            /// How many of the different values have it.
            fit: usize,
            /// Of how many.
            values: usize,
            /// The format.
            format: FormatName,
            /// Whether there are more values that were not looked at.
            more: bool,
        },
        /// Its name has a word.
        Name {
            /// The word.
            word: Name,
            /// What it means.
            meaning: NameMeaning,
        },
        /// Its name is one of the American Community Survey.
        Abbreviation {
            /// The name.
            word: Name,
            /// What it stands for.
            entry: Name,
            /// What that means.
            meaning: NameMeaning,
        },
        /// Its name has a word, and its values differ.
        UniqueName {
            /// What the name means.
            name: Said,
        },
        /// The file weights its rows by it.
        Weight,
        /// Its values differ.
        Unique {
            /// How many there are.
            values: usize,
            /// In how many rows.
            rows: usize,
        },
    }

    /// A format of cells, in the plural.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FormatName {
        /// E-mail addresses.
        Email,
        /// Bank accounts.
        Iban,
        /// Numbers of the French register of persons.
        FrenchNir,
        /// Spanish numbers of citizens and foreigners.
        SpanishDni,
        /// German numbers of tax payers.
        GermanTaxId,
        /// US social security numbers.
        UsSsn,
        /// Internet addresses.
        IpAddress,
        /// Universally unique identifiers.
        Uuid,
        /// Telephone numbers.
        Phone,
    }

    /// What the name of a column means.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NameMeaning {
        /// A person's name.
        Person,
        /// A way to reach a person.
        Address,
        /// A number given by others.
        Number,
        /// A key of the table.
        Key,
        /// Birth or age.
        Age,
        /// Where a person lives.
        Place,
        /// What a person was born to.
        Origin,
        /// What a person learned or does.
        Work,
        /// What others remember.
        Event,
        /// What others see.
        Feature,
        /// Health.
        Health,
        /// What a person believes.
        Belief,
        /// Money.
        Income,
    }
}
