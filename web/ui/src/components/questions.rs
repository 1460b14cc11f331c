//! What the page has to be told before it can anonymize: each question with its answers as buttons.

use lookalike_model::settings::MissingPolicy;
use yew::{Callback, Html, MouseEvent, html};

use super::{PageProps, field::wrong, memory::last_time};
use crate::{
    form::{Form, ModelChoice, Role, RowsChoice},
    settings::{Field, Invalid},
    state::{Action, State},
};

/// The open questions, or nothing.
pub(super) fn questions(props: &PageProps) -> Html {
    let state = &*props.state;
    let (roles, others): (Vec<Invalid>, Vec<Invalid>) =
        state.invalid().into_iter().partition(|w| w.field.describes());
    let others = but_for_offers(state, others);
    let secret = state.perhaps_secret();
    // Which column is secret is a question of its own where the table suggests one, and where the guarantee needs none, too.
    let asked = usize::from(!secret.is_empty() && !roles.iter().any(|w| w.field == Field::Secret));
    let open = roles.len() + others.len();
    // While everything is suggested, that no column has a role yet is no news.
    let all_suggested = state.tables > 0 && !state.acceptable().is_empty() && !state.tried;
    let told: Vec<&str> = (roles.iter())
        .filter(|w| w.field != Field::Secret || secret.is_empty())
        .map(|w| w.message.as_str())
        .collect();
    let message = (!told.is_empty()).then(|| told.join(" "));
    html! {
        <div id="questions" tabindex="-1" data-open={open.to_string()}>
            { last_time(props) }
            if open + asked > 0 {
                // Without a number: an answer may open further questions.
                <h3>{ t!(QUESTIONS_OPEN) }</h3>
                <div id="roles" tabindex="-1">
                    if all_suggested && roles.iter().any(|w| w.field == Field::Roles) && roles.iter().all(|w| matches!(w.field, Field::Roles | Field::Secret)) {
                        <p class="question" id="roles-wrong">{ t!(QUESTIONS_ACCEPT) }</p>
                    } else {
                        { wrong("roles", message.as_deref(), state.tried) }
                    }
                </div>
                { secrets(props, &secret) }
                { for roles.iter().filter_map(|w| column(props, w.field)) }
                { for others.iter().map(|w| question(props, w)) }
            }
        </div>
    }
}

/// What is open beside the columns. That a number is not possible is said by the offers, once they stand there.
fn but_for_offers(state: &State, others: Vec<Invalid>) -> Vec<Invalid> {
    let offered = state.offers_stand();
    others.into_iter().filter(|wrong| !(offered && wrong.field == Field::M)).collect()
}

