//! `lookalike describe`: what the columns are and which roles they may have. Nothing is decided here.

use std::fmt::Write as _;

use clap::Args;
use lookalike_core::{
    eligibility::largest_m,
    info::{stops, table_info},
    table::{Table, is_missing, text::list},
    unchanged::{Outlook, OutlookColumn, outlook},
};
use lookalike_model::{
    cells::CodeLabels,
    info::{ColumnInfo, Confidence, PersonKey, Proposed, Suggestion, TableInfo},
    settings::{Missing, Role, RowsAre},
    unchanged::MinimalUniques,
};
use lookalike_words::{Flags, Settings as _};
use serde_json::json;

use crate::{
    exit::Failure,
    files,
    flag_values::{Labels, List, markers, rows_are},
    input::TableArgs,
};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Describe {
    #[command(flatten)]
    table: TableArgs,
    /// Cell contents that mean "not known", in any case, in addition to the empty cell [default: ?,NA,N/A,#N/A,#NA,null,-,NaN,.]
    #[arg(long, value_name = "LIST")]
    missing: Option<List>,
    /// Columns that an attacker may know, for the line that is proposed and for --unchanged
    #[arg(long, value_name = "COLUMNS")]
    quasi: Option<List>,
    /// Columns to publish unchanged: shows what that would cost in addition to the quasi-identifiers
    #[arg(long, value_name = "COLUMNS", requires = "quasi")]
    unchanged: Option<List>,
    /// What each row is, for the line that is proposed and for --unchanged: with `events-of=COLUMN` persons are counted, whose
    /// keys this column holds, and rows otherwise
    #[arg(long, value_name = "WHAT", value_parser = rows_are)]
    rows_are: Option<RowsAre>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Describe) -> Result<(), Failure> {
    let markers = args.missing.as_ref().map_or_else(|| Missing::default().markers, markers);
    let edits = args.table.edits(markers.clone())?;
    let table = args.table.read(None, edits)?;
    let info = table_info(&table, &markers, 0);
    let stops = info.columns.iter().zip(&table.columns).map(|(told, column)| Stop {
        name: told.name.clone(),
        why: stops(column, &markers).filter(|_| told.question.is_none()).map(|why| why.to_string()),
    });
    let stops: Vec<Stop> = stops.collect();
    let outlook = args.outlook(&table, &markers)?;
    let command = (table.rows > 1).then(|| command(args, &table, (&info, &stops), &markers));
    let mut notes = notes(args, &info, &stops);
    notes.extend(weight_note(args, &table, &info));
    let command = command.as_deref();
    let text = if args.json {
        to_json(&info, command, &notes, outlook.as_ref())?
    } else {
        notes.extend(outlook.iter().flat_map(|outlook| unchanged(outlook, table.rows)));
        to_text(&info, command, &notes, args.rows_are.is_none())
    };
    files::tell(&text)
}

impl Describe {
    /// What the columns to be published unchanged would cost, if there are any.
    fn outlook(&self, table: &Table, markers: &[String]) -> Result<Option<Outlook>, Failure> {
        let (Some(List(quasi)), Some(List(unchanged))) = (&self.quasi, &self.unchanged) else {
            return Ok(None);
        };
        Ok(Some(outlook(table, (quasi, unchanged), self.rows_are.as_ref(), markers)?))
    }

    /// The column with the keys of persons who may have several rows.
    fn key(&self) -> Option<&String> {
        match &self.rows_are {
            Some(RowsAre::EventsOf(key)) => Some(key),
            _ => None,
        }
    }
}

