//! How one column of one class is published.

use std::collections::BTreeSet;

use lookalike_table::{Column, ColumnSpec, Kind, is_missing, parse_number, resolution};
use lookalike_wire::settings::Publish;

/// The published cell of a class: `rows` are the input rows of its real records, at least one.
///
/// Equal cells are published byte for byte. Otherwise numbers become `[18-20]` (range), `{18, 19, 20}` (set) or their
/// mean rounded to the column's own resolution (centroid); labels become `{FLU, HIV}`. Missing cells of a number are
/// listed with it: `{?, [18-20]}`.
pub(crate) fn cell(
    column: &Column,
    spec: &ColumnSpec,
    rows: &[u32],
    form: Publish,
    markers: &[String],
) -> String {
    let cells: BTreeSet<&str> = rows.iter().map(|&r| column.cell(r as usize)).collect();
    if let (1, Some(only)) = (cells.len(), cells.first()) {
        return (*only).to_owned();
    }
    if spec.kind == Kind::Category {
        return set(cells.into_iter());
    }
    let missing: Vec<&str> = cells.iter().copied().filter(|c| is_missing(c, markers)).collect();
    let mut numbers: Vec<(f64, &str)> = cells
        .iter()
        .filter(|c| !missing.contains(c))
        .filter_map(|c| parse_number(c).map(|x| (x, *c)))
        .collect();
    numbers.sort_by(|a, b| {
        a.0.total_cmp(&b.0).then_with(|| a.1.len().cmp(&b.1.len())).then_with(|| a.1.cmp(b.1))
    });
    // "10" and "10.0" are one value: the shortest way to write it stands for all.
    numbers.dedup_by(|b, a| a.0 == b.0);
    let known = match (form, numbers.as_slice()) {
        (_, []) => None,
        (_, [(_, only)]) => Some((*only).trim().to_owned()),
        (Publish::Set, all) => Some(set(all.iter().map(|(_, text)| text.trim()))),
        (Publish::Range, [(_, low), .., (_, high)]) => Some(format!("[{}-{}]", low.trim(), high.trim())),
        (Publish::Centroid, _) => Some(mean(column, rows, markers)),
    };
    match known {
        Some(known) if missing.is_empty() => known,
        known => set(missing.into_iter().chain(known.as_deref())),
    }
}

/// `{a, b}`; a comma, brace or backslash inside a label is escaped with a backslash, so that no two sets look alike.
fn set<'a>(labels: impl Iterator<Item = &'a str>) -> String {
    let escape = |label: &str| {
        let mut text = String::with_capacity(label.len());
        // A published number range holds no character that needs it.
        for c in label.chars() {
            if matches!(c, ',' | '{' | '}' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
        text
    };
    format!("{{{}}}", labels.map(escape).collect::<Vec<_>>().join(", "))
}

/// Mean of the known numbers of the class, each record counted, rounded to the column's decimals.
fn mean(column: &Column, rows: &[u32], markers: &[String]) -> String {
    let mut known: Vec<f64> = rows
        .iter()
        .map(|&r| column.cell(r as usize))
        .filter(|c| !is_missing(c, markers))
        .filter_map(parse_number)
        .collect();
    // Sorted, so that the order of rows cannot change the sum.
    known.sort_by(f64::total_cmp);
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let text = format!("{mean:.*}", resolution(column));
    // "-0" and "-0.0" are zero.
    if text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use lookalike_table::{MissingPolicy, ReadOptions, Role, read};

    use super::*;

    fn published(cells: &[&str], kind: Kind, form: Publish) -> String {
        let text =
            format!("x\n{}\n", cells.iter().map(|c| format!("\"{c}\"")).collect::<Vec<_>>().join("\n"));
        let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let spec = ColumnSpec {
            index: 0,
            name: String::from("x"),
            role: Role::QuasiIdentifier,
            kind,
            missing: MissingPolicy::Value,
            weight: 1.0,
            keep: false,
        };
        let rows: Vec<u32> = (0..table.rows as u32).collect();
        cell(&table.columns[0], &spec, &rows, form, &[String::from("?"), String::new()])
    }

    #[test]
    fn each_form_has_its_own_text() {
        let ages = ["20", "18", "20", "19"];
        assert_eq!(published(&ages, Kind::Integer, Publish::Range), "[18-20]");
        assert_eq!(published(&ages, Kind::Integer, Publish::Set), "{18, 19, 20}");
        assert_eq!(published(&ages, Kind::Integer, Publish::Centroid), "19");
        assert_eq!(published(&["1.5", "2.25"], Kind::Number, Publish::Centroid), "1.88");
        assert_eq!(published(&["HIV", "FLU", "HIV"], Kind::Category, Publish::Range), "{FLU, HIV}");
        assert_eq!(published(&["-5", "-2"], Kind::Integer, Publish::Range), "[-5--2]");
        assert_eq!(published(&["-1", "1"], Kind::Integer, Publish::Centroid), "0");
    }

    #[test]
    fn equal_cells_stay_byte_for_byte() {
        assert_eq!(published(&["10.0", "10.0"], Kind::Number, Publish::Centroid), "10.0");
        assert_eq!(published(&["10.0", "10"], Kind::Number, Publish::Range), "10");
    }

    #[test]
    fn missing_cells_are_listed() {
        assert_eq!(published(&["?", "18", "20"], Kind::Integer, Publish::Range), "{?, [18-20]}");
        assert_eq!(published(&["?", "18"], Kind::Integer, Publish::Centroid), "{?, 18}");
        assert_eq!(published(&["?", "a"], Kind::Category, Publish::Range), "{?, a}");
    }

    #[test]
    fn sets_of_different_labels_never_look_alike() {
        assert_eq!(published(&["a, b", "c"], Kind::Category, Publish::Range), "{a\\, b, c}");
        assert_ne!(
            published(&["a, b", "c"], Kind::Category, Publish::Range),
            published(&["a", "b", "c"], Kind::Category, Publish::Range)
        );
    }
}
