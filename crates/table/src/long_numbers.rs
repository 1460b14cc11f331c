//! Numbers of one column with more digits than an [`f64`] tells apart.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use rustc_hash::FxHashMap;

use crate::{Column, NumberFormat, decimal::Decimal, is_missing, number::EXACT_DIGITS, reading::cells_where};

/// The numbers of a column that have more than 15 digits that count, zeros at either end left out, over all parts of a table. Two of
/// them, or one of them and a shorter one, may be rounded to the same [`f64`], and would be taken for one value then. 20 bytes or so
/// for each different one.
#[derive(Clone, Debug, Default)]
pub struct LongNumbers {
    /// What they stand for, as a hash, by the bits of what they are read as.
    read: FxHashMap<u64, u64>,
}

impl LongNumbers {
    /// Takes in the long numbers of a part of the table; other known cells than numbers of this format do not count. The first that
    /// is taken for another long one, this part's or an earlier one's: 0-based row of the part, and cell.
    pub fn add(
        &mut self,
        column: &Column,
        markers: &[String],
        format: NumberFormat,
    ) -> Option<(usize, String)> {
        let known = column.values.iter().filter(|cell| !is_missing(cell, markers));
        let merged = self.add_cells(known, format)?;
        cells_where(column, |cell| cell == merged).into_iter().next()
    }

    /// What was taken in, ascending: what the numbers are read as, and what they stand for.
    #[must_use]
    pub fn entries(&self) -> Vec<(u64, u64)> {
        let mut all: Vec<(u64, u64)> = self.read.iter().map(|(&bits, &hash)| (bits, hash)).collect();
        all.sort_unstable();
        all
    }

    /// Takes in an entry of others. Of two that are read alike the lesser one stays, so that the order does not matter.
    pub fn put(&mut self, bits: u64, hash: u64) {
        let entry = self.read.entry(bits).or_insert(hash);
        *entry = hash.min(*entry);
    }

    /// The first known cell of a part that is taken for another number, a long one, of those that were taken in: 0-based row of the
    /// part, and cell.
    #[must_use]
    pub fn merged(
        &self,
        column: &Column,
        markers: &[String],
        format: NumberFormat,
    ) -> Option<(usize, String)> {
        if self.read.is_empty() {
            return None;
        }
        let merged = |cell: &str| !is_missing(cell, markers) && self.is_merged(cell, format);
        cells_where(column, merged).into_iter().next()
    }

    /// The first of the cells of a whole column that is long and taken for another number among them.
    pub(crate) fn in_column<'a>(
        cells: &(impl Iterator<Item = &'a str> + Clone),
        format: NumberFormat,
    ) -> Option<&'a str> {
        let mut all = Self::default();
        all.add_cells(cells.clone(), format).or_else(|| all.beside(cells, format))
    }

    /// Takes in those that are long; the first that is taken for another one.
    fn add_cells<'a>(
        &mut self,
        cells: impl Iterator<Item = &'a str>,
        format: NumberFormat,
    ) -> Option<&'a str> {
        let mut merged = None;
        for cell in cells {
            if let Some((bits, hash)) = long(cell, format)
                && *self.read.entry(bits).or_insert(hash) != hash
            {
                merged = merged.or(Some(cell));
            }
        }
        merged
    }

    /// The first long one of these cells that a shorter one among them is taken for.
    fn beside<'a>(
        &self,
        cells: &(impl Iterator<Item = &'a str> + Clone),
        format: NumberFormat,
    ) -> Option<&'a str> {
        if self.read.is_empty() {
            return None;
        }
        let short = cells.clone().find(|cell| self.is_merged(cell, format))?;
        let bits = bits(short, format)?;
        cells.clone().find(|cell| long(cell, format).is_some_and(|(of, _)| of == bits))
    }

    /// Whether a cell is taken for a long one that is another number.
    fn is_merged(&self, cell: &str, format: NumberFormat) -> bool {
        let known = bits(cell, format).and_then(|bits| self.read.get(&bits));
        known.is_some_and(|&known| format.decimal_of(cell).map(|decimal| hash(&decimal)) != Some(known))
    }
}

