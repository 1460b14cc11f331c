//! Whether the work outlives a reload: asked for, refused, or come back.

use yew::{Callback, Html, html};

use super::PageProps;
use crate::platform::dom;

/// The box that asks for it, by this id, and what became of that.
pub(super) fn keeping(props: &PageProps, id: &'static str) -> Html {
    let keeping = &props.state.keeping;
    let control = props.control.clone();
    let onchange = Callback::from(move |event| control.keep_work(dom::is_checked(&event)));
    let hint = format!("{id}-hint");
    html! {
        <>
            <p>
                <input {id} type="checkbox" checked={keeping.on} {onchange} aria-describedby={hint.clone()} />
                <label class="beside" for={id}>{ t!(KEEP_WORK) }</label>
            </p>
            <p class="hint" id={hint}>{ t!(KEEP_HINT) }</p>
            <div role="status">
                if let Some(why) = &keeping.refused { <p id={format!("{id}-refused")} class="wrong amber">{ why.html() }</p> }
            </div>
        </>
    }
}

/// What came back after a reload, and what did not; or that nothing did.
pub(super) fn came_back(props: &PageProps) -> Html {
    let keeping = &props.state.keeping;
    if keeping.is_back {
        return html! { <p id="came-back" class="hint" role="status">{ t!(KEEP_BACK) }</p> };
    }
    match &keeping.refused {
        Some(why) if props.state.table.is_none() => {
            html! { <div id="not-back" class="notice amber" role="status"><p>{ why.html() }</p></div> }
        }
        _ => html! {},
    }
}
