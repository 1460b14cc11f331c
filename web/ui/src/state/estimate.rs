//! About what each number of the guarantee costs.

use std::{collections::BTreeMap, rc::Rc};

use lookalike_model::{
    report::Report,
    settings::{Budget, Model, Repair, Settings},
    survey::{Survey, SurveyRow},
};
use lookalike_words::Said;

use super::{Engine, Past, SeriesKind, State};
use crate::{
    form::{ModelChoice, Role},
    settings::{Field, Invalid},
};

/// The estimates for the open table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EstimateState {
    /// Numbers that were asked for last, in the order in which they are answered.
    pub numbers: Vec<u32>,
    /// What is known by now; empty where roles or settings have changed since, until the engine has answered.
    pub found: Rc<BTreeMap<u32, Estimate>>,
    /// What the ways out of a number that is not possible cost, as far as it is known.
    pub offers: Vec<(Offered, Estimate)>,
    /// The way out that is being tried.
    pub trying: Option<Offered>,
}

/// A number that is not possible as the table is, and the change that makes it possible.
pub type Offered = (u64, Repair);

/// About what a number costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Certainty penalty of a published cell, 0 to 1; or why there is no estimate.
    pub loss: Result<f64, Said>,
    /// Rows that it was made from.
    pub of_rows: usize,
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum EstimateAction {
    /// These numbers are asked for, in place of others.
    Asked(Vec<u32>),
    /// About what a number costs.
    Found(u32, Estimate),
    /// What a way out costs is asked for.
    Trying(Offered),
    /// Something else has ended that.
    GivenUp,
    /// The settings have changed: what was found says nothing any more.
    Forget,
}

impl EstimateState {
    /// Whether estimates are still to come, unless something has ended them.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.numbers.iter().any(|number| !self.found.contains_key(number))
    }

    /// About what a way out costs.
    #[must_use]
    pub fn of(&self, offered: Offered) -> Option<f64> {
        let found = self.offers.iter().find(|(of, _)| *of == offered)?;
        found.1.loss.as_ref().ok().copied()
    }
}

/// The state after an action.
pub(super) fn reduce(state: &mut EstimateState, action: EstimateAction) {
    match action {
        EstimateAction::Asked(numbers) => *state = EstimateState { numbers, ..EstimateState::default() },
        EstimateAction::Trying(offered) => state.trying = Some(offered),
        EstimateAction::GivenUp => state.trying = None,
        EstimateAction::Found(number, estimate)
            if state.trying.is_some_and(|of| of.0 == u64::from(number)) =>
        {
            state.offers.extend(state.trying.take().map(|offered| (offered, estimate)));
        }
        EstimateAction::Found(number, estimate) if state.numbers.contains(&number) => {
            Rc::make_mut(&mut state.found).insert(number, estimate);
        }
        EstimateAction::Found(..) => {}
        EstimateAction::Forget => *state = EstimateState::default(),
    }
}

/// What is asked about: the table and what is said of its cells, the settings without a number, the numbers.
pub type EstimateQuestion = ((u32, u32), Rc<Settings>, Vec<u32>);

/// Rows of a table of which estimates are made without being asked for.
const ASKED: usize = 200_000;

/// Numbers of k that are offered.
const OF_K: [u32; 6] = [2, 3, 5, 10, 20, 50];

/// Numbers of m that are offered.
const OF_M: [u32; 7] = [2, 3, 4, 5, 6, 8, 10];

/// The largest possible m is among the numbers up to here.
const MOST: usize = 20;

impl State {
    /// What is to be asked about the numbers; nothing while the settings are not complete, something is being done, or there is
    /// a result, beside which estimates are of no use.
    #[must_use]
    pub fn estimate_question(&self) -> Option<EstimateQuestion> {
        let table = self.table.as_ref().filter(|table| table.rows <= ASKED)?;
        let idle = !self.is_busy() && matches!(self.engine, Engine::Up { .. }) && !self.cells.asked;
        let alone = self.series.kind == SeriesKind::Alone && !self.check.shown;
        if !idle || !alone || self.describe_question().is_some() {
            return None;
        }
        let mut settings = self.settings()?.ok()?;
        let most = match settings.model {
            Model::KAnonymity { .. } => table.rows,
            Model::MInvariance { .. } => {
                self.survey.as_deref()?.as_ref().ok()?.largest_m_without_changes as usize
            }
        };
        // Which number is chosen, how long is searched and by which seed changes nothing here.
        settings.model = match settings.model {
            Model::KAnonymity { .. } => Model::KAnonymity { k: 2 },
            Model::MInvariance { .. } => Model::MInvariance { m: 2 },
        };
        (settings.seed, settings.budget, settings.eligibility) = (None, Budget::default(), Repair::Error);
        let offered: &[u32] = match settings.model {
            Model::KAnonymity { .. } => &OF_K,
            Model::MInvariance { .. } => &OF_M,
        };
        let mut numbers: Vec<u32> =
            offered.iter().copied().filter(|number| *number as usize <= most).collect();
        // The largest number that is possible is what is offered instead of one that is not.
        if matches!(settings.model, Model::MInvariance { .. }) && (2..=MOST).contains(&most) {
            numbers.push(most as u32);
            numbers.sort_unstable();
            numbers.dedup();
        }
        (!numbers.is_empty()).then(|| ((self.tables, self.cells.version), Rc::new(settings), numbers))
    }
}

