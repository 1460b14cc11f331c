//! What is looked at of a result: rows beside what became of them, the columns' values, risks of the original, earlier results.

use std::{collections::BTreeMap, rc::Rc};

use lookalike_model::{
    comparison::{Bin, Likeness, Row, RowOrder},
    report::{Report, Risk},
    threshold::USUAL,
};
use lookalike_words::Said;

use super::{Results, SeriesKind, State, undo, undo::Snapshot};
use crate::{
    form::{Role, guarantee, with_role},
    settings::threshold,
};

/// Rows that scroll into view together. Each row in the document takes its time with every frame, seen or not.
pub const BLOCK: usize = 15;

/// Columns up to which every cell of a row is in the document, and rows come in blocks of the usual size.
pub const NARROW: usize = 60;

/// Rows of a table of so many columns that scroll into view together: hundreds of cells a row take their time on the way here.
#[must_use]
pub const fn block(columns: usize) -> usize {
    if columns > NARROW { 10 } else { BLOCK }
}

/// Rows before and after that are there at a time: a block before and after the one in view, which is as high as what shows them.
pub const WINDOW: usize = 3 * BLOCK;

/// Blocks of a table that fills its pane: one before that in view, the others behind, for a high screen.
pub const BLOCKS: usize = 5;

/// Rows that are soon put in another order.
const SOON: usize = 200_000;

/// Results that are remembered.
pub const KEPT: usize = 12;

/// Bytes of the files of all runs that are kept: the browser holds them in memory.
const ALL_FILES: u64 = 64_000_000;

/// How many of the oldest runs give their files up, so that those of all others are not too large; the last one keeps its own.
#[must_use]
pub fn too_many(bytes: impl DoubleEndedIterator<Item = u64> + ExactSizeIterator) -> usize {
    let runs = bytes.len();
    let mut sum = 0;
    let kept = bytes.rev().enumerate().take_while(|(at, bytes)| {
        sum += bytes;
        *at == 0 || sum <= ALL_FILES
    });
    runs - kept.count()
}

/// How often the values of each published column occur, or why nobody can tell.
pub type Spreads = BTreeMap<String, Rc<Result<Vec<Bin>, Said>>>;

/// What is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookState {
    /// Number of runs so far.
    pub runs: u32,
    /// The run whose result is shown.
    pub shown: u32,
    /// The run whose rows the engine has; it can tell of no other.
    pub engine: Option<u32>,
    /// The first row that is to be there.
    pub from: usize,
    /// The first column in view, in steps, of a table of many.
    pub left: usize,
    /// The order of the rows.
    pub order: RowOrder,
    /// Rows that are there, and the place of the first.
    pub rows: (usize, Rc<Vec<Row>>),
    /// The class that is shown.
    pub class: Option<Rc<ShownClass>>,
    /// The column whose values stand in the table; empty for the one that changed most.
    pub column: String,
    /// How often the values of each column occur, as far as the engine has told.
    pub spreads: Spreads,
    /// Whether more columns are drawn than those that changed most.
    pub all: bool,
    /// The open table is being read again, for an engine that was started anew: what was made of it stays.
    pub again: bool,
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
    /// What others may know, and of whom.
    pub by: Likeness,
    /// The figures, or why there are none.
    pub risk: Result<Risk, Said>,
}

impl RawRisk {
    /// Whether this is what is asked now.
    #[must_use]
    pub fn answers(&self, by: &Likeness, threshold: f64) -> bool {
        let same = |risk: &Risk| risk.threshold.to_bits() == threshold.to_bits();
        self.by == *by && self.risk.as_ref().map_or(true, same)
    }
}

/// What is remembered of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    /// Which run it was.
    pub run: u32,
    /// What was asked for.
    pub guarantee: String,
    /// What came out, with its files.
    pub results: Rc<Results>,
    /// Whether one can go back to it: not to a release of a series, from whose ledger others may go on.
    pub returns: bool,
    /// Its files were too large to be kept beside those of later runs.
    pub gone: bool,
    /// How often values occur.
    spreads: Spreads,
    /// What the fields were.
    fields: Snapshot,
}

