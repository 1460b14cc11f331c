//! A syntax of SPSS that reads the published table, by "GET DATA" of its command reference.

use std::{collections::HashSet, fmt::Write as _};

use lookalike_audit::Dialect;

use super::{Field, Kind, SchemaFault, SchemaForm, quoted};
use crate::names;

/// Most bytes of a text, of a label of a column.
const TEXT: usize = 32_767;
const LABEL: usize = 255;

/// The first day that it has.
const FIRST_DAY: &str = "1582-10-15";

/// Most digits of a number, and after its point, in a format.
const WIDTH: usize = 40;
const DECIMALS: usize = 16;

pub(super) fn text((name, dialect): (&str, Dialect), fields: &[Field]) -> Result<String, SchemaFault> {
    let form = SchemaForm::Spss;
    let (mut taken, mut variables, mut labels) = (HashSet::new(), String::new(), String::new());
    for (at, field) in fields.iter().enumerate() {
        field.of_one_line(form, at)?;
        if field.longest() > TEXT {
            return Err(SchemaFault::Long { form, column: at + 1, most: TEXT });
        }
        let called = names::spss(&field.column.name, at, &mut taken);
        let _ = writeln!(variables, "    {called} {}", format(field));
        let label = field.label(&called);
        if !label.is_empty() {
            // It stands between two labels.
            let slash = if labels.is_empty() { "" } else { "/" };
            let _ = writeln!(labels, "  {slash}{called} {}", quoted(&label, LABEL));
        }
    }
    let delimiter = match dialect.delimiter {
        b'\t' => String::from("\\t"),
        sign => char::from(sign).to_string(),
    };
    let name = quoted(name, usize::MAX);
    let mut text = format!(
        "* Reads the published table. Its text is UTF-8.\nGET DATA\n  /TYPE=TXT\n  /FILE={name}\n  /ENCODING=\"UTF8\"\n  \
         /ARRANGEMENT=DELIMITED\n  /DELIMITERS=\"{delimiter}\"\n  /QUALIFIER='\"'\n  /FIRSTCASE=2\n  /VARIABLES=\n{variables}  .\n"
    );
    if !labels.is_empty() {
        let _ = writeln!(text, "VARIABLE LABELS\n{labels}  .");
    }
    text.push_str("EXECUTE.\n");
    Ok(text)
}

fn format(field: &Field) -> String {
    match field.kind_from(FIRST_DAY) {
        Kind::Whole => format!("F{}.0", field.longest().clamp(1, WIDTH)),
        Kind::Real => {
            let decimals = |cell: &str| cell.split_once('.').map_or(0, |(_, after)| after.len());
            let decimals = field.column.values.iter().map(decimals).max().unwrap_or_default().min(DECIMALS);
            let before = field.column.values.iter().map(|cell| cell.split('.').next().map_or(0, str::len));
            let width = before.max().unwrap_or_default() + 1 + decimals;
            format!("F{}.{decimals}", width.clamp(decimals + 2, WIDTH))
        }
        Kind::Day => String::from("SDATE10"),
        Kind::Text => format!("A{}", field.longest().max(1)),
    }
}
