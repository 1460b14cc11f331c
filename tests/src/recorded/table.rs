//! Tables of the recorded runs: rows of the samples, and of tables that are made.

use std::fs;

use crate::{program::workspace, series, tables};

/// A table by its description: a source and its data rows from and up to (exclusively) these numbers, such as
/// `hospital 0..240`; `next month of ...` is what has become of it a month later.
///
/// Sources are the files of `samples/` without their ending, and the tables of [`tables`].
pub fn text(description: &str) -> String {
    if let Some(before) = description.strip_prefix("next month of ") {
        return series::next_month(&text(before));
    }
    let (source, range) = description.split_once(' ').expect("a source and its rows");
    let (from, to) = range.split_once("..").expect("rows from..to");
    let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
    let all = match source {
        "patients" => tables::patients(to),
        "people" => tables::people(to as u64),
        "visits" => tables::visits(to),
        sample => fs::read_to_string(workspace().join(format!("samples/{sample}.csv"))).unwrap(),
    };
    let (header, rows) = all.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.split_inclusive('\n').skip(from).take(to - from).collect();
    assert_eq!(rows.len(), to - from, "{source} has fewer rows than {range}");
    format!("{header}\n{}", rows.concat())
}
