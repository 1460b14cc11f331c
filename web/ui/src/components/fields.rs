//! Fields that show a part of the state: a menu or a text, with what is wrong with it.

use yew::{Callback, Html, html};

use super::{
    PageProps,
    field::{self, Around},
};
use crate::{
    form::Form,
    settings::Invalid,
    state::Action,
    texts::{Key, text},
};

/// Value, text and meaning of each entry of a menu.
pub(super) type Entries<T> = &'static [(&'static str, Key, T)];

/// A menu for one of several things.
pub(super) fn choose<T: Copy + PartialEq + 'static>(
    around: &Around,
    entries: Entries<T>,
    chosen: T,
    set: impl Fn(T) + 'static,
) -> Html {
    let value = entries.iter().find(|(_, _, entry)| *entry == chosen).map_or("", |(value, _, _)| value);
    let options: Vec<_> = entries.iter().map(|(value, label, _)| (*value, text(*label))).collect();
    let onchange = Callback::from(move |value: String| {
        if let Some((_, _, entry)) = entries.iter().find(|(v, _, _)| *v == value) {
            set(*entry);
        }
    });
    field::menu(around, options, value, onchange)
}

/// What is rarely needed, behind a word; it opens by itself where the focus goes inside.
pub(super) fn more(id: &'static str, summary: &'static str, content: Html) -> Html {
    html! {
        <details class="more" {id}>
            <summary>{ summary }</summary>
            { content }
        </details>
    }
}

/// The fields of the form: decision and expert settings.
pub(super) struct Fields<'a> {
    pub(super) props: &'a PageProps,
    pub(super) form: &'a Form,
    pub(super) invalid: Vec<Invalid>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(props: &'a PageProps) -> Self {
        Self { props, form: &props.state.form, invalid: props.state.invalid() }
    }

    pub(super) fn around(&self, id: &'static str, label: &'static str, hint: &'static str) -> Around {
        let wrong = self.invalid.iter().find(|w| !w.field.describes() && w.field.id() == id);
        Around { id, label, hint, wrong: wrong.map(|w| w.message.clone()), marked: self.props.state.tried }
    }

    /// Sets something in the form to what was typed or chosen.
    pub(super) fn edit(&self, set: impl Fn(&mut Form, String) + 'static) -> Callback<String> {
        let state = self.props.state.clone();
        Callback::from(move |value| {
            let mut form = state.form.clone();
            set(&mut form, value);
            state.dispatch(Action::Edit(Box::new(form)));
        })
    }

    pub(super) fn menu<T: Copy + PartialEq + 'static>(
        &self,
        around: &Around,
        entries: Entries<T>,
        chosen: T,
        set: impl Fn(&mut Form, T) + 'static,
    ) -> Html {
        let state = self.props.state.clone();
        choose(around, entries, chosen, move |entry| {
            let mut form = state.form.clone();
            set(&mut form, entry);
            state.dispatch(Action::Edit(Box::new(form)));
        })
    }

    /// A field for a line of text.
    pub(super) fn text(
        &self,
        around: &Around,
        inputmode: &'static str,
        value: &str,
        set: impl Fn(&mut Form, String) + 'static,
    ) -> Html {
        field::text(around, inputmode, value, &self.edit(set))
    }

    /// A field for several lines.
    pub(super) fn lines(
        &self,
        around: &Around,
        value: &str,
        set: impl Fn(&mut Form, String) + 'static,
    ) -> Html {
        field::lines(around, value, &self.edit(set))
    }
}
