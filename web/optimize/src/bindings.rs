//! The search for JavaScript: the job and the reports are JSON, labels an array of numbers.

use lookalike_model::event::Progress;
use lookalike_words::Said;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::search::{Host, Refused, Search};

/// The search as the Web Worker's script sees it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Optimizer {
    search: Search,
    /// Of the last answer.
    labels: Vec<u32>,
}

#[wasm_bindgen]
impl Optimizer {
    /// A search without a job.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a job, as the engine wrote it.
    ///
    /// # Errors
    /// What is wrong with it, a message as JSON.
    pub fn begin(&mut self, job: &[u8]) -> Result<(), JsValue> {
        self.search.begin(job, &Browser).map_err(|why| thrown(&why))
    }

    /// Searches on for some ten milliseconds; true if there is more to do.
    ///
    /// # Errors
    /// If the search fails, a message as JSON.
    pub fn step(&mut self) -> Result<bool, JsValue> {
        self.search.step(&Browser).map_err(|why| thrown(&why))
    }

    /// Makes the next step the last one.
    pub fn stop(&mut self) {
        self.search.stop();
    }

    /// The best answer so far without its labels, as JSON.
    ///
    /// # Errors
    /// If no search has begun, a message as JSON.
    pub fn finish(&mut self) -> Result<String, JsValue> {
        let mut answer = self.search.finish().ok_or_else(|| thrown(&Refused::NotBegun.into()))?;
        self.labels = std::mem::take(&mut answer.labels);
        serde_json::to_string(&answer)
            .map_err(|error| thrown(&Refused::Answer { why: error.to_string() }.into()))
    }

    /// The class of each record, after [`Optimizer::finish`].
    #[must_use]
    pub fn labels(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.labels)
    }
}

/// A message as the Web Worker's script takes it.
fn thrown(why: &Said) -> JsValue {
    serde_json::to_string(why).unwrap_or_else(|_| why.to_string()).into()
}

/// Sends every panic's message to the page, over a channel that only this page and its engine know: a panic in a
/// thread of the pool is never heard of otherwise, and the search would wait for that thread for ever.
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
    /// The Web Worker's script passes a report on.
    #[wasm_bindgen(js_name = lookalikeProgress)]
    fn report(progress: &str);

    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;

    type BroadcastChannel;

    #[wasm_bindgen(catch, constructor)]
    fn new(name: &str) -> Result<BroadcastChannel, JsValue>;

    #[wasm_bindgen(catch, method, js_name = postMessage)]
    fn post_message(this: &BroadcastChannel, message: &JsValue) -> Result<(), JsValue>;
}

/// The Web Worker around the search.
struct Browser;

impl Host for Browser {
    fn progress(&self, progress: &Progress) {
        if let Ok(text) = serde_json::to_string(progress) {
            report(&text);
        }
    }

    fn now(&self) -> f64 {
        performance_now() / 1000.0
    }
}
