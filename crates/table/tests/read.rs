//! What `read` makes of good, odd and broken files.
#![cfg(test)]

use lookalike_table::{DuplicateNames, Error, Oddity, Place, ReadOptions, Table, read};

fn of(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn error(bytes: impl AsRef<[u8]>) -> Error {
    read(bytes.as_ref(), &ReadOptions::default()).unwrap_err()
}

fn cells(table: &Table) -> Vec<Vec<&str>> {
    (0..table.rows).map(|row| table.columns.iter().map(|c| c.cell(row)).collect()).collect()
}

fn warnings(table: &Table) -> Vec<String> {
    table.warnings.iter().map(|w| w.what.to_string()).collect()
}

#[test]
fn reads_quotes_line_breaks_and_unicode() {
    let table = of("name,note\n\"Smith, J\",\"said \"\"hi\"\"\nand left\"\nÅse,日本\n");
    assert_eq!(cells(&table), [["Smith, J", "said \"hi\"\nand left"], ["Åse", "日本"]]);
    assert!(table.warnings.is_empty());
    assert_eq!(table.column("note").map(|c| c.cells.clone()), Some(vec![0, 1]));
    assert_eq!(table.column("Note"), None);
}

#[test]
fn line_ends_and_byte_order_mark_make_no_difference() {
    let expected = of("a,b\n1,x\n2,\n1,x\n");
    assert_eq!(expected.columns[0].values, ["1", "2"]);
    assert_eq!(expected.columns[0].cells, [0, 1, 0]);
    for text in [
        "a,b\r\n1,x\r\n2,\r\n1,x\r\n",
        "a,b\r1,x\r2,\r1,x",
        "\u{feff}a,b\n1,x\n2,\n1,x",
        "\u{feff}\"a\",b\r\n1,x\r\n2,\r\n1,x",
    ] {
        assert_eq!(of(text).columns, expected.columns, "{text:?}");
        assert_ne!(of(text).digest, expected.digest, "{text:?}");
    }
}

#[test]
fn cells_are_kept_and_names_trimmed() {
    let table = of(" a , b\n 1 ,x \n");
    assert_eq!(cells(&table), [[" 1 ", "x "]]);
    assert_eq!(table.columns.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(
        warnings(&table),
        ["white space or invisible signs around column names were removed: 'a' and 'b'"]
    );
}

#[test]
fn blank_lines_are_skipped_with_a_warning() {
    for text in ["a,b\n1,2\n\n  \n3,4\n\n", "a,b\r\n1,2\r\n\r\n\t\r\n3,4\r\n\r\n", "a,b\r1,2\r\r \r3,4\r\r"] {
        let table = of(text);
        assert_eq!(cells(&table), [["1", "2"], ["3", "4"]], "{text:?}");
        assert_eq!(
            warnings(&table),
            ["3 blank lines were skipped, the first is line 3 of the file"],
            "{text:?}"
        );
    }
    let table = of("\n \na,b\n1,2\n");
    assert_eq!(warnings(&table), ["2 blank lines were skipped, the first is line 1 of the file"]);
    let single = of("a\n1\n\n\"\"\n \n");
    assert_eq!(cells(&single), [["1"], [""], [" "]]);
    assert_eq!(
        warnings(&single),
        ["1 blank line was skipped, the first is line 3 of the file; an empty cell must be written as \"\""]
    );
}

#[test]
fn a_line_break_within_quotes_is_no_blank_line() {
    let table = of("a,b\n\"\n\n\",2\n");
    assert_eq!(cells(&table), [["\n\n", "2"]]);
    assert!(table.warnings.is_empty());
}

#[test]
fn a_delimiter_at_every_line_end_is_dropped() {
    let table = of("a,b,,\n1,2,,\n3,4, ,\n");
    assert_eq!(cells(&table), [["1", "2"], ["3", "4"]]);
    assert_eq!(
        warnings(&table),
        ["every line ends in a delimiter: 2 columns were blank in the header and in every row, and left out"]
    );
}

#[test]
fn other_delimiters() {
    let options = ReadOptions { delimiter: Some(b';'), ..ReadOptions::default() };
    let table = read(b"a;b\n1,5;2\n", &options).unwrap();
    assert_eq!(cells(&table), [["1,5", "2"]]);
    for bad in [b'"', b'\n', b'\r', 0, 0xe9] {
        let options = ReadOptions { delimiter: Some(bad), ..ReadOptions::default() };
        assert_eq!(
            read(b"a\n1\n", &options),
            Err(Error::Delimiter { sign: char::from(bad).to_string().as_str().into() })
        );
    }
}

#[test]
fn a_forgotten_delimiter_is_hinted_at() {
    let hint = "the header has no comma but a semicolon; if a semicolon separates the columns, choose it as the delimiter";
    let table = of("a;b\n1;2\n");
    assert_eq!(warnings(&table), [format!("the table has one column only: {hint}")]);
    let message = error("a;b\n1,5;2\n").to_string();
    assert_eq!(
        message,
        format!("the header has 1 column, but row 1 (line 2 of the file) has 2 fields: {hint}")
    );
}

#[test]
fn a_header_of_numbers_is_suspicious() {
    let table = of("39,77516\n50,83311\n");
    assert_eq!(
        warnings(&table),
        ["the header row holds numbers only ('39' and '77516'): the names of the columns seem to be missing"]
    );
}

#[test]
fn empty_files() {
    for bytes in ["", "\n", " \r\n\t\n", "\u{feff}", "\u{feff}\n\n"] {
        assert_eq!(error(bytes), Error::Empty, "{bytes:?}");
    }
    for bytes in ["a,b", "a,b\n", "\u{feff}a,b\r\n\r\n"] {
        assert_eq!(error(bytes), Error::HeaderOnly { columns: 2 }, "{bytes:?}");
    }
}

#[test]
fn ragged_rows_are_listed_with_rows_and_lines() {
    let message = error("a,b\n\"x\ny\",2\n\n3\n4,5\n6,7,8\n").to_string();
    assert_eq!(
        message,
        "the header has 2 columns, but row 2 (line 5 of the file) has 1 field, row 4 (line 7 of the file) has 3 fields: \
         every row needs as many fields as the header; quote a cell that contains the delimiter"
    );
    let mut text = String::from("a,b\n");
    text.push_str(&"1\n".repeat(1007));
    let Error::Ragged { first, more, expected, .. } = error(&text) else { panic!("not ragged") };
    assert_eq!((first.len(), more, expected), (5, 1002, 2));
    assert!(error(&text).to_string().contains("; and 1,002 more rows: "));
}

#[test]
fn duplicate_and_blank_names() {
    assert_eq!(
        error("age,sex, age ,sex,b\n1,2,3,4,5\n").to_string(),
        "the header has the same name more than once (\"age\" in columns 1 and 3, \"sex\" in columns 2 and 4): \
         give every column a different name, let the later ones get a number, or say that the file has no header row"
    );
    let options = ReadOptions { duplicates: DuplicateNames::Number, ..ReadOptions::default() };
    let table = read(b"age,sex, age ,sex,b\n1,2,3,4,5\n", &options).unwrap();
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["age", "sex", "age_2", "sex_2", "b"]);
    assert_eq!(
        warnings(&table)[1..],
        [
            "column 3 is called \"age_2\" here: an earlier column has its name, \"age\"",
            "column 4 is called \"sex_2\" here: an earlier column has its name, \"sex\""
        ]
    );
    // A column is asked for by the name it got.
    let options = ReadOptions { columns: Some(vec![String::from("sex_2")]), ..options };
    let table = read(b"age,sex, age ,sex,b\n1,2,3,4,5\n", &options).unwrap();
    assert_eq!((table.columns.len(), table.columns[0].cell(0), table.renamed.len()), (1, "4", 2));
    assert_eq!(
        error("a,,b, \n1,2,3,4\n").to_string(),
        "columns 2 and 4 have no name in the header: give every column a name (one, where names stand in two rows), or, only if the first row is a record, say that the file has no \
         header row"
    );
    let warned = |text: &str| {
        let read = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        read.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(warned("age ill\n20 a\n30 b\n")[0].contains("each line has 1 space"));
    assert!(warned("age ill\n20 a\n30\n").is_empty() && warned("age ill\n20\n30\n").is_empty());
    let index = error(",age,sex\n0,17,m\n1,18,f\n").to_string();
    assert!(index.contains("give it a name, or delete it") && !index.contains("no header"), "{index}");
    let titled = error("a,,c\n1,2,3\n");
    assert!(matches!(titled, Error::BlankNames { .. }), "{titled}");
    assert_eq!(error("a,\"\"\n1,\n2,x\n"), Error::BlankNames { columns: vec![2], title: 0 });
    assert_eq!(error(",\n,\n"), Error::BlankNames { columns: vec![1], title: 0 });
}

#[test]
fn other_encodings_are_named() {
    for bytes in [&b"\xff\xfea\0\n\0"[..], b"\xfe\xff\0a\0\n", b"a\0,\0b\0\n\x001\0,\x002\0\n\0"] {
        assert_eq!(error(bytes), Error::Utf16, "{bytes:?}");
    }
    assert_eq!(error(b"PK\x03\x04\x14\x00\x06\x00\x08\x00\xff\xfe\x80"), Error::Workbook);
    let message = error(b"name,town\n\n\"a\nb\",x\nJos\xe9,y\n").to_string();
    assert!(
        message.starts_with("row 2 (line 5 of the file), column 1: the text is not UTF-8: save"),
        "{message}"
    );
    let message = error(b"a,b\n1,2\n3,\xc3").to_string();
    assert!(message.starts_with("row 2 (line 3 of the file), column 2: "), "{message}");
    assert!(error(b"a,\xe9\n1,2\n").to_string().starts_with("the header, column 2: "));
}

#[test]
fn an_unclosed_quote_is_located() {
    let quote = |bytes: &str| match error(bytes) {
        Error::UnclosedQuote { place, column, line } => (place, column, line),
        other => panic!("{other}"),
    };
    assert_eq!(quote("a,b\n1,2\n3,\"x\n4,5\n"), (Place::Row { row: 2, line: 3 }, 2, 3));
    assert_eq!(quote("a,b\n1,\"2\n\"\n\"3,x"), (Place::Row { row: 2, line: 4 }, 1, 4));
    assert_eq!(quote("a,b\n1,\"x\n\",\"y\n2,z\n"), (Place::Row { row: 1, line: 2 }, 3, 3));
    assert_eq!(quote("a,\"b\n1,2\n"), (Place::Header, 2, 1));
    assert_eq!(quote("a,b\n1,2\n\""), (Place::Row { row: 2, line: 3 }, 1, 3));
    assert_eq!(quote("a,b\n1,\"\"\"\n"), (Place::Row { row: 1, line: 2 }, 2, 2));
}

#[test]
fn a_quote_left_open_within_the_file_shows_at_the_first_row_that_does_not_fit() {
    let message = error("a,b\n1,\"x\n2,y\n3,\"z\",w\n4,\"v\n").to_string();
    assert_eq!(
        message,
        "the header has 2 columns, but row 1 (line 2 of the file) has 3 fields: \
         a quote is never closed, in the first of these rows or further down, up to line 5 of the file, where the last one opens: \
         close it, or double it if it belongs to the text"
    );
    // The rows above may be wrong for reasons of their own.
    let message = error("a,b,c\n1,2,3\n4,5\n6,7,8,9\n\"x,1,2\n").to_string();
    assert!(message.contains("row 2 (line 3 of the file) has 2 fields"), "{message}");
    assert!(message.contains("up to line 5 of the file"), "{message}");
}

#[test]
fn text_after_a_closing_quote_and_quotes_within_a_cell_are_taken_as_they_are() {
    let table = of("a,b\n\"x\" y,5\"\n");
    assert_eq!(cells(&table), [["x y", "5\""]]);
}

/// What stands after a closing quote is taken, as other readers do, and said.
#[test]
fn text_after_a_closing_quote_is_told() {
    let text = "a,b,c\n1,\"4\"5,x\n2,\"5 \"\"6\"\"\",y\n3,6\"7,\"z\" \n";
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(table.column("b").unwrap().cell(0), "45");
    let told: Vec<_> = table.warnings.iter().map(|w| (w.row, w.what.clone())).collect();
    let at = |line, column| Oddity::TextAfterQuote { line, column };
    assert_eq!(told, [(Some(1), at(2, 2)), (Some(3), at(4, 3))]);
    assert!(table.warnings[0].to_string().starts_with("row 1: line 2 of the file, column 2: text follows"));
    // Also over pieces of the buffer, and no more of them than can be read.
    let long = "x".repeat(300_000);
    let many: String = (0..30).map(|_| format!("\"{long}\"!\n")).collect::<Vec<_>>().concat();
    let table = read(format!("a\n{many}").as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(table.warnings.len(), 21);
    assert!(table.warnings[20].to_string().starts_with("10 more rows"), "{:?}", table.warnings[20]);
    let header = read(b"\"a\"b,c\n1,2\n", &ReadOptions::default()).unwrap();
    assert!(
        header
            .warnings
            .iter()
            .any(|w| w.row.is_none() && w.to_string().contains("line 1 of the file, column 1"))
    );
    let off = ReadOptions { quote: Some(lookalike_table::Quote::Off), ..ReadOptions::default() };
    assert!(read(b"a,b\n\"1\"2,3\n", &off).unwrap().warnings.is_empty());
}
