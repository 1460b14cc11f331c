//! Sheets of ODS workbooks, made here as an office program writes them.
#![cfg(test)]
#![cfg(feature = "xlsx")]

use std::io::{Cursor, Write};

use lookalike_table::{Container, Damage, Error, OpenOptions, Table, open};
use zip::{ZipWriter, write::SimpleFileOptions};

const TYPE: &str = "application/vnd.oasis.opendocument.spreadsheet";

fn workbook(members: &[(&str, &str)]) -> Vec<u8> {
    let mut packer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        packer.start_file(*name, SimpleFileOptions::default()).unwrap();
        packer.write_all(text.as_bytes()).unwrap();
    }
    packer.finish().unwrap().into_inner()
}

/// A workbook with these sheets.
fn ods(sheets: &str) -> Vec<u8> {
    let content = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><office:document-content xmlns:office=\"o\" \
         xmlns:table=\"t\" xmlns:text=\"x\" xmlns:style=\"s\"><office:automatic-styles>\
         <style:style style:name=\"ta1\" style:family=\"table\"><style:table-properties table:display=\"true\"/>\
         </style:style><style:style style:name=\"ta2\" style:family=\"table\"><style:table-properties \
         table:display=\"false\"/></style:style></office:automatic-styles><office:body><office:spreadsheet>\
         {sheets}</office:spreadsheet></office:body></office:document-content>"
    );
    workbook(&[("mimetype", TYPE), ("content.xml", &content)])
}

fn sheet(name: &str, style: &str, rows: &str) -> String {
    format!("<table:table table:name=\"{name}\" table:style-name=\"{style}\">{rows}</table:table>")
}

fn row(cells: &str) -> String {
    format!("<table:table-row>{cells}</table:table-row>")
}

fn text(cell: &str) -> String {
    format!("<table:table-cell office:value-type=\"string\"><text:p>{cell}</text:p></table:table-cell>")
}

fn value(kind: &str, said: &str, shown: &str) -> String {
    format!(
        "<table:table-cell office:value-type=\"{kind}\" {said}><text:p>{shown}</text:p></table:table-cell>"
    )
}

fn opened(bytes: Vec<u8>, options: &OpenOptions) -> Result<Table, Error> {
    open(Cursor::new(bytes), options)
}

fn rows(table: &Table) -> Vec<Vec<&str>> {
    (0..table.rows).map(|row| table.columns.iter().map(|column| column.cell(row)).collect()).collect()
}

const END: &str = "<table:table-row table:number-rows-repeated=\"1048570\"><table:table-cell \
                   table:number-columns-repeated=\"16384\"/></table:table-row>";

#[test]
fn cells_are_their_values_in_the_spelling_of_a_csv() {
    let header = ["a", "b", "c", "d", "e", "f", "g", "h"].map(text).concat();
    let first = [
        value("float", "office:value=\"1067\"", "01067"),
        value("float", "office:value=\"-1234.5\"", "-1.234,50"),
        value("percentage", "office:value=\"0.125\"", "12.5%"),
        value("date", "office:date-value=\"2024-02-29\"", "29.02.24"),
        value("date", "office:date-value=\"2024-02-29T12:30:00\"", "29.02.24 12:30"),
        value("time", "office:time-value=\"PT04H24M21.5S\"", "04:24"),
        value("boolean", "office:boolean-value=\"true\"", "TRUE"),
        "<table:table-cell office:value-type=\"string\" calcext:value-type=\"error\" office:string-value=\"\">\
         <text:p>#DIV/0!</text:p></table:table-cell>"
            .to_owned(),
    ]
    .concat();
    let second = format!(
        "{}<table:table-cell office:value-type=\"string\"><office:annotation><text:p>who</text:p>\
         </office:annotation><text:p>x &amp; y<text:s text:c=\"2\"/>z</text:p><text:p>&#228;<text:span>b</text:span>\
         </text:p></table:table-cell><table:covered-table-cell table:number-columns-repeated=\"6\"/>",
        value("currency", "office:value=\"20\"", "20,00 \u{20ac}")
    );
    let rows_of = format!("{}{}{}{END}", row(&header), row(&first), row(&second));
    let table = opened(ods(&sheet("People", "ta1", &rows_of)), &OpenOptions::default()).unwrap();
    assert_eq!(
        rows(&table),
        [
            vec![
                "01067",
                "-1234.5",
                "0.125",
                "2024-02-29",
                "2024-02-29T12:30:00",
                "04:24",
                "TRUE",
                "#DIV/0!"
            ],
            vec!["20", "x & y  z\n\u{e4}b", "", "", "", "", "", ""],
        ]
    );
    let told: Vec<String> = table.notes.iter().map(ToString::to_string).collect();
    assert!(told[0].contains("ODS, sheet \"People\""), "{told:?}");
    assert!(told.iter().any(|note| note.contains("A2")), "{told:?}");
    let warned: Vec<String> = table.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warned.len(), 2, "an error of a formula, a time without a date: {warned:?}");
}