/// What columns would cost that are published unchanged.
fn unchanged(outlook: &Outlook, rows: usize) -> Vec<String> {
    let (all, which) = match outlook.persons {
        Some(persons) => (format!("{persons} people"), "People with a row"),
        None => (format!("{rows} rows"), "Rows"),
    };
    let mut notes = Vec::new();
    for OutlookColumn { name, unique, singled_out, .. } in &outlook.columns {
        notes.push(match outlook.persons {
            Some(_) => format!(
                "Published unchanged, \"{name}\" and the quasi-identifiers as they are make {unique} of {all} unique, by a row \
                 with cells that no other person has; of {singled_out} people it belongs to cells that single a row out by \
                 themselves."
            ),
            None => format!(
                "Published unchanged, \"{name}\" and the quasi-identifiers as they are make {unique} of {all} unique; in \
                 {singled_out} rows it belongs to cells that single the row out by themselves."
            ),
        });
    }
    if outlook.columns.len() > 1 {
        notes.push(format!("All of them together make {} of {all} unique.", outlook.together));
    }
    let MinimalUniques { largest_set, rows } = &outlook.minimal_uniques;
    let sizes: Vec<String> = rows.iter().zip(1..).map(|(rows, size)| format!("{rows} by {size}")).collect();
    notes.push(format!(
        "{which} singled out by unchanged cells alone, by the number of columns that takes: {} (minimal sample uniques, over all \
         sets of up to {largest_set}). The guarantee of a run does not hold against an attacker who knows such cells of a \
         person; its report says what is left of this risk.",
        sizes.join(", ")
    ));
    if outlook.persons.is_none() {
        notes.push(String::from(
            "These figures count rows. If a person may have several, --rows-are events-of=COLUMN counts persons, by the column \
             with their keys.",
        ));
    }
    notes
}

/// Why a run stops at a column as it is, if it does.
struct Stop {
    name: String,
    why: Option<String>,
}

fn to_json(
    info: &TableInfo,
    command: Option<&str>,
    notes: &[String],
    outlook: Option<&Outlook>,
) -> Result<String, Failure> {
    let mut answer = json!({
        "rows": info.rows, "columns": info.columns, "warnings": info.warnings, "anonymize": command, "notes": notes
    });
    if let Some(Outlook { persons, columns, together, minimal_uniques }) = outlook {
        let of = |c: &OutlookColumn| json!({ "name": c.name, "unique": c.unique, "minimal_uniques": c.minimal_uniques, "singled_out": c.singled_out });
        answer["unchanged"] = json!({
            "persons": persons, "columns": columns.iter().map(of).collect::<Vec<_>>(), "together": together,
            "minimal_uniques": minimal_uniques
        });
    }
    let text = serde_json::to_string_pretty(&answer);
    Ok(text.map_err(|e| Failure::json(&e))? + "\n")
}

