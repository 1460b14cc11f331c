//! Which search for which job, and why.

use lookalike_model::{
    instance::Instance,
    rule::Rule,
    settings::{Budget, CarryOptions, Method, SearchOptions, SortOrder},
};

use lookalike_words::Figure;

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
    pub(super) starts: Vec<Method>,
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
    /// [`Error::Unfit`] for options that do not fit the method, [`Error::Construction`] for a construction that is not defined
    /// for the job.
    pub(super) fn new(
        method: Method,
        options: SearchOptions,
        instance: &Instance,
        rule: &Rule,
        budget: Budget,
    ) -> Result<Self, Error> {
        check(method, options)?;
        check_series(method, instance)?;
        let starts = match options.start {
            Some(start) => vec![start],
            None if method.is_construction() => vec![method],
            None => starts(method, instance, rule),
        };
        for &start in &starts {
            admits(start, instance, rule)?;
        }
        let n = instance.records();
        let mut why = None;
        let mut stages = match method {
            Method::Auto => {
                let (stages, reason) = auto(instance, rule);
                why = Some(reason);
                stages
            }
            Method::Annealing => vec![(Stage::Annealing, 1.0)],
            Method::Spatial => vec![(Stage::Spatial, 1.0)],
            Method::LargeNeighbourhood => {
                suits_large_neighbourhood(rule)?;
                vec![(Stage::LargeNeighbourhood, 1.0)]
            }
            Method::TwoSwap => vec![(Stage::TwoSwap, 1.0)],
            Method::Decompose => {
                let count = options.blocks.unwrap_or(n.div_ceil(BLOCK)).max(1);
                let mut stages = vec![(Stage::Blocks { count }, 0.8), (Stage::TwoSwap, 0.2)];
                if options.swap_first {
                    stages.insert(0, (Stage::TwoSwap, 0.2));
                }
                stages
            }
            _ => Vec::new(),
        };
        if matches!(budget, Budget::Effort(0.0) | Budget::Seconds(0.0)) {
            stages.clear();
        }
        Ok(Self { starts, stages, construction: method.is_construction(), why })
    }

    /// Whether classes of equal records are settled before: where one annealing of the whole would be too much.
    pub(super) fn settles(method: Method, instance: &Instance) -> bool {
        method == Method::Auto && instance.records() >= SPATIAL_FROM
    }

    /// The construction that won and the searches; `late` records were in no class when it was stopped, `cut` of its
    /// parts were ended by their time limit, `settled` records were put into classes before.
    pub(super) fn told(&self, start: Method, (late, cut): (usize, usize), settled: usize) -> FoundBy {
        FoundBy::Searched {
            settled,
            start: match start {
                Method::Classic => Start::Halving,
                Method::Tau => Start::Neighbours,
                other => Start::Named { method: other.name() },
            },
            late,
            cut,
            searches: self.stages.iter().map(|(stage, _)| *stage).collect(),
            nothing_left: self.stages.is_empty() && !self.construction,
            why: self.why,
        }
    }
}

pub(super) fn check(method: Method, options: SearchOptions) -> Result<(), Error> {
    let name = method.name();
    if let Some(start) = options.start {
        if !start.is_construction() {
            return Err(Unfit::NotAStart { method: start.name() }.into());
        }
        if method.is_construction() {
            return Err(Unfit::StartsFromNothing { method: name }.into());
        }
    }
    let in_blocks = matches!(method, Method::Decompose | Method::ColumnGeneration);
    if !in_blocks && options.blocks.is_some() || method != Method::Decompose && options.swap_first {
        return Err(Unfit::NoBlocks { method: name }.into());
    }
    if let Some(percent) = options.stop_gap_percent {
        if method != Method::ColumnGeneration {
            return Err(Unfit::NoGap { method: name }.into());
        }
        if !(0.0..=100.0).contains(&percent) {
            return Err(Unfit::Gap { percent: Figure::shortest(percent) }.into());
        }
    }
    if options.duals && options.blocks.is_some_and(|count| count > 1) {
        return Err(Unfit::DualsOfBlocks.into());
    }
    if options.duals && method != Method::ColumnGeneration {
        return Err(Unfit::NoCertificate { method: name }.into());
    }
    let named = |m: Method| method == m || method != Method::ColumnGeneration && options.start == Some(m);
    let listed = [Method::VarianceSort, Method::GreedySearch, Method::SplitAndCarry];
    if options.order != SortOrder::default() && !listed.into_iter().any(named) {
        return Err(Unfit::NoOrder { method: name }.into());
    }
    if options.carry != CarryOptions::default() && !named(Method::SplitAndCarry) {
        return Err(Unfit::NoSubProblems { method: name }.into());
    }
    if options.blocks == Some(0) {
        return Err(Unfit::NoBlock.into());
    }
    Ok(())
}

/// Only bucketization, annealing, large neighbourhoods and column generation of the whole know of signatures that records
/// keep; large neighbourhoods change the values of classes, so not where all classes keep theirs.
pub(super) fn check_series(method: Method, instance: &Instance) -> Result<(), Error> {
    let knows = matches!(
        method,
        Method::Auto
            | Method::Annealing
            | Method::Spatial
            | Method::LargeNeighbourhood
            | Method::Classic
            | Method::Tau
            | Method::Random
            | Method::ColumnGeneration
    );
    let Some(series) = &instance.series else { return Ok(()) };
    if series.keep && method == Method::LargeNeighbourhood {
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
fn starts(method: Method, instance: &Instance, rule: &Rule) -> Vec<Method> {
    let n = instance.records();
    let paper = match (method, rule.distinct()) {
        (Method::Decompose, true) => Some(Method::Tau),
        (Method::Decompose, false) => Some(Method::Mdav),
        _ => None,
    };
    let wanted = match paper {
        Some(start) => vec![start],
        None if rule.distinct() && n <= TREE_TO => vec![Method::Classic, Method::Tau],
        None if rule.distinct() => vec![Method::Classic],
        None if n <= QUADRATIC_TO => {
            vec![Method::Mdav, Method::VMdav, Method::HansenMukherjee, Method::KMember, Method::GreedySearch]
        }
        None if n <= SCAN_TO || (n <= TREE_TO && instance.dims <= 4) => {
            vec![Method::MondrianRelaxed, Method::Mdav, Method::HansenMukherjee]
        }
        None => vec![Method::MondrianRelaxed, Method::HansenMukherjee],
    };
    let mut starts: Vec<Method> = wanted.into_iter().filter(|&m| admits(m, instance, rule).is_ok()).collect();
    if starts.is_empty() {
        starts.push(Method::Classic);
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
