//! How the sensitive values of the whole table are distributed: what closeness, likeness and disclosure compare a class with.

use std::sync::Arc;

use crate::job::Ranks;

/// Products of a count and its logarithm that are kept; rarer counts are computed when they are needed.
const KEPT: usize = 1 << 13;

/// The sensitive values of the whole table, by their numbers: these follow the order of the values, if they have one.
#[derive(Clone, Debug, PartialEq)]
pub struct TableValues {
    /// Records that hold each value; at least 1.
    totals: Vec<u32>,
    /// Rank of each value, ascending; values may share one.
    ranks: Vec<u32>,
    /// Number of ranks. There may be ranks that no value of the table has.
    rank_count: u32,
    /// How far along its order each value lies, ascending: its number, or its rank.
    places: Vec<f64>,
    /// The levels of their hierarchy above the values, the root's last; none if they have no hierarchy.
    levels: Vec<Level>,
    /// All records.
    records: u64,
    /// Records up to each rank, that rank included.
    upto: Vec<u64>,
    /// Sums of `upto` over all ranks before each, and over all at the end.
    sums: Vec<u128>,
    /// Minus the logarithm of each value's share.
    rarity: Vec<f64>,
    /// c ln c for c = 0, 1, 2, ...
    logs: Vec<f64>,
}

/// A level of a hierarchy of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The label of each value, a number from 0.
    groups: Vec<u32>,
    /// Records below each label.
    totals: Vec<u64>,
}

impl Level {
    /// The label of each value.
    #[must_use]
    pub fn groups(&self) -> &[u32] {
        &self.groups
    }

    /// The label of a value.
    pub(super) fn group(&self, value: u32) -> u32 {
        self.groups[value as usize]
    }

    /// Half the sum over the labels of how far the shares of a class of `size` are from those of the table with so many `records`. `held` are labels with
    /// records of the class, ascending; a label may come several times.
    pub(super) fn apart(&self, held: &[(u32, u32)], size: u32, records: u64) -> f64 {
        let (n, all) = (u128::from(size), u128::from(records));
        let more = held.chunk_by(|a, b| a.0 == b.0).map(|run| {
            let count: u128 = run.iter().map(|&(_, count)| u128::from(count)).sum();
            (count * all).saturating_sub(u128::from(self.totals[run[0].0 as usize]) * n)
        });
        more.sum::<u128>() as f64 / (n * all).max(1) as f64
    }
}

impl TableValues {
    /// From the records that hold each value and the values' ranks, which must be ascending and below `rank_count`; every value
    /// is held by a record.
    #[must_use]
    pub fn new(totals: Vec<u32>, ranks: Vec<u32>, rank_count: u32) -> Self {
        debug_assert!(totals.len() == ranks.len() && ranks.is_sorted() && !totals.contains(&0));
        let records: u64 = totals.iter().map(|&count| u64::from(count)).sum();
        let mut upto = vec![0; rank_count as usize];
        for (&rank, &count) in ranks.iter().zip(&totals) {
            upto[rank as usize] += u64::from(count);
        }
        let mut sums = vec![0_u128];
        let (mut records_before, mut sum) = (0, 0);
        for count in &mut upto {
            records_before += *count;
            *count = records_before;
            sum += u128::from(records_before);
            sums.push(sum);
        }
        let rarity = totals.iter().map(|&count| -libm::log(f64::from(count) / records as f64)).collect();
        let most = usize::try_from(records).unwrap_or(usize::MAX).min(KEPT);
        let logs = (0..=most as u32).map(times_its_logarithm).collect();
        let places = ranks.iter().map(|&rank| f64::from(rank)).collect();
        Self { totals, ranks, rank_count, places, levels: Vec::new(), records, upto, sums, rarity, logs }
    }

    /// The same with the places of the values, ascending, which need not be as far apart as their ranks.
    #[must_use]
    pub fn placed(self, places: Vec<f64>) -> Self {
        debug_assert!(places.len() == self.totals.len() && places.is_sorted());
        Self { places, ..self }
    }

    /// The same with a hierarchy of the values: for each level above them the label of each value, a number below that of values; the last is the root's.
    #[must_use]
    pub fn leveled(self, levels: Vec<Vec<u32>>) -> Self {
        let level = |groups: Vec<u32>| {
            let mut totals = vec![0; groups.iter().max().map_or(0, |&most| most as usize + 1)];
            for (&group, &count) in groups.iter().zip(&self.totals) {
                totals[group as usize] += u64::from(count);
            }
            Level { groups, totals }
        };
        let levels = levels.into_iter().map(level).collect();
        Self { levels, ..self }
    }

    /// Of the colours of all records of a table; each colour has a rank, or none has. Also the number of each colour.
    #[must_use]
    pub fn of_colours(
        colours: &[u32],
        colour_count: usize,
        ranks: Option<(&[u32], u32)>,
    ) -> (Self, Vec<u32>) {
        let mut counts = vec![0; colour_count];
        for &colour in colours {
            counts[colour as usize] += 1;
        }
        let mut order: Vec<u32> = (0..colour_count as u32).collect();
        let (rank_count, rank): (u32, Box<dyn Fn(u32) -> u32>) = match ranks {
            Some((ranks, count)) => (count, Box::new(|colour| ranks[colour as usize])),
            None => (colour_count as u32, Box::new(|colour| colour)),
        };
        order.sort_by_key(|&colour| (rank(colour), colour));
        let mut numbers = vec![0; colour_count];
        for (number, &colour) in (0..).zip(&order) {
            numbers[colour as usize] = number;
        }
        let totals = order.iter().map(|&colour| counts[colour as usize]).collect();
        let ranks = order.iter().map(|&colour| rank(colour)).collect();
        (Self::new(totals, ranks, rank_count), numbers)
    }

