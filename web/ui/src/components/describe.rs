//! Step 2: what the columns are. One row a column.

use lookalike_wire::{page::ColumnInfo, settings::Role as SuggestedRole};
use yew::{Callback, Html, html};

use super::{
    PageProps,
    column::{self, Column},
    configuration,
    field::{Select, wrong},
    memory::undo,
    step, waiting,
};
use crate::{
    form::{Choice, Role},
    format::count,
    state::Action,
};

/// Step 2: what the columns are.
pub(crate) fn describe(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(table) = &state.table else {
        return step(
            2,
            "describe",
            "Describe its columns",
            waiting("Here you say what others may know about a person, and what is to be protected."),
        );
    };
    let messages: Vec<String> =
        state.invalid().into_iter().filter(|w| w.field.describes()).map(|w| w.message).collect();
    let message = (!messages.is_empty()).then(|| messages.join(" "));
    let busy = state.is_busy();
    step(
        2,
        "describe",
        "Describe its columns",
        html! {
            <>
                { undo(props) }
                { configuration::load(props) }
                <dl class="terms">
                    { term("Quasi-identifier", "somebody may know it about a person: age, sex, postcode. Is made coarser.") }
                    { term("Sensitive", "to be protected: diagnosis, income. Is published as it is.") }
                    { term("Identifier", "names a person. Is not published.") }
                    { term("Keep", "published by class like a quasi-identifier, and audited as one; it does not count in the loss.") }
                </dl>
                <div id="roles" tabindex="-1">{ wrong("roles", message.as_deref(), state.tried) }</div>
                <table class="columns">
                    <thead>
                        <tr>
                            <th scope="col">{ "Column" }</th>
                            <th scope="col">{ "Role" }</th>
                            <th scope="col">{ "Kind" }</th>
                            <th scope="col">{ "Evidence" }</th>
                            <th scope="col" class="number">{ "Distinct" }</th>
                            <th scope="col" class="number">{ "Missing" }</th>
                            <th scope="col"><span class="unseen">{ "More" }</span></th>
                        </tr>
                    </thead>
                    <tbody>
                        { for table.columns.iter().zip(&state.choices).enumerate().map(|(index, (column, choice))| {
                            row(props, index, column, choice, busy)
                        }) }
                    </tbody>
                </table>
            </>
        },
    )
}

fn term(word: &str, meaning: &str) -> Html {
    html! { <div><dt>{ word }</dt><dd>{ meaning }</dd></div> }
}

/// A column, and more of it where that is asked for.
fn row(props: &PageProps, index: usize, info: &ColumnInfo, choice: &Choice, busy: bool) -> Html {
    let state = props.state.clone();
    let onchange = Callback::from(move |value: String| {
        if let Some(role) = Role::ALL.into_iter().find(|role| role.value() == value) {
            state.dispatch(Action::SetRole(index, role));
        }
    });
    let options = Role::ALL.map(|role| (role.value(), role.label())).to_vec();
    let (value, name) = (choice.role.value(), format!("Role of {}", info.name));
    let column = Column { props, place: index, info, choice };
    let detail = props.state.detail.as_ref().filter(|detail| {
        detail.column == index && matches!(choice.role, Role::Quasi | Role::Sensitive | Role::Keep)
    });
    html! {
        <>
            <tr key={index} data-column={info.name.clone()} data-role={value}>
                <th scope="row">{ &info.name }</th>
                <td><Select {name} {options} {value} disabled={busy} {onchange} /></td>
                <td>{ column::kind(&column, busy) }</td>
                <td class="evidence">{ &info.evidence }{ question(info, choice) }{ suggested(info) }</td>
                <td class="number" data-label="distinct">{ count(info.distinct) }</td>
                <td class="number" data-label="missing">{ count(info.missing) }</td>
                <td class="more">{ column::button(&column, detail.is_some()) }</td>
            </tr>
            if let Some(detail) = detail { { column::detail(&column, detail) } }
        </>
    }
}

/// Cells that can be read in two ways.
fn question(info: &ColumnInfo, choice: &Choice) -> Html {
    match &info.question {
        Some(question) if choice.role == Role::Quasi && choice.kind.is_none() => {
            html! { <div class="amber">{ question }</div> }
        }
        _ => html! {},
    }
}

/// A suggestion is shown, never applied.
fn suggested(column: &ColumnInfo) -> Html {
    let Some(suggestion) = &column.suggestion else { return Html::default() };
    let role = match suggestion.role {
        SuggestedRole::Identifier => "identifier",
        SuggestedRole::QuasiIdentifier => "quasi-identifier",
        SuggestedRole::Sensitive => "sensitive",
        SuggestedRole::Keep => "keep",
    };
    html! { <div class="suggestion">{ format!("Perhaps {role}: {}.", suggestion.reason) }</div> }
}
