//! What checks find.

use lookalike_words::{Cell, Figure, Name};

use super::{Grouping, Parts, PersonsObservation, SeriesObservation};

lookalike_words::messages! {
    in "audit";

    /// Why the published bytes do not say what the loss is.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum LossNotRecomputed {
        /// Squared errors are of the records, which ranges, sets, labels and means do not show.
        Squares,
        /// Counterfeits with quasi-identifiers of their own widen the published ranges.
        Drawn,
        /// Cells of a column may be a set or a label with braces.
        Braces {
            /// The column.
            column: Name,
        },
        /// Cells of a column are of a form that is not measured.
        Column {
            /// The column.
            column: Name,
        },
    }

    /// What a check found.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Observation {
        /// How large the classes or groups are.
        Sizes(Sizes),
        /// How often values occur in them.
        Values(Values),
        /// Both.
        Both {
            /// How large.
            sizes: Sizes,
            /// How often values occur.
            values: Values,
        },
        /// The rows of each class are published alike.
        Alike {
            /// Number of classes.
            classes: usize,
        },
        /// The rows of some classes are not.
        Unlike {
            /// Number of those.
            broken: usize,
            /// Number of classes.
            classes: usize,
        },
        /// The rows are in order.
        Sorted,
        /// Some are not.
        Unsorted {
            /// Number of those.
            rows: usize,
        },
        /// The labels of classes count up.
        Labels {
            /// Number of labels.
            labels: usize,
            /// The first one.
            first: usize,
            /// The last one.
            last: usize,
        },
        /// Some do not.
        Misplaced {
            /// Number of those.
            odd: usize,
            /// Number of labels.
            labels: usize,
        },
        /// Without a class column only groups were judged.
        NoClass {
            /// The class column that was asked for.
            column: Option<Name>,
        },
        /// How many different values each class or group has at least.
        KnownValues {
            /// Of classes or groups.
            grouping: Grouping,
            /// Different values.
            different: usize,
            /// Those that are known.
            known: usize,
            /// The values that mean "not known", if any occur.
            missing: Vec<Cell>,
        },
        /// No value occurs once only.
        NoRareValue {
            /// Number of values.
            values: usize,
        },
        /// Some do.
        RareValues {
            /// Number of those.
            rare: usize,
            /// Number of values.
            values: usize,
        },
        /// Values that people read as one.
        NearValues {
            /// Those that are alike, together.
            alike: Parts<NearGroup>,
            /// How many more such groups there are.
            more: usize,
        },
        /// The cells of columns that are published unchanged are those of the source, class by class.
        Unchanged {
            /// The columns.
            columns: Vec<Name>,
            /// Published rows.
            rows: usize,
        },
        /// Some are not.
        NotUnchanged {
            /// The columns.
            columns: Vec<Name>,
            /// Published rows that are no row of the source in their class.
            foreign: usize,
            /// Rows of the source that are not in their class.
            lost: usize,
        },
        /// Each class has the sensitive values of the original's rows that the linking key puts there.
        SameValues {
            /// Number of classes.
            classes: usize,
            /// Rows whose values were compared.
            rows: usize,
            /// Published rows beside these, whose values neither the original nor the key knows.
            unknown: usize,
        },
        /// Some have others.
        OtherValues {
            /// Number of classes.
            classes: usize,
            /// Number of those.
            odd: usize,
        },
        /// Columns that were not asked about.
        Unjudged {
            /// Which.
            columns: Vec<Unasked>,
        },
        /// Ranges in two columns are those of their records.
        Ends {
            /// The columns.
            columns: Vec<Name>,
            /// Published rows.
            rows: usize,
        },
        /// Some are not.
        NotEnds {
            /// The columns.
            columns: Vec<Name>,
            /// Published rows whose cells are not the ends of a range and its middle.
            rows: usize,
            /// Classes whose ends are not those of their records.
            classes: usize,
        },
        /// All that is published lies in the declared domains.
        InDomains {
            /// The columns that have one.
            columns: Vec<Name>,
        },
        /// Something does not.
        OutsideDomains {
            /// The columns.
            columns: Vec<Name>,
            /// Published rows, in the worst of them.
            rows: usize,
        },
        /// Cells of these columns cannot be read.
        DomainsUnread {
            /// The columns.
            columns: Vec<Name>,
        },
        /// The stated loss is that of the published bytes.
        LossRecomputed {
            /// Whether labels count as binaries.
            binary: bool,
            /// The loss.
            value: Figure,
        },
        /// It is, and its exact value is not told.
        LossRecomputedUntold {
            /// Whether labels count as binaries.
            binary: bool,
        },
        /// It is not.
        LossDiffers {
            /// Whether labels count as binaries.
            binary: bool,
            /// As it is stated.
            stated: Figure,
            /// As it is published.
            found: Figure,
        },
        /// The published bytes do not say what the loss is.
        LossNotRecomputed {
            /// Why not.
            why: LossNotRecomputed,
        },
        /// Rows that belong to no class.
        Suppressed {
            /// Number of those.
            suppressed: usize,
            /// Number of rows.
            rows: usize,
            /// Whether labels could have told them from a class that is generalised as far.
            labelled: bool,
        },
        /// Rows of their own are published in groups nevertheless.
        InGroups {
            /// Rows of each group, at least.
            k: usize,
        },
        /// Some are not: the table is not k-anonymous.
        NotInGroups {
            /// Number of rows in smaller groups.
            few: usize,
            /// Number of rows.
            rows: usize,
            /// k - 1.
            others: usize,
        },
        /// Each class or group keeps a condition.
        Kept {
            /// Of classes or groups.
            grouping: Grouping,
            /// How many there are.
            all: usize,
            /// What the worst one reaches, if a number says it.
            reached: Option<Figure>,
        },
        /// Some do not.
        Broken {
            /// Of classes or groups.
            grouping: Grouping,
            /// How many there are.
            all: usize,
            /// What the worst one reaches, if a number says it.
            reached: Option<Figure>,
            /// How many do not.
            broken: usize,
        },
        /// There is no class or group.
        Nothing {
            /// Of classes or groups.
            grouping: Grouping,
        },
        /// Each class or group is diverse enough.
        Diverse {
            /// Of classes or groups.
            grouping: Grouping,
            /// How many there are.
            all: usize,
            /// What the worst one has.
            worst: Diverse,
            /// What is needed.
            needed: Needed,
        },
        /// Some are not.
        NotDiverse {
            /// Of classes or groups.
            grouping: Grouping,
            /// How many there are.
            all: usize,
            /// What the worst one has.
            worst: Diverse,
            /// What is needed.
            needed: Needed,
            /// How many have less.
            broken: usize,
        },
        /// Each class or group is close enough to the whole table.
        Close {
            /// Of classes or groups.
            grouping: Grouping,
            /// How many there are.
            all: usize,
            /// The largest distance.
            distance: Figure,
            /// Different values of the table.
            values: usize,
            /// The distance that is allowed.
            most: Figure,
        },
        /// Some are not.
        NotClose {
            /// Of classes or groups.
            grouping: Grouping,
            /// How many there are.
            all: usize,
            /// The largest distance.
            distance: Figure,
            /// Different values of the table.
            values: usize,
            /// The distance that is allowed.
            most: Figure,
            /// How many are farther away.
            broken: usize,
        },
        /// How many rows of the other table are consistent with each row.
        Consistent {
            /// The fewest.
            least: usize,
            /// Of what.
            of: Consistent,
            /// How many are needed.
            k: usize,
        },
        /// The same, where some rows have fewer.
        TooFewConsistent {
            /// The fewest.
            least: usize,
            /// Of what.
            of: Consistent,
            /// How many are needed.
            k: usize,
            /// How many rows have fewer.
            rows: usize,
        },
        /// The published table is not the original, generalised row by row.
        NoGeneralisation {
            /// Published rows.
            published: usize,
            /// Original rows.
            original: usize,
        },
        /// Over several releases.
        Series(SeriesObservation),
        /// Of persons who may have several rows.
        Persons(PersonsObservation),
    }

    /// How large classes or groups are.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Sizes {
        /// All are large enough.
        Enough {
            /// Of classes or groups.
            grouping: Grouping,
            /// How many there are.
            all: usize,
            /// Rows of the smallest.
            smallest: usize,
            /// Rows that are needed.
            least: usize,
        },
        /// Some are too small.
        TooSmall {
            /// Of classes or groups.
            grouping: Grouping,
            /// How many there are.
            all: usize,
            /// Rows of the smallest.
            smallest: usize,
            /// Rows that are needed.
            least: usize,
            /// How many have fewer.
            short: usize,
        },
    }

    /// How often values occur in classes or groups.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Values {
        /// No value twice in a class.
        Differ {
            /// Number of classes.
            classes: usize,
        },
        /// Some classes hold a value more than once.
        Repeated {
            /// Number of those.
            broken: usize,
            /// Number of classes.
            classes: usize,
            /// How often the worst one holds it.
            worst: usize,
        },
        /// No value is too frequent in a group.
        Within {
            /// Rows of the most frequent one.
            count: usize,
            /// Rows of its group.
            of: usize,
            /// At most 1/m is allowed.
            m: usize,
        },
        /// Some groups hold a value that is.
        Above {
            /// Rows of the most frequent one.
            count: usize,
            /// Rows of its group.
            of: usize,
            /// At most 1/m is allowed.
            m: usize,
            /// Number of those groups.
            broken: usize,
            /// Number of groups.
            groups: usize,
        },
    }

    /// Values that people read as one.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum NearGroup {
        /// These.
        Of {
            /// Which.
            values: Vec<NearValue>,
        },
    }

    /// One of them.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum NearValue {
        /// This.
        Value {
            /// Which.
            value: Cell,
            /// Its rows.
            rows: usize,
        },
        /// Others.
        More {
            /// How many.
            count: usize,
        },
    }

    /// A column that was not asked about.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Unasked {
        /// It is known how many values it has.
        Counted {
            /// Its name.
            name: Cell,
            /// How many different values.
            different: usize,
        },
        /// It is not.
        Named {
            /// Its name.
            name: Cell,
        },
    }

    /// How diverse the values of a class or group are.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Diverse {
        /// So many different known values.
        Values {
            /// How many.
            values: usize,
        },
        /// An entropy.
        Entropy {
            /// e to it.
            of: Figure,
        },
        /// No value is known.
        Unknown,
        /// Fewer known values than l.
        Few {
            /// l.
            l: usize,
        },
        /// The most frequent value to the rarer ones.
        Ratio {
            /// How often.
            ratio: Figure,
        },
    }

    /// How diverse they must be.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Needed {
        /// So many different values.
        Values {
            /// How many.
            l: usize,
        },
        /// An entropy.
        Entropy {
            /// At least log l.
            l: usize,
        },
        /// The most frequent value to the rarer ones.
        Ratio {
            /// Less than this.
            c: Figure,
        },
    }

    /// What is counted between a table and its original.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Consistent {
        /// Published rows of each original row.
        Published,
        /// Original rows of each published row.
        Original,
        /// Either.
        Either,
        /// Matches of each original row.
        Matches,
    }
}
