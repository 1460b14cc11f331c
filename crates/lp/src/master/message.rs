//! What contradicts itself in a restricted master.

use lookalike_words::Figure;

lookalike_words::messages! {
    in "lp";

    /// What contradicts itself in a restricted master. Rows, columns and cuts count from 0.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum MasterFault {
        /// It has no row.
        NoRow,
        /// A right-hand side is negative or not finite.
        Right {
            /// The row.
            row: usize,
            /// How often it is to be covered.
            times: Figure,
        },
        /// The limit of the duals is not positive and finite.
        Limit {
            /// The limit.
            limit: Figure,
        },
        /// A cost is not finite.
        Cost {
            /// The column, among the new ones.
            column: usize,
            /// Its cost.
            cost: Figure,
        },
        /// A column covers no row.
        CoversNothing {
            /// The column, among the new ones.
            column: usize,
        },
        /// A column covers a row that does not exist.
        CoversRow {
            /// The column, among the new ones.
            column: usize,
            /// The row.
            row: u32,
            /// How many rows there are.
            rows: usize,
        },
        /// A coefficient of a column is not finite, or that of a cut that does not exist.
        InCut {
            /// The column, among the new ones.
            column: usize,
            /// The coefficient.
            coefficient: Figure,
            /// The cut.
            cut: u32,
            /// How many cuts there are.
            cuts: usize,
        },
        /// The right-hand side of a cut is negative or not finite.
        CutRight {
            /// The cut, among the new ones.
            cut: usize,
            /// Its right-hand side.
            right: Figure,
        },
        /// A coefficient of a cut is not finite, or that of a column that does not exist.
        CutColumn {
            /// The cut, among the new ones.
            cut: usize,
            /// The coefficient.
            coefficient: Figure,
            /// The column.
            column: u32,
            /// How many columns there are.
            columns: usize,
        },
        /// Not each column is told whether it is kept.
        KeepColumns {
            /// Columns that are told.
            given: usize,
            /// Columns that there are.
            there: usize,
        },
        /// Not each cut is told whether it is kept.
        KeepCuts {
            /// Cuts that are told.
            given: usize,
            /// Cuts that there are.
            there: usize,
        },
        /// Not each row has a box.
        Boxes {
            /// Ends of boxes.
            given: usize,
            /// Rows.
            there: usize,
        },
        /// A box is empty or not finite.
        Box {
            /// Its row.
            row: usize,
            /// Its lower end.
            lower: Figure,
            /// Its upper end.
            upper: Figure,
        },
    }
}
