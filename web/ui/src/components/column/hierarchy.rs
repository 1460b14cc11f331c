//! A column's generalisation hierarchy: made, loaded, looked at, saved, removed.

use yew::{Callback, Event, Html, html};

use super::{Column, edit};
use crate::{
    components::{
        field::{self, Around},
        fields::{Entries, choose},
        rows::rows,
    },
    form::{HierarchyKind, Making, Rows},
    platform::files::FileHandle,
    state::{Action, Detail, without_hierarchy},
    texts::k,
};

const WAYS: Entries<HierarchyKind> = &[
    ("interval", k::HIERARCHY_INTERVALS_NUMBERS, HierarchyKind::Interval),
    ("prefix", k::HIERARCHY_FIRST_CHARACTERS_22071_2207, HierarchyKind::Prefix),
    ("prefix-any-length", k::HIERARCHY_ANY_LENGTH, HierarchyKind::PrefixAnyLength),
    ("date", k::HIERARCHY_DAY_MONTH_QUARTER_YEAR, HierarchyKind::Date),
    ("order", k::HIERARCHY_NEIGHBOURS_ORDER, HierarchyKind::Order),
];

/// Values of a hierarchy that are shown.
const SHOWN: usize = 8;

/// The column's hierarchy, or the ways to get one.
pub(super) fn hierarchy(column: &Column, detail: &Detail) -> Html {
    html! {
        <div class="hierarchy">
            <h3>{ t!(HIERARCHY_HIERARCHY) }</h3>
            <p class="hint">
                { t!(HIERARCHY_FOR_EACH_VALUE_EVER) }
            </p>
            if let Some(rows) = &column.choice.hierarchy {
                { shown(column, rows) }
            } else {
                { make(column, &detail.making) }
                { load(column) }
            }
        </div>
    }
}

fn shown(column: &Column, all: &Rows) -> Html {
    let levels = all.first().map_or(0, |row| row.len() - 1);
    let header: Vec<String> = std::iter::once(String::from(t!(SPREAD_VALUE)))
        .chain((1..=levels).map(|level| t!(HIERARCHY_LEVEL, level = level)))
        .collect();
    let save = {
        let (control, all) = (column.props.control.clone(), all.clone());
        let file = format!("{}-hierarchy.csv", column.info.name);
        Callback::from(move |_| control.save_hierarchy(all.to_vec(), file.clone()))
    };
    let remove = {
        let (state, place, choice) = (column.props.state.clone(), column.place, column.choice.clone());
        Callback::from(move |_| {
            state.dispatch(Action::EditColumn(place, Box::new(without_hierarchy(&choice))));
        })
    };
    let (values, of) = (n!(N_VALUE, all.len()), n!(N_LEVEL, levels));
    html! {
        <>
            <p id="hierarchy-made" role="status" data-values={all.len().to_string()} data-levels={levels.to_string()}>
                { t!(HIERARCHY_IN, values = values, levels = of) }
            </p>
            { rows("hierarchy-preview", t!(HIERARCHY_FIRST_VALUES), header.iter().map(String::as_str), &all[..all.len().min(SHOWN)]) }
            { edit::edit(column, all) }
            <div class="buttons">
                <button id="hierarchy-save" type="button" onclick={save}>{ t!(HIERARCHY_SAVE_HIERARCHY) }</button>
                <button id="hierarchy-remove" type="button" onclick={remove}>{ t!(HIERARCHY_REMOVE_HIERARCHY) }</button>
            </div>
        </>
    }
}

fn make(column: &Column, making: &Making) -> Html {
    let edit = |set: fn(&mut Making, String)| {
        let (state, making) = (column.props.state.clone(), making.clone());
        Callback::from(move |value| {
            let mut making = making.clone();
            set(&mut making, value);
            state.dispatch(Action::Making(making));
        })
    };
    let way = {
        let (state, making) = (column.props.state.clone(), making.clone());
        move |way| state.dispatch(Action::Making(Making { way, ..making.clone() }))
    };
    let onclick = {
        let (control, asked, generator) = (column.props.control.clone(), column.asked(), making.generator());
        Callback::from(move |_| control.make_hierarchy(asked.clone(), generator.clone()))
    };
    let around = |id, label, hint| Around { id, label, hint, wrong: None, marked: false };
    let (interval, order) = (making.way == HierarchyKind::Interval, making.way == HierarchyKind::Order);
    html! {
        <>
            <div class="fields">
                { choose(&around("hierarchy-way", t!(HIERARCHY_MAKE_ONE_FROM), t!(HIERARCHY_FROM_VALUES_COLUMN)), WAYS, making.way, way) }
                if interval {
                    { field::text(&around("hierarchy-width", t!(HIERARCHY_WIDTH), t!(HIERARCHY_FINEST_INTERVALS_5_GIVES)), "decimal",
                        &making.width, &edit(|making, width| making.width = width)) }
                }
                if interval || order {
                    { field::text(&around("hierarchy-groups", t!(HIERARCHY_HOW_MANY_MAKE_ONE), t!(HIERARCHY_FOR_EACH_LEVEL_SEPARATED)),
                        "text", &making.groups, &edit(|making, groups| making.groups = groups)) }
                }
                if interval {
                    { field::text(&around("hierarchy-from", t!(HIERARCHY_FROM_OPTIONAL), t!(HIERARCHY_BELOW_THERE_ONE_INTERVAL)), "text",
                        &making.from, &edit(|making, from| making.from = from)) }
                    { field::text(&around("hierarchy-to", t!(HIERARCHY_OPTIONAL), t!(HIERARCHY_FROM_ON_THERE_ONE)), "text",
                        &making.to, &edit(|making, to| making.to = to)) }
                }
            </div>
            <p><button id="hierarchy-make" type="button" {onclick}>{ t!(HIERARCHY_MAKE_HIERARCHY) }</button></p>
        </>
    }
}

fn load(column: &Column) -> Html {
    let (control, asked) = (column.props.control.clone(), column.asked());
    let onchange = Callback::from(move |event: Event| {
        if let Some(file) = FileHandle::picked(&event) {
            control.load_hierarchy(asked.clone(), &file);
        }
    });
    html! {
        <>
            <label for="hierarchy-input">{ t!(HIERARCHY_OR_LOAD_FILE) }</label>
            <input id="hierarchy-input" type="file" accept=".csv,.txt,text/csv" {onchange} />
            <p class="hint">{ t!(HIERARCHY_LINE_FOR_EACH_VALUE) }</p>
        </>
    }
}
