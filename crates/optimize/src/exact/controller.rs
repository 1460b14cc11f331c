//! The algorithm: its parts, and what comes after what.

use super::{
    branching::Branching,
    effort::Stop,
    enumeration::{Enumerated, Enumeration},
    first_duals::FirstDuals,
    heuristics::{
        Heuristic as _, Outcome, annealing::Annealing, integer_master::IntegerMaster,
        neighbourhoods::Neighbourhoods, rounding::Rounding,
    },
    loss::Priceable,
    pricing_loop::{Priced, PricingLoop},
    separation::CutRounds,
    stage::Stage,
    state::State,
    turns::Turns,
};
use crate::Error;

/// The parts of column generation; each owns its state.
pub(super) struct Controller<L: Priceable> {
    pub(super) state: State<L>,
    pub(super) pricing: PricingLoop,
    pub(super) cuts: CutRounds,
    pub(super) enumeration: Enumeration,
    pub(super) branching: Branching,
    pub(super) annealing: Annealing<L>,
    pub(super) first_duals: FirstDuals,
    pub(super) rounding: Rounding,
    pub(super) integer_master: IntegerMaster,
    pub(super) neighbourhoods: Neighbourhoods,
    pub(super) turns: Turns,
}

impl<L: Priceable> Controller<L> {
    /// Does what a stage does, and says what comes next: the whole of column generation.
    pub(super) fn advance(&mut self, stage: Stage, stop: Stop) -> Result<Stage, Error> {
        let s = &mut self.state;
        Ok(match stage {
            Stage::Annealing => match self.annealing.run(s, stop)? {
                Outcome::Unfinished => Stage::Annealing,
                _ if self.first_duals.begin(s) => Stage::FirstDuals { round: 1 },
                _ => Stage::Master,
            },
            // A large master takes minutes; neighbourhoods need its duals only, or these.
            Stage::FirstDuals { .. } if self.first_duals.advance(s)? => match s.dual_bound.proof() {
                Some(_) => Stage::Neighbourhoods,
                None => Stage::Master,
            },
            Stage::FirstDuals { .. } => Stage::FirstDuals { round: self.first_duals.rounds() + 1 },
            Stage::Master if !s.input.problem.bounded => s.exhausted(),
            Stage::Master if self.annealing.begin_after_cuts(s) => Stage::Annealing,
            Stage::Master => match s.solve_master(stop)? {
                None => s.exhausted(),
                Some(many) if many => Stage::Master,
                Some(_) if s.list.is_some() => Stage::ExactPricing,
                Some(_) => Stage::HeuristicPricing,
            },
            Stage::HeuristicPricing => match self.pricing.heuristic(s)? {
                Priced::Unfinished => Stage::HeuristicPricing,
                Priced::Columns => Stage::Master,
                _ => Stage::ExactPricing,
            },
            Stage::ExactPricing => match self.pricing.exact(s)? {
                Priced::Unfinished => Stage::ExactPricing,
                Priced::TooHard => {
                    s.master.drop_cuts()?;
                    self.cuts.give_up();
                    Stage::Neighbourhoods
                }
                Priced::Converged => Stage::Rounding,
                _ => Stage::Master,
            },
            Stage::Rounding => match self.rounding.run(s, stop)? {
                Outcome::Stopped => s.exhausted(),
                _ if s.list.is_some() => self.settle_or_cut(),
                _ if self.enumeration.begin_preliminary(s) => Stage::Enumeration,
                _ => Stage::Separation,
            },
            Stage::Separation => self.separate(stop)?,
            Stage::Enumeration => match self.enumeration.advance(s) {
                Enumerated::Unfinished => Stage::Enumeration,
                Enumerated::TooMany => Stage::Neighbourhoods,
                Enumerated::TooEarly => Stage::Separation,
                Enumerated::Unproven => s.exhausted(),
                Enumerated::Listed => {
                    self.cuts.restart();
                    self.settle_or_cut()
                }
            },
            Stage::IntegerMaster => match self.integer_master.run(s, stop)? {
                Outcome::Optimal => {
                    s.dual_bound.close();
                    s.exhausted()
                }
                _ => Stage::Separation,
            },
            Stage::Neighbourhoods => {
                let outcome = self.neighbourhoods.run(s, stop)?;
                self.after_a_neighbourhood(outcome)
            }
            Stage::Branching if !self.branching.advance(s, stop)? => s.exhausted(),
            Stage::Branching if self.branching_is_next() => Stage::Branching,
            Stage::Branching => Stage::Neighbourhoods,
            Stage::Done(status) => Stage::Done(status),
        })
    }

