//! Which search for which job, and why.

use std::num::NonZeroUsize;

use lookalike_model::{
    instance::Instance,
    rule::Rule,
    settings::{Budget, Construction, DecomposeOptions, Method, MethodName, SortOrder},
};

pub(super) use super::SearchStep as Stage;
use super::{FoundBy, Start, Unfit, Why};
use crate::{
    Error,
    construct::admits,
    local::large_neighbourhood::{self, LargeNeighbourhood},
};

/// Records from which one annealing of the whole gives way to spatial blocks: a chain's data no longer fit the caches.
const SPATIAL_FROM: usize = 12_000;

/// Records up to which the constructions of quadratic time are tried by `auto`.
const QUADRATIC_TO: usize = 3_000;

/// Records up to which MDAV is tried by `auto` in any number of attributes.
const SCAN_TO: usize = 20_000;

/// Records up to which the constructions that search a tree for each class are tried by `auto`.
const TREE_TO: usize = 250_000;

/// Records of a block of the decomposition, unless the number of blocks is given.
const BLOCK: usize = 500;

/// Share of the budget that large neighbourhoods get after annealing.
const POLISH: f64 = 0.1;

/// What is done, in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    /// Constructions to start from; the best is taken.
    pub(super) starts: Vec<Construction>,
    /// Searches and their shares of the budget.
    pub(super) stages: Vec<(Stage, f64)>,
    /// Whether a construction is all that was asked for.
    pub(super) construction: bool,
    /// Why, for `auto`.
    pub(super) why: Option<Why>,
}

impl Plan {
    /// The plan for a method.
    ///
    /// # Errors
    /// [`Error::Unfit`] for a method that does not go with the job, [`Error::Construction`] for a construction that is not
    /// defined for it.
    pub(super) fn new(
        method: Method,
        instance: &Instance,
        rule: &Rule,
        budget: Budget,
    ) -> Result<Self, Error> {
        check_series(method.name(), instance)?;
        let starts = match (method, method.start()) {
            (Method::Construct(construction), _) => vec![construction],
            (_, Some(start)) => vec![start],
            (_, None) => starts(method.name(), instance, rule),
        };
        for &start in &starts {
            admits(start, instance, rule)?;
        }
        let n = instance.records();
        let mut why = None;
        let mut stages = match method {
            Method::Auto { .. } => {
                let (stages, reason) = auto(instance, rule);
                why = Some(reason);
                stages
            }
            Method::Annealing { .. } => vec![(Stage::Annealing, 1.0)],
            Method::Spatial { .. } => vec![(Stage::Spatial, 1.0)],
            Method::LargeNeighbourhood { .. } => {
                suits_large_neighbourhood(rule)?;
                vec![(Stage::LargeNeighbourhood, 1.0)]
            }
            Method::TwoSwap { .. } => vec![(Stage::TwoSwap, 1.0)],
            Method::Decompose(DecomposeOptions { blocks, swap_first, .. }) => {
                let count = blocks.map_or_else(|| n.div_ceil(BLOCK).max(1), NonZeroUsize::get);
                let mut stages = vec![(Stage::Blocks { count }, 0.8), (Stage::TwoSwap, 0.2)];
                if swap_first {
                    stages.insert(0, (Stage::TwoSwap, 0.2));
                }
                stages
            }
            Method::Construct(_) | Method::Freeform(_) | Method::ColumnGeneration(_) => Vec::new(),
        };
        if matches!(budget, Budget::Effort(0.0) | Budget::Seconds(0.0)) {
            stages.clear();
        }
        Ok(Self { starts, stages, construction: method.is_construction(), why })
    }

    /// Whether classes of equal records are settled before: where one annealing of the whole would be too much.
    pub(super) fn settles(method: Method, instance: &Instance) -> bool {
        matches!(method, Method::Auto { .. }) && instance.records() >= SPATIAL_FROM
    }