impl Past {
    /// Its report.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.results.finished.report
    }
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum LookAction {
    /// This row scrolled to the top.
    Scrolled(usize),
    /// This column scrolled to the left edge.
    Sideways(usize),
    /// The rows are to be shown in this order.
    Order(RowOrder),
    /// Rows in this order, and the place of the first.
    Rows((usize, RowOrder), Vec<Row>),
    /// The class of this label is to be shown; none is, if it is empty.
    ShowClass(String),
    /// Rows of a class came.
    Class(Box<ShownClass>),
    /// The values of another column are to stand in the table.
    Choose(String),
    /// How often the values of a column occur.
    Spread(String, Result<Vec<Bin>, Said>),
    /// All columns are to be drawn, or no more than those that changed most.
    All(bool),
    /// How exposed the open table is.
    Risk(Likeness, Result<Risk, Said>),
    /// Back to this run: its settings, its result, its files.
    Back(u32),
    /// The engine has the rows of another run, which was given up.
    EngineElsewhere,
}

/// The state after an action.
pub(super) fn reduce(state: &mut State, action: LookAction) {
    let look = &mut state.look;
    let told = look.engine == Some(look.shown);
    match action {
        LookAction::Scrolled(row) => look.from = (row / BLOCK).saturating_sub(1) * BLOCK,
        LookAction::Sideways(column) => look.left = column,
        // An answer about what is no longer in view comes too late, and one about a result that is not shown.
        LookAction::Rows(place, rows) if told && place == (look.from, look.order) => {
            look.rows = (look.from, Rc::new(rows));
        }
        LookAction::Order(order) => {
            if order != look.order {
                (look.order, look.from, look.left, look.rows) = (order, 0, 0, Default::default());
            }
        }
        LookAction::ShowClass(class) => {
            let shown = || Rc::new(ShownClass { class: class.clone(), ..ShownClass::default() });
            look.class = (!class.is_empty()).then(shown);
        }
        LookAction::Class(found)
            if told && look.class.as_ref().is_some_and(|shown| shown.class == found.class) =>
        {
            look.class = Some(Rc::from(found));
        }
        LookAction::Spread(column, bins) if told => drop(look.spreads.insert(column, Rc::new(bins))),
        LookAction::Rows(..) | LookAction::Class(_) | LookAction::Spread(..) => {}
        LookAction::Choose(column) => look.column = column,
        LookAction::All(all) => look.all = all,
        LookAction::Risk(by, risk) => look.risk = Some(Rc::new(RawRisk { by, risk })),
        LookAction::Back(run) => back(state, run),
        LookAction::EngineElsewhere => engine_gone(look),
    }
}

/// Another table is open.
pub(super) fn forget(look: &mut LookState) {
    *look = LookState { runs: look.runs, shown: look.runs, ..LookState::default() };
}

/// The engine knows of no run any more.
pub(super) fn engine_gone(look: &mut LookState) {
    (look.engine, look.rows) = (None, Default::default());
}

/// A run has ended: its result is shown, and the one before is remembered as it was.
pub(super) fn finished(state: &mut State, results: Rc<Results>, fields: Snapshot) {
    leave(state);
    let look = &mut state.look;
    look.runs = look.runs.wrapping_add(1);
    (look.shown, look.engine) = (look.runs, Some(look.runs));
    if look.past.is_empty() {
        // What changed most is looked at first, where it is soon known.
        let few = results.finished.beside.rows <= SOON;
        look.order = if few { RowOrder::MostChanged } else { RowOrder::File };
    }
    (look.from, look.left, look.rows) = (0, 0, Default::default());
    (look.class, look.spreads) = (None, Spreads::new());
    let returns = state.series.kind == SeriesKind::Alone;
    let guarantee = guarantee(&results.finished.report.model);
    let spreads = Spreads::new();
    let past = Past {
        run: look.runs,
        guarantee,
        results: Rc::clone(&results),
        returns,
        gone: false,
        spreads,
        fields,
    };
    look.past.push(past);
    if look.past.len() > KEPT {
        look.past.remove(0);
    }
    let gone = too_many(look.past.iter().map(|past| past.results.downloads.bytes));
    for past in look.past.iter_mut().take(gone) {
        (past.returns, past.gone) = (false, true);
    }
    state.results = Some(results);
}