/// What a cell is read as. -0 is 0.
fn bits(cell: &str, format: NumberFormat) -> Option<u64> {
    format.parse(cell).map(|number| (number + 0.0).to_bits())
}

/// What a cell is read as, and what it stands for, if it is long.
fn long(cell: &str, format: NumberFormat) -> Option<(u64, u64)> {
    // Most cells have too few characters.
    if cell.len() <= EXACT_DIGITS {
        return None;
    }
    let read = bits(cell, format)?;
    let decimal = format.decimal_of(cell).filter(Decimal::is_long)?;
    Some((read, hash(&decimal)))
}

fn hash(decimal: &Decimal) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(decimal)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn column(cells: &[&str]) -> Column {
        let codes = (0..cells.len() as u32).collect();
        Column {
            name: String::from("x"),
            texts: false,
            values: cells.iter().copied().collect(),
            cells: codes,
        }
    }

    fn merged<'a>(cells: &[&'a str]) -> Option<&'a str> {
        LongNumbers::in_column(&cells.iter().copied(), NumberFormat::PLAIN)
    }

    #[test]
    fn two_numbers_that_are_read_as_one_are_found() {
        assert_eq!(
            merged(&["1700000000000000071.0", "5", "1700000000000000072.0"]),
            Some("1700000000000000072.0")
        );
        assert_eq!(
            merged(&["0.12345678901234567891", "0.12345678901234567892"]),
            Some("0.12345678901234567892")
        );
        assert_eq!(merged(&["0.1", "0.10000000000000001"]), Some("0.10000000000000001"));
        assert_eq!(
            merged(&["100000000000000000000000", "99999999999999991611392"]),
            Some("99999999999999991611392")
        );
    }

    #[test]
    fn other_numbers_are_no_obstacle() {
        for cells in [
            &["0.30000000000000004", "0.3", "0.1", "0.30000000000000004"][..],
            &["52.520006599999999", "13.404953999999998", "52.520006599999997"],
            &["1700000000000000071.0", "1700000000000000071.00", "+17000000000000000710e-1"],
            &["1e-400", "0", "x", "1.5"],
            &["1.23456789012345", "1.23456789012346"],
        ] {
            assert_eq!(merged(cells), None, "{cells:?}");
        }
    }

    proptest! {
        /// Against all pairs.
        #[test]
        fn pairs_are_found_where_there_are_some(
            cells in prop::collection::vec("0?\\.1(0{15}[0-9]{0,3})?|0\\.1234567890123456[0-9]{0,3}|12345678901234567[0-9]\\.0", 0..6)
        ) {
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            let differ = |a: &&str, b: &&str| {
                let (x, y) = (Decimal::of(a), Decimal::of(b));
                crate::parse_number(a) == crate::parse_number(b) && x != y && (x.is_long() || y.is_long())
            };
            let found = merged(&cells);
            prop_assert_eq!(found.is_some(), cells.iter().any(|a| cells.iter().any(|b| differ(a, b))));
            prop_assert!(found.is_none_or(|cell| Decimal::of(cell).is_long()));
        }
    }

    /// In whatever part a number stands, before or after the one that it is taken for.
    #[test]
    fn parts_know_of_each_other() {
        let (short, long, other) =
            (column(&["5", "0.1"]), column(&["0.10000000000000001"]), column(&["0.10000000000000002"]));
        let format = NumberFormat::PLAIN;
        let mut all = LongNumbers::default();
        assert_eq!(all.add(&short, &[], format), None);
        assert_eq!(all.add(&long, &[], format), None);
        assert_eq!(all.merged(&long, &[], format), None);
        assert_eq!(all.merged(&short, &[], format), Some((1, String::from("0.1"))));
        assert_eq!(all.add(&other, &[], format), None, "another f64");
        let near = column(&["7", "0.100000000000000009"]);
        assert_eq!(all.add(&near, &[], format), Some((1, String::from("0.100000000000000009"))));
        assert_eq!(all.merged(&near, &[String::from("0.100000000000000009")], format), None, "missing");
    }
}
