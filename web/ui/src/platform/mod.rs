//! The only place that calls the browser. What it hands out is plain: strings, numbers, and two handles
//! ([`Buffer`], [`files::FileHandle`]) that nobody else looks into.

pub mod clipboard;
pub mod clock;
pub mod dom;
pub mod downloads;
pub mod engine;
pub mod files;
pub mod http;
pub mod route;
pub mod storage;
pub mod timer;

use wasm_bindgen::{JsCast, JsValue};

/// Bytes on the JavaScript side, ready to be transferred without a copy.
#[derive(Clone, Debug)]
pub struct Buffer(js_sys::ArrayBuffer);

impl Buffer {
    /// Class labels as the engine expects them.
    #[must_use]
    pub fn from_labels(labels: &[u32]) -> Self {
        Self(js_sys::Uint32Array::from(labels).buffer())
    }
}

impl Buffer {
    /// Text as UTF-8.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self(js_sys::Uint8Array::from(text.as_bytes()).buffer())
    }

    /// Number of bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        u64::from(self.0.byte_length())
    }

    /// The bytes as text, if they are.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        String::from_utf8(js_sys::Uint8Array::new(&self.0).to_vec()).ok()
    }
}

/// What an exception says.
fn message(exception: &JsValue) -> String {
    match exception.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => exception.as_string().unwrap_or_else(|| String::from(t!(FAILED_UNKNOWN))),
    }
}
