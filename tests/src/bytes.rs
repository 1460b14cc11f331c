//! What reads bytes from outside, one function a reader: whatever the bytes, it answers or refuses with a message, and
//! what it took is written and read again. The fuzz targets and a short test call the same functions.
//!
//! Each says whether the bytes were taken, and panics where a reader breaks its word.

mod archive;
mod papers;

use std::io::Cursor;

use lookalike_core::{
    audit::{Attacker, Conditions, Guarantee, Question, Subject, judge_stream, risks},
    table::{
        DuplicateNames, Edits, Error, HeaderRow, Layout, OpenOptions, Quote, Ragged, ReadOptions, Skip,
        Table, dialect::detect, hierarchy::Hierarchy, infer, open, read, write,
    },
};
use lookalike_model::{
    instance::Instance,
    job::{Answer, Job},
};
use lookalike_wire::{
    binary::{Wrong, decode, encode, from_json},
    config,
};

use self::archive::archive;
pub use self::papers::{block, certificate, ledger, manifest, signature};

/// A reader under test.
pub type Target = fn(&[u8]) -> bool;

/// All of them by name.
pub const TARGETS: [(&str, Target); 17] = [
    ("reader", reader),
    ("forms", forms),
    ("packed", packed),
    ("json_lines", json_lines),
    ("layout", layout),
    ("sheet", sheet),
    ("workbook", workbook),
    ("release", release),
    ("dialect", dialect),
    ("hierarchy", hierarchy),
    ("config", configuration),
    ("job", job),
    ("block", block),
    ("ledger", ledger),
    ("manifest", manifest),
    ("signature", signature),
    ("certificate", certificate),
];

/// A sound table or an error with a message; and what a table writes reads as that table. The first byte chooses how it
/// is read.
#[must_use]
pub fn reader(bytes: &[u8]) -> bool {
    let Some((choice, bytes)) = bytes.split_first() else { return false };
    let options = ReadOptions {
        all: None,
        delimiter: [None, Some(b';'), Some(b'\t'), Some(b'|')][usize::from(choice & 3)],
        quote: [None, Some(Quote::Mark(b'\'')), Some(Quote::Off)][usize::from(choice >> 2 & 3) % 3],
        header: if choice & 128 == 0 { HeaderRow::Present } else { HeaderRow::Absent },
        names: None,
        columns: None,
        also: None,
        ragged: if choice & 16 == 0 { Ragged::Error } else { Ragged::Pad },
        duplicates: if choice & 64 == 0 { DuplicateNames::Error } else { DuplicateNames::Number },
        separator_line: choice & 32 != 0,
        texts: Vec::new(),
        cut: Skip::default(),
        edits: Edits::default(),
    };
    let limit = Some(1 << 20);
    let read_as = ReadOptions { header: HeaderRow::Ask, ..ReadOptions::default() };
    let found_out =
        open(Cursor::new(bytes), &OpenOptions { unpacked: limit, read: read_as, ..OpenOptions::default() });
    table(read(bytes, &options)) | table(found_out)
}

/// A sound table of a file whose columns have types, or an error with a message; and its cells, written, are read as the same cells.
#[must_use]
pub fn forms(bytes: &[u8]) -> bool {
    // Texts have a target of their own.
    let is_text = bytes.first().is_none_or(|first| first.is_ascii_alphanumeric() && bytes.is_ascii());
    if is_text && !bytes.starts_with(b"HEADER RECORD") {
        return false;
    }
    let found = lookalike_forms::open(Cursor::new(bytes.to_vec()), &OpenOptions::default());
    table(found.map(without_texts))
}

/// A CSV does not tell texts from numbers.
fn without_texts(mut table: Table) -> Table {
    table.columns.iter_mut().for_each(|column| column.texts = false);
    table
}

/// The same of a file that is packed by gzip, or in a ZIP archive.
#[must_use]
pub fn packed(bytes: &[u8]) -> bool {
    if !bytes.starts_with(&[0x1f, 0x8b]) && !bytes.starts_with(b"PK") {
        return false;
    }
    let read = ReadOptions { header: HeaderRow::Present, ..ReadOptions::default() };
    let options = OpenOptions { unpacked: Some(1 << 20), read, ..OpenOptions::default() };
    let found = lookalike_forms::open(Cursor::new(bytes.to_vec()), &options);
    table(found.map(without_texts))
}

