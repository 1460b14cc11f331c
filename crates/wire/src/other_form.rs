//! Forms in which the page saves what was published, beside its text.

use serde::{Deserialize, Serialize};

/// A form of file, beside text, that the page saves a published table in, or says in what its columns are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OtherForm {
    /// An XLSX workbook.
    Workbook,
    /// Parquet.
    Parquet,
    /// A file of Arrow.
    Arrow,
    /// A JSON object a line.
    JsonLines,
    /// Stata.
    Stata,
    /// SAS's form for transport.
    Xport,
    /// A Table Schema of the text.
    TableSchema,
    /// A syntax of SPSS that reads the text.
    SpssSyntax,
    /// A do-file of Stata that reads the text.
    StataDo,
}

impl OtherForm {
    /// All that have the table in them.
    pub const TABLES: [Self; 6] =
        [Self::Workbook, Self::Parquet, Self::Arrow, Self::JsonLines, Self::Stata, Self::Xport];

    /// All that stand beside the text.
    pub const SCHEMAS: [Self; 3] = [Self::TableSchema, Self::SpssSyntax, Self::StataDo];

    /// The ending of a file's name.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Workbook => "xlsx",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::JsonLines => "jsonl",
            Self::Stata => "dta",
            Self::Xport => "xpt",
            Self::TableSchema => "json",
            Self::SpssSyntax => "sps",
            Self::StataDo => "do",
        }
    }

    /// What people call it, in every language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Workbook => "Excel",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
            Self::JsonLines => "JSON Lines",
            Self::Stata | Self::StataDo => "Stata",
            Self::Xport => "SAS",
            Self::TableSchema => "Table Schema",
            Self::SpssSyntax => "SPSS",
        }
    }

    /// The form of a table in a file with this name, where it has one of them.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        let ending = if ending.eq_ignore_ascii_case("feather") { "arrow" } else { ending };
        Self::TABLES.into_iter().find(|form| form.ending().eq_ignore_ascii_case(ending))
    }
}
