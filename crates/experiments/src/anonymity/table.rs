//! The records: rows of acs.csv or fars.csv, and generated attributes beside them.

use std::{fmt::Write as _, path::Path};

use anyhow::{Context, Result};
use lookalike_core::table::{ReadOptions, Table, read};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// Attributes of acs.csv in the order in which they are taken; the first eight are those of the paper's CENSUS extract, as
/// far as there are such.
const ACS: [&str; 14] = [
    "SEX", "AGEP", "MAR", "RAC1P", "CIT", "SCHL", "COW", "OCCP", "STATE", "HISP", "INDP", "WKHP", "WAGP",
    "PINCP",
];

/// Four attributes, as in its Figures 2, 5 and 6.
const ACS_4: [&str; 4] = ["AGEP", "SEX", "RAC1P", "SCHL"];

/// Its FARS extract.
const FARS_4: [&str; 4] = ["MONTH", "AGE", "SEX", "INJ_SEV"];

/// The share of the cells of a generated attribute that are those of the attribute that it is made from.
const KEPT: f64 = 0.7;

/// The names of so many attributes.
pub(super) fn names(file: &str, attributes: usize) -> Vec<String> {
    let own: &[&str] = match (file, attributes) {
        ("fars.csv", _) => &FARS_4,
        (_, 4) => &ACS_4,
        (_, all) => &ACS[..all.min(ACS.len())],
    };
    let generated = (own.len()..attributes).map(|at| format!("generated {}", at + 1));
    own.iter().map(|name| (*name).to_owned()).chain(generated).collect()
}

/// Rows drawn at random. Attributes beyond those of the file are generated: each is one of the file's, of which 30 % of the
/// cells come from other rows.
pub(super) fn table(data: &Path, file: &str, rows: usize, attributes: usize, seed: u64) -> Result<Table> {
    let path = data.join(file);
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let whole = read(&bytes, &ReadOptions::default())?;
    let mut order: Vec<usize> = (0..whole.rows).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    order.shuffle(&mut rng);
    order.truncate(rows);
    let names = names(file, attributes);
    let own = names.iter().filter(|name| !name.starts_with("generated")).count();
    let columns = names[..own]
        .iter()
        .map(|name| whole.column(name).with_context(|| format!("{file} has no column {name}")))
        .collect::<Result<Vec<_>>>()?;
    let mut text = names.join(",") + "\n";
    for &row in &order {
        for at in 0..names.len() {
            let kept = at < own || rng.random_bool(KEPT);
            let from = if kept { row } else { order[rng.random_range(0..order.len())] };
            // Writing to a String cannot fail.
            let _ = write!(text, "{}{}", if at == 0 { "" } else { "," }, columns[at % own].cell(from));
        }
        text.push('\n');
    }
    Ok(read(text.as_bytes(), &ReadOptions::default())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_taken_in_order_and_then_generated() {
        assert_eq!(names("acs.csv", 4), ["AGEP", "SEX", "RAC1P", "SCHL"]);
        assert_eq!(names("acs.csv", 15)[13..], ["PINCP", "generated 15"]);
        let folder = std::env::temp_dir().join(format!("lookalike-anonymity-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let rows = (0..50).map(|i| format!("{i},{i},{i},{i}")).collect::<Vec<_>>().join("\n");
        std::fs::write(folder.join("fars.csv"), format!("MONTH,AGE,SEX,INJ_SEV\n{rows}\n")).unwrap();
        let table = table(&folder, "fars.csv", 20, 6, 1).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        assert_eq!((table.rows, table.columns.len()), (20, 6));
        let same = (0..20).filter(|&row| table.columns[0].cell(row) == table.columns[4].cell(row)).count();
        assert!((8..20).contains(&same), "{same}");
    }
}
