//! How one column of one class is published.

use std::collections::BTreeSet;

use lookalike_table::{Column, ColumnSpec, Reading, is_missing};
use lookalike_wire::settings::Publish;

use super::centre::centre;

/// The published cell of a class: `rows` are the input rows of its real records, at least one.
///
/// Equal cells are published byte for byte. Otherwise numbers become `[18-20]` (range), `{18, 19, 20}` (set) or their
/// [`centre`] (centroid), and so do dates and ordered labels; labels without an order become `{FLU, HIV}`. Missing
/// cells of a number are listed with it: `{?, [18-20]}`.
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
    if spec.reading == Reading::Labels {
        return set(cells.into_iter());
    }
    let missing: Vec<&str> = cells.iter().copied().filter(|c| is_missing(c, markers)).collect();
    let mut numbers: Vec<(f64, &str)> = cells
        .iter()
        .filter(|c| !missing.contains(c))
        .filter_map(|c| spec.reading.value(c).map(|x| (x, *c)))
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
        (Publish::Range, [(_, low), .., (_, high)]) => Some(spec.reading.range(low, high)),
        (Publish::Centroid, _) => Some(centre(column, &spec.reading, rows, markers)),
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

#[cfg(test)]
mod tests {
    use lookalike_table::{
        DateFormat, DateOrder, Kind, MissingPolicy, NumberFormat, ReadOptions, Role, read,
    };

    use super::*;

    fn published(cells: &[&str], reading: Reading, form: Publish) -> String {
        let text =
            format!("x\n{}\n", cells.iter().map(|c| format!("\"{c}\"")).collect::<Vec<_>>().join("\n"));
        let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let spec = ColumnSpec {
            index: 0,
            name: String::from("x"),
            role: Role::QuasiIdentifier,
            kind: Kind::Category,
            reading,
            missing: MissingPolicy::Value,
            weight: 1.0,
            keep: false,
        };
        let rows: Vec<u32> = (0..table.rows as u32).collect();
        cell(&table.columns[0], &spec, &rows, form, &[String::from("?"), String::new()])
    }

    fn numbers() -> Reading {
        Reading::Numbers(NumberFormat::PLAIN)
    }

    #[test]
    fn each_form_has_its_own_text() {
        let ages = ["20", "18", "20", "19"];
        assert_eq!(published(&ages, numbers(), Publish::Range), "[18-20]");
        assert_eq!(published(&ages, numbers(), Publish::Set), "{18, 19, 20}");
        assert_eq!(published(&ages, numbers(), Publish::Centroid), "19");
        assert_eq!(published(&["1.5", "2.25"], numbers(), Publish::Centroid), "1.88");
        assert_eq!(published(&["HIV", "FLU", "HIV"], Reading::Labels, Publish::Range), "{FLU, HIV}");
        assert_eq!(published(&["-5", "-2"], numbers(), Publish::Range), "[-5--2]");
        assert_eq!(published(&["-1", "1"], numbers(), Publish::Centroid), "0");
    }

    #[test]
    fn equal_cells_stay_byte_for_byte() {
        assert_eq!(published(&["10.0", "10.0"], numbers(), Publish::Centroid), "10.0");
        assert_eq!(published(&["10.0", "10"], numbers(), Publish::Range), "10");
    }

    #[test]
    fn missing_cells_are_listed() {
        assert_eq!(published(&["?", "18", "20"], numbers(), Publish::Range), "{?, [18-20]}");
        assert_eq!(published(&["?", "18"], numbers(), Publish::Centroid), "{?, 18}");
        assert_eq!(published(&["?", "a"], Reading::Labels, Publish::Range), "{?, a}");
    }

    #[test]
    fn sets_of_different_labels_never_look_alike() {
        assert_eq!(published(&["a, b", "c"], Reading::Labels, Publish::Range), "{a\\, b, c}");
        assert_ne!(
            published(&["a, b", "c"], Reading::Labels, Publish::Range),
            published(&["a", "b", "c"], Reading::Labels, Publish::Range)
        );
    }

    #[test]
    fn dates_and_local_numbers_keep_the_spelling_of_the_column() {
        let iso = DateFormat { order: DateOrder::Ymd, separator: Some('-'), padded: true };
        let dates = ["2024-02-01", "2024-01-05", "2024-01-06"];
        let of = |form| published(&dates, Reading::Dates(iso), form);
        assert_eq!(of(Publish::Range), "[2024-01-05 - 2024-02-01]");
        assert_eq!(of(Publish::Set), "{2024-01-05, 2024-01-06, 2024-02-01}");
        // Days 5, 6 and 32 of the year: 14 1/3.
        assert_eq!(of(Publish::Centroid), "2024-01-14");
        let german = DateFormat { order: DateOrder::Dmy, separator: Some('.'), padded: false };
        let dates = ["9.2.2024", "31.1.2024", "?"];
        // Days 31 and 40: 35.5 rounds up to 36, the fifth of February.
        assert_eq!(published(&dates, Reading::Dates(german), Publish::Centroid), "{?, 5.2.2024}");
        assert_eq!(published(&dates, Reading::Dates(german), Publish::Range), "{?, [31.1.2024 - 9.2.2024]}");
        let comma = Reading::Numbers(NumberFormat { decimal: ',', group: Some('.') });
        let of = |form| published(&["2.000,5", "1,25"], comma.clone(), form);
        assert_eq!(of(Publish::Range), "[1,25-2.000,5]");
        assert_eq!(of(Publish::Centroid), "1.000,88");
        assert_eq!(of(Publish::Set), "{1\\,25, 2.000\\,5}");
    }

    #[test]
    fn ordered_labels_are_published_by_their_order() {
        let order = ["Primary", "Secondary", "Tertiary"].map(String::from).to_vec();
        let of = |cells: &[&str], form| published(cells, Reading::Ranks(order.clone()), form);
        let cells = ["Tertiary", "Primary", "Secondary", "Primary"];
        assert_eq!(of(&cells, Publish::Range), "[Primary - Tertiary]");
        assert_eq!(of(&cells, Publish::Set), "{Primary, Secondary, Tertiary}");
        assert_eq!(of(&cells, Publish::Centroid), "Primary", "the lower median of ranks 0, 0, 1, 2");
        assert_eq!(of(&["?", "Tertiary", "Secondary"], Publish::Range), "{?, [Secondary - Tertiary]}");
    }
}
