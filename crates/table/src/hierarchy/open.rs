//! Hierarchy files as people have them: encoding and dialect are found out, and said.

use std::io::Read;

use super::{Hierarchy, HierarchyError, file};
use crate::{
    Delimiter, Error, Note, dialect,
    encoding::{Charset, Decoded, Guess},
};

impl Hierarchy {
    /// Reads the ARX form, as [`Hierarchy::read`] does, in any encoding, delimiter and quotation mark that a table may
    /// have, and says what it was taken for. A semicolon in the first line settles the delimiter, since labels may hold
    /// every other one.
    ///
    /// # Errors
    /// As [`Hierarchy::new`]; [`HierarchyError::NoText`] if the bytes are no text.
    pub fn open(bytes: &[u8]) -> Result<(Self, Vec<Note>), HierarchyError> {
        let no_text = |why| HierarchyError::NoText { why };
        let guess = match Guess::by_beginning(bytes) {
            // It may end within a character.
            Some(guess) if guess.encoding != Charset::UTF_8 || std::str::from_utf8(bytes).is_ok() => guess,
            _ => Guess::by_all(&mut &*bytes).map_err(no_text)?,
        };
        let mut decoded = Vec::new();
        Decoded::new(bytes, guess.encoding)
            .read_to_end(&mut decoded)
            .map_err(|error| no_text(Error::from_io(&error)))?;
        let semicolon =
            Some(b';').filter(|_| file::delimiter(&decoded) == b';' && first_line(&decoded).contains(&b';'));
        let found = dialect::detect(&decoded, true, semicolon, None);
        let hierarchy = Self::read_as(&decoded, found.delimiter, found.quote)?;
        let mut notes = vec![Note::Encoding { encoding: guess.encoding.name(), why: guess.why }];
        let delimiter = Delimiter::usual(found.delimiter);
        notes.extend(delimiter.map(|delimiter| Note::HierarchyDelimiter { delimiter }));
        if found.quote == crate::Quote::Mark(b'\'') {
            notes.push(Note::SingleQuotes);
        }
        Ok((hierarchy, notes))
    }
}

fn first_line(text: &[u8]) -> &[u8] {
    text.split(|byte| matches!(byte, b'\r' | b'\n')).find(|line| !line.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use encoding_rs::WINDOWS_1252;

    use super::*;

    const TOWNS: &str =
        "Münster;Nordrhein-Westfalen;*\nKöln;Nordrhein-Westfalen;*\nGörlitz;Sachsen, Süd|Ost;*\n";

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn any_encoding_makes_the_same_hierarchy() {
        let expected = Hierarchy::read(TOWNS.as_bytes()).unwrap();
        let marked = [b"\xef\xbb\xbf", TOWNS.as_bytes()].concat();
        for (bytes, name) in [
            (TOWNS.as_bytes().to_vec(), "UTF-8"),
            (marked, "UTF-8"),
            (WINDOWS_1252.encode(TOWNS).0.into_owned(), "windows-1252"),
            (utf16(TOWNS), "UTF-16LE"),
            (utf16(&format!("\u{feff}{TOWNS}")), "UTF-16LE"),
        ] {
            let (hierarchy, notes) = Hierarchy::open(&bytes).unwrap();
            assert_eq!(hierarchy, expected, "{name}");
            assert!(notes[0].to_string().starts_with(&format!("encoding: {name}, ")), "{notes:?}");
            assert_eq!(notes[1].to_string(), "delimiter: semicolon");
        }
    }

    #[test]
    fn delimiters_and_quotes_are_found_out() {
        let expected = Hierarchy::read("1;[1, 2];*\n2;[1, 2];*\n3;'3';*\n".as_bytes()).unwrap();
        for (text, name) in [
            ("1\t[1, 2]\t*\n2\t[1, 2]\t*\n3\t'3'\t*\n", "tab"),
            ("1|[1, 2]|*\n2|[1, 2]|*\n3|\"'3'\"|*\n", "vertical bar"),
            ("1,\"[1, 2]\",*\n2,\"[1, 2]\",*\n3,'3',*\n", "comma"),
            ("'1','[1, 2]','*'\n'2','[1, 2]','*'\n'3','''3''','*'\n", "comma"),
        ] {
            let (hierarchy, notes) = Hierarchy::open(text.as_bytes()).unwrap();
            assert_eq!(hierarchy, expected, "{text}");
            assert_eq!(notes[1].to_string(), format!("delimiter: {name}"));
        }
    }

    #[test]
    fn what_is_no_hierarchy_is_refused() {
        assert_eq!(Hierarchy::open(b"").unwrap_err(), HierarchyError::Empty);
        assert_eq!(Hierarchy::open(b"a\nb\n").unwrap_err(), HierarchyError::NoLevel);
    }
}
