//! How far a record of a block is from those of other blocks at the least: what makes a bound on a block one on the whole table
//! (docs/bounds.md, theorem 7).

use lookalike_model::settings::Loss;
use lookalike_table::{ColumnSpec, Reading, Table, is_missing};

use super::{
    block::Blocks,
    survey::Seen,
    tree::{Node, Tree},
};
use crate::{
    Error,
    prepare::{Prepared, Whole, recoding::Recoding},
};

/// What the cells of a column on two sides of a cut add at least to the distance of their records, as the search measures it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Apart {
    /// Numbers.
    Numbers {
        /// Of the difference, squared under squared errors.
        factor: f64,
        squared: bool,
        /// A number and a missing one; infinite if none is missing.
        missing: f64,
    },
    /// Two different labels.
    Labels(f64),
}

impl Apart {
    /// Of a record with this value from all on the other side of the cut at `at`. Missing numbers are minus infinity, on the low side.
    fn apart_from_others(self, value: f64, at: f64) -> f64 {
        match self {
            Self::Labels(apart) => apart,
            Self::Numbers { missing, .. } if value == f64::NEG_INFINITY => missing,
            Self::Numbers { factor, squared, missing } => {
                let off = (value - at).abs();
                let known = factor * if squared { off * off } else { off };
                // A column that does not count may be infinitely far apart.
                let known = if known.is_nan() { 0.0 } else { known };
                // Missing ones are across a cut below it.
                if value > at { known.min(missing) } else { known }
            }
        }
    }

    fn of(seen: &Seen, recoding: &Recoding, loss: Loss, (quasi, markers): (usize, &[String])) -> Self {
        let labels = seen.spec.reading == Reading::Labels;
        let by_tree = match loss {
            Loss::Sse => labels && recoding.hierarchy.is_some(),
            Loss::Ncp | Loss::NcpBinary => recoding.published_by().is_some(),
        };
        if by_tree {
            // Labels under one node may be as near as the tree says.
            return Self::Labels(0.0);
        }
        match (labels, loss) {
            (true, _) => Self::Labels(labels_apart(seen, recoding, loss, (quasi, markers))),
            (false, Loss::Sse) => squares(&seen.whole, seen.spec.weight * quasi as f64),
            (false, _) => penalties(&seen.whole, &seen.spec, recoding),
        }
    }
}

/// Two different labels; 0 where two of them are the same value, since both mean "missing".
fn labels_apart(seen: &Seen, recoding: &Recoding, loss: Loss, (quasi, markers): (usize, &[String])) -> f64 {
    let counts = &seen.whole.counts;
    if seen.labels().filter(|label| is_missing(label, markers)).count() > 1 || counts.len() < 2 {
        return 0.0;
    }
    if loss != Loss::Sse {
        let declared = recoding.domain.as_ref().and_then(crate::prepare::domain::Domain::labels);
        // "Missing" is a value beside those that are declared.
        let levels = declared.map_or(counts.len(), |labels| labels.max(counts.len()) + 1);
        return seen.spec.weight / levels as f64;
    }
    let total: usize = counts.iter().sum();
    let variance = |&count: &usize| {
        let share = count as f64 / total as f64;
        share * (1.0 - share)
    };
    let apart = match counts.as_slice() {
        [one, _] => 1.0 / variance(one),
        all => 2.0 / all.iter().map(variance).sum::<f64>(),
    };
    seen.spec.weight * quasi as f64 * apart
}

/// Numbers under squared errors: z-scores, beside a dummy for missing ones where there are any.
fn squares(whole: &Whole, weight: f64) -> Apart {
    let (known, all) = (whole.known as f64, (whole.known + whole.absent) as f64);
    let share = known / all;
    let total = if whole.absent == 0 { 1.0 } else { 1.0 + if whole.varies() { share } else { 0.0 } };
    let missing = if whole.absent == 0 { f64::INFINITY } else { weight / (share * (1.0 - share)) / total };
    Apart::Numbers { factor: weight / whole.variance / total, squared: true, missing }
}

