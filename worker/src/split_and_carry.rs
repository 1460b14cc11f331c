//! Flags of Split & Carry and of the sorted list.

use clap::Args;
use lookalike_model::settings::{Bubble, Carried, CarryOptions, SortOrder, SubSolver};

use crate::flag_values::{FlagFault, choice, seconds};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct CarryArgs {
    /// Order of the list that variance-sort, greedy-search and split-and-carry go down [default: variance]
    #[arg(
        long,
        value_name = "ORDER",
        value_parser = choice::<SortOrder>(&["variance", "variance-descending", "values", "snake"])
    )]
    sort_order: Option<SortOrder>,
    /// How many sets of k records a sub-problem of split-and-carry takes from the list (S) [default: 3]
    #[arg(long, value_name = "NUMBER", conflicts_with = "carry_bubble")]
    carry_sets: Option<usize>,
    /// How many of the last records of a sub-problem have their classes carried to the next (l) [default: k]
    #[arg(long, value_name = "NUMBER", conflicts_with = "carry_bubble")]
    carry_boundary: Option<usize>,
    /// What is carried: whole classes, or of those with more than k records the subset above k [default: classes]
    #[arg(
        long,
        value_name = "WHAT",
        value_parser = choice::<Carried>(&["classes", "subset"]),
        conflicts_with = "carry_bubble"
    )]
    carry: Option<Carried>,
    /// Sub-problems of exactly P records instead, of which the A classes of least loss are kept
    #[arg(long, value_name = "P,A", value_parser = bubble)]
    carry_bubble: Option<Bubble>,
    /// How a sub-problem is solved [default: set-partitioning]
    #[arg(
        long,
        value_name = "SOLVER",
        value_parser = choice::<SubSolver>(&["set-partitioning", "programme"])
    )]
    carry_solver: Option<SubSolver>,
    /// Early termination: how long the programme may take for a sub-problem, such as 5s; not reproducible
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    carry_time_limit: Option<f64>,
}

fn bubble(text: &str) -> Result<Bubble, FlagFault> {
    let (size, keep) = text.split_once(',').ok_or(FlagFault::Bubble)?;
    let number = |x: &str| x.trim().parse().map_err(|_| FlagFault::Whole { text: x.into() });
    Ok(Bubble { size: number(size)?, keep: number(keep)? })
}

impl CarryArgs {
    /// The order of the list, if it is said.
    pub(crate) fn order(&self) -> Option<SortOrder> {
        self.sort_order
    }

    /// What Split & Carry is told, if it is told something.
    pub(crate) fn options(&self) -> Option<CarryOptions> {
        let usual = CarryOptions::default();
        let told = CarryOptions {
            sets: self.carry_sets.unwrap_or(usual.sets),
            boundary: self.carry_boundary,
            carried: self.carry.unwrap_or_default(),
            bubble: self.carry_bubble,
            solver: self.carry_solver.unwrap_or_default(),
            seconds: self.carry_time_limit,
        };
        (told != usual).then_some(told)
    }
}
