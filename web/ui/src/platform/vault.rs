//! Work that outlives a reload of the tab: what `vault.js` keeps and gives back. A page that is a file has no such thing.

use js_sys::{JSON, JsString, Reflect};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

use super::{files::FileHandle, message};

#[wasm_bindgen]
extern "C" {
    type Vault;

    #[wasm_bindgen(catch, method)]
    async fn begin(this: &Vault) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, method)]
    async fn recall(this: &Vault) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, method)]
    async fn keep(this: &Vault, table: &JsValue, text: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, method)]
    async fn forget(this: &Vault) -> Result<JsValue, JsValue>;
}

/// What a tab kept before it was reloaded.
pub enum Recalled<T> {
    /// It keeps nothing.
    Nothing,
    /// It is to keep its work, and there was none yet.
    Consent,
    /// A table, and what was said of it.
    Work(FileHandle, Box<T>),
}

/// Keeps work from now on.
///
/// # Errors
/// Why the browser does not; nothing where it cannot.
pub async fn begin() -> Result<(), String> {
    vault().ok_or_else(String::new)?.begin().await.map(drop).map_err(|e| message(&e))
}

/// What was kept; `name` is what its file is called.
///
/// # Errors
/// Why it does not come back.
pub async fn recall<T: DeserializeOwned>(name: impl FnOnce(&T) -> String) -> Result<Recalled<T>, String> {
    let Some(vault) = vault() else { return Ok(Recalled::Nothing) };
    let found = vault.recall().await.map_err(|e| message(&e))?;
    if found.is_undefined() {
        return Ok(Recalled::Nothing);
    }
    let field = |name: &str| Reflect::get(&found, &name.into()).unwrap_or_default();
    let Some(text) = field("text").as_string() else { return Ok(Recalled::Consent) };
    let said = JSON::parse(&text).map_err(|e| message(&e))?;
    let said: T = serde_wasm_bindgen::from_value(said).map_err(|e| e.to_string())?;
    let file = FileHandle::kept(&name(&said), &field("table").unchecked_into())?;
    Ok(Recalled::Work(file, Box::new(said)))
}

/// Keeps this in place of what was kept before.
///
/// # Errors
/// Why the browser does not.
pub async fn keep<T: Serialize>(file: &FileHandle, said: &T) -> Result<(), String> {
    let Some(vault) = vault() else { return Ok(()) };
    let said = said.serialize(&serde_wasm_bindgen::Serializer::json_compatible());
    let text =
        said.map_err(|e| e.to_string()).and_then(|said| JSON::stringify(&said).map_err(|e| message(&e)))?;
    vault.keep(file.blob(), &String::from(text)).await.map(drop).map_err(|e| message(&e))
}

/// Deletes what was kept, and keeps nothing more.
///
/// # Errors
/// Why it is still there. Without its key nobody can read it.
pub async fn forget() -> Result<(), String> {
    let Some(vault) = vault() else { return Ok(()) };
    vault.forget().await.map(drop).map_err(|e| message(&e))
}

fn vault() -> Option<Vault> {
    let vault = Reflect::get(&js_sys::global(), &JsString::from("lookalikeVault")).ok()?;
    (!vault.is_undefined()).then(|| vault.unchecked_into())
}
