//! Files as they arrive: each is read as a person would read it, or refused with what is wrong, where, and what to do.
#![cfg(all(test, feature = "xlsx"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests: a failure here is a failed test"
)]

use std::io::{Cursor, Write as _};

use encoding_rs::{ISO_8859_2, MACINTOSH, SHIFT_JIS, UTF_16BE, WINDOWS_1251, WINDOWS_1252};
use flate2::{Compression, write::GzEncoder};
use lookalike_table::{HeaderRow, Kind, OpenOptions, ReadOptions, Skip, Table, infer_all, open};
use zip::{ZipWriter, write::SimpleFileOptions};

/// What a file is to be taken for.
enum Taken {
    /// A table of so many rows, with these kinds (i, r, d, c), and these cells of its first row.
    Table(usize, &'static str, &'static str),
    /// A table of which a person must first say something about one column; the question says this.
    Question(&'static str, &'static str),
    /// A table with a remark in which all of this is said.
    Remark(&'static [&'static str]),
    /// No table: the message says all of this.
    Refused(&'static [&'static str]),
}

use Taken::{Question, Refused, Remark, Table as As};

const HEADER: &str = "age,sex,zip,illness\n";

/// Twelve people: age, sex, a postcode and an illness.
fn body() -> String {
    let people = (0..12).map(|at| {
        let illness = ["flu", "gout", "asthma"][at % 3];
        format!("{},{},{:05},{illness}\n", 21 + at * 3, ["f", "m"][at % 2], 1067 + 911 * at)
    });
    people.collect()
}

fn table() -> String {
    HEADER.to_owned() + &body()
}