#[test]
fn repeated_cells_and_rows_are_as_many() {
    let header = ["a", "b", "c"].map(text).concat();
    let twice = "<table:table-row table:number-rows-repeated=\"2\"><table:table-cell \
                 table:number-columns-repeated=\"2\" office:value-type=\"float\" office:value=\"1\"><text:p>1</text:p>\
                 </table:table-cell><table:table-cell/></table:table-row>";
    let apart = "<table:table-row><table:table-cell/><table:table-cell office:value-type=\"float\" \
                 office:value=\"2\"/></table:table-row>";
    let blank = "<table:table-row table:number-rows-repeated=\"3\"><table:table-cell/></table:table-row>";
    let grouped = format!("<table:table-row-group>{twice}</table:table-row-group>");
    let all = format!("{blank}{}{grouped}{apart}{END}", row(&header));
    let table = opened(ods(&sheet("s", "ta1", &all)), &OpenOptions::default()).unwrap();
    assert_eq!(rows(&table), [["1", "1", ""], ["1", "1", ""], ["", "2", ""]]);
    // Few bytes that mean many.
    let long = "x".repeat(1_000);
    let many = format!(
        "{}<table:table-row table:number-rows-repeated=\"1000000\"><table:table-cell \
         table:number-columns-repeated=\"16000\" office:value-type=\"string\"><text:p>{long}</text:p>\
         </table:table-cell></table:table-row>",
        row(&header)
    );
    let found = opened(ods(&sheet("s", "ta1", &many)), &OpenOptions::default());
    assert!(matches!(found, Err(Error::Unpacked { .. })), "{found:?}");
    let beyond = format!(
        "{}<table:table-row table:number-rows-repeated=\"2000000\"><table:table-cell/></table:table-row>{}",
        row(&header),
        row(&text("x"))
    );
    let found = opened(ods(&sheet("s", "ta1", &beyond)), &OpenOptions::default());
    let wanted = Damage::CellOutside { row: 2_000_002, column: 1 };
    assert_eq!(found, Err(Error::Damaged { what: Container::Ods, why: wanted }));
}

#[test]
fn the_first_sheet_that_is_shown_is_read_or_the_one_that_is_asked_for() {
    let of = |cell: &str| row(&text("a")) + &row(&text(cell));
    let nested = format!(
        "{}<table:table-row><table:table-cell office:value-type=\"string\"><draw:frame>{}</draw:frame><text:p>shown</text:p>\
         </table:table-cell></table:table-row>",
        row(&text("a")),
        sheet("inner", "ta1", &of("hidden"))
    );
    let all =
        sheet("one", "ta2", &of("1")) + &sheet("two &amp; 2", "ta1", &nested) + &sheet("three", "", &of("3"));
    let read = |sheet: Option<&str>| {
        let options = OpenOptions { sheet: sheet.map(str::to_owned), ..OpenOptions::default() };
        opened(ods(&all), &options).map(|table| rows(&table)[0][0].to_owned())
    };
    assert_eq!(read(None).unwrap(), "shown");
    assert_eq!((read(Some("one")).unwrap(), read(Some("three")).unwrap()), ("1".to_owned(), "3".to_owned()));
    match read(Some("inner")) {
        Err(Error::NoSheet { sheets, .. }) => {
            let names: Vec<String> = sheets.into_iter().map(|name| name.0).collect();
            assert_eq!(names, ["two & 2", "three", "one"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_such_workbook_is_named() {
    let whole = sheet("s", "ta1", &(row(&text("a")) + &row(&text("1"))));
    let locked =
        [("mimetype", TYPE), ("META-INF/manifest.xml", "<manifest:encryption-data/>"), ("content.xml", "x")];
    assert_eq!(opened(workbook(&locked), &OpenOptions::default()), Err(Error::LockedWorkbook));
    let text = [("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", "<a/>")];
    assert_eq!(opened(workbook(&text), &OpenOptions::default()), Err(Error::Workbook));
    let damaged = |content: &str| {
        let found =
            opened(workbook(&[("mimetype", TYPE), ("content.xml", content)]), &OpenOptions::default());
        assert!(matches!(found, Err(Error::Damaged { what: Container::Ods, .. })), "{content}: {found:?}");
    };
    damaged("");
    damaged("<a><b></a>");
    damaged(&whole[..whole.len() - 30]);
    damaged(
        "<table:table table:name='s'><table:table-row><table:table-cell office:value-type='string'><text:p>&x;</text:p></table:table-cell></table:table-row></table:table>",
    );
    let small = OpenOptions { unpacked: Some(100), ..OpenOptions::default() };
    assert!(matches!(opened(ods(&whole), &small), Err(Error::Unpacked { limit: 100 })));
}
