//! Hierarchies whose labels are intervals of numbers: what a label covers, and the widths that it costs.

use std::collections::BTreeMap;

use lookalike_table::{
    Reading as Compared,
    hierarchy::{Hierarchy, interval_ends},
};

use crate::SUPPRESSED;

/// What each label of such a hierarchy covers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Intervals {
    /// Least and greatest number, by the label: as it says, with all values and labels under it.
    of: BTreeMap<String, (f64, f64)>,
    whole: (f64, f64),
}

impl Intervals {
    /// `None` unless the column holds numbers, every value is one, every label but `*` is an interval, and not all is one number.
    pub(crate) fn new(hierarchy: &Hierarchy, compared: &Compared) -> Option<Self> {
        let Compared::Numbers(_) = compared else { return None };
        let mut of: BTreeMap<String, (f64, f64)> = BTreeMap::new();
        let rows = hierarchy.rows();
        // From the values upwards: a label covers what those below it cover, of all its rows.
        for level in 0..=hierarchy.height() {
            for row in &rows {
                let label = row[level].trim();
                let said = match level {
                    0 => Some(compared.value(label).map(|x| (x, x))?),
                    _ if label == SUPPRESSED => None,
                    _ => Some(interval_ends(label, compared)?),
                };
                let below = level.checked_sub(1).and_then(|below| of.get(row[below].trim()).copied());
                let covers = said.into_iter().chain(below).chain(of.get(label).copied()).reduce(hull)?;
                of.insert(label.to_owned(), covers);
            }
        }
        let whole = of.values().copied().reduce(hull)?;
        let width = whole.1 - whole.0;
        (width > 0.0 && width.is_finite()).then_some(Self { of, whole })
    }

    /// The width of what some labels cover together, as a part of that of all; 0 of none.
    pub(crate) fn part<'a>(&self, labels: impl Iterator<Item = &'a str>) -> f64 {
        let covers = labels.filter_map(|label| self.of.get(label.trim()).copied()).reduce(hull);
        covers.map_or(0.0, |(low, high)| (high - low) / (self.whole.1 - self.whole.0))
    }
}

fn hull(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

#[cfg(test)]
mod tests {
    use lookalike_table::NumberFormat;

    use super::*;

    #[test]
    fn labels_cover_what_they_say_and_what_is_below() {
        let rows: Vec<Vec<String>> = ["20.5;[20-25);*", "24;[20-25);*", "60;>=50;*", "7; 0-10 ;*"]
            .iter()
            .map(|row| row.split(';').map(String::from).collect())
            .collect();
        let hierarchy = Hierarchy::new(&rows).unwrap();
        let numbers = Compared::Numbers(NumberFormat::PLAIN);
        let intervals = Intervals::new(&hierarchy, &numbers).unwrap();
        let part = |labels: &[&str]| intervals.part(labels.iter().copied());
        assert_eq!((part(&["24"]), part(&["[20-25)"]), part(&[">=50"])), (0.0, 5.0 / 60.0, 10.0 / 60.0));
        assert_eq!((part(&["0-10", "24"]), part(&["*"]), part(&[])), (24.0 / 60.0, 1.0, 0.0));
        assert_eq!(Intervals::new(&hierarchy, &Compared::Labels), None);
        let words =
            Hierarchy::new(&[["20", "young"], ["60", "old"]].map(|row| row.map(String::from).to_vec()));
        assert_eq!(Intervals::new(&words.unwrap(), &numbers), None);
    }
}
