//! Fields with their label, their hint, and what is wrong with them.

use yew::{
    AttrValue, Callback, Event, Html, InputEvent, Properties, function_component, html, use_effect_with,
    use_node_ref,
};

use crate::platform::dom;

/// What is beside every field.
pub(super) struct Around {
    /// Id of the element.
    pub(super) id: &'static str,
    /// Its name.
    pub(super) label: &'static str,
    /// What it means.
    pub(super) hint: &'static str,
    /// What is wrong with it.
    pub(super) wrong: Option<String>,
    /// Somebody tried to go on in spite of it.
    pub(super) marked: bool,
}

impl Around {
    fn describedby(&self) -> Option<String> {
        let hint = (!self.hint.is_empty()).then(|| format!("{}-hint", self.id));
        let wrong = self.wrong.as_ref().map(|_| format!("{}-wrong", self.id));
        let ids: Vec<String> = hint.into_iter().chain(wrong).collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    }

    fn invalid(&self) -> Option<&'static str> {
        (self.wrong.is_some() && self.marked).then_some("true")
    }

    fn frame(&self, control: Html) -> Html {
        html! {
            <div class="field">
                <label for={self.id}>{ self.label }</label>
                { control }
                { wrong(self.id, self.wrong.as_deref(), self.marked) }
                if !self.hint.is_empty() {
                    <p class="hint" id={format!("{}-hint", self.id)}>{ self.hint }</p>
                }
            </div>
        }
    }
}

/// What is wrong with a field: still to do at first, an error once somebody tried to go on.
pub(super) fn wrong(id: &str, message: Option<&str>, marked: bool) -> Html {
    let Some(message) = message else { return html! {} };
    let (class, word) =
        if marked { ("wrong brick", t!(FIELD_CORRECT)) } else { ("wrong amber", t!(FIELD_DO)) };
    html! { <p {class} id={format!("{id}-wrong")}><strong>{ word }</strong>{ " " }{ message }</p> }
}

/// A field for text; `inputmode` is the keyboard of a touch screen: "numeric", "decimal", "text", and "password" hides
/// what is typed.
pub(super) fn text(
    around: &Around,
    inputmode: &'static str,
    value: &str,
    oninput: &Callback<String>,
) -> Html {
    let onchange = on_change(value, oninput);
    let oninput = oninput.reform(|event: InputEvent| dom::value(&event));
    let (kind, inputmode) = if inputmode == "password" { (inputmode, "text") } else { ("text", inputmode) };
    around.frame(html! {
        <input
            id={around.id} type={kind} {inputmode} autocomplete="off" spellcheck="false"
            value={value.to_owned()} {oninput} {onchange}
            aria-describedby={around.describedby()} aria-invalid={around.invalid()}
        />
    })
}

/// Other programs that write into a field or empty it, such as those that fill in forms, may report the change alone and no input.
/// What stands in the field then is what counts.
fn on_change(shown: &str, edit: &Callback<String>) -> Callback<Event> {
    let (shown, edit) = (shown.to_owned(), edit.clone());
    Callback::from(move |event: Event| {
        let now = dom::changed(&event);
        if now != shown {
            edit.emit(now);
        }
    })
}

/// A field for several lines of text.
pub(super) fn lines(around: &Around, value: &str, oninput: &Callback<String>) -> Html {
    let onchange = on_change(value, oninput);
    let oninput = oninput.reform(|event: InputEvent| dom::value(&event));
    around.frame(html! {
        <textarea
            id={around.id} rows="3" autocomplete="off" spellcheck="false" value={value.to_owned()} {oninput} {onchange}
            aria-describedby={around.describedby()} aria-invalid={around.invalid()}
        />
    })
}

/// A menu with its label: value and text of each entry, the value of the chosen one.
pub(super) fn menu(
    around: &Around,
    options: Vec<(&'static str, &'static str)>,
    value: &'static str,
    onchange: Callback<String>,
) -> Html {
    around.frame(html! {
        <Select
            id={around.id} {options} {value} {onchange}
            describedby={around.describedby()} invalid={around.invalid()}
        />
    })
}

/// A menu of names, such as those of columns, with its label; `none` stands for none of them, or an empty entry for none yet.
pub(super) fn names(
    around: &Around,
    none: Option<&'static str>,
    names: Vec<AttrValue>,
    value: String,
    onchange: Callback<String>,
) -> Html {
    let options = match none {
        None if !value.is_empty() => Vec::new(),
        none => vec![("", none.unwrap_or_default())],
    };
    around.frame(html! {
        <Select
            id={around.id} {options} more={names} {value} {onchange}
            describedby={around.describedby()} invalid={around.invalid()}
        />
    })
}

/// A box to tick, with its label.
pub(super) fn tick(id: &'static str, label: &str, checked: bool, set: impl Fn(bool) + 'static) -> Html {
    let onchange = Callback::from(move |event: Event| set(dom::is_checked(&event)));
    html! {
        <>
            <input {id} type="checkbox" {checked} {onchange} />
            <label class="beside" for={id}>{ label.to_owned() }</label>
        </>
    }
}

/// A menu alone.
#[derive(PartialEq, Properties)]
pub(super) struct SelectProps {
    /// Its id, if a label refers to it.
    #[prop_or_default]
    pub(super) id: Option<&'static str>,
    /// Its name, if no label refers to it.
    #[prop_or_default]
    pub(super) name: Option<String>,
    /// An entry before all others.
    #[prop_or_default]
    pub(super) first: Option<(&'static str, AttrValue)>,
    /// Value and text of each entry.
    pub(super) options: Vec<(&'static str, &'static str)>,
    /// Entries after these whose value is their text.
    #[prop_or_default]
    pub(super) more: Vec<AttrValue>,
    /// The value of the chosen entry.
    pub(super) value: AttrValue,
    /// Called with the value that is chosen.
    pub(super) onchange: Callback<String>,
    /// Cannot be changed now.
    #[prop_or_default]
    pub(super) disabled: bool,
    /// Whether the tabulator stops here, if not as usual.
    #[prop_or_default]
    pub(super) tabindex: Option<&'static str>,
    /// Ids of what explains it.
    #[prop_or_default]
    pub(super) describedby: Option<String>,
    /// Whether it is marked as wrong.
    #[prop_or_default]
    pub(super) invalid: Option<&'static str>,
}

/// A menu alone.
#[function_component]
pub(super) fn Select(props: &SelectProps) -> Html {
    let node = use_node_ref();
    // Once the user has chosen, the attribute `selected` no longer moves the choice; the property does.
    use_effect_with((node.clone(), props.value.clone()), |(node, value)| dom::choose(node, value));
    let onchange = props.onchange.reform(|event: Event| dom::changed(&event));
    html! {
        <select
            ref={node} id={props.id} aria-label={props.name.clone()} disabled={props.disabled} tabindex={props.tabindex} {onchange}
            aria-describedby={props.describedby.clone()} aria-invalid={props.invalid}
        >
            if let Some((value, text)) = &props.first {
                <option value={*value} selected={*value == props.value}>{ text }</option>
            }
            { for props.options.iter().map(|&(value, text)| html! {
                <option {value} selected={value == props.value}>{ text }</option>
            }) }
            { for props.more.iter().map(|text| html! {
                <option value={text} selected={*text == props.value}>{ text }</option>
            }) }
        </select>
    }
}
