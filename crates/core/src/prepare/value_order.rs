//! The values of sensitive columns for conditions on them: their codes, and their order or hierarchy where a condition goes by it.

use std::collections::BTreeMap;

use lookalike_model::{
    job::{FurtherValues, Ranks},
    rule::{ValueCondition, Values},
    settings::{Model, Scheme, Settings},
};
use lookalike_table::{
    NumberFormat, Schema, Table,
    hierarchy::{Hierarchy, HierarchyError},
};

use super::{Misfit, repair::codes};
use crate::{Error, Impossible};

/// The values of the further sensitive columns in these rows, in the order of the settings. None of them is missing.
///
/// # Errors
/// As [`ranks`]; [`Impossible::Condition`] if the rows as a whole do not keep a condition.
pub(super) fn further(
    table: &Table,
    schema: &Schema,
    settings: &Settings,
    rows: &[u32],
) -> Result<Vec<FurtherValues>, Error> {
    let (Model::MInvariance { m: least } | Model::KAnonymity { k: least }) = settings.model;
    let mut all = Vec::new();
    for (name, conditions) in &settings.conditions_of {
        let Some(column) = table.column(name) else { continue };
        let (values, code_of) = codes(column, rows, &schema.markers, &[]);
        let values_of: Vec<u32> =
            rows.iter().map(|&row| code_of[column.cells[row as usize] as usize]).collect();
        let ranks = of_column(settings, name, conditions, &values)?;
        let of = FurtherValues { values: values_of, ranks };
        // With one level for a whole column, records are left out while the levels are chosen.
        if settings.scheme != Scheme::FullDomain || settings.suppress.is_none() {
            possible((name, least), conditions, &of, values.len())?;
        }
        all.push(of);
    }
    Ok(all)
}

/// Whether all rows together keep the conditions; if not, no classes of them can.
fn possible(
    (column, least): (&str, usize),
    conditions: &[ValueCondition],
    of: &FurtherValues,
    count: usize,
) -> Result<(), Impossible> {
    let values = Values::whole(&of.values, count, of.ranks.as_ref());
    let counts = values.counts(0..of.values.len() as u32);
    for condition in conditions {
        let reached = condition.reached(counts.iter().copied(), &values.table);
        if !condition.allows(reached) {
            let (asked, best) = (condition.asked(), condition.nearest(reached));
            let held: Vec<u32> = counts.iter().map(|&(_, count)| count).collect();
            let without = ValueCondition::fewest_left_out(conditions, least, &held);
            return Err(Impossible::Condition { column: column.into(), asked, best, without });
        }
    }
    Ok(())
}

/// The ranks of the sensitive values by code, if a condition goes by them: their places in the order that the settings give, or as numbers,
/// where equal ones share a rank; and their hierarchy, if one goes by that.
///
/// # Errors
/// [`Misfit::UnorderedSensitive`] for a value that is not a number, or not in the order; [`Misfit::NoSensitiveHierarchy`] if there is none, and
/// [`Misfit::Hierarchy`] if it is none of these values.
pub(super) fn ranks(settings: &Settings, values: &[String]) -> Result<Option<Ranks>, Misfit> {
    let Some(sensitive) = &settings.sensitive else { return Ok(None) };
    of_column(settings, sensitive, &settings.conditions, values)
}

fn of_column(
    settings: &Settings,
    sensitive: &String,
    conditions: &[ValueCondition],
    values: &[String],
) -> Result<Option<Ranks>, Misfit> {
    let ordered = conditions.iter().any(ValueCondition::is_ordered);
    let hierarchical = conditions.iter().any(ValueCondition::is_hierarchical);
    if !ordered && !hierarchical {
        return Ok(None);
    }
    // Without an order all share a rank, which tells none.
    let none = || Ranks { colours: vec![0; values.len()], count: 1, ..Ranks::default() };
    let ranks = if ordered { in_order(settings, sensitive, conditions, values)? } else { none() };
    let branches = if hierarchical { branches(settings, sensitive, values)? } else { Vec::new() };
    Ok(Some(Ranks { branches, ..ranks }))
}

