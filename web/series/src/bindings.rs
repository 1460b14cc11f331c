//! The engine for JavaScript.

use lookalike_engine::Engine;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::series::Series;

/// An engine that knows series of releases.
#[wasm_bindgen]
#[must_use]
pub fn engine() -> Engine {
    Engine::with(Box::new(Series::default()))
}
