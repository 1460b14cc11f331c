//! Time that goes by.

use js_sys::Promise;
use wasm_bindgen::{JsCast, closure::Closure};
use wasm_bindgen_futures::JsFuture;

/// Calls something every second, until it is dropped.
pub struct EverySecond {
    id: Option<i32>,
    _callback: Closure<dyn FnMut()>,
}

impl EverySecond {
    /// Starts calling.
    #[must_use]
    pub fn new(callback: impl FnMut() + 'static) -> Self {
        let callback = Closure::<dyn FnMut()>::new(callback);
        let id = web_sys::window().and_then(|window| {
            let function = callback.as_ref().unchecked_ref();
            window.set_interval_with_callback_and_timeout_and_arguments_0(function, 1000).ok()
        });
        Self { id, _callback: callback }
    }
}

impl Drop for EverySecond {
    fn drop(&mut self) {
        if let (Some(window), Some(id)) = (web_sys::window(), self.id) {
            window.clear_interval_with_handle(id);
        }
    }
}

/// Calls something once after some milliseconds, unless it is dropped before.
pub struct After {
    id: Option<i32>,
    _callback: Closure<dyn FnMut()>,
}

impl After {
    /// Starts waiting.
    #[must_use]
    pub fn new(milliseconds: i32, callback: impl FnMut() + 'static) -> Self {
        let callback = Closure::<dyn FnMut()>::new(callback);
        let id = web_sys::window().and_then(|window| {
            let function = callback.as_ref().unchecked_ref();
            window.set_timeout_with_callback_and_timeout_and_arguments_0(function, milliseconds).ok()
        });
        Self { id, _callback: callback }
    }
}

impl Drop for After {
    fn drop(&mut self) {
        if let (Some(window), Some(id)) = (web_sys::window(), self.id) {
            window.clear_timeout_with_handle(id);
        }
    }
}

/// Waits.
pub async fn sleep(milliseconds: i32) {
    let promise = Promise::new(&mut |resolve, _| {
        if let Some(window) = web_sys::window() {
            // Without a timer the promise stays open; nothing then goes on, and nothing breaks.
            let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds);
        }
    });
    // It is never rejected.
    let _ = JsFuture::from(promise).await;
}