    /// Different values.
    #[must_use]
    pub fn count(&self) -> usize {
        self.totals.len()
    }

    /// All records.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Records that hold each value.
    #[must_use]
    pub fn totals(&self) -> &[u32] {
        &self.totals
    }

    /// Rank of each value.
    #[must_use]
    pub fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// How far along its order each value lies.
    #[must_use]
    pub fn places(&self) -> &[f64] {
        &self.places
    }

    /// The levels of the values' hierarchy above them, the root's last; empty if they have none.
    #[must_use]
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// From the least value to the greatest.
    #[must_use]
    pub fn range(&self) -> f64 {
        self.places.last().zip(self.places.first()).map_or(0.0, |(last, first)| last - first)
    }

    /// How far along its order a value lies.
    #[inline]
    pub(super) fn place(&self, value: u32) -> f64 {
        self.places[value as usize]
    }

    /// Number of ranks.
    #[must_use]
    pub fn rank_count(&self) -> u32 {
        self.rank_count
    }

    /// Records that hold a value.
    #[inline]
    pub(super) fn total(&self, value: u32) -> u64 {
        u64::from(self.totals[value as usize])
    }

    /// Minus the logarithm of a value's share.
    #[inline]
    pub(super) fn rarity(&self, value: u32) -> f64 {
        self.rarity[value as usize]
    }

    /// Rank of a value.
    #[inline]
    pub(super) fn rank(&self, value: u32) -> usize {
        self.ranks[value as usize] as usize
    }

    /// `count` times its logarithm.
    #[inline]
    pub(super) fn log(&self, count: u32) -> f64 {
        self.logs.get(count as usize).copied().unwrap_or_else(|| times_its_logarithm(count))
    }

    /// The sum, over the ranks from `first` to before `last`, of how far `held` records of a class of `size`, as a share, are from the
    /// table's records up to that rank: times the records of both, so that all is whole. O(log ranks), since the table's shares
    /// rise from rank to rank.
    pub(super) fn apart(&self, (first, last): (usize, usize), held: u32, size: u32) -> u128 {
        if first >= last {
            return 0;
        }
        let (size, level) = (u128::from(size), u128::from(held) * u128::from(self.records));
        let below = |&upto: &u64| u128::from(upto) * size <= level;
        let turn = first + self.upto[first..last].partition_point(below);
        let sum = |from: usize, to: usize| (self.sums[to] - self.sums[from]) * size;
        let (lower, higher) = ((turn - first) as u128 * level, (last - turn) as u128 * level);
        (lower - sum(first, turn)) + (sum(turn, last) - higher)
    }
}

fn times_its_logarithm(count: u32) -> f64 {
    let count = f64::from(count);
    if count > 0.0 { count * libm::log(count) } else { 0.0 }
}

/// The values of an instance's records in one sensitive column, as numbers of the whole table's.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// The whole table's values.
    pub table: Arc<TableValues>,
    /// The number of each record's value.
    pub of: Vec<u32>,
}

impl Values {
    /// Of the records of a whole table: the code of each, `0..count`, dense, and their order, if they have one.
    #[must_use]
    pub fn whole(codes: &[u32], count: usize, order: Option<&Ranks>) -> Self {
        let ranks = order.map(|ranks| (ranks.colours.as_slice(), ranks.count));
        let (mut table, numbers) = TableValues::of_colours(codes, count, ranks);
        let places = order.map_or(&[][..], |ranks| &ranks.places);
        if places.len() == count {
            let mut sorted = vec![0.0; count];
            for (&number, &place) in numbers.iter().zip(places) {
                sorted[number as usize] = place;
            }
            table = table.placed(sorted);
        }
        let branches = order.map_or(&[][..], |ranks| &ranks.branches);
        if !branches.is_empty() {
            let by_number = |branch: &Vec<u32>| {
                let mut groups = vec![0; count];
                for (&number, &group) in numbers.iter().zip(branch) {
                    groups[number as usize] = group;
                }
                groups
            };
            table = table.leveled(branches.iter().map(by_number).collect());
        }
        Self { table: Arc::new(table), of: codes.iter().map(|&code| numbers[code as usize]).collect() }
    }

    /// Of some of the records.
    #[must_use]
    pub fn part(&self, records: &[u32]) -> Self {
        let of = records.iter().map(|&i| self.of[i as usize]).collect();
        Self { table: Arc::clone(&self.table), of }
    }

    /// How often each value occurs among records: those that do, ascending.
    #[must_use]
    pub fn counts(&self, records: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
        let mut found: Vec<u32> = records.map(|i| self.of[i as usize]).collect();
        found.sort_unstable();
        let count = |run: &[u32]| (run[0], run.len() as u32);
        found.chunk_by(|a, b| a == b).map(count).collect()
    }
}
