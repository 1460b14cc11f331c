//! From cells to points under NCP, scaled to 0..1.
//!
//! A number (or a date, or the rank of an ordered label) is its place in its declared domain, or else in the whole range of the kept real rows. A category is its code; missing is a value like
//! another. A number that may be missing is two attributes of half its weight: the number, the missing ones at the
//! middle of the range, and a category "known or missing". Nothing of that is minimised or stated if the column counts
//! ([`super::gap`]). What is published by its hierarchy is the place of its leaf ([`super::leaves`]); where its labels have no
//! penalty it is encoded as if it had no hierarchy, and nothing of that is minimised or stated either.

use lookalike_model::job::Attribute;
use lookalike_table::{Column, ColumnSpec, Reading, Role, Schema, Table};

use super::{
    domain::Domain, encode::Encoded, leaves::Leaves, limits::LARGEST, misfit::Misfit,
    missing::missing_values, ranks::ranks, recoding::Recoding,
};
use crate::Error;

/// Encodes the quasi-identifiers of `rows`.
pub(crate) fn encode(
    table: &Table,
    schema: &Schema,
    recodings: &[Recoding],
    rows: &[u32],
) -> Result<Encoded, Error> {
    let mut encoded = Encoded::default();
    let quasi = schema.columns.iter().filter(|c| c.role == Role::QuasiIdentifier);
    for (spec, rank) in quasi.zip(ranks(table, schema, recodings, rows)) {
        let column = &table.columns[spec.index];
        let mut used = vec![false; column.values.len()];
        for &r in rows {
            used[column.cells[r as usize] as usize] = true;
        }
        if let (Reading::Labels, Some(whole)) = (&spec.reading, &recodings[spec.index].whole) {
            used = whole.counts.iter().map(|&count| count > 0).collect();
        }
        let missing = missing_values(&column.values, &schema.markers);
        let hierarchy = recodings[spec.index].published_by();
        let leaves = hierarchy.map(|hierarchy| Leaves::new(column, hierarchy, &spec.reading, &used));
        if let Some(Ok(Leaves { places, joins })) = leaves {
            encoded.columns.push(rows.iter().map(|&r| places[column.cells[r as usize] as usize]).collect());
            encoded.of.push(spec.name.clone());
            let (weight, joins) = (spec.weight, Some(joins));
            encoded.attributes.push(Attribute { weight, joins, rank, ..Attribute::default() });
            continue;
        }
        let parts = match spec.reading {
            Reading::Labels => category(column, &used, &missing, (spec, &recodings[spec.index])),
            _ => number(column, &used, &missing, rows, (spec, &recodings[spec.index]))?,
        };
        for (of_value, weight, levels) in parts {
            encoded.of.push(spec.name.clone());
            encoded.columns.push(rows.iter().map(|&r| of_value[column.cells[r as usize] as usize]).collect());
            encoded.attributes.push(Attribute { weight, levels, rank, ..Attribute::default() });
        }
    }
    Ok(encoded)
}

/// Coordinates of each dictionary entry, weight, and levels of a category.
type Part = (Vec<f64>, f64, Option<u32>);

fn number(
    column: &Column,
    used: &[bool],
    missing: &[bool],
    rows: &[u32],
    (spec, recoding): (&ColumnSpec, &Recoding),
) -> Result<Vec<Part>, Error> {
    let mut parsed = vec![None; column.values.len()];
    for (code, text) in column.values.iter().enumerate() {
        if missing[code] || !used[code] {
            continue;
        }
        parsed[code] = spec.reading.value(text).filter(|x| x.abs() <= LARGEST).map(|x| recoding.code(x));
        if parsed[code].is_none() {
            let row = rows.iter().find(|&&r| column.cells[r as usize] as usize == code).map_or(0, |&r| r + 1);
            return Err(Misfit::too_large(column, row as usize, text, LARGEST).into());
        }
    }
    let known = parsed.iter().flatten();
    let (low, high) = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
    let (low, high) = recoding.whole.as_ref().map_or((low, high), |whole| (whole.low, whole.high));
    let declared = recoding.domain.as_ref().and_then(|domain| domain.span(recoding));
    let (low, high) = declared.unwrap_or((low, high));
    let width = if high > low { high - low } else { 1.0 };
    let absent = match &recoding.whole {
        Some(whole) => whole.absent > 0,
        None => (0..used.len()).any(|c| used[c] && missing[c]),
    };
    let place = |x: &Option<f64>| x.map_or(0.5, |x| (x - low) / width);
    let place: Vec<f64> = parsed.iter().map(place).collect();
    if !absent {
        return Ok(vec![(place, spec.weight, None)]);
    }
    let half = spec.weight / 2.0;
    let unknown = missing.iter().map(|&m| f64::from(u8::from(m))).collect();
    Ok(vec![(place, half, None), (unknown, half, Some(2))])
}

/// Codes: what a class loses by it is counted from those of its records, however many others have.
fn category(
    column: &Column,
    used: &[bool],
    missing: &[bool],
    (spec, recoding): (&ColumnSpec, &Recoding),
) -> Vec<Part> {
    let mut order: Vec<usize> = (0..used.len()).filter(|&c| used[c]).collect();
    // All missing markers are one value, code 0 if there is any.
    order.sort_by(|&a, &b| missing[b].cmp(&missing[a]).then(column.values[a].cmp(&column.values[b])));
    let mut codes = vec![0.0; used.len()];
    let mut levels = 0u32;
    for (at, &c) in order.iter().enumerate() {
        if at == 0 || !missing[c] {
            levels += 1;
        }
        codes[c] = f64::from(levels - 1);
    }
    // "Missing" is a value beside those that are declared.
    let absent = u32::from(order.first().is_some_and(|&c| missing[c]));
    let declared = recoding.domain.as_ref().and_then(Domain::labels);
    let levels = declared.map_or(levels, |labels| labels as u32 + absent);
    vec![(codes, spec.weight, Some(levels))]
}

#[cfg(test)]
mod tests {
    use lookalike_table::{Kind, MissingPolicy, NumberFormat, ReadOptions, read};

    use super::*;

    #[test]
    fn numbers_are_places_and_categories_codes() {
        let table = read(b"age,city\n20,B\n?,A\n60,?\n30,B\n", &ReadOptions::default()).unwrap();
        let plain = Reading::Numbers(NumberFormat::new('.', None));
        let spec = |index, name: &str, kind, reading, weight| ColumnSpec {
            index,
            name: String::from(name),
            role: Role::QuasiIdentifier,
            kind,
            reading,
            missing: MissingPolicy::Value,
            weight,
            keep: false,
        };
        let schema = Schema {
            columns: vec![
                spec(0, "age", Kind::Real, plain, 0.75),
                spec(1, "city", Kind::Category, Reading::Labels, 0.25),
            ],
            markers: vec![String::from("?")],
        };
        let encoded =
            encode(&table, &schema, &[Recoding::default(), Recoding::default()], &[0, 1, 2, 3]).unwrap();
        assert_eq!(
            encoded.columns,
            [vec![0.0, 0.5, 1.0, 0.25], vec![0.0, 1.0, 0.0, 0.0], vec![2.0, 1.0, 0.0, 2.0]]
        );
        let levels: Vec<_> = encoded.attributes.iter().map(|a| (a.weight, a.levels)).collect();
        assert_eq!(levels, [(0.375, None), (0.375, Some(2)), (0.25, Some(3))]);
        // Var(age) / 0.75^2 is far above Var(city) / 0.25^2 = 10.
        assert_eq!(encoded.attributes.iter().map(|a| a.rank).collect::<Vec<_>>(), [1, 1, 0]);
    }
}
