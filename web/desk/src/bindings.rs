//! The desk for JavaScript: messages as objects made by serde-wasm-bindgen, bytes as array buffers.

use js_sys::{Array, ArrayBuffer, Object, Reflect, Uint8Array};
use lookalike_wire::desk::Told;
use serde::Serialize;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

use crate::desk::Desk;

/// The desk as the Web Worker's script sees it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Counter {
    desk: Desk,
}

#[wasm_bindgen]
impl Counter {
    /// A desk that was asked nothing yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The answer to a question with its bulk buffers: `{ told, bulk }`.
    ///
    /// # Errors
    /// If the browser cannot make the answer's objects.
    pub fn answer(&mut self, ask: JsValue, bulk: &Array) -> Result<JsValue, JsValue> {
        let buffers = bulk.iter().filter_map(|item| item.dyn_into::<ArrayBuffer>().ok());
        let files: Vec<Vec<u8>> = buffers.map(|buffer| Uint8Array::new(&buffer).to_vec()).collect();
        let (told, bytes) = match serde_wasm_bindgen::from_value(ask) {
            Ok(ask) => self.desk.answer(ask, &files),
            Err(error) => {
                let message = format!("the engine does not understand the page ({error}); reload the page");
                (Told::Failed { message }, None)
            }
        };
        let serializer = serde_wasm_bindgen::Serializer::new().serialize_maps_as_objects(true);
        let buffers: Array = bytes.iter().map(|bytes| Uint8Array::from(bytes.as_slice()).buffer()).collect();
        let envelope = Object::new();
        Reflect::set(&envelope, &"told".into(), &told.serialize(&serializer)?)?;
        Reflect::set(&envelope, &"bulk".into(), &buffers)?;
        Ok(envelope.into())
    }
}
