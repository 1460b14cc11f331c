//! What of the settings does not fit the table.

use lookalike_audit::Unmeasurable;
use lookalike_table::{Column, DateFault, Noun, Question, hierarchy::HierarchyError};
use lookalike_words::{Cell, Figure, Name, messages};

messages! {
    in "core";

    /// What of the settings does not fit the table, or itself. Rows are those of the data, counted from 1.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Misfit {
        /// No seed, and no operating system here to take one from.
        NoSeed,
        /// m or k protects nobody.
        TooSmall {
            /// "m" or "k".
            parameter: &'static str,
        },
        /// m-invariance without a sensitive column.
        NoSensitive,
        /// No column that an attacker may know.
        NoQuasi,
        /// A column that is not in the table.
        NoColumn {
            /// Its name.
            name: Name,
            /// The names there are.
            columns: Vec<Name>,
        },
        /// A published column has the name of the column of classes.
        ClassColumn {
            /// That name.
            name: Name,
        },
        /// A column of the file has the name of a column for the ends of ranges.
        EndsTaken {
            /// The column whose ranges they are.
            name: Name,
            /// That name.
            end: Name,
        },
        /// So has the column of classes.
        EndsOfClass {
            /// The column whose ranges they are.
            name: Name,
            /// That name.
            end: Name,
        },
        /// Labels without an order are to be published as the ends of a range.
        NoEnds {
            /// The column.
            name: Name,
        },
        /// A name that the column of classes cannot have.
        ClassName {
            /// That name.
            name: Name,
        },
        /// A name of the column of classes that a spreadsheet would run.
        ClassFormula {
            /// That name.
            name: Name,
        },
        /// A column named twice in one role.
        RoleTwice {
            /// The column.
            name: Name,
            /// The role.
            role: RoleWord,
        },
        /// A column named in two roles.
        TwoRoles {
            /// The column.
            name: Name,
            /// The one role.
            one: RoleWord,
            /// The other.
            other: RoleWord,
        },
        /// The column with the keys of persons has a role by which it would be published.
        PersonPublished {
            /// The column.
            name: Name,
        },
        /// A policy for the missing cells of a column without a role.
        MissingPolicy {
            /// The column.
            name: Name,
        },
        /// A weight of a column that does not count.
        WeightOfOther {
            /// The column.
            name: Name,
        },
        /// A weight below 0, or none.
        Weight {
            /// The column.
            name: Name,
            /// The weight.
            weight: Figure,
        },
        /// A quasi-identifier without a weight among some that have one.
        NoWeight {
            /// The column.
            name: Name,
        },
        /// Weights that do not sum to 1.
        WeightSum {
            /// Their sum.
            sum: Figure,
        },
        /// A kind of a column that is filled up with zeros, and so holds labels.
        PadOfKind {
            /// The column.
            name: Name,
            /// The kind as the settings call it.
            kind: String,
        },
        /// A cell that is not filled up with zeros, though its column is to be.
        NotPadded {
            /// The column.
            name: Name,
            /// The row.
            row: usize,
            /// The cell.
            cell: Name,
            /// Digits that it is to have.
            width: usize,
        },
        /// An order of values in a column of another kind.
        OrderOfKind {
            /// The column.
            name: Name,
            /// The kind as the settings call it.
            kind: String,
        },
        /// A sensitive value has no place in an order that a condition goes by.
        UnorderedSensitive {
            /// The sensitive column.
            name: Name,
            /// The value.
            value: Cell,
        },
        /// A condition goes by the hierarchy of sensitive values, and there is none.
        NoSensitiveHierarchy {
            /// The sensitive column.
            name: Name,
        },
        /// An ordered column without its order.
        NoOrder {
            /// The column.
            name: Name,
        },
        /// An order that names a value twice.
        OrderTwice {
            /// The column.
            name: Name,
            /// The value.
            value: Name,
        },
        /// An order with a missing marker.
        OrderMissing {
            /// The column.
            name: Name,
            /// The marker.
            value: Name,
        },
        /// A value that the order lacks.
        NotInOrder {
            /// The column.
            name: Name,
            /// The row.
            row: usize,
            /// The value.
            value: Name,
        },
        /// Cells that can be read in two ways, as a kind that was declared.
        TwoReadings {
            /// The column.
            name: Name,
            /// Which, and what to declare.
            question: Question,
        },
        /// Cells that can be read in two ways, where nothing was declared.
        TwoReadingsOrLabels {
            /// The column.
            name: Name,
            /// Which, and what to declare.
            question: Question,
        },
        /// A format of dates that is declared and not understood.
        DateFormat {
            /// The column.
            name: Name,
            /// The format.
            format: Name,
            /// Why.
            why: DateFault,
        },
        /// A cell that is not of the kind that was declared.
        NotAsDeclared {
            /// The column.
            name: Name,
            /// The row.
            row: usize,
            /// The cell.
            cell: Name,
            /// What it is not.
            kind: Noun,
        },
        /// A cell that is not of the kind of the column's other cells.
        NotAsOthers {
            /// The column.
            name: Name,
            /// The row.
            row: usize,
            /// The cell.
            cell: Name,
            /// What it is not.
            kind: Noun,
        },
        /// A number with more digits than are told apart: it would be taken for another one.
        LongNumber {
            /// The column.
            name: Name,
            /// The row.
            row: usize,
            /// The cell.
            cell: Name,
        },
        /// A number too large to compute with.
        TooLarge {
            /// The column.
            name: Name,
            /// The row.
            row: usize,
            /// The cell.
            cell: Name,
            /// The largest number.
            most: String,
        },
        /// More different labels, or nodes above them, than a mean over the rows of a person is computed with.
        TooManyLabels {
            /// The column.
            name: Name,
            /// How many.
            labels: usize,
            /// How many there may be.
            most: usize,
        },
        /// A quasi-identifier is missing in some rows.
        QuasiMissing {
            /// The column.
            name: Name,
            /// In how many rows.
            missing: usize,
            /// Of how many.
            rows: usize,
            /// The first of them.
            first: Vec<usize>,
            /// Whether there are more.
            more: bool,
        },
        /// A sensitive value is missing in some rows.
        SensitiveMissing {
            /// The column.
            name: Name,
            /// In how many rows.
            missing: usize,
            /// Of how many.
            rows: usize,
            /// The first of them.
            first: Vec<usize>,
            /// Whether there are more.
            more: bool,
        },
        /// It is said how a column is published that is not.
        RecodingOfOther {
            /// The column.
            name: Name,
        },
        /// Publication by hierarchies, and no hierarchy.
        NoHierarchies,
        /// Publication by a hierarchy that is not there.
        NoHierarchy {
            /// The column.
            name: Name,
        },
        /// A column without levels, where one is chosen for the whole column.
        NoLevels {
            /// The column.
            name: Name,
        },
        /// A column with missing cells, where one level is chosen for the whole column.
        MissingLevel {
            /// The column.
            name: Name,
        },
        /// A hierarchy without an effect.
        IdleHierarchy {
            /// The column.
            name: Name,
        },
        /// A hierarchy that does not fit its column.
        Hierarchy {
            /// The column.
            name: Name,
            /// Why.
            why: HierarchyError,
        },
        /// A certainty penalty where means are published.
        PenaltyOfMeans {
            /// The column.
            name: Name,
            /// The loss.
            loss: &'static str,
        },
        /// A certainty penalty where a hierarchy is published.
        PenaltyOfHierarchy {
            /// The column.
            name: Name,
            /// The loss.
            loss: &'static str,
        },
        /// A certainty penalty of a column of numbers with missing cells.
        PenaltyOfMissing {
            /// The column.
            name: Name,
            /// The loss.
            loss: &'static str,
        },
        /// A certainty penalty of a column that is published by its hierarchy and has missing cells.
        PenaltyOfMissingLabels {
            /// The column.
            name: Name,
            /// The loss.
            loss: &'static str,
        },
        /// A certainty penalty by a hierarchy that has no label of all values.
        HierarchyWithoutRoot {
            /// The column.
            name: Name,
            /// A label of its last level.
            first: Cell,
            /// Another.
            second: Cell,
        },
        /// A certainty penalty by a hierarchy with a label that stands for different sets of values.
        AmbiguousLabel {
            /// The column.
            name: Name,
            /// The label.
            label: Cell,
        },
        /// A certainty penalty by a hierarchy with a label that would be read as a set of values.
        LabelInBraces {
            /// The column.
            name: Name,
            /// The label.
            label: Cell,
        },
        /// A certificate of distances that the audit does not compute.
        CertificateOfHierarchy {
            /// The column.
            name: Name,
        },
        /// Top and bottom coding that does not fit.
        Coding {
            /// The column.
            name: Name,
            /// Why.
            why: CodingMisfit,
        },
        /// A declared domain that does not fit.
        Domain {
            /// The column.
            name: Name,
            /// Why.
            why: DomainMisfit,
        },
        /// A value outside the declared domain.
        OutsideDomain {
            /// The column.
            name: Name,
            /// The row, from 1.
            row: usize,
            /// The value.
            cell: Cell,
        },
        /// Costs of changes where none is allowed.
        WishesWithoutChanges,
        /// A sensitive value preferred twice.
        PreferredTwice {
            /// The value.
            value: Name,
        },
        /// A preferred value that nobody has.
        PreferredByNobody {
            /// The value.
            value: Name,
            /// The values there are, the first of them.
            values: Vec<Name>,
            /// Whether there are more.
            more: bool,
        },
        /// A value with a cost that nobody has.
        CostOfNobody {
            /// The value.
            value: Name,
            /// The values there are, the first of them.
            values: Vec<Name>,
            /// Whether there are more.
            more: bool,
        },
        /// A cost out of its range.
        Costs {
            /// The largest cost.
            most: u64,
        },
    }

    /// A role in words.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RoleWord {
        /// A quasi-identifier.
        Quasi,
        /// The sensitive column.
        Sensitive,
        /// An identifier.
        Identifier,
        /// A column to keep.
        Keep,
        /// A column that is published unchanged.
        Unchanged,
    }

    /// Why a declared domain does not fit.
    #[derive(Clone, Debug, PartialEq)]
    pub enum DomainMisfit {
        /// The column is published by its hierarchy.
        ByHierarchy,
        /// Labels, of a column that is compared by value.
        NeedsRange,
        /// Two ends, of a column of labels.
        NeedsLabels,
        /// An end that is no value of the column.
        NoValue {
            /// What is given.
            text: Cell,
            /// What it must be.
            kind: Noun,
        },
        /// Ends that are equal or cross.
        Crossed,
        /// A label is given twice.
        Twice,
        /// Fewer than two labels.
        TooShort,
        /// A label that means "not known".
        Missing {
            /// The label.
            label: Cell,
        },
        /// Cells of which nobody can say what they are.
        Unread {
            /// Why.
            why: Unmeasurable,
        },
    }

    /// Why top and bottom coding does not fit.
    #[derive(Clone, Debug, PartialEq)]
    pub enum CodingMisfit {
        /// The column holds no numbers.
        NoNumbers,
        /// The column is published by its hierarchy.
        ByHierarchy,
        /// A limit that is no number.
        NotFinite,
        /// No limit.
        NoLimit,
        /// Limits that cross.
        Crossed {
            /// The lower one.
            bottom: Figure,
            /// The upper one.
            top: Figure,
        },
    }
}

impl std::error::Error for Misfit {}

impl Misfit {
    /// A cell of a row (from 1) whose number is beyond the largest that can be computed with.
    pub(crate) fn too_large(column: &Column, row: usize, cell: &str, most: f64) -> Self {
        let (name, most) = (column.name.as_str().into(), format!("{most:e}"));
        Self::TooLarge { name, row, cell: cell.into(), most }
    }
}

/// A cell as these messages show it: its first 40 characters.
pub(crate) fn shown(cell: &str) -> Name {
    Name(cell.chars().take(40).collect())
}