    /// The construction that won and the searches; `late` records were in no class when it was stopped, `cut` of its
    /// parts were ended by their time limit, `settled` records were put into classes before.
    pub(super) fn told(&self, start: Construction, (late, cut): (usize, usize), settled: usize) -> FoundBy {
        FoundBy::Searched {
            settled,
            start: match start {
                Construction::Classic => Start::Halving,
                Construction::Tau => Start::Neighbours,
                other => Start::Named { method: other.name().name() },
            },
            late,
            cut,
            searches: self.stages.iter().map(|(stage, _)| *stage).collect(),
            nothing_left: self.stages.is_empty() && !self.construction,
            why: self.why,
        }
    }
}

/// Only bucketization, annealing, large neighbourhoods and column generation of the whole know of signatures that records
/// keep; large neighbourhoods change the values of classes, so not where all classes keep theirs.
pub(super) fn check_series(method: MethodName, instance: &Instance) -> Result<(), Error> {
    let knows = matches!(
        method,
        MethodName::Auto
            | MethodName::Annealing
            | MethodName::Spatial
            | MethodName::LargeNeighbourhood
            | MethodName::Classic
            | MethodName::Tau
            | MethodName::Random
            | MethodName::ColumnGeneration
    );
    let Some(series) = &instance.series else { return Ok(()) };
    if series.keep && method == MethodName::LargeNeighbourhood {
        return Err(Unfit::LargeNeighbourhoodKeeps.into());
    }
    if knows {
        return Ok(());
    }
    Err(Unfit::KnowsNoSignatures { method: method.name() }.into())
}

fn suits_large_neighbourhood(rule: &Rule) -> Result<(), Error> {
    if LargeNeighbourhood::<lookalike_model::loss::Sse>::suits(rule.min_size) {
        return Ok(());
    }
    let most = large_neighbourhood::LARGEST_MIN_SIZE;
    Err(Unfit::TooLargeForNeighbourhoods { least: rule.least(), most }.into())
}

/// What a search starts from when nothing is said; the fastest first, since time may end before the others are made.
fn starts(method: MethodName, instance: &Instance, rule: &Rule) -> Vec<Construction> {
    let n = instance.records();
    let paper = match (method, rule.distinct()) {
        (MethodName::Decompose, true) => Some(Construction::Tau),
        (MethodName::Decompose, false) => Some(Construction::Mdav),
        _ => None,
    };
    let wanted = match paper {
        Some(start) => vec![start],
        None if rule.distinct() && n <= TREE_TO => vec![Construction::Classic, Construction::Tau],
        None if rule.distinct() => vec![Construction::Classic],
        None if n <= QUADRATIC_TO => {
            vec![
                Construction::Mdav,
                Construction::VMdav,
                Construction::HansenMukherjee,
                Construction::KMember,
                Construction::GreedySearch(SortOrder::default()),
            ]
        }
        None if n <= SCAN_TO || (n <= TREE_TO && instance.dims <= 4) => {
            vec![Construction::MondrianRelaxed, Construction::Mdav, Construction::HansenMukherjee]
        }
        None => vec![Construction::MondrianRelaxed, Construction::HansenMukherjee],
    };
    let mut starts: Vec<Construction> =
        wanted.into_iter().filter(|&m| admits(m, instance, rule).is_ok()).collect();
    if starts.is_empty() {
        starts.push(Construction::Classic);
    }
    starts
}

/// The searches that `auto` picks, and why.
fn auto(instance: &Instance, rule: &Rule) -> (Vec<(Stage, f64)>, Why) {
    let records = instance.records();
    if records >= SPATIAL_FROM {
        return (vec![(Stage::Spatial, 1.0)], Why::TooMany { records });
    }
    let keep = instance.series.as_ref().is_some_and(|series| series.keep);
    if !keep && LargeNeighbourhood::<lookalike_model::loss::Sse>::suits(rule.min_size) {
        let why = Why::FewEnoughAndSmall { records, least: rule.least() };
        return (vec![(Stage::Annealing, 1.0 - POLISH), (Stage::LargeNeighbourhood, POLISH)], why);
    }
    (vec![(Stage::Annealing, 1.0)], Why::FewEnough { records })
}
