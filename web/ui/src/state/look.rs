//! What is looked at of a result: rows beside what became of them, a column's values, risks of the original, earlier results.

use std::rc::Rc;

use lookalike_model::{
    comparison::{Bin, Row, RowOrder},
    report::{Report, Risk},
};
use lookalike_words::Said;

use super::{Results, State};
use crate::form::{Role, guarantee, with_role};

/// Rows that scroll into view together.
pub const BLOCK: usize = 50;

/// Rows that are there at a time: a block before and after the one in view.
pub const WINDOW: usize = 3 * BLOCK;

/// Results that are remembered.
const KEPT: usize = 12;

/// What is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookState {
    /// Number of runs so far.
    pub runs: u32,
    /// The first row that is to be there.
    pub from: usize,
    /// The order of the rows.
    pub order: RowOrder,
    /// Rows that are there, and the place of the first.
    pub rows: (usize, Rc<Vec<Row>>),
    /// The class that is shown.
    pub class: Option<Rc<ShownClass>>,
    /// The column whose values are counted.
    pub column: String,
    /// How often its values occur, or why nobody can tell.
    pub spread: Option<Rc<Result<Vec<Bin>, Said>>>,
    /// How exposed the open table is.
    pub risk: Option<Rc<RawRisk>>,
    /// Results on the open table, the last one at the end.
    pub past: Vec<Past>,
}

/// A class of the last run, and its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownClass {
    /// Its label.
    pub class: String,
    /// Its first rows; empty until the engine has answered.
    pub rows: Vec<Row>,
    /// How many rows of the original it has; 0 until the engine has answered.
    pub total: usize,
}

/// How exposed the open table is, as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct RawRisk {
    /// The columns that others may know.
    pub quasi: Vec<String>,
    /// The figures, or why there are none.
    pub risk: Result<Risk, Said>,
}

/// What is remembered of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    /// Which run it was.
    pub run: u32,
    /// What was asked for.
    pub guarantee: String,
    /// Its report.
    pub report: Rc<Report>,
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum LookAction {
    /// This row scrolled to the top.
    Scrolled(usize),
    /// The rows are to be shown in this order.
    Order(RowOrder),
    /// Rows in this order, and the place of the first.
    Rows((usize, RowOrder), Vec<Row>),
    /// The class of this label is to be shown; none is, if it is empty.
    ShowClass(String),
    /// Rows of a class came.
    Class(Box<ShownClass>),
    /// Another column is to be counted.
    Choose(String),
    /// How often the values of a column occur.
    Spread(String, Result<Vec<Bin>, Said>),
    /// How exposed the open table is.
    Risk(Vec<String>, Result<Risk, Said>),
}

/// The state after an action.
pub(super) fn reduce(look: &mut LookState, action: LookAction) {
    match action {
        LookAction::Scrolled(row) => look.from = (row / BLOCK).saturating_sub(1) * BLOCK,
        // An answer about what is no longer in view comes too late.
        LookAction::Rows(place, rows) if place == (look.from, look.order) => {
            look.rows = (look.from, Rc::new(rows));
        }
        LookAction::Order(order) => {
            if order != look.order {
                (look.order, look.from, look.rows) = (order, 0, Default::default());
            }
        }
        LookAction::ShowClass(class) => {
            let shown = || Rc::new(ShownClass { class: class.clone(), ..ShownClass::default() });
            look.class = (!class.is_empty()).then(shown);
        }
        LookAction::Class(found) if look.class.as_ref().is_some_and(|shown| shown.class == found.class) => {
            look.class = Some(Rc::from(found));
        }
        LookAction::Choose(column) => {
            if look.column != column {
                (look.column, look.spread) = (column, None);
            }
        }
        LookAction::Spread(column, bins) if column == look.column => look.spread = Some(Rc::new(bins)),
        LookAction::Rows(..) | LookAction::Class(_) | LookAction::Spread(..) => {}
        LookAction::Risk(quasi, risk) => look.risk = Some(Rc::new(RawRisk { quasi, risk })),
    }
}

/// Another table is open.
pub(super) fn forget(look: &mut LookState) {
    *look = LookState { runs: look.runs, ..LookState::default() };
}

/// A run has ended.
pub(super) fn finished(look: &mut LookState, results: &Results) {
    look.runs = look.runs.wrapping_add(1);
    (look.from, look.rows, look.class, look.spread) = (0, Default::default(), None, None);
    let columns = || results.columns();
    if !columns().any(|name| *name == look.column) {
        look.column = columns().next().cloned().unwrap_or_default();
    }
    let report = Rc::new(results.finished.report.clone());
    look.past.push(Past { run: look.runs, guarantee: guarantee(&report.model), report });
    if look.past.len() > KEPT {
        look.past.remove(0);
    }
}

impl State {
    /// Which rows are to be there: those of this run, from this one on, in this order.
    #[must_use]
    pub fn rows_question(&self) -> Option<(u32, usize, RowOrder)> {
        self.results.as_ref().map(|_| (self.look.runs, self.look.from, self.look.order))
    }

    /// Which class of this run is to be shown.
    #[must_use]
    pub fn class_question(&self) -> Option<(u32, String)> {
        let class = self.look.class.as_ref().filter(|_| self.results.is_some())?;
        Some((self.look.runs, class.class.clone()))
    }

