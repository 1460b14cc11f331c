//! How wide some records are together, under the certainty penalty.

use super::{WidthKind, Widths, kinds::Kinds, low::Low, tree::Space};

/// Kinds as the penalty sees them.
pub(super) struct Places<'a> {
    /// Values, kind by kind.
    values: Vec<f64>,
    axes: Vec<Axis<'a>>,
    low: Low,
}

struct Axis<'a> {
    weight: f64,
    kind: &'a WidthKind,
    /// For leaves the widest join of each 2^i neighbours, by i.
    widest: Vec<Vec<f64>>,
    /// What two different labels cost.
    step: f64,
    /// Whether c >= 2 labels cost c instead of c - 1.
    binary: bool,
}

/// Some records: by axis the lowest and the highest value, and the different labels.
#[derive(Clone, Default)]
pub(super) struct Extent {
    ends: Vec<(f64, f64)>,
    labels: Vec<Vec<f64>>,
}

impl<'a> Places<'a> {
    pub(super) fn new(widths: &'a Widths, kinds: &Kinds, binary: bool) -> Self {
        let axes = widths.attributes.iter().map(|width| {
            let (kind, weight) = (&width.kind, width.weight);
            let mut axis = Axis { weight, kind, widest: Vec::new(), step: 0.0, binary };
            axis.widest = axis.joins();
            axis.step = axis.labels(2);
            axis
        });
        let heads = (0..kinds.len() as u32).map(|kind| kinds.head(kind) as usize);
        let values =
            heads.flat_map(|head| widths.attributes.iter().map(move |width| width.values[head])).collect();
        let low = Low::new(8 * widths.attributes.len());
        Self { values, axes: axes.collect(), low }
    }

    /// One record.
    pub(super) fn extent(&self, kind: u32) -> Extent {
        let at = |axis: usize| self.at(kind, axis);
        let labels = |axis: usize| match self.axes[axis].kind {
            WidthKind::Labels(_) => vec![at(axis)],
            WidthKind::Number | WidthKind::Leaves(_) => Vec::new(),
        };
        let ends = (0..self.axes.len()).map(|axis| (at(axis), at(axis)));
        Extent { ends: ends.collect(), labels: (0..self.axes.len()).map(labels).collect() }
    }

    /// With one more.
    pub(super) fn with(&self, extent: &Extent, kind: u32) -> Extent {
        let mut next = extent.clone();
        for (axis, (ends, labels)) in next.ends.iter_mut().zip(&mut next.labels).enumerate() {
            let x = self.at(kind, axis);
            *ends = (ends.0.min(x), ends.1.max(x));
            if !labels.is_empty() && !labels.contains(&x) {
                labels.push(x);
            }
        }
        next
    }

    /// At most the width of some records and one more.
    pub(super) fn width(&self, extent: &Extent, kind: u32) -> f64 {
        let along = |(index, axis): (usize, &Axis<'_>)| {
            let (x, (low, high)) = (self.at(kind, index), extent.ends[index]);
            let (low, high) = (low.min(x), high.max(x));
            axis.weight
                * match axis.kind {
                    WidthKind::Number => high - low,
                    WidthKind::Leaves(_) => axis.join(low, high),
                    WidthKind::Labels(_) => {
                        let labels = &extent.labels[index];
                        axis.labels(labels.len() + usize::from(!labels.contains(&x)))
                    }
                }
        };
        self.lowered(self.axes.iter().enumerate().map(along).sum())
    }
}

impl Axis<'_> {
    fn joins(&self) -> Vec<Vec<f64>> {
        let WidthKind::Leaves(joins) = self.kind else { return Vec::new() };
        let mut widest = vec![joins.clone()];
        let mut reach = 1;
        while let Some(last) = widest.last()
            && last.len() > reach
        {
            let next = (0..last.len() - reach).map(|at| last[at].max(last[at + reach])).collect();
            widest.push(next);
            reach *= 2;
        }
        widest
    }

    /// The widest join between two leaves.
    fn join(&self, low: f64, high: f64) -> f64 {
        let (low, high) = (low as usize, high as usize);
        if low >= high {
            return 0.0;
        }
        let level = (high - low).ilog2() as usize;
        let of = &self.widest[level];
        of[low].max(of[high - (1 << level)])
    }

    /// What so many labels cost.
    fn labels(&self, count: usize) -> f64 {
        let WidthKind::Labels(levels) = self.kind else { return 0.0 };
        let counted = if self.binary && count > 1 { count } else { count.saturating_sub(1) };
        counted as f64 / f64::from(*levels)
    }
}

impl Space for Places<'_> {
    fn axes(&self) -> usize {
        self.axes.len()
    }

    fn at(&self, kind: u32, axis: usize) -> f64 {
        self.values[kind as usize * self.axes.len() + axis]
    }

    fn gap(&self, axis: usize, place: f64, low: f64, high: f64) -> f64 {
        let axis = &self.axes[axis];
        axis.weight
            * match axis.kind {
                WidthKind::Number => (low - place).max(place - high),
                WidthKind::Labels(_) => axis.step,
                WidthKind::Leaves(_) if place < low => axis.join(place, low),
                WidthKind::Leaves(_) => axis.join(high, place),
            }
    }

    fn lowered(&self, gaps: f64) -> f64 {
        self.low.of(gaps, gaps).max(0.0)
    }

    fn distance(&self, a: u32, b: u32) -> f64 {
        let along = |axis: usize| {
            let (x, y) = (self.at(a, axis), self.at(b, axis));
            if x == y { 0.0 } else { self.gap(axis, x, y, y) }
        };
        self.lowered((0..self.axes.len()).map(along).sum())
    }
}