/// `unsaid` is whether it was not said what the rows are.
fn to_text(info: &TableInfo, command: Option<&str>, notes: &[String], unsaid: bool) -> String {
    let head = ["column", "kind", "distinct", "missing", "suggested role", "evidence"].map(String::from);
    let mut rows = vec![head.to_vec()];
    rows.extend(info.columns.iter().map(|column| {
        let (role, reason) = match &column.suggestion {
            Some(s) => {
                let role = if column.weight { "sampling weight" } else { role(s.role) };
                (format!("{role} ({})", sureness(s.confidence)), format!("; {}", s.reason))
            }
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
    let asked = unsaid && info.columns.iter().any(|column| column.key == PersonKey::Repeats);
    let _ = match command {
        None => write!(text, "\nNothing is proposed: one row alone has no others to be like.\n"),
        Some(command) => {
            let put = match (command.contains(TO_BE_NAMED), asked) {
                (true, true) => {
                    "name the columns that an attacker may know instead of COLUMNS, say what a row is (below), and run"
                }
                (true, false) => "name the columns that an attacker may know instead of COLUMNS, and run",
                (false, true) => "say what a row is (below), which this line does not, and run",
                (false, false) => "then run",
            };
            write!(text, "\nNothing is decided: these are suggestions. Check them, {put}\n\n  {command}\n")
        }
    };
    for note in notes {
        let _ = write!(text, "\n{note}\n");
    }
    text
}

/// What is to be said beside the command.
fn notes(args: &Describe, info: &TableInfo, stops: &[Stop]) -> Vec<String> {
    let mut notes: Vec<String> =
        info.columns.iter().filter_map(|c| c.question.as_ref().map(ToString::to_string)).collect();
    let suggested =
        |name: &String| info.columns.iter().any(|c| c.name == *name && has(c, &[Role::QuasiIdentifier]));
    notes.extend(stops.iter().filter(|stop| suggested(&stop.name)).filter_map(|stop| stop.why.clone()));
    notes.extend(info.columns.iter().filter_map(|c| {
        let (proposal, name) = (c.proposal.as_ref()?, List::item(&c.name));
        let (flag, value) = match proposal.reading {
            Proposed::Category => ("--kind", Flags.word(format!("{name}=category"), "=category")),
            Proposed::Pad(width) => ("--pad", Flags.word(format!("{name}={width}"), "=")),
        };
        Some(format!("\"{}\" is rather a category ({flag} {value}): {}.", c.name, proposal.why))
    }));
    notes.extend(info.columns.iter().filter_map(|c| {
        let unknown = c.unknown.as_ref()?;
        let value = Flags.word(labels_of(c)?.to_string(), ":?");
        let codes = list(&unknown.codes.iter().map(String::as_str).collect::<Vec<_>>());
        Some(format!("In \"{}\" {codes} may mean \"not known\" (--labels {value}): {}.", c.name, unknown.why))
    }));
    notes.extend(asked_about(args, info).map(|c| {
        format!(
            "\"{}\" looks like the key of a person and has {} different values in {} rows: if rows are events of persons, such \
             as stays or visits, add --rows-are {}, and classes count persons; if each row is a person all the same, add \
             --rows-are people; with a sensitive column, m-invariance can be asked for then.",
            c.name,
            c.distinct,
            info.rows - c.missing,
            Flags.word(format!("events-of={}", c.name), "events-of=")
        )
    }));
    notes.extend(info.columns.iter().filter(|c| is_sensitive_number(c)).map(|c| {
        format!(
            "\"{}\" holds numbers: if it is sensitive, values that lie close to each other tell nearly the same. Under k-anonymity \
             --t-closeness ordered:0.2 keeps how its values are distributed in each class near the whole table, by their order, and --spread \
             0.1 asks each class for values a tenth of the range apart.",
            c.name
        )
    }));
    let left_out: Vec<&str> = (info.columns.iter())
        .filter(|c| has(c, &[Role::QuasiIdentifier]) && !is_ready(c, stops))
        .map(|c| c.name.as_str())
        .collect();
    if !left_out.is_empty() {
        notes.push(format!(
            "The command leaves out {}, which may be known to an attacker: say first how to read it, or give it a coarser level \
             (lookalike hierarchy).",
            list(&left_out)
        ));
    }
    let silent: Vec<&str> = info
        .columns
        .iter()
        .filter(|c| c.suggestion.is_none() && !is_named(args, &c.name) && c.key != PersonKey::Repeats)
        .map(|c| c.name.as_str())
        .collect();
    if !silent.is_empty() {
        notes.push(format!(
            "The command does not publish {}: add what an attacker may know of a person to --quasi; --unchanged publishes columns \
             cell by cell, and says what an attacker who knows them gains.",
            list(&silent)
        ));
    }
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
            List::item(gaps[0]),
            List::item(gaps[0])
        ));
    }
    notes
}

/// The column that the file weights its rows by, and whether it can be the sampling weight of the line.
fn weight<'a>(args: &Describe, table: &Table, info: &'a TableInfo) -> Option<(&'a str, bool)> {
    let name = info.columns.iter().find(|column| column.weight)?.name.as_str();
    let is_weight =
        |cell: &str| cell.trim().parse::<f64>().is_ok_and(|value| value > 0.0 && value.is_finite());
    let cells = table.column(name)?;
    let fits = (0..table.rows).all(|row| is_weight(cells.cell(row)));
    let is_quasi = args.quasi.iter().any(|List(names)| names.iter().any(|quasi| quasi == name));
    Some((name, fits && !is_quasi && args.key().is_none()))
}

/// What is to be said of that column.
fn weight_note(args: &Describe, table: &Table, info: &TableInfo) -> Option<String> {
    let (name, fits) = weight(args, table, info)?;
    let flag = Flags.word(name.to_owned(), "");
    Some(if fits {
        format!(
            "The file weights its rows by \"{name}\": --sampling-weight {flag} publishes it as it is and reports the risk in the \
             population. If it does not say for how many people a row stands, leave this flag out."
        )
    } else {
        format!(
            "The file weights its rows by \"{name}\", which the command leaves out: a sampling weight (--sampling-weight) is a number \
             above 0 in every row of a table with one row a person, and not a quasi-identifier."
        )
    })
}

/// Different numbers from which on they are amounts rather than codes.
const AMOUNTS: usize = 20;

