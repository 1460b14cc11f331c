//! Requests, to the page's own origin or to the one worker that the page was told.

use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit, Response};

use super::{Buffer, message};

/// An answer.
pub struct Answer {
    /// HTTP status code.
    pub status: u16,
    /// Seconds after which to try again, if the server says so.
    pub retry_after: Option<String>,
    response: Response,
}

/// Sends a request and waits for the head of the answer, whatever its status.
///
/// # Errors
/// If there is no answer.
pub async fn send(
    method: &str,
    url: &str,
    token: Option<&str>,
    json: Option<&Buffer>,
) -> Result<Answer, String> {
    request(method, url, token, json).await.map_err(|e| message(&e))
}

async fn request(
    method: &str,
    url: &str,
    token: Option<&str>,
    json: Option<&Buffer>,
) -> Result<Answer, JsValue> {
    let headers = Headers::new()?;
    if let Some(token) = token {
        headers.set("Authorization", &format!("Bearer {token}"))?;
    }
    let init = RequestInit::new();
    init.set_method(method);
    if let Some(body) = json {
        headers.set("Content-Type", "application/json")?;
        init.set_body(&body.0);
    }
    init.set_headers(&headers);
    let window = web_sys::window().ok_or("no window")?;
    let response = JsFuture::from(window.fetch_with_str_and_init(url, &init)).await?;
    let response: Response = response.dyn_into()?;
    let retry_after = response.headers().get("Retry-After")?;
    Ok(Answer { status: response.status(), retry_after, response })
}

impl Answer {
    /// Whether the status is 2xx.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body as a wire type.
    ///
    /// # Errors
    /// If it is none.
    pub async fn json<T: DeserializeOwned>(self) -> Result<T, String> {
        let promise = self.response.json().map_err(|e| message(&e))?;
        let value = JsFuture::from(promise).await.map_err(|e| message(&e))?;
        serde_wasm_bindgen::from_value(value).map_err(|e| e.to_string())
    }

    /// The body as bytes.
    ///
    /// # Errors
    /// If the connection breaks.
    pub async fn bytes(self) -> Result<Buffer, String> {
        let promise = self.response.array_buffer().map_err(|e| message(&e))?;
        let buffer = JsFuture::from(promise).await.map_err(|e| message(&e))?;
        Ok(Buffer(buffer.unchecked_into()))
    }
}
