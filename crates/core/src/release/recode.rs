//! How one column of one class is published.

use std::collections::BTreeSet;

use lookalike_table::{
    Column, ColumnSpec, Kind,
    hierarchy::{ANY, Hierarchy},
    is_missing, parse_number, resolution,
};
use lookalike_wire::settings::Publish;

use crate::prepare::recoding::{Coded, Recoding};

/// The published cell of a class: `rows` are the input rows of its real records, at least one.
///
/// Equal cells are published byte for byte. Otherwise numbers become `[18-20]` (range), `{18, 19, 20}` (set) or their
/// mean rounded to the column's own resolution (centroid); labels become `{FLU, HIV}`. Missing cells of a number are
/// listed with it: `{?, [18-20]}`. With a hierarchy the cell is the lowest common generalisation, or the set of the
/// coarsest ones if there is none. Numbers at or beyond a limit of the coding are published as `>=90` or `<=20`, also
/// where all cells are equal; a range that reaches beyond is open, `>=85`, `<=25`, and `*` if both ways.
pub(crate) fn cell(
    column: &Column,
    spec: &ColumnSpec,
    recoding: &Recoding,
    rows: &[u32],
    markers: &[String],
) -> String {
    let cells: BTreeSet<&str> = rows.iter().map(|&r| column.cell(r as usize)).collect();
    let (missing, known): (Vec<&str>, Vec<&str>) = cells.iter().partition(|cell| is_missing(cell, markers));
    let coded = |cell: &&str| parse_number(cell).is_some_and(|x| recoding.coded(x) != Coded::No);
    if let (1, Some(only)) = (cells.len(), cells.first())
        && !known.iter().any(coded)
    {
        return (*only).to_owned();
    }
    let generalised = match &recoding.hierarchy {
        Some(hierarchy) if recoding.form == Publish::Hierarchy => common(hierarchy, &known),
        _ if spec.kind == Kind::Category => return set(cells.into_iter()),
        _ => numeric(column, recoding, rows, &known, markers),
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

/// Known cells of a number column; `None` if there is none.
fn numeric(
    column: &Column,
    recoding: &Recoding,
    rows: &[u32],
    known: &[&str],
    markers: &[String],
) -> Option<String> {
    let mut numbers: Vec<(f64, String)> = known
        .iter()
        .filter_map(|cell| {
            let x = parse_number(cell)?;
            let limit = recoding.code(x);
            Some(match recoding.coded(x) {
                Coded::No => (x, cell.trim().to_owned()),
                Coded::Bottom => (limit, format!("<={limit}")),
                Coded::Top => (limit, format!(">={limit}")),
            })
        })
        .collect();
    numbers.sort_by(|a, b| {
        a.0.total_cmp(&b.0).then_with(|| a.1.len().cmp(&b.1.len())).then_with(|| a.1.cmp(&b.1))
    });
    // "10" and "10.0" are one value: the shortest way to write it stands for all.
    numbers.dedup_by(|b, a| a.0 == b.0);
    Some(match (recoding.form, numbers.as_slice()) {
        (_, []) => return None,
        (_, [(_, only)]) => only.clone(),
        (Publish::Set, all) => set(all.iter().map(|(_, text)| text.as_str())),
        (Publish::Centroid, _) => mean(column, recoding, rows, markers),
        // Columns without a hierarchy are published as ranges.
        (Publish::Range | Publish::Hierarchy, [(low, lowest), .., (high, highest)]) => {
            match (recoding.coded(*low), recoding.coded(*high)) {
                (Coded::Bottom, Coded::Top) => ANY.to_owned(),
                (Coded::Bottom, _) => format!("<={highest}"),
                (_, Coded::Top) => format!(">={lowest}"),
                _ => format!("[{lowest}-{highest}]"),
            }
        }
    })
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

/// Mean of the known numbers of the class, each record counted, coded ones as their limit, rounded to the column's
/// decimals.
fn mean(column: &Column, recoding: &Recoding, rows: &[u32], markers: &[String]) -> String {
    let mut known: Vec<f64> = rows
        .iter()
        .map(|&r| column.cell(r as usize))
        .filter(|c| !is_missing(c, markers))
        .filter_map(parse_number)
        .map(|x| recoding.code(x))
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
    use lookalike_wire::settings::Coding;

    use super::*;

    fn published(cells: &[&str], kind: Kind, form: Publish) -> String {
        recoded(cells, kind, &Recoding { form, ..Recoding::default() })
    }

    fn recoded(cells: &[&str], kind: Kind, recoding: &Recoding) -> String {
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
        cell(&table.columns[0], &spec, recoding, &rows, &[String::from("?"), String::new()])
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
    fn coded_ends() {
        let coding = Coding { bottom: Some(20.0), top: Some(90.0) };
        let coded = |cells: &[&str], form: Publish| {
            recoded(cells, Kind::Integer, &Recoding { form, coding, ..Recoding::default() })
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
        assert_eq!(recoded(&["0.25", "0.5"], Kind::Number, &recoding), "<=0.5");
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
        for kind in [Kind::Category, Kind::Integer] {
            let common = |cells: &[&str]| recoded(cells, kind, &recoding);
            assert_eq!(common(&[" 22071", " 22071"]), " 22071", "byte for byte");
            assert_eq!(common(&["22071", "22079"]), "2207*");
            assert_eq!(common(&["22071", "22012"]), "220**");
            assert_eq!(common(&["22071", "10115"]), "{101**, 220**}", "no root");
            assert_eq!(common(&["22071", "?", "22079"]), "{?, 2207*}");
            assert_eq!(common(&["?", ""]), "{, ?}");
        }
        // The same hierarchy, not published: a set.
        let hidden = Recoding { form: Publish::Range, ..recoding };
        assert_eq!(recoded(&["22071", "22079"], Kind::Category, &hidden), "{22071, 22079}");
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
