//! The tables of the seven releases: people come and leave as in Tobar 2024, Figure 6.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use lookalike_core::table::{ReadOptions, Table, read, write};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

pub(super) const RELEASES: usize = 7;
const FIRST: usize = 20_000;
const LEAVING: usize = 2_000;
const ENTERING: usize = 4_000;

/// The quasi-identifiers.
pub(super) const QUASI: [&str; 3] = ["age", "sex", "education-num"];

/// Adult: people with an occupation.
pub(super) struct Source {
    /// Cells of the quasi-identifiers, of occupation and of relationship.
    people: Vec<[String; 5]>,
}

impl Source {
    /// Reads both parts.
    pub(super) fn read(data: &Path) -> Result<Self> {
        let mut people = Vec::new();
        for file in ["adult-train.csv", "adult-test.csv"] {
            let path = data.join(file);
            let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let table = read(&bytes, &ReadOptions::default())?;
            let names = [QUASI[0], QUASI[1], QUASI[2], "occupation", "relationship"];
            let mut columns = Vec::new();
            for name in names {
                columns.push(table.column(name).with_context(|| format!("there is no column {name}"))?);
            }
            let row = |row: usize| std::array::from_fn(|c| columns[c].cell(row).trim().to_owned());
            people.extend((0..table.rows).map(row).filter(|cells: &[String; 5]| cells[3] != "?"));
        }
        Ok(Self { people })
    }

    /// The table of each release, with the sensitive attribute, and the largest number of people who share a value of it.
    pub(super) fn tables(&self, attribute: &str, seed: u64) -> Result<Vec<(Table, usize)>> {
        ensure!(self.people.len() >= FIRST + (RELEASES - 1) * ENTERING, "only {} people", self.people.len());
        let sensitive = if attribute == "occupation" { 3 } else { 4 };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut order: Vec<usize> = (0..self.people.len()).collect();
        order.shuffle(&mut rng);
        let mut coming = order.into_iter();
        let mut now: Vec<usize> = coming.by_ref().take(FIRST).collect();
        let mut tables = Vec::new();
        for release in 0..RELEASES {
            if release > 0 {
                now.shuffle(&mut rng);
                now.truncate(now.len() - LEAVING);
                now.extend(coming.by_ref().take(ENTERING));
            }
            tables.push(self.table(&now, sensitive, attribute)?);
        }
        Ok(tables)
    }

    fn table(&self, now: &[usize], sensitive: usize, attribute: &str) -> Result<(Table, usize)> {
        let header = [&["id"], &QUASI[..], &[attribute]].concat();
        let header: Vec<String> = header.into_iter().map(String::from).collect();
        let ids: Vec<String> = now.iter().map(ToString::to_string).collect();
        let rows = now.iter().zip(&ids).map(|(&person, id)| {
            let cells = &self.people[person];
            [id, &cells[0], &cells[1], &cells[2], &cells[sensitive]].map(String::as_str)
        });
        let bytes = write(&header, rows);
        let mut values: Vec<&str> =
            now.iter().map(|&person| self.people[person][sensitive].as_str()).collect();
        values.sort_unstable();
        let most = values.chunk_by(|a, b| a == b).map(<[&str]>::len).max().unwrap_or(0);
        Ok((read(&bytes, &ReadOptions::default())?, most))
    }
}