    /// Cuts for the last solution, a long annealing where they gain nearly nothing, or an enumeration after them.
    fn separate(&mut self, stop: Stop) -> Result<Stage, Error> {
        let s = &mut self.state;
        let resting = cuts_take_turns(&self.annealing, s) && !self.turns.cuts_are_next();
        if resting {
            if self.annealing.begin_long(s) {
                return Ok(Stage::Annealing);
            }
            // A first enumeration waits for the cuts.
            let untried = self.enumeration.is_untried();
            return Ok(if untried { Stage::Neighbourhoods } else { self.enumerate() });
        }
        self.annealing.note_cuts(s);
        self.cuts.begin(s);
        if self.cuts.tail_off() && self.annealing.begin_long(s) {
            self.cuts.restart();
            return Ok(Stage::Annealing);
        }
        if self.cuts.are_worth_trying(s) {
            if self.cuts.separate(s, stop)? {
                return Ok(Stage::Master);
            }
            if self.annealing.begin_long(s) {
                return Ok(Stage::Annealing);
            }
            if cuts_take_turns(&self.annealing, s) {
                self.cuts.rest(s);
            }
        }
        Ok(self.enumerate())
    }

    /// An enumeration, if that seems possible and is not done; else neighbourhoods.
    fn enumerate(&mut self) -> Stage {
        if self.state.dual_bound.proof().is_none() {
            return self.state.exhausted();
        }
        if self.enumeration.begin(&self.state) { Stage::Enumeration } else { Stage::Neighbourhoods }
    }

    /// A short list is settled; a long one is made shorter by cuts.
    fn settle_or_cut(&self) -> Stage {
        if self.integer_master.is_due(&self.state) { Stage::IntegerMaster } else { Stage::Separation }
    }

    /// Over a list neighbourhoods take turns with branching, after a long annealing with cuts; when they stop to help, cuts and
    /// enumeration get another chance.
    fn after_a_neighbourhood(&mut self, outcome: Outcome) -> Stage {
        let s = &mut self.state;
        if outcome == Outcome::Improved {
            s.shorten_list();
            if self.integer_master.is_due(s) {
                return Stage::IntegerMaster;
            }
        }
        if self.state.list.is_some() && self.branching_is_next() {
            return Stage::Branching;
        }
        let s = &self.state;
        let exhausted = self.neighbourhoods.are_exhausted();
        if exhausted || s.list.is_none() && self.enumeration.may_succeed(s) {
            if exhausted {
                self.annealing.call();
            }
            self.neighbourhoods.restart();
            if s.master.rounds() == 0 {
                return Stage::Master;
            }
            self.cuts.restart();
            if s.effort.seconds_left().is_some() {
                self.integer_master.restart();
            }
            return match self.settle_or_cut() {
                // Separation is worth more with a solution that knows all columns.
                Stage::Separation if self.state.master.unseen() > 0 => Stage::Master,
                next => next,
            };
        }
        let cuts = cuts_take_turns(&self.annealing, s) && self.turns.cuts_are_next();
        if cuts && !self.cuts.tail_off() { Stage::Separation } else { Stage::Neighbourhoods }
    }

    fn branching_is_next(&self) -> bool {
        !self.branching.is_over() && self.turns.branching_is_next()
    }
}

/// After a long annealing the gap is wide for the loss as much as for the bound: cuts, which raise the bound, and
/// neighbourhoods, which lower the loss, take turns by what they have had of the budget.
fn cuts_take_turns<L: Priceable>(annealing: &Annealing<L>, state: &State<L>) -> bool {
    let solved = state.master.rounds() > 0 && state.dual_bound.proof().is_some();
    annealing.is_long() && state.list.is_none() && solved
}
