//! Files that pyarrow, pandas and pyreadstat wrote (and `python/tests/sas_files.py`, those of SAS), read as their cells; what does not fit them is refused.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::{fs, io::Cursor, path::Path};

use lookalike_forms::{decode, open};
use lookalike_table::{Error, OpenOptions, ReadOptions, Remarks, Skip};

fn seed(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/forms").join(name)).unwrap()
}

/// The text of a file's cells, and what is said of it.
fn text(name: &str, options: &OpenOptions) -> Result<(String, Remarks), Error> {
    decode(Cursor::new(seed(name)), options, &mut |_, text| {
        let mut all = String::new();
        text.read_to_string(&mut all).map_err(|error| Error::from_io(&error))?;
        Ok(all)
    })
}

fn only(columns: &[&str]) -> OpenOptions {
    let columns = Some(columns.iter().map(|&name| name.to_owned()).collect());
    OpenOptions { read: ReadOptions { columns, ..ReadOptions::default() }, ..OpenOptions::default() }
}

const ARROW: &str = "\
row,same,truth,f64,text,label,day,i8,at_us
0,x,true,0.1,\"a,b\",c,1899-12-31,-128,1969-12-31T23:59:59
1,x,false,1234.5,\"say \"\"\u{e4}\"\"\nB\",d,2024-02-29,127,2024-02-29T12:30:00
2,x,,,,,,,
";

#[test]
fn parquet_and_arrow_are_read_alike() {
    for name in ["zstd.parquet", "snappy.parquet", "lz4.arrow", "stream.arrow"] {
        assert_eq!(text(name, &OpenOptions::default()).unwrap().0, ARROW, "{name}");
        // What is not asked for is not read.
        let (some, told) = text(name, &only(&["day", "i8"])).unwrap();
        assert!(some.starts_with("day,i8\n1899-12-31,-128\n"), "{some}");
        assert!(told.notes[0].to_string().ends_with("9 columns, 2 of them read"), "{:?}", told.notes);
    }
}

#[test]
fn texts_are_no_numbers_and_names_are_no_record() {
    let table = open(Cursor::new(seed("zstd.parquet")), &OpenOptions::default()).unwrap();
    let texts: Vec<_> =
        table.columns.iter().filter(|column| column.texts).map(|column| &column.name).collect();
    assert_eq!(
        (texts, table.rows),
        (["same", "truth", "text", "label"].map(String::from).iter().collect(), 3)
    );
}

#[test]
fn stata_has_labels_and_days() {
    for name in ["v114.dta", "v118.dta"] {
        let (cells, told) = text(name, &OpenOptions::default()).unwrap();
        let wanted =
            "row,real,text,day,group\n0,0.5,a,1959-12-31,low\n1,,\"b, c\",2024-02-29,high\n2,2.0,,,low\n";
        assert_eq!(cells, wanted, "{name}");
        let told: Vec<_> = told.notes.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|note| note.contains("in place of codes: \"group\", 3 cells")), "{told:?}");
    }
}

#[test]
fn spss_has_labels_long_texts_and_declared_missing_values() {
    let wanted =
        format!("row,text,day,sex\n0,a,2000-01-01,m\n1,b,2000-01-01,f\n2,{},2000-01-01,\n", "x".repeat(300));
    for name in ["plain.sav", "packed.sav", "packed.zsav"] {
        let (cells, told) = text(name, &OpenOptions::default()).unwrap();
        assert_eq!(cells, wanted, "{name}");
        let told: Vec<_> = told.notes.iter().map(ToString::to_string).collect();
        assert!(
            told.iter().any(|note| note.contains("declares missing: '9' in \"sex\", 1 cell")),
            "{told:?}"
        );
        assert!(told.iter().any(|note| note.contains("\"sex\" = 'Sex'")), "{told:?}");
    }
}

#[test]
fn the_column_of_weights_of_spss_is_named() {
    let mut bytes = seed("plain.sav");
    let told = |bytes: &[u8]| {
        let table = open(Cursor::new(bytes.to_vec()), &OpenOptions::default()).unwrap();
        table
            .notes
            .iter()
            .map(ToString::to_string)
            .filter(|note| note.contains("sampling weight"))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&bytes), [""; 0]);
    // The place of the column in the header.
    bytes[76..80].copy_from_slice(&1_u32.to_le_bytes());
    let told = told(&bytes);
    assert!(told[0].contains("weights its rows by column \"row\"") && told.len() == 1, "{told:?}");
}

const SAS: &str = "\
row,real,short,text,day,at,month
0,0.5,1,\u{e4},1959-12-31,1959-12-31T23:59:59,1960-01
1,,2,\"b, c\",2024-02-29,2024-02-29T12:30:00,1960-02
2,,3,,,,
3,2.0,4,xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx    y,1960-01-01,1960-01-01T00:00:00,1959-12
";

