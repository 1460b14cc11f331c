//! Fields with their label, their hint, and what is wrong with them.

use yew::{
    AttrValue, Callback, Event, Html, InputEvent, Properties, function_component, html, use_effect_with,
    use_node_ref,
};

use crate::platform::dom;

/// What is beside every field.
#[derive(Clone, PartialEq, Properties)]
pub struct Around {
    /// Id of the element.
    pub id: &'static str,
    /// Its name.
    pub label: AttrValue,
    /// What it means.
    #[prop_or_default]
    pub hint: AttrValue,
    /// What is wrong with it.
    #[prop_or_default]
    pub wrong: Option<String>,
    /// Somebody tried to go on in spite of it.
    #[prop_or_default]
    pub marked: bool,
}

impl Around {
    fn describedby(&self) -> String {
        let wrong = self.wrong.as_ref().map(|_| format!(" {}-wrong", self.id)).unwrap_or_default();
        format!("{}-hint{wrong}", self.id)
    }

    fn invalid(&self) -> Option<&'static str> {
        (self.wrong.is_some() && self.marked).then_some("true")
    }

    fn frame(&self, control: Html) -> Html {
        html! {
            <div class="field">
                <label for={self.id}>{ &self.label }</label>
                { control }
                { wrong(self.id, self.wrong.as_deref(), self.marked) }
                <p class="hint" id={format!("{}-hint", self.id)}>{ &self.hint }</p>
            </div>
        }
    }
}

/// What is wrong with a field: still to do at first, an error once somebody tried to go on.
pub(super) fn wrong(id: &str, message: Option<&str>, marked: bool) -> Html {
    let Some(message) = message else { return html! {} };
    let (class, word) = if marked { ("wrong brick", "To correct: ") } else { ("wrong amber", "To do: ") };
    html! { <p {class} id={format!("{id}-wrong")}><strong>{ word }</strong>{ message }</p> }
}

/// A field for text.
#[derive(PartialEq, Properties)]
pub struct TextProps {
    /// What is beside it.
    pub around: Around,
    /// What is in it.
    pub value: AttrValue,
    /// Called with what is typed.
    pub oninput: Callback<String>,
    /// The keyboard of a touch screen: "numeric", "decimal", "text".
    #[prop_or("text")]
    pub inputmode: &'static str,
    /// Hides what is typed.
    #[prop_or_default]
    pub secret: bool,
}

/// A field for text.
#[function_component]
pub fn Text(props: &TextProps) -> Html {
    let oninput = props.oninput.reform(|event: InputEvent| dom::value(&event));
    let around = &props.around;
    around.frame(html! {
        <input
            id={around.id} type={if props.secret { "password" } else { "text" }} inputmode={props.inputmode}
            autocomplete="off" spellcheck="false" value={props.value.clone()} {oninput}
            aria-describedby={around.describedby()} aria-invalid={around.invalid()}
        />
    })
}

/// A menu with its label.
#[derive(PartialEq, Properties)]
pub struct MenuProps {
    /// What is beside it.
    pub around: Around,
    /// Value and text of each entry.
    pub options: Vec<(&'static str, &'static str)>,
    /// The value of the chosen entry.
    pub value: &'static str,
    /// Called with the value that is chosen.
    pub onchange: Callback<String>,
}

/// A menu with its label.
#[function_component]
pub fn Menu(props: &MenuProps) -> Html {
    let around = &props.around;
    around.frame(html! {
        <Select
            id={around.id} options={props.options.clone()} value={props.value} onchange={props.onchange.clone()}
            describedby={around.describedby()} invalid={around.invalid()}
        />
    })
}

/// A menu alone.
#[derive(PartialEq, Properties)]
pub struct SelectProps {
    /// Its id, if a label refers to it.
    #[prop_or_default]
    pub id: Option<&'static str>,
    /// Its name, if no label refers to it.
    #[prop_or_default]
    pub name: Option<String>,
    /// Value and text of each entry.
    pub options: Vec<(&'static str, &'static str)>,
    /// The value of the chosen entry.
    pub value: &'static str,
    /// Called with the value that is chosen.
    pub onchange: Callback<String>,
    /// Cannot be changed now.
    #[prop_or_default]
    pub disabled: bool,
    /// Ids of what explains it.
    #[prop_or_default]
    pub describedby: Option<String>,
    /// Whether it is marked as wrong.
    #[prop_or_default]
    pub invalid: Option<&'static str>,
}

/// A menu alone.
#[function_component]
pub fn Select(props: &SelectProps) -> Html {
    let node = use_node_ref();
    // Once the user has chosen, the attribute `selected` no longer moves the choice; the property does.
    use_effect_with((node.clone(), props.value), |(node, value)| dom::choose(node, value));
    let onchange = props.onchange.reform(|event: Event| dom::changed(&event));
    html! {
        <select
            ref={node} id={props.id} aria-label={props.name.clone()} disabled={props.disabled} {onchange}
            aria-describedby={props.describedby.clone()} aria-invalid={props.invalid}
        >
            { for props.options.iter().map(|&(value, text)| html! {
                <option {value} selected={value == props.value}>{ text }</option>
            }) }
        </select>
    }
}
