//! What the page has to be told before it can anonymize: each question with its answers as buttons.

use lookalike_model::settings::MissingPolicy;
use yew::{Callback, Html, MouseEvent, html};

use super::{PageProps, field::wrong};
use crate::{
    form::{Form, Role, RowsChoice},
    settings::{Field, Invalid},
    state::Action,
};

/// The open questions, or nothing.
pub(super) fn questions(props: &PageProps) -> Html {
    let state = &*props.state;
    let (roles, others): (Vec<Invalid>, Vec<Invalid>) =
        state.invalid().into_iter().partition(|w| w.field.describes());
    let count = roles.len() + others.len();
    // While everything is suggested, that no column has a role yet is no news.
    let all_suggested = state.tables > 0 && !state.acceptable().is_empty() && !state.tried;
    let message = (!roles.is_empty()).then(|| join(&roles));
    html! {
        <div id="questions" tabindex="-1" data-open={count.to_string()}>
            if count > 0 {
                <h3>{ n!(QUESTIONS_OPEN, count) }</h3>
                <div id="roles" tabindex="-1">
                    if all_suggested && roles.iter().all(|w| w.field == Field::Roles) {
                        <p class="question" id="roles-wrong">{ t!(QUESTIONS_ACCEPT) }</p>
                    } else {
                        { wrong("roles", message.as_deref(), state.tried) }
                    }
                </div>
                if !all_suggested { { secrets(props) } }
                { for roles.iter().filter_map(|w| column(props, w.field)) }
                { for others.iter().map(|w| question(props, w)) }
            }
        </div>
    }
}

fn join(all: &[Invalid]) -> String {
    all.iter().map(|w| w.message.as_str()).collect::<Vec<_>>().join(" ")
}

/// The columns of which one may be the secret one, where none is.
fn secrets(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(table) = &state.table else { return html! {} };
    let chosen = state.choices.iter().any(|choice| choice.role == Role::Sensitive);
    let suggested = state.suggestions().into_iter().filter(|(_, role)| *role == Role::Sensitive && !chosen);
    let button = |(place, _): (usize, Role)| {
        let dispatcher = props.state.dispatcher();
        let onclick = Callback::from(move |_: MouseEvent| {
            dispatcher.dispatch(Action::Secret(place));
        });
        let name = &table.columns[place].name;
        html! { <button type="button" data-secret={name.clone()} disabled={state.is_busy()} {onclick}>{ t!(QUESTIONS_SECRET, name = name) }</button> }
    };
    let buttons: Vec<Html> = suggested.map(button).collect();
    html! { if !buttons.is_empty() { <p class="question buttons">{ for buttons }</p> } }
}

/// The way to the sheet of a column.
fn column(props: &PageProps, field: Field) -> Option<Html> {
    let Field::Column(place) = field else { return None };
    let state = &props.state;
    let name = state.table.as_ref()?.columns.get(place)?.name.clone();
    let dispatcher = state.dispatcher();
    let onclick =
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Lead(Field::Column(place))));
    Some(
        html! { <p><button type="button" disabled={state.is_busy()} {onclick}>{ t!(QUESTIONS_LOOK_AT, name = name) }</button></p> },
    )
}

/// A question with its answers.
fn question(props: &PageProps, asked: &Invalid) -> Html {
    let answers = match asked.field {
        Field::MissingSensitive => {
            missing(props, "answer-missing-sensitive", |form, policy| form.missing_sensitive = policy)
        }
        Field::MissingQuasi => {
            missing(props, "answer-missing-quasi", |form, policy| form.missing_quasi = policy)
        }
        Field::RowsAre if props.state.form.rows_are == RowsChoice::Unsaid => html! {
            <>
                { answer(props, String::from("answer-rows-of-persons"), t!(QUESTIONS_SEVERAL_ROWS), |form| form.rows_are = RowsChoice::OfPersons) }
                { answer(props, String::from("answer-rows-people"), t!(QUESTIONS_ONE_ROW), |form| form.rows_are = RowsChoice::People) }
            </>
        },
        field => {
            let dispatcher = props.state.dispatcher();
            let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Lead(field)));
            html! { <button type="button" {onclick}>{ t!(QUESTIONS_GO) }</button> }
        }
    };
    // The others are asked in their own fields, which have these ids.
    let is_asked = asked.field.is_question();
    html! {
        <div class="question" id={is_asked.then(|| asked.field.question())} tabindex={is_asked.then_some("-1")} data-question={asked.field.id()}>
            <p>{ &asked.message }</p>
            <p class="buttons">{ answers }</p>
        </div>
    }
}

fn missing(props: &PageProps, id: &'static str, set: fn(&mut Form, MissingPolicy)) -> Html {
    html! {
        <>
            { answer(props, format!("{id}-drop"), t!(QUESTIONS_LEAVE_OUT), move |form| set(form, MissingPolicy::Drop)) }
            { answer(props, format!("{id}-value"), t!(QUESTIONS_AS_VALUE), move |form| set(form, MissingPolicy::Value)) }
        </>
    }
}

/// A button that settles something.
fn answer(props: &PageProps, id: String, text: &'static str, set: impl Fn(&mut Form) + 'static) -> Html {
    let state = props.state.clone();
    let disabled = state.is_busy();
    let onclick = Callback::from(move |_: MouseEvent| {
        let mut form = state.form.clone();
        set(&mut form);
        state.dispatch(Action::Answer(Box::new(form)));
    });
    html! { <button {id} type="button" {disabled} {onclick}>{ text }</button> }
}
