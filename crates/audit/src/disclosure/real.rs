//! How many records of a class are real, before there are classes.
//!
//! With counterfeits n = m t exactly, t being the largest published count (docs/eligibility.md): there are t classes of
//! m records, and each holds every value that is published t times. How the other values fall to the classes, and which
//! records of a value are the counterfeits, is open. The figures are the best and the worst of all these partitions.

/// What is certain of the real records of the classes, and what is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealRecords {
    /// Every class has so many real records at least, whatever the classes.
    pub least: u64,
    /// The most that the poorest class can have: classes exist in which each has so many.
    pub least_at_best: u64,
    /// So many classes have a single real record, whatever the classes.
    pub single: u64,
    /// In the worst case so many classes have one.
    pub single_at_most: u64,
}

/// The real records of classes of at least `m` different values, m >= 2; all numbers by value. `None` if there are no such
/// classes, or the changes are of no way to m-eligibility: more counterfeits than needed, or no value that all classes
/// have for real.
///
/// O(l log t).
#[must_use]
pub fn real_records(source: &[u64], additions: &[u64], deletions: &[u64], m: u64) -> Option<RealRecords> {
    let values: Option<Vec<Value>> = (source.iter().zip(additions).zip(deletions))
        .map(|((&c, &a), &d)| Some(Value { published: c.checked_sub(d)?.checked_add(a)?, faked: a }))
        .collect();
    let values = values?;
    let cap = values.iter().map(|v| v.published).max().filter(|&t| t > 0)?;
    let total: u128 = values.iter().map(|v| u128::from(v.published)).sum();
    let faked: u128 = values.iter().map(|v| u128::from(v.faked)).sum();
    let places = u128::from(m) * u128::from(cap);
    if m < 2 || total < places {
        return None;
    }
    if faked == 0 {
        return Some(RealRecords { least: m, least_at_best: m, single: 0, single_at_most: 0 });
    }
    // Values at the cap that are never faked: real in every class.
    let certain = values.iter().filter(|v| v.published == cap && v.faked == 0).count() as u64;
    if total > places || certain == 0 {
        return None;
    }
    let suspects = values.iter().filter(|v| v.faked > 0).count() as u64;
    // A class can hold a counterfeit of every faked value that it has room for.
    let least = m.saturating_sub(suspects).max(certain);
    // Counterfeits can be spread evenly (a bipartite graph has an equitable edge colouring): the fullest class has
    // ceil(A / t) of them, and if that is m - 1, no spread has fewer classes with m - 1.
    let most_faked = u64::try_from(faked.div_ceil(u128::from(cap))).ok()?;
    let spared = u128::from(m.saturating_sub(2)) * u128::from(cap);
    Some(RealRecords {
        least,
        least_at_best: m.saturating_sub(most_faked),
        single: u64::try_from(faked.saturating_sub(spared)).ok()?,
        single_at_most: if certain == 1 { most_single(&values, cap, m) } else { 0 },
    })
}

/// A sensitive value of the published table.
#[derive(Clone, Copy)]
struct Value {
    published: u64,
    faked: u64,
}

/// The most classes whose only real record is that of the one value that is certain.
fn most_single(values: &[Value], cap: u64, m: u64) -> u64 {
    let (mut low, mut high) = (0, cap);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if can_be_single(values, cap, m, middle) { low = middle } else { high = middle - 1 }
    }
    low
}

/// Whether so many classes can have a single real record. Each of them holds m - 1 counterfeits of different values; the
/// other t - N classes must have room for what is left of each value.
fn can_be_single(values: &[Value], cap: u64, m: u64, classes: u64) -> bool {
    let (mut fewest, mut most) = (0_u128, 0_u128);
    for value in values.iter().filter(|v| v.faked > 0 || v.published < cap) {
        let (forced, possible) = (value.published.saturating_sub(cap - classes), value.faked.min(classes));
        if forced > possible {
            return false;
        }
        fewest += u128::from(forced);
        most += u128::from(possible);
    }
    let places = u128::from(classes) * u128::from(m - 1);
    fewest <= places && places <= most
}
