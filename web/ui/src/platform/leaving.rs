//! What the browser asks before the page goes, and files that are dropped anywhere on it.

use std::{cell::RefCell, rc::Rc};

use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{BeforeUnloadEvent, DragEvent, Event, Window};
use yew::Callback;

use super::{files::FileHandle, timer::After};

/// Milliseconds after which a page that is still there was not left: its clocks stand while the browser asks.
const STAYED: i32 = 500;

/// As long as it lives the browser asks before it closes or reloads the page, or leaves it. The words are the browser's own.
pub struct AskFirst {
    window: Option<Window>,
    callback: Closure<dyn FnMut(BeforeUnloadEvent)>,
}

impl AskFirst {
    /// From now on. It tells once the user was asked and has stayed.
    #[must_use]
    pub fn begin(stayed: Callback<()>) -> Self {
        let asked = Rc::new(RefCell::new(None));
        let callback = Closure::<dyn FnMut(BeforeUnloadEvent)>::new(move |event: BeforeUnloadEvent| {
            event.prevent_default();
            // An event that a script has made is none of the browser's: nobody was asked.
            if event.is_trusted() {
                let stayed = stayed.clone();
                *asked.borrow_mut() = Some(After::new(STAYED, move || stayed.emit(())));
            }
        });
        let window = web_sys::window();
        if let Some(window) = &window {
            window.set_onbeforeunload(Some(callback.as_ref().unchecked_ref()));
        }
        Self { window, callback }
    }
}

impl Drop for AskFirst {
    fn drop(&mut self) {
        let mine = |f: js_sys::Function| &f == self.callback.as_ref().unchecked_ref::<js_sys::Function>();
        if let Some(window) = &self.window
            && window.onbeforeunload().is_some_and(mine)
        {
            window.set_onbeforeunload(None);
        }
    }
}

/// Where a file that is dragged over the page is.
pub enum Dragged {
    /// Over the page.
    Over,
    /// Gone again.
    Away,
    /// Dropped.
    Dropped(FileHandle),
}

/// Hears of files that are dragged over any part of the page, until it is dropped. Without it the browser would open the file in place of
/// the page.
pub struct OnDrag {
    window: Option<Window>,
    callback: Closure<dyn FnMut(Event)>,
}

const DRAGS: [&str; 3] = ["dragover", "dragleave", "drop"];

impl OnDrag {
    /// Starts hearing.
    #[must_use]
    pub fn new(mut heard: impl FnMut(Dragged) + 'static) -> Self {
        let callback = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            if let Some(event) = event.dyn_ref::<DragEvent>()
                && let Some(dragged) = dragged(event)
            {
                event.prevent_default();
                heard(dragged);
            }
        });
        let window = web_sys::window();
        for (window, kind) in window.iter().flat_map(|window| DRAGS.map(|kind| (window, kind))) {
            // Where the browser refuses, the field for files is still there.
            let _ = window.add_event_listener_with_callback(kind, callback.as_ref().unchecked_ref());
        }
        Self { window, callback }
    }
}

impl Drop for OnDrag {
    fn drop(&mut self) {
        for (window, kind) in self.window.iter().flat_map(|window| DRAGS.map(|kind| (window, kind))) {
            let _ = window.remove_event_listener_with_callback(kind, self.callback.as_ref().unchecked_ref());
        }
    }
}

/// Nothing for what is no file, such as a piece of text.
fn dragged(event: &DragEvent) -> Option<Dragged> {
    let data = event.data_transfer()?;
    let files = data.types().iter().any(|kind| kind == "Files");
    match event.type_().as_str() {
        "dragover" if files => Some(Dragged::Over),
        // Going from one element to the next is not going away.
        "dragleave" if files => event.related_target().is_none().then_some(Dragged::Away),
        "drop" => FileHandle::first(&data).map(Dragged::Dropped),
        _ => None,
    }
}
