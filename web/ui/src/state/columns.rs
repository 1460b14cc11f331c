//! How what is said of columns changes: details, orders, hierarchies, a loaded configuration.

use lookalike_model::settings::{Kind, Publish};
use lookalike_wire::page::Configured;
use lookalike_words::Said;

use super::{Detail, State, Towards, reduce::attend};
use crate::{
    form::{Choice, Decided, Making, Role, Rows},
    settings::fields,
    texts::Words,
};

/// A column gets a role.
pub(super) fn role(state: &mut State, column: usize, role: Role) {
    if let Some(choice) = state.choices.get_mut(column) {
        (choice.role, choice.decided) = (role, Decided::User);
    }
}

/// What is proposed for a column is taken; the focus goes to this field of it.
pub(super) fn take(state: &mut State, column: usize, choice: Choice, field: &'static str) {
    edit(state, column, choice);
    show(state, column);
    attend(state, field);
}

/// Changes something of what is shown of a column, if more of one is.
pub(super) fn of_detail(state: &mut State, change: impl FnOnce(&mut Detail)) {
    if let Some(detail) = &mut state.detail {
        change(detail);
    }
}

/// Shows more of a column, or no more if it is shown.
pub(super) fn detail(state: &mut State, column: usize) {
    state.view.expert = false;
    if state.detail.as_ref().is_some_and(|detail| detail.column == column) {
        state.detail = None;
        attend(state, format!("column-{column}"));
    } else {
        show(state, column);
        if state.detail.is_some() {
            attend(state, "column-sheet");
        }
    }
}

/// Shows more of a column.
pub(super) fn show(state: &mut State, column: usize) {
    let Some(info) = state.table.as_ref().and_then(|table| table.columns.get(column)) else { return };
    if state.detail.as_ref().is_none_or(|detail| detail.column != column) {
        let kind = state.choices.get(column).map_or(info.kind.as_str(), |choice| choice.kind_of(&info.kind));
        let making = Making::of(kind);
        state.detail = Some(Detail { column, making, ..Detail::default() });
    }
}

/// Says something else of a column. What its hierarchy is usually made from follows its kind.
pub(super) fn edit(state: &mut State, column: usize, choice: Choice) {
    let Some(known) = state.choices.get_mut(column) else { return };
    let before = std::mem::replace(known, choice);
    let Some(found) = state.table.as_ref().and_then(|table| table.columns.get(column)) else { return };
    let way = Making::of(known.kind_of(&found.kind)).way;
    if let Some(detail) = state.detail.as_mut().filter(|detail| detail.column == column)
        && way != Making::of(before.kind_of(&found.kind)).way
    {
        detail.making.way = way;
    }
}

/// The place of a column.
fn place(state: &State, name: &str) -> Option<usize> {
    state.table.as_ref()?.columns.iter().position(|column| column.name == name)
}

/// Says what is wrong, or that nothing is, if the column is shown.
fn tell(state: &mut State, column: usize, wrong: Option<Said>) {
    if let Some(detail) = state.detail.as_mut().filter(|detail| detail.column == column) {
        detail.wrong = wrong;
    }
}

/// An order begins with the values as they are sorted.
pub(super) fn values(state: &mut State, column: &str, values: Result<Vec<String>, Said>) {
    let Some(at) = place(state, column) else { return };
    match values {
        Ok(values) => {
            let choice = &mut state.choices[at];
            if choice.kind == Some(Kind::Ordinal) && choice.order.is_empty() {
                choice.order = values;
            }
            tell(state, at, None);
        }
        Err(why) => tell(state, at, Some(why)),
    }
}

/// Moves the chosen value by one place; at the end it stays.
pub(super) fn move_value(state: &mut State, towards: Towards) {
    let Some(detail) = &state.detail else { return };
    let Some(choice) = state.choices.get_mut(detail.column) else { return };
    let Some(from) = choice.order.iter().position(|value| *value == detail.value) else { return };
    let to = match towards {
        Towards::Least => from.checked_sub(1),
        Towards::Greatest => Some(from + 1).filter(|to| *to < choice.order.len()),
    };
    if let Some(to) = to {
        choice.order.swap(from, to);
    }
}

/// Whoever gives a column a hierarchy wants it published by that, unless another form was chosen for it.
pub(super) fn hierarchy(state: &mut State, column: &str, made: Result<Rows, Said>) {
    let Some(at) = place(state, column) else { return };
    match made {
        Ok(rows) => {
            let choice = &mut state.choices[at];
            choice.hierarchy = Some(rows);
            choice.publish = choice.publish.or(Some(Publish::Hierarchy));
            tell(state, at, None);
        }
        Err(why) => tell(state, at, Some(why)),
    }
}

/// Without its hierarchy a column cannot be published by it.
#[must_use]
pub fn without_hierarchy(choice: &Choice) -> Choice {
    let publish = choice.publish.filter(|form| *form != Publish::Hierarchy);
    Choice { hierarchy: None, publish, ..choice.clone() }
}

/// A configuration says all: what it leaves out has its default, but for the seed, which it never has.
pub(super) fn configured(state: &mut State, configured: Result<Box<Configured>, Words>) {
    let Some(table) = &state.table else { return };
    state.configured = Some(match configured {
        Ok(configured) => {
            let seed = std::mem::take(&mut state.form.seed);
            (state.choices, state.form) = fields(table, &configured);
            state.form.seed = seed;
            state.detail = None;
            state.tried = false;
            Ok(configured.notes)
        }
        Err(why) => Err(why),
    });
    attend(state, "configured");
}
