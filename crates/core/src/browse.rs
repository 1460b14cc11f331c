//! The rows of a table before any run, each with the number of rows or persons like it. For the data holder; none of it is published.

use std::collections::BTreeMap;

use lookalike_audit::{Alike, alike};
use lookalike_model::comparison::{Likeness, Only, Rarity, TableRow, TableWindow};
use lookalike_table::{Table, is_missing};

use crate::{Error, prepare::persons::whose};

/// A table's rows by what an attacker may know of them. Linear in the cells to make; 4 bytes a row, and as many again for each
/// row that is alone and for each with a missing cell.
#[derive(Clone, Debug)]
pub struct Browse {
    /// How many are like each row; `None` without quasi-identifiers.
    alike: Option<Vec<u32>>,
    rarity: Option<Rarity>,
    /// Rows that nothing is like, or nobody else, ascending.
    alone: Vec<u32>,
    /// Rows with a missing cell in a quasi-identifier, ascending.
    missing: Vec<u32>,
}

impl Browse {
    /// Groups the rows by what they are alike in; `markers` are cells that mean "missing".
    ///
    /// # Errors
    /// If a column is missing.
    pub fn new(table: &Table, by: &Likeness, markers: &[String]) -> Result<Self, Error> {
        let alike = if by.quasi.is_empty() { None } else { Some(likeness(table, by)?) };
        let rarity = alike.as_ref().map(|alike| rarity(alike.people()));
        let alike = alike.map(|alike| alike.rows);
        let is_alone = |row: &u32| alike.as_ref().is_some_and(|alike| alike[*row as usize] == 1);
        let alone = (0..table.rows as u32).filter(is_alone).collect();
        Ok(Self { rarity, alone, missing: with_missing(table, &by.quasi, markers), alike })
    }

    /// At most `count` of the rows that `only` chooses, from the `from`-th of these on. `table` is the one that was grouped.
    #[must_use]
    pub fn window(&self, table: &Table, only: Only, (from, count): (usize, usize)) -> TableWindow {
        let chosen = match only {
            Only::All => None,
            Only::Alone => Some(&self.alone),
            Only::Missing => Some(&self.missing),
        };
        let total = chosen.map_or(table.rows, Vec::len);
        let places = from.min(total)..from.saturating_add(count).min(total);
        let number = |place: usize| chosen.map_or(place, |rows| rows[place] as usize);
        let rows = places.map(|place| self.row(table, number(place))).collect();
        TableWindow { rows, total, rarity: self.rarity }
    }

    fn row(&self, table: &Table, number: usize) -> TableRow {
        let cells = table.columns.iter().map(|column| column.cell(number).to_owned()).collect();
        TableRow { number, cells, alike: self.alike.as_ref().map_or(0, |alike| alike[number] as usize) }
    }
}

/// How many look like each row and each person.
///
/// # Errors
/// If a column is missing, or there are no quasi-identifiers.
pub(crate) fn likeness(table: &Table, by: &Likeness) -> Result<Alike, Error> {
    let persons = by.person.as_deref().map(|key| whose(table, key)).transpose()?;
    Ok(alike(table, &by.quasi, persons.as_deref())?)
}

/// Number of people by how many they are among, ascending.
pub(crate) fn group_sizes(people: &[u32]) -> Vec<(usize, usize)> {
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    for &size in people {
        *sizes.entry(size).or_default() += 1;
    }
    sizes.into_iter().map(|(size, people)| (size as usize, people)).collect()
}

fn rarity(alike: &[u32]) -> Rarity {
    let mut rarity = Rarity::default();
    for size in alike {
        *match size {
            0..=1 => &mut rarity.alone,
            2..=4 => &mut rarity.few,
            _ => &mut rarity.many,
        } += 1;
    }
    rarity
}

/// Rows with a missing cell in one of these columns, ascending.
fn with_missing(table: &Table, quasi: &[String], markers: &[String]) -> Vec<u32> {
    let mut is_in = vec![false; table.rows];
    for column in quasi.iter().filter_map(|name| table.column(name)) {
        let absent: Vec<bool> = column.values.iter().map(|cell| is_missing(cell, markers)).collect();
        if absent.contains(&true) {
            for (is_in, &code) in is_in.iter_mut().zip(&column.cells) {
                *is_in |= absent[code as usize];
            }
        }
    }
    (0..).zip(is_in).filter_map(|(row, is_in)| is_in.then_some(row)).collect()
}

#[cfg(test)]
mod tests {
    use lookalike_model::missing::usual;
    use lookalike_table::{ReadOptions, read};
    use proptest::prelude::*;

    use super::*;

    fn table(rows: &[[usize; 3]]) -> Table {
        let cells = ["1", "2", "?", "4"];
        let csv = rows.iter().fold(String::from("a,b,c\n"), |csv, row| {
            csv + &format!("{},{},{}\n", cells[row[0]], cells[row[1]], cells[row[2]])
        });
        read(csv.as_bytes(), &ReadOptions::default()).unwrap()
    }

    fn by(places: &[usize]) -> Likeness {
        let quasi = places.iter().map(|&place| String::from(["a", "b", "c"][place])).collect();
        Likeness { quasi, person: None }
    }

