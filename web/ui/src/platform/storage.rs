//! What the browser remembers for this page, if somebody wants it to. Never anything of a table.

use web_sys::Storage;

/// The only entry.
const KEY: &str = "lookalike-configuration";

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// What is remembered; `None` where there is nothing, or the browser remembers nothing.
#[must_use]
pub fn read() -> Option<String> {
    storage()?.get_item(KEY).ok()?
}

/// Remembers this. False if the browser refuses.
#[must_use]
pub fn write(text: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(KEY, text).is_ok())
}

/// Remembers nothing any more.
pub fn forget() {
    if let Some(storage) = storage() {
        // There is nothing to be done if even this is refused: then nothing was stored either.
        let _ = storage.remove_item(KEY);
    }
}
