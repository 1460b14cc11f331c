//! The files of a run as one archive (ZIP, nothing packed: the program that reads it knows each length).

use std::{
    collections::BTreeMap,
    io::{Cursor, Read as _, Write as _},
};

use zip::{CompressionMethod, ZipArchive, ZipWriter, result::ZipError, write::SimpleFileOptions};

/// Media type of an archive.
pub(crate) const MEDIA_TYPE: &str = "application/zip";

/// The files as an archive.
///
/// # Errors
/// If a name is given twice, or there is too much.
pub(crate) fn pack(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>, ZipError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options =
        SimpleFileOptions::default().compression_method(CompressionMethod::Stored).unix_permissions(0o600);
    for (name, content) in files {
        archive.start_file(name.as_str(), options.large_file(content.len() as u64 >= u64::from(u32::MAX)))?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The files of an archive, by their names; at most `largest` bytes of them.
///
/// # Errors
/// If it is none.
pub(crate) fn unpack(bytes: &[u8], largest: u64) -> Result<BTreeMap<String, Vec<u8>>, ZipError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let mut files = BTreeMap::new();
    let mut left = largest;
    for at in 0..archive.len() {
        let file = archive.by_index(at)?;
        let name = file.name()?.into_owned();
        let mut content = Vec::new();
        file.take(left).read_to_end(&mut content)?;
        left -= content.len() as u64;
        files.insert(name, content);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_comes_out_and_no_more_than_allowed() {
        let files = [(String::from("a.csv"), b"x,y\n1,2\n".to_vec()), (String::from("b"), Vec::new())];
        let bytes = pack(&files).unwrap();
        let read = unpack(&bytes, 1000).unwrap();
        assert_eq!(read, files.iter().cloned().collect());
        assert_eq!(unpack(&bytes, 3).unwrap()["a.csv"], b"x,y");
        assert!(unpack(b"no archive", 1000).is_err());
        assert!(pack(&[files[0].clone(), files[0].clone()]).is_err());
    }
}
