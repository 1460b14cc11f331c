//! Records in no class yet, those of one point together, so that what depends on the point is computed once.

use lookalike_model::{
    distinct_points::DistinctPoints,
    instance::Instance,
    loss::{Loss, LossTable},
};

/// Records left, by point; of each point the lowest record goes first.
pub(super) struct Stock {
    /// The records, those of a point together and ascending.
    records: Vec<u32>,
    /// Places in `records` of each point with a record left, in order.
    open: Vec<(u32, u32)>,
    left: usize,
}

impl Stock {
    /// Of records in an order that has those of one point together and ascending.
    pub(super) fn in_order(instance: &Instance, records: Vec<u32>) -> Self {
        let mut open: Vec<(u32, u32)> = Vec::new();
        for at in 0..records.len() {
            match open.last_mut() {
                Some(last) if instance.point(records[at - 1]) == instance.point(records[at]) => last.1 += 1,
                _ => open.push((at as u32, at as u32 + 1)),
            }
        }
        Self { left: records.len(), records, open }
    }

    /// Of all records.
    pub(super) fn of_all(instance: &Instance) -> Self {
        let all: Vec<u32> = (0..instance.records() as u32).collect();
        Self::in_order(instance, DistinctPoints::new(instance, &all).order)
    }

    /// Number of records left.
    pub(super) fn len(&self) -> usize {
        self.left
    }

    /// Number of different points that are left.
    pub(super) fn points(&self) -> usize {
        self.open.len()
    }

    /// Takes the first record of the order.
    pub(super) fn first(&mut self) -> Option<u32> {
        (self.left > 0).then(|| self.take(0))
    }

    /// Takes the record with the least key, the first of the order among equals; `key` gets the lowest record left of
    /// each point.
    pub(super) fn least<K: PartialOrd>(&mut self, key: impl Fn(u32) -> K) -> Option<u32> {
        let keys = self.open.iter().map(|&(at, _)| key(self.records[at as usize])).enumerate();
        let (at, _) = keys.reduce(|a, b| if b.1 < a.1 { b } else { a })?;
        Some(self.take(at))
    }

    /// The class of `seed` and `size - 1` further records, one after another, each the one with which the class loses
    /// least; among equals the one with the least `tie`. `table` has room for one class.
    pub(super) fn grow<L: Loss>(
        &mut self,
        instance: &Instance,
        loss: &L,
        table: &mut L::Table,
        seed: u32,
        size: usize,
        tie: impl Fn(u32) -> u32,
    ) -> Vec<u32> {
        let mut class = vec![seed];
        table.refresh(0, &class);
        while class.len() < size {
            let with = |j: u32| table.value_after(0, &class, Some(j), None) + loss.record(instance, j);
            let Some(j) = self.least(|j| (with(j), tie(j))) else { break };
            class.push(j);
            table.apply(0, &class, Some(j), None);
        }
        class
    }

    fn take(&mut self, point: usize) -> u32 {
        let (at, end) = &mut self.open[point];
        let record = self.records[*at as usize];
        *at += 1;
        if at == end {
            self.open.remove(point);
        }
        self.left -= 1;
        record
    }

    /// The records left, in order.
    pub(super) fn rest(&self) -> Vec<u32> {
        self.open.iter().flat_map(|&(at, end)| &self.records[at as usize..end as usize]).copied().collect()
    }
}
