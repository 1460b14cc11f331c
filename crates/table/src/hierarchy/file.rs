//! The file form of ARX: `value;level1;level2;*`, no header.

use csv::{ErrorKind, QuoteStyle, ReaderBuilder, StringRecord, WriterBuilder};

use super::{Hierarchy, HierarchyError};
use crate::Quote;

impl Hierarchy {
    /// Reads the ARX form: a line a value, no header, fields separated by semicolons or, if the first line has none
    /// outside quotes, by commas. UTF-8 with or without byte-order mark; quotes and line ends as in any CSV; blank
    /// lines do not count.
    ///
    /// # Errors
    /// As [`Hierarchy::new`], and if the bytes are no UTF-8. Rows are lines of the file.
    pub fn read(bytes: &[u8]) -> Result<Self, HierarchyError> {
        Self::read_as(bytes, delimiter(bytes), Quote::default())
    }

    /// Reads text of this dialect.
    pub(super) fn read_as(bytes: &[u8], delimiter: u8, quote: Quote) -> Result<Self, HierarchyError> {
        let mut builder = ReaderBuilder::new();
        match quote {
            Quote::Mark(mark) => builder.quote(mark),
            Quote::Off => builder.quoting(false),
        };
        let mut reader = builder.delimiter(delimiter).has_headers(false).flexible(true).from_reader(bytes);
        let (mut rows, mut lines) = (Vec::new(), Vec::new());
        let mut record = StringRecord::new();
        let mut lines_before = LineCounter { bytes, at: 0, line: 1 };
        loop {
            let line = lines_before.of_record(reader.position().byte() as usize);
            match reader.read_record(&mut record) {
                Ok(false) => break,
                Ok(true) => {
                    lines.push(line);
                    rows.push(record.iter().map(String::from).collect());
                }
                Err(error) => {
                    return Err(match error.kind() {
                        ErrorKind::Utf8 { err, .. } => {
                            HierarchyError::NotUtf8 { row: line, column: err.field() + 1 }
                        }
                        _ => HierarchyError::Malformed { why: error.to_string() },
                    });
                }
            }
        }
        Self::build(&rows, |row| lines[row])
    }

    /// Writes the ARX form: semicolons, LF, quotes only where needed, UTF-8. What was read from such bytes is written
    /// byte for byte.
    ///
    /// # Errors
    /// [`HierarchyError::Malformed`] if the CSV writer gives up, which memory never makes it do.
    pub fn write(&self) -> Result<Vec<u8>, HierarchyError> {
        let malformed = |error: &dyn std::fmt::Display| HierarchyError::Malformed { why: error.to_string() };
        let mut writer =
            WriterBuilder::new().delimiter(b';').quote_style(QuoteStyle::Necessary).from_writer(Vec::new());
        for value in 0..self.len() {
            writer.write_record(self.row(value)).map_err(|e| malformed(&e))?;
        }
        let bytes = writer.into_inner().map_err(|e| malformed(&e))?;
        // A mark at the very start would be taken for that of the encoding.
        Ok(if bytes.starts_with(b"\xef\xbb\xbf") {
            [b"\xef\xbb\xbf", bytes.as_slice()].concat()
        } else {
            bytes
        })
    }
}

/// Counts lines up to the records of a file, one after the other: the `csv` crate does not count the blank lines that
/// it skips.
struct LineCounter<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl LineCounter<'_> {
    /// 1-based line of the record that the reader finds from this offset on.
    fn of_record(&mut self, from: usize) -> usize {
        while let Some(&byte) = self.bytes.get(self.at) {
            let ends = byte == b'\n' || (byte == b'\r' && self.bytes.get(self.at + 1) != Some(&b'\n'));
            if self.at >= from && !matches!(byte, b'\r' | b'\n') {
                break;
            }
            self.line += usize::from(ends);
            self.at += 1;
        }
        self.line
    }
}

