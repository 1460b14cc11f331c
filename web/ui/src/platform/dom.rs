//! Elements: values, focus, where the page is mounted.

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::{Event, NodeRef};

/// The element that the page is mounted into.
#[must_use]
pub fn root() -> Option<web_sys::Element> {
    element("app")
}

/// The value of the field that an event comes from.
#[must_use]
pub fn value(event: &yew::InputEvent) -> String {
    value_of(event.target())
}

/// The value of the menu or field whose change an event reports.
#[must_use]
pub fn changed(event: &Event) -> String {
    value_of(event.target())
}

/// The value of the field with this id; empty if there is none.
#[must_use]
pub fn value_by_id(id: &str) -> String {
    value_of(element(id).map(Into::into))
}

/// How far the element that an event comes from is scrolled, and how much of it is in view, in pixels.
#[must_use]
pub fn scrolled(event: &Event) -> (f64, f64) {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.map_or((0.0, 0.0), |e| (f64::from(e.scroll_top()), f64::from(e.client_height())))
}

/// How far the element that an event comes from is scrolled sideways, in pixels.
#[must_use]
pub fn scrolled_sideways(event: &Event) -> f64 {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.map_or(0.0, |e| f64::from(e.scroll_left()))
}

/// Scrolls an element to so many pixels.
pub fn scroll_to(node: &NodeRef, at: f64) {
    if let Some(element) = node.cast::<web_sys::Element>() {
        element.set_scroll_top(at as i32);
    }
}

/// Whether the details that were opened or folded are open.
#[must_use]
pub fn is_open(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.is_some_and(|details| details.has_attribute("open"))
}

/// Whether the box whose change an event reports is ticked.
#[must_use]
pub fn is_checked(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    target.is_some_and(|input| input.checked())
}

/// Makes an entry of a menu the chosen one.
pub fn choose(menu: &NodeRef, value: &str) {
    if let Some(menu) = menu.cast::<HtmlSelectElement>().filter(|menu| menu.value() != value) {
        menu.set_value(value);
    }
}

/// Moves the focus, and the view with it: a heading to the top, a field so that its label stays in view.
pub fn focus(id: &str) {
    if let Some(element) = element(id).and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        // What is folded away opens.
        while let Ok(Some(folded)) = element.closest("details:not([open])") {
            if folded.set_attribute("open", "").is_err() {
                break;
            }
        }
        // An element that cannot be focused is no reason to stop.
        let _ = element.focus();
        if element.tab_index() < 0 {
            element.scroll_into_view();
        }
    }
}

/// Presses what has this id, unless it is disabled.
pub fn click(id: &str) {
    if let Some(element) = element(id).and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        element.click();
    }
}

/// The heading of the pane that has the focus.
#[must_use]
pub fn focused_pane() -> Option<String> {
    let focused = web_sys::window()?.document()?.active_element()?;
    focused.closest(".pane").ok()??.get_attribute("aria-labelledby")
}

/// The id of what has the focus; of the heading of the table where that has none.
#[must_use]
pub fn focused_id() -> String {
    let focused = web_sys::window().and_then(|window| window.document()?.active_element());
    focused.map(|focused| focused.id()).filter(|id| !id.is_empty()).unwrap_or_else(|| String::from("open"))
}

/// The language that the browser prefers, as a tag such as `de-AT`; empty if it does not say.
#[must_use]
pub fn language() -> String {
    web_sys::window().and_then(|window| window.navigator().language()).unwrap_or_default()
}

/// Says which language the page is in.
pub fn set_language(code: &str) {
    let root = web_sys::window().and_then(|window| window.document()?.document_element());
    if let Some(root) = root {
        // Only voices that read the page aloud would miss it.
        let _ = root.set_attribute("lang", code);
    }
}

/// Whether threads are possible here.
#[must_use]
pub fn is_isolated() -> bool {
    js_sys::Reflect::get(&js_sys::global(), &"crossOriginIsolated".into()).is_ok_and(|x| x.is_truthy())
}

fn element(id: &str) -> Option<web_sys::Element> {
    web_sys::window()?.document()?.get_element_by_id(id)
}

fn value_of(target: Option<web_sys::EventTarget>) -> String {
    let Some(target) = target else { return String::new() };
    if let Some(select) = target.dyn_ref::<HtmlSelectElement>() {
        return select.value();
    }
    if let Some(area) = target.dyn_ref::<HtmlTextAreaElement>() {
        return area.value();
    }
    target.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::value).unwrap_or_default()
}
