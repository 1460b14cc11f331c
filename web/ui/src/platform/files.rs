//! Files that the user hands to the page.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, DataTransfer, File, HtmlInputElement};
use yew::Event;

use super::{Buffer, message};

/// A file that can be read, again and again.
#[derive(Clone, Debug)]
pub struct FileHandle {
    /// Its name.
    pub name: String,
    blob: Blob,
}

impl FileHandle {
    /// The file that was picked in an input; the input is emptied, so that the same file can be picked again.
    #[must_use]
    pub fn picked(event: &Event) -> Option<Self> {
        let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
        let file = input.files()?.get(0)?;
        input.set_value("");
        Some(Self::from_file(file))
    }

    /// All files that were picked in an input for several, by their names; the input is emptied.
    #[must_use]
    pub fn all_picked(event: &Event) -> Vec<Self> {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        let Some(input) = input else { return Vec::new() };
        let list = input.files();
        let mut files: Vec<Self> = list
            .iter()
            .flat_map(|list| (0..list.length()).filter_map(|at| list.get(at)))
            .map(Self::from_file)
            .collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        input.set_value("");
        files
    }

    /// A file of this text.
    ///
    /// # Errors
    /// If the browser refuses, for instance for want of memory.
    pub fn from_text(name: &str, text: &str) -> Result<Self, String> {
        Self::made(name, &text.into())
    }

    /// A file of these bytes.
    ///
    /// # Errors
    /// If the browser refuses, for instance for want of memory.
    pub fn from_bytes(name: &str, bytes: &Buffer) -> Result<Self, String> {
        Self::made(name, &bytes.0)
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.blob.size()
    }

    /// The first file of what was dropped or pasted.
    pub(super) fn first(data: &DataTransfer) -> Option<Self> {
        data.files()?.get(0).map(Self::from_file)
    }

    /// The browser's handle.
    pub(super) fn blob(&self) -> &JsValue {
        self.blob.as_ref()
    }

    /// A file that was kept under this name.
    ///
    /// # Errors
    /// As [`Self::from_bytes`].
    pub(super) fn kept(name: &str, blob: &Blob) -> Result<Self, String> {
        Self::made(name, blob)
    }

    /// A file of this part. It has its name with it, wherever it goes: a statement names what was read.
    fn made(name: &str, part: &JsValue) -> Result<Self, String> {
        let file = File::new_with_blob_sequence(&Array::of1(part), name).map_err(|e| message(&e))?;
        Ok(Self { name: name.to_owned(), blob: file.into() })
    }

    fn from_file(file: File) -> Self {
        Self { name: file.name(), blob: file.into() }
    }
}
