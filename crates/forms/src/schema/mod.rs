//! What the columns of a published CSV are, for the program that reads it: a Table Schema, or a syntax.
//!
//! It is made of the judged bytes. Types are those that a file with types would have ([`crate::write()`]); descriptions of columns are
//! the source's.

mod spss;
mod stata;
mod table_schema;

use lookalike_audit::Dialect;
use lookalike_model::described::Described;
use lookalike_table::{Column, ReadOptions, read};

use crate::write::typed::{Kind, Kinds};

lookalike_words::messages! {
    in "forms";

    /// What says what the columns are.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SchemaForm {
        /// A Table Schema, as JSON.
        TableSchema,
        /// A syntax of SPSS.
        Spss,
        /// A do-file of Stata.
        Stata,
    }

    /// What was made.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SchemaMade {
        /// What stands beside the text of the table.
        Beside {
            /// What it is.
            form: SchemaForm,
        },
    }

    /// Why there is none.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SchemaFault {
        /// The published table cannot be read.
        Unread {
            /// Why.
            says: String,
        },
        /// A cell has a line end, which the program takes for the end of its row.
        LineEnd {
            /// What was asked for.
            form: SchemaForm,
            /// The column, from 1.
            column: usize,
        },
        /// A cell is longer than the program takes.
        Long {
            /// What was asked for.
            form: SchemaForm,
            /// The column, from 1.
            column: usize,
            /// The most bytes.
            most: usize,
        },
    }
}

impl SchemaForm {
    /// The one for files whose names end so, in any case.
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<Self> {
        Some(match ending.to_ascii_lowercase().as_str() {
            "json" => Self::TableSchema,
            "sps" => Self::Spss,
            "do" => Self::Stata,
            _ => return None,
        })
    }
}

/// Whole numbers up to here are numbers of floating point, too.
const EXACT: u64 = 1 << 53;

/// A column of the published table.
struct Field<'a> {
    column: &'a Column,
    kind: Kind,
    /// What the source says of it; blank if nothing.
    label: &'a str,
}

/// Says what the columns of the published bytes are, which have this form and are called so. The bytes depend on the arguments alone.
///
/// # Errors
/// If the program that is to read them would not read these cells.
pub fn schema(
    form: SchemaForm,
    (name, published, dialect): (&str, &[u8], Dialect),
    described: &[Described],
) -> Result<Vec<u8>, SchemaFault> {
    let options = ReadOptions { delimiter: Some(dialect.delimiter), ..ReadOptions::default() };
    let table = read(published, &options)
        .map_err(|why| SchemaFault::Unread { says: why.to_string().trim_end_matches('.').to_owned() })?;
    let fields: Vec<Field> = table.columns.iter().map(|column| Field::of(column, described)).collect();
    let text = match form {
        SchemaForm::TableSchema => table_schema::text(&fields),
        SchemaForm::Spss => spss::text((name, dialect), &fields)?,
        SchemaForm::Stata => stata::text((name, dialect), &fields)?,
    };
    Ok(text.into_bytes())
}

impl<'a> Field<'a> {
    fn of(column: &'a Column, described: &'a [Described]) -> Self {
        let said = described.iter().find(|said| said.column == column.name);
        Field { column, kind: Kinds::of(column).kind(), label: said.map_or("", |said| said.label.as_str()) }
    }

    /// Refuses cells of several lines.
    fn of_one_line(&self, form: SchemaForm, at: usize) -> Result<(), SchemaFault> {
        let several = |cell: &str| cell.contains(['\n', '\r']);
        if self.column.values.iter().any(several) || several(&self.column.name) {
            return Err(SchemaFault::LineEnd { form, column: at + 1 });
        }
        Ok(())
    }

    /// What its cells are for a program whose numbers are those of floating point, and whose days begin at this one: what would not stay
    /// what it is there is a text.
    fn kind_from(&self, first_day: &str) -> Kind {
        let known = || self.column.values.iter().filter(|cell| !cell.is_empty());
        let is_exact = |cell: &str| cell.parse::<i64>().is_ok_and(|number| number.unsigned_abs() <= EXACT);
        match self.kind {
            Kind::Whole if !known().all(is_exact) => Kind::Text,
            // Days are spelled as in ISO 8601, a year before Christ with a sign.
            Kind::Day if known().any(|cell| cell.starts_with('-') || cell < first_day) => Kind::Text,
            kind => kind,
        }
    }

    /// Bytes of the longest cell.
    fn longest(&self) -> usize {
        self.column.values.iter().map(str::len).max().unwrap_or_default()
    }

    /// A label for a column that the program calls so: its own name where that is another one, and what the source says of it.
    fn label(&self, called: &str) -> String {
        match (self.column.name.as_str(), self.label) {
            (name, "") if name == called => String::new(),
            (name, label) if name == called => label.to_owned(),
            (name, "") => name.to_owned(),
            (name, label) => format!("{name}: {label}"),
        }
    }
}

/// A text in double quotes, on one line, of at most so many bytes.
fn quoted(text: &str, most: usize) -> String {
    let mut line = text.replace(['\n', '\r'], " ");
    while line.len() > most {
        line.pop();
    }
    format!("\"{}\"", line.replace('"', "\"\""))
}

#[cfg(test)]
mod tests;
