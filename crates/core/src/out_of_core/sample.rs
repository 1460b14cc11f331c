//! A sample of the different points of a table, each with the number of its rows.
//!
//! Kept are the points with the least hashes ("bottom-k sampling", Cohen and Kaplan, 2007). Which those are depends on
//! the points and the seed, not on the order of the rows; and since a point that was let go can never come back, the
//! counts of those that are kept are exact.

use std::collections::BTreeMap;

use super::bytes::{In, Out};
use crate::Error;

/// Most points that are kept: at 16 points a leaf, enough for 16,384 leaves.
const MOST: usize = 1 << 18;

/// Points with the least hashes so far.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    most: usize,
    kept: BTreeMap<u64, Weighed>,
}

/// A point and the number of its rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weighed {
    pub(crate) rows: u64,
    pub(crate) point: Box<[f64]>,
}

impl Default for Sample {
    fn default() -> Self {
        Self { most: MOST, kept: BTreeMap::new() }
    }
}

impl Sample {
    /// One more row, by the hash of its point.
    pub(crate) fn offer(&mut self, hash: u64, point: impl FnOnce() -> Box<[f64]>) {
        let full = self.kept.len() >= self.most;
        if full && self.kept.last_key_value().is_some_and(|(&last, _)| hash > last) {
            return;
        }
        self.kept.entry(hash).or_insert_with(|| Weighed { rows: 0, point: point() }).rows += 1;
        if self.kept.len() > self.most {
            self.kept.pop_last();
        }
    }

    /// Writes it, with the values of each point as `value` has them by column.
    pub(super) fn write(&self, out: &mut Out, value: &dyn Fn(usize, f64) -> f64) {
        out.each(self.kept.iter(), |out, (&hash, Weighed { rows, point })| {
            out.number(hash);
            out.number(*rows);
            out.each(point.iter().enumerate(), |out, (at, &x)| out.real(value(at, x)));
        });
    }

    /// Adds one that was written: of both, the points with the least hashes.
    pub(super) fn read(&mut self, read: &mut In, value: &dyn Fn(usize, f64) -> f64) -> Result<(), Error> {
        let point = |read: &mut In| Ok((read.number()?, read.number()?, read.each(In::real)?));
        for (hash, rows, point) in read.each(point)? {
            let point = || point.iter().enumerate().map(|(at, &x)| value(at, x)).collect();
            self.kept.entry(hash).or_insert_with(|| Weighed { rows: 0, point: point() }).rows += rows;
        }
        while self.kept.len() > self.most {
            self.kept.pop_last();
        }
        Ok(())
    }

    /// The points by their hashes.
    pub(crate) fn into_points(self) -> Vec<Weighed> {
        self.kept.into_values().collect()
    }
}

/// The hash of a cell under a seed: the number's bits or the label's.
pub(crate) fn hash(seed: u64, bytes: &[u8]) -> u64 {
    // FNV-1a, then mixed: no secret depends on it, only which points are looked at.
    let folded = bytes.iter().fold(0xcbf2_9ce4_8422_2325 ^ seed, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    mix(folded)
}

/// The hash of a row from those of its cells, one after another.
pub(crate) fn join(row: u64, cell: u64) -> u64 {
    mix(row.rotate_left(17) ^ cell)
}

/// The last step of `SplitMix64`.
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_and_the_order_does_not_matter() {
        let rows: Vec<u64> = (0..5000).map(|i| i * i % 997).collect();
        let of = |rows: &mut dyn Iterator<Item = &u64>| {
            let mut sample = Sample { most: 100, ..Sample::default() };
            for &x in rows {
                sample.offer(hash(7, &x.to_le_bytes()), || Box::new([x as f64]));
            }
            sample.into_points()
        };
        let found = of(&mut rows.iter());
        assert_eq!(found.len(), 100);
        assert_eq!(found, of(&mut rows.iter().rev()));
        for Weighed { rows: count, point } in found {
            assert_eq!(count, rows.iter().filter(|&&x| x as f64 == point[0]).count() as u64);
        }
    }
}
