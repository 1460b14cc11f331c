//! Files for the user, made in the page.

use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::{Blob, BlobPropertyBag, Url};

use super::{Buffer, message};

/// A URL for these bytes; it lives until [`revoke`].
///
/// # Errors
/// If the browser refuses, for instance for want of memory.
pub fn link(bytes: &Buffer, mime: &str) -> Result<String, String> {
    let options = BlobPropertyBag::new();
    options.set_type(mime);
    let blob = Blob::new_with_buffer_source_sequence_and_options(&Array::of1(&bytes.0), &options)
        .map_err(|e| message(&e))?;
    Url::create_object_url_with_blob(&blob).map_err(|e| message(&e))
}

/// Saves bytes as a file, as a click on a link would. The URL that is handed out lives until [`revoke`].
///
/// # Errors
/// If the browser refuses.
pub fn save(name: &str, bytes: &Buffer) -> Result<String, String> {
    let url = link(bytes, "application/octet-stream")?;
    let document = web_sys::window().and_then(|window| window.document());
    let element = document.ok_or(t!(FAILED_NO_DOCUMENT))?.create_element("a").map_err(|e| message(&e))?;
    for (attribute, value) in [("href", url.as_str()), ("download", name)] {
        element.set_attribute(attribute, value).map_err(|e| message(&e))?;
    }
    element.unchecked_into::<web_sys::HtmlElement>().click();
    Ok(url)
}

/// Frees the bytes behind a URL.
pub fn revoke(url: &str) {
    if !url.is_empty() {
        // A URL that is gone already is gone.
        let _ = Url::revoke_object_url(url);
    }
}
