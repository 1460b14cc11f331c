//! Packed files and workbooks, made here.
#![cfg(test)]
#![cfg(feature = "compressed")]

use std::io::{Cursor, Write};

use flate2::{Compression, write::GzEncoder};
use lookalike_table::{Error, Note, OpenOptions, RaggedHint, Skip, Table, decode, open};
use zip::{ZipWriter, write::SimpleFileOptions};

fn opened(bytes: &[u8]) -> Result<Table, Error> {
    open(Cursor::new(bytes), &OpenOptions::default())
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(text).unwrap();
    packer.finish().unwrap()
}

fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut packer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        packer.start_file(*name, SimpleFileOptions::default()).unwrap();
        packer.write_all(bytes).unwrap();
    }
    packer.finish().unwrap().into_inner()
}

#[cfg(feature = "xlsx")]
fn words(notes: &[Note]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

fn message(bytes: &[u8]) -> String {
    opened(bytes).unwrap_err().to_string()
}

/// Not UTF-8 only far behind the beginning: the file is unpacked three times.
fn late() -> Vec<u8> {
    let mut text = format!("name;town\n{}", "Ana;Berlin\n".repeat(40_000)).into_bytes();
    text.extend(b"Jos\xe9;K\xf6ln\n");
    text
}

#[test]
fn packed_text_is_the_text() {
    for text in [b"a;b\n1;2\n3;4\n".to_vec(), late()] {
        let plain = opened(&text).unwrap();
        let bytes = text.len();
        let shown = lookalike_table::text::thousands(bytes);
        let mut two = gzip(&text[..bytes / 2]);
        two.extend(gzip(&text[bytes / 2..]));
        for (packed, note) in [
            (gzip(&text), format!("compression: gzip, unpacked to {shown} bytes")),
            (two, format!("compression: gzip, unpacked to {shown} bytes")),
            (
                archive(&[("data/people.csv", &text), ("__MACOSX/data/._people.csv", b"x")]),
                format!("compression: ZIP, file \"data/people.csv\", unpacked to {shown} bytes"),
            ),
        ] {
            let table = opened(&packed).unwrap();
            assert_eq!((&table.columns, table.digest), (&plain.columns, plain.digest));
            assert_eq!(table.notes[0].to_string(), note);
            assert_eq!(table.notes[1..], plain.notes);
        }
    }
}

#[test]
fn an_archive_must_say_which_file_it_is() {
    assert_eq!(
        message(&archive(&[("a.csv", b"a\n1\n"), ("b.csv", b"b\n1\n")])),
        "the ZIP archive holds 2 files (\"a.csv\", \"b.csv\"): say which one is the table"
    );
    assert!(message(&archive(&[])).starts_with("the ZIP archive holds no file"));
    assert_eq!(opened(&archive(&[("mimetype", b""), ("content.xml", b"")])), Err(Error::Workbook));
    // A pack within a pack is not a table.
    assert_eq!(opened(&gzip(&gzip(b"a\n1\n"))), Err(Error::Packed { by: "gzip" }));
    assert_eq!(opened(&gzip(&archive(&[("a", b"a\n1\n")]))), Err(Error::Workbook));
}

#[test]
fn a_file_of_an_archive_can_be_chosen() {
    let two = archive(&[("a.csv", b"a\n1\n"), ("__MACOSX/a.csv", b"x"), ("dir/b.csv", b"b;c\n1;2\n3;4\n")]);
    let member = |name: &str| OpenOptions { member: Some(name.to_owned()), ..OpenOptions::default() };
    let table = open(Cursor::new(&two), &member("dir/b.csv")).unwrap();
    assert_eq!((table.rows, table.columns[1].name.as_str()), (2, "c"));
    assert!(table.notes[0].to_string().contains("\"dir/b.csv\""), "{:?}", table.notes);
    let form = |bytes: &[u8], options: &OpenOptions| {
        decode(Cursor::new(bytes), options, &mut |form, _| Ok(form.clone())).unwrap().0
    };
    // The others stay in reach; what is alone has no others.
    assert_eq!(form(&two, &member("a.csv")).members, ["a.csv", "dir/b.csv"]);
    let one = archive(&[("a.csv", b"a\n1\n")]);
    assert_eq!(form(&one, &OpenOptions::default()).members, Vec::<String>::new());
    let error = open(Cursor::new(&two), &member("c.csv")).unwrap_err().to_string();
    assert_eq!(error, "there is no file \"c.csv\" in the ZIP archive; it holds \"a.csv\", \"dir/b.csv\"");
    for other in [b"a\n1\n".to_vec(), gzip(b"a\n1\n")] {
        assert!(matches!(open(Cursor::new(other), &member("a")), Err(Error::Unfit(_))));
    }
}

#[test]
fn what_is_damaged_or_too_large_is_refused() {
    let mut cut = gzip(&late());
    cut.truncate(cut.len() - 9);
    assert!(
        message(&cut).starts_with("the gzip file is damaged or has an unusual structure: "),
        "{}",
        message(&cut)
    );
    let mut wrong = archive(&[("a.csv", b"a,b\n1,2\n")]);
    // The checksum in the directory agrees no longer with the bytes.
    let directory = wrong.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
    wrong[directory + 16] ^= 1;
    assert!(
        message(&wrong).starts_with("the ZIP archive is damaged or has an unusual structure: "),
        "{}",
        message(&wrong)
    );
    let mut locked = archive(&[("a.csv", b"a,b\n1,2\n")]);
    let directory = locked.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
    (locked[6], locked[directory + 8]) = (locked[6] | 1, locked[directory + 8] | 1);
    assert_eq!(opened(&locked), Err(Error::LockedArchive));
    let small = OpenOptions { unpacked: Some(1000), ..OpenOptions::default() };
    for bomb in [gzip(&late()), archive(&[("a", &late())])] {
        let error = open(Cursor::new(bomb), &small).unwrap_err();
        assert_eq!(error, Error::Unpacked { limit: 1000 });
        assert!(error.to_string().contains("more than 1,000 bytes"), "{error}");
    }
    let sheet = OpenOptions { sheet: Some("x".to_owned()), ..OpenOptions::default() };
    assert!(matches!(open(Cursor::new(gzip(b"a\n1\n")), &sheet), Err(Error::Unfit(_))));
}

#[cfg(feature = "xlsx")]
mod workbook {
    use super::*;

    const SPACE: &str = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";

    /// A workbook as ECMA-376 has it, with two sheets and the styles: 1 a date, 2 date and time, 3 a duration, 4 five
    /// digits, 5 a time of day, 6 per cent.
    fn workbook(first: &str, second: &str) -> Vec<u8> {
        let relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let sheet = |rows: &str| format!("<worksheet {SPACE}><sheetData>{rows}</sheetData></worksheet>");
        let book = format!(
            "<workbook {SPACE} xmlns:r=\"{relation}\"><sheets><sheet name=\"Notes\" sheetId=\"1\" state=\"hidden\" \
             r:id=\"r1\"/><sheet name=\"People &amp; towns\" sheetId=\"2\" r:id=\"r2\"/></sheets></workbook>"
        );
        let relations = format!(
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
             <Relationship Id=\"r1\" Type=\"{relation}/worksheet\" Target=\"worksheets/sheet1.xml\"/>\
             <Relationship Id=\"r2\" Type=\"{relation}/worksheet\" Target=\"worksheets/sheet2.xml\"/>\
             <Relationship Id=\"r3\" Type=\"{relation}/sharedStrings\" Target=\"sharedStrings.xml\"/>\
             <Relationship Id=\"r4\" Type=\"{relation}/styles\" Target=\"styles.xml\"/></Relationships>"
        );
        let formats: String =
            [0, 14, 22, 46, 164, 165, 10].map(|id| format!("<xf numFmtId=\"{id}\"/>")).concat();
        let codes =
            "<numFmt numFmtId=\"164\" formatCode=\"00000\"/><numFmt numFmtId=\"165\" formatCode=\"h:mm\"/>";
        let styles = format!(
            "<styleSheet {SPACE}><numFmts count=\"2\">{codes}</numFmts><cellXfs count=\"7\">{formats}</cellXfs></styleSheet>"
        );
        let texts = format!("<sst {SPACE}><si><t>name</t></si><si><t>Zoë, \"Z\"</t></si></sst>");
        let root = format!(
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
             <Relationship Id=\"r1\" Type=\"{relation}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
        );
        archive(&[
            ("[Content_Types].xml", b"<Types/>"),
            ("_rels/.rels", root.as_bytes()),
            ("xl/workbook.xml", book.as_bytes()),
            ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
            ("xl/sharedStrings.xml", texts.as_bytes()),
            ("xl/styles.xml", styles.as_bytes()),
            ("xl/worksheets/sheet1.xml", sheet(first).as_bytes()),
            ("xl/worksheets/sheet2.xml", sheet(second).as_bytes()),
        ])
    }

    fn inline(place: &str, text: &str) -> String {
        format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
    }

    fn sample() -> Vec<u8> {
        let header: String = ["age", "born", "seen", "took", "ok", "rate"]
            .iter()
            .zip('B'..)
            .map(|(name, column)| inline(&format!("{column}1"), name))
            .collect();
        let people = format!(
            "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c>{header}</row>\
             <row r=\"2\"><c r=\"A2\" t=\"s\"><v>1</v></c><c r=\"B2\"><v>41</v></c><c r=\"C2\" s=\"1\"><v>36526</v></c>\
             <c r=\"D2\" s=\"2\"><v>45943.75</v></c><c r=\"E2\" s=\"3\"><v>1.5</v></c><c r=\"F2\" t=\"b\"><v>1</v></c>\
             <c r=\"G2\"><v>1.1000000000000001</v></c></row>\
             <row r=\"4\"><c r=\"A4\" t=\"str\"><v>Bo</v></c><c r=\"B4\"><v>7.5</v></c><c r=\"G4\" t=\"e\"><v>#N/A</v></c>\
             </row><row r=\"9\"><c r=\"A9\" s=\"1\"/></row>"
        );
        workbook(
            &format!("<row r=\"1\">{}</row><row r=\"2\">{}</row>", inline("A1", "x"), inline("A2", "y")),
            &people,
        )
    }

    #[test]
    fn cells_are_shown_as_people_know_them() {
        let table = opened(&sample()).unwrap();
        let rows: Vec<Vec<&str>> = (0..table.rows)
            .map(|row| table.columns.iter().map(|column| column.cell(row)).collect())
            .collect();
        assert_eq!(
            table.columns.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(" "),
            "name age born seen took ok rate"
        );
        assert_eq!(
            rows,
            [
                ["Zoë, \"Z\"", "41", "2000-01-01", "2025-10-13T18:00:00", "36:00:00", "TRUE", "1.1"],
                ["Bo", "7.5", "", "", "", "", "#N/A"],
            ]
        );
        assert_eq!(words(&table.notes), ["workbook: XLSX, sheet \"People & towns\", the first of 2"]);
        let warnings: Vec<String> = table.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            [
                "1 blank line was skipped, the first is line 3 of the file",
                "1 cell holds the error of a formula, taken as text, the first is row 4 of column 7 of the sheet",
                "1 cell holds a time of day or a duration without a date (the first in E2): it is read as text, as precisely as \
                 the format shows, and a column of them is a category. To have them compared as numbers, convert them to hours or \
                 minutes in the workbook (format the cells as numbers)"
            ]
        );
    }

    /// A postcode that is kept as the number 1067 and shown as 01067 is read as it is shown, beside one that is kept as a text.
    #[test]
    fn numbers_have_the_zeros_that_their_format_shows() {
        let number = |place: &str, style: u8, number: &str| {
            format!("<c r=\"{place}\" s=\"{style}\"><v>{number}</v></c>")
        };
        let rows = format!(
            "<row r=\"1\">{}{}{}</row><row r=\"2\">{}{}{}</row><row r=\"3\">{}{}{}</row>",
            inline("A1", "plz"),
            inline("B1", "clock"),
            inline("C1", "rate"),
            number("A2", 4, "1067"),
            number("B2", 5, "0.18358630"),
            number("C2", 6, "0.125"),
            inline("A3", "01069"),
            number("B3", 5, "0.5"),
            number("C3", 6, "1"),
        );
        let table = opened(&workbook("", &rows)).unwrap();
        let cells: Vec<Vec<&str>> = table.columns.iter().map(|c| vec![c.cell(0), c.cell(1)]).collect();
        assert_eq!(cells, [["01067", "01069"], ["04:24", "12:00"], ["0.125", "1"]]);
        assert!(
            table.notes[1].to_string().contains("1 number is read with the leading zeros"),
            "{:?}",
            table.notes
        );
        let warned = table.warnings[0].to_string();
        assert!(warned.contains("2 cells hold a time of day") && warned.contains("B2"), "{warned}");
    }

    #[test]
    fn sheets_are_chosen_by_name() {
        let choose = |name: &str| OpenOptions { sheet: Some(name.to_owned()), ..OpenOptions::default() };
        let table = open(Cursor::new(sample()), &choose("Notes")).unwrap();
        assert_eq!((table.columns[0].name.as_str(), table.columns[0].cell(0)), ("x", "y"));
        assert_eq!(words(&table.notes), ["workbook: XLSX, sheet \"Notes\", as chosen"]);
        let error = open(Cursor::new(sample()), &choose("notes")).unwrap_err().to_string();
        assert_eq!(error, "there is no sheet \"notes\"; the sheets are \"People & towns\", \"Notes\"");
        let encoding = OpenOptions { encoding: Some("utf-8".to_owned()), ..OpenOptions::default() };
        assert!(matches!(open(Cursor::new(sample()), &encoding), Err(Error::Unfit(_))));
        let small = OpenOptions { unpacked: Some(2000), ..OpenOptions::default() };
        assert_eq!(open(Cursor::new(sample()), &small), Err(Error::Unpacked { limit: 2000 }));
    }

    #[test]
    fn a_table_may_begin_anywhere_in_its_sheet() {
        let rows = |beside: &str| {
            format!(
                "<row r=\"3\">{}{}</row><row r=\"4\">{beside}{}{}</row><row r=\"6\">{}</row>",
                inline("B3", "x"),
                inline("C3", "y"),
                inline("B4", "1"),
                inline("C4", "2"),
                inline("C6", "3"),
            )
        };
        let table = opened(&workbook("", &rows(""))).unwrap();
        let cells: Vec<&str> =
            table.columns.iter().flat_map(|c| [c.name.as_str(), c.cell(0), c.cell(1)]).collect();
        assert_eq!(cells, ["x", "1", "", "y", "2", "3"]);
        assert_eq!(table.notes[1].to_string(), "the table begins in cell B3");
        // Row numbers are those of the sheet.
        assert_eq!(
            table.warnings[0].to_string(),
            "3 blank lines were skipped, the first is line 1 of the file"
        );
        let beside = opened(&workbook("", &rows(&inline("A4", "note")))).unwrap_err();
        assert_eq!(
            beside.to_string(),
            "the table begins in cell B3, but cell A4 stands to the left of it: give its column a name in the header, clear it, \
             or skip the rows above the table if they are a title"
        );
        let far =
            format!("<row r=\"1\">{}</row><row r=\"2\">{}</row>", inline("AB1", "x"), inline("AA2", "1"));
        assert!(opened(&workbook("", &far)).unwrap_err().to_string().contains("cell AB1, but cell AA2"));
    }

    /// A title in rows of the sheet, totals below: named, and left out by rows of the sheet, blank ones and line breaks in cells
    /// included.
    #[test]
    fn a_title_and_totals_of_a_sheet() {
        let row = |at: usize, cells: &[&str]| {
            let cells: String = cells
                .iter()
                .enumerate()
                .map(|(c, text)| inline(&format!("{}{at}", ["A", "B"][c]), text))
                .collect();
            format!("<row r=\"{at}\">{cells}</row>")
        };
        let data =
            [row(4, &["age", "sex"]), row(5, &["17", "m"]), row(6, &["18", "f"]), row(7, &["19", "m\nx"])]
                .concat();
        let sheet = [row(1, &["Patients"]), row(2, &["of\n2024"]), data, row(9, &["Total"])].concat();
        let bytes = workbook("", &sheet);
        let error = opened(&bytes).unwrap_err();
        assert!(matches!(error, Error::Ragged { hint: RaggedHint::Title { lines: 3.. }, .. }), "{error}");
        let skip = |first, last| {
            let options = OpenOptions { skip: Skip { first, last }, ..OpenOptions::default() };
            open(Cursor::new(&bytes), &options)
        };
        let table = skip(3, 1).unwrap();
        assert_eq!((table.rows, table.header.join(",")), (3, String::from("age,sex")));
        assert_eq!(table.columns[1].cell(2), "m\nx");
        let said: Vec<String> = table.warnings.iter().map(ToString::to_string).collect();
        assert!(
            said.contains(&String::from(
                "the first 3 lines of the file were skipped, as asked: 'Patients', 'of\\n2024'"
            )),
            "{said:?}"
        );
        assert!(
            said.iter()
                .any(|said| said.starts_with("the last line of the file was skipped, as asked: 'Total")),
            "{said:?}"
        );
        assert_eq!(skip(2, 2).unwrap().rows, 3, "blank rows are rows of the sheet");
        assert_eq!(skip(3, 3).unwrap().rows, 2);
        assert_eq!(skip(3, 0).unwrap().rows, 4, "rows of a sheet are filled up");
        assert!(skip(20, 0).is_err());
    }

    #[test]
    fn a_row_wider_than_the_header_and_rows_in_disorder() {
        let rows = format!(
            "<row r=\"1\">{}</row><row r=\"2\">{}{}</row>",
            inline("A1", "x"),
            inline("A2", "1"),
            inline("B2", "2")
        );
        assert!(matches!(opened(&workbook("", &rows)), Err(Error::Ragged { expected: 1, more: 0, .. })));
        let rows =
            format!("<row r=\"5\">{}</row><row r=\"2\">{}</row>", inline("A5", "x"), inline("A2", "1"));
        assert!(matches!(opened(&workbook("", &rows)), Err(Error::Damaged { .. })));
        assert_eq!(opened(&workbook("", "")), Err(Error::Empty));
    }
}
