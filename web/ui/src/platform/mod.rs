//! The only place that calls the browser. What it hands out is plain: strings, numbers, and two handles
//! ([`Buffer`], [`files::FileHandle`]) that nobody else looks into.

pub mod clipboard;
pub mod clock;
pub mod dom;
pub mod downloads;
pub mod engine;
pub mod files;
pub mod http;
pub mod json;
pub mod keys;
pub mod leaving;
pub mod requests;
pub mod route;
pub mod storage;
pub mod tabs;
pub mod timer;
pub mod turns;
pub mod vault;

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

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    /// What speaks to JavaScript; the start function in `lib.rs` needs the last one.
    const BROWSER: [&str; 4] = ["web_sys::", "js_sys::", "gloo", "wasm_bindgen::"];

    fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else {
                found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }

    #[test]
    fn nothing_else_calls_the_browser() {
        let mut all = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
        let (here, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(path, _)| path.contains("/platform/"));
        assert!(here.iter().any(|(_, text)| text.contains(BROWSER[0])), "the test looks in the wrong place");
        for (path, text) in others {
            for name in BROWSER {
                let allowed = path.ends_with("/lib.rs") && name == BROWSER[3];
                assert!(allowed || !text.contains(name), "{path} names {name}");
            }
        }
    }
}
