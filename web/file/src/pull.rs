//! Text that another module hands out.

use std::io::{self, Read};

use js_sys::{Function, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

/// Calls a JavaScript function for the next bytes: at most as many as it is told, none at the end.
pub struct Pulled(Function);

impl Pulled {
    /// Through this function.
    #[must_use]
    pub fn new(next: Function) -> Self {
        Self(next)
    }
}

impl Read for Pulled {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = u32::try_from(out.len()).unwrap_or(u32::MAX);
        let said = |error: JsValue| io::Error::other(error.as_string().unwrap_or_default());
        let bytes: Uint8Array = self.0.call1(&JsValue::NULL, &most.into()).map_err(said)?.unchecked_into();
        let size = bytes.length() as usize;
        bytes.copy_to(out.get_mut(..size).ok_or(io::ErrorKind::InvalidData)?);
        Ok(size)
    }
}