#[test]
fn sas_has_days_special_missing_values_and_rows_that_are_packed_or_deleted() {
    let without: String =
        SAS.lines().filter(|line| !line.starts_with("1,")).map(|line| line.to_owned() + "\n").collect();
    for (name, wanted) in [
        ("plain.sas7bdat", SAS),
        ("runs.sas7bdat", SAS),
        ("copies.sas7bdat", SAS),
        ("deleted.sas7bdat", &without),
        ("apart.sas7bdat", &without),
    ] {
        let (cells, told) = text(name, &OpenOptions::default()).unwrap();
        assert_eq!(cells, wanted, "{name}");
        let told: Vec<_> = told.notes.iter().map(ToString::to_string).collect();
        assert!(
            told.iter().any(|note| note.contains("declares missing: '.A' in \"real\", 1 cell")),
            "{told:?}"
        );
        assert!(told.iter().any(|note| note.contains("\"real\" = 'A number'")), "{told:?}");
    }
}

#[test]
fn pieces_of_sas_that_lie_over_each_other_are_refused() {
    let mut bytes = seed("plain.sas7bdat");
    // The first page follows a header of 1024 bytes; behind its own header stand pointers of 24 bytes, each with place and length.
    let (page, size) = (1_024, 2_048_u64);
    for pointer in (page + 40..page + 40 + 4 * 24).step_by(24) {
        bytes[pointer..pointer + 8].copy_from_slice(&(size / 2).to_le_bytes());
        bytes[pointer + 8..pointer + 16].copy_from_slice(&(size / 2).to_le_bytes());
    }
    let told = open(Cursor::new(bytes), &OpenOptions::default()).unwrap_err().to_string();
    assert!(told.contains("lie over each other"), "{told}");
}

#[test]
fn sas_for_transport_is_read_in_both_versions() {
    let wanted = "row,real,text,day,at\n0,0.5,\u{e4},1959-12-31,1959-12-31T23:59:59\n\
                  1,,\"b, c\",2024-02-29,2024-02-29T12:30:00\n2,,,,\n3,2.0,x,1960-01-01,1960-01-01T00:00:00\n";
    for name in ["v5.xpt", "v8.xpt"] {
        let (cells, told) = text(name, &OpenOptions::default()).unwrap();
        assert_eq!(cells, wanted, "{name}");
        let told: Vec<_> = told.notes.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|note| note.contains("\"real\" = 'A number'")), "{told:?}");
        assert!(told.iter().any(|note| note.contains("encoding of texts: UTF-8")), "{told:?}");
    }
}

/// The seed's table twice in a file, as `DM` and as `AE`, whose first text is "z". Where a name stands is in SAS's "TS-140": behind
/// three records of the library, one of the table and one that says that its description follows.
fn two_tables(seed_name: &str) -> Vec<u8> {
    const NAME: usize = 5 * 80 + 8;
    let named = |name: &[u8; 8]| {
        let mut bytes = seed(seed_name);
        bytes[NAME..NAME + 8].copy_from_slice(name);
        bytes
    };
    let mut second = named(b"AE      ");
    let text = second.windows(2).position(|pair| pair == "\u{e4}".as_bytes()).unwrap();
    second[text..text + 2].copy_from_slice(b"z ");
    [named(b"DM      "), second.split_off(3 * 80)].concat()
}

fn member(name: &str) -> OpenOptions {
    OpenOptions { member: Some(name.to_owned()), ..OpenOptions::default() }
}

#[test]
fn one_of_several_tables_of_sas_for_transport_is_chosen_by_its_name() {
    for name in ["v5.xpt", "v8.xpt"] {
        let (alone, _) = text(name, &OpenOptions::default()).unwrap();
        let read = |options: &OpenOptions| {
            decode(Cursor::new(two_tables(name)), options, &mut |form, text| {
                let mut all = String::new();
                text.read_to_string(&mut all).map_err(|error| Error::from_io(&error))?;
                Ok((all, form.members.clone()))
            })
        };
        for (table, wanted) in [("DM", alone.clone()), ("AE", alone.replace('\u{e4}', "z"))] {
            let ((cells, members), told) = read(&member(table)).unwrap();
            assert_eq!((cells, members), (wanted, vec![String::from("DM"), String::from("AE")]), "{name}");
            let told: Vec<_> = told.notes.iter().map(ToString::to_string).collect();
            assert!(told.contains(&format!("table \"{table}\" of the 2 tables in the file")), "{told:?}");
        }
        let told = read(&OpenOptions::default()).unwrap_err().to_string();
        assert_eq!(told, "the file holds 2 tables (\"DM\", \"AE\"): say which one is the table", "{name}");
        let told = read(&member("LB")).unwrap_err().to_string();
        assert_eq!(told, "there is no table \"LB\" in the file; it holds \"DM\", \"AE\"", "{name}");
    }
    // The only one need not be named, but may be.
    let only = decode(Cursor::new(seed("v5.xpt")), &member("LB"), &mut |_, _| Ok(()));
    let Err(Error::NoTable { members, .. }) = only else { panic!("{only:?}") };
    let (cells, told) = text("v5.xpt", &member(&members[0].0)).unwrap();
    assert_eq!(cells, text("v5.xpt", &OpenOptions::default()).unwrap().0);
    assert!(!told.notes.iter().any(|note| note.to_string().contains("tables in the file")));
    // Two of one name cannot be told apart; what follows the first and is not a table is not one.
    let one = seed("v5.xpt");
    let twice = [&one[..], &one[240..]].concat();
    let told = open(Cursor::new(twice), &member(&members[0].0)).unwrap_err().to_string();
    assert!(told.contains("two of its tables have the name"), "{told}");
    let cut = two_tables("v5.xpt")[..one.len() + 200].to_vec();
    let told = open(Cursor::new(cut), &member("DM")).unwrap_err().to_string();
    assert!(told.contains("it ends before its rows"), "{told}");
}

