//! What is said of several columns at once.

use lookalike_model::settings::{Kind, MissingPolicy, Publish};
use yew::{Callback, Html, UseReducerHandle, html};

use super::{
    PageProps,
    column::{DATE_AS, FORMS, KINDS, POLICIES},
    field::{self, Around},
    fields::{Entries, choose},
};
use crate::{
    form::Role,
    platform::dom,
    state::{Action, BulkAction, BulkForm, Said, State},
    texts::{k, text},
};

const ROLES: Entries<Option<Role>> = &[
    ("", k::BULK_AS_IT_IS, None),
    ("drop", k::FORM_NOT_PUBLISHED, Some(Role::NotPublished)),
    ("identifier", k::FORM_IDENTIFIER, Some(Role::Identifier)),
    ("quasi", k::FORM_QUASI_IDENTIFIER, Some(Role::Quasi)),
    ("sensitive", k::FORM_SENSITIVE, Some(Role::Sensitive)),
    ("keep", k::FORM_KEEP, Some(Role::Keep)),
    ("unchanged", k::FORM_UNCHANGED, Some(Role::Unchanged)),
];

/// The value that leaves a column what it is, in the menus whose empty value says something else.
const AS_IT_IS: &str = "as-it-is";

/// The box that chooses a column.
pub(super) fn chooser(props: &PageProps, at: usize, name: &str) -> Html {
    let dispatcher = props.state.dispatcher();
    let onchange = Callback::from(move |event| {
        dispatcher.dispatch(Action::Bulk(BulkAction::Choose(at, dom::is_checked(&event))));
    });
    let checked = props.state.bulk.chosen.contains(&at);
    html! {
        <input type="checkbox" class="chooser" {checked} disabled={props.state.is_busy()} {onchange}
            aria-label={t!(BULK_CHOOSE, name = name)} />
    }
}

/// The box that chooses all columns.
pub(super) fn choose_all(props: &PageProps) -> Html {
    let state = &props.state;
    let dispatcher = state.dispatcher();
    let onchange = Callback::from(move |event| {
        dispatcher.dispatch(Action::Bulk(BulkAction::ChooseAll(dom::is_checked(&event))));
    });
    let listed = state.listed();
    let checked = !listed.is_empty() && listed.iter().all(|place| state.bulk.chosen.contains(place));
    html! {
        <input id="choose-all" type="checkbox" class="chooser" {checked} disabled={state.is_busy()} {onchange}
            aria-label={t!(BULK_CHOOSE_ALL)} />
    }
}

/// The fields for the chosen columns; nothing while none is chosen.
pub(super) fn bulk(props: &PageProps) -> Html {
    let state = &props.state;
    let chosen = state.bulk.chosen.len();
    if chosen == 0 {
        return html! { <p id="bulk" class="hint">{ t!(BULK_HOW) }</p> };
    }
    let dispatcher = state.dispatcher();
    let onclick = Callback::from(move |_| dispatcher.dispatch(Action::Bulk(BulkAction::Apply)));
    let form = &state.bulk.form;
    let disabled = state.is_busy() || *form == BulkForm::default();
    // A format is said of one column.
    let kinds = KINDS.iter().filter(|(value, _)| *value != DATE_AS);
    let kinds = kinds.map(|(value, label)| (*value, text(*label), Kind::named(value)));
    let kinds = [("inferred", t!(BULK_AS_FOUND), None)].into_iter().chain(kinds).collect();
    let policies = POLICIES.iter().map(|(value, label, policy)| (*value, text(*label), *policy)).collect();
    let forms = FORMS.iter().map(|(value, label, form)| (*value, text(*label), *form)).collect();
    html! {
        <fieldset id="bulk" class="bulk" disabled={state.is_busy()} data-chosen={chosen.to_string()}>
            <legend>{ n!(BULK_CHOSEN, chosen) }</legend>
            <div class="fields">
                { choose(&around("bulk-role", t!(DESCRIBE_ROLE)), ROLES, form.role, set(state, |form, role| form.role = role)) }
                { optional::<Kind>(state, "bulk-kind", t!(DESCRIBE_KIND), kinds, &form.kind, |form, kind| form.kind = kind) }
                { optional::<MissingPolicy>(state, "bulk-missing", t!(COLUMN_ROWS_WITHOUT), policies, &form.missing,
                    |form, policy| form.missing = policy) }
                { optional::<Publish>(state, "bulk-publish", t!(COLUMN_PUBLISHED_AS), forms, &form.publish,
                    |form, publish| form.publish = publish) }
                { field::text(&around("bulk-weight", t!(COLUMN_WEIGHT_LOSS)), "decimal", &form.weight,
                    &Callback::from(set(state, |form, weight| form.weight = weight))) }
            </div>
            <p class="buttons"><button id="bulk-apply" type="button" {disabled} {onclick}>{ n!(BULK_APPLY, chosen) }</button></p>
        </fieldset>
    }
}

fn around(id: &'static str, label: &'static str) -> Around {
    Around { id, label, hint: "", wrong: None, marked: false }
}

/// Sets something in the fields.
fn set<T: 'static>(
    state: &UseReducerHandle<State>,
    set: impl Fn(&mut BulkForm, T) + 'static,
) -> impl Fn(T) + 'static {
    let state = state.clone();
    move |value| {
        let mut form = state.bulk.form.clone();
        set(&mut form, value);
        state.dispatch(Action::Bulk(BulkAction::Edit(form)));
    }
}

/// A menu whose first entry leaves a column what it is; the others are what can be said of one column.
fn optional<T: Clone + PartialEq + 'static>(
    state: &UseReducerHandle<State>,
    id: &'static str,
    label: &'static str,
    entries: Vec<(&'static str, &'static str, Option<T>)>,
    chosen: &Said<T>,
    said: impl Fn(&mut BulkForm, Said<T>) + 'static,
) -> Html {
    let value = entries.iter().find(|entry| Said::This(entry.2.clone()) == *chosen);
    let value = value.map_or(AS_IT_IS, |entry| entry.0);
    let first = [(AS_IT_IS, t!(BULK_AS_IT_IS))].into_iter();
    let options = first.chain(entries.iter().map(|(value, label, _)| (*value, *label))).collect();
    let set = set(state, said);
    let onchange = Callback::from(move |value: String| {
        let entry = entries.iter().find(|entry| entry.0 == value);
        set(entry.map_or(Said::Nothing, |entry| Said::This(entry.2.clone())));
    });
    field::menu(&around(id, label), options, value, onchange)
}