impl State {
    /// Which way out of the chosen number is to be tried next, with the settings for it; one after the other, once the numbers are
    /// known.
    #[must_use]
    pub fn offer_question(&self) -> Option<(Offered, Rc<Settings>)> {
        let (_, settings, _) = self.estimate_question()?;
        let (survey, m) = self.change_needed()?;
        if self.estimate.is_waiting() || self.estimate.trying.is_some() {
            return None;
        }
        let adds = self.adds_rows();
        let row = reached(survey, m, adds)?;
        let ways = [(Repair::Delete, row.deletions), (Repair::Add, row.additions.filter(|_| adds))];
        let open = |way: &(Repair, Option<u64>)| {
            way.1.is_some() && !self.estimate.offers.iter().any(|(of, _)| *of == (row.m, way.0))
        };
        let (repair, _) = ways.into_iter().find(open)?;
        let settings = Settings { eligibility: repair, ..(*settings).clone() };
        Some(((row.m, repair), Rc::new(settings)))
    }

    /// Whether made-up records can be added: they have no cells for columns that are published as they are.
    #[must_use]
    pub fn adds_rows(&self) -> bool {
        self.choices.iter().all(|choice| choice.role != Role::Unchanged)
    }

    /// The survey and the chosen m, where m needs changes that nobody has chosen.
    #[must_use]
    pub fn change_needed(&self) -> Option<(&Survey, u64)> {
        let form = &self.form;
        let asked = form.model == ModelChoice::MInvariance
            && form.eligibility == Repair::Error
            && self.series.options().is_none();
        let survey = self.survey.as_deref().filter(|_| asked)?.as_ref().ok()?;
        let m = form.m.trim().parse().ok().filter(|m| *m > survey.largest_m_without_changes)?;
        Some((survey, m))
    }

    /// Whether ways out of a number that is not possible stand on the page. What becomes of rows without a value decides what is
    /// needed: that comes first.
    #[must_use]
    pub fn offers_stand(&self) -> bool {
        let first = |wrong: &Invalid| wrong.field == Field::MissingSensitive;
        self.change_needed().is_some() && !self.invalid().iter().any(first)
    }

    /// Why no number is possible under m-invariance, where nothing is to be counted.
    #[must_use]
    pub fn not_surveyed(&self) -> Option<&Said> {
        let asked = self.form.model == ModelChoice::MInvariance && self.series.options().is_none();
        self.survey.as_deref().filter(|_| asked)?.as_ref().err()
    }

    /// What a number has lost in the last run with these settings, however long it searched: that is no estimate.
    #[must_use]
    pub fn found_loss(&self, number: u32) -> Option<f64> {
        let now = plain(&self.settings()?.ok()?, number);
        let of = |past: &&Past| {
            let (report, settings) = (past.report(), &past.results.settings);
            let changed = report.changes.counterfeits + report.changes.deletions > 0;
            let same = match settings.model {
                Model::MInvariance { m: n } | Model::KAnonymity { k: n } => n == number as usize,
            };
            same && !changed && report.audit.passed && plain(settings, number) == now
        };
        whole_loss(self.look.past.iter().rev().find(of)?.report())
    }
}

/// What m costs, or the largest smaller one that a change makes possible: that of m where one does. `adds`: records may be made up.
#[must_use]
pub fn reached(survey: &Survey, m: u64, adds: bool) -> Option<&SurveyRow> {
    let changes = |row: &&SurveyRow| {
        row.deletions.is_some() && row.disclosure.delete.is_some()
            || adds && row.additions.is_some() && row.disclosure.add.is_some()
    };
    let most = survey.largest_m_without_changes;
    survey.survey.iter().filter(|row| row.m > most && row.m <= m).filter(changes).max_by_key(|row| row.m)
}

/// The loss of what is published, where that is known of every column: the mean of some would pass for that of the table.
#[must_use]
pub fn whole_loss(report: &Report) -> Option<f64> {
    let (measured, columns) = report.utility.measured();
    report.utility.gcp_mean.filter(|_| measured == columns)
}