    proptest! {
        /// Against counting by hand, for every choice of columns.
        #[test]
        fn rows_like_a_row_are_counted(
            rows in prop::collection::vec([0..4_usize, 0..4_usize, 0..4_usize], 1..40),
            places in prop::sample::subsequence(vec![0, 1, 2], 0..=3),
        ) {
            let table = table(&rows);
            let browse = Browse::new(&table, &by(&places), &usual()).unwrap();
            let all = browse.window(&table, Only::All, (0, usize::MAX));
            prop_assert_eq!((all.rows.len(), all.total), (rows.len(), rows.len()));
            let alike = |row: &[usize; 3]| {
                let is_like = |other: &&[usize; 3]| places.iter().all(|&place| other[place] == row[place]);
                if places.is_empty() { 0 } else { rows.iter().filter(is_like).count() }
            };
            for (number, (row, shown)) in rows.iter().zip(&all.rows).enumerate() {
                prop_assert_eq!((shown.number, shown.alike), (number, alike(row)));
            }
            let of = |only| -> Vec<usize> {
                let window = browse.window(&table, only, (0, usize::MAX));
                assert_eq!(window.total, window.rows.len());
                window.rows.into_iter().map(|row| row.number).collect()
            };
            let by_hand = |is_in: &dyn Fn(&[usize; 3]) -> bool| -> Vec<usize> {
                (0..rows.len()).filter(|&number| is_in(&rows[number])).collect()
            };
            prop_assert_eq!(of(Only::Alone), by_hand(&|row| alike(row) == 1));
            prop_assert_eq!(of(Only::Missing), by_hand(&|row| places.iter().any(|&place| row[place] == 2)));
            match all.rarity {
                None => prop_assert!(places.is_empty()),
                Some(Rarity { alone, few, many }) => {
                    prop_assert_eq!(alone, by_hand(&|row| alike(row) == 1).len());
                    prop_assert_eq!(few, by_hand(&|row| (2..=4).contains(&alike(row))).len());
                    prop_assert_eq!(alone + few + many, rows.len());
                    let likeness = likeness(&table, &by(&places)).unwrap();
                    let sizes = group_sizes(likeness.people());
                    prop_assert_eq!(sizes.iter().map(|(_, rows)| rows).sum::<usize>(), rows.len());
                    prop_assert!(sizes.is_sorted_by(|a, b| a.0 < b.0));
                    for (size, found) in sizes {
                        prop_assert_eq!(found, by_hand(&|row| alike(row) == size).len());
                    }
                }
            }
        }
    }

    proptest! {
        /// Against an attacker who looks at one row of a person after the other and asks who has it, too.
        #[test]
        fn persons_are_as_exposed_as_their_rarest_row(
            rows in prop::collection::vec([0..4_usize, 0..4_usize, 0..4_usize], 1..40),
            places in prop::sample::subsequence(vec![0, 1], 1..=2),
        ) {
            let table = table(&rows);
            let of_persons = Likeness { person: Some(String::from("c")), ..by(&places) };
            let browse = Browse::new(&table, &of_persons, &usual()).unwrap();
            let known = |row: &[usize; 3]| -> Vec<usize> { places.iter().map(|&place| row[place]).collect() };
            let who = |seen: &[usize; 3]| -> std::collections::BTreeSet<usize> {
                rows.iter().filter(|row| known(row) == known(seen)).map(|row| row[2]).collect()
            };
            let window = browse.window(&table, Only::All, (0, usize::MAX));
            for (row, shown) in rows.iter().zip(&window.rows) {
                prop_assert_eq!(shown.alike, who(row).len());
            }
            let everybody: std::collections::BTreeSet<usize> = rows.iter().map(|row| row[2]).collect();
            let among = |person: usize| rows.iter().filter(|row| row[2] == person).map(|row| who(row).len()).min().unwrap();
            let least: Vec<usize> = everybody.iter().map(|&person| among(person)).collect();
            let count = |is: &dyn Fn(usize) -> bool| least.iter().filter(|among| is(**among)).count();
            let expected = Rarity { alone: count(&|n| n == 1), few: count(&|n| (2..5).contains(&n)), many: count(&|n| n > 4) };
            prop_assert_eq!(window.rarity, Some(expected));
            // The figures of the risk are of the same people.
            let risk = crate::comparison::risk(&table, &of_persons, 0.4).unwrap();
            let of = |among: usize| 1.0 / among as f64;
            let smallest = *least.iter().min().unwrap();
            prop_assert_eq!((risk.uniques, risk.smallest_group, risk.prosecutor.highest), (expected.alone, smallest, of(smallest)));
            prop_assert_eq!(risk.journalist.at_risk, count(&|n| of(n) > 0.4));
            let mean = least.iter().map(|&n| of(n)).sum::<f64>() / least.len() as f64;
            prop_assert!((risk.marketer - mean).abs() < 1e-12 && (risk.prosecutor.mean - mean).abs() < 1e-12);
        }
    }

    #[test]
    fn a_window_ends_with_the_rows() {
        let table = table(&[[0, 0, 0], [0, 0, 0], [1, 0, 0], [3, 2, 0]]);
        let browse = Browse::new(&table, &by(&[0, 1]), &usual()).unwrap();
        let numbers = |only, from, count| {
            let window = browse.window(&table, only, (from, count));
            (window.rows.iter().map(|row| row.number).collect::<Vec<_>>(), window.total)
        };
        assert_eq!(numbers(Only::All, 1, 2), (vec![1, 2], 4));
        assert_eq!(numbers(Only::Alone, 1, 9), (vec![3], 2));
        assert_eq!(numbers(Only::Missing, 0, 9), (vec![3], 1));
        assert_eq!(numbers(Only::Alone, 7, usize::MAX), (vec![], 2));
        // Cells as they stand in the file.
        assert_eq!(browse.window(&table, Only::Alone, (1, 1)).rows[0].cells, ["4", "?", "1"]);
        // A marker of the user's own.
        let told = Browse::new(&table, &by(&[0, 1]), &[String::from("2")]).unwrap();
        assert_eq!(told.window(&table, Only::Missing, (0, 9)).rows[0].number, 2);
        assert!(
            Browse::new(&table, &Likeness { quasi: vec![String::from("d")], person: None }, &[]).is_err()
        );
    }
}
