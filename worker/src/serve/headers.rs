//! What every response says to the browser: isolation, where code and data may come from and go to.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::fault::ServeFault;
use crate::{exit::Failure, flag_values::FlagFault};

/// An origin such as `https://worker.example:8080`: nothing else may enter a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin(String);

impl std::str::FromStr for Origin {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        let trimmed = text.strip_suffix('/').unwrap_or(text);
        let rest = trimmed.strip_prefix("https://").or_else(|| trimmed.strip_prefix("http://"));
        let Some(authority) = rest else {
            return Err(FlagFault::OriginScheme);
        };
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-.:[]".contains(&b);
        if authority.is_empty() || !authority.bytes().all(plain) {
            return Err(FlagFault::OriginForm);
        }
        Ok(Self(trimmed.to_ascii_lowercase()))
    }
}

impl Origin {
    /// As text, without a final slash.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// As a header value.
    ///
    /// # Errors
    /// Never for an origin that was parsed.
    pub(crate) fn value(&self) -> Result<HeaderValue, Failure> {
        HeaderValue::from_str(&self.0)
            .map_err(|e| Failure::input(ServeFault::Origin { origin: self.0.clone(), why: e.to_string() }))
    }
}

/// How long a browser that came by https comes by https: a year.
const HSTS: &str = "max-age=31536000";

/// The headers of every response. Without `isolated` the page cannot share memory between threads; `secure` is for a server that
/// speaks TLS itself.
///
/// # Errors
/// Never for an origin that was parsed.
pub(crate) fn all(worker: Option<&Origin>, isolated: bool, secure: bool) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    let policy = HeaderValue::from_str(&policy(worker))
        .map_err(|e| Failure::input(ServeFault::Policy { why: e.to_string() }))?;
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let mut set = |name, value| {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    };
    set("x-content-type-options", "nosniff");
    set("referrer-policy", "no-referrer");
    set("cross-origin-resource-policy", "same-origin");
    set("permissions-policy", PERMISSIONS);
    if secure {
        set("strict-transport-security", HSTS);
    }
    if isolated {
        set("cross-origin-opener-policy", "same-origin");
        set("cross-origin-embedder-policy", "require-corp");
    }
    Ok(headers)
}

/// What the page may ask the browser for: nothing. Files that are picked or dropped, pasting and what it stores need no permission, and its
/// threads keep theirs, `cross-origin-isolated`. Each name is one that Chromium knows; it would complain of others in its console.
const PERMISSIONS: &str = "accelerometer=(), autoplay=(), browsing-topics=(), camera=(), clipboard-read=(), \
    clipboard-write=(), compute-pressure=(), display-capture=(), encrypted-media=(), fullscreen=(), gamepad=(), geolocation=(), gyroscope=(), hid=(), \
    identity-credentials-get=(), idle-detection=(), keyboard-map=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), otp-credentials=(), payment=(), \
    picture-in-picture=(), publickey-credentials-create=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), \
    storage-access=(), sync-xhr=(), usb=(), window-management=(), xr-spatial-tracking=()";

/// The Content-Security-Policy: nothing but what the page needs.
fn policy(worker: Option<&Origin>) -> String {
    let worker = worker.map(|o| format!(" {}", o.as_str())).unwrap_or_default();
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'{worker}; worker-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; \
         frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins() {
        let origin = |text: &str| text.parse::<Origin>().map(|o| o.0);
        assert_eq!(origin("https://Worker.example:8080/").unwrap(), "https://worker.example:8080");
        assert_eq!(origin("http://[::1]:80").unwrap(), "http://[::1]:80");
        for wrong in [
            "",
            "*",
            "worker.example",
            "https://",
            "https://a/b",
            "https://a; script-src *",
            "https://a b",
            "https://u@a",
        ] {
            assert!(origin(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_policy_names_one_other_origin_at_most() {
        assert!(policy(None).contains("connect-src 'self';"));
        let origin = "https://w.example".parse().unwrap();
        assert!(policy(Some(&origin)).contains("connect-src 'self' https://w.example;"));
    }
}
