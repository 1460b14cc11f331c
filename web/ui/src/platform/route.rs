//! The part of the address behind `#`: which view is asked for.

use wasm_bindgen::{JsCast, prelude::Closure};

/// Listens as long as it lives.
pub struct Route {
    _listener: Closure<dyn FnMut()>,
}

impl Route {
    /// Tells what stands behind `#`, now and whenever it changes.
    #[must_use]
    pub fn watch(told: impl Fn(String) + 'static) -> Self {
        let tell = move || {
            if let Some(hash) = web_sys::window().and_then(|window| window.location().hash().ok()) {
                told(hash);
            }
        };
        tell();
        let listener = Closure::<dyn FnMut()>::new(tell);
        if let Some(window) = web_sys::window() {
            window.set_onhashchange(Some(listener.as_ref().unchecked_ref()));
        }
        Self { _listener: listener }
    }
}

/// Scheme, host and port of the page's own server.
#[must_use]
pub fn origin() -> String {
    web_sys::window().and_then(|window| window.location().origin().ok()).unwrap_or_default()
}

impl Drop for Route {
    fn drop(&mut self) {
        if let Some(window) = web_sys::window() {
            window.set_onhashchange(None);
        }
    }
}
