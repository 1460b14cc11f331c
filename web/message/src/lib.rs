//! JavaScript values as wire types, in little code.
//!
//! `serde-wasm-bindgen` reads a structure by the names of its fields: for each type the compiler makes code that tells names
//! apart and keeps what was found so far, which was a seventh of the page. Here the names are looked up in the order of the
//! type, so that this code is never made, and everything that does not depend on the type stands once. What is written by
//! that crate, or by `serde_json` and `JSON.parse`, is read by this one; names that the type does not have are passed over.
//! A field that may be missing has to have a default: an `Option` alone may be null or undefined, not missing.

mod fields;
mod value;

use std::fmt;

use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

/// Reads a wire type.
///
/// # Errors
/// If the value is none: what stands there instead.
pub fn from_value<T: DeserializeOwned>(value: JsValue) -> Result<T, Error> {
    T::deserialize(value::Value(value))
}

/// What a value is not.
#[derive(Debug)]
pub struct Error(String);

impl Error {
    fn instead(value: &JsValue, of: &str) -> Self {
        Self(format!("{value:?} instead of {of}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        js_sys::Error::new(&error.0).into()
    }
}
