//! The master with HiGHS's simplex. The model stays alive: columns and cuts are added to it, boxes are the artificial
//! columns' costs, and each solve starts from the last basis. What is dropped is switched off, and taken out by
//! building the model anew once more is off than on.

use highs::{Col, ColProblem, HighsModelStatus, HighsStatus, Model, Row, Sense};

use super::{Column, Cut, Kind, Limits, Master, Programme, Solution, Target};
use crate::{Error, Failure};

/// Simplex iterations between two questions whether to stop.
const SLICE: i64 = 2000;

/// HiGHS's numbers for its dual and its primal simplex.
const DUAL: i32 = 1;
const PRIMAL: i32 = 4;

/// See the module's description.
pub(super) struct Highs {
    programme: Programme,
    live: Option<Live>,
}

/// The model and where everything stands in it.
struct Live {
    model: Model,
    rows: Vec<Row>,
    /// Per row the column of what is missing and the one of what is too much.
    artificials: Vec<[Col; 2]>,
    columns: Vec<Col>,
    /// Per cut its row and that row's number.
    cuts: Vec<(Row, usize)>,
    /// Per cut a free column that is fixed to 0 as long as the cut holds.
    switches: Vec<Col>,
    off: usize,
    /// Whether the last basis is still primal feasible: new columns and costs leave it so, new rows do not.
    feasible: bool,
}

impl Highs {
    pub(super) fn new(programme: Programme) -> Self {
        Self { programme, live: None }
    }

    /// Solves, keeps the model, and returns its values.
    fn optimise(&mut self, limits: &Limits<'_>) -> Result<highs::Solution, Error> {
        let mut live = match self.live.take() {
            Some(live) => live,
            None => Live::build(&self.programme).map_err(status)?,
        };
        let strategy = if live.feasible { PRIMAL } else { DUAL };
        let option = live.model.try_set_option("simplex_strategy", strategy);
        option.map_err(|_| failed(Failure::RefusesOption { option: "simplex_strategy" }))?;
        let mut limit = SLICE;
        loop {
            let iterations = i32::try_from(limit).unwrap_or(i32::MAX);
            let option = live.model.try_set_option("simplex_iteration_limit", iterations);
            option.map_err(|_| failed(Failure::RefusesOption { option: "simplex_iteration_limit" }))?;
            let solved = live.model.try_solve().map_err(status)?;
            match solved.status() {
                HighsModelStatus::Optimal => {
                    let solution = solved.get_solution();
                    self.live = Some(Live { model: Model::from(solved), feasible: true, ..live });
                    return Ok(solution);
                }
                HighsModelStatus::ReachedIterationLimit if (limits.stop)() => return Err(Error::Stopped),
                HighsModelStatus::ReachedIterationLimit => {
                    limit = limit.max(solved.simplex_iteration_count()) + SLICE;
                    live.model = Model::from(solved);
                }
                // The artificial columns cover every row: only the dual can be infeasible.
                HighsModelStatus::Infeasible
                | HighsModelStatus::Unbounded
                | HighsModelStatus::UnboundedOrInfeasible => return Err(Error::Infeasible),
                other => return Err(failed(Failure::Ended { status: format!("{other:?}") })),
            }
        }
    }

    /// Applies `change` to the live model, if there is one; a model that fails is built anew.
    fn apply(&mut self, change: impl FnOnce(&mut Live, &Programme) -> Result<(), HighsStatus>) {
        if let Some(mut live) = self.live.take()
            && change(&mut live, &self.programme).is_ok()
            && live.off <= live.columns.len() + live.cuts.len()
        {
            self.live = Some(live);
        }
    }
}

impl Live {
    fn build(programme: &Programme) -> Result<Self, HighsStatus> {
        let mut problem = ColProblem::new();
        let rows: Vec<Row> = programme.b().iter().map(|&b| problem.add_row(b..=b)).collect();
        let cuts: Vec<(Row, usize)> = (rows.len()..)
            .zip(programme.rhs())
            .map(|(place, &rhs)| (problem.add_row(..=rhs), place))
            .collect();
        let mut model = problem.try_optimise(Sense::Minimise)?;
        // One thread: HiGHS's thread pool would outlive the solve. No presolve: it would lose the basis of a slice.
        for (option, value) in [("parallel", "off"), ("presolve", "off"), ("solver", "simplex")] {
            model.try_set_option(option, value).map_err(|_| HighsStatus::Error)?;
        }
        let mut live = Self {
            model,
            rows,
            artificials: Vec::with_capacity(programme.rows()),
            columns: Vec::with_capacity(programme.columns()),
            cuts,
            switches: Vec::with_capacity(programme.cuts()),
            off: 0,
            feasible: false,
        };
        for (row, (&lower, &upper)) in live.rows.iter().zip(programme.lower().iter().zip(programme.upper())) {
            let missing = live.model.try_add_column(upper, 0.0.., [(*row, 1.0)])?;
            let surplus = live.model.try_add_column(-lower, 0.0.., [(*row, -1.0)])?;
            live.artificials.push([missing, surplus]);
        }
        for &(cut, _) in &live.cuts {
            live.switches.push(live.model.try_add_column(0.0, 0.0..=0.0, [(cut, -1.0)])?);
        }
        live.add_columns(programme)?;
        Ok(live)
    }

