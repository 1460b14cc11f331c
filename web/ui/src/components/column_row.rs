//! A column: its name, its values as a small picture, and its role as a chip.

use std::rc::Rc;

use lookalike_model::info::{ColumnInfo, TableInfo};
use yew::{
    AttrValue, Callback, FocusEvent, Html, KeyboardEvent, MouseEvent, Properties, function_component, html,
};

use super::{
    PageProps, bulk,
    column::{self, Column},
    field::Select,
};
use crate::{
    form::{Choice, Decided, Role},
    state::{Action, suggested_role},
    texts::Language,
};

/// The sign of a role: what tells it apart where colour does not.
pub(super) const fn glyph(role: Role) -> &'static str {
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

/// What is to be known of a row.
#[derive(Clone, Properties)]
pub(super) struct RowProps {
    page: PageProps,
    place: usize,
    table: Rc<TableInfo>,
    choice: Choice,
    language: Language,
    /// The keyboard enters here.
    entry: bool,
    /// Where the row is, if others are not in the document.
    index: Option<usize>,
    flags: Flags,
    /// Told when something in the row gets the focus; it does the same whenever it was made, as does the next.
    onfocus: Callback<usize>,
    /// Told of keys that are pressed on the name.
    onkey: Callback<(usize, KeyboardEvent)>,
}

/// How a row is shown.
#[derive(Clone, Copy, PartialEq)]
struct Flags {
    busy: bool,
    /// Its sheet is open.
    open: bool,
    /// Whether it is chosen, where several are changed together.
    chosen: Option<bool>,
}

impl PartialEq for RowProps {
    /// The rest of the page changes without the row.
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
            && Rc::ptr_eq(&self.table, &other.table)
            && self.choice == other.choice
            && self.language == other.language
            && (self.entry, self.index, self.flags) == (other.entry, other.index, other.flags)
    }
}

/// What is told by a row.
type Told = (Callback<usize>, Callback<(usize, KeyboardEvent)>);

impl Row {
    /// The row of the column at this place.
    pub(super) fn props(
        page: &PageProps,
        place: usize,
        entry: bool,
        index: Option<usize>,
        told: Told,
    ) -> Option<RowProps> {
        let state = &*page.state;
        let flags = Flags {
            busy: state.is_busy(),
            open: state.detail.as_ref().is_some_and(|detail| detail.column == place),
            chosen: state.view.several.then(|| state.bulk.chosen.contains(&place)),
        };
        let (table, choice) = (state.table.clone()?, state.choices.get(place)?.clone());
        let (language, (onfocus, onkey)) = (state.language, told);
        Some(RowProps {
            page: page.clone(),
            place,
            table,
            choice,
            language,
            entry,
            index,
            flags,
            onfocus,
            onkey,
        })
    }
}

/// The row.
#[function_component]
pub(super) fn Row(props: &RowProps) -> Html {
    let (place, choice, flags) = (props.place, &props.choice, props.flags);
    let Some(info) = props.table.columns.get(place) else { return html! {} };
    let onkeydown = {
        let dispatcher = props.page.state.dispatcher();
        Callback::from(move |event: KeyboardEvent| {
            if let Some(role) = by_key(&event.key()).filter(|_| !flags.busy && is_plain(&event)) {
                event.prevent_default();
                dispatcher.dispatch(Action::SetRole(place, role));
            }
        })
    };
    let onfocusin = props.onfocus.reform(move |_: FocusEvent| place);
    let asks = column::asks(&Column { props: &props.page, place, info, choice });
    html! {
        <tr data-column={info.name.clone()} data-role={choice.role.value()} class={flags.open.then_some("open")} aria-rowindex={props.index.map(|index| index.to_string())}
            {onkeydown} {onfocusin}>
            <th scope="row">
                <div class="named">
                    if flags.chosen.is_some() { { bulk::chooser(&props.page, place, &info.name) } }
                    { name(props, info) }
                    if asks { <span class="asks" title={t!(DESCRIBE_ASKS)}><span aria-hidden="true">{ "?" }</span><span class="unseen">{ t!(DESCRIBE_ASKS) }</span></span> }
                </div>
            </th>
            <td>{ column::picture(info) }</td>
            <td>{ chip(props, info) }</td>
        </tr>
    }
}

fn is_plain(event: &KeyboardEvent) -> bool {
    !event.ctrl_key() && !event.alt_key() && !event.meta_key()
}

/// Where the row is left out by the tabulator, unless the keyboard enters there.
fn stop(props: &RowProps) -> &'static str {
    if props.entry { "0" } else { "-1" }
}

/// The role that a key stands for.
fn by_key(key: &str) -> Option<Role> {
    Role::ALL.get(key.parse::<usize>().ok()?.checked_sub(1)?).copied()
}

fn name(props: &RowProps, info: &ColumnInfo) -> Html {
    let (place, open) = (props.place, props.flags.open);
    let dispatcher = props.page.state.dispatcher();
    let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Detail(place)));
    let label =
        if open { t!(COLUMN_LESS_ABOUT, name = info.name) } else { t!(COLUMN_MORE_ABOUT, name = info.name) };
    let onkey = props.onkey.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if is_plain(&event) {
            onkey.emit((place, event));
        }
    });
    html! {
        <button type="button" class="link name" id={format!("column-{place}")} aria-expanded={open.to_string()} title={info.name.clone()}
            aria-label={label} tabindex={stop(props)} {onclick} {onkeydown}>{ &info.name }</button>
    }
}

fn chip(props: &RowProps, info: &ColumnInfo) -> Html {
    let (place, choice) = (props.place, &props.choice);
    let dispatcher = props.page.state.dispatcher();
    let onchange = Callback::from(move |value: String| {
        if let Some(role) = Role::ALL.into_iter().find(|role| role.value() == value) {
            dispatcher.dispatch(Action::SetRole(place, role));
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
            <Select {name} {first} {options} {value} disabled={props.flags.busy} tabindex={stop(props)} {onchange} />
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
