//! The page. It knows the wire types and nothing else of the project; the work is done by the engine in a Web Worker.
//!
//! * [`state`] — everything the page knows, and the one pure function that changes it.
//! * [`form`], [`settings`], [`format`] — fields, what they stand for, figures.
//! * [`headline`], [`lines`] — the verdict on a result and the lines of the strip, in words.
//! * [`app`], [`components`] — what is seen.
//! * [`control`], [`transport`] — what can be asked for, and where the search runs.
//! * [`texts`] — what the page says, in several languages.
//! * [`platform`] — the only place that calls the browser.

#[macro_use]
pub mod texts;

pub mod app;
pub mod components;
pub mod control;
pub mod form;
pub mod format;
pub mod headline;
mod keyboard;
pub mod lines;
pub mod platform;
pub mod settings;
pub mod state;
pub mod transport;

use wasm_bindgen::prelude::wasm_bindgen;

/// Puts the page into its element.
#[wasm_bindgen(start)]
pub fn start() {
    wasm_bindgen_futures::spawn_local(async {
        control::speech::begin().await;
        if let Some(root) = platform::dom::root() {
            yew::Renderer::<app::App>::with_root(root).render();
        }
    });
}
