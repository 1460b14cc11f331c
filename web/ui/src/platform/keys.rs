//! Keys that are pressed anywhere on the page.

use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Document, Element, KeyboardEvent};

/// A key that means something everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressed {
    /// Esc.
    Escape,
    /// Ctrl+Enter.
    Go,
    /// Ctrl+O.
    Open,
    /// Ctrl+Z outside of a text.
    Undo,
    /// Ctrl+Shift+Z or Ctrl+Y outside of a text.
    Redo,
    /// F6: the next pane; with Shift the one before.
    Pane {
        /// With Shift.
        back: bool,
    },
}

/// Hears of these keys, until it is dropped.
pub struct OnKey {
    document: Option<Document>,
    callback: Closure<dyn FnMut(KeyboardEvent)>,
}

impl OnKey {
    /// Starts hearing; what was heard tells whether it did something, and then the browser does nothing.
    #[must_use]
    pub fn new(mut heard: impl FnMut(Pressed) -> bool + 'static) -> Self {
        let callback = Closure::<dyn FnMut(KeyboardEvent)>::new(move |event: KeyboardEvent| {
            if let Some(key) = pressed(&event)
                && heard(key)
            {
                event.prevent_default();
            }
        });
        let document = web_sys::window().and_then(|window| window.document());
        if let Some(document) = &document {
            document.set_onkeydown(Some(callback.as_ref().unchecked_ref()));
        }
        Self { document, callback }
    }
}

impl Drop for OnKey {
    fn drop(&mut self) {
        let mine = |f: js_sys::Function| &f == self.callback.as_ref().unchecked_ref::<js_sys::Function>();
        if let Some(document) = &self.document
            && document.onkeydown().is_some_and(mine)
        {
            document.set_onkeydown(None);
        }
    }
}

fn pressed(event: &KeyboardEvent) -> Option<Pressed> {
    let control = event.ctrl_key() || event.meta_key();
    let (key, shift) = (event.key(), event.shift_key());
    match key.as_str() {
        "Escape" if !control => Some(Pressed::Escape),
        "Enter" if control => Some(Pressed::Go),
        "o" | "O" if control && !shift => Some(Pressed::Open),
        // In a text they are the browser's.
        "z" | "Z" | "y" if control && !is_text(event) => {
            Some(if key == "z" && !shift { Pressed::Undo } else { Pressed::Redo })
        }
        "F6" if !control => Some(Pressed::Pane { back: shift }),
        _ => None,
    }
}

fn is_text(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| {
        element
            .matches("textarea, input:not([type=checkbox]):not([type=file]):not([type=range])")
            .unwrap_or_default()
    })
}