    /// Adds the programme's columns that are not in the model yet.
    fn add_columns(&mut self, programme: &Programme) -> Result<(), HighsStatus> {
        for column in &programme.stored()[self.columns.len()..] {
            let rows = column.rows.iter().map(|&(r, a)| (self.rows[r as usize], a));
            let cuts = column.cuts.iter().map(|&(c, a)| (self.cuts[c as usize].0, a));
            self.columns.push(self.model.try_add_column(column.cost, 0.0.., rows.chain(cuts))?);
        }
        Ok(())
    }

    /// Adds the programme's cuts that are not in the model yet.
    fn add_cuts(&mut self, programme: &Programme) -> Result<(), HighsStatus> {
        let first = self.cuts.len();
        self.feasible = false;
        let mut terms: Vec<Vec<(Col, f64)>> = vec![Vec::new(); programme.cuts() - first];
        for (column, &col) in programme.stored().iter().zip(&self.columns) {
            let new = column.cuts.iter().filter(|(cut, _)| *cut as usize >= first);
            for &(cut, a) in new {
                terms[cut as usize - first].push((col, a));
            }
        }
        for (terms, &rhs) in terms.into_iter().zip(&programme.rhs()[first..]) {
            let row = self.model.try_add_row(..=rhs, terms)?;
            self.cuts.push((row, self.model.num_rows() - 1));
            self.switches.push(self.model.try_add_column(0.0, 0.0..=0.0, [(row, -1.0)])?);
        }
        Ok(())
    }

    fn drop_columns(&mut self, keep: &[bool]) {
        self.feasible = false;
        for (&col, _) in self.columns.iter().zip(keep).filter(|(_, keep)| !**keep) {
            self.model.change_column_bounds(col, 0.0..=0.0);
            self.off += 1;
        }
        let mut flags = keep.iter();
        self.columns.retain(|_| flags.next().is_some_and(|&k| k));
    }

    fn drop_cuts(&mut self, keep: &[bool]) {
        for (&switch, _) in self.switches.iter().zip(keep).filter(|(_, keep)| !**keep) {
            self.model.change_column_bounds(switch, 0.0..);
            self.off += 1;
        }
        let mut flags = keep.iter();
        self.cuts.retain(|_| flags.next().is_some_and(|&k| k));
        let mut flags = keep.iter();
        self.switches.retain(|_| flags.next().is_some_and(|&k| k));
    }
}

impl Master for Highs {
    fn programme(&self) -> &Programme {
        &self.programme
    }

    fn kind(&self) -> Kind {
        Kind::Highs
    }

    fn add_columns(&mut self, columns: &[Column]) -> Result<(), Error> {
        self.programme.add_columns(columns)?;
        self.apply(Live::add_columns);
        Ok(())
    }

    fn add_cuts(&mut self, cuts: &[Cut]) -> Result<(), Error> {
        self.programme.add_cuts(cuts)?;
        self.apply(Live::add_cuts);
        Ok(())
    }

    fn retain_columns(&mut self, keep: &[bool]) -> Result<(), Error> {
        self.programme.retain_columns(keep)?;
        self.apply(|live, _| {
            live.drop_columns(keep);
            Ok(())
        });
        Ok(())
    }

    fn retain_cuts(&mut self, keep: &[bool]) -> Result<(), Error> {
        self.programme.retain_cuts(keep)?;
        self.apply(|live, _| {
            live.drop_cuts(keep);
            Ok(())
        });
        Ok(())
    }

    fn set_boxes(&mut self, lower: &[f64], upper: &[f64]) -> Result<(), Error> {
        self.programme.set_boxes(lower, upper)?;
        self.apply(|live, programme| {
            for (row, &[missing, surplus]) in live.artificials.iter().enumerate() {
                live.model.change_column_cost(missing, programme.upper()[row]);
                live.model.change_column_cost(surplus, -programme.lower()[row]);
            }
            Ok(())
        });
        Ok(())
    }

    fn solve(&mut self, _: Target, limits: &Limits<'_>) -> Result<Solution, Error> {
        let solution = self.optimise(limits)?;
        let Some(live) = &self.live else {
            return Err(failed(Failure::ModelLost));
        };
        // The model's rows: those of the programme, then cuts in the order they were added.
        let dual = solution.dual_rows();
        let boxes = self.programme.lower().iter().zip(self.programme.upper());
        let duals: Vec<f64> = dual.iter().zip(boxes).map(|(d, (&l, &u))| d.clamp(l, u)).collect();
        let sigmas: Vec<f64> = live.cuts.iter().map(|cut| (-dual[cut.1]).max(0.0)).collect();
        let value = |col: &Col| solution[*col].max(0.0);
        let x = live.columns.iter().map(value).collect();
        let artificial = live.artificials.iter().flatten().map(value).sum();
        let value = self.programme.dual_value(&duals, &sigmas);
        Ok(Solution { value, duals, sigmas, x, artificial: Some(artificial) })
    }
}

fn status(status: HighsStatus) -> Error {
    failed(Failure::Answers { status: format!("{status:?}") })
}

fn failed(why: Failure) -> Error {
    Error::Backend { backend: "highs", why }
}
