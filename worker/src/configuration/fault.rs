//! What of a configuration file does not fit.

use lookalike_words::Name;

lookalike_words::messages! {
    in "worker";

    /// What of a configuration file does not fit.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum ConfigFault {
        /// Its bytes are not UTF-8.
        NotUtf8 {
            /// The file.
            path: String,
        },
        /// A flag gives a column another role than the file.
        OtherRole {
            /// The flag.
            flag: &'static str,
            /// The column.
            column: Name,
            /// The file.
            path: String,
            /// What it makes of it.
            role: RoleInFile,
            /// A flag that replaces the role's columns.
            instead: Option<String>,
        },
    }

    /// A role in a configuration.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum RoleInFile {
        /// A quasi-identifier.
        Quasi,
        /// The sensitive column.
        Sensitive,
        /// A column to keep.
        Keep,
        /// A column that is published unchanged.
        Unchanged,
        /// An identifier.
        Identifier,
    }
}
