//! The columns on the left: a row each, with its values as a small picture and its role as a chip. All else of a column is in its
//! sheet.

use std::rc::Rc;

use yew::{Callback, Html, InputEvent, KeyboardEvent, MouseEvent, html};

use super::{
    PageProps, bulk,
    column_list::{ColumnList, FILTER},
    column_row::glyph,
};
use crate::{
    form::{Decided, ModelChoice, Role},
    platform::dom,
    state::{Action, State, ViewAction},
    texts::told,
};

/// Columns from which on they can be filtered.
const MANY: usize = 12;

/// The columns.
pub(crate) fn describe(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(table) = &state.table else { return html! {} };
    let listed: Rc<[usize]> = state.listed().into();
    let filters = table.columns.len() > MANY;
    html! {
        <section class="pane columns-pane" aria-labelledby="describe">
            <h2 id="describe" tabindex="-1">{ n!(N_COLUMN, table.columns.len()) }</h2>
            if filters { { filter(props) } }
            if state.view.taken_over { <p id="taken-over" class="hint">{ t!(DESCRIBE_TAKEN_OVER) }</p> }
            { accept(props) }
            if !state.cells.notes.is_empty() {
                <ul id="cell-notes" class="notes hint">
                    { for state.cells.notes.iter().map(|note| html! { <li>{ told(note) }</li> }) }
                </ul>
            }
            <ColumnList page={props.clone()} places={listed} {filters} />
            { several(props) }
            <details id="roles-explained" class="more">
                <summary>{ t!(DESCRIBE_WHAT_ROLES_MEAN) }</summary>
                <dl class="terms">
                    { for Role::ALL.into_iter().enumerate().map(|(at, role)| term(at + 1, role)) }
                </dl>
                <p class="hint">{ t!(DESCRIBE_KEYS) }</p>
            </details>
        </section>
    }
}

fn filter(props: &PageProps) -> Html {
    let dispatcher = props.state.dispatcher();
    let oninput = Callback::from(move |event: InputEvent| {
        dispatcher.dispatch(Action::View(ViewAction::Filter(dom::value(&event))));
    });
    // Down from the field, the columns that are left begin.
    let first = props.state.listed().first().copied();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if let Some(place) = first.filter(|_| event.key() == "ArrowDown") {
            event.prevent_default();
            dom::focus(&format!("column-{place}"));
        }
    });
    html! {
        <input id={FILTER} type="text" aria-label={t!(DESCRIBE_FILTER)} placeholder={t!(DESCRIBE_FILTER)} autocomplete="off"
            spellcheck="false" value={props.state.view.filter.clone()} {oninput} {onkeydown} />
    }
}

/// The button that accepts the suggestions, all at once; its line keeps its room when the last one is decided.
fn accept(props: &PageProps) -> Html {
    let state = &*props.state;
    if state.table.iter().all(|table| table.columns.iter().all(|column| column.suggestion.is_none())) {
        return html! {};
    }
    let as_suggested = state.choices.iter().filter(|choice| choice.decided == Decided::AsSuggested).count();
    let together = state.acceptable().len();
    let line = if together > 0 {
        let dispatcher = props.state.dispatcher();
        let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Accept));
        html! { <button id="accept" type="button" disabled={state.is_busy()} {onclick}>{ n!(DESCRIBE_ACCEPT, together) }</button> }
    } else if let Some(why) = yourself(state) {
        html! { <p class="hint">{ why }</p> }
    } else if as_suggested > 0 {
        html! { <p id="accepted" class="hint">{ n!(DESCRIBE_ACCEPTED, as_suggested) }</p> }
    } else {
        html! {}
    };
    html! { <div class="accepting">{ line }</div> }
}

/// Why suggestions are left that are not accepted together; `None` where none are left.
fn yourself(state: &State) -> Option<&'static str> {
    if state.suggestions().is_empty() {
        return None;
    }
    let is_chosen = state.choices.iter().any(|choice| choice.role == Role::Sensitive);
    Some(match (state.form.model, is_chosen) {
        (ModelChoice::KAnonymity, _) => t!(DESCRIBE_SEVERAL_SECRET),
        (ModelChoice::MInvariance, true) => t!(DESCRIBE_ONE_IS_SECRET),
        (ModelChoice::MInvariance, false) => t!(DESCRIBE_ONE_SECRET),
    })
}

fn several(props: &PageProps) -> Html {
    let state = &*props.state;
    let dispatcher = props.state.dispatcher();
    let on = state.view.several;
    let onclick =
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::View(ViewAction::Several(!on))));
    html! {
        <>
            <p>
                <button id="several" type="button" class="link" aria-pressed={on.to_string()} disabled={state.is_busy()} {onclick}>
                    { if on { t!(DESCRIBE_SEVERAL_OFF) } else { t!(DESCRIBE_SEVERAL) } }
                </button>
            </p>
            if on {
                <p>{ bulk::choose_all(props) }<label for="choose-all" class="beside">{ t!(BULK_CHOOSE_ALL) }</label></p>
                { bulk::bulk(props) }
            }
        </>
    }
}

fn term(key: usize, role: Role) -> Html {
    html! { <div><dt><kbd>{ key }</kbd>{ " " }{ glyph(role) }{ " " }{ role.label() }</dt><dd>{ role.meaning() }</dd></div> }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use lookalike_model::{
        info::{Confidence, Suggestion},
        settings,
    };
    use lookalike_words::Said;

    use super::*;
    use crate::{
        form::Choice,
        state::{reduce, tests::described},
    };

    #[test]
    fn how_many_columns_can_be_secret_depends_on_the_guarantee() {
        let mut state = described();
        assert_eq!(yourself(&state), None);
        for column in &mut Rc::make_mut(state.table.as_mut().unwrap()).columns {
            column.suggestion = Some(Suggestion {
                role: settings::Role::Sensitive,
                confidence: Confidence::High,
                reason: Said::verbatim("why"),
            });
        }
        state.choices = vec![Choice::default(); 2];
        let told = |model, state: &State| {
            let mut state = state.clone();
            state.form.model = model;
            yourself(&state).unwrap()
        };
        assert!(told(ModelChoice::MInvariance, &state).contains("one column can be secret"));
        assert!(told(ModelChoice::KAnonymity, &state).contains("which columns are secret"));
        let chosen = reduce(state, Action::SetRole(0, Role::Sensitive));
        assert!(told(ModelChoice::MInvariance, &chosen).starts_with("One column is secret already"));
    }
}