/// Numbers under the penalty: parts of the whole range, of half the weight where some are missing.
fn penalties(whole: &Whole, spec: &ColumnSpec, recoding: &Recoding) -> Apart {
    let declared = recoding.domain.as_ref().and_then(|domain| domain.span(recoding));
    let (low, high) = declared.unwrap_or((whole.low, whole.high));
    let width = if high > low { high - low } else { 1.0 };
    let gaps = whole.absent > 0;
    let weight = if gaps { spec.weight / 2.0 } else { spec.weight };
    // Of a category of two values the second costs half at the least.
    let missing = if gaps { weight / 2.0 } else { f64::INFINITY };
    Apart::Numbers { factor: weight / width, squared: false, missing }
}

/// The least over all cuts that a row with these values passes on its way to its leaf.
fn border(tree: &Tree, apart: &[Apart], value: impl Fn(usize) -> f64) -> f64 {
    let (mut node, mut least) = (tree.nodes().len() - 1, f64::INFINITY);
    loop {
        match tree.nodes()[node] {
            Node::Leaf(_) => return least,
            Node::Cut { column, at, low, high } => {
                let x = value(column);
                least = least.min(apart[column].apart_from_others(x, at));
                node = if x <= at { low } else { high };
            }
        }
    }
}

impl Blocks {
    /// For each record of a block, in the order of its job, what the distance to any record of another block is at least.
    ///
    /// # Errors
    /// [`Error::Large`] if these are not rows of the table.
    pub(super) fn borders(&self, table: &Table, prepared: &Prepared) -> Result<Vec<f64>, Error> {
        let survey = &self.survey;
        let about = (survey.quasi.len(), survey.schema.markers.as_slice());
        let (mut apart, mut columns) = (Vec::new(), Vec::new());
        for seen in &survey.quasi {
            apart.push(Apart::of(seen, &survey.recodings[seen.spec.index], survey.settings.loss, about));
            let place = self.schema.columns.iter().position(|spec| spec.name == seen.spec.name);
            let column = &table.columns[place.ok_or_else(super::block::other_rows)?];
            columns.push((survey.values(seen, column)?, &column.cells));
        }
        let of_row = |&row: &u32| {
            border(&self.tree, &apart, |at| {
                let (values, cells) = &columns[at];
                values[cells[row as usize] as usize]
            })
        };
        Ok(prepared.rows.iter().map(of_row).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::out_of_core::{sample::Weighed, tree::Scale};

    #[test]
    fn the_nearest_cut_counts_and_only_those_on_the_way() {
        let points = [0.0, 1.0, 10.0, 11.0].map(|x| Weighed { rows: 1, point: Box::new([x]) });
        let tree = Tree::grow(points.to_vec(), &[Scale { weight: 1.0, labels: false }], 4, 1);
        // Cuts at 1 (the root), 0 and 10.
        let squares = Apart::Numbers { factor: 2.0, squared: true, missing: f64::INFINITY };
        let at = |x: f64| border(&tree, &[squares], |_| x);
        assert_eq!([at(-3.0), at(0.25), at(8.0), at(12.0)], [18.0, 0.125, 8.0, 8.0]);
    }

    #[test]
    fn missing_numbers_lie_across_the_cuts_below() {
        let of = Apart::Numbers { factor: 1.0, squared: false, missing: 2.0 };
        assert_eq!(of.apart_from_others(9.0, 4.0), 2.0);
        assert_eq!(of.apart_from_others(1.0, 4.0), 3.0);
        assert_eq!(of.apart_from_others(f64::NEG_INFINITY, 4.0), 2.0);
        assert_eq!(of.apart_from_others(1.0, f64::NEG_INFINITY), 2.0);
        let free = Apart::Numbers { factor: 0.0, squared: true, missing: 2.0 };
        assert_eq!(free.apart_from_others(1.0, f64::NEG_INFINITY), 0.0);
    }
}
