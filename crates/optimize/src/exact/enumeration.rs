//! Enumeration of all classes that can improve on the incumbent. With them at hand pricing is done by looking through them,
//! and the best partition into them ends the run.

use super::{
    column::Column,
    dual_bound::FeasibleDuals,
    list::ClassList,
    loss::Priceable,
    params,
    pricing::{Request, Sweep},
    state::State,
};

/// How a batch of an enumeration has ended.
pub(super) enum Enumerated {
    /// There is more to do.
    Unfinished,
    /// The list is there.
    Listed,
    /// There are too many classes, or too many nodes.
    TooMany,
    /// The same of a preliminary enumeration: it comes too early.
    TooEarly,
    /// There is no proof to enumerate by.
    Unproven,
}

/// Attempts to enumerate.
pub(super) struct Enumeration {
    params: params::Enumeration,
    /// The one under way.
    sweep: Option<Sweep>,
    /// It is a preliminary one, which is given up early.
    preliminary: bool,
    /// The gap at the last preliminary one.
    preliminary_gap: Option<f64>,
    /// The gap at the last one; of preliminary ones that which listed the classes.
    gap: Option<f64>,
}

impl Enumeration {
    pub(super) fn new(params: &params::Enumeration) -> Self {
        let params = params.clone();
        Self { params, sweep: None, preliminary: false, preliminary_gap: None, gap: None }
    }

    /// There was none yet.
    pub(super) fn is_untried(&self) -> bool {
        self.gap.is_none()
    }

    /// The gap is so much smaller than at the last attempt that it may succeed now.
    pub(super) fn may_succeed<L: Priceable>(&self, state: &State<L>) -> bool {
        self.gap.is_some_and(|tried| state.gap() < self.params.retry * tried)
    }

    /// Begins a preliminary one, unless the last one was at nearly the same gap: where that is quick nothing else is needed. But a
    /// certificate shows no list, and is better with cuts. Says whether it has begun.
    pub(super) fn begin_preliminary<L: Priceable>(&mut self, state: &State<L>) -> bool {
        let gap = state.gap();
        let tried = self.preliminary_gap.is_some_and(|tried| gap > self.params.retry * tried);
        if state.input.duals_asked || tried {
            return false;
        }
        (self.preliminary, self.preliminary_gap) = (true, Some(gap));
        self.start(state);
        true
    }

    /// Begins one if that seems possible and is not done; says whether it has begun.
    pub(super) fn begin<L: Priceable>(&mut self, state: &State<L>) -> bool {
        let tried = self.gap.is_some_and(|tried| state.gap() > self.params.retry * tried);
        if state.list.is_some() || tried && !self.preliminary {
            return false;
        }
        self.start(state);
        true
    }

    fn start<L: Priceable>(&mut self, state: &State<L>) {
        self.gap = Some(state.gap());
        self.sweep = state.dual_bound.proof().map(|proof| {
            let pricer = state.input.pricers.combinatorial(&state.input.problem);
            Sweep::new(&*pricer, &self.request(state, proof))
        });
    }

    /// Asks for all classes below the gap. A better incumbent in the meantime only makes it wider than needed.
    fn request<'a, L: Priceable>(&self, state: &'a State<L>, proof: &'a FeasibleDuals) -> Request<'a> {
        let params = &self.params;
        let (columns, nodes) = if self.preliminary {
            (params.preliminary_classes, params.preliminary_seed_nodes)
        } else {
            (params.classes, params.nodes / 2)
        };
        Request {
            threshold: self.gap.unwrap_or(0.0) * (1.0 + 1e-9) + state.tolerance(),
            nodes,
            // One more than may be found: a seed that drops some is seen to have too many.
            ..state.request(&proof.duals, &proof.cuts, columns + 1)
        }
    }

    /// A batch of it.
    pub(super) fn advance<L: Priceable>(&mut self, state: &mut State<L>) -> Enumerated {
        let (Some(mut sweep), Some(proof)) = (self.sweep.take(), state.dual_bound.proof().cloned()) else {
            return Enumerated::Unproven;
        };
        let before = sweep.nodes;
        let done = sweep.advance(&self.request(state, &proof));
        state.effort.visit(sweep.nodes - before);
        let params = &self.params;
        let priced = state.effort.nodes() - sweep.nodes;
        let (columns, nodes) = if self.preliminary {
            (params.preliminary_classes, priced.max(10 * params.preliminary_seed_nodes))
        } else {
            (params.classes, params.nodes)
        };
        if sweep.gave_up() || sweep.columns.len() > columns || sweep.nodes > nodes {
            if !self.preliminary {
                return Enumerated::TooMany;
            }
            // Cuts come first.
            (self.preliminary, self.gap) = (false, None);
            return Enumerated::TooEarly;
        }
        if !done {
            self.sweep = Some(sweep);
            return Enumerated::Unfinished;
        }
        self.preliminary = false;
        let problem = &state.input.problem;
        let classes = sweep.columns.into_iter();
        let mut classes: Vec<Column> =
            classes.map(|c| Column { cost: problem.cost(&c.members), members: c.members }).collect();
        classes.sort_by(|a, b| a.members.cmp(&b.members));
        state.list = Some(ClassList::new(classes));
        state.shorten_list();
        Enumerated::Listed
    }
}
