//! Why flags make no check.

use lookalike_words::Name;

lookalike_words::messages! {
    in "worker";

    /// Why flags make no check.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum CheckFault {
        /// A column that is not in the table.
        NoColumn {
            /// Its name.
            name: Name,
            /// The columns there are.
            columns: Vec<Name>,
        },
        /// A configuration without a guarantee.
        NoGuarantee,
        /// A configuration of a method whose rows are of their own, and nothing to hold them against.
        OwnRows {
            /// The method.
            method: String,
        },
        /// An original without its use.
        OriginalAlone,
        /// Persons with several rows, and nothing that says whose the rows are.
        PersonsNeedOriginal {
            /// The column with their keys.
            column: Name,
        },
        /// A flag of a model that is not asked for.
        OtherModel {
            /// The flag.
            flag: String,
            /// Its model.
            model: String,
        },
        /// A model without its parameter.
        Needs {
            /// The model.
            model: String,
            /// The flag.
            flag: &'static str,
        },
        /// A notion between two tables, and one table.
        NeedsOriginal {
            /// The notion.
            notion: String,
        },
        /// c without recursive diversity.
        OfVariant,
        /// An order without the ordered distance.
        OfDistance,
        /// Two orders of one column's values.
        OrderTwice {
            /// The column.
            column: Name,
        },
        /// An order of a column's values that nothing asked goes by.
        OrderUnused {
            /// The column.
            column: Name,
        },
        /// A repair without sensitive values.
        RepairWithoutSensitive,
        /// A certificate and two guarantees.
        TwoModels,
        /// A certificate of another loss.
        OtherLoss {
            /// The configuration's.
            asked: String,
            /// The certificate's.
            certified: String,
        },
        /// A flag of a series without its model.
        OfSeries {
            /// The flag.
            flag: &'static str,
        },
        /// More than one model of a series.
        OneGuarantee,
        /// A flag of one table beside a series.
        OfOneTable {
            /// The flag.
            flag: &'static str,
        },
        /// A guarantee over releases, with a flag of one table and no other release.
        OfOneRelease {
            /// The flag.
            flag: &'static str,
            /// The guarantee.
            model: &'static str,
        },
        /// A release without the class column.
        NoClass {
            /// The release, from 1.
            release: usize,
            /// The column.
            class: Name,
        },
        /// A release that is no file.
        NoFile,
    }
}
