//! A column that is published by its hierarchy, under NCP: the order of its leaves, and what its labels cost.
//!
//! A label that stands for u of the hierarchy's L values costs a record (u - 1) / (L - 1): 0 for a value itself, 1 for the
//! label of everything (Iyengar 2002, the loss metric LM). All values of the hierarchy count, whether they occur or not: the
//! reader of a label knows no better. If labels are intervals of numbers, their widths count instead ([`widths()`]). Leaves stand
//! in an order in which those under a label are neighbours, so that the lowest label of a class is that of its first and its last
//! leaf; a label above another never costs less.

use std::collections::BTreeMap;

use lookalike_table::{
    Column, Reading,
    hierarchy::{ANY, Hierarchy},
};

use super::{interval_labels::widths, misfit::Misfit};

/// The leaves that occur.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leaves {
    /// Place of each dictionary entry among the leaves that occur; 0 for one that does not.
    pub(crate) places: Vec<f64>,
    /// What the lowest label of each leaf and the next one costs.
    pub(crate) joins: Vec<f64>,
}

impl Leaves {
    /// The leaves of the dictionary entries that are `used`, none of them missing, of a column that is read so.
    ///
    /// # Errors
    /// As [`penalised`].
    pub(crate) fn new(
        column: &Column,
        hierarchy: &Hierarchy,
        reading: &Reading,
        used: &[bool],
    ) -> Result<Self, Misfit> {
        let sizes = penalised(&column.name, hierarchy, reading)?;
        let (widths, height) = (widths(hierarchy, reading), hierarchy.height());
        let path = |value: usize| (0..=height).rev().map(move |level| hierarchy.label(value, level).trim());
        let mut leaves: Vec<usize> = (0..used.len())
            .filter(|&code| used[code])
            .filter_map(|code| hierarchy.find(&column.values[code]))
            .collect();
        leaves.sort_unstable_by(|&a, &b| path(a).cmp(path(b)));
        leaves.dedup();
        let cost = |pair: &[usize]| {
            let level = hierarchy.lowest_common(pair).unwrap_or(height);
            let node = hierarchy.node(pair[0], level);
            match &widths {
                Some(widths) => widths[level][node],
                None => (sizes[level][node] - 1) as f64 / (hierarchy.len() - 1) as f64,
            }
        };
        let joins = leaves.windows(2).map(cost).collect();
        let mut place = vec![0.0; hierarchy.len()];
        for (at, &leaf) in leaves.iter().enumerate() {
            place[leaf] = at as f64;
        }
        let of_value = |cell: &str| hierarchy.find(cell).map_or(0.0, |leaf| place[leaf]);
        Ok(Self { places: column.values.iter().map(of_value).collect(), joins })
    }
}