/// Remembers what became of the result that is shown.
fn leave(state: &mut State) {
    let (look, results) = (&mut state.look, state.results.take());
    let shown = look.past.iter_mut().find(|past| past.run == look.shown);
    if let (Some(past), Some(mut results)) = (shown, results) {
        Rc::make_mut(&mut results).stop_writing();
        (past.results, past.spreads) = (results, std::mem::take(&mut look.spreads));
    }
}

/// Goes back to a run, unless something is being done.
fn back(state: &mut State, run: u32) {
    let can = |past: &Past| past.run == run && past.returns;
    if state.is_busy() || run == state.look.shown || !state.look.past.iter().any(can) {
        return;
    }
    leave(state);
    let Some(past) = state.look.past.iter().find(|past| past.run == run).cloned() else { return };
    let look = &mut state.look;
    (look.shown, look.spreads) = (run, past.spreads);
    (look.from, look.rows) = (0, Default::default());
    state.results = Some(past.results);
    undo::restored(state, past.fields);
    super::reduce::attend(state, "verdict");
}

impl State {
    /// Which rows are to be there: those of this run, from this one on, in this order.
    #[must_use]
    pub fn rows_question(&self) -> Option<(u32, usize, RowOrder)> {
        self.engine_tells().then_some((self.look.shown, self.look.from, self.look.order))
    }

    /// Which class of this run is to be shown.
    #[must_use]
    pub fn class_question(&self) -> Option<(u32, String)> {
        let class = self.look.class.as_ref().filter(|_| self.engine_tells())?;
        Some((self.look.shown, class.class.clone()))
    }

    /// Which column of this run is to be counted: one after the other.
    #[must_use]
    pub fn spread_question(&self) -> Option<(u32, String)> {
        let results = self.results.as_ref().filter(|_| self.engine_tells())?;
        let next = results.columns().find(|name| !self.look.spreads.contains_key(*name))?;
        Some((self.look.shown, next.clone()))
    }

    /// Whether the engine has the rows of the result that is shown.
    #[must_use]
    pub fn engine_tells(&self) -> bool {
        self.results.is_some() && self.look.engine == Some(self.look.shown)
    }

    /// The columns that others may know if the suggestions are accepted.
    fn suggested_known(&self) -> Vec<String> {
        let columns = self.table.iter().flat_map(|table| &table.columns);
        let columns: Vec<&String> = columns.map(|column| &column.name).collect();
        let known = self.acceptable().into_iter().filter(|(_, role)| *role == Role::Quasi);
        known.filter_map(|(place, _)| columns.get(place).map(|name| (*name).clone())).collect()
    }

