//! How one column of one class is published.

use std::collections::BTreeSet;

use lookalike_model::settings::Publish;
use lookalike_table::{
    Column, ColumnSpec, Reading,
    hierarchy::{ANY, Hierarchy},
    is_missing,
};

use super::centre::centre;
use crate::prepare::recoding::{Coded, Recoding};

/// The published cell of a class: `rows` are the input rows of its real records, at least one.
///
/// Equal cells are published byte for byte. Otherwise numbers become `[18-20]` (range), `{18, 19, 20}` (set) or their
/// [`centre`] (centroid), and so do dates and ordered labels; labels without an order become `{FLU, HIV}`. Missing
/// cells of a number are listed with it: `{?, [18-20]}`. With a hierarchy the cell is the lowest common generalisation, or the set of the
/// coarsest ones if there is none; where one level was chosen for the whole column, it is the label of that level. Numbers at or beyond a limit of the coding are published as `>=90` or `<=20`, also
/// where all cells are equal; a range that reaches beyond is open, `>=85`, `<=25`, and `*` if both ways.
pub(crate) fn cell(
    column: &Column,
    spec: &ColumnSpec,
    recoding: &Recoding,
    rows: &[u32],
    markers: &[String],
) -> String {
    if let (Some(level), Some(hierarchy), Some(&row)) =
        (recoding.level, recoding.published_by(), rows.first())
        && let Some(value) = hierarchy.find(column.cell(row as usize))
    {
        return hierarchy.label(value, level).trim().to_owned();
    }
    let cells: BTreeSet<&str> = rows.iter().map(|&r| column.cell(r as usize)).collect();
    let (missing, known): (Vec<&str>, Vec<&str>) = cells.iter().partition(|cell| is_missing(cell, markers));
    let coded = |cell: &&str| spec.reading.value(cell).is_some_and(|x| recoding.coded(x) != Coded::No);
    if let (1, Some(only)) = (cells.len(), cells.first())
        && !known.iter().any(coded)
    {
        return (*only).to_owned();
    }
    let generalised = match &recoding.hierarchy {
        Some(hierarchy) if recoding.form == Publish::Hierarchy => common(hierarchy, &known),
        _ if spec.reading == Reading::Labels => return set(cells.into_iter()),
        _ => by_value(column, &spec.reading, recoding, rows, &known, markers),
    };
    match generalised {
        Some(generalised) if missing.is_empty() => generalised,
        generalised => set(missing.into_iter().chain(generalised.as_deref())),
    }
}

/// What labels have in common; `None` if there is none.
fn common(hierarchy: &Hierarchy, cells: &[&str]) -> Option<String> {
    let places: Vec<usize> = cells.iter().filter_map(|cell| hierarchy.find(cell)).collect();
    let first = *places.first()?;
    if let Some(level) = hierarchy.lowest_common(&places) {
        return Some(hierarchy.label(first, level).to_owned());
    }
    let coarsest: BTreeSet<&str> =
        places.iter().map(|&place| hierarchy.label(place, hierarchy.height())).collect();
    Some(set(coarsest.into_iter()))
}

/// Known cells of a column of numbers, dates or ordered labels; `None` if there is none.
fn by_value(
    column: &Column,
    reading: &Reading,
    recoding: &Recoding,
    rows: &[u32],
    known: &[&str],
    markers: &[String],
) -> Option<String> {
    let numbers = values(reading, recoding, known);
    Some(match (recoding.form, numbers.as_slice()) {
        (_, []) => return None,
        (_, [(_, only)]) => only.clone(),
        (Publish::Set, all) => set(all.iter().map(|(_, text)| text.as_str())),
        (Publish::Centroid, _) => centre(column, reading, recoding, rows, markers),
        // Columns without a hierarchy are published as ranges.
        (_, [(low, lowest), .., (high, highest)]) => match (recoding.coded(*low), recoding.coded(*high)) {
            (Coded::Bottom, Coded::Top) => ANY.to_owned(),
            (Coded::Bottom, _) => format!("<={highest}"),
            (_, Coded::Top) => format!(">={lowest}"),
            _ => reading.range(lowest, highest),
        },
    })
}

/// The different values of known cells, ascending, coded ones as their limit, each with the shortest way to write it.
pub(super) fn values(reading: &Reading, recoding: &Recoding, known: &[&str]) -> Vec<(f64, String)> {
    let mut numbers: Vec<(f64, String)> = known
        .iter()
        .filter_map(|cell| {
            let x = reading.value(cell)?;
            let limit = recoding.code(x);
            let spelled = || spell(reading, limit);
            Some(match recoding.coded(x) {
                Coded::No => (x, cell.trim().to_owned()),
                Coded::Bottom => (limit, format!("<={}", spelled())),
                Coded::Top => (limit, format!(">={}", spelled())),
            })
        })
        .collect();
    numbers.sort_by(|a, b| {
        a.0.total_cmp(&b.0).then_with(|| a.1.len().cmp(&b.1.len())).then_with(|| a.1.cmp(&b.1))
    });
    // "10" and "10.0" are one value: the shortest way to write it stands for all.
    numbers.dedup_by(|b, a| a.0 == b.0);
    numbers
}

