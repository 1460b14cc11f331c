//! The columns on the left: a row each, with its values as a small picture and its role as a chip. All else of a column is in its
//! sheet.

use lookalike_model::info::ColumnInfo;
use yew::{AttrValue, Callback, Html, InputEvent, KeyboardEvent, MouseEvent, html};

use super::{
    PageProps, bulk,
    column::{self, Column},
    field::Select,
};
use crate::{
    form::{Choice, Decided, Role},
    platform::dom,
    state::{Action, ViewAction, suggested_role},
    texts::told,
};

/// Columns from which on they can be filtered.
const MANY: usize = 12;

/// The columns.
pub(crate) fn describe(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(table) = &state.table else { return html! {} };
    let wanted = state.view.filter.trim().to_lowercase();
    let rows = table.columns.iter().zip(&state.choices).enumerate();
    let shown = rows.filter(|(_, (info, _))| wanted.is_empty() || info.name.to_lowercase().contains(&wanted));
    html! {
        <section class="pane columns-pane" aria-labelledby="describe">
            <h2 id="describe" tabindex="-1">{ n!(N_COLUMN, table.columns.len()) }</h2>
            if table.columns.len() > MANY { { filter(props) } }
            { accept(props) }
            if !state.cells.notes.is_empty() {
                <ul id="cell-notes" class="notes hint">
                    { for state.cells.notes.iter().map(|note| html! { <li>{ told(note) }</li> }) }
                </ul>
            }
            <table class="columns">
                <caption class="unseen">{ t!(DESCRIBE_HERE_YOU_SAY_WHAT) }</caption>
                <thead class="unseen">
                    <tr>
                        <th scope="col">{ t!(DESCRIBE_COLUMN) }</th>
                        <th scope="col">{ t!(HISTOGRAM_VALUES) }</th>
                        <th scope="col">{ t!(DESCRIBE_ROLE) }</th>
                    </tr>
                </thead>
                <tbody>{ for shown.map(|(place, (info, choice))| row(props, place, info, choice)) }</tbody>
            </table>
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
    html! {
        <input id="column-filter" type="text" aria-label={t!(DESCRIBE_FILTER)} placeholder={t!(DESCRIBE_FILTER)} autocomplete="off"
            spellcheck="false" value={props.state.view.filter.clone()} {oninput} />
    }
}

/// The button that accepts the suggestions, all at once.
fn accept(props: &PageProps) -> Html {
    let state = &*props.state;
    let (open, together) = (state.suggestions().len(), state.acceptable().len());
    let as_suggested = state.choices.iter().filter(|choice| choice.decided == Decided::AsSuggested).count();
    if open == 0 {
        return match as_suggested {
            0 => html! {},
            n => html! { <p id="accepted" class="hint">{ n!(DESCRIBE_ACCEPTED, n) }</p> },
        };
    }
    let dispatcher = props.state.dispatcher();
    let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Accept));
    html! {
        <>
            if together > 0 {
                <p><button id="accept" type="button" disabled={state.is_busy()} {onclick}>{ n!(DESCRIBE_ACCEPT, together) }</button></p>
            }
            if together < open { <p class="hint">{ t!(DESCRIBE_ONE_SECRET) }</p> }
        </>
    }
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

/// The sign of a role: what tells it apart where colour does not.
const fn glyph(role: Role) -> &'static str {
    match role {
        Role::Quasi => "●",
        Role::Sensitive => "◆",
        Role::Unchanged => "=",
        Role::NotPublished => "–",
        Role::Keep => "○",
        Role::Identifier => "×",
    }
}

/// The entry of a chip that shows what is suggested.
const SUGGESTED: &str = "suggested";

/// A column.
fn row(props: &PageProps, place: usize, info: &ColumnInfo, choice: &Choice) -> Html {
    let state = &*props.state;
    let busy = state.is_busy();
    let onkeydown = {
        let dispatcher = props.state.dispatcher();
        Callback::from(move |event: KeyboardEvent| {
            let plain = !busy && !event.ctrl_key() && !event.alt_key() && !event.meta_key();
            if let Some(role) = by_key(&event.key()).filter(|_| plain) {
                event.prevent_default();
                dispatcher.dispatch(Action::SetRole(place, role));
            }
        })
    };
    let open = state.detail.as_ref().is_some_and(|detail| detail.column == place);
    let column = Column { props, place, info, choice };
    let asks = column::asks(&column);
    html! {
        <tr key={place} data-column={info.name.clone()} data-role={choice.role.value()} class={open.then_some("open")} {onkeydown}>
            <th scope="row">
                <div class="named">
                    if state.view.several { { bulk::chooser(props, place, &info.name) } }
                    { name(props, place, info, open) }
                    if asks { <span class="asks" title={t!(DESCRIBE_ASKS)}><span aria-hidden="true">{ "?" }</span><span class="unseen">{ t!(DESCRIBE_ASKS) }</span></span> }
                </div>
            </th>
            <td>{ column::picture(info) }</td>
            <td>{ chip(props, place, info, choice) }</td>
        </tr>
    }
}

/// The role that a key stands for.
fn by_key(key: &str) -> Option<Role> {
    Role::ALL.get(key.parse::<usize>().ok()?.checked_sub(1)?).copied()
}

fn name(props: &PageProps, place: usize, info: &ColumnInfo, open: bool) -> Html {
    let dispatcher = props.state.dispatcher();
    let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Detail(place)));
    let label =
        if open { t!(COLUMN_LESS_ABOUT, name = info.name) } else { t!(COLUMN_MORE_ABOUT, name = info.name) };
    html! {
        <button type="button" class="link name" id={format!("column-{place}")} aria-expanded={open.to_string()} title={info.name.clone()}
            aria-label={label} {onclick}>{ &info.name }</button>
    }
}

fn chip(props: &PageProps, place: usize, info: &ColumnInfo, choice: &Choice) -> Html {
    let state = props.state.clone();
    let onchange = Callback::from(move |value: String| {
        if let Some(role) = Role::ALL.into_iter().find(|role| role.value() == value) {
            state.dispatch(Action::SetRole(place, role));
        }
    });
    let suggested = suggested_role(info, choice);
    let shown = suggested.unwrap_or(choice.role);
    let options = Role::ALL.map(|role| (role.value(), role.label())).to_vec();
    let (first, value, name) = match suggested {
        Some(role) => {
            let shown = AttrValue::from(t!(DESCRIBE_SUGGESTED, role = role.label()));
            let name = t!(DESCRIBE_ROLE_OF_SUGGESTED, name = info.name, role = role.label());
            (Some((SUGGESTED, shown)), SUGGESTED, name)
        }
        None => (None, choice.role.value(), t!(DESCRIBE_ROLE_OF, name = info.name)),
    };
    let decided = match (suggested, choice.decided) {
        (Some(_), _) => "suggested",
        (None, Decided::Nobody) => "open",
        (None, Decided::AsSuggested | Decided::User) => "decided",
    };
    html! {
        <span class={format!("chip {} {decided}", shown.value())}>
            <span aria-hidden="true">{ glyph(shown) }</span>
            <Select {name} {first} {options} {value} disabled={props.state.is_busy()} {onchange} />
        </span>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_keys_of_roles() {
        assert_eq!(by_key("1"), Some(Role::Quasi));
        assert_eq!(by_key("2"), Some(Role::Sensitive));
        assert_eq!(by_key("6"), Some(Role::Identifier));
        assert!(["0", "7", "q", "", "Enter", "-1"].into_iter().all(|key| by_key(key).is_none()));
    }
}
