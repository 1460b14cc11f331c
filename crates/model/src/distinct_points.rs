//! Records that share a point, together.

use crate::{instance::Instance, parallel::prelude::*};

/// Some records, sorted by their points.
#[derive(Clone, Debug)]
pub struct DistinctPoints {
    /// Group (distinct point) of each record, in the order in which the records were given.
    pub group: Vec<u32>,
    /// Records of each group: `order[start[g]..start[g + 1]]`.
    pub start: Vec<u32>,
    /// The records, by point, then ascending.
    pub order: Vec<u32>,
}

impl DistinctPoints {
    /// Of these records, which must be ascending. O(n log n).
    #[must_use]
    pub fn new(instance: &Instance, records: &[u32]) -> Self {
        let mut places: Vec<u32> = (0..records.len() as u32).collect();
        let point = |place: u32| instance.point(records[place as usize]);
        places.par_sort_unstable_by(|&a, &b| {
            let pairs = point(a).iter().flatten().zip(point(b).iter().flatten());
            pairs.map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne()).unwrap_or_else(|| a.cmp(&b))
        });
        let mut group = vec![0; places.len()];
        let mut start = Vec::new();
        for (at, &place) in places.iter().enumerate() {
            if at == 0 || point(places[at - 1]) != point(place) {
                start.push(at as u32);
            }
            group[place as usize] = start.len() as u32 - 1;
        }
        start.push(places.len() as u32);
        Self { group, start, order: places.into_iter().map(|place| records[place as usize]).collect() }
    }

    /// Number of distinct points.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// The records at a point, ascending.
    #[must_use]
    pub fn members(&self, group: usize) -> &[u32] {
        &self.order[self.start[group] as usize..self.start[group + 1] as usize]
    }
}