/// Settings for a number, without what only says how long is searched.
fn plain(settings: &Settings, number: u32) -> Settings {
    let number = number as usize;
    Settings {
        model: match settings.model {
            Model::MInvariance { .. } => Model::MInvariance { m: number },
            Model::KAnonymity { .. } => Model::KAnonymity { k: number },
        },
        seed: None,
        budget: Budget::default(),
        eligibility: Repair::Error,
        ..settings.clone()
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::assessment::ColumnUtility;

    use super::*;
    use crate::state::{
        Action, Downloads, reduce,
        tests::{described, finished, solving, table},
    };

    fn estimate(state: State, action: EstimateAction) -> State {
        reduce(state, Action::Estimate(action))
    }

    #[test]
    fn estimates_belong_to_the_question_that_was_asked_last() {
        let found = |number, loss| EstimateAction::Found(number, Estimate { loss: Ok(loss), of_rows: 60 });
        let state = estimate(described(), EstimateAction::Asked(vec![2, 3]));
        assert!(state.estimate.is_waiting());
        let state = estimate(estimate(state, found(2, 0.1)), found(4, 0.4));
        assert_eq!(state.estimate.found.keys().collect::<Vec<_>>(), [&2]);
        let state = estimate(state, found(3, 0.2));
        assert!(!state.estimate.is_waiting());
        // Another question; another table.
        let again = estimate(state.clone(), EstimateAction::Asked(vec![3]));
        assert!(again.estimate.found.is_empty() && again.estimate.is_waiting());
        assert_eq!(estimate(state.clone(), EstimateAction::Forget).estimate, EstimateState::default());
        let source = state.source.clone().unwrap();
        let state = [Action::Opening(source), Action::Opened(table())].into_iter().fold(state, reduce);
        assert_eq!(state.estimate, EstimateState::default());
    }

    #[test]
    fn a_way_out_is_tried_alone_and_what_comes_of_it_is_its_own() {
        let found = |number, loss| EstimateAction::Found(number, Estimate { loss: Ok(loss), of_rows: 60 });
        let state = estimate(described(), EstimateAction::Asked(vec![2]));
        let state = estimate(estimate(state, found(2, 0.1)), EstimateAction::Trying((4, Repair::Delete)));
        let state = estimate(state, found(4, 0.3));
        assert_eq!((state.estimate.of((4, Repair::Delete)), state.estimate.trying), (Some(0.3), None));
        assert_eq!(state.estimate.of((4, Repair::Add)), None);
        // What was given up has no answer, and other settings know nothing of it.
        let state =
            estimate(estimate(state, EstimateAction::Trying((4, Repair::Add))), EstimateAction::GivenUp);
        assert_eq!(estimate(state.clone(), found(4, 0.9)).estimate.of((4, Repair::Add)), None);
        assert!(estimate(state, EstimateAction::Asked(vec![2])).estimate.offers.is_empty());
    }

    #[test]
    fn what_a_run_has_found_is_no_estimate() {
        let mut end = finished(true);
        end.report.utility.gcp_mean = Some(0.0365);
        let state = reduce(solving(), Action::Finished(Box::new(end), Downloads::default()));
        assert_eq!((state.found_loss(3), state.found_loss(4)), (Some(0.0365), None));
        let other = reduce(state, Action::SetRole(0, crate::form::Role::Keep));
        assert_eq!(other.found_loss(3), None);
        // The mean of some columns is not the loss of the table.
        let mut end = finished(true);
        let column = |ncp: Option<f64>| ColumnUtility {
            name: String::from("age"),
            ncp,
            measurable: ncp.is_some(),
            information_loss_percent: None,
        };
        (end.report.utility.gcp_mean, end.report.utility.columns) =
            (Some(0.0), vec![column(Some(0.0)), column(None)]);
        let state = reduce(solving(), Action::Finished(Box::new(end), Downloads::default()));
        assert_eq!(state.found_loss(3), None);
    }

    #[test]
    fn the_chosen_number_is_no_other_question() {
        let with = |k: &str, effort: &str| {
            let mut state = described();
            state.form.model = crate::form::ModelChoice::KAnonymity;
            state.form.k = k.to_owned();
            state.form.search.effort = effort.to_owned();
            state.describe_question().is_none().then(|| state.estimate_question())
        };
        let (two, five) = (with("2", "5"), with("5", "1"));
        assert_eq!(two, five);
        // The table has 10 rows: nobody is hidden among 20.
        if let Some(Some((_, _, numbers))) = two {
            assert_eq!(numbers, [2, 3, 5, 10]);
        }
    }
}
