//! Distances of labels by their hierarchy.
//!
//! A label becomes the one-hot codes of its ancestors at all levels, itself included, all with one scale s. Two labels
//! whose lowest common ancestor is at level t (0: the same label; one above the coarsest: none) differ in the t levels
//! below, so that their squared distance is 2 s^2 t, and the SSE of a class of n records is s^2 / n times the sum of t
//! over all ordered pairs: s^2 n times the mean level at which two of its records meet. The scale makes the total
//! variance of the attribute 1: s^2 = 1 / sum over levels and nodes of p(1-p), p being the node's share of the
//! records. With one level this is the usual one-hot code.
//!
//! Missing values are a tree of their own: they meet no label at any level.
//!
//! Where there would be too many coordinates the squared distances themselves are all that is kept: those of neighbours in an order
//! in which the labels under a node stand together, so that the distance of any two is the largest between them.

use std::collections::BTreeMap;

use lookalike_table::{Column, hierarchy::Hierarchy};

use super::encode::{Coded, Distant};

/// A column of labels, of which `counts` are the rows of the whole table, and those of the entries that are `used` are encoded,
/// by `most` coordinates.
/// The hierarchy has all known values. Nodes with the same labels under them share a coordinate; a level of two nodes has one.
pub(crate) fn hierarchical(
    column: &Column,
    hierarchy: &Hierarchy,
    counts: &[usize],
    (missing, used): (&[bool], &[bool]),
    most: usize,
) -> Coded {
    let total: usize = counts.iter().sum();
    let places: Vec<Option<usize>> =
        column.values.iter().zip(missing).map(|(v, &m)| if m { None } else { hierarchy.find(v) }).collect();
    // Squared scale of each different set of dictionary entries, in units of s^2.
    let mut coordinates: BTreeMap<Vec<usize>, f64> = BTreeMap::new();
    let mut spread = 0.0;
    for level in 0..=hierarchy.height() {
        let mut nodes: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for code in (0..counts.len()).filter(|&code| counts[code] > 0) {
            nodes.entry(places[code].map(|place| hierarchy.node(place, level))).or_default().push(code);
        }
        for members in nodes.values() {
            let p = members.iter().map(|&code| counts[code]).sum::<usize>() as f64 / total as f64;
            spread += p * (1.0 - p);
        }
        match nodes.len() {
            0 | 1 => {}
            // Their dummies are each other's complement: one of them, with twice the squared scale, does the same.
            2 => {
                let first = nodes.into_values().min_by_key(|members| smallest(column, members));
                *coordinates.entry(first.unwrap_or_default()).or_insert(0.0) += 2.0;
            }
            _ => nodes.into_values().for_each(|members| *coordinates.entry(members).or_insert(0.0) += 1.0),
        }
    }
    if coordinates.len() > most {
        return Coded::Leaves(distant(hierarchy, (&places, used), 2.0 / spread, coordinates.len()));
    }
    let mut coordinates: Vec<(Vec<usize>, f64)> = coordinates.into_iter().collect();
    // By content: the order of dictionary entries is that of the input's rows.
    coordinates.sort_by_cached_key(|(members, _)| sorted(column, members));
    let coordinates = coordinates
        .into_iter()
        .map(|(members, units)| {
            let mut of_value = vec![0.0; counts.len()];
            for code in members {
                of_value[code] = (units / spread).sqrt();
            }
            of_value
        })
        .collect();
    Coded::Coordinates(coordinates)
}

