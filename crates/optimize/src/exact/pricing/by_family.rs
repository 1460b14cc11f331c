//! Pricing family by family ([`crate::exact::families`]): every class is in one of them, so all of them together prove
//! what one pricing proves of a problem without signatures.

use std::sync::Arc;

use super::{PartResult, PreparedPricer, Priced, Pricer, PricerName, Request};
use crate::exact::{
    cuts::{ActiveCuts, SubsetRow},
    families::Family,
    problem::Problem,
};

/// Which pricer of each family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its heuristic one.
    Heuristic,
    /// Its exact one that lists classes.
    Combinatorial,
    /// Its exact one with cuts that goes by boxes.
    Boxes,
    /// Its best exact one without cuts.
    WithoutCuts,
}

/// The same pricer for every family.
#[derive(Clone, Debug)]
pub struct ByFamily {
    /// The families.
    pub families: Arc<Vec<Family>>,
    /// Which pricer.
    pub kind: Kind,
}

impl ByFamily {
    fn of(&self, problem: &Problem) -> Box<dyn Pricer> {
        let measure = problem.measure();
        match self.kind {
            Kind::Heuristic => measure.heuristic(),
            Kind::Combinatorial => measure.combinatorial(),
            Kind::Boxes => measure.by_boxes(problem).unwrap_or_else(|| measure.combinatorial()),
            Kind::WithoutCuts => measure.without_cuts(problem),
        }
    }
}

impl Pricer for ByFamily {
    fn name(&self) -> PricerName {
        PricerName::ByFamily
    }

    fn exact(&self) -> bool {
        self.kind != Kind::Heuristic
    }

    fn parts(&self, request: &Request) -> Box<dyn PreparedPricer> {
        let mut all =
            FamilyParts { families: Arc::clone(&self.families), parts: Vec::new(), ends: Vec::new() };
        let mut end = 0;
        for family in self.families.iter() {
            let cuts = cuts_of(family, request);
            let projected = Projected::new(family, request);
            let parts = self.of(&family.problem).parts(&projected.request(family, request, &cuts));
            end += parts.count();
            all.parts.push((cuts, parts));
            all.ends.push(end);
        }
        Box::new(all)
    }
}

struct FamilyParts {
    families: Arc<Vec<Family>>,
    /// The cuts over each family's types, and its parts.
    parts: Vec<(ActiveCuts, Box<dyn PreparedPricer>)>,
    /// Number of parts up to each family.
    ends: Vec<usize>,
}

impl PreparedPricer for FamilyParts {
    fn count(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    fn run(&self, request: &Request, part: usize) -> PartResult {
        let at = self.ends.partition_point(|&end| end <= part);
        let began = if at == 0 { 0 } else { self.ends[at - 1] };
        let (family, (cuts, parts)) = (&self.families[at], &self.parts[at]);
        let projected = Projected::new(family, request);
        let mut found = parts.run(&projected.request(family, request, cuts), part - began);
        let whole = |t: &mut u32| *t = family.types[*t as usize];
        for Priced { members, .. } in &mut found.columns {
            members.iter_mut().for_each(whole);
        }
        found.lowered.iter_mut().for_each(|(t, _)| whole(t));
        found
    }
}

/// A request over a family's types.
struct Projected {
    duals: Vec<f64>,
    only: Option<Vec<bool>>,
}

impl Projected {
    fn new(family: &Family, request: &Request) -> Self {
        let duals = family.types.iter().map(|&t| request.duals[t as usize]).collect();
        let only = request.only.map(|only| family.types.iter().map(|&t| only[t as usize]).collect());
        Self { duals, only }
    }

    fn request<'a>(&'a self, family: &'a Family, request: &Request<'a>, cuts: &'a ActiveCuts) -> Request<'a> {
        Request {
            problem: &family.problem,
            duals: &self.duals,
            cuts,
            only: self.only.as_deref(),
            threshold: request.threshold,
            tolerance: request.tolerance,
            keep: request.keep,
            nodes: request.nodes,
        }
    }
}

/// A cut meets a class in the types that it shares with the class's family.
fn cuts_of(family: &Family, request: &Request) -> ActiveCuts {
    let inside = |cut: &SubsetRow| {
        let places = cut.members.iter().filter_map(|t| family.types.binary_search(t).ok());
        SubsetRow { members: places.map(|at| at as u32).collect(), ..cut.clone() }
    };
    let sets: Vec<SubsetRow> = request.cuts.sets.iter().map(inside).collect();
    ActiveCuts::new(&sets, family.types.len())
}
