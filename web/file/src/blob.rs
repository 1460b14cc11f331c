//! Reading a file of the browser from any place.

use std::io::{self, Read, Seek, SeekFrom};

use js_sys::{ArrayBuffer, Uint8Array};
use lookalike_table::Error;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

/// Bytes that are read at a time: each time costs a round trip to the browser's process of files.
const SLICE: u64 = 1 << 20;

#[wasm_bindgen]
extern "C" {
    /// A file, or bytes in the browser's keeping.
    #[wasm_bindgen(js_name = Blob)]
    pub type Blob;

    #[wasm_bindgen(method, getter)]
    fn size(this: &Blob) -> f64;

    /// The name of a file; what is no file has none.
    #[wasm_bindgen(method, getter)]
    pub fn name(this: &Blob) -> Option<String>;

    #[wasm_bindgen(method)]
    fn slice(this: &Blob, start: f64, end: f64) -> Blob;

    type FileReaderSync;

    #[wasm_bindgen(catch, constructor)]
    fn new() -> Result<FileReaderSync, JsValue>;

    /// The Web Worker's script hears how many bytes were read, and says whether to go on.
    #[wasm_bindgen(js_name = lookalikeRead)]
    fn goes_on(bytes: f64) -> bool;

    #[wasm_bindgen(catch, method, js_name = readAsArrayBuffer)]
    fn read(this: &FileReaderSync, blob: &Blob) -> Result<ArrayBuffer, JsValue>;
}

/// A file that is read slice by slice. Only a Web Worker may do that: it waits for the browser.
pub struct BlobFile {
    blob: Blob,
    size: u64,
    at: u64,
    /// The slice that was read last, and where it begins.
    slice: Vec<u8>,
    begin: u64,
}

impl BlobFile {
    /// At its beginning.
    #[must_use]
    pub fn new(blob: Blob) -> Self {
        let size = blob.size() as u64;
        Self { blob, size, at: 0, slice: Vec::new(), begin: 0 }
    }

    fn fetch(&mut self) -> Result<(), JsValue> {
        let end = (self.at + SLICE).min(self.size);
        let part = self.blob.slice(self.at as f64, end as f64);
        self.slice = Uint8Array::new(&FileReaderSync::new()?.read(&part)?.into()).to_vec();
        self.begin = self.at;
        Ok(())
    }

    /// Place in the slice, if that is where the next bytes are.
    fn inside(&self) -> Option<usize> {
        let inside = usize::try_from(self.at.checked_sub(self.begin)?).ok()?;
        (inside < self.slice.len()).then_some(inside)
    }
}

impl Read for BlobFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // Nobody waits for a table whose reading was given up: what becomes of it is not heard.
        if self.inside().is_none() && !goes_on(self.at.min(self.size) as f64) {
            return Err(io::Error::other(Error::Vanished));
        }
        if self.at >= self.size {
            return Ok(0);
        }
        if self.inside().is_none() {
            self.fetch().map_err(|_| io::Error::other(Error::Vanished))?;
        }
        let Some(inside) = self.inside() else { return Ok(0) };
        let size = out.len().min(self.slice.len() - inside);
        out[..size].copy_from_slice(&self.slice[inside..inside + size]);
        self.at += size as u64;
        Ok(size)
    }
}

impl Seek for BlobFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(offset) => self.size.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
