//! Encodings and dialects of files as people have them.
#![cfg(test)]
#![cfg(feature = "encodings")]

use std::io::Cursor;

use lookalike_table::{
    EncodingEvidence, Error, Form, Note, OpenOptions, ReadOptions, Table, decode, open, plain,
};

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

fn words(notes: &[Note]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

const PEOPLE: &str =
    "Name;Straße;Größe\nJosé;Königsallee;1,75\nZoë;Rue de l'Église;1,60\nJürgen;Müllerstraße;1,82\n";

#[test]
fn every_encoding_gives_the_same_cells() {
    let expected = opened(PEOPLE).unwrap();
    assert_eq!(cells(&expected, "Größe"), ["1,75", "1,60", "1,82"]);
    assert_eq!(
        words(&expected.notes),
        [
            "encoding: UTF-8, verified on all bytes read",
            "delimiter: semicolon, 3 fields in the header and in each of the first 3 rows"
        ]
    );
    let marked = format!("\u{feff}{PEOPLE}");
    for (bytes, note) in [
        (latin(PEOPLE), "encoding: windows-1252, a guess"),
        (utf16(PEOPLE, false), "encoding: UTF-16LE, every other"),
        (utf16(PEOPLE, true), "encoding: UTF-16BE, every other"),
        (utf16(&marked, false), "encoding: UTF-16LE, the file begins with"),
        (utf16(&marked, true), "encoding: UTF-16BE, the file begins with"),
        (marked.clone().into_bytes(), "encoding: UTF-8, the file begins with"),
    ] {
        let table = opened(bytes).unwrap();
        assert_eq!(table.columns, expected.columns, "{note}");
        assert!(table.notes[0].to_string().starts_with(note), "{}", table.notes[0]);
    }
}

#[test]
fn a_guess_that_fails_late_is_made_anew() {
    let rows: Vec<String> = (0..40_000).map(|row| format!("p{row},Berlin\n")).collect();
    let mut bytes = format!("name,town\n{}", rows.concat()).into_bytes();
    bytes.extend(latin("José,Köln\nZoë,Münster\n"));
    let table = opened(&bytes).unwrap();
    assert_eq!(cells(&table, "town"), ["Berlin", "Köln", "Münster"]);
    assert!(table.notes[0].to_string().starts_with("encoding: windows-1252"), "{}", table.notes[0]);
}

#[test]
fn few_letters_are_western() {
    let table = opened(b"age,note\n1,na\xefve\n2,x\n").unwrap();
    assert_eq!(cells(&table, "note"), ["naïve", "x"]);
    let polish = opened(b"name\n\xb3\xf3d\x9f\nwie\x9c\n\xb9\xea\xe6\n").unwrap();
    assert_eq!(cells(&polish, "name"), ["łódź", "wieś", "ąęć"]);
}

/// Code page 850, by the places that IBM gave these letters.
fn dos(text: &str) -> Vec<u8> {
    let place = |c: char| match c {
        'ü' => 0x81,
        'é' => 0x82,
        'â' => 0x83,
        'ä' => 0x84,
        'à' => 0x85,
        'ç' => 0x87,
        'ê' => 0x88,
        'ë' => 0x89,
        'è' => 0x8a,
        'Ä' => 0x8e,
        'É' => 0x90,
        'ô' => 0x93,
        'ö' => 0x94,
        'Ö' => 0x99,
        'Ü' => 0x9a,
        'á' => 0xa0,
        'í' => 0xa1,
        'ó' => 0xa2,
        'ú' => 0xa3,
        'ñ' => 0xa4,
        'ß' => 0xe1,
        c => u8::try_from(c).unwrap(),
    };
    text.chars().map(place).collect()
}

/// A detector knows no encoding of DOS, and takes a few of its letters for another script. They stand by themselves.
#[test]
fn letters_of_a_dos_program_are_not_japanese() {
    for text in [
        "name,town\nMüller,Köln\nSmith,Bath\n",
        "name,town\nSmith,Köln\nMiller,Bath\n",
        "name,town\nMüller,Bath\nSmith,Hull\n",
        "Name;Straße\nJürgen;Hauptstraße 4\nJörg;Königsweg 2\nÄnne;Am Bühl\nÖzil;Grüner Weg\n",
        "nombre,ciudad\nJosé,Málaga\nMuñoz,León\nInés,Córdoba\n",
        "nom,ville\nAndré,Besançon\nHélène,Orléans\nNoël,Nîmes\n".replace('î', "i").as_str(),
        "ward,note\n1,café\n2,none\n",
    ] {
        let expected = opened(text).unwrap();
        let table = opened(dos(text)).unwrap();
        assert_eq!(table.columns, expected.columns, "{text}: {}", table.notes[0]);
        let told = table.notes[0].to_string();
        assert!(told.starts_with("encoding: cp850, a guess") && told.contains("(--encoding)"), "{told}");
        // A word of the file as it is read, and what it would be otherwise.
        let is_shown = |word: &str| !word.is_ascii() && told.contains(&format!("as in '{word}'"));
        assert!(text.split([',', ';', '\n', ' ']).any(is_shown), "{told}");
        assert!(told.contains("that would be '"), "{told}");
        // Whoever knows it says it, and whoever knows better as well.
        let choose = |label: &str| OpenOptions { encoding: Some(label.to_owned()), ..OpenOptions::default() };
        let chosen = open(Cursor::new(dos(text)), &choose("CP850")).unwrap();
        assert_eq!(
            (chosen.columns, words(&chosen.notes)[0].as_str()),
            (expected.columns, "encoding: cp850, as chosen")
        );
    }
}

/// Scripts of their own stay what they are, also where they are few letters among Latin ones.
#[test]
fn other_scripts_stay() {
    use encoding_rs::{EUC_JP, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1251};
    let japanese = "name,町\nSmith,東京\nMiller,大阪市\nJones,インフルエンザ\nBrown,カゼ\n";
    for (encoding, text) in [
        (SHIFT_JIS, japanese),
        (EUC_JP, japanese),
        (SHIFT_JIS, "name,note\nSmith,アレルギー\nMiller,none\n"),
        (GBK, "name,城市\nSmith,北京\nMiller,上海市\nJones,没有\n"),
        (EUC_KR, "name,도시\nSmith,서울\nMiller,부산광역시\nJones,없음\n"),
        (WINDOWS_1251, "name,town\nSmith,Москва\nMiller,Тверь и область\nJones,Омск\n"),
    ] {
        let bytes = encoding.encode(text).0.into_owned();
        let table = opened(bytes).unwrap();
        assert_eq!(table.columns, opened(text).unwrap().columns, "{}: {}", encoding.name(), table.notes[0]);
    }
}

#[test]
fn choices_are_followed() {
    let choose = |label: &str| OpenOptions { encoding: Some(label.to_owned()), ..OpenOptions::default() };
    let table = open(Cursor::new(b"a,b\n\xb1,1\n"), &choose("iso-8859-2")).unwrap();
    assert_eq!(cells(&table, "a"), ["ą"]);
    let why = EncodingEvidence::AsChosen;
    assert_eq!(table.notes[0], Note::Encoding { encoding: "ISO-8859-2", why });
    assert_eq!(words(&table.notes)[0], "encoding: ISO-8859-2, as chosen");
    assert_eq!(
        open(Cursor::new(b"a\n1\n"), &choose("klingon")),
        Err(Error::Encoding { label: "klingon".into() })
    );
    let wrong = open(Cursor::new(b"a,b\n\xe9,1\n"), &choose("shift_jis"));
    assert_eq!(wrong, Err(Error::Undecodable { encoding: "Shift_JIS" }));
    let wrong = open(Cursor::new(b"a,b\n\xe9,1\n"), &choose("utf-8"));
    assert!(matches!(wrong, Err(Error::NotUtf8 { .. })));
    let read = ReadOptions { delimiter: Some(b','), ..ReadOptions::default() };
    let table = open(Cursor::new("a;b\n1;2\n"), &OpenOptions { read, ..OpenOptions::default() }).unwrap();
    assert_eq!((table.columns.len(), words(&table.notes)[1].as_str()), (1, "delimiter: comma, as chosen"));
}

#[test]
fn one_column_and_other_formats() {
    let table = opened("name\nSmith, John\nDoe, Jane\n").unwrap();
    assert_eq!(cells(&table, "name"), ["Smith, John", "Doe, Jane"]);
    assert_eq!(opened(b"\x28\xb5\x2f\xfd\0"), Err(Error::Packed { by: "Zstandard" }));
    assert_eq!(opened(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), Err(Error::OldWorkbook));
    #[cfg(not(feature = "compressed"))]
    assert_eq!(opened(b"\x1f\x8b\x08\0"), Err(Error::Packed { by: "gzip" }));
    #[cfg(not(feature = "compressed"))]
    assert_eq!(opened(b"PK\x03\x04\0"), Err(Error::Workbook));
    assert_eq!(opened(""), Err(Error::Empty));
}

/// Text in UTF-8 is read without the detector, and is the same table with the same words; all else is left to it.
#[test]
fn plain_text_needs_no_detector() {
    let read = |form: &Form, text: &mut dyn std::io::Read, options: &OpenOptions| {
        lookalike_table::read_from(text, &form.read_options(&options.read))
    };
    let plainly = |bytes: &[u8], options: &OpenOptions| {
        let done = plain(&mut Cursor::new(bytes), options, &mut |form, text| read(form, text, options));
        done.map(|done| done.map(|(table, told)| Table { notes: told.notes, dialect: told.dialect, ..table }))
    };
    let auto = OpenOptions::default();
    let chosen = |encoding: &str| OpenOptions { encoding: Some(encoding.to_owned()), ..auto.clone() };
    let marked = format!("\u{feff}{PEOPLE}");
    for text in [PEOPLE, &marked, "a\n", "'a','b'\n'1','2'\n", "a,b\n1\n"] {
        for options in [&auto, &chosen("UTF-8")] {
            let (here, there) = (plainly(text.as_bytes(), options), open(Cursor::new(text), options));
            assert_eq!(here.map(|table| table.unwrap()), there, "{text:?}");
        }
    }
    let late = [format!("a;b\n{}", "x;y\n".repeat(100_000)).as_bytes(), b"\xe9;y\n"].concat();
    let sheet = OpenOptions { sheet: Some("x".to_owned()), ..auto.clone() };
    for (bytes, options) in [
        (latin(PEOPLE), &auto),
        (utf16("a,b\n1,2\n", false), &auto),
        (utf16(&marked, true), &auto),
        (late, &auto),
        (b"PK\x03\x04".to_vec(), &auto),
        (b"a,b\n1,2\n".to_vec(), &chosen("windows-1252")),
        (b"a,b\n1,2\n".to_vec(), &sheet),
    ] {
        assert_eq!(plainly(&bytes, options), Ok(None));
    }
}

#[test]
fn the_form_is_known_before_the_rows_are_read() {
    let mut seen = Vec::new();
    let text = latin("Größe;Ort\n1;Köln\n2\n");
    let done = decode(Cursor::new(&text), &OpenOptions::default(), &mut |form, text| {
        seen.push(form.clone());
        lookalike_table::read_from(text, &form.read_options(&ReadOptions::default()))
    });
    assert!(matches!(done, Err(Error::Ragged { .. })), "{done:?}");
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].encoding, seen[0].delimiter), (Some("windows-1252"), b';'));
    assert_eq!(seen[0].beginning, ["Größe;Ort", "1;Köln", "2"]);
    assert_eq!(seen[0].notes.len(), 2);
}

