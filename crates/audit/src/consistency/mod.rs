//! Anonymity between a published table and its original: weaker notions than k-anonymity of the table itself.
//!
//! An original record and a published row are *consistent* if every published cell may be the record's value. Consistent
//! pairs make a bipartite graph ([`Consistency`]), whose degrees and perfect matchings the notions are about:
//!
//! * (1,k), `one_k`: every original record is consistent with at least k published rows;
//! * (k,1), `k_one`: every published row is consistent with at least k original records;
//! * (k,k), `k_k`: both;
//! * k-concealment, `concealment`: every original record has at least k *matches*: published rows that some perfect
//!   matching of all records gives it.
//!
//! The first three: Gionis, Mazza, Tassa, ICDE 2008, who call the last one global (1,k)-anonymity; Tassa, Mazza, Gionis,
//! Transactions on Data Privacy 2012. An attacker who knows all original quasi-identifiers can rule out what is no match,
//! so (k,k)-anonymity may leave a single one. k-anonymity of a table that covers its original implies all four.

mod concealment;
mod flow;
mod graph;
mod k_k;
mod k_one;
mod one_k;
mod strong;

use std::fmt;

use lookalike_table::{Column, Table};

use crate::{Check, Consistent, Error, Observation, Promise, Subject, Witness, measure::Reading};
pub(crate) use concealment::matches;
pub(crate) use graph::Graph;

/// A notion of anonymity between a published table and its original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notion {
    /// (1,k)-anonymity.
    OneK,
    /// (k,1)-anonymity.
    KOne,
    /// (k,k)-anonymity.
    KK,
    /// k-concealment.
    Concealment,
}

impl Notion {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::OneK, Self::KOne, Self::KK, Self::Concealment];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OneK => "1-k-anonymity",
            Self::KOne => "k-1-anonymity",
            Self::KK => "k-k-anonymity",
            Self::Concealment => "k-concealment",
        }
    }

    /// What it promises with this k.
    #[must_use]
    pub fn with(self, k: usize) -> Promise {
        match self {
            Self::OneK => Promise::OneK { k },
            Self::KOne => Promise::KOne { k },
            Self::KK => Promise::KK { k },
            Self::Concealment => Promise::Concealment { k },
        }
    }
}

impl fmt::Display for Notion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which original records are consistent with which published rows.
pub struct Consistency {
    graph: Graph,
    /// Rows of the two tables.
    of: Sides,
}

/// The matches of original records with the same quasi-identifiers.
pub(crate) struct Matches {
    /// How many records these are.
    pub(crate) records: usize,
    /// Rows that match each of them.
    pub(crate) rows: usize,
    /// Published combinations of these rows.
    groups: Vec<u32>,
}

/// Numbers of rows.
struct Sides {
    original: usize,
    published: usize,
}

/// What a notion's worst record has.
struct Worst {
    /// The largest k that holds.
    reached: usize,
    /// What was counted.
    counted: Consistent,
    /// Records or rows with fewer than k, in groups of equal quasi-identifiers: which, and how many.
    below: Vec<(Witness, usize)>,
}

impl Consistency {
    /// Compares all published rows with all original rows, each different combination of quasi-identifiers once. Takes
    /// as many bits as there are different published combinations, for each different original cell.
    ///
    /// # Errors
    /// If a column is missing in one of the tables, or has published cells that cannot be compared with the original's.
    pub fn new(
        published: &Table,
        original: &Table,
        quasi: &[String],
        reading: &Reading,
    ) -> Result<Self, Error> {
        let graph = Graph::new(published, original, quasi, reading)?;
        Ok(Self { graph, of: Sides { original: original.rows, published: published.rows } })
    }

    /// The matches of each different original record; `None` if there is no perfect matching.
    pub(crate) fn matches(&self) -> Option<Vec<Matches>> {
        let Graph { original, published, edges } = &self.graph;
        let matches = matches(edges, &original.rows, &published.rows)?;
        let of = |(groups, &records): (Vec<u32>, &usize)| Matches {
            records,
            rows: groups.iter().map(|&group| published.rows[group as usize]).sum(),
            groups,
        };
        Some(matches.into_iter().zip(&original.rows).map(of).collect())
    }

    /// The largest share that one value of a published column has among the matches of a record; `None` without rows or
    /// without a perfect matching.
    pub(crate) fn highest_share(&self, column: &Column) -> Option<f64> {
        let mut values: Vec<Vec<u32>> = vec![Vec::new(); self.graph.published.rows.len()];
        for (&group, &value) in self.graph.published.of.iter().zip(&column.cells) {
            values[group as usize].push(value);
        }
        let mut counts = vec![0_usize; column.values.len()];
        let mut share = |record: Matches| {
            let held: Vec<u32> =
                record.groups.iter().flat_map(|&group| &values[group as usize]).copied().collect();
            for &value in &held {
                counts[value as usize] += 1;
            }
            let most = held.iter().map(|&value| counts[value as usize]).max().unwrap_or(0);
            for &value in &held {
                counts[value as usize] = 0;
            }
            most as f64 / record.rows as f64
        };
        self.matches()?.into_iter().filter(|record| record.rows > 0).map(&mut share).reduce(f64::max)
    }

    /// Whether a notion holds for k, with the largest k that does.
    ///
    /// # Errors
    /// If k is below 2.
    pub fn check(&self, notion: Notion, k: usize) -> Result<(Check, usize), Error> {
        if k < 2 {
            return Err(Error::TooSmall { parameter: "k", value: k });
        }
        let worst = match notion {
            Notion::OneK => one_k::worst(&self.graph, k),
            Notion::KOne => k_one::worst(&self.graph, k),
            Notion::KK => k_k::worst(&self.graph, k),
            Notion::Concealment => match concealment::worst(&self.graph, k) {
                Some(worst) => worst,
                None => return Ok((self.unmatched(k), 0)),
            },
        };
        let Worst { reached: least, counted: of, below } = worst;
        let finding = if below.is_empty() {
            Observation::Consistent { least, of, k }
        } else {
            let rows = below.iter().map(|(_, rows)| rows).sum();
            Observation::TooFewConsistent { least, of, k, rows }
        };
        let witnesses = below.into_iter().map(|(which, _)| which);
        Ok((Check::new(Subject::Promise(notion.with(k)), finding, witnesses), least))
    }

    /// There is no perfect matching: the published table is no record by record generalisation.
    fn unmatched(&self, k: usize) -> Check {
        let Sides { original, published } = self.of;
        let finding = Observation::NoGeneralisation { published, original };
        let witness = if original == published { Witness::NoMatching } else { Witness::OtherNumber };
        Check::new(Subject::Promise(Notion::Concealment.with(k)), finding, [witness])
    }
}