/// For each level of their hierarchy above the values the label of each, that of all last.
fn branches(settings: &Settings, sensitive: &String, values: &[String]) -> Result<Vec<Vec<u32>>, Misfit> {
    let name = || sensitive.as_str().into();
    let rows =
        settings.hierarchies.get(sensitive).ok_or_else(|| Misfit::NoSensitiveHierarchy { name: name() })?;
    let wrong = |why: HierarchyError| Misfit::Hierarchy { name: name(), why };
    let hierarchy = Hierarchy::new(rows).map_err(wrong)?;
    let lacks = |value: &String| {
        wrong(HierarchyError::Uncovered {
            value: value.as_str().into(),
            rows: Vec::new(),
            more_rows: 0,
            more_values: values
                .iter()
                .filter(|value| hierarchy.find(value).is_none())
                .count()
                .saturating_sub(1),
        })
    };
    let places: Vec<usize> = (values.iter())
        .map(|value| hierarchy.find(value).ok_or_else(|| lacks(value)))
        .collect::<Result<_, _>>()?;
    let mut branches: Vec<Vec<u32>> = (1..=hierarchy.height())
        .map(|level| numbered(places.iter().map(|&place| hierarchy.node(place, level))))
        .collect();
    let top = hierarchy.height();
    if (1..hierarchy.len()).any(|place| hierarchy.node(place, top) != hierarchy.node(0, top)) {
        // Above the coarsest labels stands one for all.
        branches.push(vec![0; values.len()]);
    }
    Ok(branches)
}

/// Labels by numbers without gaps.
fn numbered(labels: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut numbers = BTreeMap::new();
    labels
        .map(|label| {
            let next = numbers.len() as u32;
            *numbers.entry(label).or_insert(next)
        })
        .collect()
}

fn in_order(
    settings: &Settings,
    sensitive: &String,
    conditions: &[ValueCondition],
    values: &[String],
) -> Result<Ranks, Misfit> {
    let unordered = |value: &String| Misfit::UnorderedSensitive {
        name: sensitive.as_str().into(),
        value: value.as_str().into(),
    };
    if let Some(order) = settings.orders.get(sensitive) {
        let place = |value: &String| order.iter().position(|other| other.trim() == value.trim());
        let colours: Result<Vec<u32>, Misfit> = values
            .iter()
            .map(|value| place(value).map(|at| at as u32).ok_or_else(|| unordered(value)))
            .collect();
        return Ok(Ranks { colours: colours?, count: order.len() as u32, ..Ranks::default() });
    }
    // Plain numbers, or such as people write them: "1.200,50", "900 €", "5 %".
    let format = NumberFormat::only_of(&values.iter().map(String::as_str)).unwrap_or(NumberFormat::PLAIN);
    let numbers: Result<Vec<f64>, Misfit> =
        values.iter().map(|value| format.parse(value).ok_or_else(|| unordered(value))).collect();
    let numbers = numbers?;
    let mut sorted = numbers.clone();
    sorted.sort_by(f64::total_cmp);
    // Minus zero is no number of its own.
    sorted.dedup_by(|a, b| *a == *b);
    let colours = numbers.iter().map(|x| sorted.partition_point(|y| y < x) as u32).collect();
    // As parts of the range, which tell no more than they need to.
    let (least, most) = (sorted.first().copied().unwrap_or(0.0), sorted.last().copied().unwrap_or(0.0));
    let place = |x: &f64| if most > least { (x - least) / (most - least) } else { 0.0 };
    let by_distance = conditions.iter().any(|condition| matches!(condition, ValueCondition::Spread { .. }));
    let places: Vec<f64> = if by_distance { numbers.iter().map(place).collect() } else { Vec::new() };
    Ok(Ranks { colours, count: sorted.len() as u32, places, branches: Vec::new() })
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        rule::{Distance, Ground},
        settings::Model,
    };

    use super::*;

    #[test]
    fn numbers_by_value_and_labels_as_they_are_told() {
        let close = |distance| ValueCondition::TCloseness { t: Distance::try_from(0.2).unwrap(), distance };
        let values = ["10", "9", "9.0", "-0", "0"].map(String::from);
        let mut settings = Settings {
            sensitive: Some("pay".into()),
            conditions: vec![close(Ground::Equal)],
            ..Settings::of(Model::KAnonymity { k: 2 })
        };
        assert_eq!(ranks(&settings, &values), Ok(None));
        settings.conditions.push(close(Ground::Ordered));
        assert_eq!(
            ranks(&settings, &values),
            Ok(Some(Ranks {
                colours: vec![2, 1, 1, 0, 0],
                count: 3,
                places: Vec::new(),
                branches: Vec::new()
            }))
        );
        let words = ["low", "high"].map(String::from);
        assert!(matches!(ranks(&settings, &words), Err(Misfit::UnorderedSensitive { .. })));
        settings.orders.insert("pay".into(), ["low", "middle", "high"].map(String::from).to_vec());
        assert_eq!(
            ranks(&settings, &words),
            Ok(Some(Ranks { colours: vec![0, 2], count: 3, places: Vec::new(), branches: Vec::new() }))
        );
        assert!(matches!(ranks(&settings, &values), Err(Misfit::UnorderedSensitive { .. })));
    }
}
