//! What is seen, one file each. What has no state of its own is a plain function, not a component: a component costs the
//! page 2 kB, and its memory of properties is of no use where everything hangs on one state.

mod asks;
mod bar;
mod browse;
mod bulk;
mod certificate;
mod changes;
mod charts;
mod check;
mod checks;
mod column;
mod column_list;
mod column_row;
mod conditions;
mod configuration;
mod decision;
mod describe;
mod eligibility;
mod expert;
mod field;
mod fields;
mod figures;
mod first;
mod keeping;
mod language;
mod look;
mod memory;
mod middle;
pub(crate) mod notice;
mod numbers;
mod offers;
mod output;
mod picking;
mod questions;
mod reading;
mod repair;
mod rows;
mod run;
mod sample;
mod save;
mod scheme;
mod search;
mod series;
mod sizes;
mod solve;
mod strip;
mod taken;
mod threshold;
mod verdict;
mod virtual_rows;
mod weights;
mod wide_columns;
mod workbook;

pub(crate) use asks::asks;
pub(crate) use bar::bar;
pub(crate) use check::check;
pub(crate) use column::sheet as column_sheet;
pub(crate) use decision::decision;
pub(crate) use describe::describe;
pub(crate) use expert::expert;
pub(crate) use first::first;
pub(crate) use language::language;
pub(crate) use look::look;
pub(crate) use middle::middle;
pub(crate) use notice::engine as engine_notice;
pub(crate) use save::save;
pub(crate) use strip::strip;

use yew::{Properties, UseReducerHandle};

use crate::{control::Control, state::State};

/// What every step gets.
#[derive(Clone, PartialEq, Properties)]
pub struct PageProps {
    /// Everything the page knows, and the way to tell it what happened.
    pub state: UseReducerHandle<State>,
    /// What can be asked for.
    pub control: Control,
}
