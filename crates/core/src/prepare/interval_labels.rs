//! Labels of a hierarchy that are intervals of numbers, such as `[20-29]`: what they cost is their width.
//!
//! Iyengar's loss metric counts the values under a label of categories and measures the interval of a label of numbers. A label
//! covers the interval that it says, the values under it and the labels below it: what a hierarchy of somebody's own says may be
//! narrower than its values, and a label above another must not cost less than it.

use lookalike_table::{
    Reading,
    hierarchy::{ANY, Hierarchy, interval_ends},
};

/// Least and greatest number.
type Ends = (f64, f64);

/// For each node of each level the width of its interval, as a part of that of the whole hierarchy. `None` if the column has
/// other values than numbers, if a label other than [`ANY`] says no interval, and if all values are equal.
pub(super) fn widths(hierarchy: &Hierarchy, reading: &Reading) -> Option<Vec<Vec<f64>>> {
    let Reading::Numbers(_) = reading else { return None };
    let mut covered: Vec<Ends> = (0..hierarchy.len())
        .map(|value| reading.value(hierarchy.label(value, 0)).filter(|x| x.is_finite()).map(|x| (x, x)))
        .collect::<Option<_>>()?;
    let mut levels = Vec::with_capacity(hierarchy.height() + 1);
    for level in 0..=hierarchy.height() {
        let mut of_node: Vec<Option<Ends>> = vec![None; hierarchy.len()];
        for (value, own) in covered.iter().enumerate() {
            let node = &mut of_node[hierarchy.node(value, level)];
            *node = Some(node.map_or(*own, |node| joined(node, *own)));
        }
        for (value, own) in covered.iter_mut().enumerate() {
            let said = match hierarchy.label(value, level).trim() {
                ANY => None,
                label => Some(interval_ends(label, reading)?),
            };
            let below = of_node[hierarchy.node(value, level)].unwrap_or(*own);
            *own = said.map_or(below, |said| joined(below, said));
        }
        let mut widths = vec![0.0; hierarchy.len()];
        for (value, (low, high)) in covered.iter().enumerate() {
            widths[hierarchy.node(value, level)] = high - low;
        }
        levels.push(widths);
    }
    let (low, high) = covered.iter().copied().reduce(joined)?;
    let whole = high - low;
    let part = |width: f64| width / whole;
    (whole > 0.0 && whole.is_finite())
        .then(|| levels.into_iter().map(|of_level| of_level.into_iter().map(part).collect()).collect())
}

fn joined(a: Ends, b: Ends) -> Ends {
    (a.0.min(b.0), a.1.max(b.1))
}

#[cfg(test)]
mod tests {
    use lookalike_table::NumberFormat;

    use super::*;

    fn of(rows: &[[&str; 3]]) -> Option<Vec<Vec<f64>>> {
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(String::from).to_vec()).collect();
        widths(&Hierarchy::new(&rows).unwrap(), &Reading::Numbers(NumberFormat::new(',', None)))
    }

    #[test]
    fn a_label_is_as_wide_as_it_says() {
        let rows = [["20,5", "[20-25)", "*"], ["24", "[20-25)", "*"], ["60", ">=50", "*"]];
        // From 20 to 60: the values stand for themselves.
        let parts = of(&rows).unwrap();
        assert_eq!(parts[0], [0.0; 3]);
        assert_eq!(parts[1][..2], [5.0 / 40.0, 10.0 / 40.0]);
        assert_eq!(parts[2][0], 1.0);
    }

    #[test]
    fn a_label_is_no_narrower_than_what_is_below() {
        let wrong = [["20", "[30-40]", "[22-23]"], ["35", "[30-40]", "[22-23]"], ["41", "41", "[22-23]"]];
        let parts = of(&wrong).unwrap();
        assert_eq!((parts[1][0], parts[2][0]), (20.0 / 21.0, 1.0));
    }

    #[test]
    fn other_labels_have_no_width() {
        assert_eq!(of(&[["20", "young", "*"], ["60", "old", "*"]]), None);
        assert_eq!(of(&[["22071", "2207*", "*"], ["22072", "2207*", "*"]]), None);
        assert_eq!(of(&[["1", "[0-2]", "*"], ["x", "[0-2]", "*"]]), None);
        assert_eq!(of(&[["1", "1", "*"], ["1,0", "1", "*"]]), None, "no width in all");
    }
}
