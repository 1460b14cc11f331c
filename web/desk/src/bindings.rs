//! The desk for JavaScript: messages as objects, bytes as array buffers. A file is read slice by
//! slice.

use js_sys::Function;
use lookalike_file::{Blob, BlobFile, Pulled, post};
use lookalike_wire::{desk::Told, opening::Form};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

use crate::desk::{Desk, Host};

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

    /// Answers a question about a file, if it has one.
    pub fn answer(&mut self, ask: JsValue, file: JsValue) {
        match serde_wasm_bindgen::from_value(ask) {
            Ok(ask) => match file.dyn_into::<Blob>() {
                Ok(blob) => self.desk.answer(ask, Some(&mut BlobFile::new(blob)), &Browser),
                Err(_) => self.desk.answer(ask, None, &Browser),
            },
            Err(error) => {
                let message = format!("the engine does not understand the page ({error}); reload the page");
                Browser.tell(Told::Failed { message }, None);
            }
        }
    }

    /// Whether the file that came last is to be handed to the import module.
    #[must_use]
    #[wasm_bindgen(js_name = wantsImport)]
    pub fn wants_import(&self) -> bool {
        self.desk.wants_import()
    }

    /// Reads the text that `next` hands out; true if it is not UTF-8.
    ///
    /// # Errors
    /// If the form is none.
    #[wasm_bindgen(js_name = readText)]
    pub fn read_text(&mut self, form: JsValue, next: Function) -> Result<bool, JsValue> {
        let form: Form = serde_wasm_bindgen::from_value(form)?;
        Ok(self.desk.read_text(&form, &mut Pulled::new(next), &Browser))
    }

    /// Takes what the import module has to say after the text.
    ///
    /// # Errors
    /// If it says nothing that is understood.
    #[wasm_bindgen(js_name = finishImport)]
    pub fn finish_import(&mut self, told: JsValue) -> Result<(), JsValue> {
        self.desk.finish_import(serde_wasm_bindgen::from_value(told)?, &Browser);
        Ok(())
    }
}

/// The Web Worker around the desk.
struct Browser;

impl Host for Browser {
    fn tell(&self, told: Told, bytes: Option<Vec<u8>>) {
        let bulk: Vec<Vec<u8>> = bytes.into_iter().collect();
        if post("told", &told, &bulk).is_err() {
            let message = String::from("the answer could not be handed to the page; try again");
            // If not even this arrives, the question stays unanswered on the screen.
            let _ = post("told", &Told::Failed { message }, &[]);
        }
    }
}
