//! Squared errors of the original values within classes.

use lookalike_table::{Column, hierarchy::Hierarchy, is_missing};

use super::numbers::Numbers;

/// What the squared errors of a column are computed from; entries as in the column's dictionary.
pub(super) enum Original {
    /// Numbers, day numbers or ranks; `None` if not known.
    Numbers(Vec<Option<f64>>),
    /// Labels: on each level of their hierarchy the node of each; without a hierarchy one level of labels.
    Labels(Vec<Vec<u32>>),
}

impl Original {
    pub(super) fn numbers(cells: &[Numbers]) -> Self {
        Self::Numbers(cells.iter().map(|cell| cell.span().map(|span| span.0)).collect())
    }

    /// The nodes of each label at all levels; what is missing is a tree of its own. `None` if a label is not in the
    /// hierarchy.
    pub(super) fn nodes(column: &Column, hierarchy: &Hierarchy, missing: &[String]) -> Option<Self> {
        const MISSING: u32 = u32::MAX;
        let place = |text: &str| {
            if is_missing(text, missing) { Some(None) } else { hierarchy.find(text).map(Some) }
        };
        let places: Vec<Option<usize>> = column.values.iter().map(place).collect::<Option<_>>()?;
        let node =
            |place: &Option<usize>, level| place.map_or(MISSING, |place| hierarchy.node(place, level) as u32);
        let level = |level| places.iter().map(|place| node(place, level)).collect();
        Some(Self::Labels((0..=hierarchy.height()).map(level).collect()))
    }

    /// SSE within classes and SST, the column having total variance 1 over the rows: numbers are z-scored, labels
    /// one-hot on every level, with a common scale. Of each row is given its class and its dictionary entry. Rows
    /// whose number is not known are left out.
    pub(super) fn squared_errors(&self, rows: &[(usize, u32)]) -> (f64, f64) {
        match self {
            Self::Numbers(numbers) => of_numbers(
                rows.iter().filter_map(|&(class, entry)| Some((class, numbers[entry as usize]?))).collect(),
            ),
            Self::Labels(levels) => {
                let (mut sse, mut all) = (0.0, 0.0);
                for nodes in levels {
                    let of_level =
                        of_nodes(rows.iter().map(|&(class, e)| (class, nodes[e as usize])).collect());
                    (sse, all) = (sse + of_level.0, all + of_level.1);
                }
                let n = rows.len() as f64;
                if all > 0.0 { (sse / all * n, n) } else { (0.0, 0.0) }
            }
        }
    }
}

fn of_numbers(mut known: Vec<(usize, f64)>) -> (f64, f64) {
    known.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let within = |values: &[(usize, f64)]| {
        let mean = values.iter().map(|v| v.1).sum::<f64>() / values.len() as f64;
        values.iter().map(|v| (v.1 - mean) * (v.1 - mean)).sum::<f64>()
    };
    let sse: f64 = known.chunk_by(|a, b| a.0 == b.0).map(within).sum();
    let n = known.len() as f64;
    known.sort_by(|a, b| a.1.total_cmp(&b.1));
    match (known.first(), known.last()) {
        (Some(least), Some(most)) if least.1 < most.1 => (sse / within(&known) * n, n),
        _ => (0.0, 0.0),
    }
}

/// What one-hot vectors cost within classes and in all, before the scale: `n - sum of n_v^2 / n`.
fn of_nodes(mut rows: Vec<(usize, u32)>) -> (f64, f64) {
    rows.sort_unstable();
    let within = |values: &[(usize, u32)]| {
        let squares: usize = values.chunk_by(|a, b| a.1 == b.1).map(|same| same.len() * same.len()).sum();
        values.len() as f64 - squares as f64 / values.len() as f64
    };
    let sse: f64 = rows.chunk_by(|a, b| a.0 == b.0).map(within).sum();
    rows.sort_unstable_by_key(|v| v.1);
    (sse, if rows.is_empty() { 0.0 } else { within(&rows) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four postcodes in two towns, two classes of one town each: on the level of values each class costs
    /// 2 - 2/2 = 1 and all 4 - 4/4 = 3; on that of towns 0 and 4 - 8/4 = 2.
    #[test]
    fn labels_that_meet_early_cost_less() {
        let rows = [["1", "a"], ["2", "a"], ["3", "b"], ["4", "b"]].map(|row| row.map(String::from).to_vec());
        let values: Vec<String> = ["1", "2", "3", "4"].map(String::from).to_vec();
        let column = Column {
            name: String::from("zip"),
            texts: false,
            values: values.into_iter().collect(),
            cells: vec![0, 1, 2, 3],
        };
        let nodes =
            |missing: &[String]| Original::nodes(&column, &Hierarchy::new(&rows).unwrap(), missing).unwrap();
        let classes = [(0, 0), (0, 1), (1, 2), (1, 3)];
        let (sse, sst) = nodes(&[]).squared_errors(&classes);
        assert!((sse / sst - 2.0 / 5.0).abs() < 1e-12 && sst == 4.0);
        // Classes across towns: 1 and 1 on each level.
        let across = [(0, 0), (0, 2), (1, 1), (1, 3)];
        assert!((nodes(&[]).squared_errors(&across).0 / 4.0 - 4.0 / 5.0).abs() < 1e-12);
        // With 4 missing: towns aab and a tree of its own, 4 - (4 + 1 + 1)/4 = 2.5; a class of 3 and ? costs 1 twice.
        let (sse, _) = nodes(&[String::from("4")]).squared_errors(&classes);
        assert!((sse / 4.0 - 3.0 / 5.5).abs() < 1e-12);
        assert!(
            Original::nodes(
                &Column { values: ["5"].into_iter().collect(), ..column.clone() },
                &Hierarchy::new(&rows).unwrap(),
                &[]
            )
            .is_none()
        );
    }
}
