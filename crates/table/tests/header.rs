//! Whether the first row is the header: asked where a person might be published as column names.
#![cfg(test)]

use lookalike_table::{Also, DuplicateNames, Error, HeaderRow, ReadOptions, Table, Unfit, read, read_parts};
use proptest::prelude::*;

const NO_HEADER: &str =
    "1,m,90,04109,2966.06,16.08.1990\n2,f,41,10115,1200.50,01.02.1983\n3,m,33,01067,800.00,30.11.1991\n";

fn as_header(header: HeaderRow) -> ReadOptions {
    ReadOptions { header, ..ReadOptions::default() }
}

fn ask(text: &str) -> Result<Table, Error> {
    read(text.as_bytes(), &as_header(HeaderRow::Ask))
}

fn names(table: &Table) -> Vec<&str> {
    table.columns.iter().map(|column| column.name.as_str()).collect()
}

#[test]
fn a_first_person_is_asked_about_with_both_readings() {
    let error = ask(NO_HEADER).unwrap_err();
    assert!(matches!(error, Error::FirstRow { .. }), "{error}");
    let told = error.to_string();
    let cells = "'1', 'm', '90', '04109', '2966.06', '16.08.1990'";
    for part in [
        "'1' in column 1 stands above numbers",
        "'m' in column 2 is also a value there (row 2)",
        &format!("As a header: the columns are named {cells}"),
        &format!("As data: the first record is {cells}"),
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn the_answer_decides() {
    let table = read(NO_HEADER.as_bytes(), &as_header(HeaderRow::Absent)).unwrap();
    assert_eq!(table.rows, 3);
    assert_eq!(names(&table), ["column1", "column2", "column3", "column4", "column5", "column6"]);
    assert_eq!(table.header, names(&table));
    assert_eq!([table.columns[0].cell(0), table.columns[5].cell(2)], ["1", "30.11.1991"]);
    let table = read(NO_HEADER.as_bytes(), &as_header(HeaderRow::Present)).unwrap();
    assert_eq!((table.rows, names(&table)[3]), (2, "04109"));
}

fn named(text: &str, header: HeaderRow, names: &[&str]) -> Result<Table, Error> {
    let names = Some(names.iter().map(|&name| name.to_owned()).collect());
    read(text.as_bytes(), &ReadOptions { names, ..as_header(header) })
}

#[test]
fn columns_without_a_header_have_the_names_that_are_given() {
    let table = named("1,m\n2,f\n", HeaderRow::Absent, &["age", " sex "]).unwrap();
    assert_eq!((table.rows, names(&table), table.columns[1].cell(0)), (2, vec!["age", "sex"], "m"));
    let absent = |names: &[&str]| named("1,m\n2,f\n", HeaderRow::Absent, names).unwrap_err();
    assert_eq!(absent(&["age"]), Error::NamesGiven { names: 1, columns: 2 });
    assert_eq!(absent(&["age", "sex", "zip"]), Error::NamesGiven { names: 3, columns: 2 });
    assert_eq!(absent(&["age", " "]), Error::NameBlank { column: 2 });
    assert!(matches!(absent(&["age", "age "]), Error::NamesTwice { .. }));
    for header in [HeaderRow::Present, HeaderRow::Ask] {
        let error = named("1,m\n2,f\n", header, &["age", "sex"]).unwrap_err();
        assert_eq!(error, Error::Unfit(Unfit::NamesBesideHeader));
    }
}

/// Names that are saved with settings meet a delivery that has a header this time: nobody is published under them.
#[test]
fn a_first_record_that_holds_the_names_is_no_person() {
    let error =
        named(" AGE,sex,zip\n1,m,04109\n", HeaderRow::Absent, &["age", "sex", "postcode"]).unwrap_err();
    let Error::NamesInFirst { names } = &error else { panic!("{error}") };
    assert_eq!(names.len(), 2);
    assert!(error.to_string().contains("'age', 'sex'"), "{error}");
    // One cell that happens to be a name is a value.
    let table = named("f,m,1\n1,m,2\n", HeaderRow::Absent, &["f", "sex", "zip"]).unwrap();
    assert_eq!(table.rows, 2);
}

proptest! {
    /// Whatever is in the first record, no cell of it is a name of a column unless somebody gave it, and every record is a row.
    #[test]
    fn no_cell_of_the_first_record_becomes_a_name(
        rows in prop::collection::vec(prop::collection::vec("[a-z0-9 .,;\"]{1,6}", 3), 1..6),
        given in any::<bool>(),
    ) {
        let lines = rows.iter().map(|row| {
            let cells: Vec<String> = row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
            cells.join(",") + "\n"
        });
        let text: String = lines.collect();
        let options = ReadOptions {
            names: given.then(|| ["Age_", "Sex_", "Zip_"].map(String::from).to_vec()),
            ..as_header(HeaderRow::Absent)
        };
        let table = read(text.as_bytes(), &options).unwrap();
        let expected = if given { ["Age_", "Sex_", "Zip_"] } else { ["column1", "column2", "column3"] };
        prop_assert_eq!(&table.header, &expected);
        prop_assert_eq!(names(&table), expected);
        prop_assert_eq!(table.rows, rows.len());
        for (at, row) in rows.iter().enumerate() {
            let cells: Vec<&str> = table.columns.iter().map(|column| column.cell(at)).collect();
            prop_assert_eq!(cells, row.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
}

#[test]
fn one_column_quotes_and_a_byte_order_mark_make_no_difference() {
    for text in ["m\nf\nm\n", "\u{feff}m\nf\nm\n", "\"m\"\nf\n\"m\"\n", "\n\nm\nf\nm\n", " m \nf\nm\n"] {
        assert!(matches!(ask(text), Err(Error::FirstRow { .. })), "{text:?}");
        let table = read(text.as_bytes(), &as_header(HeaderRow::Absent)).unwrap();
        assert_eq!((table.rows, names(&table)), (3, vec!["column1"]), "{text:?}");
        assert_eq!(table.columns[0].cell(0).trim(), "m", "{text:?}");
    }
}

#[test]
fn names_above_values_are_a_header() {
    for text in ["age,sex\n17,m\n18,f\n", "a,\n1,\n", "name\nAnna\nBert\n", "1990,1991\nyes,no\nno,no\n"] {
        let (asked, told) = (ask(text).unwrap(), read(text.as_bytes(), &ReadOptions::default()).unwrap());
        assert_eq!((asked.first_row, told.first_row), (HeaderRow::Ask, HeaderRow::Present));
        assert_eq!(asked, Table { first_row: HeaderRow::Ask, ..told }, "{text:?}");
    }
    assert_eq!(ask("age,sex\n").unwrap_err(), Error::HeaderOnly { columns: 2 });
    let one = read(b"17,m\n", &as_header(HeaderRow::Absent)).unwrap();
    assert_eq!((one.rows, one.columns[1].cell(0)), (1, "m"));
}

/// Years that are columns, and a code that is both a name and a value, are asked about: one answer is cheap.
#[test]
fn a_doubtful_header_is_asked_about() {
    for text in ["city,1990,1991\nRom,3,4\nWien,5,6\n", "M,F\nF,F\nM,F\n", "date,2024-01-01\nx,2023-05-05\n"]
    {
        assert!(matches!(ask(text), Err(Error::FirstRow { .. })), "{text:?}");
    }
}

#[test]
fn columns_that_are_not_kept_are_looked_at_too() {
    let options = ReadOptions {
        columns: Some(vec![String::from("Anna")]),
        header: HeaderRow::Ask,
        ..ReadOptions::default()
    };
    let error = read(b"Anna,17\nBert,18\n", &options).unwrap_err();
    assert!(matches!(error, Error::FirstRow { .. }), "{error}");
}

#[test]
fn parts_ask_at_the_end() {
    let mut lines: Vec<String> = vec![String::from("a,b")];
    lines.extend((0..200_000).map(|row| format!("{row},x")));
    let text = lines.join("\n") + "\n1,b\n";
    let mut rows = 0;
    let found = read_parts(text.as_bytes(), &as_header(HeaderRow::Ask), 1000, &mut |before, part| {
        rows = before + part.rows;
        true
    });
    let told = found.unwrap_err().to_string();
    assert!(told.contains("'b' in column 2 is also a value there (row 200,001)"), "{told}");
    assert!(rows > 100_000, "{rows}");
}

#[test]
fn duplicates_in_a_first_record_are_no_fault_of_it() {
    let text = b"1,1,m\n2,3,f\n";
    let error = read(text, &as_header(HeaderRow::Ask)).unwrap_err().to_string();
    assert!(error.ends_with("or say that the file has no header row"), "{error}");
    assert_eq!(names(&read(text, &as_header(HeaderRow::Absent)).unwrap()), ["column1", "column2", "column3"]);
    let numbered = ReadOptions { duplicates: DuplicateNames::Number, ..as_header(HeaderRow::Ask) };
    assert!(matches!(read(text, &numbered), Err(Error::FirstRow { .. })));
}

#[test]
fn more_columns_are_kept_by_their_names() {
    let options = ReadOptions {
        columns: Some(vec![String::from("b")]),
        also: Some(Also(|name| name == "c")),
        ..ReadOptions::default()
    };
    let table = read(b"a,b,c\n1,2,3\n", &options).unwrap();
    assert_eq!((names(&table), table.header.len()), (vec!["b", "c"], 3));
}

#[cfg(feature = "encodings")]
#[test]
fn json_of_other_forms_is_refused_whatever_is_said() {
    use lookalike_table::{OpenOptions, open};
    let arrays = "[\"age\",\"sex\"]\n[17,\"m\"]\n";
    let array = "[{\"age\":17},\n{\"age\":18}]\n";
    for text in [arrays, array] {
        for header in [HeaderRow::Ask, HeaderRow::Present, HeaderRow::Absent] {
            let options = OpenOptions { read: as_header(header), ..OpenOptions::default() };
            let error = open(std::io::Cursor::new(text), &options).unwrap_err();
            assert!(matches!(error, Error::Json { .. }), "{error}");
        }
    }
}