/// A limit of the coding, spelled like the column.
fn spell(reading: &Reading, limit: f64) -> String {
    let plain = limit.to_string();
    match reading {
        Reading::Numbers(format) => {
            format.write(limit, plain.split_once('.').map_or(0, |(_, fraction)| fraction.len()))
        }
        _ => plain,
    }
}

/// `{a, b}`; a comma, brace or backslash inside a label is escaped with a backslash, so that no two sets look alike.
pub(super) fn set<'a>(labels: impl Iterator<Item = &'a str>) -> String {
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
    use lookalike_model::settings::Coding;
    use lookalike_table::{
        DateFormat, DateOrder, Kind, MissingPolicy, NumberFormat, ReadOptions, Role, read,
    };

    use super::*;

    fn published(cells: &[&str], reading: Reading, form: Publish) -> String {
        recoded(cells, reading, &Recoding { form, ..Recoding::default() })
    }

    fn recoded(cells: &[&str], reading: Reading, recoding: &Recoding) -> String {
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
        cell(&table.columns[0], &spec, recoding, &rows, &[String::from("?"), String::new()])
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
    fn coded_ends() {
        let coding = Coding { bottom: Some(20.0), top: Some(90.0) };
        let coded = |cells: &[&str], form: Publish| {
            recoded(cells, numbers(), &Recoding { form, coding, ..Recoding::default() })
        };
        for (cells, range, set, mean) in [
            (["85", "89"], "[85-89]", "{85, 89}", "87"),
            (["85", "93"], ">=85", "{85, >=90}", "88"),
            (["19", "25"], "<=25", "{<=20, 25}", "22"),
            (["19", "93"], "*", "{<=20, >=90}", "55"),
            (["90", "107"], ">=90", ">=90", ">=90"),
            (["107", "107"], ">=90", ">=90", ">=90"),
            (["20", "3"], "<=20", "<=20", "<=20"),
            (["25", "25"], "25", "25", "25"),
            (["?", "107"], "{?, >=90}", "{?, >=90}", "{?, >=90}"),
        ] {
            assert_eq!(coded(&cells, Publish::Range), range);
            assert_eq!(coded(&cells, Publish::Set), set);
            assert_eq!(coded(&cells, Publish::Centroid), mean);
        }
        let half = Coding { bottom: Some(0.5), top: None };
        let recoding = Recoding { coding: half, ..Recoding::default() };
        assert_eq!(recoded(&["0.25", "0.5"], numbers(), &recoding), "<=0.5");
        let comma = Reading::Numbers(NumberFormat::new(',', Some('.')));
        let recoding =
            Recoding { coding: Coding { bottom: Some(0.5), top: Some(1e4) }, ..Recoding::default() };
        assert_eq!(recoded(&["0,25", "0,5"], comma.clone(), &recoding), "<=0,5");
        assert_eq!(recoded(&["20.000", "15.000,5"], comma, &recoding), ">=10.000");
    }

    #[test]
    fn lowest_common_generalisations() {
        let rows: Vec<Vec<String>> =
            ["22071;2207*;220**", "22079;2207*;220**", "22012;2201*;220**", "10115;1011*;101**"]
                .iter()
                .map(|row| row.split(';').map(String::from).collect())
                .collect();
        let hierarchy = Some(Hierarchy::new(&rows).unwrap());
        let recoding = Recoding { form: Publish::Hierarchy, hierarchy, ..Recoding::default() };
        for reading in [Reading::Labels, numbers()] {
            let common = |cells: &[&str]| recoded(cells, reading.clone(), &recoding);
            assert_eq!(common(&[" 22071", " 22071"]), " 22071", "byte for byte");
            assert_eq!(common(&["22071", "22079"]), "2207*");
            assert_eq!(common(&["22071", "22012"]), "220**");
            assert_eq!(common(&["22071", "10115"]), "{101**, 220**}", "no root");
            assert_eq!(common(&["22071", "?", "22079"]), "{?, 2207*}");
            assert_eq!(common(&["?", ""]), "{, ?}");
        }
        // The same hierarchy, not published: a set.
        let hidden = Recoding { form: Publish::Range, ..recoding };
        assert_eq!(recoded(&["22071", "22079"], Reading::Labels, &hidden), "{22071, 22079}");
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
        let iso = DateFormat::iso();
        let dates = ["2024-02-01", "2024-01-05", "2024-01-06"];
        let of = |form| published(&dates, Reading::Dates(iso.clone()), form);
        assert_eq!(of(Publish::Range), "[2024-01-05 - 2024-02-01]");
        assert_eq!(of(Publish::Set), "{2024-01-05, 2024-01-06, 2024-02-01}");
        // Days 5, 6 and 32 of the year: 14 1/3.
        assert_eq!(of(Publish::Centroid), "2024-01-14");
        let german = DateFormat::days(DateOrder::Dmy, Some('.'), false);
        let dates = ["9.2.2024", "31.1.2024", "?"];
        // Days 31 and 40: 35.5 rounds up to 36, the fifth of February.
        assert_eq!(published(&dates, Reading::Dates(german.clone()), Publish::Centroid), "{?, 5.2.2024}");
        assert_eq!(published(&dates, Reading::Dates(german), Publish::Range), "{?, [31.1.2024 - 9.2.2024]}");
        let comma = Reading::Numbers(NumberFormat::new(',', Some('.')));
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
