//! What is told of a check, line by line.

use lookalike_audit::{
    ClassName, Grouping, ModelName, Parts, Subject, Unmeasurable, ValueSet, Witness, series::Invariance,
};
use lookalike_model::report::Reader;
use lookalike_words::{Cell, Figure, Name, Said};

lookalike_words::messages! {
    in "core";

    /// What was checked, and of what.
    #[derive(Clone, Debug, PartialEq)]
    pub enum CheckName {
        /// A model, by classes or groups.
        Model {
            /// Which.
            model: ModelName,
            /// Of this column, if it is not the protected one.
            column: Option<Name>,
            /// By what.
            grouping: Grouping,
        },
        /// A notion between a table and its original.
        Against {
            /// Which.
            check: Subject,
        },
        /// Persons who may have several rows.
        Persons {
            /// Column with their key.
            column: Name,
        },
        /// Sensitive values of persons who may have several rows.
        Owners {
            /// Column with their key.
            column: Name,
        },
        /// A check of a release in a series.
        InRelease {
            /// The release, from 1.
            release: usize,
            /// The check.
            check: Said,
        },
    }

    /// What was found of persons who may have several rows.
    #[derive(Clone, Debug, PartialEq)]
    pub enum PersonsFinding {
        /// Fewest of them.
        Least {
            /// Persons in all.
            persons: usize,
            /// Fewest in a class.
            in_class: usize,
            /// Fewest in a group of equal quasi-identifiers.
            in_group: usize,
            /// How many are needed; 0 if nothing says so.
            needed: usize,
        },
        /// Each sensitive value of a class is one person's, as in the original.
        Own {
            /// Classes.
            classes: usize,
            /// At most 1/m of the persons of a group hold a value.
            m: usize,
        },
        /// Some are not.
        Shared {
            /// Classes.
            classes: usize,
            /// Classes with a value of two persons.
            shared: usize,
            /// Groups with a value of more than 1/m of their persons.
            frequent: usize,
            /// m.
            m: usize,
            /// Classes with other values than the original's.
            differ: usize,
        },
    }

    /// A finding with its witnesses.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Witnessed {
        /// Both.
        By {
            /// The finding.
            finding: Said,
            /// The witnesses.
            witnesses: Parts<Witness>,
        },
    }

    /// A check that holds or does not.
    #[derive(Clone, Debug, PartialEq)]
    pub enum CheckLine {
        /// It holds.
        Holds {
            /// What was checked.
            name: Said,
            /// What was found.
            finding: Said,
        },
        /// It does not.
        Fails {
            /// What was checked.
            name: Said,
            /// What was found.
            finding: Said,
        },
        /// It holds whatever was found.
        Note {
            /// What was looked at.
            name: Said,
            /// What was found.
            finding: Said,
        },
        /// Who read the rows.
        ReadBy {
            /// Who.
            reader: Reader,
        },
    }

    /// What is told of one table.
    #[derive(Clone, Debug, PartialEq)]
    pub enum TableLine {
        /// Its records and groups.
        Groups {
            /// Rows that belong to a group.
            records: usize,
            /// Groups of equal quasi-identifiers.
            groups: usize,
            /// The class column that was used.
            class: Option<Name>,
        },
        /// Columns that are measured as one.
        Ends {
            /// The ends of its ranges, and the middle, if there is one.
            columns: Vec<Name>,
            /// What they are measured as.
            name: Name,
        },
        /// Risk in the population that the records are a sample of.
        Population {
            /// How many people they stand for.
            people: Figure,
            /// Of the most exposed record.
            highest: Figure,
            /// Mean over the records.
            mean: Figure,
            /// Records that are expected to be re-identified.
            expected: Figure,
        },
        /// Records that are alone in the table, and in the population.
        PopulationUniques {
            /// In the table.
            records: usize,
            /// Expected of these in the population.
            expected: Figure,
        },
        /// Risk that a household is found.
        Households {
            /// How many there are.
            households: usize,
            /// Of the most exposed one.
            highest: Figure,
            /// Mean over the records.
            mean: Figure,
            /// Records that are expected to be in one that is found.
            expected: Figure,
        },
        /// The same counted in persons, where they may have several rows; what follows counts rows.
        PersonRisk {
            /// Of a person with the fewest others in its group.
            highest: Figure,
            /// Of all persons in the mean.
            mean: Figure,
        },
        /// Risk by an attacker who knows that a person is in the table.
        Prosecutor {
            /// What he reaches.
            exposed: Exposed,
            /// Above it a record is at risk.
            threshold: Figure,
        },
        /// The same by one who does not know it, where nothing is known of the population.
        JournalistAsProsecutor,
        /// The same, where sampling weights say what the rows stand for.
        JournalistByWeights,
        /// The same, where something is.
        Journalist {
            /// What he reaches.
            exposed: Exposed,
            /// Share of the population in the table.
            fraction: Figure,
        },
        /// Risk by an attacker who matches as many as possible.
        Marketer {
            /// Share of the records.
            share: Figure,
        },
        /// Records that are alone in their group.
        Uniques {
            /// How many.
            records: usize,
            /// Their share.
            percent: Figure,
        },
        /// No source leads to the table by the repair that was named.
        NoSource,
        /// What the repair discloses of those who are in the table.
        Disclosure {
            /// The highest probability of a value.
            present: Figure,
            /// 1/m.
            promised: Figure,
            /// Records in classes above that.
            above: usize,
            /// Values that may have been faked.
            suspects: usize,
            /// Fewest records of a class that are certainly real.
            real: usize,
        },
        /// What it discloses of those who are not.
        Absence {
            /// Values that they may have had.
            values: usize,
        },
        /// Figures of group sizes.
        GroupSizes {
            /// Records to groups.
            average: Figure,
            /// Sum of the squared sizes.
            discernibility: Figure,
            /// The average to k.
            c_avg: Option<Figure>,
            /// Share of rows without the most frequent value of their group.
            metric: Option<Figure>,
        },
        /// The penalty of a column.
        Penalty {
            /// Its name, as it stands.
            column: String,
            /// Its mean penalty.
            ncp: Figure,
        },
        /// A column whose penalty cannot be measured.
        NotMeasurable {
            /// Its name, as it stands.
            column: String,
            /// Why.
            why: Unmeasurable,
        },
        /// The penalty of all measurable columns.
        TotalPenalty {
            /// In total.
            total: Figure,
            /// A record.
            mean: Figure,
        },
        /// What the table lost of its original.
        Lost {
            /// Original rows that are published.
            published: usize,
            /// Those that are not.
            unpublished: usize,
            /// Published rows that are no original row.
            added: usize,
            /// Global certainty penalty, if it can be measured.
            gcp: Option<Figure>,
            /// Information loss in percent.
            loss: Figure,
        },
        /// Why the penalty against the original is another one than that of the published table by itself.
        TwoPenalties {
            /// By the published table alone.
            published: Figure,
            /// Against the original.
            original: Figure,
        },
        /// What a column lost.
        ColumnLost {
            /// Its name, as it stands.
            column: String,
            /// Information loss in percent.
            loss: Figure,
            /// Its penalty, if it can be measured.
            ncp: Option<Figure>,
            /// Else why not.
            why: Option<Unmeasurable>,
            /// Rows whose value is not covered.
            uncovered: usize,
            /// How far its mean moved, for numbers.
            moved: Option<Figure>,
            /// By what its variance was multiplied.
            varied: Option<Figure>,
        },
        /// Random counting queries.
        Queries {
            /// How many.
            queries: usize,
            /// On how many columns.
            dimensions: usize,
            /// Mean relative error.
            mean: Figure,
            /// Median of it.
            median: Figure,
        },
    }

    /// What an attacker reaches.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Exposed {
        /// These probabilities.
        To {
            /// Of the most exposed record.
            highest: Figure,
            /// In the mean.
            mean: Figure,
            /// Records above the threshold.
            at_risk: usize,
            /// Their share.
            percent: Figure,
        },
    }

    /// What is told of several releases.
    #[derive(Clone, Debug, PartialEq)]
    pub enum SeriesLine {
        /// What they were judged for.
        Judged {
            /// Number of releases.
            releases: usize,
            /// For which model.
            model: Invariance,
            /// Its parameter.
            m: usize,
        },
        /// The individuals.
        Individuals {
            /// How many.
            individuals: usize,
            /// Those whose value changes.
            changed: usize,
            /// Those who leave and come back.
            returned: usize,
        },
        /// What is left of tuples.
        Left {
            /// How many have how many values.
            left: Vec<LeftTo>,
        },
        /// What is left to an attacker who believes that values never change.
        BelieverLeft {
            /// How many have how many values.
            left: Vec<LeftTo>,
        },
        /// Somebody who is followed.
        Individual {
            /// Who.
            individual: Cell,
        },
        /// In a release, where its class is not known.
        Shown {
            /// The release, from 1.
            release: usize,
            /// The individual's value.
            value: Cell,
            /// The values of its class.
            published: ValueSet,
        },
        /// In a release, in one class.
        ShownIn {
            /// The release, from 1.
            release: usize,
            /// The individual's value.
            value: Cell,
            /// The class.
            class: ClassName,
            /// Its values.
            published: ValueSet,
        },
        /// In a release, in one of several classes.
        ShownAmong {
            /// The release, from 1.
            release: usize,
            /// The individual's value.
            value: Cell,
            /// How many classes match.
            classes: usize,
            /// Their values.
            published: ValueSet,
        },
        /// What is left of its value then.
        StillLeft {
            /// These.
            left: ValueSet,
            /// The fewest that would be left if the class were known, where these are fewer.
            at_least: Option<usize>,
            /// What is left to an attacker who believes that values never change, where this is something else.
            believer: Option<ValueSet>,
        },
    }

    /// How many are left with a number of values.
    #[derive(Clone, Debug, PartialEq)]
    pub enum LeftTo {
        /// So many.
        Values {
            /// The number of values.
            values: usize,
            /// How many are left with it.
            of: usize,
        },
    }
}