/// A semicolon, unless the first line has none outside quotes but a comma.
pub(super) fn delimiter(bytes: &[u8]) -> u8 {
    let (mut quoted, mut comma) = (false, false);
    let start = bytes.iter().position(|b| !matches!(b, b'\r' | b'\n')).unwrap_or(0);
    for byte in &bytes[start..] {
        match byte {
            b'"' => quoted = !quoted,
            b';' if !quoted => return b';',
            b',' if !quoted => comma = true,
            b'\r' | b'\n' if !quoted => break,
            _ => {}
        }
    }
    if comma { b',' } else { b';' }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DISEASES: &str = "bronchitis;respiratory tract infection;respiratory & digestive system disease;*\n\
                            flu;respiratory tract infection;respiratory & digestive system disease;*\n\
                            gastric ulcer;stomach disease;respiratory & digestive system disease;*\n\
                            \"a;b\";\"say \"\"so\"\"\";é;*\n";

    #[test]
    fn an_arx_file_comes_back_byte_for_byte() {
        let hierarchy = Hierarchy::read(DISEASES.as_bytes()).unwrap();
        assert_eq!((hierarchy.len(), hierarchy.height()), (4, 3));
        assert_eq!(hierarchy.label(1, 1), "respiratory tract infection");
        assert_eq!(hierarchy.label(3, 0), "a;b");
        assert_eq!(String::from_utf8(hierarchy.write().unwrap()).unwrap(), DISEASES);
    }

    #[test]
    fn commas_marks_and_line_ends() {
        let expected = Hierarchy::read(b"1;[1-2];*\n2;[1-2];*\n").unwrap();
        for same in [
            "1,[1-2],*\n2,[1-2],*\n",
            "\u{feff}1;[1-2];*\r\n2;[1-2];*",
            "\n\n1;[1-2];*\n\n2;[1-2];*\n",
            "\"1\",\"[1-2]\",\"*\"\n2,[1-2],*",
        ] {
            assert_eq!(Hierarchy::read(same.as_bytes()).unwrap(), expected, "{same:?}");
        }
    }

    #[test]
    fn errors_name_value_row_and_column() {
        let refused = |text: &str| Hierarchy::read(text.as_bytes()).unwrap_err().to_string();
        let cases: [(&str, &[&str]); 7] = [
            ("", &["empty"]),
            ("\n\n", &["empty"]),
            ("a\nb\n", &["one column only", "semicolons"]),
            ("a;x;*\n\nb;x\n", &["row 3", "'b'", "2 columns", "first row has 3"]),
            ("a;x;*\nb;x;*\n a ;y;*\n", &["row 3", "column 1", "' a '", "row 1"]),
            ("a;x;1\nb;y;2\nc;x;2\n", &["row 3", "column 3", "'x'", "'2'", "'1' in row 1"]),
            (&format!("a{}\n", ";*".repeat(65)), &["65 levels", "64"]),
        ];
        for (text, said) in cases {
            let message = refused(text);
            assert!(said.iter().all(|part| message.contains(part)), "{text:?}: {message}");
        }
        let message = Hierarchy::read(b"a;*\nb;\xff\n").unwrap_err().to_string();
        assert!(message.contains("row 2") && message.contains("column 2"), "{message}");
    }

    proptest! {
        /// Any labels: reading undoes writing, and writing undoes reading.
        #[test]
        fn reading_undoes_writing(
            values in prop::collection::btree_set("[a-c;,\" \n\r\u{feff}é]{0,4}", 1..8),
            labels in prop::collection::vec("[a-c;,\" \n\u{feff}é]{0,4}", 8),
        ) {
            let rows: Vec<Vec<String>> = values.iter().zip(&labels)
                .map(|(value, label)| vec![value.clone(), label.clone(), String::from("*")])
                .collect();
            // Values that differ in white space only are one value.
            let Ok(hierarchy) = Hierarchy::new(&rows) else { return Ok(()) };
            prop_assert_eq!(hierarchy.rows(), rows);
            let bytes = hierarchy.write().unwrap();
            let again = Hierarchy::read(&bytes).unwrap();
            prop_assert_eq!(&again, &hierarchy);
            prop_assert_eq!(again.write().unwrap(), bytes);
        }

        #[test]
        fn never_panics(bytes in any::<Vec<u8>>(), text in "[ab;,\"\n*]{0,40}") {
            for bytes in [bytes.as_slice(), text.as_bytes()] {
                match Hierarchy::read(bytes) {
                    Ok(hierarchy) => prop_assert_eq!(&Hierarchy::new(&hierarchy.rows()).unwrap(), &hierarchy),
                    Err(error) => prop_assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
}
