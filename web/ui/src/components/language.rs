//! The choice of the page's language.

use yew::{AttrValue, Callback, Html, html};

use super::{PageProps, field::Select};
use crate::texts::Language;

/// The choice of the page's language; each language is called as it calls itself.
pub(crate) fn language(props: &PageProps) -> Html {
    let control = props.control.clone();
    let onchange = Callback::from(move |code: String| {
        if let Some(language) = Language::of(&code) {
            control.speak(language);
        }
    });
    let options = Language::ALL.map(|language| (language.code(), language.name())).to_vec();
    let value = AttrValue::Static(props.state.language.code());
    html! {
        <div class="language">
            <label for="language">{ t!(APP_LANGUAGE) }</label>
            <Select id="language" {options} {value} {onchange} />
        </div>
    }
}
