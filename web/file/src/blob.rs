//! Reading a file of the browser from any place.

use std::io::{self, Read, Seek, SeekFrom};

use js_sys::{ArrayBuffer, Uint8Array};
use lookalike_table::Error;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::slices::{Sliced, Slices};

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

    /// The Web Worker's script hears where the file is being read, and says whether to go on.
    #[wasm_bindgen(js_name = lookalikeRead)]
    fn goes_on(at: f64) -> bool;

    /// It counts the bytes that were read.
    #[wasm_bindgen(js_name = lookalikeFetched)]
    fn fetched(bytes: f64);

    #[wasm_bindgen(catch, method, js_name = readAsArrayBuffer)]
    fn read(this: &FileReaderSync, blob: &Blob) -> Result<ArrayBuffer, JsValue>;
}

/// A file that is read slice by slice. Only a Web Worker may do that: it waits for the browser.
pub struct BlobFile(Sliced<OfBlob>);

impl BlobFile {
    /// At its beginning.
    #[must_use]
    pub fn new(blob: Blob) -> Self {
        let size = blob.size() as u64;
        Self(Sliced::new(OfBlob(blob), size))
    }
}

impl Read for BlobFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out)
    }
}

impl Seek for BlobFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

struct OfBlob(Blob);

impl Slices for OfBlob {
    fn slice(&mut self, from: u64, to: u64) -> io::Result<Vec<u8>> {
        let bytes = || -> Result<Vec<u8>, JsValue> {
            let part = self.0.slice(from as f64, to as f64);
            Ok(Uint8Array::new(&FileReaderSync::new()?.read(&part)?.into()).to_vec())
        };
        let bytes = bytes().map_err(|_| io::Error::other(Error::Vanished))?;
        fetched(bytes.len() as f64);
        Ok(bytes)
    }

    fn goes_on(&mut self, at: u64) -> bool {
        goes_on(at as f64)
    }
}
