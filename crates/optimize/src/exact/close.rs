//! Closing the gap once the master has converged: rounding, integer master, cuts, enumeration, branching.

use std::sync::Arc;

use lookalike_lp::{master::Target, partition::Limits};

use super::{
    branch::{Ground, Tree},
    cuts::{Cuts, SubsetRow},
    integer,
    measure::Priceable,
    pool::Column,
    pricing::{Listed, Request, Sweep},
    proof::Proof,
    restricted::Stop,
    rounding::{self, Weighted},
    run::ColumnGeneration,
    separate, settle,
    stage::Stage,
    thirds,
};
use crate::Error;

/// Classes up to which enumeration goes on.
const ENUMERATED: usize = 400_000;

/// Nodes up to which enumeration goes on.
const ENUMERATION_NODES: u64 = 20_000_000;

/// Nodes of one seed at the first attempt, before there are cuts; all together may have as many as pricing had, and ten times
/// as many as one seed in any case.
const QUICK_NODES: u64 = 20_000;

/// Enumeration is tried again once the gap is below this part of what it was.
const RETRY: f64 = 0.8;

/// Nodes of the integer programme over a list; twice as many at each new attempt, up to so many times.
const NODES: u32 = 2000;
const DOUBLINGS: u32 = 10;

/// Part of the time left that they may take together.
const LIST_SHARE: f64 = 0.2;

/// Looks of the search of the list by reduced costs before it; twice as many at each new attempt, too.
const LOOKS: u64 = 60_000_000;

/// Looks that take as long as a node or a box.
pub(super) const LOOKS_PER_UNIT: f64 = 200.0;

/// Listed classes that are few enough to look for the best partition into them.
const SETTLED: usize = 20_000;

/// New cuts a round with each divisor, at most.
const CUTS_PER_ROUND: usize = 250;

/// Least violation worth a cut, and when there are none.
const VIOLATION: f64 = 0.02;
const SLIGHT: f64 = 0.001;

/// Looking for cuts takes as long as so many nodes for each column of the solution, about.
const SEPARATION: f64 = 300.0;

/// Rounds of cuts in a row that may gain nearly nothing; and while the gap is above this part of the loss, where nothing
/// else raises the bound.
const STALE: u32 = 3;
const STALE_WIDE: u32 = 10;
const WIDE: f64 = 0.01;

/// What counts as nearly nothing, as a part of the gap.
const GAIN: f64 = 2e-3;

/// Neighbourhoods in vain before something else is tried.
const VAIN: u32 = 25;

/// Looks for settling a node of branching.
const BRANCH_LOOKS: u64 = 4_000_000;

/// How the cuts and the list are doing.
#[derive(Clone, Debug, Default)]
pub(super) struct CutRounds {
    rounds: u32,
    stale: u32,
    bound: f64,
    vain: u32,
    /// Pricing with cuts takes too long.
    hopeless: bool,
    /// The enumeration under way is given up early.
    quick: bool,
    /// The gap at the last of that kind.
    hurried: Option<f64>,
    /// The gap at the last enumeration.
    enumerated: Option<f64>,
    /// Length of the list at the last attempt to settle it.
    settled: Option<usize>,
    /// Attempts to settle it that came to no end.
    attempts: u32,
}

impl<L: Priceable> ColumnGeneration<L> {
    /// UB - LB; the loss itself while there is no bound.
    pub(super) fn gap(&self) -> f64 {
        self.loss - self.proof.as_ref().map_or(0.0, |p| p.value)
    }

    /// The roundings of paper 3, each with a descent.
    pub(super) fn round(&mut self, stop: Stop) -> Result<Stage<L>, Error> {
        if self.solution.is_empty() {
            // Some back ends have duals long before they have this.
            match self.master.solve(Target::Primal, self.seconds_left(), stop)? {
                Some(solution) => self.solution = solution.columns,
                None => return Ok(self.stuck()),
            }
        }
        let partitions = {
            let solution: Vec<Weighted> =
                self.solution.iter().map(|&(c, x)| (self.pool.column(c).members.as_slice(), x)).collect();
            let mut partitions = rounding::spanning_tree(&self.problem, &solution);
            partitions.extend(rounding::simple(&self.problem, &solution));
            partitions
        };
        for partition in &partitions {
            if partition.check(&self.problem.instance, &self.rule).is_ok() {
                self.offer_descended(partition);
            }
        }
        self.worked(100.0 * self.problem.instance.records() as f64 * partitions.len() as f64);
        if self.listed.is_some() {
            return Ok(self.after_listing());
        }
        // Where it is quick, nothing else is needed; but a certificate shows no list, and is better with cuts.
        let gap = self.gap();
        if self.duals_asked || self.cut_rounds.hurried.is_some_and(|tried| gap > RETRY * tried) {
            return Ok(Stage::Separate);
        }
        (self.cut_rounds.quick, self.cut_rounds.hurried) = (true, Some(gap));
        Ok(self.begin_enumeration())
    }

