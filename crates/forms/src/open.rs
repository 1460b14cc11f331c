//! Files as people have them, with columns that have types or without.

use std::io::{Cursor, Read, Seek, SeekFrom};

use lookalike_table::{Consume, Error, OpenOptions, Remarks, Table, read_from, unpacked_if};

#[cfg(feature = "cells")]
use crate::columns::Columns;
use crate::{
    FormFault, FormName,
    form::{form, form_of, rewound},
    outline::Outline,
};

/// Who reads the rows of a file.
pub(crate) struct Reader<'a, 'b, T> {
    /// Reads the text of them.
    pub(crate) text: &'a mut Consume<'b, T>,
    /// Takes the table of columns that are coded one by one, if a whole table is wanted.
    pub(crate) table: Option<fn(Table) -> T>,
}

/// Reads a table of any form, as [`lookalike_table::open`] reads those without types.
///
/// # Errors
/// As [`lookalike_table::open`]; a file that is damaged, locked or made in a way that is not read; a column that is asked for and
/// whose cells have no text; what only a text has and was chosen all the same.
pub fn open<R: Read + Seek + Send + 'static>(source: R, options: &OpenOptions) -> Result<Table, Error> {
    let mut reader = Reader {
        text: &mut |form, text| read_from(text, &form.read_options(&options.read)),
        table: Some(|table| table),
    };
    let all = read(source, options, &mut |_| false, &mut reader)?;
    // Nothing asks to leave it unread.
    let (mut table, told) = all.ok_or(Error::Vanished)?;
    table.notes.splice(0..0, told.notes);
    table.described = told.described;
    table.dialect = told.dialect;
    table.warnings.extend(told.warnings);
    Ok(table)
}

/// Finds out what a file is and lets `consume` read the text of its cells, as [`lookalike_table::decode`] does.
///
/// # Errors
/// As [`open`] without what concerns the table, and what `consume` says.
pub fn decode<R: Read + Seek + Send + 'static, T>(
    source: R,
    options: &OpenOptions,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    let all = decode_unless(source, options, &mut |_| false, consume)?;
    // Nothing asks to leave it unread.
    all.ok_or(Error::Vanished)
}

/// As [`decode`], but a file whose columns have types is first told to `leaves`, before its rows are read; `None` if that says true, and
/// nothing was read.
///
/// # Errors
/// As [`decode`].
pub fn decode_unless<R: Read + Seek + Send + 'static, T>(
    source: R,
    options: &OpenOptions,
    leaves: &mut dyn FnMut(&Outline) -> bool,
    consume: &mut Consume<'_, T>,
) -> Result<Option<(T, Remarks)>, Error> {
    read(source, options, leaves, &mut Reader { text: consume, table: None })
}

fn read<R: Read + Seek + Send + 'static, T>(
    mut source: R,
    options: &OpenOptions,
    leaves: &mut dyn FnMut(&Outline) -> bool,
    reader: &mut Reader<'_, '_, T>,
) -> Result<Option<(T, Remarks)>, Error> {
    if form(&mut source)?.is_none()
        && let Some((bytes, note)) = unpacked_if(&mut source, options, &|begun| form_of(begun).is_some())?
    {
        let options = OpenOptions { member: None, ..options.clone() };
        let done = plain(Cursor::new(bytes), &options, leaves, reader).map_err(|why| match why {
            Error::Tables { members: tables, .. } => FormFault::PackedTables { tables }.into(),
            other => other,
        })?;
        return Ok(done.map(|(done, mut told)| {
            told.notes.insert(0, note);
            (done, told)
        }));
    }
    plain(source, options, leaves, reader)
}

/// The same of a file that is not packed, or holds a text.
fn plain<R: Read + Seek + Send + 'static, T>(
    mut source: R,
    options: &OpenOptions,
    leaves: &mut dyn FnMut(&Outline) -> bool,
    reader: &mut Reader<'_, '_, T>,
) -> Result<Option<(T, Remarks)>, Error> {
    let Some(form) = form(&mut source)? else {
        return lookalike_table::decode(source, options, reader.text).map(Some);
    };
    #[cfg(feature = "cells")]
    {
        let bytes = source.seek(SeekFrom::End(0)).map_err(|error| Error::from_io(&error))?;
        rewound(&mut source)?;
        match typed(source, form, options)? {
            Ok(mut file) => {
                if leaves(&Outline::of(&*file, bytes)) {
                    return Ok(None);
                }
                crate::text::consumed(&mut *file, options, reader).map(Some)
            }
            Err(source) => lookalike_table::decode(source, options, reader.text).map(Some),
        }
    }
    #[cfg(not(feature = "cells"))]
    {
        let _ = (form, leaves);
        lookalike_table::decode(source, options, reader.text).map(Some)
    }
}

/// The columns of a file of this form; the file itself, if this program was built without it.
#[cfg(feature = "cells")]
fn typed<R: Read + Seek + Send + 'static>(
    source: R,
    form: FormName,
    options: &OpenOptions,
) -> Result<Result<Box<dyn Columns>, R>, Error> {
    let (encoding, table) = (options.encoding.as_deref(), options.member.as_deref());
    Ok(Ok(match form {
        #[cfg(feature = "parquet")]
        FormName::Parquet => Box::new(crate::parquet_file::ParquetFile::open(source)?),
        #[cfg(feature = "arrow")]
        FormName::Arrow => Box::new(crate::ipc::ArrowFile::open(source)?),
        #[cfg(feature = "arrow")]
        FormName::ArrowStream => Box::new(crate::ipc::ArrowStream::open(source)?),
        #[cfg(feature = "stata")]
        FormName::Stata => Box::new(crate::stata::StataFile::open(source, encoding)?),
        #[cfg(feature = "spss")]
        FormName::Spss => Box::new(crate::spss::SpssFile::open(source, encoding)?),
        #[cfg(feature = "sas")]
        FormName::Sas => Box::new(crate::sas::SasFile::open(source, encoding)?),
        #[cfg(feature = "sas")]
        FormName::SasTransport => Box::new(crate::sas::XportFile::open(source, encoding, table)?),
        #[cfg(not(feature = "sas"))]
        FormName::Sas | FormName::SasTransport => return Err(FormFault::NotRead { form }.into()),
        #[cfg(not(all(feature = "parquet", feature = "arrow", feature = "stata", feature = "spss")))]
        _ => return Ok(Err(source)),
    }))
}
