//! Random tables: few rows, some quasi-identifiers, one or two sensitive columns of labels or numbers.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// How many tables, and what they are drawn by.
pub(super) const TABLES: usize = 200;
const SEED: u64 = 1;

/// No two are alike but for case or hyphens, and none means "not known".
const LABELS: [&str; 8] = ["flu", "angina", "ulcer", "asthma", "migraine", "anaemia", "gout", "eczema"];
/// In another order than their spellings; each is spelt in one way.
const NUMBERS: [&str; 8] = ["-3", "0", "1.5", "2", "10", "40", "250", "1000"];

/// A table by its columns.
pub(super) struct Table {
    /// Names of the quasi-identifiers: q1, q2 and so on.
    pub(super) quasi: Vec<String>,
    /// Sensitive columns: s1 and perhaps s2.
    pub(super) secret: Vec<Secret>,
    /// Quasi-identifiers of each row.
    rows: Vec<Vec<String>>,
}

/// A sensitive column.
pub(super) struct Secret {
    pub(super) name: String,
    /// Whether its values are numbers.
    pub(super) numbers: bool,
    /// For each row the value's place in their order.
    values: Vec<usize>,
}

/// How often the values of a sensitive column occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    /// Whether the values are numbers. They stand in ascending order.
    pub(super) numbers: bool,
    /// In the whole table, each at least once.
    pub(super) whole: Vec<usize>,
    /// In each group of equal quasi-identifiers.
    pub(super) groups: Vec<Vec<usize>>,
}

/// How rows get their quasi-identifiers.
const SHAPES: usize = 5;

/// All tables; always the same.
pub(super) fn drawn() -> Vec<Table> {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    (0..TABLES).map(|at| table(at % SHAPES, &mut rng)).collect()
}

fn table(shape: usize, rng: &mut ChaCha8Rng) -> Table {
    let rows = rng.random_range(3..=60);
    let quasi = rng.random_range(1..=3);
    // Different cells of a quasi-identifier.
    let cells = match shape {
        // One group.
        0 => 1,
        // Many groups, most of them of one row.
        1 => rows,
        // Large groups.
        2 | 3 => 2,
        _ => rng.random_range(2..=4),
    };
    let first = rng.random_range(1..40);
    let mut rows: Vec<Vec<String>> = (0..rows)
        .map(|_| (0..quasi).map(|at| quasi_cell(at, first + rng.random_range(0..cells))).collect())
        .collect();
    if shape == 3 {
        rows.sort_unstable();
    }
    let columns = rng.random_range(1..=2);
    // Equal rows one after another share the values out, so that a group holds all of them about alike.
    let secret = (1..=columns).map(|at| secret(at, rows.len(), shape == 3, rng)).collect();
    Table { quasi: (1..=quasi).map(|at| format!("q{at}")).collect(), secret, rows }
}

/// Labels, numbers and ranges, column by column.
fn quasi_cell(column: usize, value: usize) -> String {
    match column {
        0 => format!("place {value}"),
        1 => value.to_string(),
        _ => format!("[{}-{}]", 10 * value, 10 * value + 9),
    }
}

fn secret(at: usize, rows: usize, in_turn: bool, rng: &mut ChaCha8Rng) -> Secret {
    let numbers = rng.random_range(0..2) == 0;
    let different = if in_turn { rng.random_range(1..=3) } else { rng.random_range(1..=NUMBERS.len()) };
    let mut pool: Vec<usize> = (0..NUMBERS.len()).collect();
    pool.shuffle(rng);
    // Even, or each value half as frequent as the one before.
    let skewed = rng.random_range(0..2) == 0;
    let values = (0..rows)
        .map(|row| {
            let mut place = if in_turn { row % different } else { rng.random_range(0..different) };
            if skewed && !in_turn {
                place = (0..different - 1).find(|_| rng.random_range(0..2) == 0).unwrap_or(different - 1);
            }
            pool[place]
        })
        .collect();
    Secret { name: format!("s{at}"), numbers, values }
}

impl Table {
    /// Its text as a CSV.
    pub(super) fn text(&self) -> String {
        let names = self.quasi.iter().chain(self.secret.iter().map(|secret| &secret.name));
        let mut lines = vec![names.cloned().collect::<Vec<_>>().join(",")];
        for (row, quasi) in self.rows.iter().enumerate() {
            let secret = self.secret.iter().map(|secret| secret.cell(row));
            lines.push(quasi.iter().map(String::as_str).chain(secret).collect::<Vec<_>>().join(","));
        }
        lines.join("\n") + "\n"
    }

    /// How often the values of one of its sensitive columns occur.
    pub(super) fn tally(&self, secret: &Secret) -> Tally {
        let mut whole = vec![0; LABELS.len()];
        let mut groups: BTreeMap<&[String], Vec<usize>> = BTreeMap::new();
        for (quasi, &value) in self.rows.iter().zip(&secret.values) {
            whole[value] += 1;
            groups.entry(quasi).or_insert_with(|| vec![0; LABELS.len()])[value] += 1;
        }
        let occurs =
            |counts: &[usize]| counts.iter().zip(&whole).filter(|of| *of.1 > 0).map(|of| *of.0).collect();
        let groups = groups.values().map(|counts| occurs(counts)).collect();
        Tally { numbers: secret.numbers, whole: occurs(&whole), groups }
    }
}

impl Secret {
    fn cell(&self, row: usize) -> &'static str {
        let value = self.values[row];
        if self.numbers { NUMBERS[value] } else { LABELS[value] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_is_that_of_the_text() {
        let secret = Secret { name: String::from("s1"), numbers: true, values: vec![4, 1, 4] };
        let rows = ["a", "b", "a"].map(|cell| vec![cell.to_owned()]).to_vec();
        let table = Table { quasi: vec![String::from("q1")], secret: vec![secret], rows };
        assert_eq!(table.text(), "q1,s1\na,10\nb,0\na,10\n");
        let tally = Tally { numbers: true, whole: vec![1, 2], groups: vec![vec![0, 2], vec![1, 0]] };
        assert_eq!(table.tally(&table.secret[0]), tally);
    }

    #[test]
    fn tables_are_always_the_same_and_of_all_kinds() {
        let tables = drawn();
        let texts = |tables: &[Table]| tables.iter().map(Table::text).collect::<Vec<_>>();
        assert_eq!(texts(&tables), texts(&drawn()));
        assert!(tables.iter().all(|table| (3..=60).contains(&table.rows.len())));
        let tallies: Vec<Tally> = tables.iter().flat_map(|t| t.secret.iter().map(|s| t.tally(s))).collect();
        let some = |of: &dyn Fn(&Tally) -> bool| tallies.iter().filter(|tally| of(tally)).count() > 10;
        let size = |group: &Vec<usize>| group.iter().sum::<usize>();
        assert!(some(&|tally| tally.numbers) && some(&|tally| !tally.numbers));
        assert!(some(&|tally| tally.groups.len() == 1) && some(&|tally| tally.groups.len() > 10));
        assert!(some(&|tally| tally.groups.iter().any(|group| size(group) == 1)));
        assert!(some(&|tally| tally.whole.len() == 1));
        // Every group holds every value, of which there are several.
        let all = |tally: &Tally| tally.groups.iter().all(|group| group.iter().all(|count| *count > 0));
        assert!(some(&|tally| tally.groups.len() > 1 && tally.whole.len() > 1 && all(tally)));
        for quasi in 1..=3 {
            assert!(tables.iter().filter(|table| table.quasi.len() == quasi).count() > 10);
        }
        assert!(tables.iter().filter(|table| table.secret.len() == 2).count() > 50);
    }
}