/// Number of values under each node of each level of a hierarchy whose labels have a penalty.
///
/// # Errors
/// [`Misfit::HierarchyWithoutRoot`] if no label stands for all values, [`Misfit::AmbiguousLabel`] if one does not say what it
/// stands for: it would be published where it means one set, and read as another; so does one that is as wide as an interval here and
/// wider there. [`Misfit::LabelInBraces`] of one that is read as a set.
pub(crate) fn penalised(
    name: &str,
    hierarchy: &Hierarchy,
    reading: &Reading,
) -> Result<Vec<Vec<usize>>, Misfit> {
    let widths = widths(hierarchy, reading);
    let mut as_wide: BTreeMap<&str, f64> = BTreeMap::new();
    let mut sizes = Vec::with_capacity(hierarchy.height() + 1);
    // The first value under each label, and how many.
    let mut stands_for: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for level in 0..=hierarchy.height() {
        let mut of_level = vec![0usize; hierarchy.len()];
        let mut first = vec![usize::MAX; hierarchy.len()];
        for value in 0..hierarchy.len() {
            let node = hierarchy.node(value, level);
            of_level[node] += 1;
            first[node] = first[node].min(value);
        }
        for node in (0..hierarchy.len()).filter(|&node| of_level[node] > 0) {
            let label = hierarchy.label(first[node], level).trim();
            let set = (first[node], of_level[node]);
            // Nodes of one tree with as many values and one in common are the same. Readers take the label of everything at
            // its word.
            let less = label == ANY && of_level[node] < hierarchy.len();
            let width = widths.as_ref().map_or(0.0, |widths| widths[level][node]);
            if label.starts_with('{') && label.ends_with('}') {
                return Err(Misfit::LabelInBraces { name: name.into(), label: label.into() });
            }
            let wider = *as_wide.entry(label).or_insert(width) != width;
            if less || wider || *stands_for.entry(label).or_insert(set) != set {
                return Err(Misfit::AmbiguousLabel { name: name.into(), label: label.into() });
            }
        }
        sizes.push(of_level);
    }
    let height = hierarchy.height();
    if let Some(other) =
        (1..hierarchy.len()).find(|&v| hierarchy.node(v, height) != hierarchy.node(0, height))
    {
        let [first, second] = [0, other].map(|value| hierarchy.label(value, height).into());
        return Err(Misfit::HierarchyWithoutRoot { name: name.into(), first, second });
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use lookalike_table::{Dictionary, NumberFormat};

    use super::*;

    fn column(cells: &str) -> Column {
        let mut column = Column {
            name: String::from("zip"),
            texts: false,
            values: Dictionary::default(),
            cells: Vec::new(),
        };
        for cell in cells.split(' ') {
            column.cells.push(column.values.len() as u32);
            column.values.push(cell);
        }
        column
    }

    fn leaves(rows: &str, cells: &str) -> Result<Leaves, Misfit> {
        let rows: Vec<Vec<String>> =
            rows.split(' ').map(|row| row.split(';').map(String::from).collect()).collect();
        read_as(&Reading::Labels, &rows, cells)
    }

    fn read_as(reading: &Reading, rows: &[Vec<String>], cells: &str) -> Result<Leaves, Misfit> {
        let column = column(cells);
        Leaves::new(&column, &Hierarchy::new(rows).unwrap(), reading, &vec![true; column.values.len()])
    }

    #[test]
    fn intervals_of_numbers_cost_their_width() {
        let rows = "20;[20-29];* 21;[20-29];* 29;[20-29];* 60;>=60;* 70;>=60;*";
        let rows: Vec<Vec<String>> =
            rows.split(' ').map(|row| row.split(';').map(String::from).collect()).collect();
        let numbers = Reading::Numbers(NumberFormat::PLAIN);
        let leaves = read_as(&numbers, &rows, "20 21 60 70").unwrap();
        // By path ">=60" comes before "[20-29]".
        assert_eq!(leaves.places, [2.0, 3.0, 0.0, 1.0]);
        assert_eq!(leaves.joins, [10.0 / 50.0, 1.0, 9.0 / 50.0]);
        let labels = read_as(&Reading::Labels, &rows, "20 21 60 70").unwrap();
        assert_eq!(labels.joins, [1.0 / 4.0, 1.0, 2.0 / 4.0]);
    }

    #[test]
    fn neighbours_cost_their_lowest_label() {
        // Five values; b, a are north, c alone, e and d south-east under south with c.
        let rows = "e;se;south;* b;north;north;* c;c;south;* a;north;north;* d;se;south;*";
        let all = leaves(rows, "e b c a d").unwrap();
        // In the order a b | c | d e.
        assert_eq!(all, Leaves { places: vec![4.0, 1.0, 2.0, 0.0, 3.0], joins: vec![0.25, 1.0, 0.5, 0.25] });
        // Values that do not occur cost all the same, and take no place.
        let few = leaves(rows, "a d b").unwrap();
        assert_eq!(few, Leaves { places: vec![0.0, 2.0, 1.0], joins: vec![0.25, 1.0] });
        assert_eq!(leaves("a;*", "a").unwrap(), Leaves { places: vec![0.0], joins: Vec::new() });
    }

    #[test]
    fn an_interval_is_as_wide_everywhere() {
        let rows = [["99.6", "[97.6-99.6)", "99.6", "*"], ["95", "[95-96)", "95", "*"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(String::from).to_vec()).collect();
        let read = read_as(&Reading::Numbers(NumberFormat::PLAIN), &rows, "99.6 95");
        assert!(matches!(read, Err(Misfit::AmbiguousLabel { .. })), "{read:?}");
        assert!(matches!(leaves("20;{20-29};* 21;{20-29};*", "20"), Err(Misfit::LabelInBraces { .. })));
    }

    #[test]
    fn what_has_no_penalty_is_refused() {
        let label = "south";
        assert_eq!(
            leaves("a;south;* south;south;* b;b;*", "a b"),
            Err(Misfit::AmbiguousLabel { name: "zip".into(), label: label.into() })
        );
        assert_eq!(
            leaves("a;*;all b;*;all c;c;all", "a b"),
            Err(Misfit::AmbiguousLabel { name: "zip".into(), label: "*".into() })
        );
        assert_eq!(
            leaves("a;north b;south", "a b"),
            Err(Misfit::HierarchyWithoutRoot {
                name: "zip".into(),
                first: "north".into(),
                second: label.into()
            })
        );
    }
}