    /// Which column of this run is to be counted.
    #[must_use]
    pub fn spread_question(&self) -> Option<(u32, String)> {
        let look = &self.look;
        (self.results.is_some() && !look.column.is_empty()).then(|| (look.runs, look.column.clone()))
    }

    /// Which columns of this table others may know.
    #[must_use]
    pub fn risk_question(&self) -> Option<((u32, u32), Vec<String>)> {
        let table = self.table.as_ref()?;
        let quasi: Vec<String> =
            with_role(table, &self.choices, Role::Quasi).into_iter().map(str::to_owned).collect();
        (!quasi.is_empty()).then_some(((self.tables, self.cells.version), quasi))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{
        Action, reduce,
        tests::{described, solved, table},
    };

    fn row(text: &str) -> Row {
        Row { before: vec![text.to_owned()], ..Row::default() }
    }

    fn look(state: State, action: LookAction) -> State {
        reduce(state, Action::Look(action))
    }

    #[test]
    fn rows_are_asked_for_around_what_is_in_view() {
        assert_eq!(described().rows_question(), None);
        let state = solved();
        let runs = state.look.runs;
        assert_eq!(state.rows_question(), Some((runs, 0, RowOrder::File)));
        // Within a block nothing is asked anew.
        let state = look(state, LookAction::Scrolled(BLOCK - 1));
        assert_eq!(state.rows_question(), Some((runs, 0, RowOrder::File)));
        let state = look(state, LookAction::Scrolled(3 * BLOCK));
        assert_eq!(state.rows_question(), Some((runs, 2 * BLOCK, RowOrder::File)));
        // An answer about the rows before comes too late.
        let state = look(state, LookAction::Rows((0, RowOrder::File), vec![row("late")]));
        assert!(state.look.rows.1.is_empty());
        let state = look(state, LookAction::Rows((2 * BLOCK, RowOrder::File), vec![row("now")]));
        assert_eq!((state.look.rows.0, state.look.rows.1.len()), (2 * BLOCK, 1));
    }

    #[test]
    fn another_order_begins_at_the_top() {
        let state = look(solved(), LookAction::Scrolled(3 * BLOCK));
        let state = look(state, LookAction::Order(RowOrder::MostChanged));
        let runs = state.look.runs;
        assert_eq!(state.rows_question(), Some((runs, 0, RowOrder::MostChanged)));
        let state = look(state, LookAction::Rows((0, RowOrder::File), vec![row("late")]));
        assert!(state.look.rows.1.is_empty());
        let state = look(state, LookAction::Rows((0, RowOrder::MostChanged), vec![row("now")]));
        assert_eq!(state.look.rows.1.len(), 1);
    }

    #[test]
    fn one_class_is_shown_at_a_time() {
        let found = |class: &str| {
            let (class, rows) = (class.to_owned(), vec![row("a")]);
            LookAction::Class(Box::new(ShownClass { class, rows, total: 1 }))
        };
        let state = look(solved(), LookAction::ShowClass(String::from("7")));
        assert_eq!(state.class_question(), Some((state.look.runs, String::from("7"))));
        let state = look(state, found("6"));
        assert_eq!(state.look.class.as_ref().unwrap().total, 0, "an answer about another class");
        let state = look(state, found("7"));
        assert_eq!(state.look.class.as_ref().unwrap().total, 1);
        let state = look(state, LookAction::ShowClass(String::new()));
        assert_eq!((state.look.class.as_ref(), state.class_question()), (None, None));
        assert_eq!(look(state, found("7")).look.class, None);
    }

    #[test]
    fn one_column_is_counted_at_a_time() {
        let mut state = solved();
        state.look.column = String::from("age");
        assert_eq!(state.spread_question().map(|q| q.1), Some(String::from("age")));
        let state = look(state, LookAction::Choose(String::from("disease")));
        let state = look(state, LookAction::Spread(String::from("age"), Ok(Vec::new())));
        assert_eq!(state.look.spread, None);
        let state = look(state, LookAction::Spread(String::from("disease"), Ok(Vec::new())));
        assert!(state.look.spread.is_some());
    }

    #[test]
    fn results_are_remembered_until_another_table_comes() {
        let state = solved();
        let settings = state.results.as_ref().unwrap().settings.clone();
        let again = [
            Action::Started(crate::state::Place::Here, settings),
            Action::Finished(
                Box::new(crate::state::tests::finished(true)),
                crate::state::Downloads::default(),
            ),
        ];
        let state = again.into_iter().fold(state, reduce);
        assert_eq!(state.look.past.iter().map(|past| past.run).collect::<Vec<_>>(), [1, 2]);
        let source = state.source.clone().unwrap();
        let state = [Action::Opening(source), Action::Opened(table())].into_iter().fold(state, reduce);
        assert_eq!((state.look.past.len(), state.look.runs), (0, 2));
    }

    #[test]
    fn the_risk_of_the_open_table_follows_its_roles() {
        let state = described();
        assert_eq!(state.risk_question().map(|q| q.1), Some(vec![String::from("age")]));
        let without = reduce(state, Action::SetRole(0, Role::Keep));
        assert_eq!(without.risk_question(), None);
    }
}