/// Whether it may be sensitive, and its values lie along a line.
fn is_sensitive_number(column: &ColumnInfo) -> bool {
    has(column, &[Role::Sensitive])
        && matches!(column.kind.as_str(), "integer" | "real")
        && column.distinct >= AMOUNTS
}

/// Columns that look like the key of a person and repeat, while nobody says what a row is.
fn asked_about<'a>(args: &Describe, info: &'a TableInfo) -> impl Iterator<Item = &'a ColumnInfo> {
    let open = args.rows_are.is_none();
    info.columns.iter().filter(move |c| open && c.key == PersonKey::Repeats)
}

/// Whether flags give a column its place in the command.
fn is_named(args: &Describe, name: &String) -> bool {
    let lists = [&args.quasi, &args.unchanged].into_iter().flatten();
    args.key() == Some(name) || lists.into_iter().any(|List(names)| names.contains(name))
}

/// The missing marker as label of the numbers that may mean "not known".
fn labels_of(column: &ColumnInfo) -> Option<Labels> {
    let of_codes = column.unknown.as_ref()?.codes.iter().map(|code| (code.clone(), String::from("?")));
    Some(Labels { column: column.name.clone(), of_codes: CodeLabels(of_codes.collect()) })
}

/// Whether a quasi-identifier can be used as it is: read in one way.
fn is_ready(column: &ColumnInfo, stops: &[Stop]) -> bool {
    let stops = stops.iter().any(|stop| stop.name == column.name && stop.why.is_some());
    !stops && column.question.is_none() && column.name != "class"
}

fn has(column: &ColumnInfo, roles: &[Role]) -> bool {
    column.suggestion.as_ref().is_some_and(|s| roles.contains(&s.role))
}

