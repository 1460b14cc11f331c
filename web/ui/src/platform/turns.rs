//! One thing a turn of the event loop: what is taken in now is worked on in a task of its own, so that the browser can draw and hear
//! keys in between.

use std::{cell::RefCell, collections::VecDeque, rc::Rc};

use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{MessageChannel, MessageEvent};
use yew::Callback;

/// What waits for its turn, in the order in which it came. What still waits when this is dropped is never worked on.
pub struct Turns<T> {
    waiting: Rc<RefCell<VecDeque<T>>>,
    channel: Option<MessageChannel>,
    work: Callback<T>,
    _on_turn: Closure<dyn FnMut(MessageEvent)>,
}

impl<T: 'static> Turns<T> {
    /// Works on each thing by this.
    #[must_use]
    pub fn new(work: Callback<T>) -> Self {
        let waiting = Rc::new(RefCell::new(VecDeque::new()));
        let on_turn = Closure::<dyn FnMut(MessageEvent)>::new({
            let (waiting, work) = (Rc::clone(&waiting), work.clone());
            move |_: MessageEvent| {
                let next = waiting.borrow_mut().pop_front();
                if let Some(next) = next {
                    work.emit(next);
                }
            }
        });
        // Not a timer: those wait for a second in a window that is not seen.
        let channel = MessageChannel::new().ok();
        if let Some(channel) = &channel {
            channel.port1().set_onmessage(Some(on_turn.as_ref().unchecked_ref()));
        }
        Self { waiting, channel, work, _on_turn: on_turn }
    }

    /// Puts something behind all that waits.
    pub fn push(&self, thing: T) {
        self.waiting.borrow_mut().push_back(thing);
        let comes = self.channel.as_ref().is_some_and(|to| to.port2().post_message(&JsValue::NULL).is_ok());
        if !comes {
            let next = self.waiting.borrow_mut().pop_front();
            if let Some(next) = next {
                self.work.emit(next);
            }
        }
    }
}

impl<T> Drop for Turns<T> {
    fn drop(&mut self) {
        if let Some(channel) = &self.channel {
            channel.port1().set_onmessage(None);
            channel.port1().close();
        }
    }
}
