//! Lines above and below a table: named where they end in an error, left out where that is asked, never dropped silently.
#![cfg(test)]
#![cfg(feature = "encodings")]

use std::io::Cursor;

use lookalike_table::{
    Error, HeaderRow, Oddity, OpenOptions, RaggedHint, ReadOptions, Skip, Table, Warning, decode, open,
    read_parts,
};

const TITLED: &str = "Patients of 2024\nmade by us, 1 May\n\nage;sex\n17;m\n18;f\n19;m\n";

fn skipping(first: usize, last: usize) -> OpenOptions {
    let read = ReadOptions { header: HeaderRow::Ask, ..ReadOptions::default() };
    OpenOptions { skip: Skip { first, last }, read, ..OpenOptions::default() }
}

fn opened(text: &str, first: usize, last: usize) -> Result<Table, Error> {
    open(Cursor::new(text), &skipping(first, last))
}

fn hint(text: &str) -> Option<RaggedHint> {
    match opened(text, 0, 0) {
        Err(Error::Ragged { hint, .. }) => Some(hint),
        _ => None,
    }
}

#[test]
fn a_title_is_named_and_left_out_on_demand() {
    let error = opened(TITLED, 0, 0).unwrap_err();
    assert!(matches!(error, Error::Ragged { hint: RaggedHint::Title { lines: 3 }, .. }), "{error}");
    let told = error.to_string();
    assert!(
        told.ends_with("the first 3 lines of the file look like a title above the header: skip them"),
        "{told}"
    );
    let table = opened(TITLED, 3, 0).unwrap();
    let plain = opened("age;sex\n17;m\n18;f\n19;m\n", 0, 0).unwrap();
    assert_eq!(table.columns, plain.columns);
    assert_eq!(table.notes, plain.notes);
    let said: Vec<String> = table.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        ["the first 3 lines of the file were skipped, as asked: 'Patients of 2024', 'made by us, 1 May'"]
    );
}

/// Whatever the title holds: quotes, other delimiters, blank lines, a byte-order mark, other line ends.
#[test]
fn titles_of_many_kinds() {
    for (text, lines) in [
        ("Report\na,b\n1,2\n3,4\n5,6\n", 1),
        ("Report, of 2024\na;b\n1;2\n3;4\n", 1),
        ("Report\r\n\r\na,b,c\r\n1,2,3\r\n4,5,6\r\n", 2),
        ("\u{feff}Report\nFrom:,us\na,b,c\n1,2,3\n4,5,6\n7,8,9\n1,2,4\n", 2),
        ("Report,,\n,,\na,b,c\n1,2,3\n4,5,6\n", 2),
        ("Report,,\nFrom:,us,\na,b,c\n1,2,3\n4,,6\n", 2),
    ] {
        let told = match opened(text, 0, 0).unwrap_err() {
            Error::Ragged { hint: RaggedHint::Title { lines }, .. }
            | Error::BlankNames { title: lines, .. } => lines,
            other => panic!("{text:?}: {other}"),
        };
        assert_eq!(told, lines, "{text:?}");
        let table = opened(text, lines, 0).unwrap();
        assert_eq!(table.header[0], "a", "{text:?}");
    }
}

#[test]
fn a_column_asked_for_below_a_title() {
    let mut options = skipping(0, 0);
    options.read.columns = Some(vec![String::from("age")]);
    let error = open(Cursor::new(TITLED), &options).unwrap_err();
    assert!(matches!(error, Error::Titled { title: 3, .. }), "{error}");
    options.skip.first = 3;
    assert_eq!(open(Cursor::new(TITLED), &options).unwrap().rows, 3);
    // A name that is not there is one that is not there.
    options.read.columns = Some(vec![String::from("Age")]);
    assert!(matches!(open(Cursor::new(TITLED), &options), Err(Error::NoColumn { .. })));
}

/// What is no title keeps its own words.
#[test]
fn other_faults_are_no_titles() {
    assert_eq!(hint("a,b,c\n1,2,3\n1,2\n4,5,6\n"), Some(RaggedHint::Unknown));
    assert_eq!(hint("x,y\n1,2,3\n4,5,6\n"), Some(RaggedHint::OneMore));
    assert_eq!(hint("\"x\" \"y\"\n\"1\" 2 3\n\"2\" 5 6\n"), Some(RaggedHint::RowNames));
    assert_eq!(hint("x\n1,2\n4,5\n"), Some(RaggedHint::OneMore));
    let error = open(
        Cursor::new("a;b\n1,5;2,5\n3,5;4,5\n"),
        &OpenOptions {
            read: ReadOptions { delimiter: Some(b','), ..ReadOptions::default() },
            ..OpenOptions::default()
        },
    );
    assert!(matches!(error, Err(Error::Ragged { hint: RaggedHint::OtherDelimiter { .. }, .. })), "{error:?}");
    assert!(matches!(opened("a,,c\n1,2,3\n4,5,6\n", 0, 0), Err(Error::BlankNames { title: 0, .. })));
}

#[test]
fn a_footer_is_named_and_left_out_on_demand() {
    for (text, lines) in [
        ("age,sex\n17,m\n18,f\n19,f\nTotal\n", 1),
        ("age,sex\n17,m\n18,f\n19,f\n\nTotal: 3\nSource: us", 2),
        ("age,sex,x\r\n17,m,1\r\n18,f,2\r\n19,f,3\r\nTotal,3\r\n\r\n", 2),
    ] {
        let error = opened(text, 0, 0).unwrap_err();
        let Error::Ragged { hint: RaggedHint::Footer { lines: found }, .. } = error else {
            panic!("{error}")
        };
        assert_eq!(found, lines, "{text:?}");
        let table = opened(text, 0, lines).unwrap();
        assert_eq!(table.rows, 3);
        assert!(table.warnings.last().unwrap().to_string().contains("'Total"), "{:?}", table.warnings);
    }
    // A row in the middle is none, and neither are most of the rows.
    assert_eq!(hint("a,b\n1,2\n3\n4,5\n6,7\n"), Some(RaggedHint::Unknown));
    assert_eq!(hint("a,b\n1,2\n3\n4\n"), Some(RaggedHint::Unknown));
}

