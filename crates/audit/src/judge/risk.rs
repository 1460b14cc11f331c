//! Risk of re-identification, by size of the groups of equal quasi-identifiers.
//!
//! Three attackers (El Emam, Guide to the De-Identification of Personal Health Information, 2013): the *prosecutor*
//! knows that a person is in the table, the *journalist* does not and looks for anybody in the population, the
//! *marketer* wants as many as possible.

use std::collections::BTreeMap;

use lookalike_words::Figure;

use super::error::{Error, Senseless};

/// Where the table comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Population {
    /// The table holds the whole population, or nothing is known: the journalist is a prosecutor.
    #[default]
    Table,
    /// The table is a random sample of a population of this many people.
    Size(usize),
    /// The table is a random sample with this share of its population, above 0 and at most 1.
    Fraction(f64),
}

/// What the attacker knows, and what counts as a risk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attacker {
    /// Where the table comes from.
    pub population: Population,
    /// A record is at risk if the probability of its re-identification is above this.
    pub threshold: f64,
}

impl Default for Attacker {
    fn default() -> Self {
        Self { population: Population::Table, threshold: 0.2 }
    }
}

impl Attacker {
    pub(crate) fn validate(&self) -> Result<(), Error> {
        match self.population {
            Population::Fraction(f) if !(f > 0.0 && f <= 1.0) => {
                return Err(Error::Senseless(Senseless::SampleFraction { value: Figure::shortest(f) }));
            }
            Population::Size(0) => {
                return Err(Error::Senseless(Senseless::Population));
            }
            _ => {}
        }
        if !(0.0..=1.0).contains(&self.threshold) {
            let value = Figure::shortest(self.threshold);
            return Err(Error::Senseless(Senseless::Threshold { value }));
        }
        Ok(())
    }

    /// Refuses a population that the table cannot be a sample of.
    pub(crate) fn fits(&self, rows: usize) -> Result<(), Error> {
        match self.population {
            Population::Size(size) if size < rows => Err(Error::Population { size, rows }),
            _ => Ok(()),
        }
    }

    /// Share of the population in the table.
    fn fraction(&self, records: usize) -> f64 {
        match self.population {
            Population::Table => 1.0,
            Population::Fraction(fraction) => fraction,
            Population::Size(size) => (records as f64 / size as f64).min(1.0),
        }
    }
}

/// What one attacker reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exposure {
    /// Probability of re-identifying the most exposed record.
    pub highest: f64,
    /// Mean over the records.
    pub mean: f64,
    /// Records with a probability above the threshold.
    pub at_risk: usize,
    /// Their share of the records.
    pub at_risk_share: f64,
}

/// Risk of re-identification.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Risks {
    /// Rows that belong to a group.
    pub records: usize,
    /// Rows with all quasi-identifiers suppressed: not counted below.
    pub suppressed: usize,
    /// Groups of equal quasi-identifiers; 0 where persons may be in several.
    pub groups: usize,
    /// Rows of the smallest one; 0 if there is none.
    pub smallest_group: usize,
    /// Rows that are alone in their group.
    pub uniques: usize,
    /// Their share of the records.
    pub unique_share: f64,
    /// A record of a group of f rows: 1 / f.
    pub prosecutor: Exposure,
    /// A record of a group of f rows, of which the population is estimated to hold f / fraction: fraction / f.
    pub journalist: Exposure,
    /// Expected share of records that are matched with the right person: fraction * groups / records.
    pub marketer: f64,
    /// Share of the population in the table; 1 if nothing is known, and then journalist and prosecutor are one.
    pub sample_fraction: f64,
    /// Above it a record is at risk.
    pub threshold: f64,
}

/// The figures of groups of these sizes, with the number of groups of each.
pub(crate) fn of_sizes(sizes: &BTreeMap<usize, usize>, suppressed: usize, attacker: &Attacker) -> Risks {
    let records: BTreeMap<usize, usize> =
        sizes.iter().map(|(&size, count)| (size, size * count)).filter(|(_, records)| *records > 0).collect();
    let groups: usize = sizes.values().sum();
    Risks { suppressed, groups, ..of_records(&records, groups as f64, attacker) }
}

/// The figures of records that are among so many, with the number of records for each; they need not form groups.
pub(crate) fn of_each(records: &BTreeMap<usize, usize>, attacker: &Attacker) -> Risks {
    let expected = records.iter().map(|(&among, &records)| records as f64 / among as f64).sum();
    of_records(records, expected, attacker)
}

/// `expected`: how many of the records are matched rightly.
fn of_records(records: &BTreeMap<usize, usize>, expected: f64, attacker: &Attacker) -> Risks {
    let all: usize = records.values().sum();
    let fraction = attacker.fraction(all);
    let share = |part: f64| if all == 0 { 0.0 } else { part / all as f64 };
    let smallest = records.keys().next().copied().unwrap_or(0);
    let exposure = |fraction: f64| {
        let probability = |among: usize| if among == 0 { 0.0 } else { fraction / among as f64 };
        let at_risk: usize = (records.iter())
            .filter(|(among, _)| probability(**among) > attacker.threshold)
            .map(|(_, records)| records)
            .sum();
        Exposure {
            highest: probability(smallest),
            mean: fraction * share(expected),
            at_risk,
            at_risk_share: share(at_risk as f64),
        }
    };
    let uniques = records.get(&1).copied().unwrap_or(0);
    let journalist = exposure(fraction);
    Risks {
        records: all,
        suppressed: 0,
        groups: 0,
        smallest_group: smallest,
        uniques,
        unique_share: share(uniques as f64),
        prosecutor: exposure(1.0),
        journalist,
        marketer: journalist.mean,
        sample_fraction: fraction,
        threshold: attacker.threshold,
    }
}
