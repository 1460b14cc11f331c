//! Step 2: what the columns are. One row a column.

use lookalike_wire::{page::ColumnInfo, settings::Role as SuggestedRole};
use yew::{Callback, Html, html};

use super::{
    PageProps,
    field::{Select, wrong},
    step, waiting,
};
use crate::{
    form::{Choice, Role},
    format::count,
    settings::Field,
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
        state.invalid().into_iter().filter(|w| w.field == Field::Roles).map(|w| w.message).collect();
    let message = (!messages.is_empty()).then(|| messages.join(" "));
    let busy = state.is_busy();
    step(
        2,
        "describe",
        "Describe its columns",
        html! {
            <>
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
                        </tr>
                    </thead>
                    <tbody>
                        { for table.columns.iter().zip(&state.choices).enumerate().map(|(index, (column, choice))| {
                            row(props, index, column, *choice, busy)
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

fn row(props: &PageProps, index: usize, column: &ColumnInfo, choice: Choice, busy: bool) -> Html {
    let state = props.state.clone();
    let onchange = Callback::from(move |value: String| {
        if let Some(role) = Role::ALL.into_iter().find(|role| role.value() == value) {
            state.dispatch(Action::SetRole(index, role));
        }
    });
    let options = Role::ALL.map(|role| (role.value(), role.label())).to_vec();
    let (value, name) = (choice.role.value(), format!("Role of {}", column.name));
    html! {
        <tr key={index} data-column={column.name.clone()} data-role={value}>
            <th scope="row">{ &column.name }</th>
            <td><Select {name} {options} {value} disabled={busy} {onchange} /></td>
            <td>{ kind(props, index, column, choice, busy) }</td>
            <td class="evidence">{ &column.evidence }{ suggested(column) }</td>
            <td class="number" data-label="distinct">{ count(column.distinct) }</td>
            <td class="number" data-label="missing">{ count(column.missing) }</td>
        </tr>
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

/// Numbers of a quasi-identifier may be labels in truth: codes, postcodes.
fn kind(props: &PageProps, index: usize, column: &ColumnInfo, choice: Choice, busy: bool) -> Html {
    let by_value = matches!(column.kind.as_str(), "integer" | "real" | "date");
    if !by_value || choice.role != Role::Quasi {
        return html! { <span class="kind">{ &column.kind }</span> };
    }
    let state = props.state.clone();
    let onchange =
        Callback::from(move |kind: String| state.dispatch(Action::SetCategory(index, kind == "category")));
    let inferred = match column.kind.as_str() {
        "integer" => "integer",
        "date" => "date",
        _ => "real",
    };
    let options = vec![("inferred", inferred), ("category", "category")];
    let value = if choice.as_category { "category" } else { "inferred" };
    html! { <Select name={format!("Kind of {}", column.name)} {options} {value} disabled={busy} {onchange} /> }
}
