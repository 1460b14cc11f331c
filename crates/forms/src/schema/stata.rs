//! A do-file of Stata that reads the published table, by "import delimited" of its manual.

use std::{collections::HashSet, fmt::Write as _};

use lookalike_audit::Dialect;

use super::{Field, Kind, SchemaFault, SchemaForm};
use crate::names;

/// The first day that its function of dates reads.
const FIRST_DAY: &str = "0100-01-01";

/// Characters of a label of a column.
const LABEL: usize = 80;

pub(super) fn text((name, dialect): (&str, Dialect), fields: &[Field]) -> Result<String, SchemaFault> {
    let form = SchemaForm::Stata;
    let (mut taken, mut called) = (HashSet::new(), Vec::new());
    for (at, field) in fields.iter().enumerate() {
        field.of_one_line(form, at)?;
        called.push(names::stata(&field.column.name, at, &mut taken));
    }
    let delimiter = match dialect.delimiter {
        b'\t' => String::from("\\t"),
        sign => char::from(sign).to_string(),
    };
    // Every column is read as text first, so that nothing is guessed of leading zeros.
    let mut text = format!(
        "* Reads the published table. Its text is UTF-8.\nversion 14\nimport delimited {} using {}, clear ///\n    \
         delimiters(\"{delimiter}\") varnames(nonames) rowrange(2) stringcols(_all) bindquotes(strict) encoding(\"UTF-8\")\n",
        called.join(" "),
        compound(name),
    );
    let day = (0..=fields.len())
        .map(|number| format!("day_{number}"))
        .find(|day| !taken.contains(day))
        .unwrap_or_default();
    for (field, called) in fields.iter().zip(&called) {
        let _ = match field.kind_from(FIRST_DAY) {
            Kind::Text => Ok(()),
            Kind::Whole | Kind::Real => writeln!(text, "destring {called}, replace"),
            Kind::Day => writeln!(
                text,
                "generate long {day} = date({called}, \"YMD\")\nformat {day} %td\n\
                 order {day}, after({called})\ndrop {called}\nrename {day} {called}"
            ),
        };
        let label: String = field.label(called).chars().take(LABEL).collect();
        if !label.is_empty() {
            let _ = writeln!(text, "label variable {called} {}", compound(&label));
        }
    }
    Ok(text)
}

/// A text in Stata's compound double quotes, in which a double quote is one.
fn compound(text: &str) -> String {
    // A backtick and a dollar sign would be macros, and the two signs that end such quotes would end them early.
    let line = text.replace(['\n', '\r'], " ").replace('`', "\\`").replace('$', "\\$").replace("\"'", "\" '");
    format!("`\"{line}\"'")
}