/// Whether a column is the secret one, or which of several, where one or more may be and none is.
fn secrets(props: &PageProps, places: &[usize]) -> Html {
    let state = &*props.state;
    let Some(table) = &state.table else { return html! {} };
    let button = |name: Option<&str>, text: String, action: Action| {
        let dispatcher = props.state.dispatcher();
        let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(action.clone()));
        let id = name.is_none().then_some("answer-secret-none");
        html! { <button {id} type="button" data-secret={name.map(str::to_owned)} disabled={state.is_busy()} {onclick}>{ text }</button> }
    };
    let named = places.iter().filter_map(|place| Some((*place, table.columns.get(*place)?.name.as_str())));
    let named: Vec<(usize, &str)> = named.collect();
    let (question, no) = match named.as_slice() {
        [] => return html! {},
        [(_, name)] => {
            let no = match state.form.model {
                ModelChoice::MInvariance => t!(QUESTIONS_SECRET_NO_THEN),
                ModelChoice::KAnonymity => t!(QUESTIONS_SECRET_NO),
            };
            (t!(QUESTIONS_IS_SECRET, name = name), no)
        }
        _ => {
            let (which, no) = match state.form.model {
                ModelChoice::MInvariance => (t!(QUESTIONS_WHICH_SECRET), t!(QUESTIONS_SECRET_NONE_THEN)),
                ModelChoice::KAnonymity => (t!(QUESTIONS_WHICH_SECRET_FIRST), t!(QUESTIONS_SECRET_NONE)),
            };
            (String::from(which), no)
        }
    };
    let yes = |name: &str| {
        if places.len() == 1 {
            String::from(t!(QUESTIONS_SECRET_YES))
        } else {
            t!(QUESTIONS_SECRET, name = name)
        }
    };
    html! {
        <div class="question" id="asks-secret" data-question="secret">
            <p>{ question }</p>
            <p class="buttons">
                { for named.iter().map(|(place, name)| button(Some(name), yes(name), Action::Secret(*place))) }
                { button(None, no.to_owned(), Action::NoSecret) }
            </p>
        </div>
    }
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
            let text = leave_out(&props.state, Role::Sensitive);
            missing(props, "answer-missing-sensitive", text, |form, policy| form.missing_sensitive = policy)
        }
        Field::MissingQuasi => {
            let text = leave_out(&props.state, Role::Quasi);
            missing(props, "answer-missing-quasi", text, |form, policy| form.missing_quasi = policy)
        }
        Field::RowsAre if props.state.form.rows_are == RowsChoice::Unsaid => html! {
            <>
                { answer(props, String::from("answer-rows-of-persons"), String::from(t!(QUESTIONS_SEVERAL_ROWS)), |form| form.rows_are = RowsChoice::OfPersons) }
                { answer(props, String::from("answer-rows-people"), String::from(t!(QUESTIONS_ONE_ROW)), |form| form.rows_are = RowsChoice::People) }
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

/// How many rows would be left out for missing cells of columns with this role. Of several columns a row may lack more than one cell.
fn leave_out(state: &State, role: Role) -> String {
    let usual = if role == Role::Sensitive { state.form.missing_sensitive } else { state.form.missing_quasi };
    let (rows, columns) =
        state.table.as_deref().map_or((0, &[][..]), |table| (table.rows, &table.columns[..]));
    let gaps: Vec<usize> = (columns.iter().zip(&state.choices))
        .filter(|(_, choice)| choice.role == role && choice.missing.unwrap_or(usual) == MissingPolicy::Error)
        .map(|(column, _)| column.missing)
        .filter(|missing| *missing > 0)
        .collect();
    match gaps[..] {
        [one] => n!(QUESTIONS_LEAVE_OUT, one),
        _ => n!(QUESTIONS_LEAVE_OUT_MOST, gaps.iter().sum::<usize>().min(rows)),
    }
}

fn missing(
    props: &PageProps,
    id: &'static str,
    leave_out: String,
    set: fn(&mut Form, MissingPolicy),
) -> Html {
    html! {
        <>
            { answer(props, format!("{id}-drop"), leave_out, move |form| set(form, MissingPolicy::Drop)) }
            { answer(props, format!("{id}-value"), String::from(t!(QUESTIONS_AS_VALUE)), move |form| set(form, MissingPolicy::Value)) }
        </>
    }
}

/// A button that settles something.
fn answer(props: &PageProps, id: String, text: String, set: impl Fn(&mut Form) + 'static) -> Html {
    let state = props.state.clone();
    let disabled = state.is_busy();
    let onclick = Callback::from(move |_: MouseEvent| {
        let mut form = state.form.clone();
        set(&mut form);
        state.dispatch(Action::Answer(Box::new(form)));
    });
    html! { <button {id} type="button" {disabled} {onclick}>{ text }</button> }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use lookalike_model::survey::Survey;

    use super::*;
    use crate::state::tests::described;

    #[test]
    fn how_many_rows_are_left_out_is_said_before() {
        let mut state = described();
        Rc::make_mut(state.table.as_mut().unwrap()).columns[0].missing = 2;
        assert_eq!(leave_out(&state, Role::Quasi), "Leave out 2 rows");
        // A row may lack both.
        state.choices[1].role = Role::Quasi;
        Rc::make_mut(state.table.as_mut().unwrap()).columns[1].missing = 9;
        assert_eq!(leave_out(&state, Role::Quasi), "Leave out at most 10 rows");
    }

    #[test]
    fn a_number_that_is_not_possible_is_said_once() {
        let mut state = described();
        state.form.m = String::from("9");
        let open = |state: &State| but_for_offers(state, state.invalid()).len();
        let (fields, all) =
            (|state: &State| state.invalid().iter().any(|w| w.field == Field::M), open(&state));
        assert!(fields(&state) && all == state.invalid().len(), "nothing is offered yet");
        let survey = Survey {
            sensitive: String::from("disease"),
            rows: 10,
            values: 3,
            largest_m_without_changes: 2,
            survey: Vec::new(),
            dropped: 0,
            warnings: Vec::new(),
            published: Vec::new(),
        };
        state.survey = Some(Rc::new(Ok(survey)));
        assert!(fields(&state) && open(&state) == all - 1);
    }
}