/// The line to paste, with the suggested roles; `COLUMNS` where nothing is suggested.
fn command(
    args: &Describe,
    table: &Table,
    (info, stops): (&TableInfo, &[Stop]),
    markers: &[String],
) -> String {
    let given = |list: &Option<List>| list.as_ref().map_or_else(Vec::new, |list| list.0.clone());
    let (said, unchanged) = (given(&args.quasi), given(&args.unchanged));
    let is_key = |c: &ColumnInfo| args.key() == Some(&c.name);
    let ready = |c: &&ColumnInfo| {
        let suggested = has(c, &[Role::QuasiIdentifier])
            && is_ready(c, stops)
            && !unchanged.contains(&c.name)
            && !is_key(c);
        if said.is_empty() { suggested } else { said.contains(&c.name) }
    };
    let quasi: Vec<&ColumnInfo> = info.columns.iter().filter(ready).collect();
    let names: Vec<String> = quasi.iter().map(|c| List::item(&c.name)).collect();
    let names = if names.is_empty() { String::from(TO_BE_NAMED) } else { names.join(",") };
    let input = args.table.input.display().to_string();
    let input = if input.len() > 1 && input.starts_with('-') { format!("./{input}") } else { input };
    let mut line = format!("lookalike anonymize {}", shell(&input));
    let mut put = |flag: &str, value: &str| {
        let between = if value.starts_with('-') { '=' } else { ' ' };
        // Writing to a String cannot fail.
        let _ = match value {
            "" => write!(line, " {flag}"),
            _ => write!(line, " {flag}{between}{}", shell(value)),
        };
    };
    let mut widths = Vec::new();
    for (flag, value) in args.table.said() {
        if flag == "--pad" {
            widths.push(value);
        } else {
            put(flag, &value);
        }
    }
    if let Some(List(given)) = &args.missing {
        put("--missing", &given.iter().map(|marker| List::item(marker)).collect::<Vec<_>>().join(","));
    }
    put("--quasi", &names);
    let proposed = |of: &dyn Fn(Proposed) -> Option<String>| {
        let items = quasi.iter().filter_map(|c| {
            let value = of(c.proposal.as_ref()?.reading)?;
            Some(format!("{}={value}", List::item(&c.name)))
        });
        items.collect::<Vec<_>>()
    };
    widths.extend(proposed(&|reading| match reading {
        Proposed::Pad(width) => Some(width.to_string()),
        Proposed::Category => None,
    }));
    let kinds = proposed(&|reading| (reading == Proposed::Category).then(|| String::from("category")));
    for (flag, items) in [("--pad", widths), ("--kind", kinds)] {
        if !items.is_empty() {
            put(flag, &items.join(","));
        }
    }
    if !unchanged.is_empty() {
        put("--unchanged", &unchanged.iter().map(|name| List::item(name)).collect::<Vec<_>>().join(","));
    }
    if let Some((name, true)) = weight(args, table, info) {
        put("--sampling-weight", name);
    }
    match &args.rows_are {
        Some(RowsAre::EventsOf(key)) => put("--rows-are", &format!("events-of={key}")),
        Some(_) => put("--rows-are", "people"),
        None => {}
    }
    // The surest one, then one that allows a larger m, then the first of the table. One that allows none is left out: it would
    // be published beside classes that do not protect it.
    let mut sensitive: Vec<(&ColumnInfo, &Suggestion, u64)> = info
        .columns
        .iter()
        .filter(|c| !said.contains(&c.name) && !unchanged.contains(&c.name) && !is_key(c))
        .filter_map(|c| Some((c, c.suggestion.as_ref().filter(|s| s.role == Role::Sensitive)?)))
        .map(|(column, suggestion)| (column, suggestion, possible_m(table, column, markers)))
        .filter(|(column, _, m)| *m >= 2 && column.name != "class")
        .collect();
    sensitive.sort_by_key(|(_, suggestion, m)| std::cmp::Reverse((suggestion.confidence, *m)));
    let sensitive = sensitive.first();
    for column in quasi.iter().copied().chain(sensitive.map(|(column, ..)| *column)) {
        if let Some(labels) = labels_of(column) {
            put("--labels", &labels.to_string());
        }
    }
    let policy = |c: &ColumnInfo, policy: &str| {
        (c.missing > 0 || c.unknown.is_some()).then(|| format!("{}={policy}", List::item(&c.name)))
    };
    let policies = quasi.iter().filter_map(|c| policy(c, "value"));
    let policies = policies.chain(sensitive.and_then(|(c, ..)| policy(c, "drop"))).collect::<Vec<_>>();
    if let Some((column, ..)) = sensitive {
        put("--sensitive", &List::item(&column.name));
    }
    // Which m is possible depends on the values that persons hold together: as long as nobody says that a row is a person, k.
    let of_persons = args.key().is_some() || asked_about(args, info).next().is_some();
    if let Some((_, _, m)) = sensitive.filter(|_| !of_persons) {
        put("--model", "m-invariance");
        put("--m", &m.to_string());
    } else {
        put("--model", "k-anonymity");
        put("--k", &USUAL_K.min(table.rows).max(2).to_string());
    }
    if !policies.is_empty() {
        put("--missing-column", &policies.join(","));
    }
    line + " -o OUT.csv"
}

/// What stands for the quasi-identifiers if none is suggested.
const TO_BE_NAMED: &str = "COLUMNS";

/// Least class size that is proposed.
const USUAL_K: usize = 5;

/// The usual 3, or what the column allows without changes once rows without a value, and with a code that the command calls
/// missing, are dropped; less than 2 is nothing.
fn possible_m(table: &Table, of: &ColumnInfo, markers: &[String]) -> u64 {
    let Some(column) = table.column(&of.name) else { return 0 };
    let codes = of.unknown.as_ref().map_or(&[][..], |unknown| &unknown.codes);
    let mut counts = vec![0_u64; column.values.len()];
    for &code in &column.cells {
        counts[code as usize] += 1;
    }
    for (cell, count) in column.values.iter().zip(&mut counts) {
        if is_missing(cell, markers) || codes.iter().any(|code| code == cell.trim()) {
            *count = 0;
        }
    }
    largest_m(&counts).min(3)
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Identifier => "identifier",
        Role::QuasiIdentifier => "quasi-identifier",
        Role::Sensitive => "sensitive",
        Role::Keep => "keep",
        Role::Unchanged => "unchanged",
    }
}

fn sureness(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "surely",
        Confidence::Medium => "probably",
        Confidence::Low => "perhaps",
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
        assert_eq!(List::item("city, \"x\""), r#""city, ""x""""#);
        let names = ["plain", "with space", "a,b", "q\"q", "c=d"];
        let text: Vec<String> = names.iter().map(|n| List::item(n)).collect();
        assert_eq!(text.join(",").parse::<List>().unwrap().0, names);
    }
}