    /// New cuts for the last solution; what comes next when they have run dry.
    pub(super) fn separate(&mut self, stop: Stop) -> Result<Stage<L>, Error> {
        if self.cuts_rest() {
            return Ok(match self.anneal_longer() {
                Some(annealing) => annealing,
                // A first enumeration waits for the cuts.
                None if self.cut_rounds.enumerated.is_none() => Stage::Neighbourhood,
                None => self.begin_enumeration(),
            });
        }
        self.note_cuts();
        let bound = self.proof.as_ref().map_or(0.0, |p| p.value);
        let gap = (self.loss - bound).max(1e-300);
        let state = &mut self.cut_rounds;
        state.rounds += 1;
        state.stale = if state.rounds > 1 && bound - state.bound < GAIN * gap { state.stale + 1 } else { 0 };
        state.bound = bound;
        if (state.stale >= STALE || state.hopeless)
            && let Some(annealing) = self.anneal_longer()
        {
            // What is nearly nothing depends on the gap, and that will be another.
            self.cut_rounds.stale = 0;
            return Ok(annealing);
        }
        let state = &self.cut_rounds;
        let patience = if gap > WIDE * self.loss { STALE_WIDE } else { STALE };
        if state.stale < patience && (!state.hopeless || self.listed.is_some()) {
            let solution: Vec<Weighted> =
                self.solution.iter().map(|&(c, x)| (self.pool.column(c).members.as_slice(), x)).collect();
            let new = |c: &SubsetRow| {
                self.cuts.iter().all(|known| known.divisor != c.divisor || known.members != c.members)
            };
            let find = |violation: f64| {
                let pairs = separate::separate(&self.problem, &solution, CUTS_PER_ROUND, violation, stop);
                let triples = thirds::separate(&self.problem, &solution, CUTS_PER_ROUND, violation, stop);
                [pairs, triples].concat().into_iter().filter(new).collect::<Vec<SubsetRow>>()
            };
            let mut cuts = find(VIOLATION);
            if cuts.is_empty() {
                cuts = find(SLIGHT);
            }
            let columns = solution.len() as f64;
            self.worked(SEPARATION * columns);
            if !cuts.is_empty() {
                self.change_cuts(cuts)?;
                return Ok(Stage::Master);
            }
            if let Some(annealing) = self.anneal_longer() {
                return Ok(annealing);
            }
            if self.turns() {
                // Their turn is over until neighbourhoods are in vain.
                self.cut_rounds.stale = patience;
            }
        }
        Ok(self.begin_enumeration())
    }

    /// Gives cuts up until all classes that matter are listed.
    pub(super) fn drop_cuts(&mut self) -> Result<(), Error> {
        self.master.change_cuts(&self.pool, &vec![false; self.cuts.len()], &[])?;
        self.cuts.clear();
        self.felt = Cuts::none(self.problem.types());
        self.cut_rounds.hopeless = true;
        Ok(())
    }

    /// Forgets cuts that are not felt and takes new ones.
    fn change_cuts(&mut self, new: Vec<SubsetRow>) -> Result<(), Error> {
        let scale = 1e-9 * self.loss / self.problem.types() as f64;
        let keep: Vec<bool> = self.cuts.iter().map(|c| c.sigma > scale).collect();
        self.master.change_cuts(&self.pool, &keep, &new)?;
        self.cuts.retain(|c| c.sigma > scale);
        self.cuts.extend(new);
        Ok(())
    }

    /// Starts to enumerate all classes that can improve on the incumbent, if that seems possible and is not done.
    pub(super) fn begin_enumeration(&mut self) -> Stage<L> {
        let Some(proof) = self.proof.clone() else { return self.stuck() };
        let gap = self.gap();
        let quick = self.cut_rounds.quick;
        if self.listed.is_some()
            || self.cut_rounds.enumerated.is_some_and(|tried| gap > RETRY * tried) && !quick
        {
            return Stage::Neighbourhood;
        }
        self.cut_rounds.enumerated = Some(gap);
        Stage::Enumerate(Sweep::new(&*self.problem.combinatorial(), &self.wide_request(&proof)))
    }

    /// Asks for all classes below the gap. A better incumbent in the meantime only makes it wider than needed.
    fn wide_request<'a>(&'a self, proof: &'a Proof) -> Request<'a> {
        let (columns, nodes) =
            if self.cut_rounds.quick { (SETTLED, QUICK_NODES) } else { (ENUMERATED, ENUMERATION_NODES / 2) };
        Request {
            threshold: self.cut_rounds.enumerated.unwrap_or(0.0) * (1.0 + 1e-9) + self.tolerance(),
            nodes,
            // One more than may be found: a seed that drops some is seen to have too many.
            ..self.request(&proof.duals, &proof.cuts, columns + 1)
        }
    }

