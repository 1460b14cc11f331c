//! What the browser remembers for this page, if somebody wants it to. Never anything of a table.

use web_sys::Storage;

use crate::state::{Recent, STORED};

/// The latest settings; those before have a number.
const KEY: &str = "lookalike-configuration";

/// The language.
const LANGUAGE: &str = "lookalike-language";

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn key(place: usize) -> String {
    if place == 0 { KEY.to_owned() } else { format!("{KEY}-{place}") }
}

/// The settings that are remembered, the latest first; none where the browser remembers nothing.
#[must_use]
pub fn read() -> Vec<Recent> {
    let Some(storage) = storage() else { return Vec::new() };
    let stored = (0..STORED).filter_map(|place| storage.get_item(&key(place)).ok()?);
    let read = stored.filter_map(|stored| Recent::parse(&stored));
    // What others stored here, or half of it, is passed over.
    read.filter(|recent| js_sys::JSON::parse(&recent.text).is_ok()).collect()
}

/// Remembers these settings and no others. False if the browser refuses.
#[must_use]
pub fn write(list: &[Recent]) -> bool {
    let Some(storage) = storage() else { return false };
    (0..STORED).all(|place| match list.get(place) {
        Some(recent) => storage.set_item(&key(place), &recent.stored()).is_ok(),
        None => storage.remove_item(&key(place)).is_ok(),
    })
}

/// The code of the language that is remembered.
#[must_use]
pub fn language() -> Option<String> {
    storage()?.get_item(LANGUAGE).ok()?
}

/// Remembers the code of a language.
pub fn write_language(code: &str) {
    if let Some(storage) = storage() {
        // A language that is not remembered is chosen again.
        let _ = storage.set_item(LANGUAGE, code);
    }
}

/// Remembers nothing any more.
pub fn forget() {
    if let Some(storage) = storage() {
        // There is nothing to be done if even this is refused: then nothing was stored either.
        for place in 0..STORED {
            let _ = storage.remove_item(&key(place));
        }
        let _ = storage.remove_item(LANGUAGE);
    }
}
