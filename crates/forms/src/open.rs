//! Files as people have them, with columns that have types or without.

use std::io::{Cursor, Read, Seek};

use lookalike_table::{Consume, Error, OpenOptions, Remarks, Table, read_from, unpacked_if};

use crate::{
    FormFault, FormName,
    form::{form, form_of},
};

/// Reads a table of any form, as [`lookalike_table::open`] reads those without types.
///
/// # Errors
/// As [`lookalike_table::open`]; a file that is damaged, locked or made in a way that is not read; a column that is asked for and
/// whose cells have no text; what only a text has and was chosen all the same.
pub fn open<R: Read + Seek + Send + 'static>(source: R, options: &OpenOptions) -> Result<Table, Error> {
    let (mut table, told) =
        decode(source, options, &mut |form, text| read_from(text, &form.read_options(&options.read)))?;
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
    mut source: R,
    options: &OpenOptions,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    if form(&mut source)?.is_none()
        && let Some((bytes, note)) = unpacked_if(&mut source, options, &|begun| form_of(begun).is_some())?
    {
        let options = OpenOptions { member: None, ..options.clone() };
        let (done, mut told) = plain(Cursor::new(bytes), &options, consume).map_err(|why| match why {
            Error::Tables { members: tables, .. } => FormFault::PackedTables { tables }.into(),
            other => other,
        })?;
        told.notes.insert(0, note);
        return Ok((done, told));
    }
    plain(source, options, consume)
}

/// The same of a file that is not packed, or holds a text.
fn plain<R: Read + Seek + Send + 'static, T>(
    mut source: R,
    options: &OpenOptions,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    match form(&mut source)? {
        #[cfg(feature = "parquet")]
        Some(FormName::Parquet) => {
            let mut file = crate::parquet_file::ParquetFile::open(source)?;
            crate::text::consumed(&mut file, options, consume)
        }
        #[cfg(feature = "arrow")]
        Some(FormName::Arrow) => {
            let mut file = crate::ipc::ArrowFile::open(source)?;
            crate::text::consumed(&mut file, options, consume)
        }
        #[cfg(feature = "arrow")]
        Some(FormName::ArrowStream) => {
            let mut stream = crate::ipc::ArrowStream::open(source)?;
            crate::text::consumed(&mut stream, options, consume)
        }
        #[cfg(feature = "stata")]
        Some(FormName::Stata) => {
            let mut file = crate::stata::StataFile::open(source, options.encoding.as_deref())?;
            crate::text::consumed(&mut file, options, consume)
        }
        #[cfg(feature = "spss")]
        Some(FormName::Spss) => {
            let mut file = crate::spss::SpssFile::open(source, options.encoding.as_deref())?;
            crate::text::consumed(&mut file, options, consume)
        }
        #[cfg(feature = "sas")]
        Some(FormName::Sas) => {
            let mut file = crate::sas::SasFile::open(source, options.encoding.as_deref())?;
            crate::text::consumed(&mut file, options, consume)
        }
        #[cfg(feature = "sas")]
        Some(FormName::SasTransport) => {
            let (encoding, table) = (options.encoding.as_deref(), options.member.as_deref());
            let mut file = crate::sas::XportFile::open(source, encoding, table)?;
            crate::text::consumed(&mut file, options, consume)
        }
        #[cfg(not(feature = "sas"))]
        Some(form @ (FormName::Sas | FormName::SasTransport)) => Err(FormFault::NotRead { form }.into()),
        _ => lookalike_table::decode(source, options, consume),
    }
}
