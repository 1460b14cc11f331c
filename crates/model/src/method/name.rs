//! Names of the methods.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The name of a method: what a list of methods shows, and a report says. The constructions make a partition at one go; the
/// searches improve one. [`Method`](super::Method) is a name with its options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum MethodName {
    /// Chosen by size, attributes, rule, loss and budget; the report says what and why.
    #[default]
    Auto,
    /// Construction: the two most distant records and their nearest (MD).
    Md,
    /// Construction: the records most distant from the centroid and their nearest (MDAV).
    Mdav,
    /// Construction: MDAV with classes of variable size (V-MDAV).
    VMdav,
    /// Construction: exact for one attribute, by a shortest path.
    HansenMukherjee,
    /// Construction: bucketization (assignment, recursive halving).
    Classic,
    /// Construction: bucketization whose buckets are cut by nearest neighbours.
    Tau,
    /// Construction: runs of the records sorted by attributes of rising variance.
    VarianceSort,
    /// Construction: Greedy Search.
    GreedySearch,
    /// Construction: Split & Carry, sub-problems of the sorted records solved one after another.
    SplitAndCarry,
    /// Construction: K-Member.
    KMember,
    /// Construction: Mondrian, cuts between values.
    Mondrian,
    /// Construction: Mondrian, cuts within values.
    MondrianRelaxed,
    /// Construction: at random.
    Random,
    /// Freeform (not k-anonymity, see [`MethodName::is_freeform`]): each record in turn takes the cheapest row.
    DokaGreedy,
    /// Freeform: the cheapest pairs of record and row first.
    DokaSortGreedy,
    /// Freeform: rows assigned at the least cost of a round.
    DokaHungarian,
    /// Search: simulated annealing.
    Annealing,
    /// Search: the best swap of two records, again and again.
    TwoSwap,
    /// Search: exact set partitioning of a few neighbouring classes, again and again.
    LargeNeighbourhood,
    /// Search: blocks of whole classes of the start, each solved by itself, then two-swapping (Tobar 2023, section IV).
    Decompose,
    /// Search: annealing in spatial blocks that are cut anew along other boundaries, for many records.
    Spatial,
    /// Search: column generation, which raises its bound and can prove that a partition is the best possible.
    ColumnGeneration,
    /// Search: the general programme of Liang 2020 over all records, which can prove the best partition of few records.
    Programme,
}

impl MethodName {
    /// Every method, in the order of the help text.
    pub const ALL: [Self; 24] = [
        Self::Auto,
        Self::Annealing,
        Self::Spatial,
        Self::LargeNeighbourhood,
        Self::TwoSwap,
        Self::Decompose,
        Self::ColumnGeneration,
        Self::Programme,
        Self::Md,
        Self::Mdav,
        Self::VMdav,
        Self::HansenMukherjee,
        Self::Classic,
        Self::Tau,
        Self::VarianceSort,
        Self::GreedySearch,
        Self::SplitAndCarry,
        Self::KMember,
        Self::Mondrian,
        Self::MondrianRelaxed,
        Self::Random,
        Self::DokaGreedy,
        Self::DokaSortGreedy,
        Self::DokaHungarian,
    ];

    /// The name in settings and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Md => "md",
            Self::Mdav => "mdav",
            Self::VMdav => "v-mdav",
            Self::HansenMukherjee => "hansen-mukherjee",
            Self::Classic => "classic",
            Self::Tau => "tau",
            Self::VarianceSort => "variance-sort",
            Self::GreedySearch => "greedy-search",
            Self::SplitAndCarry => "split-and-carry",
            Self::KMember => "k-member",
            Self::Mondrian => "mondrian",
            Self::MondrianRelaxed => "mondrian-relaxed",
            Self::Random => "random",
            Self::DokaGreedy => "doka-greedy",
            Self::DokaSortGreedy => "doka-sort-greedy",
            Self::DokaHungarian => "doka-hungarian",
            Self::Annealing => "annealing",
            Self::TwoSwap => "two-swap",
            Self::LargeNeighbourhood => "large-neighbourhood",
            Self::Decompose => "decompose",
            Self::Spatial => "spatial",
            Self::ColumnGeneration => "column-generation",
            Self::Programme => "programme",
        }
    }

    /// Whether the method is a construction, which can start a search.
    #[must_use]
    pub const fn is_construction(self) -> bool {
        !matches!(
            self,
            Self::Auto
                | Self::Annealing
                | Self::TwoSwap
                | Self::LargeNeighbourhood
                | Self::Decompose
                | Self::Spatial
                | Self::ColumnGeneration
                | Self::Programme
                | Self::DokaGreedy
                | Self::DokaSortGreedy
                | Self::DokaHungarian
        )
    }

    /// Whether each record gets a generalised row of its own instead of a class: the table is then not k-anonymous, but
    /// every record has k matches among its rows (k-concealment).
    #[must_use]
    pub const fn is_freeform(self) -> bool {
        matches!(self, Self::DokaGreedy | Self::DokaSortGreedy | Self::DokaHungarian)
    }

    /// Whether it seeks a proof of how far its answer can be from the best possible.
    #[must_use]
    pub const fn seeks_bound(self) -> bool {
        matches!(self, Self::ColumnGeneration | Self::Programme)
    }

    /// Whether it goes on until its effort or time is spent, or nothing better exists; a construction is over when it is done.
    #[must_use]
    pub const fn is_search(self) -> bool {
        !self.is_construction() && !self.is_freeform()
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_settings() {
        for method in MethodName::ALL {
            assert_eq!(serde_json::to_value(method).unwrap(), method.name());
        }
        let mut names = MethodName::ALL.map(MethodName::name);
        names.sort_unstable();
        assert!(names.windows(2).all(|w| w[0] != w[1]));
    }
}