/// The same of lines with a JSON object each.
#[must_use]
pub fn json_lines(bytes: &[u8]) -> bool {
    let options = OpenOptions { json_lines: true, ..OpenOptions::default() };
    table(open(Cursor::new(bytes), &options).map(without_texts))
}

/// The same of a text of fixed width, which follows its layout and a NUL.
#[must_use]
pub fn layout(bytes: &[u8]) -> bool {
    let Some(end) = bytes.iter().position(|byte| *byte == 0) else { return false };
    let layout = match Layout::parse(&String::from_utf8_lossy(&bytes[..end])) {
        Ok(layout) => layout,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let read = ReadOptions { ragged: Ragged::Pad, ..ReadOptions::default() };
    let options = OpenOptions { layout: Some(layout), read, ..OpenOptions::default() };
    table(open(Cursor::new(&bytes[end + 1..]), &options).map(without_texts))
}

/// The same of the content of an ODS workbook.
#[must_use]
pub fn sheet(bytes: &[u8]) -> bool {
    let limit = Some(1 << 20);
    let read = ReadOptions { header: HeaderRow::Present, ..ReadOptions::default() };
    let options = OpenOptions { unpacked: limit, read, ..OpenOptions::default() };
    let kind = b"application/vnd.oasis.opendocument.spreadsheet";
    let found = open(Cursor::new(archive(&[("mimetype", kind), ("content.xml", bytes)])), &options);
    table(found)
}

/// The same of a sheet of an XLSX workbook, its texts and its formats: three files with a NUL between them.
#[must_use]
pub fn workbook(bytes: &[u8]) -> bool {
    let mut parts = bytes.splitn(3, |byte| *byte == 0);
    let [sheet, texts, formats] = [(); 3].map(|()| parts.next().unwrap_or_default());
    let packed = archive(&[
        ("[Content_Types].xml", KINDS),
        ("_rels/.rels", WHERE_THE_WORKBOOK_IS),
        ("xl/workbook.xml", WORKBOOK),
        ("xl/_rels/workbook.xml.rels", WHERE_ITS_FILES_ARE),
        ("xl/worksheets/sheet1.xml", sheet),
        ("xl/sharedStrings.xml", texts),
        ("xl/styles.xml", formats),
    ]);
    let read = ReadOptions { header: HeaderRow::Present, ..ReadOptions::default() };
    let options = OpenOptions { unpacked: Some(1 << 20), read, ..OpenOptions::default() };
    table(open(Cursor::new(packed), &options))
}

const KINDS: &[u8] = br#"<?xml version="1.0"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml"
ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>"#;
const WHERE_THE_WORKBOOK_IS: &[u8] = br#"<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r"
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>
</Relationships>"#;
const WORKBOOK: &[u8] = br#"<?xml version="1.0"?>
<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"
xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>
<sheet name="table" sheetId="1" r:id="s"/></sheets></workbook>"#;
const WHERE_ITS_FILES_ARE: &[u8] = br#"<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s"
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>
<Relationship Id="t" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
Target="sharedStrings.xml"/><Relationship Id="f"
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>
</Relationships>"#;

fn table(found: Result<Table, Error>) -> bool {
    let table = match found {
        Ok(table) => table,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    assert!(table.rows > 0 && !table.columns.is_empty());
    for column in &table.columns {
        assert_eq!(column.cells.len(), table.rows);
        let found = infer(column, &[String::new()]);
        assert!(found.missing <= table.rows && !found.evidence.to_string().is_empty());
    }
    let header: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let rows = (0..table.rows).map(|row| table.columns.iter().map(move |column| column.cell(row)));
    let again = read(&write(&header, rows), &ReadOptions::default()).expect("what was written can be read");
    assert_eq!((again.rows, again.columns), (table.rows, table.columns));
    true
}

/// A release that the audit judges by its own reader, or a message; and the other reader finds the same groups in it. The column
/// that is known is called "a".
#[must_use]
pub fn release(bytes: &[u8]) -> bool {
    let question = Question {
        quasi: vec![String::from("a")],
        sensitive: None,
        conditions: Conditions::default(),
        guarantee: Guarantee::KAnonymity { k: 2 },
        class: Some(String::from("class")),
        markers: lookalike_model::missing::usual(),
        dialect: lookalike_core::audit::Dialect::PLAIN,
    };
    let judged = match judge_stream(bytes, &question) {
        Ok(judged) => judged,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    // Names of columns are trimmed there, and may then be none, or the same.
    if let Ok(table) = read(bytes, &ReadOptions::default()) {
        assert_eq!(judged.rows, table.rows);
        let found = risks(&table, &question.quasi, &[], &Attacker::default()).expect("it has the column");
        let in_order =
            judged.verdict.checks.iter().all(|check| check.name != Subject::Sorted || check.passed);
        assert!(judged.risks == found || !in_order);
    }
    true
}

/// A dialect that the reader takes, and the same one if it is asked for. The first two bytes choose what is given.
#[must_use]
pub fn dialect(bytes: &[u8]) -> bool {
    let [choice, given, text @ ..] = bytes else { return false };
    let delimiter = (choice & 1 != 0).then_some(*given);
    let quote = (choice & 2 != 0).then_some(Quote::Mark(*given));
    let found = detect(text, choice & 4 == 0, delimiter, quote);
    assert!(!found.evidence.to_string().is_empty());
    assert!(delimiter.is_none_or(|given| given == found.delimiter));
    assert!(quote.is_none_or(|given| given == found.quote));
    let again = detect(text, choice & 4 == 0, Some(found.delimiter), Some(found.quote));
    assert_eq!(again.delimiter, found.delimiter);
    let options =
        ReadOptions { delimiter: Some(found.delimiter), quote: Some(found.quote), ..ReadOptions::default() };
    let read = read(text, &options);
    let refused = matches!(read, Err(Error::Delimiter { .. } | Error::QuoteMark { .. }));
    assert!(!refused || delimiter.is_some() || quote.is_some());
    read.is_ok()
}

/// A sound hierarchy or an error with a message; and what it writes reads as that hierarchy.
#[must_use]
pub fn hierarchy(bytes: &[u8]) -> bool {
    let hierarchy = match Hierarchy::read(bytes) {
        Ok(hierarchy) => hierarchy,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    assert!(hierarchy.len() > 0);
    for value in 0..hierarchy.len() {
        assert_eq!(hierarchy.find(hierarchy.label(value, 0)), Some(value));
    }
    let all: Vec<usize> = (0..hierarchy.len()).collect();
    assert!(hierarchy.lowest_common(&all).is_none_or(|level| level <= hierarchy.height()));
    let again =
        Hierarchy::read(&hierarchy.write().expect("it can be written")).expect("it can be read again");
    assert_eq!(again.rows(), hierarchy.rows());
    true
}

/// A configuration or an error; and what is saved of it says the same.
#[must_use]
pub fn configuration(bytes: &[u8]) -> bool {
    let Some(loaded) = std::str::from_utf8(bytes).ok().and_then(|text| config::read(text).ok()) else {
        return false;
    };
    let again = config::read(&config::write(&loaded.draft)).expect("what was written can be read");
    assert_eq!(again.draft.complete(None).ok(), loaded.draft.complete(None).ok());
    true
}

/// A job with sound numbers or an error with a message; and what is written of it is that job. Likewise an answer.
#[must_use]
pub fn job(bytes: &[u8]) -> bool {
    if let Ok(answer) = serde_json::from_slice::<Answer>(bytes) {
        let text = serde_json::to_vec(&answer).expect("an answer can be written");
        serde_json::from_slice::<Answer>(&text).expect("and read again");
        return true;
    }
    let job = match if bytes.starts_with(b"{") { from_json(bytes) } else { decode(bytes) } {
        Ok(job) => job,
        Err(Wrong::Malformed(why)) => {
            assert!(!why.to_string().is_empty());
            return false;
        }
        Err(Wrong::Version { .. }) => return false,
    };
    let Ok(instance) = Instance::from_job(&job) else { return false };
    assert_eq!(instance.records(), job.colours.len());
    assert!(job.points.iter().all(|x| x.is_finite()));
    let again: Job =
        decode(&encode(job.clone()).expect("a sound job can be written")).expect("and read again");
    assert_eq!(again, job);
    true
}
