//! Subset-row cuts (Jepsen, Petersen, Spoorendonk and Pisinger 2008): of a set of records at most half, rounded down, can be
//! covered by pairs, and at most a third by triples.
//!
//! For a set S of types with M(S) records in all and p = 2 or 3, every partition satisfies
//!
//! > sum over classes C of floor(|C n S| / p) x(C) <= floor(M(S) / p),
//!
//! since the left side is at most M(S) / p, and is an integer (a Chvatal-Gomory cut with multipliers 1/p). Those with p = 2
//! and M odd are the odd-set cuts. The dual is -sigma with sigma >= 0.

/// One cut.
#[derive(Clone, Debug, PartialEq)]
pub struct SubsetRow {
    /// The types of S, ascending.
    pub members: Vec<u32>,
    /// p: 2 or 3.
    pub divisor: u32,
    /// floor(M(S) / p).
    pub limit: f64,
    /// sigma >= 0; 0 for a cut that is not active.
    pub sigma: f64,
}

impl SubsetRow {
    /// floor(|C n S| / p), the cut's coefficient for a class; both ascending. Types may repeat in the class.
    #[must_use]
    pub fn coefficient(&self, class: &[u32]) -> f64 {
        f64::from(common(&self.members, class) / self.divisor)
    }
}

/// Number of elements of `b` that stand in `a`; both ascending, `a` without repetitions.
#[must_use]
pub fn common(a: &[u32], b: &[u32]) -> u32 {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                count += 1;
                j += 1;
            }
        }
    }
    count
}

/// The active cuts, indexed.
#[derive(Clone, Debug, Default)]
pub struct ActiveCuts {
    /// Cuts with sigma > 0.
    pub sets: Vec<SubsetRow>,
    /// For each type the cuts that hold it.
    pub of: Vec<Vec<u32>>,
}

impl ActiveCuts {
    /// Indexes the cuts with sigma > 0; `types` is the number of types.
    #[must_use]
    pub fn new(cuts: &[SubsetRow], types: usize) -> Self {
        debug_assert!(cuts.iter().all(|c| matches!(c.divisor, 2 | 3)), "pricings know pairs and triples");
        let sets: Vec<SubsetRow> = cuts.iter().filter(|c| c.sigma > 0.0).cloned().collect();
        let mut of = vec![Vec::new(); types];
        for (s, cut) in sets.iter().enumerate() {
            for &t in &cut.members {
                of[t as usize].push(s as u32);
            }
        }
        Self { sets, of }
    }

    /// No cuts.
    #[must_use]
    pub fn none(types: usize) -> Self {
        Self { sets: Vec::new(), of: vec![Vec::new(); types] }
    }

    /// What the cuts add to the reduced cost of a class (ascending).
    #[must_use]
    pub fn charge(&self, class: &[u32]) -> f64 {
        if self.sets.is_empty() {
            return 0.0;
        }
        let mut touched: Vec<u32> = class.iter().flat_map(|&t| self.of[t as usize].iter().copied()).collect();
        touched.sort_unstable();
        touched
            .chunk_by(|a, b| a == b)
            .map(|same| {
                let cut = &self.sets[same[0] as usize];
                (same.len() / cut.divisor as usize) as f64 * cut.sigma
            })
            .sum()
    }

    /// What the cuts take from the bound: sum of sigma floor(M / p).
    #[must_use]
    pub fn price(&self) -> f64 {
        self.sets.iter().map(|c| c.sigma * c.limit).sum()
    }
}