    /// Goes on enumerating. With all classes at hand, pricing is done by looking through them.
    pub(super) fn enumerate(&mut self, mut sweep: Sweep) -> Stage<L> {
        let Some(proof) = self.proof.clone() else { return self.stuck() };
        let before = sweep.nodes;
        let done = sweep.advance(&self.wide_request(&proof));
        self.counts.nodes += sweep.nodes - before;
        let quick = self.cut_rounds.quick;
        let priced = self.counts.nodes - sweep.nodes;
        let (columns, nodes) =
            if quick { (SETTLED, priced.max(10 * QUICK_NODES)) } else { (ENUMERATED, ENUMERATION_NODES) };
        if sweep.gave_up() || sweep.columns.len() > columns || sweep.nodes > nodes {
            if !quick {
                return Stage::Neighbourhood;
            }
            // Too early: cuts come first.
            (self.cut_rounds.quick, self.cut_rounds.enumerated) = (false, None);
            return Stage::Separate;
        }
        if !done {
            return Stage::Enumerate(sweep);
        }
        self.cut_rounds.quick = false;
        let mut columns: Vec<Column> = sweep
            .columns
            .into_iter()
            .map(|c| Column { cost: self.problem.cost(&c.members), members: c.members })
            .collect();
        columns.sort_by(|a, b| a.members.cmp(&b.members));
        self.counts.enumerated = Some(columns.len() as u64);
        self.listed = Some(Listed(Arc::new(columns)));
        self.shorten_list();
        self.cut_rounds.stale = 0;
        self.after_listing()
    }

    /// Drops listed classes that cannot improve on the incumbent any more.
    pub(super) fn shorten_list(&mut self) {
        let (Some(listed), Some(proof)) = (&self.listed, self.proof.clone()) else { return };
        let request = self.request(&proof.duals, &proof.cuts, 1);
        let gap = self.gap() * (1.0 + 1e-9) + self.tolerance();
        let kept: Vec<Column> =
            listed.0.iter().filter(|c| request.reduced_cost_of(c) < gap).cloned().collect();
        self.listed = Some(Listed(Arc::new(kept)));
    }

    /// A short list is settled; a long one is made shorter by cuts.
    fn after_listing(&self) -> Stage<L> {
        if self.can_settle() { Stage::Integer } else { Stage::Separate }
    }

    /// Whether the list is short enough to be settled, and clearly shorter than at the last attempt.
    fn can_settle(&self) -> bool {
        let length = self.listed.as_ref().map_or(usize::MAX, |l| l.0.len());
        length <= SETTLED && self.cut_rounds.settled.is_none_or(|tried| length < tried * 2 / 3)
    }

    /// Solves the integer master over the list: a proof if it is solved to the end.
    pub(super) fn integer(&mut self, stop: Stop) -> Result<Stage<L>, Error> {
        let Some(listed) = self.listed.clone() else { return Ok(Stage::Separate) };
        let columns: Vec<&Column> = listed.0.iter().collect();
        self.cut_rounds.settled = Some(columns.len());
        if columns.is_empty() {
            self.optimal = true;
            return Ok(self.stuck());
        }
        let seconds = self.seconds_left().map(|left| LIST_SHARE * left);
        let right: Vec<usize> = (0..self.problem.types()).map(|t| self.problem.multiplicity(t)).collect();
        // An effort must not hide how long it takes.
        let again = if seconds.is_some() { self.cut_rounds.attempts.min(DOUBLINGS) } else { 0 };
        if self.search_list(&right, &columns, LOOKS << again, stop) {
            self.optimal = true;
            return Ok(self.stuck());
        }
        let seconds = seconds.map(|s| s.min(self.seconds_left().unwrap_or(s)));
        let nodes = NODES << again;
        let limits = Limits { seconds: seconds.unwrap_or(f64::INFINITY), nodes };
        let mut start = self.problem.classes(&self.best);
        start.sort();
        let found = integer::solve(&right, &columns, &self.cuts, &start, limits)?;
        self.worked(100.0 * columns.len() as f64);
        if let Some(classes) = found.classes
            && let Some(partition) = self.problem.partition(&classes)
        {
            self.offer_descended(&partition);
        }
        if found.complete {
            self.optimal = true;
            return Ok(self.stuck());
        }
        self.cut_rounds.attempts += 1;
        Ok(Stage::Separate)
    }

