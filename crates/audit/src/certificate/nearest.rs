//! The distances of each kind to its nearest partners: the records that may share a class with one of its records.

use rayon::prelude::*;

use super::{
    Refusal,
    kinds::Kinds,
    nodes::Nodes,
    tree::{Space, Tree, Visitor},
};

/// Kinds that are looked at between two looks at the budget.
const BATCH: usize = 1024;

/// For each kind at most the distances to its nearest `wanted` partners, ascending; infinite where there are no more.
pub(super) fn nearest<S: Space>(
    space: &S,
    tree: &Tree,
    kinds: &Kinds,
    wanted: usize,
    nodes: &Nodes<'_>,
) -> Result<Vec<f64>, Refusal> {
    let mut all = vec![f64::INFINITY; kinds.len() * wanted];
    all.par_chunks_mut(BATCH * wanted).enumerate().try_for_each(|(batch, distances)| {
        let mut looks = 0;
        for (at, distances) in distances.chunks_mut(wanted).enumerate() {
            let of = (batch * BATCH + at) as u32;
            let mut partners = Partners { space, kinds, of, wanted, best: Vec::new(), looks: 0 };
            tree.search(space, of, &mut partners);
            for (distance, best) in distances.iter_mut().zip(&partners.best) {
                *distance = best.0;
            }
            looks += partners.looks;
        }
        nodes.looked(looks)
    })?;
    Ok(all)
}

/// The nearest so far, with their marks.
struct Partners<'a, S> {
    space: &'a S,
    kinds: &'a Kinds,
    of: u32,
    wanted: usize,
    best: Vec<(f64, u32)>,
    looks: u64,
}

impl<S> Partners<'_, S> {
    /// Farther ones do not matter.
    fn reach(&self) -> f64 {
        self.best.get(self.wanted - 1).map_or(f64::INFINITY, |last| last.0)
    }
}

impl<S: Space> Visitor for Partners<'_, S> {
    fn wants(&mut self, _: usize, apart: f64) -> bool {
        apart < self.reach()
    }

    fn visit(&mut self, kind: u32) {
        let copies = self.kinds.beside(self.of, kind).min(self.wanted);
        self.looks += 1;
        if copies == 0 {
            return;
        }
        let (distance, mark) = (self.space.distance(self.of, kind), self.kinds.mark(kind));
        // Of a colour the nearest counts; a kind comes once, with its copies.
        if let Some(at) = self.best.iter().position(|best| best.1 == mark) {
            if self.best[at].0 <= distance {
                return;
            }
            self.best.remove(at);
        }
        let at = self.best.partition_point(|best| best.0 <= distance);
        for _ in 0..copies {
            if self.best.len() == self.wanted && at >= self.wanted {
                break;
            }
            self.best.insert(at, (distance, mark));
            self.best.truncate(self.wanted);
        }
    }
}
