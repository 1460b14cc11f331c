//! What can be wrong with a configuration.

use std::fmt;

use lookalike_model::settings::Misplaced;
use lookalike_words::{Cell, Figure, Message as _, Name, Said};

/// What is wrong, and where: "fields[2].lookalike.role: ...".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Path of the property; empty for the whole.
    pub path: String,
    /// What is wrong with it.
    pub fault: Fault,
}

impl Error {
    pub(crate) fn at(path: impl Into<String>, fault: Fault) -> Self {
        Self { path: path.into(), fault }
    }

    /// It as a message.
    #[must_use]
    pub fn said(&self) -> Said {
        if self.path.is_empty() {
            return self.fault.said();
        }
        ConfigError::At { path: self.path.clone(), fault: self.fault.clone() }.said()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(f)
    }
}

impl std::error::Error for Error {}

impl From<Error> for Said {
    fn from(error: Error) -> Self {
        error.said()
    }
}

lookalike_words::messages! {
    in "wire";

    /// What is wrong, at its place.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum ConfigError {
        /// At a property.
        At {
            /// Its path.
            path: String,
            /// What is wrong there.
            fault: Fault,
        },
    }

    /// What is wrong with a property of a configuration, or with the whole of it.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Fault {
        /// The file is not JSON.
        NotJson {
            /// Why and where.
            why: String,
        },
        /// It must be an object.
        NotObject,
        /// It must be a list.
        NotList,
        /// A table schema without fields.
        NoFields,
        /// A data package, which holds table schemas.
        DataPackage,
        /// A field without a name.
        NoName,
        /// Two fields of one column.
        FieldTwice {
            /// The column.
            name: Name,
        },
        /// Markers of one column alone.
        MarkersOfColumn,
        /// A marker that is no text.
        NotMarker,
        /// A second sensitive column.
        SecondSensitive {
            /// The first one.
            other: Name,
        },
        /// A version of the property that is not known here.
        Version {
            /// The newest that is.
            newest: u64,
        },
        /// A seed.
        Seed,
        /// Roles are said in the fields.
        RoleElsewhere,
        /// What is said by column is said in the fields.
        ColumnElsewhere,
        /// A property that is not known.
        Unknown {
            /// Those that are.
            known: Vec<&'static str>,
        },
        /// A part of the property that is not known.
        UnknownPart {
            /// The part.
            part: Name,
            /// Those that are known.
            known: Vec<&'static str>,
        },
        /// A part of the property is missing.
        NoPart {
            /// The part.
            part: Name,
        },
        /// A part of the property stands twice.
        PartTwice {
            /// The part.
            part: Name,
        },
        /// A text that is none of the values that there are.
        NoChoice {
            /// The text.
            text: Cell,
            /// The values.
            known: Vec<&'static str>,
        },
        /// A value of another type.
        Type {
            /// What is wanted.
            wanted: Wanted,
            /// What stands there.
            found: Found,
        },
        /// Another number of items than is wanted.
        Length {
            /// How many stand there.
            items: usize,
            /// What is wanted, in the words of who reads it.
            wanted: String,
        },
        /// An option that the method does not take.
        Misplaced {
            /// Which one.
            fault: Misplaced,
        },
        /// Anything else that does not fit.
        Unfit {
            /// Why.
            why: String,
        },
        /// No guarantee is asked for.
        NoModel,
        /// The settings hold a number that JSON has not.
        NotFinite,
        /// The hierarchy of a column is in a file that cannot be read here.
        Linked {
            /// The column.
            column: Name,
            /// The file.
            file: Name,
        },
        /// Columns that the table lacks.
        NoColumns {
            /// Which.
            lacking: Vec<Lacking>,
        },
    }

    /// A column that the table lacks.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Lacking {
        /// With names that may have been meant.
        Column {
            /// Its name.
            name: Name,
            /// Names of the table that are near.
            near: Vec<Name>,
        },
    }

    /// What a value must be.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Wanted {
        /// True or false.
        Truth,
        /// A whole number of at least 0.
        Whole,
        /// A number.
        Number,
        /// A text.
        Text,
        /// A list.
        List,
        /// An object.
        Object,
        /// Something else, in the words of who reads it.
        Other {
            /// What.
            what: String,
        },
    }

    /// What stands in its place.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Found {
        /// True or false.
        Truth {
            /// Which.
            truth: bool,
        },
        /// A number.
        Number {
            /// Which.
            number: Figure,
        },
        /// A text.
        Text {
            /// Which.
            text: Cell,
        },
        /// Null.
        Null,
        /// A list.
        List,
        /// An object.
        Object,
        /// Something else, in the words of who reads it.
        Other {
            /// What.
            what: String,
        },
    }

    /// What of a configuration was passed over, or is still to be done.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Note {
        /// A property of Frictionless without a meaning here.
        Ignored {
            /// Its path.
            path: String,
        },
        /// A type without a meaning here: the cells decide.
        CellsDecide {
            /// Its path.
            path: String,
        },
        /// The hierarchy of a column is in a file of its own, which the page does not have.
        HierarchyInFile {
            /// The column.
            column: Name,
            /// The file.
            file: Name,
        },
        /// It says which lines of the table's file are no part of it.
        Skipped {
            /// How many at the beginning.
            first: usize,
            /// How many at the end.
            last: usize,
        },
        /// It asks for no guarantee.
        NoGuarantee,
    }
}

impl std::error::Error for Fault {}