    /// Searches the listed classes by their reduced costs; true if nothing better is among them.
    fn search_list(&mut self, right: &[usize], columns: &[&Column], looks: u64, stop: Stop) -> bool {
        let Some(proof) = self.proof.clone() else { return false };
        let request = self.request(&proof.duals, &proof.cuts, 1);
        let reduced: Vec<f64> = columns.iter().map(|c| request.reduced_cost_of(c)).collect();
        let purse = self.gap() * (1.0 + 1e-9) + self.tolerance();
        let task = settle::Task { right, columns, reduced: &reduced, loss: self.loss, purse };
        let found = settle::settle(&task, looks, stop);
        self.worked(found.looks as f64 / LOOKS_PER_UNIT);
        if let Some(chosen) = found.classes {
            let classes: Vec<Vec<u32>> =
                chosen.iter().map(|&at| columns[at as usize].members.clone()).collect();
            if let Some(partition) = self.problem.partition(&classes) {
                self.offer_descended(&partition);
            }
        }
        found.complete
    }

    /// One large neighbourhood. Over a list they take turns with branching; when they stop to help, cuts and enumeration get
    /// another chance.
    pub(super) fn neighbourhood(&mut self, stop: Stop) -> Result<Stage<L>, Error> {
        self.counts.neighbourhoods += 1;
        let before = self.loss;
        self.search_neighbourhood(stop)?;
        let state = &mut self.cut_rounds;
        state.vain = if self.loss < before { 0 } else { state.vain + 1 };
        if self.loss < before && self.listed.is_some() {
            self.shorten_list();
            if self.can_settle() {
                return Ok(Stage::Integer);
            }
        }
        if self.listed.is_some() && self.branches_next() {
            return Ok(Stage::Branch);
        }
        let shrunk = self.cut_rounds.enumerated.is_some_and(|tried| self.gap() < RETRY * tried);
        if self.cut_rounds.vain >= VAIN || self.listed.is_none() && shrunk {
            if self.cut_rounds.vain >= VAIN {
                self.long_runs.call();
            }
            self.cut_rounds.vain = 0;
            self.cut_rounds.stale = 0;
            if self.seconds_left().is_some() {
                // A list that was not settled is tried again, with more nodes: beside branching nothing else is left to help.
                self.cut_rounds.settled = None;
            }
            let next = if self.listed.is_some() { self.after_listing() } else { Stage::Separate };
            // Separation is worth more with a solution that knows all columns.
            let behind = matches!(next, Stage::Separate) && self.master.unseen() > 0;
            return Ok(if behind { Stage::Master } else { next });
        }
        Ok(if self.cuts_next() { Stage::Separate } else { Stage::Neighbourhood })
    }

    /// After a long annealing the gap is wide for the loss as much as for the bound: cuts, which raise the bound, and
    /// neighbourhoods, which lower the loss, take turns by what they have had of the budget.
    fn turns(&self) -> bool {
        self.long_runs.begun() && self.listed.is_none() && self.proof.is_some()
    }

    /// It is the neighbourhoods' turn.
    fn cuts_rest(&self) -> bool {
        self.turns() && self.shares.cuts > self.shares.neighbourhoods
    }

    /// It is the cuts' turn, as long as they gain.
    fn cuts_next(&self) -> bool {
        let state = &self.cut_rounds;
        self.turns()
            && !state.hopeless
            && state.stale < STALE
            && self.shares.cuts <= self.shares.neighbourhoods
    }

    /// Branching raises the bound, neighbourhoods lower the loss: whichever has had less of the budget is next.
    fn branches_next(&self) -> bool {
        let over = self.tree.as_ref().is_some_and(Tree::is_over);
        !over && self.shares.branching <= self.shares.neighbourhoods
    }

    /// Looks at one node of the tree over the listed classes.
    pub(super) fn branch(&mut self, stop: Stop) -> Result<Stage<L>, Error> {
        let (Some(listed), Some(proof)) = (&self.listed, &self.proof) else { return Ok(self.stuck()) };
        let mut tree = self.tree.take().unwrap_or_else(|| {
            Tree::plant(Arc::clone(&listed.0), proof.duals.clone(), proof.cuts.clone(), proof.value)
        });
        let ground = Ground {
            problem: &self.problem,
            loss: self.loss,
            tolerance: self.tolerance(),
            seconds: self.seconds_left(),
            looks: BRANCH_LOOKS,
            stop,
        };
        let step = tree.step(&ground)?;
        self.worked(step.work);
        if let Some(partition) = step.classes.and_then(|classes| self.problem.partition(&classes)) {
            self.offer_descended(&partition);
            self.shorten_list();
        }
        self.branched = self.branched.max(tree.bound().min(self.loss));
        self.optimal |= tree.bound() >= self.loss && !stop();
        self.tree = Some(tree);
        Ok(if self.branches_next() { Stage::Branch } else { Stage::Neighbourhood })
    }
}
