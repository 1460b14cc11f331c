//! A column's generalisation hierarchy: made, loaded, looked at, saved, removed.

use yew::{Callback, Event, Html, html};

use super::Column;
use crate::{
    components::{
        field::{self, Around},
        fields::{Entries, choose},
        rows::rows,
    },
    form::{Making, Rows, Way},
    format::counted,
    platform::files::FileHandle,
    state::{Action, Detail, without_hierarchy},
};

const WAYS: Entries<Way> = &[
    ("interval", "Intervals of numbers", Way::Interval),
    ("prefix", "First characters: 22071, 2207*", Way::Prefix),
    ("date", "Day, month, quarter, year", Way::Date),
    ("order", "Neighbours in an order", Way::Order),
];

/// Values of a hierarchy that are shown.
const SHOWN: usize = 8;

/// The column's hierarchy, or the ways to get one.
pub(super) fn hierarchy(column: &Column, detail: &Detail) -> Html {
    html! {
        <div class="hierarchy">
            <h3>{ "Hierarchy" }</h3>
            <p class="hint">
                { "For each value ever coarser ones. A column is published by the finest that all records of a class share; \
                   for labels it also says which are near each other." }
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
    let header: Vec<String> = std::iter::once(String::from("value"))
        .chain((1..=levels).map(|level| format!("level {level}")))
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
    let (values, of) = (counted(all.len(), "value", "values"), counted(levels, "level", "levels"));
    html! {
        <>
            <p id="hierarchy-made" role="status" data-values={all.len().to_string()} data-levels={levels.to_string()}>
                { format!("{values} in {of}.") }
            </p>
            { rows("hierarchy-preview", "The first values", header.iter().map(String::as_str), &all[..all.len().min(SHOWN)]) }
            <div class="buttons">
                <button id="hierarchy-save" type="button" onclick={save}>{ "Save hierarchy" }</button>
                <button id="hierarchy-remove" type="button" onclick={remove}>{ "Remove hierarchy" }</button>
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
    let (interval, order) = (making.way == Way::Interval, making.way == Way::Order);
    html! {
        <>
            <div class="fields">
                { choose(&around("hierarchy-way", "Make one from", "From the values of the column."), WAYS, making.way, way) }
                if interval {
                    { field::text(&around("hierarchy-width", "Width", "Of the finest intervals: 5 gives [20-25[."), "decimal",
                        &making.width, &edit(|making, width| making.width = width)) }
                }
                if interval || order {
                    { field::text(&around("hierarchy-groups", "How many make one", "For each level, separated by commas: 2, 2."),
                        "text", &making.groups, &edit(|making, groups| making.groups = groups)) }
                }
                if interval {
                    { field::text(&around("hierarchy-from", "From (optional)", "Below it there is one interval."), "text",
                        &making.from, &edit(|making, from| making.from = from)) }
                    { field::text(&around("hierarchy-to", "To (optional)", "From it on there is one interval."), "text",
                        &making.to, &edit(|making, to| making.to = to)) }
                }
            </div>
            <p><button id="hierarchy-make" type="button" {onclick}>{ "Make hierarchy" }</button></p>
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
            <label for="hierarchy-input">{ "Or load a file" }</label>
            <input id="hierarchy-input" type="file" accept=".csv,.txt,text/csv" {onchange} />
            <p class="hint">{ "A line for each value: value;level 1;level 2;*, without a header, as ARX writes it." }</p>
        </>
    }
}
