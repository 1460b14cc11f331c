//! The names of the columns.

use csv::StringRecord;

use crate::{Error, Table, Warning, parse_number, text};

/// Trims the header cells, warns if that changed something or if they look like data, and refuses duplicates.
pub(crate) fn names(record: &StringRecord, warnings: &mut Vec<Warning>) -> Result<Vec<String>, Error> {
    if record.iter().any(|cell| cell.contains('\0')) {
        return Err(Error::Utf16);
    }
    let names: Vec<String> = record.iter().map(|cell| cell.trim().to_owned()).collect();
    let trimmed: Vec<&str> = names
        .iter()
        .zip(record)
        .filter(|(name, cell)| name.len() < cell.len() && !name.is_empty())
        .map(|(name, _)| name.as_str())
        .collect();
    if !trimmed.is_empty() {
        warn(warnings, format!("white space around column names was removed: {}", quoted(&trimmed)));
    }
    if names.iter().all(|name| parse_number(name).is_some()) {
        warn(
            warnings,
            format!(
                "the header row holds numbers only ({}): the names of the columns seem to be missing",
                quoted(&names)
            ),
        );
    }
    let mut sorted: Vec<usize> = (0..names.len()).filter(|&at| !names[at].is_empty()).collect();
    sorted.sort_by_key(|&at| (&names[at], at));
    let mut duplicates: Vec<(String, Vec<usize>)> = sorted
        .chunk_by(|&a, &b| names[a] == names[b])
        .filter(|same| same.len() > 1)
        .map(|same| (names[same[0]].clone(), same.iter().map(|at| at + 1).collect()))
        .collect();
    if duplicates.is_empty() {
        return Ok(names);
    }
    duplicates.sort_by_key(|(_, at)| at[0]);
    Err(Error::DuplicateNames(duplicates))
}

/// Drops last columns that are blank throughout, header included (every line of the file ends in a delimiter), with
/// a warning; refuses other columns without a name.
pub(crate) fn drop_blank_columns(table: &mut Table) -> Result<(), Error> {
    let mut dropped = 0;
    while table.columns.len() > 1
        && table
            .columns
            .last()
            .is_some_and(|c| c.name.is_empty() && c.values.iter().all(|cell| cell.trim().is_empty()))
    {
        table.columns.pop();
        dropped += 1;
    }
    let blank: Vec<usize> =
        (1..).zip(&table.columns).filter(|(_, c)| c.name.is_empty()).map(|(at, _)| at).collect();
    if !blank.is_empty() {
        return Err(Error::BlankNames(blank));
    }
    if dropped > 0 {
        let columns = text::counted(dropped, "column was", "columns were");
        let message = format!(
            "every line ends in a delimiter: {columns} blank in the header and in every row, and left out"
        );
        warn(&mut table.warnings, message);
    }
    Ok(())
}

fn warn(warnings: &mut Vec<Warning>, message: String) {
    warnings.push(Warning { row: None, message });
}

fn quoted<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<String> = names.iter().map(|name| text::quoted(name.as_ref())).collect();
    text::list(&names)
}