/// Excel's own line, with every delimiter, line end and encoding; the lines of the file keep their numbers.
#[test]
fn a_first_line_may_name_the_delimiter() {
    for (text, name) in [
        ("sep=;\r\na;b, c\r\n1;2, 3\r\n", "semicolon"),
        ("sep=,\na,\"b, c\"\n1,\"2, 3\"\n", "comma"),
        ("SEP=\t\na\tb, c\n1\t2, 3\n", "tab"),
        // Against what the rows would say.
        ("sep=|\ra|b, c\r1|2, 3", "vertical bar"),
        ("sep=^\na^b, c\n1^2, 3\n", "'^'"),
    ] {
        let marked = format!("\u{feff}{text}");
        for bytes in [text.as_bytes().to_vec(), marked.clone().into_bytes(), utf16(&marked, false)] {
            let table = opened(&bytes).unwrap();
            let cells: Vec<&str> = table.columns.iter().flat_map(|c| [c.name.as_str(), c.cell(0)]).collect();
            assert_eq!(cells, ["a", "1", "b, c", "2, 3"], "{text:?}");
            assert!(
                table.notes[1].to_string().starts_with(&format!("delimiter: {name}, as the first line (")),
                "{:?}",
                table.notes
            );
            assert_eq!(table.warnings, [], "{text:?}");
        }
    }
    let message = opened("sep=;\na;b\n1;2\n3\n").unwrap_err().to_string();
    assert!(message.contains("row 2 (line 4 of the file) has 1 field"), "{message}");
    // A choice goes first; the line is no row all the same.
    let read = ReadOptions { delimiter: Some(b','), ..ReadOptions::default() };
    let chosen =
        open(Cursor::new("sep=;\na;b,c\n1;2,3\n"), &OpenOptions { read, ..OpenOptions::default() }).unwrap();
    assert_eq!(chosen.columns[0].name, "a;b");
    assert_eq!(
        words(&chosen.notes)[1],
        "delimiter: comma, as chosen; the first line (sep=;) is not a row and was left out"
    );
    // A column may have such a name.
    assert_eq!(opened("sep=;,b\n1,2\n").unwrap().columns[0].name, "sep=;");
    assert_eq!(opened("\"sep=;\"\n1\n").unwrap().columns[0].name, "sep=;");
    assert_eq!(opened("sep=;\n"), Err(Error::Empty));
}

#[test]
fn what_is_no_text_is_named() {
    let mut state = 1_u32;
    let noise: Vec<u8> = (0..5000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    let message = |bytes: &[u8]| opened(bytes).unwrap_err().to_string();
    assert!(message(&noise).starts_with("the file is not a table: it is binary data, not text; open a CSV"));
    assert!(message(b"%PDF-1.7\n1 0 obj\n").contains("it is a PDF"));
    // A single odd byte is where it is.
    assert!(
        message(b"a,b\n1,2\n3,\x004\n")
            .starts_with("row 2 (line 3 of the file), column 2: the cell holds a NUL byte")
    );
    assert!(
        message(b"a,b\x00\n1,2\n3,4\n5,6\n7,8\n9,0\n1,2\n")
            .starts_with("the header, column 2: the cell holds a NUL byte")
    );
}