/// The entries that are `used` as leaves; `places` are their values' in the hierarchy, `None` for a missing one, and two that meet
/// one level further up are `step` further apart.
fn distant(
    hierarchy: &Hierarchy,
    (places, used): (&[Option<usize>], &[bool]),
    step: f64,
    labels: usize,
) -> Distant {
    let height = hierarchy.height();
    let path = |place: Option<usize>| {
        let nodes = move |value| (0..=height).rev().map(move |level| hierarchy.node(value, level)).collect();
        place.map_or_else(Vec::new, nodes)
    };
    let mut leaves: Vec<Option<usize>> =
        places.iter().zip(used).filter(|(_, used)| **used).map(|(&place, _)| place).collect();
    leaves.sort_by_cached_key(|&place| path(place));
    leaves.dedup();
    let apart = |pair: &[Option<usize>]| {
        let levels = match *pair {
            [Some(a), Some(b)] => hierarchy.lowest_common(&[a, b]).unwrap_or(height + 1),
            _ => height + 1,
        };
        levels as f64 * step
    };
    let joins = leaves.windows(2).map(apart).collect();
    let at: BTreeMap<Option<usize>, usize> = leaves.into_iter().zip(0..).collect();
    let places = places.iter().map(|place| at.get(place).copied().unwrap_or(0) as f64).collect();
    Distant { places, joins, labels }
}

fn sorted(column: &Column, members: &[usize]) -> Vec<String> {
    let mut cells: Vec<String> = members.iter().map(|&code| column.values[code].to_owned()).collect();
    cells.sort_unstable();
    cells
}

fn smallest<'a>(column: &'a Column, members: &[usize]) -> Option<&'a str> {
    members.iter().map(|&code| &column.values[code]).min()
}

#[cfg(test)]
mod tests {
    use lookalike_table::Dictionary;

    use super::*;

    /// Encodes one record for each cell; `?` is missing.
    fn points(rows: &str, cells: &[&str]) -> Vec<Vec<f64>> {
        let rows: Vec<Vec<String>> =
            rows.split(' ').map(|row| row.split(';').map(String::from).collect()).collect();
        let mut column = Column {
            name: String::from("x"),
            texts: false,
            values: Dictionary::default(),
            cells: Vec::new(),
        };
        for cell in cells {
            let code = column.values.iter().position(|value| value == *cell).unwrap_or_else(|| {
                column.values.push(cell);
                column.values.len() - 1
            });
            column.cells.push(code as u32);
        }
        let mut counts = vec![0; column.values.len()];
        for &code in &column.cells {
            counts[code as usize] += 1;
        }
        let missing: Vec<bool> = column.values.iter().map(|value| value == "?").collect();
        let used = vec![true; counts.len()];
        let coded = hierarchical(&column, &Hierarchy::new(&rows).unwrap(), &counts, (&missing, &used), 1000);
        let Coded::Coordinates(coordinates) = coded else { panic!("few labels") };
        column.cells.iter().map(|&code| coordinates.iter().map(|c| c[code as usize]).collect()).collect()
    }

    fn squared(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
    }

    /// Total variance over all coordinates.
    fn variance(points: &[Vec<f64>]) -> f64 {
        let n = points.len() as f64;
        (0..points[0].len())
            .map(|j| {
                let mean = points.iter().map(|p| p[j]).sum::<f64>() / n;
                points.iter().map(|p| (p[j] - mean) * (p[j] - mean)).sum::<f64>() / n
            })
            .sum()
    }

    #[test]
    fn squared_distances_are_levels() {
        // a, b meet at level 1, c and d too; all four at level 2; e joins them at level 3; the root is at 3.
        let tree = "a;ab;abcd;* b;ab;abcd;* c;cd;abcd;* d;cd;abcd;* e;e;e;*";
        let cells = ["a", "b", "c", "d", "e"];
        let points = points(tree, &cells);
        let level = |x: &str, y: &str| match (x, y) {
            (x, y) if x == y => 0.0,
            ("a", "b") | ("b", "a") | ("c", "d") | ("d", "c") => 1.0,
            ("e", _) | (_, "e") => 3.0,
            _ => 2.0,
        };
        // s^2 = 1 / sum p(1-p): level 0 gives 5 * 0.2 * 0.8, level 1 2 * 0.4 * 0.6 + 0.16, level 2 2 * 0.8 * 0.2.
        let s2 = 1.0 / (0.8 + 0.64 + 0.32);
        for (i, x) in cells.iter().enumerate() {
            for (j, y) in cells.iter().enumerate() {
                let expected = 2.0 * s2 * level(x, y);
                assert!((squared(&points[i], &points[j]) - expected).abs() < 1e-12, "{x} {y}");
            }
        }
        assert!((variance(&points) - 1.0).abs() < 1e-12);
        // Five values; {a, b} and {c, d} at level 1, where e is e again; one of the two nodes of level 2.
        assert_eq!(points[0].len(), 8);
    }

