//! Which search for which job, and why.

use std::num::NonZeroUsize;

use lookalike_model::{
    instance::Instance,
    rule::Rule,
    settings::{Budget, Construction, DecomposeOptions, Method, MethodName, SortOrder},
};

pub(super) use super::SearchStep as Stage;
use super::{FoundBy, Params, Start, Unfit, Why, params, starting::Best};
use crate::{Error, construct::admits};

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
        params: &Params,
    ) -> Result<Self, Error> {
        check_series(method.name(), instance)?;
        let relaxed = rule.relaxed();
        let starts = match (method, method.start()) {
            (Method::Construct(construction), _) => vec![construction],
            (_, Some(start)) => vec![start],
            (_, None) => starts(method.name(), instance, &relaxed, &params.plan),
        };
        for &start in &starts {
            admits(start, instance, rule)?;
        }
        let n = instance.records();
        let mut why = None;
        let mut stages = match method {
            Method::Auto { .. } => {
                let (stages, reason) = auto(instance, rule, params);
                why = Some(reason);
                stages
            }
            Method::Annealing { .. } => vec![(Stage::Annealing, 1.0)],
            Method::Spatial { .. } => vec![(Stage::Spatial, 1.0)],
            Method::LargeNeighbourhood { .. } => {
                suits_large_neighbourhood(rule, params)?;
                vec![(Stage::LargeNeighbourhood, 1.0)]
            }
            Method::TwoSwap { .. } => vec![(Stage::TwoSwap, 1.0)],
            Method::Decompose(DecomposeOptions { blocks, swap_first, .. }) => {
                let by = &params.local.decompose;
                let count = blocks.map_or_else(|| n.div_ceil(by.block).max(1), NonZeroUsize::get);
                let mut stages =
                    vec![(Stage::Blocks { count }, by.blocks_share), (Stage::TwoSwap, by.swap_share)];
                if swap_first {
                    stages.insert(0, (Stage::TwoSwap, by.first_share));
                }
                stages
            }
            Method::Construct(_) | Method::Freeform(_) | Method::ColumnGeneration(_) | Method::Programme => {
                Vec::new()
            }
        };
        if matches!(budget, Budget::Effort(0.0) | Budget::Seconds(0.0)) {
            stages.clear();
        }
        Ok(Self { starts, stages, construction: method.is_construction(), why })
    }

    /// Whether classes of equal records are settled before: where one annealing of the whole would be too much.
    pub(super) fn settles(method: Method, instance: &Instance, params: &Params) -> bool {
        matches!(method, Method::Auto { .. }) && instance.records() >= params.plan.spatial_from
    }

    /// The construction that won and the searches; `settled` records were put into classes before.
    pub(super) fn told(&self, start: &Best, settled: usize) -> FoundBy {
        let &Best { construction, late, cut, united, .. } = start;
        FoundBy::Searched {
            settled,
            start: match construction {
                Construction::Classic => Start::Halving,
                Construction::Tau => Start::Neighbours,
                other => Start::Named { method: other.name().name() },
            },
            late,
            cut,
            united,
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

/// Whether neighbourhoods are small enough to be solved, by an enumeration that knows sizes and colours that differ.
fn suits_large_neighbourhood(rule: &Rule, params: &Params) -> Result<(), Error> {
    if rule.has_values() {
        return Err(Unfit::NoValues { method: MethodName::LargeNeighbourhood.name() }.into());
    }
    let most = params.local.neighbourhoods.largest_class;
    if rule.min_size <= most {
        return Ok(());
    }
    Err(Unfit::TooLargeForNeighbourhoods { least: rule.least(), most }.into())
}

/// What a search starts from when nothing is said; the fastest first, since time may end before the others are made.
fn starts(method: MethodName, instance: &Instance, rule: &Rule, params: &params::Plan) -> Vec<Construction> {
    let n = instance.records();
    let paper = match (method, rule.distinct()) {
        (MethodName::Decompose, true) => Some(Construction::Tau),
        (MethodName::Decompose, false) => Some(Construction::Mdav),
        _ => None,
    };
    let wanted = match paper {
        Some(start) => vec![start],
        None if rule.distinct() && n <= params.tree_to => vec![Construction::Classic, Construction::Tau],
        None if rule.distinct() => vec![Construction::Classic],
        None if n <= params.quadratic_to => {
            vec![
                Construction::Mdav,
                Construction::VMdav,
                Construction::HansenMukherjee,
                Construction::KMember,
                Construction::GreedySearch(SortOrder::default()),
            ]
        }
        None if n <= params.scan_to || (n <= params.tree_to && instance.dims <= params.tree_dims) => {
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
fn auto(instance: &Instance, rule: &Rule, params: &Params) -> (Vec<(Stage, f64)>, Why) {
    let records = instance.records();
    if records >= params.plan.spatial_from {
        return (vec![(Stage::Spatial, 1.0)], Why::TooMany { records });
    }
    let keep = instance.series.as_ref().is_some_and(|series| series.keep);
    if !keep && suits_large_neighbourhood(rule, params).is_ok() {
        let polish = params.plan.polish;
        let why = Why::FewEnoughAndSmall { records, least: rule.least() };
        return (vec![(Stage::Annealing, 1.0 - polish), (Stage::LargeNeighbourhood, polish)], why);
    }
    (vec![(Stage::Annealing, 1.0)], Why::FewEnough { records })
}