/// A column `x` with these cells, beside one that counts them.
fn column(cells: &[&str]) -> String {
    let rows = cells.iter().enumerate().map(|(at, cell)| format!("n{at};{cell}\n"));
    "key;x\n".to_owned() + &rows.collect::<String>()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn archive(members: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

fn taken(bytes: Vec<u8>, options: &OpenOptions) -> Result<Table, String> {
    open(Cursor::new(bytes), options).map_err(|error| error.to_string())
}

fn asking() -> OpenOptions {
    OpenOptions {
        read: ReadOptions { header: HeaderRow::Ask, ..ReadOptions::default() },
        ..OpenOptions::default()
    }
}

fn check(name: &str, bytes: Vec<u8>, options: &OpenOptions, expected: &Taken) {
    let found = taken(bytes, options);
    let all_in = |text: &str, parts: &[&str]| {
        for part in parts {
            assert!(text.contains(part), "{name}: {part:?} is not said: {text}");
        }
    };
    if let Refused(parts) = expected {
        let error = found.expect_err(name);
        return all_in(&error, parts);
    }
    let found = found.unwrap_or_else(|error| unreachable!("{name}: {error}"));
    let kinds = infer_all(&found, &lookalike_table::usual_markers());
    match expected {
        Refused(_) => {}
        As(rows, letters, cells) => {
            assert_eq!(found.rows, *rows, "{name}");
            let letter = |kind: &Kind| match kind {
                Kind::Integer => 'i',
                Kind::Real => 'r',
                Kind::Date => 'd',
                Kind::Category | Kind::Ordinal | Kind::Identifier => 'c',
            };
            let read: String = kinds.iter().map(|one| letter(&one.kind)).collect();
            assert_eq!(read, *letters, "{name}");
            let row: Vec<&str> = found.columns.iter().map(|column| column.cell(0)).collect();
            assert_eq!(row.join("/"), *cells, "{name}");
        }
        Question(column, part) => {
            let at = found.columns.iter().position(|one| one.name == *column).expect(name);
            let asked = kinds[at].question.as_ref().map(ToString::to_string);
            let slip = kinds[at].nearly.is_some().then(|| String::from("slip"));
            let said = asked.or(slip).unwrap_or_else(|| unreachable!("{name}: nothing is asked of {column}"));
            all_in(&said, &[part]);
        }
        Remark(parts) => {
            let remarks = found.warnings.iter().map(ToString::to_string);
            let notes = found.notes.iter().map(ToString::to_string);
            all_in(&remarks.chain(notes).collect::<Vec<_>>().join("\n"), parts);
        }
    }
}

const PERSON: &str = "21/f/01067/flu";

#[test]
fn delimiters_and_lines() {
    let text = table();
    let whole = As(12, "iccc", PERSON);
    for (name, bytes, expected) in [
        ("semicolons", text.replace(',', ";"), &whole),
        ("tabs", text.replace(',', "\t"), &whole),
        ("bars", text.replace(',', "|"), &whole),
        ("carets", text.replace(',', "^"), &whole),
        ("tildes", text.replace(',', "~"), &whole),
        ("the separator of units", text.replace(',', "\u{1f}"), &whole),
        ("a first line that names the delimiter", format!("sep=;\n{}", text.replace(',', ";")), &whole),
        ("line ends of an old Mac", text.replace('\n', "\r"), &whole),
        ("two kinds of line ends", text.replacen('\n', "\r\n", 5), &whole),
        ("no line end at the end", text.trim_end().to_owned(), &whole),
        ("blank lines between", text.replace('\n', "\n\n"), &whole),
        ("lines of white space below", format!("{text}   \n\t\n"), &whole),
        ("a delimiter at the end of each line", text.replace('\n', ",\n"), &whole),
        ("a delimiter at the end of each row", format!("{HEADER}{}", body().replace('\n', ",\n")), &whole),
        (
            "columns below each other",
            text.lines()
                .map(|line| {
                    line.split(',').fold(String::new(), |text, cell| text + &format!("{cell:<8}")) + "\n"
                })
                .collect(),
            &Refused(&["4 columns", "aligned by spaces", "CSV UTF-8"]),
        ),
        ("tabs in the header alone", text.replacen(',', "\t", 3), &Refused(&["the header has 1 column"])),
        (
            "a row with a cell too many",
            text.replacen("flu", "flu,severe", 1),
            &Refused(&["row 1", "line 2", "5 fields"]),
        ),
        (
            "a row with a cell too few",
            text.replacen(",flu\n", "\n", 1),
            &Refused(&["row 1", "line 2", "3 fields"]),
        ),
        ("a footer", format!("{text}Total: 12\n"), &Refused(&["line 14", "footer"])),
        ("a title", format!("Ward 4\n\n{text}"), &Refused(&["title"])),
        ("comments", format!("# exported\n# by the ward\n{text}"), &Refused(&["title"])),
    ] {
        check(name, bytes.into_bytes(), &asking(), expected);
    }
    let skip = OpenOptions { skip: Skip { first: 2, last: 1 }, ..asking() };
    check("title and footer, skipped", format!("Ward 4\n\n{text}Total: 12\n").into(), &skip, &whole);
}

#[test]
fn quotes() {
    let text = table();
    let quoted = |sign: char| {
        let line = |line: &str| {
            line.split(',').map(|cell| format!("{sign}{cell}{sign}")).collect::<Vec<_>>().join(",") + "\n"
        };
        text.lines().map(line).collect::<String>()
    };
    let whole = As(12, "iccc", PERSON);
    for (name, bytes, expected) in [
        ("all cells quoted", quoted('"'), &whole),
        ("single quotes", quoted('\''), &whole),
        (
            "white space before the quotes",
            quoted('"').replace(",\"", ", \""),
            &Refused(&["the header", "column 2", "white space"]),
        ),
        (
            "the same below a plain header",
            text.replacen("flu\n", " \"flu, mild\"\n", 1).replacen("flu, mild", "flu", 1),
            &Refused(&["row 1", "line 2", "column 4", "white space"]),
        ),
        ("a quote within a word", text.replacen("flu", "fl\"u", 1), &As(12, "iccc", "21/f/01067/fl\"u")),
        (
            "text after a quote",
            text.replacen("flu", "\"flu\" A", 1),
            &Remark(&["line 2", "column 4", "closing quote"]),
        ),
        (
            "a quote that is never closed",
            text.replacen("flu", "\"flu", 1),
            &Refused(&["row 1", "never closed"]),
        ),
        (
            "a line break in a cell",
            text.replacen("flu", "\"flu\nA\"", 1),
            &As(12, "iccc", "21/f/01067/flu\nA"),
        ),
    ] {
        check(name, bytes.into_bytes(), &asking(), expected);
    }
}

#[test]
fn headers() {
    let (text, body) = (table(), body());
    let whole = As(12, "iccc", PERSON);
    for (name, bytes, expected) in [
        (
            "invisible signs around names",
            text.replace("age", "\u{200b}age\u{ad}"),
            &Remark(&["invisible signs", "'age'"]),
        ),
        ("spaces that do not break", text.replace("age", "\u{a0}age"), &whole),
        ("two marks of byte order", format!("\u{feff}\u{feff}{text}"), &whole),
        ("no header", body.clone(), &Refused(&["As a header", "As data", "'01067'"])),
        ("the header twice", format!("{text}{text}"), &Refused(&["row 13 repeats it"])),
        ("a row of units", format!("{HEADER}[years],[m/f],[-],[text]\n{body}"), &Question("age", "slip")),
        ("a name twice", text.replace("zip", "age"), &Refused(&["columns 1 and 3"])),
        ("a column without a name", text.replace("zip", ""), &Refused(&["column 3 has no name"])),
        ("a header alone", HEADER.to_owned(), &Refused(&["no row of data"])),
    ] {
        check(name, bytes.into_bytes(), &asking(), expected);
    }
}

#[test]
fn encodings() {
    let text = table().replace("gout", "Gr\u{f6}\u{df}e").replace("asthma", "\u{dc}belkeit");
    let whole = As(12, "iccc", PERSON);
    let in_it = |encoding: &'static encoding_rs::Encoding, text: &str| encoding.encode(text).0.into_owned();
    let polish = table()
        .replace("gout", "\u{142}\u{f3}d\u{17a}, \u{15b}wiat")
        .replace("\u{142}\u{f3}d\u{17a}, ", "\u{142}\u{f3}d\u{17a} ");
    let russian = table()
        .replace("gout", "\u{433}\u{440}\u{438}\u{43f}\u{43f}")
        .replace("asthma", "\u{430}\u{441}\u{442}\u{43c}\u{430}");
    let japanese = table()
        .replace("gout", "\u{98a8}\u{90aa}")
        .replace("asthma", "\u{5598}\u{606f}")
        .replace("flu", "\u{30a4}\u{30f3}\u{30d5}\u{30eb}");
    for (name, bytes, expected) in [
        ("Western European", in_it(WINDOWS_1252, &text), &whole),
        ("Central European", in_it(ISO_8859_2, &polish), &whole),
        ("Cyrillic", in_it(WINDOWS_1251, &russian), &whole),
        (
            "Japanese",
            in_it(SHIFT_JIS, &japanese),
            &As(12, "iccc", "21/f/01067/\u{30a4}\u{30f3}\u{30d5}\u{30eb}"),
        ),
        ("UTF-16 with a mark", [b"\xfe\xff".to_vec(), utf16(&text)].concat(), &whole),
        ("UTF-16 without one", utf16(&text), &whole),
        (
            "UTF-32",
            [b"\xff\xfe\0\0".to_vec(), text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect()]
                .concat(),
            &Refused(&["UTF-32", "UTF-8"]),
        ),
        (
            "a NUL byte",
            table().replacen("flu", "fl\0u", 1).into_bytes(),
            &Refused(&["row 1", "column 4", "NUL"]),
        ),
    ] {
        check(name, bytes, &asking(), expected);
    }
    // What no detector can know is a guess, and is said to be one; whoever knows it says it.
    let mac = in_it(MACINTOSH, &text);
    check("a guess", mac.clone(), &asking(), &Remark(&["a guess"]));
    let chosen = OpenOptions { encoding: Some("macintosh".into()), ..asking() };
    let read = taken(mac, &chosen).unwrap();
    assert_eq!(read.columns[3].cell(1), "Gr\u{f6}\u{df}e");
    assert_eq!(UTF_16BE.name(), "UTF-16BE");
}

#[test]
fn other_files() {
    let text = table();
    let whole = As(12, "iccc", PERSON);
    for (name, bytes, expected) in [
        ("nothing", Vec::new(), &Refused(&["the file is empty"])),
        ("a mark of byte order alone", b"\xef\xbb\xbf".to_vec(), &Refused(&["the file is empty"])),
        (
            "a web page named .xls",
            b"<html><table><tr><td>age</td></tr></table></html>".to_vec(),
            &Refused(&["web page"]),
        ),
        ("XML", b"\xef\xbb\xbf<?xml version='1.0'?><rows/>".to_vec(), &Refused(&["XML"])),
        ("rich text", b"{\\rtf1 age}".to_vec(), &Refused(&["RTF"])),
        ("a PDF", b"%PDF-1.7\n".to_vec(), &Refused(&["a PDF"])),
        ("a JSON array", br#"[{"age":1},{"age":2}]"#.to_vec(), &Refused(&["array", "line"])),
        ("nested JSON", b"{\"age\":1,\"home\":{\"zip\":\"1\"}}\n".to_vec(), &Refused(&["line 1", "home"])),
        (
            "JSON lines without some keys",
            b"{\"age\":1,\"sex\":\"f\"}\n{\"age\":2}\n{\"sex\":\"m\",\"age\":3}\n".to_vec(),
            &As(3, "ic", "1/f"),
        ),
        ("gzip", gzip(text.as_bytes()), &whole),
        ("gzip, cut off", gzip(text.as_bytes())[..40].to_vec(), &Refused(&["gzip"])),
        ("gzip, twice", gzip(&gzip(text.as_bytes())), &Refused(&["unpack"])),
        ("an archive of a Mac", archive(&[("__MACOSX/._a.csv", "x"), ("a.csv", &text)]), &whole),
        (
            "an archive of two",
            archive(&[("a.csv", &text), ("b.csv", &text)]),
            &Refused(&["2 files", "a.csv", "b.csv"]),
        ),
        ("an empty archive", archive(&[]), &Refused(&["holds no file"])),
    ] {
        check(name, bytes, &asking(), expected);
    }
}

#[test]
fn values() {
    for (name, cells, expected) in [
        (
            "apostrophes between thousands",
            &["1'234.50", "12'345.00", "999.99"][..],
            &As(3, "cr", "n0/1'234.50"),
        ),
        ("powers of ten", &["1e5", "2.5E-3", "7"], &As(3, "cr", "n0/1e5")),
        ("a comma that may be one of two", &["1,234", "5,678", "2,345"], &Question("x", "1,234")),
        (
            "a day that may be a month",
            &["01/02/2024", "03/04/2024", "05/06/2024"],
            &Question("x", "01/02/2024"),
        ),
        ("a year of two digits", &["01.02.24", "13.04.30", "05.06.29"], &Question("x", "two-digit year")),
        (
            "a day that no month has",
            &[
                "31.02.2024",
                "01.03.2024",
                "15.04.2024",
                "16.04.2024",
                "17.04.2024",
                "18.04.2024",
                "19.04.2024",
                "20.04.2024",
                "21.04.2024",
                "22.04.2024",
                "23.04.2024",
                "24.04.2024",
            ],
            &Question("x", "slip"),
        ),
        (
            "a word among numbers",
            &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "eleven", "12"],
            &Question("x", "slip"),
        ),
        ("codes with leading zeros", &["01067", "10115", "80331"], &As(3, "cc", "n0/01067")),
        ("known words for nothing", &["1", "NULL", "n/a", "2", "."], &As(5, "ci", "n0/1")),
    ] {
        check(name, column(cells).into_bytes(), &asking(), expected);
    }
}