/// A spreadsheet writes a footer with as many fields as the header has: its rows fit, and are named with what skips them.
#[test]
fn a_footer_as_wide_as_the_header_is_named() {
    let rows = "17,m,1\n18,f,2\n19,f,3\n20,m,4\n21,m,5\n";
    let footer = |end: &str, skip: usize| {
        let table = opened(&format!("age,sex,stay\n{rows}{end}"), 0, skip).unwrap();
        let of =
            |warning: &Warning| matches!(warning.what, Oddity::Footer { .. }).then(|| warning.to_string());
        (table.rows, table.warnings.iter().find_map(of))
    };
    for (end, lines, begins) in [
        (
            "Total,,\n",
            1,
            "the last row looks like a footer (totals, a source): 'Total'. It is read as a row of data; skip it",
        ),
        ("Total,,15\n", 1, "the last row looks like a footer (totals, a source): 'Total'."),
        ("Summe:,9,15", 1, "the last row looks like a footer (totals, a source): 'Summe:'."),
        (",Total,15\n", 1, "the last row looks like a footer (totals, a source): 'Total'."),
        (
            "\nTotal: 5,,\nSource: the ward,,\n",
            2,
            "the last 2 rows look like a footer (totals, a source): 'Total: 5', 'Source: the ward'.",
        ),
        (
            "Gesamt,,15\n\nQuelle: Station 4,,\n\n",
            4,
            "the last 2 rows look like a footer (totals, a source): 'Gesamt', 'Quelle: Station 4'.",
        ),
        ("Mean,44.5,\n", 1, "the last row looks like a footer (totals, a source): 'Mean'."),
        (
            "* as of the first of May,,\n",
            1,
            "the last row looks like a footer (totals, a source): '* as of the first of May'.",
        ),
    ] {
        let (count, told) = footer(end, 0);
        let told = told.unwrap_or_else(|| panic!("{end:?} is not named"));
        assert!(told.starts_with(begins), "{end:?}: {told}");
        assert!(told.contains(&format!("(--skip-last-rows {lines})")), "{end:?}: {told}");
        assert!(count > 5, "nothing is left out on a guess");
        assert_eq!(footer(end, lines), (5, None), "{end:?}");
    }
    for end in [
        // Records with cells that are not known.
        "22,,\n",
        ",f,\n",
        "P17,,\n",
        "12:30,,\n",
        "Ann Miller,,\n",
        "Total Recall,m,1\n",
        "Source Street 4,f,1\n",
        // In the middle.
        "Total,,\n22,f,1\n",
    ] {
        assert_eq!(footer(end, 0).1, None, "{end:?}");
    }
    // A table of such rows.
    let of_totals = opened("what,n\nTotal,1\nSum,2\nTotal,3\n", 0, 0).unwrap();
    assert!(of_totals.warnings.is_empty(), "{:?}", of_totals.warnings);
}

/// Advice counts from the ends of the file, whatever is skipped already; so do the lines of faults.
#[test]
fn both_ends() {
    let text = "Title\nage,sex\n17,m\n18,f\n19,f\nTotal\nSource\n";
    let error = opened(text, 1, 1).unwrap_err();
    assert!(matches!(error, Error::Ragged { hint: RaggedHint::Footer { lines: 2 }, .. }), "{error}");
    assert!(error.to_string().contains("line 6 of the file"), "{error}");
    let table = opened(text, 1, 2).unwrap();
    assert_eq!((table.rows, table.warnings.len()), (3, 2));
    assert_eq!(opened(text, 4, 3), Err(Error::AllSkipped { first: 4, last: 3 }));
    assert_eq!(opened(text, 70, 0), Err(Error::AllSkipped { first: 70, last: 0 }));
    assert!(matches!(opened(text, 1, 5), Err(Error::HeaderOnly { .. })));
}

/// A line that names the delimiter is a line of the file, and is heeded when it is skipped.
#[test]
fn the_line_of_the_delimiter_counts() {
    let text = "sep=;\nTitle\nage;sex\n17;m\n18;f\n";
    let error = opened(text, 0, 0).unwrap_err();
    assert!(matches!(error, Error::Ragged { hint: RaggedHint::Title { lines: 2 }, .. }), "{error}");
    assert_eq!(opened(text, 2, 0).unwrap().header, ["age", "sex"]);
}

#[test]
fn parts_and_other_encodings_leave_out_the_same() {
    let rows = (0..50_000).map(|row| format!("{row};Ä\n")).collect::<Vec<_>>().concat();
    let text = format!("Titel\n\nAlter;Ort\n{rows}Summe\nQuelle: wir\n");
    let whole = opened(&text, 2, 2).unwrap();
    assert_eq!(whole.rows, 50_000);
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let other = open(Cursor::new(latin), &skipping(2, 2)).unwrap();
    assert_eq!(
        (other.columns, other.warnings, other.digest),
        (whole.columns, whole.warnings.clone(), whole.digest)
    );
    let mut seen = 0;
    let options = skipping(2, 2);
    let (_, told) = decode(Cursor::new(&text), &options, &mut |form, source| {
        read_parts(source, &form.read_options(&options.read), 1000, &mut |_, part| {
            seen += part.rows;
            true
        })
    })
    .unwrap();
    assert_eq!((seen, told.warnings), (50_000, whole.warnings));
}
