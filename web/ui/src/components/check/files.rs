//! The files of a check: the published table, and what is known beside it.

use lookalike_model::info::TableInfo;
use lookalike_wire::check::CheckedTable;
use yew::{Callback, Event, Html, html};

use crate::{
    components::{
        PageProps,
        taken::{self, Taken},
    },
    form::{CheckForm, CheckRole, ConditionField},
    platform::files::FileHandle,
    state::{PartState, Tree, part_ids},
    texts::{told as told_of, words},
};

/// What the dialogue for files offers first.
const TABLES: &str = ".csv,.tsv,.tab,.txt,.gz,.zip,.xlsx,.ods,text/csv";

/// A table: its file, what it was taken for, how large it is.
pub(super) fn part(props: &PageProps, part: CheckedTable, id: &'static str, label: &'static str) -> Html {
    let control = props.control.clone();
    let picked = Callback::from(move |file| control.open_part(part, file));
    let state = props.state.check.part(part);
    html! {
        <div class="part">
            { input(props, id, label, TABLES, picked) }
            { told(part, state) }
            { how(props, part, state) }
        </div>
    }
}

fn input(
    props: &PageProps,
    id: impl Into<yew::AttrValue>,
    label: impl Into<yew::AttrValue>,
    accept: &'static str,
    picked: Callback<FileHandle>,
) -> Html {
    let id = id.into();
    let onchange = Callback::from(move |event: Event| {
        if let Some(file) = FileHandle::picked(&event) {
            picked.emit(file);
        }
    });
    html! {
        <p>
            <span class="file">
                <input id={id.clone()} type="file" {accept} disabled={props.state.check.busy} {onchange} />
                <label for={id} class="button quiet-button">{ label.into() }</label>
            </span>
        </p>
    }
}

fn told(part: CheckedTable, state: &PartState) -> Html {
    let Some(attempt) = &state.attempt else { return html! {} };
    let id = match part {
        CheckedTable::Published => "check-opened",
        CheckedTable::Original => "original-opened",
        CheckedTable::Classes => "classes-opened",
        CheckedTable::Control => "control-opened",
    };
    match state.table.as_deref() {
        None => html! { <p role="status">{ t!(CHECK_READING, name = attempt.source.name) }</p> },
        Some(Ok(table)) => html! {
            <p {id} role="status">
                <strong>{ &attempt.source.name }</strong>
                { format!(": {}, {}.", n!(N_ROW, table.rows), n!(N_COLUMN, table.columns.len())) }
            </p>
        },
        Some(Err(why)) => html! {
            <div class="notice brick" role="alert" id={format!("{id}-failed")}>
                <p class="notice-title">{ t!(CHECK_WAS_NOT_OPENED) }</p>
                <p>{ told_of(why) }</p>
            </div>
        },
    }
}

/// How the file is read, in sight where it could not be.
fn how(props: &PageProps, part: CheckedTable, state: &PartState) -> Html {
    let Some(attempt) = state.attempt.as_ref().filter(|attempt| attempt.form.is_some()) else {
        return html! {};
    };
    let control = props.control.clone();
    let unread = state.read().is_none();
    let form = taken::view(&Taken {
        attempt,
        ids: part_ids(part),
        disabled: props.state.check.busy,
        unread,
        reading: false,
        reopen: Callback::from(move |how| control.reopen_part(part, how)),
        choose: None,
    });
    html! {
        <details class="more" open={unread}>
            <summary>{ t!(CHECK_HOW_READ, name = attempt.source.name) }</summary>
            { form }
        </details>
    }
}

/// Hierarchies of the columns that others may know, whose labels may stand in the published table, and of secret ones where a condition goes
/// by them.
pub(super) fn trees(props: &PageProps, table: &TableInfo, form: &CheckForm) -> Html {
    let by_tree = form.conditions.asks(ConditionField::Hierarchical);
    let known = |role: &CheckRole| match role {
        CheckRole::Quasi | CheckRole::QuasiCodes => true,
        CheckRole::Sensitive => by_tree,
        CheckRole::Other => false,
    };
    let columns = table.columns.iter().zip(&form.roles).enumerate().filter(|(_, (_, role))| known(role));
    html! {
        <div class="fields">{ for columns.map(|(at, (column, _))| tree(props, at, &column.name)) }</div>
    }
}

fn tree(props: &PageProps, at: usize, column: &str) -> Html {
    let (control, name) = (props.control.clone(), column.to_owned());
    let picked = Callback::from(move |file| control.name_tree(name.clone(), Some(&file)));
    let (id, label) = (format!("check-hierarchy-{at}"), t!(CHECK_HIERARCHY, column = column));
    html! {
        <div data-check-tree={column.to_owned()}>
            { input(props, id, label, ".csv,text/csv", picked) }
            if let Some(tree) = props.state.check.trees.iter().find(|tree| tree.column == column) { { tree_told(props, column, tree) } }
        </div>
    }
}

fn tree_told(props: &PageProps, column: &str, tree: &Tree) -> Html {
    let (control, name) = (props.control.clone(), column.to_owned());
    let onclick = Callback::from(move |_| control.name_tree(name.clone(), None));
    let text = match &tree.values {
        None => html! { <p class="hint" role="status">{ t!(CHECK_READING, name = tree.file) }</p> },
        Some(Ok(values)) => html! {
            <p class="hint" role="status" data-tree-values={values.to_string()}>
                { format!("{}: {}.", tree.file, n!(N_VALUE, *values)) }
            </p>
        },
        Some(Err(why)) => {
            html! { <p class="wrong brick" role="alert">{ format!("{}: {}", tree.file, words(why)) }</p> }
        }
    };
    html! {
        <>
            { text }
            <button type="button" class="quiet-button" disabled={props.state.check.busy} {onclick}>
                { t!(CHECK_DO_WITHOUT_HIERARCHY, column = column) }
            </button>
        </>
    }
}