#[cfg(feature = "packed")]
#[test]
fn a_packed_file_is_read_as_the_one_within() {
    use std::io::Write as _;

    let read = |bytes: Vec<u8>, options: &OpenOptions| {
        let table = open(Cursor::new(bytes), options)?;
        let notes: Vec<String> = table.notes.iter().map(ToString::to_string).collect();
        Ok::<_, Error>((table.rows, table.header, notes))
    };
    for name in
        ["zstd.parquet", "lz4.arrow", "stream.arrow", "v118.dta", "plain.sav", "runs.sas7bdat", "v5.xpt"]
    {
        let (rows, header, notes) = read(seed(name), &OpenOptions::default()).unwrap();
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(&seed(name)).unwrap();
        let packed = packed.finish().unwrap();
        let found = read(packed.clone(), &OpenOptions::default()).unwrap();
        assert_eq!((found.0, &found.1), (rows, &header), "{name}");
        assert!(found.2[0].contains("gzip") && found.2[1..] == notes, "{name}: {:?}", found.2);
        let small = OpenOptions { unpacked: Some(1_000), ..OpenOptions::default() };
        assert!(matches!(read(packed, &small), Err(Error::Unpacked { limit: 1_000 })), "{name}");
    }
}

#[cfg(feature = "packed")]
#[test]
fn of_several_tables_that_are_packed_none_can_be_chosen() {
    use std::io::Write as _;

    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(&two_tables("v5.xpt")).unwrap();
    let told = open(Cursor::new(packed.finish().unwrap()), &OpenOptions::default()).unwrap_err().to_string();
    assert!(told.contains("(\"DM\", \"AE\"): unpack it"), "{told}");
}

#[test]
fn what_only_a_text_has_is_refused() {
    let skip = OpenOptions { skip: Skip { first: 1, last: 0 }, ..OpenOptions::default() };
    let sheet = OpenOptions { sheet: Some(String::from("a")), ..OpenOptions::default() };
    let lines = OpenOptions { json_lines: true, ..OpenOptions::default() };
    let encoding = OpenOptions { encoding: Some(String::from("windows-1252")), ..OpenOptions::default() };
    for name in
        ["zstd.parquet", "lz4.arrow", "stream.arrow", "v118.dta", "plain.sav", "plain.sas7bdat", "v5.xpt"]
    {
        for options in [&skip, &sheet, &lines] {
            let told = text(name, options).unwrap_err().to_string();
            assert!(told.contains("has columns with names and types"), "{name}: {told}");
        }
        let takes = !name.contains("parquet") && !name.contains("arrow");
        assert_eq!(text(name, &encoding).is_ok(), takes, "{name}");
    }
}

#[test]
fn a_file_that_ends_too_early_is_damaged() {
    for name in [
        "zstd.parquet",
        "lz4.arrow",
        "stream.arrow",
        "v114.dta",
        "v118.dta",
        "plain.sav",
        "packed.sav",
        "plain.sas7bdat",
        "runs.sas7bdat",
        "v5.xpt",
        "v8.xpt",
    ] {
        let whole = seed(name);
        let cut = whole[..whole.len() * 2 / 3].to_vec();
        let told = open(Cursor::new(cut), &OpenOptions::default()).unwrap_err().to_string();
        assert!(told.contains("is damaged"), "{name}: {told}");
    }
}

#[test]
fn a_text_of_spss_that_is_longer_than_its_pieces_is_damaged() {
    // A dictionary that claims gigabytes for a text of two pieces would take them, row by row.
    let mut bytes = seed("plain.sav");
    let claim = b"TEXT=00300";
    let at = bytes.windows(claim.len()).position(|window| window == claim).unwrap();
    bytes[at..at + claim.len()].copy_from_slice(b"TEXT=99999");
    let told = open(Cursor::new(bytes), &OpenOptions::default()).unwrap_err().to_string();
    assert!(told.contains("TEXT is longer than its pieces"), "{told}");
}
