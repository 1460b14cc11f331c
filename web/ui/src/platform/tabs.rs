//! Other tabs of this browser with the same page: they hear whose ledger was saved, since of two releases from one state only one may be
//! published. Nothing leaves the browser.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, MessageEvent};

use crate::state::Spent;

/// The name of the channel.
const NAME: &str = "lookalike-ledgers";

/// Hears of other tabs until it is dropped. Where the browser has no channel, there is nothing to hear.
pub struct Tabs {
    channel: Option<BroadcastChannel>,
    _heard: Closure<dyn FnMut(MessageEvent)>,
}

impl Tabs {
    /// Starts hearing.
    #[must_use]
    pub fn new(told: impl Fn(Spent) + 'static) -> Self {
        let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(spent) = read(&event.data()) {
                told(spent);
            }
        });
        let channel = BroadcastChannel::new(NAME).ok();
        if let Some(channel) = &channel {
            channel.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        }
        Self { channel, _heard: heard }
    }

    /// Tells the other tabs.
    pub fn tell(&self, spent: &Spent) {
        let message =
            Array::of3(&spent.state.as_str().into(), &spent.release.into(), &spent.table.as_str().into());
        if let Some(channel) = &self.channel {
            // Who cannot be told is warned by the words beside the ledger.
            let _ = channel.post_message(&message);
        }
    }
}

impl Drop for Tabs {
    fn drop(&mut self) {
        if let Some(channel) = &self.channel {
            channel.close();
        }
    }
}

/// What another tab told; nothing for what has another form, as a tab with another build may send.
fn read(message: &JsValue) -> Option<Spent> {
    let message = message.dyn_ref::<Array>()?;
    let text = |at| message.get(at).as_string();
    let release = message.get(1).as_f64()? as u32;
    Some(Spent { state: text(0)?, release, table: text(2)?, here: false })
}
