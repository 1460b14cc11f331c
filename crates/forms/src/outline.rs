//! What a file says of its columns before its rows are read.

#[cfg(feature = "cells")]
use arrow_schema::DataType;
#[cfg(feature = "cells")]
use lookalike_table::trimmed;

use crate::FormName;
#[cfg(feature = "cells")]
use crate::columns::Columns;

lookalike_words::messages! {
    in "forms";

    /// What the cells of a column are, by its type.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TypeName {
        /// Whole numbers.
        Whole,
        /// Other numbers.
        Number,
        /// Texts, labels.
        Text,
        /// True or false.
        Truth,
        /// Days.
        Day,
        /// Days with a time.
        Moment,
        /// Times of day.
        Clock,
        /// Nothing but nulls.
        Null,
        /// What has no text, such as lists: not read.
        Other,
    }
}

/// A file whose columns have types, before its rows are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// What it is.
    pub form: FormName,
    /// Its length, unpacked.
    pub bytes: u64,
    /// Its columns in its order: names without blanks around them, and types.
    pub columns: Vec<(String, TypeName)>,
}

impl Outline {
    /// Whether each of its names belongs to one column: only then can columns be chosen by their names.
    #[must_use]
    pub fn has_distinct_names(&self) -> bool {
        let mut names: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.windows(2).all(|pair| pair[0] != pair[1])
    }

    #[cfg(feature = "cells")]
    pub(crate) fn of(file: &dyn Columns, bytes: u64) -> Self {
        let schema = file.schema();
        let column =
            |field: &arrow_schema::FieldRef| (trimmed(field.name()).to_owned(), type_name(field.data_type()));
        Self { form: file.form(), bytes, columns: schema.fields().iter().map(column).collect() }
    }
}

#[cfg(feature = "cells")]
fn type_name(of: &DataType) -> TypeName {
    if crate::cells::texts(&arrow_array::new_empty_array(of), false).is_none() {
        return TypeName::Other;
    }
    match of {
        DataType::Dictionary(_, values) => type_name(values),
        DataType::Boolean => TypeName::Truth,
        DataType::Date32 | DataType::Date64 => TypeName::Day,
        DataType::Timestamp(..) => TypeName::Moment,
        DataType::Time32(_) | DataType::Time64(_) => TypeName::Clock,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => TypeName::Text,
        DataType::Null => TypeName::Null,
        of if of.is_integer() => TypeName::Whole,
        of if of.is_numeric() => TypeName::Number,
        _ => TypeName::Text,
    }
}
