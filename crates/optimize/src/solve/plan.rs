//! Which search for which job, and why, in words for the report.

use std::fmt::Write as _;

use lookalike_model::{
    instance::Instance,
    rule::Rule,
    settings::{Budget, CarryOptions, Method, SearchOptions, SortOrder},
};

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
    pub(super) why: String,
}

/// A search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Annealing,
    Spatial,
    LargeNeighbourhood,
    TwoSwap,
    Blocks { count: usize },
}

impl Stage {
    /// What it does, for the report.
    pub(super) fn words(self) -> String {
        match self {
            Self::Annealing => String::from("simulated annealing"),
            Self::Spatial => String::from("simulated annealing in spatial blocks, cut anew each round"),
            Self::LargeNeighbourhood => {
                String::from("exact re-partition of a few neighbouring classes at a time")
            }
            Self::TwoSwap => String::from("two-swapping"),
            Self::Blocks { count } => format!("{count} blocks of whole classes, each annealed by itself"),
        }
    }
}

impl Plan {
    /// The plan for a method.
    ///
    /// # Errors
    /// [`Error::Input`] for options that do not fit the method.
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
        let mut why = String::new();
        let mut stages = match method {
            Method::Auto => {
                let (stages, reason) = auto(instance, rule);
                why = reason;
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

    /// The construction that won and the searches in words; `late` records were in no class when it was stopped, `cut` of its
    /// parts were ended by their time limit, `settled` records were put into classes before.
    pub(super) fn words(&self, start: Method, (late, cut): (usize, usize), settled: usize) -> String {
        let mut words = String::new();
        if settled > 0 {
            let _ = write!(words, "{settled} records put into classes of equal points, the others by ");
        }
        words.push_str(&match start {
            Method::Classic => String::from("bucketization (assignment and recursive halving)"),
            Method::Tau => {
                String::from("bucketization (assignment, then nearest neighbours across its keys)")
            }
            other => other.name().to_owned(),
        });
        if late > 0 {
            let _ = write!(words, " (stopped; {late} records were then put into classes by halving)");
        }
        if cut > 0 {
            let ended = if cut == 1 { String::from("1 sub-problem") } else { format!("{cut} sub-problems") };
            let _ = write!(words, " ({ended} ended by the time limit)");
        }
        for (stage, _) in &self.stages {
            words.push_str(", then ");
            words.push_str(&stage.words());
        }
        if self.stages.is_empty() && !self.construction {
            words.push_str("; the budget left nothing for a search");
        }
        if !self.why.is_empty() {
            words.push_str("; chosen because ");
            words.push_str(&self.why);
        }
        words
    }
}

pub(super) fn check(method: Method, options: SearchOptions) -> Result<(), Error> {
    if let Some(start) = options.start {
        if !start.is_construction() {
            return Err(Error::Input(format!(
                "{} is a search, not a construction to start from",
                start.name()
            )));
        }
        if method.is_construction() {
            return Err(Error::Input(format!("{} is a construction: it starts from nothing", method.name())));
        }
    }
    let in_blocks = matches!(method, Method::Decompose | Method::ColumnGeneration);
    if !in_blocks && options.blocks.is_some() || method != Method::Decompose && options.swap_first {
        return Err(Error::Input(format!(
            "only decompose and column-generation have blocks, and only decompose swaps before them; {} does neither",
            method.name()
        )));
    }
    if let Some(percent) = options.stop_gap_percent {
        if method != Method::ColumnGeneration {
            return Err(Error::Input(format!(
                "only column-generation has a bound, and with it a gap to stop at; {} has none",
                method.name()
            )));
        }
        if !(0.0..=100.0).contains(&percent) {
            return Err(Error::Input(format!("the gap to stop at is 0 to 100 per cent, not {percent}")));
        }
    }
    if options.duals && options.blocks.is_some_and(|count| count > 1) {
        return Err(Error::Input(String::from(
            "the duals of blocks prove nothing of the whole: ask for no blocks, or for no certificate",
        )));
    }
    if options.duals && method != Method::ColumnGeneration {
        return Err(Error::Input(format!(
            "only column-generation proves a bound that a certificate can carry (--certificate); {} has none",
            method.name()
        )));
    }
    let named = |m: Method| method == m || method != Method::ColumnGeneration && options.start == Some(m);
    let listed = [Method::VarianceSort, Method::GreedySearch, Method::SplitAndCarry];
    if options.order != SortOrder::default() && !listed.into_iter().any(named) {
        return Err(Error::Input(format!(
            "an order is for what goes down a sorted list: variance-sort, greedy-search and split-and-carry; {} does not",
            method.name()
        )));
    }
    if options.carry != CarryOptions::default() && !named(Method::SplitAndCarry) {
        return Err(Error::Input(format!(
            "sub-problems and what is carried between them belong to split-and-carry; {} has none",
            method.name()
        )));
    }
    if options.blocks == Some(0) {
        return Err(Error::Input(String::from("at least one block is needed")));
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
        return Err(Error::Input(String::from(
            "large-neighbourhood has classes of new records free: take --signatures free, or another method",
        )));
    }
    if knows {
        return Ok(());
    }
    Err(Error::Input(format!(
        "{} does not know of signatures that records keep from release to release; for a series take auto, annealing, \
         spatial, large-neighbourhood, classic, tau, random or column-generation",
        method.name()
    )))
}

fn suits_large_neighbourhood(rule: &Rule) -> Result<(), Error> {
    if LargeNeighbourhood::<lookalike_model::loss::Sse>::suits(rule.min_size) {
        return Ok(());
    }
    Err(Error::Input(format!(
        "{} is too much for large-neighbourhood, whose neighbourhoods hold at least two classes and are solved exactly \
         (at most {}); take annealing",
        rule.describe(),
        large_neighbourhood::LARGEST_MIN_SIZE
    )))
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
fn auto(instance: &Instance, rule: &Rule) -> (Vec<(Stage, f64)>, String) {
    let n = instance.records();
    if n >= SPATIAL_FROM {
        let why = format!("{n} records are too many for one annealing of the whole");
        return (vec![(Stage::Spatial, 1.0)], why);
    }
    let whole = format!("{n} records are few enough to be annealed as a whole");
    let keep = instance.series.as_ref().is_some_and(|series| series.keep);
    if !keep && LargeNeighbourhood::<lookalike_model::loss::Sse>::suits(rule.min_size) {
        let why = format!(
            "{whole}, and {} is small enough to re-partition neighbouring classes exactly",
            rule.describe()
        );
        return (vec![(Stage::Annealing, 1.0 - POLISH), (Stage::LargeNeighbourhood, POLISH)], why);
    }
    (vec![(Stage::Annealing, 1.0)], whole)
}