    #[test]
    fn without_groups_it_is_the_one_hot_code() {
        let points = points("a;* b;* c;*", &["a", "a", "b", "c"]);
        // One-hot: squared distance 2 / sum p(1-p) = 2 / (1/4 + 3/16 + 3/16).
        for (i, j, expected) in [(0, 1, 0.0), (0, 2, 3.2), (2, 3, 3.2)] {
            assert!((squared(&points[i], &points[j]) - expected).abs() < 1e-12);
        }
        assert!((variance(&points) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn missing_meets_nothing() {
        let points = points("a;ab;* b;ab;* c;c;*", &["a", "b", "c", "?"]);
        let unit = squared(&points[0], &points[1]);
        for (i, j, level) in [(0, 1, 1.0), (0, 2, 2.0), (0, 3, 3.0), (2, 3, 3.0)] {
            assert!((squared(&points[i], &points[j]) - level * unit).abs() < 1e-12, "{i} {j}");
        }
        assert!((variance(&points) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn many_labels_are_as_far_apart_as_their_coordinates() {
        // 40 groups of 30 labels, the groups in pairs; label 7 of each group does not occur, and some cells are missing.
        let label = |i: usize| format!("{i:04}");
        let rows: Vec<Vec<String>> = (0..1200)
            .map(|i| vec![label(i), format!("g{}", i / 30), format!("p{}", i / 60), "*".into()])
            .collect();
        let mut column = Column {
            name: String::from("x"),
            texts: false,
            values: Dictionary::default(),
            cells: Vec::new(),
        };
        column.values.push("?");
        (0..1200).rev().for_each(|i| {
            column.values.push(&label(i));
        });
        let used: Vec<bool> = (0..1201).map(|code| code == 0 || (1200 - code) % 30 != 7).collect();
        let counts: Vec<usize> = (0..1201).map(|code| if used[code] { 1 + code % 3 } else { 0 }).collect();
        let missing: Vec<bool> = (0..1201).map(|code| code == 0).collect();
        let coded = hierarchical(&column, &Hierarchy::new(&rows).unwrap(), &counts, (&missing, &used), 1000);
        let Coded::Leaves(leaves) = coded else { panic!("many labels") };
        assert_eq!(leaves.labels, 40 * 29 + 40 + 20 + 2);
        assert_eq!(leaves.joins.len(), 40 * 29);
        // By the definition: the total variance is 1, p being shares.
        let total: usize = counts.iter().sum();
        let share = |codes: &mut dyn Iterator<Item = usize>| {
            codes.map(|c| counts[c]).sum::<usize>() as f64 / total as f64
        };
        let mut spread = 0.0;
        for width in [1, 30, 60, 1200] {
            for first in (0..1200).step_by(width) {
                let p = share(&mut (first..first + width).map(|i| 1200 - i));
                spread += p * (1.0 - p);
            }
            let p = share(&mut std::iter::once(0));
            spread += p * (1.0 - p);
        }
        let apart = |a: usize, b: usize| {
            let (from, to) = (leaves.places[a].min(leaves.places[b]), leaves.places[a].max(leaves.places[b]));
            leaves.joins[from as usize..to as usize].iter().copied().fold(0.0, f64::max)
        };
        for (a, b, levels) in [
            (1200, 1200, 0),
            (1200, 1199, 1),
            (1200, 1200 - 29, 1),
            (1200, 1200 - 30, 2),
            (1200, 1, 3),
            (0, 5, 4),
            (600, 0, 4),
        ] {
            let expected = 2.0 * f64::from(levels) / spread;
            assert!((apart(a, b) - expected).abs() < 1e-9, "{a} {b}: {} for {expected}", apart(a, b));
        }
    }

    #[test]
    fn one_value_has_no_coordinate() {
        assert_eq!(points("a;* b;*", &["a", "a"]), [Vec::<f64>::new(), Vec::new()]);
    }
}
