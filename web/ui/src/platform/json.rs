//! What the page reads of a stored configuration itself, by the browser's own JSON.

use js_sys::{Array, JSON, Reflect};
use wasm_bindgen::JsCast;

/// The columns that a configuration names; `None` if it is none.
#[must_use]
pub fn config_columns(text: &str) -> Option<Vec<String>> {
    let fields = Reflect::get(&JSON::parse(text).ok()?, &"fields".into()).ok()?.dyn_into::<Array>().ok()?;
    fields.iter().map(|field| Reflect::get(&field, &"name".into()).ok()?.as_string()).collect()
}
