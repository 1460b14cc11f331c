//! A file on its way to being a table: read at once if it is plain text, else with the help of the import module.

use std::io::{Read, Seek};

use lookalike_table::{
    Error, HeaderRow, Note, Oddity, OpenOptions, RaggedHint, ReadOptions, Table, Warning, plain, read_from,
};
use lookalike_wire::opening::{AfterReading, Form, Opening};
use lookalike_words::Said;

use crate::form::{form, options, quote};

lookalike_words::messages! {
    in "file";

    /// Why a file does not become a table.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Refused {
        /// What is wrong with it.
        Table(Error),
        /// It may be that its first row is a record: what is wrong, and the field that says so.
        FirstRow {
            /// What is wrong with it.
            why: Error,
        },
        /// Its first lines may be a title: what is wrong, and the field that says so.
        Title {
            /// What is wrong with it.
            why: Error,
            /// How many.
            lines: usize,
        },
        /// The same of its last lines.
        Footer {
            /// What is wrong with it.
            why: Error,
            /// How many.
            lines: usize,
        },
        /// Its text did not come.
        NotRead,
        /// It did not come with its request.
        NoFile,
        /// What the import module says.
        Import(Said),
    }
}

impl From<Error> for Refused {
    fn from(why: Error) -> Self {
        match why {
            Error::Ragged { hint: RaggedHint::Title { lines }, .. } | Error::Titled { title: lines, .. } => {
                Self::Title { why, lines }
            }
            Error::BlankNames { title: lines @ 1.., .. } => Self::Title { why, lines },
            Error::Ragged { hint: RaggedHint::Footer { lines }, .. } => Self::Footer { why, lines },
            Error::FirstRow { .. } | Error::BlankNames { .. } | Error::DuplicateNames { .. } => {
                Self::FirstRow { why }
            }
            other => Self::Table(other),
        }
    }
}

/// Bytes that can be read from any place.
pub trait Source: Read + Seek {}

impl<S: Read + Seek> Source for S {}

/// A file that is no plain text: it waits for the import module.
#[derive(Debug)]
pub struct Arrival {
    how: Opening,
    /// What became of its text; the last attempt counts.
    table: Result<Table, Refused>,
}

/// What became of a file at first sight.
#[derive(Debug)]
pub enum First {
    /// It was plain text, and this is its table.
    Table(Table),
    /// The import module is to be asked.
    Waits(Arrival),
}

impl Arrival {
    /// Reads plain text; anything else waits for [`Arrival::read_text`]. `found` hears what the file is taken for.
    ///
    /// # Errors
    /// What is wrong with a plain text.
    pub fn begin(
        how: Opening,
        mut file: &mut dyn Source,
        found: &mut dyn FnMut(Form),
    ) -> Result<First, Refused> {
        let options = options(&how)?;
        let read = plain(&mut file, &options, &mut |taken, text| {
            found(form(taken));
            read_from(text, &taken.read_options(&options.read))
        });
        Ok(match read? {
            Some((mut table, told)) => {
                (table.notes, table.dialect) = (told.notes, told.dialect);
                table.warnings.extend(told.warnings);
                First::Table(table)
            }
            None => First::Waits(Self { how, table: Err(Refused::NotRead) }),
        })
    }

    /// Reads what the import module made of the file; true if it is not UTF-8.
    pub fn read_text(&mut self, found: &Form, text: &mut dyn Read) -> bool {
        let OpenOptions { read, skip: cut, .. } = match options(&self.how) {
            Ok(options) => options,
            Err(error) => {
                self.table = Err(error.into());
                return false;
            }
        };
        let options = ReadOptions {
            delimiter: u8::try_from(found.delimiter).ok(),
            quote: Some(quote(found.quote)),
            separator_line: found.separator_line,
            header: if found.named { HeaderRow::Keys } else { read.header },
            texts: found.texts.clone(),
            cut,
            ..read
        };
        let read = read_from(text, &options);
        let read = read.map(|table| Table { dialect: found.dialect, ..table });
        let foreign = matches!(read, Err(Error::NotUtf8 { .. }));
        self.table = read.map_err(Refused::from);
        foreign
    }

    /// The table, after the import module said what there is to say beside the text.
    ///
    /// # Errors
    /// What the module says is wrong, which goes first, or what is wrong with the text.
    pub fn finish(self, told: AfterReading) -> Result<Table, Refused> {
        let mut table = told.error.map_or(self.table, |why| Err(Refused::Import(why)))?;
        table.notes = told.notes.into_iter().map(Note::Told).collect();
        table.described = told.described;
        let odd = |said| Warning { row: None, what: Oddity::Told(said) };
        table.warnings.extend(told.warnings.into_iter().map(odd));
        Ok(table)
    }
}

/// What a file is taken for whose columns are to be chosen first.
#[must_use]
pub fn offered(told: &AfterReading) -> Option<Form> {
    told.offered.clone().filter(|_| told.error.is_none())
}

/// What an archive is taken for that does not say which of its files is meant, or a file with several tables.
#[must_use]
pub fn unclear(told: &AfterReading) -> Option<Form> {
    (!told.members.is_empty()).then(|| Form {
        members: told.members.clone(),
        named: told.tables,
        ..Form::default()
    })
}
