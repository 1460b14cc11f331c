//! Encodings and dialects of files as people have them.
#![cfg(test)]
#![cfg(feature = "encodings")]

use std::io::Cursor;

use lookalike_table::{Error, OpenOptions, ReadOptions, Table, open};

fn opened(bytes: impl AsRef<[u8]>) -> Result<Table, Error> {
    open(Cursor::new(bytes), &OpenOptions::default())
}

fn cells(table: &Table, column: &str) -> Vec<String> {
    table.column(column).unwrap().values.iter().map(str::to_owned).collect()
}

/// As the encodings define it: one byte a letter, here all below U+0100 and above 0x9F, so that the byte is the
/// letter's number.
fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

const PEOPLE: &str =
    "Name;Straße;Größe\nJosé;Königsallee;1,75\nZoë;Rue de l'Église;1,60\nJürgen;Müllerstraße;1,82\n";

#[test]
fn every_encoding_gives_the_same_cells() {
    let expected = opened(PEOPLE).unwrap();
    assert_eq!(cells(&expected, "Größe"), ["1,75", "1,60", "1,82"]);
    assert_eq!(
        expected.notes,
        [
            "encoding: UTF-8, all of it is",
            "delimiter: semicolon, 3 fields in the header and in each of the first 3 rows"
        ]
    );
    let marked = format!("\u{feff}{PEOPLE}");
    for (bytes, note) in [
        (latin(PEOPLE), "encoding: windows-1252, a guess"),
        (utf16(PEOPLE, false), "encoding: UTF-16LE, every other"),
        (utf16(PEOPLE, true), "encoding: UTF-16BE, every other"),
        (utf16(&marked, false), "encoding: UTF-16LE, it begins with"),
        (utf16(&marked, true), "encoding: UTF-16BE, it begins with"),
        (marked.clone().into_bytes(), "encoding: UTF-8, it begins with"),
    ] {
        let table = opened(bytes).unwrap();
        assert_eq!(table.columns, expected.columns, "{note}");
        assert!(table.notes[0].starts_with(note), "{}", table.notes[0]);
    }
}

#[test]
fn a_guess_that_fails_late_is_made_anew() {
    let rows: Vec<String> = (0..40_000).map(|row| format!("p{row},Berlin\n")).collect();
    let mut bytes = format!("name,town\n{}", rows.concat()).into_bytes();
    bytes.extend(latin("José,Köln\nZoë,Münster\n"));
    let table = opened(&bytes).unwrap();
    assert_eq!(cells(&table, "town"), ["Berlin", "Köln", "Münster"]);
    assert!(table.notes[0].starts_with("encoding: windows-1252"), "{}", table.notes[0]);
}

#[test]
fn few_letters_are_western() {
    let table = opened(b"age,note\n1,na\xefve\n2,x\n").unwrap();
    assert_eq!(cells(&table, "note"), ["naïve", "x"]);
    let polish = opened(b"name\n\xb3\xf3d\x9f\nwie\x9c\n\xb9\xea\xe6\n").unwrap();
    assert_eq!(cells(&polish, "name"), ["łódź", "wieś", "ąęć"]);
}

#[test]
fn choices_are_followed() {
    let choose = |label: &str| OpenOptions { encoding: Some(label.to_owned()), ..OpenOptions::default() };
    let table = open(Cursor::new(b"a,b\n\xb1,1\n"), &choose("iso-8859-2")).unwrap();
    assert_eq!(cells(&table, "a"), ["ą"]);
    assert_eq!(table.notes[0], "encoding: ISO-8859-2, as chosen");
    assert_eq!(open(Cursor::new(b"a\n1\n"), &choose("klingon")), Err(Error::Encoding("klingon".to_owned())));
    let wrong = open(Cursor::new(b"a,b\n\xe9,1\n"), &choose("shift_jis"));
    assert_eq!(wrong, Err(Error::Undecodable { encoding: "Shift_JIS" }));
    let wrong = open(Cursor::new(b"a,b\n\xe9,1\n"), &choose("utf-8"));
    assert!(matches!(wrong, Err(Error::NotUtf8 { .. })));
    let read = ReadOptions { delimiter: Some(b','), ..ReadOptions::default() };
    let table = open(Cursor::new("a;b\n1;2\n"), &OpenOptions { read, ..OpenOptions::default() }).unwrap();
    assert_eq!((table.columns.len(), table.notes[1].as_str()), (1, "delimiter: comma, as chosen"));
}

#[test]
fn one_column_and_other_formats() {
    let table = opened("name\nSmith, John\nDoe, Jane\n").unwrap();
    assert_eq!(cells(&table, "name"), ["Smith, John", "Doe, Jane"]);
    assert_eq!(opened(b"\x28\xb5\x2f\xfd\0"), Err(Error::Packed("Zstandard")));
    assert_eq!(opened(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), Err(Error::Workbook));
    #[cfg(not(feature = "compressed"))]
    assert_eq!(opened(b"\x1f\x8b\x08\0"), Err(Error::Packed("gzip")));
    #[cfg(not(feature = "compressed"))]
    assert_eq!(opened(b"PK\x03\x04\0"), Err(Error::Workbook));
    assert_eq!(opened(""), Err(Error::Empty));
}
