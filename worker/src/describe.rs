//! `lookalike describe`: what the columns are and which roles they may have. Nothing is decided here.

use std::fmt::Write as _;

use clap::Args;
use lookalike_core::{
    eligibility::largest_m,
    info::table_info,
    table::{Table, text::list},
};
use lookalike_wire::{
    page::{ColumnInfo, Confidence, Suggestion, TableInfo},
    settings::{Missing, Role},
};
use serde_json::json;

use crate::{
    args::{List, markers},
    exit::Failure,
    files,
    input::TableArgs,
};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Describe {
    #[command(flatten)]
    table: TableArgs,
    /// Cell contents that mean "not known", beside the empty cell [default: ?,NA,N/A,null,-]
    #[arg(long, value_name = "LIST")]
    missing: Option<List>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Describe) -> Result<(), Failure> {
    let table = args.table.read(None)?;
    let markers = args.missing.as_ref().map_or_else(|| Missing::default().markers, markers);
    let info = table_info(&table, &markers, 0);
    let command = command(&args.table.input.display().to_string(), &table, &info);
    let text = if args.json { to_json(&info, &command)? } else { to_text(&info, &command) };
    files::print(text.as_bytes())
}

fn to_json(info: &TableInfo, command: &str) -> Result<String, Failure> {
    let answer = json!({ "rows": info.rows, "columns": info.columns, "warnings": info.warnings, "anonymize": command });
    let text = serde_json::to_string_pretty(&answer);
    Ok(text.map_err(|e| Failure::System(e.to_string()))? + "\n")
}

fn to_text(info: &TableInfo, command: &str) -> String {
    let head = ["column", "kind", "distinct", "missing", "suggested role", "evidence"].map(String::from);
    let mut rows = vec![head.to_vec()];
    rows.extend(info.columns.iter().map(|column| {
        let (role, reason) = match &column.suggestion {
            Some(s) => (format!("{} ({})", role(s.role), sureness(s.confidence)), format!("; {}", s.reason)),
            None => (String::from("-"), String::new()),
        };
        let evidence = format!("{}{reason}", column.evidence);
        let (distinct, missing) = (column.distinct.to_string(), column.missing.to_string());
        vec![column.name.clone(), column.kind.clone(), distinct, missing, role, evidence]
    }));
    let mut text = String::new();
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len() - 1).map(width).collect();
    for row in &rows {
        for (cell, width) in row.iter().zip(&widths) {
            let gap = width - cell.chars().count() + 2;
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', gap));
        }
        text.push_str(&row[head.len() - 1]);
        text.push('\n');
    }
    // Writing to a String cannot fail.
    let _ =
        write!(text, "\nNothing is decided: these are suggestions. Check them, then run\n\n  {command}\n");
    for note in notes(info) {
        let _ = write!(text, "\n{note}\n");
    }
    text
}

/// What the command still lacks.
fn notes(info: &TableInfo) -> Vec<String> {
    let mut notes: Vec<String> = info.columns.iter().filter_map(|c| c.question.clone()).collect();
    let gaps: Vec<&str> = info
        .columns
        .iter()
        .filter(|c| c.missing > 0 && has(c, &[Role::QuasiIdentifier, Role::Sensitive]))
        .map(|c| c.name.as_str())
        .collect();
    if !gaps.is_empty() {
        notes.push(format!(
            "Missing cells in {}: say what they mean, such as --missing-column {}=drop or {}=value.",
            list(&gaps),
            item(gaps[0]),
            item(gaps[0])
        ));
    }
    notes
}

fn has(column: &ColumnInfo, roles: &[Role]) -> bool {
    column.suggestion.as_ref().is_some_and(|s| roles.contains(&s.role))
}

/// The line to paste, with the suggested roles; words in capitals where nothing is suggested.
fn command(input: &str, table: &Table, info: &TableInfo) -> String {
    let quasi: Vec<String> =
        info.columns.iter().filter(|c| has(c, &[Role::QuasiIdentifier])).map(|c| item(&c.name)).collect();
    let quasi = if quasi.is_empty() { String::from("COLUMNS") } else { quasi.join(",") };
    let mut line = format!("lookalike anonymize {} --quasi {}", shell(input), shell(&quasi));
    // The surest one, then one that allows a larger m, then the first of the table.
    let mut sensitive: Vec<(&ColumnInfo, &Suggestion)> = info
        .columns
        .iter()
        .filter_map(|c| Some((c, c.suggestion.as_ref().filter(|s| s.role == Role::Sensitive)?)))
        .collect();
    sensitive.sort_by_key(|(column, suggestion)| {
        std::cmp::Reverse((suggestion.confidence, possible_m(table, &column.name)))
    });
    // Writing to a String cannot fail.
    let _ = match sensitive.first() {
        Some((column, _)) => write!(
            line,
            " --sensitive {} --model m-invariance --m {}",
            shell(&item(&column.name)),
            possible_m(table, &column.name)
        ),
        None => write!(line, " --model k-anonymity --k 5"),
    };
    line + " -o OUT.csv"
}

/// The usual 3, or what the column allows without changes; at least 2.
fn possible_m(table: &Table, name: &str) -> u64 {
    let Some(column) = table.column(name) else { return 2 };
    let mut counts = vec![0_u64; column.values.len()];
    for &code in &column.cells {
        counts[code as usize] += 1;
    }
    largest_m(&counts).clamp(2, 3)
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Identifier => "identifier",
        Role::QuasiIdentifier => "quasi-identifier",
        Role::Sensitive => "sensitive",
        Role::Keep => "keep",
    }
}

fn sureness(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "surely",
        Confidence::Medium => "probably",
        Confidence::Low => "perhaps",
    }
}

/// A name as an item of a list of names; see [`List`].
fn item(name: &str) -> String {
    if name.contains([',', '"', '=']) || name.trim() != name {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// A word for a POSIX shell.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,=+:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_the_shell_and_the_list() {
        assert_eq!(shell("age,sex"), "age,sex");
        assert_eq!(shell("o'neil"), r"'o'\''neil'");
        assert_eq!(item("city, \"x\""), r#""city, ""x""""#);
        let names = ["plain", "with space", "a,b", "q\"q", "c=d"];
        let text: Vec<String> = names.iter().map(|n| item(n)).collect();
        assert_eq!(text.join(",").parse::<List>().unwrap().0, names);
    }
}