    /// Which columns of this table others may know, and above which probability a row is at risk; while nobody has said it, those
    /// that are suggested, and what is usual.
    #[must_use]
    pub fn risk_question(&self) -> Option<((u32, u32), Likeness, f64)> {
        let table = self.table.as_ref()?;
        let quasi: Vec<String> =
            with_role(table, &self.choices, Role::Quasi).into_iter().map(str::to_owned).collect();
        let quasi = if quasi.is_empty() { self.suggested_known() } else { quasi };
        let threshold = threshold(&self.form).unwrap_or(USUAL);
        (!quasi.is_empty()).then(|| ((self.tables, self.cells.version), self.likeness(quasi), threshold))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::ThresholdChoice;
    use crate::state::{
        Action, ResultFile, reduce,
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
        assert_eq!(state.rows_question(), Some((runs, 0, RowOrder::MostChanged)));
        // Within a block nothing is asked anew.
        let state = look(state, LookAction::Scrolled(BLOCK - 1));
        assert_eq!(state.rows_question(), Some((runs, 0, RowOrder::MostChanged)));
        let state = look(state, LookAction::Scrolled(3 * BLOCK));
        assert_eq!(state.rows_question(), Some((runs, 2 * BLOCK, RowOrder::MostChanged)));
        // An answer about the rows before comes too late.
        let state = look(state, LookAction::Rows((0, RowOrder::MostChanged), vec![row("late")]));
        assert!(state.look.rows.1.is_empty());
        let state = look(state, LookAction::Rows((2 * BLOCK, RowOrder::MostChanged), vec![row("now")]));
        assert_eq!((state.look.rows.0, state.look.rows.1.len()), (2 * BLOCK, 1));
    }

    #[test]
    fn files_of_the_oldest_runs_go_first_and_those_of_the_last_never() {
        let gone = |megabytes: &[u64]| too_many(megabytes.iter().map(|bytes| 1_000_000 * bytes));
        assert_eq!([gone(&[]), gone(&[1; 12]), gone(&[500])], [0; 3]);
        assert_eq!(gone(&[20; 4]), 1);
        assert_eq!(gone(&[1, 1, 500]), 2);
        assert_eq!(gone(&[500, 1, 1]), 1);
    }

    /// A run with this number, of two columns.
    fn again(state: State, m: &str) -> State {
        let edited = reduce(
            state,
            Action::Edit(Box::new(crate::form::Form { m: m.to_owned(), ..crate::form::Form::default() })),
        );
        let settings = edited.settings().unwrap().unwrap();
        let mut finished = crate::state::tests::finished(true);
        finished.header = ["age", "disease"].map(String::from).to_vec();
        let files = crate::state::Downloads { table: format!("blob:{m}"), ..Default::default() };
        let end = Action::Finished(Box::new(finished), files);
        [Action::Started(crate::state::Place::Here, settings.into()), end].into_iter().fold(edited, reduce)
    }

    #[test]
    fn another_order_begins_at_the_top() {
        let state = look(solved(), LookAction::Scrolled(3 * BLOCK));
        let state = look(state, LookAction::Order(RowOrder::File));
        let shown = state.look.shown;
        assert_eq!(state.rows_question(), Some((shown, 0, RowOrder::File)));
        let state = look(state, LookAction::Rows((0, RowOrder::MostChanged), vec![row("late")]));
        assert!(state.look.rows.1.is_empty());
        let state = look(state, LookAction::Rows((0, RowOrder::File), vec![row("now")]));
        assert_eq!(state.look.rows.1.len(), 1);
    }

    #[test]
    fn one_class_is_shown_at_a_time() {
        let found = |class: &str| {
            let (class, rows) = (class.to_owned(), vec![row("a")]);
            LookAction::Class(Box::new(ShownClass { class, rows, total: 1 }))
        };
        let state = look(solved(), LookAction::ShowClass(String::from("7")));
        assert_eq!(state.class_question(), Some((state.look.shown, String::from("7"))));
        let state = look(state, found("6"));
        assert_eq!(state.look.class.as_ref().unwrap().total, 0, "an answer about another class");
        let state = look(state, found("7"));
        assert_eq!(state.look.class.as_ref().unwrap().total, 1);
        let state = look(state, LookAction::ShowClass(String::new()));
        assert_eq!((state.look.class.as_ref(), state.class_question()), (None, None));
        assert_eq!(look(state, found("7")).look.class, None);
    }

    #[test]
    fn the_columns_are_counted_one_after_the_other() {
        let state = again(described(), "3");
        let asked = |state: &State| state.spread_question().map(|question| question.1);
        assert_eq!(asked(&state).as_deref(), Some("age"));
        let state = look(state, LookAction::Spread(String::from("age"), Ok(Vec::new())));
        assert_eq!(asked(&state).as_deref(), Some("disease"));
        // What cannot be counted is not asked again.
        let state = look(state, LookAction::Spread(String::from("disease"), Err(Said::verbatim("no"))));
        assert_eq!((asked(&state), state.look.spreads.len()), (None, 2));
        // Another run has other values.
        let state = again(state, "2");
        assert_eq!((asked(&state).as_deref(), state.look.spreads.len()), (Some("age"), 0));
    }

    #[test]
    fn results_are_remembered_until_another_table_comes() {
        let state = again(solved(), "3");
        assert_eq!(state.look.past.iter().map(|past| past.run).collect::<Vec<_>>(), [1, 2]);
        let source = state.source.clone().unwrap();
        let state = [Action::Opening(source), Action::Opened(table())].into_iter().fold(state, reduce);
        assert_eq!((state.look.past.len(), state.look.runs), (0, 2));
    }

    #[test]
    fn one_can_go_back_to_a_run_with_its_settings_and_files() {
        let table = |state: &State| state.results.as_ref().unwrap().downloads.table.clone();
        let first = look(again(described(), "3"), LookAction::Spread(String::from("age"), Ok(Vec::new())));
        let first = reduce(first, Action::Saved(ResultFile::Table));
        let second = again(first, "2");
        assert_eq!((second.form.m.as_str(), table(&second).as_str()), ("2", "blob:2"));
        let back = look(second.clone(), LookAction::Back(1));
        assert_eq!((back.form.m.as_str(), table(&back).as_str(), back.look.shown), ("3", "blob:3", 1));
        assert!(back.results_are_current() && back.results.as_ref().unwrap().saved == [ResultFile::Table]);
        assert_eq!(back.look.spreads.len(), 1);
        // The engine can tell of the last run alone.
        assert_eq!((back.rows_question(), back.spread_question()), (None, None));
        let late = look(back.clone(), LookAction::Spread(String::from("disease"), Ok(Vec::new())));
        assert_eq!(late.look.spreads.len(), 1);
        let forth = look(back.clone(), LookAction::Back(2));
        assert_eq!(
            (table(&forth).as_str(), forth.rows_question()),
            ("blob:2", Some((2, 0, RowOrder::MostChanged)))
        );
        // The fields are one step to be undone; the result is then one of other settings.
        let undone = reduce(back.clone(), Action::Undo);
        assert!(undone.form.m == "2" && !undone.results_are_current());
        // Nowhere to go, and no time to go there.
        assert_eq!(look(back.clone(), LookAction::Back(9)), back);
        let settings = second.settings().unwrap().unwrap();
        let busy = reduce(second, Action::Started(crate::state::Place::Here, settings.into()));
        assert_eq!(look(busy.clone(), LookAction::Back(1)), busy);
    }

    #[test]
    fn a_release_of_a_series_is_not_gone_back_to() {
        let mut state = again(described(), "3");
        state.look.past[0].returns = false;
        let state = again(state, "2");
        assert_eq!(look(state.clone(), LookAction::Back(1)).look.shown, 2);
    }

    #[test]
    fn no_more_than_twelve_results_are_kept() {
        let state = (0..15).fold(described(), |state, _| again(state, "3"));
        assert_eq!((state.look.past.len(), state.look.past[0].run), (KEPT, 4));
    }

    #[test]
    fn the_risk_of_the_open_table_follows_its_roles() {
        let state = described();
        assert_eq!(state.risk_question().map(|q| q.1.quasi), Some(vec![String::from("age")]));
        let without = reduce(state.clone(), Action::SetRole(0, Role::Keep));
        assert_eq!(without.risk_question(), None);
        // A threshold is asked for anew, and an answer to the one before is none.
        let mut other = state.clone();
        other.form.threshold = ThresholdChoice::OfTwenty;
        assert_eq!((state.risk_question().unwrap().2, other.risk_question().unwrap().2), (0.2, 0.05));
        let risk = Ok(Risk { threshold: 0.2, ..Risk::default() });
        let known = RawRisk { by: Likeness { quasi: vec![String::from("age")], person: None }, risk };
        let answers = |state: &State| {
            let (_, by, threshold) = state.risk_question().unwrap();
            known.answers(&by, threshold)
        };
        assert_eq!((answers(&state), answers(&other)), (true, false));
    }
}
