//! Step 2: what the columns are. One row a column.

use lookalike_model::{info::ColumnInfo, settings::Role as SuggestedRole};
use yew::{Callback, Html, html};

use super::{
    PageProps, bulk,
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
    texts::told,
};

/// Step 2: what the columns are.
pub(crate) fn describe(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(table) = &state.table else {
        return step(
            2,
            "describe",
            t!(DESCRIBE_DESCRIBE_ITS_COLUMNS),
            waiting(t!(DESCRIBE_HERE_YOU_SAY_WHAT)),
        );
    };
    let messages: Vec<String> =
        state.invalid().into_iter().filter(|w| w.field.describes()).map(|w| w.message).collect();
    let message = (!messages.is_empty()).then(|| messages.join(" "));
    let busy = state.is_busy();
    step(
        2,
        "describe",
        t!(DESCRIBE_DESCRIBE_ITS_COLUMNS),
        html! {
            <>
                { undo(props) }
                { configuration::load(props) }
                <dl class="terms">
                    { term(Role::Quasi.label(), t!(DESCRIBE_SOMEBODY_MAY_KNOW_ABOUT)) }
                    { term(Role::Sensitive.label(), t!(DESCRIBE_BE_PROTECTED_DIAGNOSIS_INCOME)) }
                    { term(Role::Identifier.label(), t!(DESCRIBE_NAMES_PERSON_NOT_PUBLISHED)) }
                    { term(Role::Keep.label(), t!(DESCRIBE_PUBLISHED_BY_CLASS_LIKE)) }
                    { term(Role::Unchanged.label(), t!(DESCRIBE_PUBLISHED_UNCHANGED)) }
                </dl>
                <div id="roles" tabindex="-1">{ wrong("roles", message.as_deref(), state.tried) }</div>
                if !state.cells.notes.is_empty() {
                    <ul id="cell-notes" class="notes">
                        { for state.cells.notes.iter().map(|note| html! { <li>{ told(note) }</li> }) }
                    </ul>
                }
                { bulk::bulk(props) }
                <table class="columns">
                    <thead>
                        <tr>
                            <th scope="col">{ bulk::choose_all(props) }{ t!(DESCRIBE_COLUMN) }</th>
                            <th scope="col">{ t!(DESCRIBE_ROLE) }</th>
                            <th scope="col">{ t!(DESCRIBE_KIND) }</th>
                            <th scope="col">{ t!(DESCRIBE_EVIDENCE) }</th>
                            <th scope="col" class="number">{ t!(DESCRIBE_DISTINCT) }</th>
                            <th scope="col" class="number">{ t!(DESCRIBE_MISSING) }</th>
                            <th scope="col"><span class="unseen">{ t!(DESCRIBE_MORE) }</span></th>
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
    let (value, name) = (choice.role.value(), t!(DESCRIBE_ROLE_OF, name = info.name));
    let column = Column { props, place: index, info, choice };
    let detail =
        props.state.detail.as_ref().filter(|detail| detail.column == index && column::has_more(choice.role));
    html! {
        <>
            <tr key={index} data-column={info.name.clone()} data-role={value}>
                <th scope="row"><div class="named">{ bulk::chooser(props, index, &info.name) }<span>{ &info.name }</span></div></th>
                <td><Select {name} {options} {value} disabled={busy} {onchange} /></td>
                <td>{ column::kind(&column, busy) }</td>
                <td class="evidence">{ column::picture(info) }{ told(&info.evidence) }{ question(info, choice) }{ column::proposed(&column, busy) }{ column::unknown(&column, busy) }{ suggested(info) }</td>
                <td class="number" data-label={t!(DESCRIBE_N_DISTINCT)}>{ count(info.distinct) }</td>
                <td class="number" data-label={t!(DESCRIBE_N_MISSING)}>{ count(info.missing) }</td>
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
            html! { <div class="amber">{ told(question) }</div> }
        }
        _ => html! {},
    }
}

/// A suggestion is shown, never applied.
fn suggested(column: &ColumnInfo) -> Html {
    let Some(suggestion) = &column.suggestion else { return Html::default() };
    let role = match suggestion.role {
        SuggestedRole::Identifier => Role::Identifier,
        SuggestedRole::QuasiIdentifier => Role::Quasi,
        SuggestedRole::Sensitive => Role::Sensitive,
        SuggestedRole::Keep => Role::Keep,
        SuggestedRole::Unchanged => Role::Unchanged,
    };
    html! { <div class="suggestion">{ t!(DESCRIBE_PERHAPS, role = role.label()) }{ " " }{ told(&suggestion.reason) }{ "." }</div> }
}
