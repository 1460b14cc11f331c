//! The Adult census data, where they are at hand.
#![cfg(test)]

use std::path::{Path, PathBuf};

use lookalike_table::{Kind, NumberFormat, ReadOptions, Reading, infer, misfits, read, write};

/// The data folder. Without one the test is skipped visibly; a folder that lacks the file is skipped too, unless
/// `LOOKALIKE_REQUIRE_DATA` is 1.
fn data(file: &str) -> Option<Vec<u8>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("LOOKALIKE_DATA").map_or(beside, PathBuf::from);
    match std::fs::read(folder.join(file)) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            let required = std::env::var("LOOKALIKE_REQUIRE_DATA").is_ok_and(|value| value == "1");
            assert!(!(required && folder.is_dir()), "{file} in {}: {error}", folder.display());
            eprintln!("skipped: {file} in {}: {error}", folder.display());
            None
        }
    }
}

/// Counts as the data set's own documentation and `sort | uniq -c` give them.
#[test]
fn adult() {
    let Some(bytes) = data("adult-train.csv") else { return };
    let table = read(&bytes, &ReadOptions::default()).unwrap();
    assert_eq!((table.rows, table.columns.len()), (32_561, 15));
    assert!(table.warnings.is_empty(), "{:?}", table.warnings);
    let markers = ["", "?"].map(String::from);
    let found = |name: &str| infer(table.column(name).unwrap(), &markers);

    assert_eq!(found("age").kind, Kind::Integer);
    assert_eq!(found("age").evidence.to_string(), "32,561 of 32,561 values are whole numbers, 17 to 90");
    assert_eq!(found("sex").evidence.to_string(), "2 values, most often Male (21,790 of 32,561)");
    let occupation = found("occupation");
    assert_eq!((occupation.kind, occupation.distinct, occupation.missing), (Kind::Category, 14, 1843));
    let plain = Reading::Numbers(NumberFormat::PLAIN);
    assert_eq!(misfits(table.column("age").unwrap(), &markers, &plain), []);

    let header: Vec<String> = table.columns.iter().map(|c| c.name.clone()).collect();
    let rows = (0..table.rows).map(|row| table.columns.iter().map(move |c| c.cell(row)));
    assert!(write(&header, rows) == bytes, "the file is not written as it was read");
}
