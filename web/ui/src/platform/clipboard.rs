//! A table that is pasted anywhere on the page.

use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{ClipboardEvent, Document, HtmlInputElement, HtmlTextAreaElement};

use super::files::FileHandle;

/// What was pasted.
pub enum Pasted {
    /// A file, copied in a file manager.
    File(FileHandle),
    /// Text of more than one line: cells of a spreadsheet come with tabs in between.
    Text(String),
}

/// Hears what is pasted outside of fields, until it is dropped.
pub struct OnPaste {
    document: Option<Document>,
    callback: Closure<dyn FnMut(ClipboardEvent)>,
}

impl OnPaste {
    /// Starts hearing.
    #[must_use]
    pub fn new(mut heard: impl FnMut(Pasted) + 'static) -> Self {
        let callback = Closure::<dyn FnMut(ClipboardEvent)>::new(move |event| {
            if let Some(pasted) = pasted(&event) {
                event.prevent_default();
                heard(pasted);
            }
        });
        let document = web_sys::window().and_then(|window| window.document());
        if let Some(document) = &document {
            document.set_onpaste(Some(callback.as_ref().unchecked_ref()));
        }
        Self { document, callback }
    }
}

impl Drop for OnPaste {
    fn drop(&mut self) {
        if let Some(document) = &self.document {
            // The newest has taken the place of an older one already.
            let mine = document.onpaste().is_some_and(|f| &f == self.callback.as_ref().unchecked_ref());
            if mine {
                document.set_onpaste(None);
            }
        }
    }
}

fn pasted(event: &ClipboardEvent) -> Option<Pasted> {
    let target = event.target()?;
    if target.has_type::<HtmlTextAreaElement>() || target.has_type::<HtmlInputElement>() {
        return None;
    }
    let data = event.clipboard_data()?;
    if let Some(file) = FileHandle::first(&data) {
        return Some(Pasted::File(file));
    }
    let text = data.get_data("text/plain").ok()?;
    text.trim_end().contains('\n').then_some(Pasted::Text(text))
}
