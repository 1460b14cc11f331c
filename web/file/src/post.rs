//! Messages to the page.

use js_sys::{Array, Object, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = postMessage)]
    fn post_message(message: &JsValue, transfer: &Array) -> Result<(), JsValue>;
}

/// Sends `{ id, message, bulk: [ArrayBuffer, ...] }` to the page; the bytes are transferred.
///
/// # Errors
/// If the browser cannot make the objects, for instance for want of memory.
pub fn post(id: u32, message: &impl Serialize, bulk: &[Vec<u8>]) -> Result<(), JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::new().serialize_maps_as_objects(true);
    let buffers: Array = bulk.iter().map(|bytes| Uint8Array::from(bytes.as_slice()).buffer()).collect();
    let envelope = Object::new();
    Reflect::set(&envelope, &"id".into(), &id.into())?;
    Reflect::set(&envelope, &"message".into(), &message.serialize(&serializer)?)?;
    Reflect::set(&envelope, &"bulk".into(), &buffers)?;
    post_message(&envelope, &buffers)
}
