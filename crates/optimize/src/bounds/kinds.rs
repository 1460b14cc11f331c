//! Records that no class can tell apart: of equal points, and of equal colours where those count.

use std::ops::Range;

use lookalike_model::{distinct_points::DistinctPoints, instance::Instance, proof::Duals, rule::Rule};

/// A colour, and the signature that its records keep (0 for none), as in [`Instance::bound`].
pub(super) type Tint = (u32, u32);

/// Records of one kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// Its first record.
    pub(super) head: u32,
    /// Its point, by its place among the distinct ones.
    pub(super) point: u32,
    /// How many records are of it.
    pub(super) records: usize,
    /// What tells it from others at its point; all records of a point are alike where colours do not count.
    pub(super) tint: Option<Tint>,
}

/// The real records by points and kinds.
pub(super) struct Kinds {
    pub(super) points: DistinctPoints,
    /// The record that stands for each point.
    pub(super) heads: Vec<u32>,
    /// By points.
    pub(super) all: Vec<Kind>,
    /// Kinds of each point: `all[start[g]..start[g + 1]]`.
    start: Vec<usize>,
}

impl Kinds {
    pub(super) fn new(instance: &Instance, rule: &Rule) -> Self {
        let reals: Vec<u32> = (0..instance.reals as u32).collect();
        let points = DistinctPoints::new(instance, &reals);
        let heads: Vec<u32> = (0..points.len()).map(|g| points.members(g)[0]).collect();
        let (mut all, mut start) = (Vec::new(), vec![0]);
        for g in 0..points.len() {
            let members = points.members(g);
            let kind = |head: u32, records: usize, tint| Kind { head, point: g as u32, records, tint };
            if rule.distinct() {
                let tint = |i: u32| (instance.colours[i as usize], instance.bound(i));
                let mut sorted: Vec<(Tint, u32)> = members.iter().map(|&i| (tint(i), i)).collect();
                sorted.sort_unstable();
                let alike = sorted.chunk_by(|a, b| a.0 == b.0);
                all.extend(alike.map(|of| kind(of[0].1, of.len(), Some(of[0].0))));
            } else {
                all.push(kind(members[0], members.len(), None));
            }
            start.push(all.len());
        }
        Self { points, heads, all, start }
    }

    /// The kinds at a point.
    pub(super) fn at(&self, point: u32) -> &[Kind] {
        &self.all[self.range(point)]
    }

    /// Where these stand among all.
    pub(super) fn range(&self, point: u32) -> Range<usize> {
        self.start[point as usize]..self.start[point as usize + 1]
    }

    /// Duals of the kinds as those of the records; a kind that has none yet counts as 0. They are feasible but for rounding.
    pub(super) fn by_record(&self, instance: &Instance, duals: &[f64]) -> Duals {
        let mut values = vec![0.0; instance.reals];
        self.each(instance, |kind, record| {
            values[record as usize] = duals.get(kind as usize).copied().unwrap_or(0.0);
        });
        Duals { tolerance: 0.0, values, cuts: Vec::new() }
    }

    /// Shows every real record with its kind.
    pub(super) fn each(&self, instance: &Instance, mut show: impl FnMut(u32, u32)) {
        for point in 0..self.points.len() {
            for &i in self.points.members(point) {
                let tint = (instance.colours[i as usize], instance.bound(i));
                let alike = |&at: &usize| self.all[at].tint.is_none_or(|of| of == tint);
                if let Some(kind) = self.range(point as u32).find(alike) {
                    show(kind as u32, i);
                }
            }
        }
    }
}
