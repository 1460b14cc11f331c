//! What the browser remembers for this page, if somebody wants it to. Never anything of a table.

use web_sys::Storage;

/// The settings.
const KEY: &str = "lookalike-configuration";

/// The language.
const LANGUAGE: &str = "lookalike-language";

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
        let _ = storage.remove_item(KEY);
        let _ = storage.remove_item(LANGUAGE);
    }
}
