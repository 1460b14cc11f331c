//! The engine's Web Worker, and the messages to and fro: `{ id, message: <wire object>, bulk: [ArrayBuffer, ...] }`, with a
//! `file` beside it where one is to be read. Whatever has an id answers the request of that number.

use std::rc::Rc;

use js_sys::{Array, Int32Array, Object, Reflect, SharedArrayBuffer};
use lookalike_wire::page::{Request, Response};
use serde::Serialize;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

use super::{Buffer, files::FileHandle, message, turns::Turns};

/// What comes from the engine.
pub enum Message {
    /// A response to the request of this number, if it is one, with the bytes beside it.
    Response(Option<u32>, Box<Response>, Vec<Buffer>),
    /// How much memory its fullest part holds, and the most that this part can get, in bytes.
    Memory {
        /// Held.
        bytes: f64,
        /// At most.
        most: f64,
    },
    /// The engine is gone.
    Lost(String),
}

/// A running engine; dropping it ends it at once.
pub struct Engine {
    worker: Worker,
    panics: Option<BroadcastChannel>,
    /// The last request that was given up, where the engine can look it up in the midst of its work.
    given_up: Option<Int32Array>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(JsValue)>,
    _on_panic: Closure<dyn FnMut(MessageEvent)>,
}

impl Engine {
    /// Starts the engine.
    ///
    /// # Errors
    /// If the browser has no module workers, or forbids them.
    pub fn start(received: Callback<Message>) -> Result<Self, String> {
        // To read what came takes its time, and so does to show it.
        let received = Rc::new(Turns::new(received));
        // Panics of the engine's threads come over a channel with a name that only this page and its engine know.
        let name = format!("lookalike-{:x}", (js_sys::Math::random() * 1e15) as u64);
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name(&name);
        let worker = Worker::new_with_options("./worker.js", &options).map_err(|e| message(&e))?;

        let on_message = Closure::<dyn FnMut(MessageEvent)>::new({
            let received = Rc::clone(&received);
            move |event: MessageEvent| received.push(decode(&event.data()))
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        let on_error = Closure::<dyn FnMut(JsValue)>::new({
            let received = Rc::clone(&received);
            move |event: JsValue| {
                let why = field(&event, "message").and_then(|m| m.as_string());
                received.push(Message::Lost(why.unwrap_or_else(|| String::from(t!(FAILED_NO_SCRIPT)))));
            }
        });
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));

        let panics = BroadcastChannel::new(&name).ok();
        let on_panic = Closure::<dyn FnMut(MessageEvent)>::new({
            move |event: MessageEvent| {
                received.push(Message::Lost(event.data().as_string().unwrap_or_default()));
            }
        });
        if let Some(channel) = &panics {
            channel.set_onmessage(Some(on_panic.as_ref().unchecked_ref()));
        }
        // Browsers that share no memory with their workers do not have such a thing.
        let given_up = super::dom::is_isolated().then(|| Int32Array::new(&SharedArrayBuffer::new(4)));
        Ok(Self {
            worker,
            panics,
            given_up,
            _on_message: on_message,
            _on_error: on_error,
            _on_panic: on_panic,
        })
    }

    /// Sends a request; the bytes beside it are transferred and gone from here. A file stays with the browser: the engine
    /// reads it from there.
    ///
    /// # Errors
    /// If it cannot be sent.
    pub fn post(
        &self,
        id: u32,
        request: &Request,
        bulk: &[Buffer],
        file: Option<&FileHandle>,
    ) -> Result<(), String> {
        self.try_post(id, request, bulk, file).map_err(|e| message(&e))
    }

    /// Gives up a request for a table, and those before it. Whether the engine hears of it in the midst of reading.
    #[must_use]
    pub fn give_up(&self, id: u32) -> bool {
        let Some(given_up) = &self.given_up else { return false };
        given_up.set_index(0, i32::try_from(id).unwrap_or(i32::MAX));
        true
    }

    fn try_post(
        &self,
        id: u32,
        request: &Request,
        bulk: &[Buffer],
        file: Option<&FileHandle>,
    ) -> Result<(), JsValue> {
        let serializer = serde_wasm_bindgen::Serializer::new().serialize_maps_as_objects(true);
        let buffers = Array::new();
        for buffer in bulk {
            buffers.push(&buffer.0);
        }
        let envelope = Object::new();
        Reflect::set(&envelope, &"id".into(), &id.into())?;
        Reflect::set(&envelope, &"message".into(), &request.serialize(&serializer)?)?;
        Reflect::set(&envelope, &"bulk".into(), &buffers)?;
        if let Some(file) = file {
            Reflect::set(&envelope, &"file".into(), file.blob())?;
            if let Some(given_up) = &self.given_up {
                Reflect::set(&envelope, &"givenUp".into(), given_up)?;
            }
        }
        self.worker.post_message_with_transfer(&envelope, &buffers)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
        if let Some(channel) = &self.panics {
            channel.set_onmessage(None);
            channel.close();
        }
    }
}

fn decode(data: &JsValue) -> Message {
    if let Some(memory) = field(data, "memory") {
        let number = |name| field(&memory, name).and_then(|n| n.as_f64()).unwrap_or_default();
        return Message::Memory { bytes: number("bytes"), most: number("most") };
    }
    if let Some(why) = field(data, "lost").and_then(|w| w.as_string()) {
        return Message::Lost(why);
    }
    let bulk = field(data, "bulk").map_or_else(Vec::new, |bulk| {
        Array::from(&bulk).iter().filter_map(|b| b.dyn_into().ok()).map(Buffer).collect()
    });
    let id = field(data, "id").and_then(|id| id.as_f64()).map(|id| id as u32);
    match serde_wasm_bindgen::from_value(field(data, "message").unwrap_or_default()) {
        Ok(response) => Message::Response(id, Box::new(response), bulk),
        Err(error) => Message::Lost(t!(FAILED_VERSIONS, error = error)),
    }
}

fn field(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &name.into()).ok().filter(|value| !value.is_undefined())
}
