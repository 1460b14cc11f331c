//! The session for JavaScript: messages as objects, bytes as array buffers.
//!
//! A message is `{ id, message: <wire object>, bulk: [ArrayBuffer, ...] }`, in both directions. The buffers are
//! transferred, not copied. A file comes beside it as `file`, and is read slice by slice.

use js_sys::{Array, ArrayBuffer, Date, Function, Uint32Array};
use lookalike_file::{Blob, BlobFile, Pulled, post};
use lookalike_wire::{
    opening::Form,
    page::{OpenAs, Request, Response},
};
use lookalike_words::Said;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

use crate::{
    fault::EngineFault,
    session::{Host, Session, Source},
};

/// The engine as the Web Worker's script sees it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    session: Session,
}

#[wasm_bindgen]
impl Engine {
    /// An engine without a table.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

#[wasm_bindgen]
impl Engine {
    /// Takes a request with its number, its bulk buffers and its file; true if [`Engine::step`] is to be called.
    #[must_use]
    pub fn handle(&mut self, id: u32, message: JsValue, bulk: &Array, file: JsValue) -> bool {
        let request: Request = match serde_wasm_bindgen::from_value(message) {
            Ok(request) => request,
            Err(error) => {
                let message = EngineFault::NotUnderstood { error: error.to_string() }.into();
                Browser.post(id, Response::Failed { message }, Vec::new());
                return false;
            }
        };
        let buffer = bulk.get(0);
        let labels = match (&request, buffer.dyn_ref::<ArrayBuffer>()) {
            // A length that is no multiple of 4 would throw; it becomes an answer without labels, which is refused.
            (Request::Apply { .. }, Some(buffer)) if buffer.byte_length() % 4 == 0 => {
                Uint32Array::new(buffer).to_vec()
            }
            _ => Vec::new(),
        };
        let mut file = file.dyn_into::<Blob>().ok().map(|blob| {
            // Other files, such as a hierarchy, may come while one waits for the import module.
            if matches!(request, Request::Open { table: OpenAs::Table, .. }) {
                self.session.comes(blob.name());
            }
            BlobFile::new(blob)
        });
        let file = file.as_mut().map(|file| file as &mut dyn Source);
        self.session.handle(id, request, file, labels, &Browser)
    }

    /// Whether the file that came with this request is to be handed to the import module.
    #[must_use]
    #[wasm_bindgen(js_name = wantsImport)]
    pub fn wants_import(&self, id: u32) -> bool {
        self.session.wants_import(id)
    }

    /// Reads the text that `next` hands out; true if it is not UTF-8.
    ///
    /// # Errors
    /// If the form is none.
    #[wasm_bindgen(js_name = readText)]
    pub fn read_text(&mut self, id: u32, form: JsValue, next: Function) -> Result<bool, JsValue> {
        let form: Form = serde_wasm_bindgen::from_value(form)?;
        Ok(self.session.read_text(id, &form, &mut Pulled::new(next), &Browser))
    }

    /// Takes what the import module has to say after the text.
    ///
    /// # Errors
    /// If it says nothing that is understood.
    #[wasm_bindgen(js_name = finishImport)]
    pub fn finish_import(&mut self, id: u32, told: JsValue) -> Result<(), JsValue> {
        self.session.finish_import(id, serde_wasm_bindgen::from_value(told)?, &Browser);
        Ok(())
    }

    /// Does what is to be done; [`Engine::take_job`] is to be asked then.
    pub fn step(&mut self) {
        self.session.step(&Browser);
    }

    /// The job that the search is to solve, if there is one: its answer comes back as an "apply".
    #[wasm_bindgen(js_name = takeJob)]
    pub fn take_job(&mut self) -> Option<Vec<u8>> {
        self.session.take_job()
    }

    /// Does what is to be done for estimates; [`Engine::take_estimate_job`] is to be asked then.
    #[wasm_bindgen(js_name = stepEstimate)]
    pub fn step_estimate(&mut self) {
        self.session.step_estimate(&Browser);
    }

    /// The same for estimates; the "apply" has the number of their request.
    #[wasm_bindgen(js_name = takeEstimateJob)]
    pub fn take_estimate_job(&mut self) -> Option<Vec<u8>> {
        self.session.take_estimate_job()
    }
}

/// Sends every panic's message to the page, over a channel that only this page and its engine know: the trap that it
/// ends in says less.
#[wasm_bindgen(js_name = reportPanics)]
pub fn report_panics(channel: String) {
    std::panic::set_hook(Box::new(move |info| {
        if let Ok(broadcast) = BroadcastChannel::new(&channel) {
            // Nobody is left to be told if this fails; the page's watchdog remains.
            let _ = broadcast.post_message(&JsValue::from_str(&info.to_string()));
        }
    }));
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;

    type BroadcastChannel;

    #[wasm_bindgen(catch, constructor)]
    fn new(name: &str) -> Result<BroadcastChannel, JsValue>;

    #[wasm_bindgen(catch, method, js_name = postMessage)]
    fn post_message(this: &BroadcastChannel, message: &JsValue) -> Result<(), JsValue>;
}

/// The Web Worker around the engine.
struct Browser;

impl Host for Browser {
    fn post(&self, id: u32, response: Response, bulk: Vec<Vec<u8>>) {
        if post(id, &response, &bulk).is_err() {
            let message = EngineFault::NotHanded.into();
            // If not even this arrives, the page's watchdog remains.
            let _ = post(id, &Response::Failed { message }, &[]);
        }
    }

    fn now(&self) -> f64 {
        performance_now() / 1000.0
    }

    fn date(&self) -> String {
        let now = String::from(Date::new_0().to_iso_string());
        // "2026-05-01T14:03:22.123Z": to the second.
        now.split_once('.').map_or(now.clone(), |(seconds, _)| format!("{seconds}Z"))
    }

    fn entropy(&self) -> Result<u64, Said> {
        getrandom::u64().map_err(|error| EngineFault::NoEntropy { error: error.to_string() }.into())
    }
}
